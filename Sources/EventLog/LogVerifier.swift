/// What a walk through a whole log found.
public struct LogReport: Hashable, Sendable {
  /// Segment files.
  public var segmentCount = 0
  /// Batches.
  public var batchCount: UInt64 = 0
  /// Records, which is also the last sequence.
  public var recordCount: UInt64 = 0
  /// Bytes from the start of the log to the end of its last batch.
  public var byteCount: UInt64 = 0
  /// The log's own bytes; nil where there is no log.
  public var identity: LogIdentity?
  /// A write that did not finish: its file, the offset and the number of bytes. The next start
  /// will set it aside.
  public var tornTail: LogNotice?
  /// The first damage; everything before it is whole.
  public var damage: LogDamage?

  public init() {}
}

/// Checks a log from its first byte to its end, changing nothing and taking no lock.
public enum LogVerifier {
  /// Walks the log in a directory. Its records are handed to `visit` on the way, so that it also
  /// serves to read a log without a daemon.
  ///
  /// - Parameters:
  ///   - index: what is durable of a log that is being written, so as not to take a batch on its
  ///     way for a torn one; nil for a log nobody writes to.
  /// - Throws: `disk`, `newerFormat`, or what `visit` throws. Damage is reported, not thrown.
  public static func verify<D: Disk>(
    _ disk: D, checksum: @escaping Checksum = crc32c, upTo index: LogIndex? = nil,
    visit: (LogRecord) throws(LogError) -> Void = { _ in }
  ) throws(LogError) -> LogReport {
    var report = LogReport()
    var segments = try LogDirectory(disk).segments
    if let index {
      segments = segments.filter { sequence in
        index.segments.contains { $0.firstSequence == sequence }
      }
    }
    guard let first = segments.first else { return report }
    report.segmentCount = segments.count
    do throws(LogError) {
      var scanner = try LogScanner(disk, checksum, first: first, from: nil)
      defer { describe(scanner.outcome, &report) }
      try scanner.scan(segments, upTo: index?.end.position, visit: visit)
    } catch {
      guard case .damaged(let damage) = error else { throw error }
      report.damage = damage
      return report
    }
    if let index, report.recordCount != index.lastSequence {
      report.damage = LogDamage(
        file: index.segments.last?.fileName ?? "", offset: 0, sequence: report.recordCount + 1,
        what: "the log ends before sequence \(index.lastSequence)")
    }
    return report
  }

  private static func describe<D: Disk>(_ scan: LogScanner<D>.Outcome, _ report: inout LogReport) {
    report.batchCount = scan.frameCount
    report.recordCount = scan.index.lastSequence
    report.byteCount = scan.index.end.position
    report.identity = scan.index.identity
    guard let segment = scan.lastSegment else { return }
    if let debris = scan.tail.debris {
      report.tornTail = .tornTail(
        file: segment.name, offset: debris.lowerBound, byteCount: UInt64(debris.count),
        setAsideAs: "")
    } else if let sequence = scan.tail.unfinished {
      report.tornTail = .unfinishedBatch(
        file: segment.name, offset: scan.index.end.position - segment.header.base,
        lastSequence: sequence)
    }
  }
}
