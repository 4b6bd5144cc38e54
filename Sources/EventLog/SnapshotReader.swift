/// Reads one snapshot file, or says why it is passed over.
struct SnapshotReader<D: Disk> {
  let disk: D
  let checksum: Checksum
  let identity: LogIdentity
  let foldVersion: UInt64

  /// Reads the snapshot that its name says stands at `sequence`. Nothing is believed, and no
  /// memory taken on its word, before the parts add up to the file's size.
  func read(_ name: String, _ sequence: UInt64) throws(SnapshotPassed) -> Snapshot {
    let file = try attempt { () throws(DiskError) in try disk.open(name, for: .read) }
    defer { disk.close(file) }
    let size = try attempt { () throws(DiskError) in try disk.size(of: file) }
    let head = try part(of: file, at: 0, count: UInt64(SnapshotFile.headerByteCount))
    let header = head.withUnsafeBytes { bytes in
      bytes.count == SnapshotFile.headerByteCount && bytes.number(0) == SnapshotFile.magic
        ? SnapshotHeader(bytes) : nil
    }
    guard let header, size <= Limits.snapshotByteCountMax else {
      throw SnapshotPassed(.damaged("it does not begin as a snapshot does"))
    }
    guard header.version <= formatVersion else {
      throw SnapshotPassed(.newerFormat(header.version))
    }
    let rest = size - UInt64(SnapshotFile.headerByteCount)
    let entry = UInt64(SnapshotFile.blockEntryByteCount)
    guard header.blockCount <= rest / entry,
      header.payloadByteCount == rest - header.blockCount * entry
    else { throw SnapshotPassed(.damaged("its parts do not add up")) }
    let start = UInt64(SnapshotFile.headerByteCount)
    let index = try part(of: file, at: start, count: header.blockCount * entry)
    let payload = try part(
      of: file, at: start + header.blockCount * entry, count: header.payloadByteCount)
    guard SnapshotFile.sum(head + index, payload, checksum) == header.checksum else {
      throw SnapshotPassed(.damaged("its checksum is wrong"))
    }
    try examine(header, sequence)
    return Snapshot(
      start: LogStart(point: header.point, blocks: try blocks(index, header)), payload: payload)
  }

  private func examine(_ header: SnapshotHeader, _ sequence: UInt64) throws(SnapshotPassed) {
    guard header.identity == identity else { throw SnapshotPassed(.otherLog) }
    guard header.version == formatVersion, header.point.sequence == sequence, sequence > 0,
      sequence < .max
    else { throw SnapshotPassed(.damaged("it contradicts its name")) }
    guard header.foldVersion == foldVersion else {
      throw SnapshotPassed(.otherFold(header.foldVersion))
    }
  }

  private func blocks(_ bytes: [UInt8], _ header: SnapshotHeader) throws(SnapshotPassed)
    -> [BlockEntry]
  {
    var blocks: [BlockEntry] = []
    blocks.reserveCapacity(Int(header.blockCount))
    for offset in stride(from: 0, to: bytes.count, by: SnapshotFile.blockEntryByteCount) {
      let block = bytes.withUnsafeBytes {
        BlockEntry(
          position: $0.number(offset), firstSequence: $0.number(offset + 8),
          mark: $0.number(offset + 16))
      }
      guard block.position > blocks.last?.position ?? 0,
        block.firstSequence <= header.point.sequence
      else { throw SnapshotPassed(.damaged("its index is out of order")) }
      blocks.append(block)
    }
    return blocks
  }

  private func part(
    of file: DiskFile, at offset: UInt64, count: UInt64
  ) throws(SnapshotPassed) -> [UInt8] {
    try attempt { () throws(DiskError) in
      try disk.read(file, at: offset, count: Int(count))
    }
  }

  private func attempt<T>(_ body: () throws(DiskError) -> T) throws(SnapshotPassed) -> T {
    do throws(DiskError) {
      return try body()
    } catch {
      throw SnapshotPassed(.damaged(error.description))
    }
  }
}

/// Why a file is passed over, on its way to a notice.
struct SnapshotPassed: Error {
  var refusal: SnapshotRefusal

  init(_ refusal: SnapshotRefusal) {
    self.refusal = refusal
  }
}

/// What the first bytes of a snapshot say; all of them must be there.
private struct SnapshotHeader {
  var version: UInt32
  var identity: LogIdentity
  var foldVersion: UInt64
  var point: LogPoint
  var blockCount: UInt64
  var payloadByteCount: UInt64
  var checksum: UInt32

  init(_ bytes: UnsafeRawBufferPointer) {
    version = bytes.number(8)
    identity = LogIdentity(bytes.part(16, LogIdentity.byteCount))
    foldVersion = bytes.number(32)
    point = LogPoint(
      sequence: bytes.number(40), position: bytes.number(48), chain: bytes.number(56))
    blockCount = bytes.number(64)
    payloadByteCount = bytes.number(72)
    checksum = bytes.number(SnapshotFile.checksumOffset)
  }
}
