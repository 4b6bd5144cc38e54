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
  /// `renewdS`, then a byte no text contains.
  static let magic: UInt64 = 0x1A53_6477_656E_6572
  private static let blockEntryByteCount = 24

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
    var bytes = header(stamp, index.identity, blocks.count, payload.count)
    bytes.reserveCapacity(bytes.count + blocks.count * blockEntryByteCount + payload.count)
    for block in blocks {
      bytes.appendNumber(block.position)
      bytes.appendNumber(block.firstSequence)
      bytes.appendNumber(block.mark)
    }
    bytes.append(contentsOf: payload)
    let whole = bytes.withUnsafeBytes { Self.checksum($0, checksum) }
    bytes.storeNumber(whole, at: headerByteCount - 4)
    try put(disk, LogNames.snapshot(stamp.point.sequence), bytes)
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
  private static func checksum(_ bytes: UnsafeRawBufferPointer, _ checksum: Checksum) -> UInt32 {
    let head = checksum(0, bytes.part(0, headerByteCount - 4))
    return checksum(head, bytes.part(headerByteCount, bytes.count - headerByteCount))
  }

  private static func put<D: Disk>(
    _ disk: D, _ name: String, _ bytes: [UInt8]
  ) throws(LogError) {
    try reading { () throws(DiskError) in
      let temporary = LogNames.snapshotTemporary
      do throws(DiskError) {
        try disk.remove(temporary)
      } catch {
        // Nothing is left of an earlier attempt, as should be.
        if error.code != DiskError.codeMissing { throw error }
      }
      let file = try disk.open(temporary, for: .createExclusive)
      defer { disk.close(file) }
      try disk.write(file, at: 0, bytes)
      try disk.syncData(file)
      try disk.rename(temporary, to: name)
      try disk.syncDirectory()
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
    checksum: Checksum = crc32c
  ) throws(LogError) -> (snapshot: Snapshot?, notices: [SnapshotNotice]) {
    var notices: [SnapshotNotice] = []
    for sequence in try LogDirectory(disk).snapshots where sequence < below {
      let name = LogNames.snapshot(sequence)
      do throws(Passed) {
        let snapshot = try read(disk, name, sequence, identity, foldVersion, checksum)
        return (snapshot, notices)
      } catch {
        notices.append(SnapshotNotice(file: name, refusal: error.refusal))
      }
    }
    return (nil, notices)
  }

  private struct Passed: Error {
    var refusal: SnapshotRefusal
    init(_ refusal: SnapshotRefusal) { self.refusal = refusal }
  }

  private static func read<D: Disk>(
    _ disk: D, _ name: String, _ sequence: UInt64, _ identity: LogIdentity,
    _ foldVersion: UInt64, _ checksum: Checksum
  ) throws(Passed) -> Snapshot {
    let bytes: [UInt8]
    do throws(DiskError) {
      let file = try disk.open(name, for: .read)
      defer { disk.close(file) }
      let size = try disk.size(of: file)
      guard size <= Limits.snapshotByteCountMax else { throw tooLarge(name) }
      bytes = try disk.read(file, at: 0, count: Int(size))
    } catch {
      throw Passed(.damaged(error.description))
    }
    let parsed = bytes.withUnsafeBytes { buffer in
      Result { () throws(Passed) in
        try parse(buffer, sequence, identity, foldVersion, checksum)
      }
    }
    return try parsed.get()
  }

  private static func tooLarge(_ name: String) -> DiskError {
    DiskError(.read, file: name, code: DiskError.codeFileTooLarge)
  }

  private static func parse(
    _ bytes: UnsafeRawBufferPointer, _ sequence: UInt64, _ identity: LogIdentity,
    _ foldVersion: UInt64, _ checksum: Checksum
  ) throws(Passed) -> Snapshot {
    guard bytes.count >= headerByteCount, bytes.number(0) == magic else {
      throw Passed(.damaged("it does not begin as a snapshot does"))
    }
    guard bytes.number(headerByteCount - 4) == Self.checksum(bytes, checksum) else {
      throw Passed(.damaged("its checksum is wrong"))
    }
    let version: UInt32 = bytes.number(8)
    guard version <= formatVersion else { throw Passed(.newerFormat(version)) }
    guard LogIdentity(bytes.part(16, LogIdentity.byteCount)) == identity else {
      throw Passed(.otherLog)
    }
    let fold: UInt64 = bytes.number(32)
    guard fold == foldVersion else { throw Passed(.otherFold(fold)) }
    let point = LogPoint(
      sequence: bytes.number(40), position: bytes.number(48), chain: bytes.number(56))
    let blockCount: UInt64 = bytes.number(64)
    let payloadByteCount: UInt64 = bytes.number(72)
    let rest = UInt64(bytes.count - headerByteCount)
    guard point.sequence == sequence, sequence > 0, sequence < .max,
      blockCount <= rest / UInt64(blockEntryByteCount),
      payloadByteCount == rest - blockCount * UInt64(blockEntryByteCount)
    else { throw Passed(.damaged("its parts do not add up")) }
    var blocks: [BlockEntry] = []
    blocks.reserveCapacity(Int(blockCount))
    for number in 0..<Int(blockCount) {
      let offset = headerByteCount + number * blockEntryByteCount
      let block = BlockEntry(
        position: bytes.number(offset), firstSequence: bytes.number(offset + 8),
        mark: bytes.number(offset + 16))
      guard block.position > blocks.last?.position ?? 0, block.firstSequence <= point.sequence
      else { throw Passed(.damaged("its index is out of order")) }
      blocks.append(block)
    }
    let payload = Array(bytes[(bytes.count - Int(payloadByteCount))...])
    return Snapshot(start: LogStart(point: point, blocks: blocks), payload: payload)
  }
}
