/// Reads a short text from left to right; it never goes past the end.
struct ByteScanner {
  private let bytes: [UInt8]
  private(set) var position = 0

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  init(_ text: String) {
    bytes = Array(text.utf8)
  }

  var isAtEnd: Bool { position == bytes.count }

  /// The next byte, if any.
  var peek: UInt8? { position < bytes.count ? bytes[position] : nil }

  mutating func skip() {
    if position < bytes.count { position += 1 }
  }

  /// Steps over `character` if it comes next.
  mutating func take(_ character: Unicode.Scalar) -> Bool {
    guard peek == UInt8(ascii: character) else { return false }
    position += 1
    return true
  }

  mutating func skipSpaces() {
    while take(" ") {}
  }

  /// The digit that comes next.
  mutating func digit() -> Int? {
    guard let byte = peek, byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9") else { return nil }
    position += 1
    return Int(byte - UInt8(ascii: "0"))
  }

  /// Exactly `count` digits.
  mutating func digits(_ count: Int) -> Int? {
    var value = 0
    for _ in 0..<count {
      guard let digit = digit() else { return nil }
      value = value * 10 + digit
    }
    return value
  }

  /// One to `digitsMax` digits, and no digit after them. `digitsMax` is at most 18.
  mutating func number(digitsMax: Int) -> Int? {
    guard var value = digit() else { return nil }
    var count = 1
    while let next = digit() {
      count += 1
      guard count <= digitsMax else { return nil }
      value = value * 10 + next
    }
    return value
  }

  /// Any number of digits after a decimal point, one at least, as thousandths; what is finer is
  /// dropped.
  mutating func thousandths() -> Int? {
    guard let first = digit() else { return nil }
    var value = first * 100
    var unit = 10
    while let next = digit() {
      value += next * unit
      unit /= 10
    }
    return value
  }

  /// Letters and other bytes that are neither digits, spaces nor a sign: the name of a unit.
  mutating func word() -> String {
    let start = position
    while let byte = peek, byte >= UInt8(ascii: "A") { position += 1 }
    return String(decoding: bytes[start..<position], as: UTF8.self)
  }
}
