/// The first 64 bytes of a segment file. The layout is on the format page.
struct SegmentHeader: Equatable {
  static let byteCount = 64
  /// `renewd`, then bytes no text contains.
  static let magic: UInt64 = 0x0A1A_6477_656E_6572

  var identity: LogIdentity
  /// The sequence of the first record the segment will hold; also its name.
  var firstSequence: UInt64
  /// Bytes of the whole log before this file.
  var base: UInt64
  /// The size the file was made with.
  var segmentByteCount: UInt64
  /// The chain as the segment before left it.
  var chain: UInt32

  func encoded(_ checksum: Checksum) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(Self.byteCount)
    bytes.appendNumber(Self.magic)
    bytes.appendNumber(formatVersion)
    bytes.appendNumber(UInt32(0))
    bytes.append(contentsOf: identity.bytes)
    bytes.appendNumber(firstSequence)
    bytes.appendNumber(base)
    bytes.appendNumber(segmentByteCount)
    bytes.appendNumber(chain)
    bytes.appendNumber(bytes.withUnsafeBytes { checksum(0, $0) })
    return bytes
  }

  /// What keeps a header from being used.
  enum Refusal: Error {
    case newerFormat(UInt32)
    case damaged(String)
  }

  init(
    identity: LogIdentity, firstSequence: UInt64, base: UInt64, segmentByteCount: UInt64,
    chain: UInt32
  ) {
    self.identity = identity
    self.firstSequence = firstSequence
    self.base = base
    self.segmentByteCount = segmentByteCount
    self.chain = chain
  }

  /// A later format may lay out all but the magic and the version anew, so those come first.
  init(_ bytes: UnsafeRawBufferPointer, _ checksum: Checksum) throws(Refusal) {
    guard bytes.count >= Self.byteCount else { throw .damaged("the header is cut short") }
    guard bytes.number(0) == Self.magic else { throw .damaged("it does not begin as a log does") }
    let intact = bytes.number(60) == checksum(0, bytes.part(0, 60))
    let version: UInt32 = bytes.number(8)
    if version > formatVersion, !intact, version < 1 << 16 { throw .newerFormat(version) }
    guard intact else { throw .damaged("the header's checksum is wrong") }
    if version > formatVersion { throw .newerFormat(version) }
    guard version == formatVersion, bytes.number(12) == UInt32(0) else {
      throw .damaged("the header has an impossible format version")
    }
    identity = LogIdentity(bytes.part(16, LogIdentity.byteCount))
    firstSequence = bytes.number(32)
    base = bytes.number(40)
    segmentByteCount = bytes.number(48)
    chain = bytes.number(56)
  }
}

/// The sixteen bytes a log is born with. They seed every checksum that must be told from those
/// of other logs, and whatever else the caller derives from them.
public struct LogIdentity: Hashable, Sendable {
  static let byteCount = 16

  /// The first eight bytes, little-endian.
  public let low: UInt64
  /// The last eight bytes, little-endian.
  public let high: UInt64

  public init(low: UInt64, high: UInt64) {
    self.low = low
    self.high = high
  }

  /// Reads sixteen bytes.
  init(_ bytes: UnsafeRawBufferPointer) {
    self.init(low: bytes.number(0), high: bytes.number(8))
  }

  /// The sixteen bytes.
  public var bytes: [UInt8] {
    var bytes: [UInt8] = []
    bytes.appendNumber(low)
    bytes.appendNumber(high)
    return bytes
  }

  /// What checksums of this log begin with.
  func seed(_ checksum: Checksum) -> UInt32 {
    bytes.withUnsafeBytes { checksum(0, $0) }
  }
}
