/// Something recovery noticed and dealt with; for the journal, not an error.
public enum LogNotice: Hashable, Sendable, CustomStringConvertible {
  /// The last write had not finished; its bytes were set aside and cut off.
  case tornTail(file: String, offset: UInt64, byteCount: UInt64, setAsideAs: String)
  /// The last batch is missing: its write had not finished, and none of it is there.
  case unfinishedBatch(file: String, offset: UInt64, lastSequence: UInt64)
  /// A loss that was accepted: numbers after `after`, up to `through`, are given out again.
  case lossAccepted(after: UInt64, through: UInt64)
  /// A file whose name means nothing to the log.
  case unknownFile(String)
  /// There is no space for the segments kept ready.
  case noSpare(DiskError)

  public var description: String {
    switch self {
    case .tornTail(let file, let offset, let byteCount, let aside):
      "torn tail: \(byteCount) bytes at offset \(offset) of \(file), set aside as \(aside)"
    case .unfinishedBatch(let file, let offset, let lastSequence):
      "the last batch, up to sequence \(lastSequence), was not written at offset \(offset)"
        + " of \(file)"
    case .lossAccepted(let last, let through):
      "events \(last + 1) to \(through) were lost, and the loss was accepted: their sequences are"
        + " given out again, so that a cursor beyond \(last) from before is worth nothing"
    case .unknownFile(let name): "\(name) is not a file of the log and was left alone"
    case .noSpare(let error): "there is no space for a reserve segment: \(error)"
    }
  }
}

/// Where a replay begins when a snapshot stands for all before it.
public struct LogStart: Hashable, Sendable {
  /// The batch boundary the snapshot stands at.
  public var point: LogPoint
  /// The index of the blocks before it. Without it older records are found more slowly.
  public var blocks: [BlockEntry]

  public init(point: LogPoint, blocks: [BlockEntry]) {
    self.point = point
    self.blocks = blocks
  }
}

/// A log that has been recovered and is ready to be written.
public struct OpenedLog<D: Disk> {
  /// Numbers and batches; for the thread that owns the state.
  public var appender: LogAppender
  /// Writes; for the thread that writes.
  public var files: LogFiles<D>
  /// What a reader begins with.
  public var index: LogIndex
  /// What recovery dealt with.
  public var notices: [LogNotice]
}

/// Opens a log for writing: locks it, checks it, hands over its records, mends a torn tail and
/// refuses everything else.
public enum LogRecovery {
  /// Recovers the log in a directory, or begins a new one.
  ///
  /// - Parameters:
  ///   - identity: the identity of the log should it be new; nothing of a new log is written
  ///     before its first batch.
  ///   - start: a snapshot's place; records up to it are neither read nor checked.
  ///   - visit: is given each record after `start`, oldest first, each only after the whole batch
  ///     it is in was checked. It may have been given records when an error is thrown, but for
  ///     `pointNotInLog`, which comes before the first.
  /// - Throws: `locked`, `damaged`, `newerFormat`, `pointNotInLog`, `disk`, `failed`, or what
  ///   `visit` throws. Where damage is found nothing is changed.
  public static func open<D: Disk>(
    _ disk: D, settings: LogSettings, newIdentity identity: LogIdentity,
    from start: LogStart? = nil, witness: LogWitness? = nil,
    visit: (LogRecord) throws(LogError) -> Void
  ) throws(LogError) -> OpenedLog<D> {
    let lock = try takeLock(disk)
    do throws(LogError) {
      return try open(disk, settings, identity, start, witness, lock, visit)
    } catch {
      disk.close(lock)
      throw error
    }
  }

