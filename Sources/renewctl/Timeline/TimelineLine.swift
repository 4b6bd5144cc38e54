import Client

/// What a subscription's events before one tell of it.
struct TimelineLine {
  private var product: String?
  private var renews = false
  private var end: Timestamp?

  /// Goes past an event; returns what it came to, where the event alone does not say.
  mutating func pass(_ event: Event) -> String? {
    defer { take(event) }
    if event.kind == .renewed, let next = event.transaction?.productID, let product,
      next != product
    {
      return "changed to \(next)"
    }
    // The intent of who cancelled is also that of what ends by itself.
    guard event.kind == .expired, event.renewalInfo?.expirationReason == 1, renews,
      let name = event.renewalInfo?.currentProductID ?? product, let end
    else { return nil }
    return "expired \(name): \(event.time < end ? Words.madeToExpire : Words.renewedToTheLast)"
  }

  private mutating func take(_ event: Event) {
    if let transaction = event.transaction, event.beginsPeriod || event.kind == .renewalExtended {
      product = transaction.productID
      end = transaction.expirationDate
    }
    if let told = event.renewalInfo?.willAutoRenew { renews = told }
    // A member's follows its purchaser's, and what was taken back renews no more.
    if [.shared, .refunded, .revoked].contains(event.kind) { renews = false }
  }
}
