/// What a snapshot file stands for.
public struct SnapshotStamp: Hashable, Sendable {
  /// The version of the fold that made the payload. A program with another fold must not use it.
  public var foldVersion: UInt64
  /// The batch boundary it stands at.
  public var point: LogPoint

  public init(foldVersion: UInt64, point: LogPoint) {
    self.foldVersion = foldVersion
    self.point = point
  }
}

/// A snapshot as read back.
public struct Snapshot: Sendable {
  /// Where a replay goes on.
  public var start: LogStart
  /// The caller's bytes.
  public var payload: [UInt8]

  /// How far the log had come when it was made.
  public var witness: LogWitness { LogWitness(snapshot: start.point.sequence) }
}

/// Why a snapshot file was passed over.
public enum SnapshotRefusal: Hashable, Sendable {
  /// It cannot be read, or is not what it was when it was written.
  case damaged(String)
  /// Another fold made it.
  case otherFold(UInt64)
  /// It belongs to another log.
  case otherLog
  /// It was written in a format this program does not know yet.
  case newerFormat(UInt32)
}

/// A snapshot file that was passed over; for the journal.
public struct SnapshotNotice: Hashable, Sendable, CustomStringConvertible {
  public var file: String
  public var refusal: SnapshotRefusal

  /// How far the log had come when the file was made, where the file proves it: it is whole and
  /// this log's, and only its payload is of no use.
  public var witness: LogWitness? {
    guard case .otherFold = refusal, case .snapshot(let sequence) = LogNames.kind(of: file) else {
      return nil
    }
    return LogWitness(file: file, sequence: sequence)
  }

  public var description: String {
    switch refusal {
    case .damaged(let what): "snapshot \(file) is damaged (\(what)) and was ignored"
    case .otherFold(let version):
      "snapshot \(file) was made by version \(version) of the rules and was ignored"
    case .otherLog: "snapshot \(file) belongs to another log and was ignored"
    case .newerFormat(let version):
      "snapshot \(file) is in format \(version), unknown to this program, and was ignored"
    }
  }
}

/// Snapshot files: caches of what a replay of the log gives. They are written whole or not at
/// all, and whatever is wrong with one, it is passed over and never trusted.
public enum SnapshotFile {
  static let headerByteCount = 88
  static let checksumOffset = 84
  /// `renewdS`, then a byte no text contains.
  static let magic: UInt64 = 0x1A53_6477_656E_6572
  static let blockEntryByteCount = 24

  /// Writes a snapshot, durable with its name, and then removes all but it and the one before.
  ///
  /// - Parameters:
  ///   - stamp: what it stands for; its point must be durable in the log.
  ///   - index: the log's index at that point or later; the part before the point is kept along.
  public static func write<D: Disk>(
    _ disk: D, _ stamp: SnapshotStamp, index: LogIndex, payload: [UInt8],
    checksum: Checksum = crc32c
  ) throws(LogError) {
    let blocks = index.blocks.filter { $0.position < stamp.point.position }
    var head = header(stamp, index.identity, blocks.count, payload.count)
    head.reserveCapacity(head.count + blocks.count * blockEntryByteCount)
    for block in blocks {
      head.appendNumber(block.position)
      head.appendNumber(block.firstSequence)
      head.appendNumber(block.mark)
    }
    head.storeNumber(
      sum(head, payload, checksum), at: checksumOffset)
    try put(disk, LogNames.snapshot(stamp.point.sequence), head, payload)
    try removeOld(disk, keeping: stamp.point.sequence)
  }

  private static func header(
    _ stamp: SnapshotStamp, _ identity: LogIdentity, _ blockCount: Int, _ payloadByteCount: Int
  ) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.appendNumber(magic)
    bytes.appendNumber(formatVersion)
    bytes.appendNumber(UInt32(0))
    bytes.append(contentsOf: identity.bytes)
    bytes.appendNumber(stamp.foldVersion)
    bytes.appendNumber(stamp.point.sequence)
    bytes.appendNumber(stamp.point.position)
    bytes.appendNumber(stamp.point.chain)
    bytes.appendNumber(UInt32(0))
    bytes.appendNumber(UInt64(blockCount))
    bytes.appendNumber(UInt64(payloadByteCount))
    bytes.appendNumber(UInt32(0))
    bytes.appendNumber(UInt32(0))
    return bytes
  }

  /// The checksum of all but itself.
  static func sum(
    _ head: [UInt8], _ payload: [UInt8], _ checksum: Checksum
  ) -> UInt32 {
    let first = head.withUnsafeBytes { bytes in
      checksum(
        checksum(0, bytes.part(0, checksumOffset)),
        bytes.part(headerByteCount, bytes.count - headerByteCount))
    }
    return payload.withUnsafeBytes { checksum(first, $0) }
  }

  private static func put<D: Disk>(
    _ disk: D, _ name: String, _ head: [UInt8], _ payload: [UInt8]
  ) throws(LogError) {
    try reading { () throws(DiskError) in
      try removeTemporary(disk)
      do throws(DiskError) {
        let file = try disk.open(LogNames.snapshotTemporary, for: .createExclusive)
        defer { disk.close(file) }
        try disk.write(file, at: 0, head)
        try disk.write(file, at: UInt64(head.count), payload)
        try disk.syncData(file)
        try disk.rename(LogNames.snapshotTemporary, to: name)
      } catch {
        // What is half made must not take space on a disk that may be full.
        try removeTemporary(disk)
        throw error
      }
      try disk.syncDirectory()
    }
  }

  /// Removes what is left of an attempt, if anything.
  private static func removeTemporary<D: Disk>(_ disk: D) throws(DiskError) {
    do throws(DiskError) {
      try disk.remove(LogNames.snapshotTemporary)
    } catch {
      if error.code != DiskError.codeMissing { throw error }
    }
  }

  private static func removeOld<D: Disk>(
    _ disk: D, keeping sequence: UInt64
  ) throws(LogError) {
    let older = try LogDirectory(disk).snapshots.filter { $0 < sequence }
    for old in older.dropFirst() {
      try reading { () throws(DiskError) in try disk.remove(LogNames.snapshot(old)) }
    }
  }

  /// Finds the newest snapshot that can be used, and says why newer ones cannot. Whether the log
  /// reaches as far is seen when it is opened: `LogRecovery.open` throws `pointNotInLog`, and the
  /// caller asks again with a smaller `below`.
  ///
  /// - Parameters:
  ///   - identity: the log's identity (`LogRecovery.identity`).
  ///   - foldVersion: the version of the caller's fold; no other will do.
  ///   - below: only snapshots at a lower sequence are looked at.
  public static func newest<D: Disk>(
    _ disk: D, identity: LogIdentity, foldVersion: UInt64, below: UInt64 = .max,
    checksum: @escaping Checksum = crc32c
  ) throws(LogError) -> (snapshot: Snapshot?, notices: [SnapshotNotice]) {
    var notices: [SnapshotNotice] = []
    for sequence in try LogDirectory(disk).snapshots where sequence < below {
      let name = LogNames.snapshot(sequence)
      let reader = SnapshotReader(
        disk: disk, checksum: checksum, identity: identity, foldVersion: foldVersion)
      do throws(SnapshotPassed) {
        return (try reader.read(name, sequence), notices)
      } catch {
        notices.append(SnapshotNotice(file: name, refusal: error.refusal))
      }
    }
    return (nil, notices)
  }
}
