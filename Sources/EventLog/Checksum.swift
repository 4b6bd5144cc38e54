/// CRC-32C (Castagnoli) in plain Swift, eight bytes a step. `seed` is an earlier result, so
/// `crc32c(crc32c(0, a), b)` is the checksum of `a` followed by `b`; 0 begins.
@Sendable
public func crc32c(_ seed: UInt32, _ bytes: UnsafeRawBufferPointer) -> UInt32 {
  guard let base = bytes.baseAddress else { return seed }
  return crcTables.withUnsafeBufferPointer { tables in
    let table = tables.baseAddress.unsafelyUnwrapped
    var crc = ~seed
    var offset = 0
    let count = bytes.count
    while offset &+ 8 <= count {
      let word = UInt64(littleEndian: base.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
      let mixed = word ^ UInt64(crc)
      let low = UInt32(truncatingIfNeeded: mixed)
      let high = UInt32(truncatingIfNeeded: mixed >> 32)
      crc =
        table[Int(1792 &+ (low & 0xFF))] ^ table[Int(1536 &+ (low >> 8 & 0xFF))]
        ^ table[Int(1280 &+ (low >> 16 & 0xFF))] ^ table[Int(1024 &+ (low >> 24))]
        ^ table[Int(768 &+ (high & 0xFF))] ^ table[Int(512 &+ (high >> 8 & 0xFF))]
        ^ table[Int(256 &+ (high >> 16 & 0xFF))] ^ table[Int(high >> 24)]
      offset &+= 8
    }
    while offset < count {
      let byte = base.load(fromByteOffset: offset, as: UInt8.self)
      crc = crc >> 8 ^ table[Int((crc ^ UInt32(byte)) & 0xFF)]
      offset &+= 1
    }
    return ~crc
  }
}

/// The reflected polynomial 0x1EDC6F41.
private let crcPolynomial: UInt32 = 0x82F6_3B78

/// Eight tables of 256: table k carries a byte over k further zero bytes.
private let crcTables: [UInt32] = {
  var tables = [UInt32](repeating: 0, count: 8 * 256)
  for byte in 0..<256 {
    var crc = UInt32(byte)
    for _ in 0..<8 {
      crc = crc & 1 == 1 ? crc >> 1 ^ crcPolynomial : crc >> 1
    }
    tables[byte] = crc
  }
  for level in 1..<8 {
    for byte in 0..<256 {
      let before = tables[(level - 1) * 256 + byte]
      tables[level * 256 + byte] = before >> 8 ^ tables[Int(before & 0xFF)]
    }
  }
  return tables
}()
