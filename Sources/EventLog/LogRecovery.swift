/// Something recovery noticed and dealt with; for the journal, not an error.
public enum LogNotice: Hashable, Sendable, CustomStringConvertible {
  /// The last write had not finished; its bytes were set aside and cut off.
  case tornTail(file: String, offset: UInt64, byteCount: UInt64, setAsideAs: String)
  /// The last batch is missing: its write had not finished, and none of it is there.
  case unfinishedBatch(file: String, offset: UInt64, lastSequence: UInt64)
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
    from start: LogStart? = nil, visit: (LogRecord) throws(LogError) -> Void
  ) throws(LogError) -> OpenedLog<D> {
    let lock = try takeLock(disk)
    do throws(LogError) {
      return try open(disk, settings, identity, start, lock, visit)
    } catch {
      disk.close(lock)
      throw error
    }
  }

  private static func open<D: Disk>(
    _ disk: D, _ settings: LogSettings, _ identity: LogIdentity, _ start: LogStart?,
    _ lock: DiskFile, _ visit: (LogRecord) throws(LogError) -> Void
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
    }
    var notices = directory.unknown.map(LogNotice.unknownFile)
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

  /// A snapshot without a log means that the log has gone, not that there never was one.
  private static func refuseLostLog(_ directory: LogDirectory) throws(LogError) {
    guard let sequence = directory.snapshots.first else { return }
    throw .damaged(
      LogDamage(
        file: LogNames.segment(1), offset: 0, sequence: 1,
        what: "it is missing, while \(LogNames.snapshot(sequence)) is there"))
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
