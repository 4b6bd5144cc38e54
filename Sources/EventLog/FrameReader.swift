/// Checks frames and blocks and takes them apart, on bytes in memory.
struct FrameReader {
  let checksum: Checksum
  let seed: UInt32

  /// Why a whole frame cannot be used.
  enum Fault: Error {
    /// A checksum is wrong: damage, or a write that did not finish.
    case checksum(String)
    /// All checksums hold, and yet it makes no sense: it was never written by us.
    case impossible(String)
    /// The visitor refused a record.
    case visitor(LogError)
  }

  /// Checks a whole frame against the chain so far and returns its blocks as offsets.
  /// Nothing of a frame is handed on before all of it has been checked.
  func blocks(
    of frame: UnsafeRawBufferPointer, _ header: FrameHeader, chain: UInt32,
    into offsets: inout [Int]
  ) throws(Fault) {
    offsets.removeAll(keepingCapacity: true)
    var running = checksum(chain, frame.part(0, FrameHeader.chainedByteCount))
    var offset = FrameHeader.byteCount
    for _ in 0..<header.blockCount {
      guard offset + BlockHeader.byteCount <= frame.count else {
        throw .checksum("its blocks do not fill it")
      }
      let byteCount = Int(frame.number(offset) as UInt32)
      guard byteCount >= BlockHeader.byteCount, byteCount % Limits.alignment == 0,
        byteCount <= frame.count - offset
      else { throw .checksum("a block's length is wrong") }
      let block = frame.part(offset, byteCount)
      guard
        block.number(BlockHeader.checksumOffset)
          == BlockHeader.checksum(block, seed: seed, checksum)
      else { throw .checksum("a block's checksum is wrong") }
      running = checksum(running, block.part(BlockHeader.checksumOffset, 4))
      offsets.append(offset)
      offset += byteCount
    }
    guard offset == frame.count else { throw .checksum("its blocks do not fill it") }
    guard running == header.chain else {
      throw .checksum("its checksum does not continue the chain")
    }
    try checkCounts(of: frame, header, offsets)
  }

  /// Sequences run through the blocks, and each says rightly how many follow.
  private func checkCounts(
    of frame: UnsafeRawBufferPointer, _ header: FrameHeader, _ offsets: [Int]
  ) throws(Fault) {
    var sequence = header.firstSequence
    for (number, offset) in offsets.enumerated() {
      let block = BlockHeader(frame.part(offset, BlockHeader.byteCount))
      guard block.firstSequence == sequence, block.recordCount > 0,
        Int(block.blocksAfter) == offsets.count - 1 - number
      else { throw .impossible("its blocks contradict each other") }
      sequence += UInt64(block.recordCount)
    }
    guard sequence == header.firstSequence + UInt64(header.recordCount) else {
      throw .impossible("its blocks contradict its header")
    }
  }

  /// Hands over the records of one checked block, oldest first. `position` is the block's own.
  func records(
    of block: UnsafeRawBufferPointer, position: UInt64,
    visit: (LogRecord) throws(LogError) -> Void
  ) throws(Fault) {
    let header = BlockHeader(block)
    var offset = BlockHeader.byteCount
    var sequence = header.firstSequence
    for _ in 0..<header.recordCount {
      guard
        let record = Self.record(
          in: block, &offset, header,
          RecordPointer(position: position &+ UInt64(offset), sequence: sequence))
      else { throw .impossible("record \(sequence) does not fit its block") }
      do throws(LogError) {
        try visit(record)
      } catch {
        throw .visitor(error)
      }
      sequence &+= 1
    }
    guard block.count - offset < Limits.alignment else {
      throw .impossible("a block has bytes after its last record")
    }
  }

  /// Reads the record at `offset`, moving past it; nil where it does not fit.
  @inline(__always)
  static func record(
    in block: UnsafeRawBufferPointer, _ offset: inout Int, _ header: BlockHeader,
    _ pointer: RecordPointer
  ) -> LogRecord? {
    guard let length = loadVarint(block, &offset), offset < block.count else { return nil }
    let tag = block[offset]
    offset &+= 1
    guard let positionDelta = loadVarint(block, &offset) else { return nil }
    var previous: RecordPointer?
    if positionDelta != 0 {
      guard let sequenceDelta = loadVarint(block, &offset), sequenceDelta > 0,
        positionDelta <= pointer.position, sequenceDelta < pointer.sequence
      else { return nil }
      previous = RecordPointer(
        position: pointer.position &- positionDelta, sequence: pointer.sequence &- sequenceDelta)
    }
    guard length <= UInt64(block.count &- offset) else { return nil }
    let payload = block.part(offset, Int(truncatingIfNeeded: length))
    offset &+= payload.count
    return LogRecord(
      tag: tag, pointer: pointer, previous: previous, recorded: header.recorded,
      context: header.context, payload: payload)
  }
}
