/// Base64 of RFC 4648 with padding, as certificates come over the socket.
enum Base64 {
  /// The bytes that a text stands for; nil where it is none.
  static func decode(_ text: String) -> [UInt8]? {
    var letters = Array(text.utf8)[...]
    guard letters.count % 4 == 0 else { return nil }
    for _ in 0..<2 where letters.last == UInt8(ascii: "=") { letters = letters.dropLast() }
    var bytes: [UInt8] = []
    var word: UInt32 = 0
    var bits = 0
    for letter in letters {
      guard let value = value(of: letter) else { return nil }
      word = word << 6 | value
      bits += 6
      if bits >= 8 {
        bits -= 8
        bytes.append(UInt8(truncatingIfNeeded: word >> UInt32(bits)))
      }
    }
    return bytes
  }

  private static func value(of letter: UInt8) -> UInt32? {
    switch letter {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(letter - UInt8(ascii: "A"))
    case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(letter - UInt8(ascii: "a")) + 26
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(letter - UInt8(ascii: "0")) + 52
    case UInt8(ascii: "+"): 62
    case UInt8(ascii: "/"): 63
    default: nil
    }
  }
}
