/// A walk over the durable part of a log in slices, so that whoever does it can do something else
/// in between: all that `LogVerifier` checks, up to the end that the log had when it began. It
/// only reads, and belongs to one thread.
public struct LogCheck<D: Disk> {
  /// What a slice came to.
  public enum Step: Sendable, Equatable {
    /// There is more to check.
    case more
    /// The walk is at its end; the report holds the first damage, if there is any.
    case finished(LogReport)
  }

  private let disk: D
  private let checksum: Checksum
  private let index: LogIndex
  private var scanner: LogScanner<D>?
  /// The segment that the walk is in, and how far into it; no offset before it was entered.
  private var number = 0
  private var offset: UInt64?

  /// - Parameter index: what is durable of the log.
  public init(disk: D, index: LogIndex, checksum: @escaping Checksum = crc32c) {
    self.disk = disk
    self.index = index
    self.checksum = checksum
  }

  /// Checks the batches that come next, until they are `byteCountMax` bytes or more.
  ///
  /// - Throws: `disk`, `newerFormat`. Damage ends the walk and is in its report.
  public mutating func advance(byteCountMax: Int) throws(LogError) -> Step {
    do throws(LogError) {
      guard try walk(UInt64(byteCountMax)) else { return .more }
      return .finished(report(nil))
    } catch {
      guard let damage = damage(of: error) else { throw error }
      return .finished(report(damage))
    }
  }

  /// A file that has gone is damage too.
  private func damage(of error: LogError) -> LogDamage? {
    switch error {
    case .damaged(let damage): damage
    case .disk(let error) where error.code == DiskError.codeMissing:
      LogDamage(
        file: error.file, offset: 0, sequence: (scanner?.point.sequence ?? 0) + 1,
        what: "it is missing")
    case .disk, .failed, .noSpace, .locked, .newerFormat, .lost, .pointNotInLog, .noRecord,
      .rejected:
      nil
    }
  }

  /// Whether the walk is at its end.
  private mutating func walk(_ byteCountMax: UInt64) throws(LogError) -> Bool {
    guard let first = index.segments.first, index.lastSequence > 0 else { return true }
    var scanner: LogScanner<D>
    if let begun = self.scanner {
      scanner = begun
    } else {
      scanner = try LogScanner(disk, checksum, first: first.firstSequence, from: nil)
    }
    defer { self.scanner = scanner }
    let stop = min(index.end.position, scanner.point.position + byteCountMax)
    while number < index.segments.count {
      try scanner.frames(ofSegment: index.segments[number].firstSequence, &offset, upTo: stop)
      if scanner.point.position >= index.end.position { return true }
      if scanner.point.position >= stop { return false }
      number += 1
      offset = nil
    }
    let end = scanner.lastEnd
    throw .damaged(
      end
        ?? LogDamage(
          file: first.fileName, offset: 0, sequence: scanner.point.sequence + 1,
          what: "the log ends before sequence \(index.lastSequence)"))
  }

  private func report(_ damage: LogDamage?) -> LogReport {
    var report = LogReport()
    report.segmentCount = index.segments.count
    report.batchCount = scanner?.outcome.frameCount ?? 0
    report.recordCount = scanner?.point.sequence ?? 0
    report.byteCount = scanner?.point.position ?? 0
    report.identity = index.identity
    report.damage = damage
    return report
  }
}

extension LogScanner {
  /// Checks batches of one segment from `offset`, or from its beginning where there is none, at
  /// most up to a position; `offset` is where it stopped.
  fileprivate mutating func frames(
    ofSegment sequence: UInt64, _ offset: inout UInt64?, upTo stop: UInt64
  ) throws(LogError) {
    let (segment, file) = try Self.openSegment(
      disk, checksum, sequence, outcome.index.identity)
    defer { disk.close(file) }
    var place: UInt64
    if let offset { place = offset } else { place = try enter(segment, isFirst: false) }
    outcome.lastSegment = segment
    let what = try frames(segment, file, &place, stop) { _ in }
    offset = place
    if point.position < stop {
      lastEnd = LogDamage(
        file: segment.name, offset: place, sequence: point.sequence + 1, what: what)
    }
  }
}
