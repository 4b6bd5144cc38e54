/// Appends the small binary forms that events and snapshots are made of.
struct ByteWriter {
  var bytes: [UInt8]

  mutating func byte(_ value: UInt8) {
    bytes.append(value)
  }

  /// Seven bits a byte, least first, the top bit set on all but the last.
  mutating func varint(_ value: UInt64) {
    var rest = value
    while rest >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(truncatingIfNeeded: rest))
  }

  mutating func varint(_ value: UInt32) {
    varint(UInt64(value))
  }

  /// A signed number, small magnitudes in few bytes.
  mutating func zigzag(_ value: Int64) {
    varint(UInt64(bitPattern: (value << 1) ^ (value >> 63)))
  }

  mutating func fixed64(_ value: UInt64) {
    withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) }
  }

  mutating func data(_ value: some Collection<UInt8>) {
    varint(UInt64(value.count))
    bytes.append(contentsOf: value)
  }

  mutating func text(_ value: String) {
    data(value.utf8)
  }

  mutating func optionalText(_ value: String?) {
    byte(value == nil ? 0 : 1)
    if let value { text(value) }
  }
}

/// Reads them back. What runs past the end or makes no sense reads as zero and sets `failed`, so
/// that a caller checks once.
struct ByteReader {
  private let base: UnsafeRawBufferPointer
  private(set) var position = 0
  private(set) var failed = false

  init(_ bytes: UnsafeRawBufferPointer) {
    base = bytes
  }

  var isAtEnd: Bool { position == base.count }

  mutating func fail() {
    failed = true
    position = base.count
  }

  @inline(__always)
  mutating func byte() -> UInt8 {
    guard position < base.count else {
      failed = true
      return 0
    }
    let value = base[position]
    position += 1
    return value
  }

  @inline(__always)
  mutating func varint() -> UInt64 {
    var value: UInt64 = 0
    var shift: UInt64 = 0
    while true {
      let next = byte()
      value |= UInt64(next & 0x7f) << shift
      if next & 0x80 == 0 { return value }
      shift += 7
      if shift > 63 {
        fail()
        return 0
      }
    }
  }

  mutating func varint32() -> UInt32 {
    guard let value = UInt32(exactly: varint()) else {
      fail()
      return 0
    }
    return value
  }

  mutating func varint16() -> UInt16 {
    guard let value = UInt16(exactly: varint()) else {
      fail()
      return 0
    }
    return value
  }

  mutating func zigzag() -> Int64 {
    let value = varint()
    return Int64(bitPattern: (value >> 1) ^ (0 &- (value & 1)))
  }

  mutating func fixed64() -> UInt64 {
    guard base.count - position >= 8 else {
      fail()
      return 0
    }
    let value = base.loadUnaligned(fromByteOffset: position, as: UInt64.self)
    position += 8
    return UInt64(littleEndian: value)
  }

  mutating func data() -> [UInt8] {
    let count = varint()
    guard count <= UInt64(base.count - position) else {
      fail()
      return []
    }
    let start = position
    position += Int(count)
    return Array(base[start..<position])
  }

  mutating func text() -> String {
    let bytes = data()
    guard let text = String(validating: bytes, as: UTF8.self) else {
      fail()
      return ""
    }
    return text
  }

  mutating func optionalText() -> String? {
    byte() == 0 ? nil : text()
  }

  /// How many elements follow, each at least one byte long: never more than bytes are left.
  mutating func count() -> Int {
    let count = varint()
    guard count <= UInt64(base.count - position) else {
      fail()
      return 0
    }
    return Int(count)
  }

  mutating func value<Value: RawRepresentable>(
    _ type: Value.Type
  ) -> Value? where Value.RawValue == UInt8 {
    guard let value = Value(rawValue: byte()) else {
      fail()
      return nil
    }
    return value
  }
}
