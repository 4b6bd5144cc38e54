/// An amount in thousandths of a currency's unit, as Apple's prices are on the wire.
public struct Money: Hashable, Sendable, CustomStringConvertible {
  /// 9990 is 9.99.
  public var milliunits: Int64
  /// ISO 4217, such as `USD`.
  public var currency: String

  public init(milliunits: Int64, currency: String) {
    self.milliunits = milliunits
    self.currency = currency
  }

  /// The amount with its currency: `9.99 USD`, `900 JPY`. Thousandths show only where there are.
  public var description: String {
    let magnitude = milliunits.magnitude
    var digits = String(magnitude % 1000)
    digits = String(repeating: "0", count: 3 - digits.count) + digits
    if digits.hasSuffix("0") { digits.removeLast() }
    if digits == "00", Self.wholeCurrencies.contains(currency) { digits = "" }
    let sign = milliunits < 0 ? "-" : ""
    return "\(sign)\(magnitude / 1000)\(digits.isEmpty ? "" : ".\(digits)") \(currency)"
  }

  /// Currencies without a smaller unit (ISO 4217) that the App Store sells in.
  private static let wholeCurrencies: Set = ["CLP", "JPY", "KRW", "PYG", "VND"]
}
