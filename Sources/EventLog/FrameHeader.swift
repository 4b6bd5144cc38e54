/// The first 32 bytes of a frame, which carries one batch. Its own checksum makes it known
/// wherever it is found; the chain ties the batch to all before it.
struct FrameHeader: Equatable {
  static let byteCount = 32
  /// Not text, and not a likely number.
  static let magic: UInt32 = 0x01_4E52_B7
  /// The chain covers the header up to here, then each block's checksum.
  static let chainedByteCount = 24
  static let chainOffset = 24
  static let checksumOffset = 28

  /// Bytes of the whole frame, this header included.
  var frameByteCount: UInt32
  var firstSequence: UInt64
  var recordCount: UInt32
  var blockCount: UInt32
  var chain: UInt32

  var lastSequence: UInt64 { firstSequence &+ UInt64(recordCount) &- 1 }

  /// Reads a header whose own checksum holds; nil for anything else.
  init?(_ bytes: UnsafeRawBufferPointer, seed: UInt32, _ checksum: Checksum) {
    guard bytes.count >= Self.byteCount, bytes.number(0) == Self.magic,
      bytes.number(Self.checksumOffset) == checksum(seed, bytes.part(0, Self.checksumOffset))
    else { return nil }
    frameByteCount = bytes.number(4)
    firstSequence = bytes.number(8)
    recordCount = bytes.number(16)
    blockCount = bytes.number(20)
    chain = bytes.number(Self.chainOffset)
  }
}

/// The first 48 bytes of a block: all that is needed to read its records without anything else
/// of its frame.
struct BlockHeader: Equatable {
  static let byteCount = 48
  static let checksumOffset = 44

  /// Bytes of the whole block, this header and the zeros at its end included.
  var blockByteCount: UInt32
  var recordCount: UInt32
  var firstSequence: UInt64
  var recorded: Int64
  var context: BlockContext
  /// Blocks of the same frame after this one.
  var blocksAfter: UInt32
  var checksum: UInt32

  var lastSequence: UInt64 { firstSequence &+ UInt64(recordCount) &- 1 }

  /// Reads a header without checking it; at least 48 bytes must be there.
  init(_ bytes: UnsafeRawBufferPointer) {
    blockByteCount = bytes.number(0)
    recordCount = bytes.number(4)
    firstSequence = bytes.number(8)
    recorded = bytes.number(16)
    context = BlockContext(time: bytes.number(24), mark: bytes.number(32))
    blocksAfter = bytes.number(40)
    checksum = bytes.number(Self.checksumOffset)
  }

  /// The checksum of a whole block, all but the checksum itself.
  static func checksum(
    _ block: UnsafeRawBufferPointer, seed: UInt32, _ checksum: Checksum
  ) -> UInt32 {
    let head = checksum(seed, block.part(0, checksumOffset))
    return checksum(head, block.part(byteCount, block.count - byteCount))
  }
}

/// Forty bytes in the next 4096-byte sector after the last batch, written with it. They tell
/// how far the log had come even where the sector with the last batches is lost whole.
struct TailMark: Equatable {
  static let byteCount = 40
  static let magic: UInt32 = 0x02_4E52_B7
  private static let checksumOffset = 36

  /// Where the last frame begins and ends, in bytes of the whole log.
  var frameStart: UInt64
  var frameEnd: UInt64
  var lastSequence: UInt64
  var chain: UInt32

  /// The file offset of the mark that belongs to data ending at `end`.
  static func offset(forEnd end: Int) -> Int {
    roundedUp(end, to: Limits.sectorByteCount)
  }

  init(frameStart: UInt64, frameEnd: UInt64, lastSequence: UInt64, chain: UInt32) {
    self.frameStart = frameStart
    self.frameEnd = frameEnd
    self.lastSequence = lastSequence
    self.chain = chain
  }

  /// The mark for a log whose last batch is known to be durable: it says so by claiming no
  /// batch of its own.
  init(closing end: LogPoint) {
    self.init(
      frameStart: end.position, frameEnd: end.position, lastSequence: end.sequence,
      chain: end.chain)
  }

  init?(_ bytes: UnsafeRawBufferPointer, seed: UInt32, _ checksum: Checksum) {
    guard bytes.count >= Self.byteCount, bytes.number(0) == Self.magic,
      bytes.number(32) == UInt32(0),
      bytes.number(Self.checksumOffset)
        == checksum(seed, bytes.part(0, Self.checksumOffset))
    else { return nil }
    chain = bytes.number(4)
    frameStart = bytes.number(8)
    frameEnd = bytes.number(16)
    lastSequence = bytes.number(24)
  }

  func append(to bytes: inout [UInt8], seed: UInt32, _ checksum: Checksum) {
    let start = bytes.count
    bytes.appendNumber(Self.magic)
    bytes.appendNumber(chain)
    bytes.appendNumber(frameStart)
    bytes.appendNumber(frameEnd)
    bytes.appendNumber(lastSequence)
    bytes.appendNumber(UInt32(0))
    bytes.appendNumber(
      bytes.withUnsafeBytes { checksum(seed, $0.part(start, Self.checksumOffset)) })
  }
}
