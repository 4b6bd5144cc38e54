/// A JSON number kept as it was written, so that nothing is lost to a binary fraction.
public struct JSONNumber: Equatable, Sendable {
  /// The text, always of JSON's grammar.
  public let raw: String

  /// An integer.
  public init(_ value: Int64) {
    raw = String(value)
  }

  /// A number of JSON's grammar; nil for any other text.
  public init?(raw: String) {
    let utf8 = Array(raw.utf8)
    var scanner = JSONScanner(utf8.span, depthMax: 0)
    guard let range = try? scanner.numberRange(), range == 0..<utf8.count else { return nil }
    self.raw = raw
  }

  init(checked raw: String) {
    self.raw = raw
  }

  /// The value if the text is an integer in range; nil for `1.0`, `1e3` and `9223372036854775808`.
  public var int64: Int64? {
    let utf8 = Array(raw.utf8)
    return Self.int64(in: utf8.span, 0..<utf8.count)
  }

  /// The nearest binary fraction, for tools; the daemon's interfaces carry none.
  public var double: Double? {
    Double(raw)
  }

  /// The integer written in a range that the scanner accepted as a number.
  static func int64(in bytes: Span<UInt8>, _ range: Range<Int>) -> Int64? {
    guard range.count <= JSONLimits.integerBytesMax else { return nil }
    var index = range.lowerBound
    let isNegative = bytes[index] == UInt8(ascii: "-")
    if isNegative { index += 1 }
    // Counted below zero, where there is one value more.
    var value: Int64 = 0
    while index < range.upperBound {
      let digit = bytes[index] &- UInt8(ascii: "0")
      guard digit < 10 else { return nil }
      let (product, overflowed) = value.multipliedReportingOverflow(by: 10)
      let (difference, borrowed) = product.subtractingReportingOverflow(Int64(digit))
      guard !overflowed, !borrowed else { return nil }
      value = difference
      index += 1
    }
    if isNegative { return value }
    return value == .min ? nil : -value
  }
}
