/// A price as `.storekit` files write it: a decimal with a point and without a currency, read
/// exactly and without binary fractions (Domain.md 5.2).
struct DisplayPrice: Equatable {
  /// Thousandths of the currency's unit, rounded half up where the text is finer.
  var milliunits: Int64
  /// False where digits beyond the third were dropped that were not zero.
  var isExact: Bool

  /// Nil where the text is not a plain decimal, or beyond `AppStoreLimits.priceMilliunitsMax`.
  init?(_ text: String) {
    var whole: Int64 = 0
    var digits = 0
    var decimals = 0
    var hasPoint = false
    var roundsUp = false
    var isExact = true
    for byte in text.utf8 {
      if byte == UInt8(ascii: "."), !hasPoint {
        hasPoint = true
        continue
      }
      guard byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9") else { return nil }
      let digit = Int64(byte - UInt8(ascii: "0"))
      digits += 1
      if hasPoint { decimals += 1 }
      if decimals > 3 {
        if decimals == 4 { roundsUp = digit >= 5 }
        if digit != 0 { isExact = false }
        continue
      }
      whole = whole * 10 + digit
      guard whole <= AppStoreLimits.priceMilliunitsMax else { return nil }
    }
    guard digits > 0 else { return nil }
    for _ in min(decimals, 3)..<3 { whole *= 10 }
    if roundsUp { whole += 1 }
    guard whole <= AppStoreLimits.priceMilliunitsMax else { return nil }
    milliunits = whole
    self.isExact = isExact
  }
}
