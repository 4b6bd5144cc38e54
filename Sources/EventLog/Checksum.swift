/// CRC-32C (Castagnoli) in plain Swift, sixteen bytes a step. `seed` is an earlier result, so
/// `crc32c(crc32c(0, a), b)` is the checksum of `a` followed by `b`; 0 begins.
@Sendable
public func crc32c(_ seed: UInt32, _ bytes: UnsafeRawBufferPointer) -> UInt32 {
  guard let base = bytes.baseAddress else { return seed }
  return crcTables.withUnsafeBufferPointer { tables in
    let table = tables.baseAddress.unsafelyUnwrapped
    var crc = ~seed
    var offset = 0
    let count = bytes.count
    while offset &+ 16 <= count {
      let low = UInt64(littleEndian: base.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
      let high = UInt64(
        littleEndian: base.loadUnaligned(fromByteOffset: offset &+ 8, as: UInt64.self))
      crc = eightBytes(low ^ UInt64(crc), table + 8 * 256) ^ eightBytes(high, table)
      offset &+= 16
    }
    while offset < count {
      let byte = base.load(fromByteOffset: offset, as: UInt8.self)
      crc = crc >> 8 ^ table[Int((crc ^ UInt32(byte)) & 0xFF)]
      offset &+= 1
    }
    return ~crc
  }
}

/// What eight bytes contribute, each by the table for the number of bytes that follow it.
@inline(__always)
private func eightBytes(_ word: UInt64, _ table: UnsafePointer<UInt32>) -> UInt32 {
  let first =
    table[Int(truncatingIfNeeded: 1792 &+ (word & 0xFF))]
    ^ table[Int(truncatingIfNeeded: 1536 &+ (word &>> 8 & 0xFF))]
    ^ table[Int(truncatingIfNeeded: 1280 &+ (word &>> 16 & 0xFF))]
    ^ table[Int(truncatingIfNeeded: 1024 &+ (word &>> 24 & 0xFF))]
  let second =
    table[Int(truncatingIfNeeded: 768 &+ (word &>> 32 & 0xFF))]
    ^ table[Int(truncatingIfNeeded: 512 &+ (word &>> 40 & 0xFF))]
    ^ table[Int(truncatingIfNeeded: 256 &+ (word &>> 48 & 0xFF))]
    ^ table[Int(truncatingIfNeeded: word &>> 56)]
  return first ^ second
}

/// The reflected polynomial 0x1EDC6F41.
private let crcPolynomial: UInt32 = 0x82F6_3B78

/// Sixteen tables of 256: table k carries a byte over k further zero bytes.
private let crcTables: [UInt32] = {
  var tables = [UInt32](repeating: 0, count: 16 * 256)
  for byte in 0..<256 {
    var crc = UInt32(byte)
    for _ in 0..<8 {
      crc = crc & 1 == 1 ? crc >> 1 ^ crcPolynomial : crc >> 1
    }
    tables[byte] = crc
  }
  for level in 1..<16 {
    for byte in 0..<256 {
      let before = tables[(level - 1) * 256 + byte]
      tables[level * 256 + byte] = before >> 8 ^ tables[Int(before & 0xFF)]
    }
  }
  return tables
}()
