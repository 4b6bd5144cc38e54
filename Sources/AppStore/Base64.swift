/// Base64 of RFC 4648, read strictly: no white space, no other alphabet, nothing behind the end.
/// Bytes have one text in base64url, so spare bits of its last letter must not be set; in
/// certificates they may be, as Apple's libraries have it.
public enum Base64 {
  /// `+` and `/`, padded: certificates in a header.
  case standard
  /// `-` and `_`, without padding: the parts of a compact JWS.
  case url

  private static let standardAlphabet = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
  private static let urlAlphabet = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
  private static let none: UInt8 = 0xff
  private static let standardValues = values(of: standardAlphabet)
  private static let urlValues = values(of: urlAlphabet)

  private static func values(of alphabet: [UInt8]) -> [UInt8] {
    var values = [UInt8](repeating: none, count: 256)
    for (value, letter) in alphabet.enumerated() { values[Int(letter)] = UInt8(value) }
    return values
  }

  /// Appends the text of `bytes`.
  public func append(_ bytes: [UInt8], to out: inout [UInt8]) {
    let alphabet = self == .standard ? Self.standardAlphabet : Self.urlAlphabet
    let groups = (bytes.count + 2) / 3
    out.reserveCapacity(out.count + groups * 4)
    alphabet.withUnsafeBufferPointer { letters in
      bytes.withUnsafeBufferPointer { bytes in
        var index = 0
        while index &+ 3 <= bytes.count {
          let word =
            UInt32(bytes[index]) << 16 | UInt32(bytes[index &+ 1]) << 8
            | UInt32(bytes[index &+ 2])
          out.append(letters[Int(word >> 18)])
          out.append(letters[Int(word >> 12 & 63)])
          out.append(letters[Int(word >> 6 & 63)])
          out.append(letters[Int(word & 63)])
          index &+= 3
        }
        let left = bytes.count - index
        guard left > 0 else { return }
        let word = UInt32(bytes[index]) << 16 | (left > 1 ? UInt32(bytes[index + 1]) << 8 : 0)
        out.append(letters[Int(word >> 18)])
        out.append(letters[Int(word >> 12 & 63)])
        if left > 1 { out.append(letters[Int(word >> 6 & 63)]) }
        if self == .standard { out += repeatElement(UInt8(ascii: "="), count: 3 - left) }
      }
    }
  }

  /// The text of `bytes`.
  public func encode(_ bytes: [UInt8]) -> [UInt8] {
    var out: [UInt8] = []
    append(bytes, to: &out)
    return out
  }

  /// The bytes that a text stands for; nil where it is none of this alphabet.
  public func decode(_ text: ArraySlice<UInt8>) -> [UInt8]? {
    var text = text
    if self == .standard {
      guard text.count % 4 == 0 else { return nil }
      for _ in 0..<2 where text.last == UInt8(ascii: "=") { text = text.dropLast() }
    }
    guard text.count % 4 != 1 else { return nil }
    let values = self == .standard ? Self.standardValues : Self.urlValues
    let count = text.count * 3 / 4
    var isRight = true
    let bytes = [UInt8](unsafeUninitializedCapacity: count) { out, initialized in
      text.withUnsafeBufferPointer { text in
        values.withUnsafeBufferPointer { values in
          isRight = decode(text, values, into: out)
        }
      }
      initialized = isRight ? count : 0
    }
    return isRight ? bytes : nil
  }

  private func decode(
    _ text: UnsafeBufferPointer<UInt8>, _ values: UnsafeBufferPointer<UInt8>,
    into out: UnsafeMutableBufferPointer<UInt8>
  ) -> Bool {
    var wrong: UInt8 = 0
    var word: UInt32 = 0
    var written = 0
    for (index, letter) in text.enumerated() {
      let value = values[Int(letter)]
      // Values have six bits; that of a letter outside the alphabet has all eight.
      wrong |= value
      word = word << 6 | UInt32(value & 63)
      guard index & 3 == 3 else { continue }
      out[written] = UInt8(truncatingIfNeeded: word >> 16)
      out[written &+ 1] = UInt8(truncatingIfNeeded: word >> 8)
      out[written &+ 2] = UInt8(truncatingIfNeeded: word)
      written &+= 3
    }
    var spare: UInt32 = 0
    switch text.count & 3 {
    case 2:
      spare = word & 0xf
      out[written] = UInt8(truncatingIfNeeded: word >> 4)
    case 3:
      spare = word & 0x3
      out[written] = UInt8(truncatingIfNeeded: word >> 10)
      out[written &+ 1] = UInt8(truncatingIfNeeded: word >> 2)
    case 0, 1: break
    default: preconditionFailure("two bits have four values")
    }
    return wrong < 64 && (spare == 0 || self == .standard)
  }
}
