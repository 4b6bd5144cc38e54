/// Reads a short text byte by byte.
struct TextCursor {
  private let bytes: [UInt8]
  private var position = 0

  init(_ text: String) {
    bytes = Array(text.utf8)
  }

  var isAtEnd: Bool { position == bytes.count }
  var peek: UInt8? { isAtEnd ? nil : bytes[position] }

  /// Takes a byte if it is one of `choices`.
  mutating func take(_ choices: String) -> UInt8? {
    guard let byte = peek, choices.utf8.contains(byte) else { return nil }
    position += 1
    return byte
  }

  mutating func skipSpaces() {
    while take(" \t") != nil {}
  }

  /// A number of exactly `digits` digits.
  mutating func number(digits: Int) -> Int64? {
    guard position + digits <= bytes.count else { return nil }
    let start = position
    guard let value = number(), position - start == digits else { return nil }
    return value
  }

  /// A number of as many digits as stand here, at most 18.
  mutating func number() -> Int64? {
    var value: Int64 = 0
    let start = position
    while let byte = peek, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) {
      guard position - start < 18 else { return nil }
      value = value * 10 + Int64(byte - UInt8(ascii: "0"))
      position += 1
    }
    return position > start ? value : nil
  }

  /// Digits behind a point as thousandths; further digits are dropped.
  mutating func thousandths() -> Int64? {
    var value: Int64 = 0
    var factor: Int64 = 100
    let start = position
    while let byte = peek, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) {
      value += Int64(byte - UInt8(ascii: "0")) * factor
      factor /= 10
      position += 1
    }
    return position > start ? value : nil
  }

  /// The letters that stand here.
  mutating func word() -> String {
    let start = position
    while let byte = peek, byte | 0x20 >= UInt8(ascii: "a"), byte | 0x20 <= UInt8(ascii: "z") {
      position += 1
    }
    return String(decoding: bytes[start..<position], as: UTF8.self)
  }
}
