/// Little-endian numbers at fixed places, and varints (seven bits a byte, lowest first, the top
/// bit set on all but the last).
extension UnsafeRawBufferPointer {
  @inline(__always)
  func number(_ offset: Int) -> UInt32 {
    UInt32(littleEndian: loadUnaligned(fromByteOffset: offset, as: UInt32.self))
  }

  @inline(__always)
  func number(_ offset: Int) -> UInt64 {
    UInt64(littleEndian: loadUnaligned(fromByteOffset: offset, as: UInt64.self))
  }

  @inline(__always)
  func number(_ offset: Int) -> Int64 {
    Int64(littleEndian: loadUnaligned(fromByteOffset: offset, as: Int64.self))
  }

  /// The bytes from `offset`, at most `count` of them.
  @inline(__always)
  func part(_ offset: Int, _ count: Int) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(rebasing: self[offset..<(offset + count)])
  }
}

extension [UInt8] {
  mutating func appendNumber<T: FixedWidthInteger>(_ value: T) {
    Swift.withUnsafeBytes(of: value.littleEndian) { append(contentsOf: $0) }
  }

  mutating func storeNumber<T: FixedWidthInteger>(_ value: T, at offset: Int) {
    withUnsafeMutableBytes {
      $0.storeBytes(of: value.littleEndian, toByteOffset: offset, as: T.self)
    }
  }

  mutating func appendZeros(_ count: Int) {
    append(contentsOf: [UInt8](repeating: 0, count: count))
  }
}

/// A varint in the making: up to ten bytes in registers, stored without an allocation.
@inline(__always)
func storeVarint(
  _ value: UInt64, into buffer: UnsafeMutableRawBufferPointer, at offset: inout Int
) {
  var rest = value
  while rest >= 0x80 {
    buffer[offset] = UInt8(truncatingIfNeeded: rest) | 0x80
    offset &+= 1
    rest >>= 7
  }
  buffer[offset] = UInt8(truncatingIfNeeded: rest)
  offset &+= 1
}

/// Reads a varint, moving `offset` past it; nil where it does not end within the buffer or
/// within 64 bits.
@inline(__always)
func loadVarint(_ bytes: UnsafeRawBufferPointer, _ offset: inout Int) -> UInt64? {
  var value: UInt64 = 0
  var shift: UInt64 = 0
  while offset < bytes.count, shift < 64 {
    let byte = bytes[offset]
    offset &+= 1
    value |= UInt64(byte & 0x7F) &<< shift
    if byte < 0x80 {
      return shift == 63 && byte > 1 ? nil : value
    }
    shift &+= 7
  }
  return nil
}

@inline(__always)
func roundedUp(_ count: Int, to unit: Int) -> Int {
  (count + unit - 1) / unit * unit
}
