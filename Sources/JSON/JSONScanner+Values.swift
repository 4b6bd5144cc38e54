extension JSONScanner {
  /// Reads a string and says where its raw text is; it is valid UTF-8 with valid escapes.
  public mutating func stringToken() throws(JSONError) -> JSONStringToken {
    skipWhiteSpace()
    guard try need() == UInt8(ascii: "\"") else { throw wrong(.string) }
    let token = try scanString()
    isFirst = false
    return token
  }

  /// Reads a string without escapes and gives the range of its text. When it has escapes the
  /// answer is nil and the position stays before it: read it with `string()` or `stringBytes`.
  public mutating func stringRange() throws(JSONError) -> Range<Int>? {
    skipWhiteSpace()
    let start = position
    let token = try stringToken()
    guard token.hasEscapes else { return token.range }
    position = start
    return nil
  }

  /// Reads a string as text.
  public mutating func string() throws(JSONError) -> String {
    decode(try stringToken())
  }

  /// Reads a string and appends its text, as UTF-8, to `buffer`.
  public mutating func stringBytes(into buffer: inout [UInt8]) throws(JSONError) {
    append(try stringToken(), to: &buffer)
  }

  /// Reads an integer. A fraction, an exponent, or a number past Int64 is `.notAnInteger`.
  public mutating func int64() throws(JSONError) -> Int64 {
    skipWhiteSpace()
    let start = position
    let count = bytes.count
    let isNegative = start < count && bytes[unchecked: start] == UInt8(ascii: "-")
    let first = isNegative ? start &+ 1 : start
    // 18 digits cannot overflow; longer ones are rare and take the careful path.
    let limit = min(count, first &+ 18)
    var index = first
    var magnitude: Int64 = 0
    while index < limit {
      let digit = bytes[unchecked: index] &- UInt8(ascii: "0")
      guard digit < 10 else { break }
      magnitude = magnitude &* 10 &+ Int64(digit)
      index &+= 1
    }
    let hasLeadingZero = index &- first > 1 && bytes[unchecked: first] == UInt8(ascii: "0")
    if index > first, !hasLeadingZero, !continuesNumber(at: index) {
      position = index
      isFirst = false
      return isNegative ? 0 &- magnitude : magnitude
    }
    let range = try numberRange()
    guard let value = JSONNumber.int64(in: bytes, range) else { throw .notAnInteger(at: start) }
    return value
  }

  /// Reads a number of any form and gives the range of its text.
  public mutating func numberRange() throws(JSONError) -> Range<Int> {
    skipWhiteSpace()
    let start = position
    switch try need() {
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): break
    default: throw wrong(.number)
    }
    try scanNumber()
    isFirst = false
    return start..<position
  }

  /// Reads `true` or `false`.
  public mutating func bool() throws(JSONError) -> Bool {
    skipWhiteSpace()
    let value: Bool
    switch try need() {
    case UInt8(ascii: "t"):
      try scanLiteral("true")
      value = true
    case UInt8(ascii: "f"):
      try scanLiteral("false")
      value = false
    default: throw wrong(.bool)
    }
    isFirst = false
    return value
  }

  /// Whether `null` comes next; if so it is read, else the position stays.
  public mutating func isNull() throws(JSONError) -> Bool {
    skipWhiteSpace()
    guard try need() == UInt8(ascii: "n") else { return false }
    try scanLiteral("null")
    isFirst = false
    return true
  }

  /// Reads one value of any kind, checks it whole, and gives the range of its text.
  @discardableResult
  public mutating func skipValue() throws(JSONError) -> Range<Int> {
    skipWhiteSpace()
    let start = position
    try skip()
    isFirst = false
    return Range(uncheckedBounds: (start, position))
  }

  /// Steps over the value at the position.
  @inline(__always)
  private mutating func skip() throws(JSONError) {
    switch try need() {
    case UInt8(ascii: "\""): _ = try scanString()
    case UInt8(ascii: "{"): try skipObject()
    case UInt8(ascii: "["): try skipArray()
    case UInt8(ascii: "t"): try scanLiteral("true")
    case UInt8(ascii: "f"): try scanLiteral("false")
    case UInt8(ascii: "n"): try scanLiteral("null")
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): try scanNumber()
    default: throw unexpected()
    }
  }

  // The loops below do what `nextKey` and `nextElement` do for a caller, but keep no record of the
  // key and need no flag for the comma: every call passes through here.

  @inline(never)
  private mutating func skipObject() throws(JSONError) {
    try open(UInt8(ascii: "{"), .object)
    skipWhiteSpace()
    if try need() != UInt8(ascii: "}") {
      while true {
        _ = try scanKey()
        try skip()
        guard try skipComma(or: UInt8(ascii: "}")) else { break }
      }
    }
    position &+= 1
    depth &-= 1
  }

  @inline(never)
  private mutating func skipArray() throws(JSONError) {
    try open(UInt8(ascii: "["), .array)
    skipWhiteSpace()
    if try need() != UInt8(ascii: "]") {
      while true {
        try skip()
        guard try skipComma(or: UInt8(ascii: "]")) else { break }
      }
    }
    position &+= 1
    depth &-= 1
  }

  /// Steps over a comma to the next element; false, and no step, at the closing bracket.
  @inline(__always)
  private mutating func skipComma(or bracket: UInt8) throws(JSONError) -> Bool {
    skipWhiteSpace()
    let byte = try need()
    if byte == bracket { return false }
    guard byte == UInt8(ascii: ",") else { throw unexpected() }
    position &+= 1
    skipWhiteSpace()
    return true
  }

  // MARK: Tokens

  mutating func scanLiteral(_ text: StaticString) throws(JSONError) {
    let expected = text.utf8Start
    for index in 0..<text.utf8CodeUnitCount {
      guard try need() == expected[index] else { throw unexpected() }
      position += 1
    }
  }

  /// Whether the byte at `index` would make a number of the digits before it longer.
  @inline(__always)
  private func continuesNumber(at index: Int) -> Bool {
    guard index < bytes.count else { return false }
    switch bytes[unchecked: index] {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "e"),
      UInt8(ascii: "E"):
      return true
    default: return false
    }
  }

  /// Steps over a number that starts with a digit or a minus.
  private mutating func scanNumber() throws(JSONError) {
    if bytes[position] == UInt8(ascii: "-") { position += 1 }
    let first = position
    let digits = try scanDigits()
    if digits > 1, bytes[first] == UInt8(ascii: "0") { throw .malformedNumber(at: first) }
    if position < bytes.count, bytes[position] == UInt8(ascii: ".") {
      position += 1
      _ = try scanDigits()
    }
    if position < bytes.count, bytes[position] | 0x20 == UInt8(ascii: "e") {
      position += 1
      switch try need() {
      case UInt8(ascii: "+"), UInt8(ascii: "-"): position += 1
      default: break
      }
      _ = try scanDigits()
    }
  }

  /// Steps over at least one digit and says how many there were.
  private mutating func scanDigits() throws(JSONError) -> Int {
    let start = position
    while position < bytes.count, bytes[unchecked: position] &- UInt8(ascii: "0") < 10 {
      position += 1
    }
    guard position > start else {
      throw position < bytes.count ? .malformedNumber(at: position) : .unexpectedEnd(at: position)
    }
    return position - start
  }
}