  private static func open<D: Disk>(
    _ disk: D, _ settings: LogSettings, _ identity: LogIdentity, _ start: LogStart?,
    _ witness: LogWitness?, _ lock: DiskFile, _ visit: (LogRecord) throws(LogError) -> Void
  ) throws(LogError) -> OpenedLog<D> {
    var directory = try LogDirectory(disk)
    let scan: LogScanner<D>.Outcome
    if directory.segments.isEmpty {
      if let start { throw .pointNotInLog(sequence: start.point.sequence) }
      try refuseLostLog(directory)
      let chain = identity.seed(settings.checksum)
      scan = LogScanner<D>.Outcome(index: LogIndex(identity: identity, chain: chain))
    } else {
      var scanner = try LogScanner(
        disk, settings.checksum, first: directory.segments[0], from: start)
      try scanner.scan(directory.segments, visit: visit)
      scan = scanner.outcome
      try refuseLoss(scan, witness)
    }
    var notices = directory.unknown.map(LogNotice.unknownFile)
    if directory.asideMax > scan.index.lastSequence {
      notices.append(
        .lossAccepted(after: scan.index.lastSequence, through: directory.asideMax))
    }
    var current: DiskFile?
    if let segment = scan.lastSegment {
      let mender = LogMender(disk: disk, checksum: settings.checksum)
      let mended = try mender.mend(scan, segment, &directory)
      current = mended.file
      notices += mended.notices
    }
    let spares = try directory.keepSpares(disk, settings)
    var files = LogFiles(
      disk: disk, settings: settings, seed: scan.index.identity.seed(settings.checksum),
      lock: lock, current: current, spares: spares)
    let spareCount = try files.replenish()
    if let error = files.spaceError { notices.append(.noSpare(error)) }
    let segment = scan.lastSegment
    let appender = LogAppender(
      settings: settings, identity: scan.index.identity, end: scan.index.end,
      segmentBase: segment?.header.base ?? 0, segmentEnd: segment?.dataEnd ?? 0,
      spareCount: spareCount)
    return OpenedLog(appender: appender, files: files, index: scan.index, notices: notices)
  }

  /// A log that went further than it goes has lost events. That is seen before anything is
  /// mended.
  private static func refuseLoss<D: Disk>(
    _ scan: LogScanner<D>.Outcome, _ witness: LogWitness?
  ) throws(LogError) {
    guard let witness, let segment = scan.lastSegment,
      scan.index.lastSequence < witness.sequence
    else { return }
    throw .lost(
      LogLoss(
        file: segment.name, fileByteCount: segment.fileByteCount,
        lastSequence: scan.index.lastSequence, witness: witness))
  }

  /// A snapshot without a log means that the log has gone, not that there never was one.
  private static func refuseLostLog(_ directory: LogDirectory) throws(LogError) {
    guard let sequence = directory.snapshots.first else { return }
    throw .damaged(
      LogDamage(
        file: LogNames.segment(1), offset: 0, sequence: 1,
        what: "it is missing, while \(LogNames.snapshot(sequence)) is there"))
  }

  /// Accepts that a log ends where it does: snapshots that say more are set aside under another
  /// name, so that the next start goes on from the log's end. What is in the segments is neither
  /// changed nor deleted.
  ///
  /// - Parameter last: the sequence that the log ends at, by which the caller shows to know it.
  /// - Returns: where the log ends, and the sequences of the snapshots set aside, newest first;
  ///   none where the log ends elsewhere than at `last`.
  /// - Throws: `locked`, `damaged` for a log that is not whole as far as it goes, `disk`.
  public static func acceptLoss<D: Disk>(
    _ disk: D, at last: UInt64, checksum: @escaping Checksum = crc32c
  ) throws(LogError) -> (end: UInt64, aside: [UInt64]) {
    let lock = try takeLock(disk)
    defer { disk.close(lock) }
    let report = try LogVerifier.verify(disk, checksum: checksum)
    if let damage = report.damage { throw .damaged(damage) }
    let end = report.recordCount
    guard end == last else { return (end, []) }
    let ahead = try LogDirectory(disk).snapshots.filter { $0 > end }
    try reading { () throws(DiskError) in
      for sequence in ahead {
        try disk.rename(LogNames.snapshot(sequence), to: LogNames.aside(sequence))
      }
      try disk.syncDirectory()
    }
    return (end, ahead)
  }

  /// The identity of the log in a directory, by the header of its first segment; nil where there
  /// is no log. Takes no lock.
  public static func identity<D: Disk>(
    of disk: D, checksum: @escaping Checksum = crc32c
  ) throws(LogError) -> LogIdentity? {
    guard let first = try LogDirectory(disk).segments.first else { return nil }
    let (segment, file) = try LogScanner<D>.openSegment(disk, checksum, first, nil)
    disk.close(file)
    return segment.header.identity
  }

  private static func takeLock<D: Disk>(_ disk: D) throws(LogError) -> DiskFile {
    switch try reading({ () throws(DiskError) in try disk.lock(LogNames.lock) }) {
    case .taken(let file): return file
    case .held(let holder): throw .locked(by: holder)
    }
  }
}

/// Runs calls of a disk by which nothing of the log comes into doubt.
func reading<T>(_ body: () throws(DiskError) -> T) throws(LogError) -> T {
  do throws(DiskError) {
    return try body()
  } catch {
    throw .disk(error)
  }
}
