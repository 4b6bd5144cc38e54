import Subscriptions

/// Money, lengths, states and causes in words.
extension State {
  /// What a transaction cost: `for 9.99 USD`, with its offer.
  func pricePhrase(of transaction: Transaction) -> String {
    guard transaction.ownership == .purchased else { return "by Family Sharing" }
    guard let offer = transaction.offer else {
      return "for \(moneyText(transaction.price, storefront: transaction.storefront))"
    }
    return phrase(offer, price: transaction.price, storefront: transaction.storefront)
  }

  /// The terms of an offer: `at the promotional price of 4.99 USD a period, for 3 months in all
  /// (offer half)`.
  func phrase(_ offer: AppliedOffer, price: Int64, storefront: UInt16) -> String {
    let price = moneyText(price, storefront: storefront)
    let length = offer.period.phrase
    let kind = offer.kind.phrase
    let name = offer.identifier == noNumber ? "" : " (\(self.name(of: offer)))"
    switch offer.paymentMode {
    case .freeTrial: return "as a free trial of \(length)\(name)"
    case .payAsYouGo:
      return "at the \(kind) price of \(price) a period, for \(length) in all\(name)"
    case .payUpFront:
      return "at the \(kind) price of \(price), paid up front for \(length)\(name)"
    }
  }

  /// `promotional offer half`; the introductory one has no id.
  func name(of offer: AppliedOffer) -> String {
    guard offer.identifier != noNumber else { return offer.kind.noun }
    return "\(offer.kind.noun) \(facts.texts[Int(offer.identifier)])"
  }

  /// How much of a transaction was given back, and why.
  func refundPhrase(
    _ revocation: Revocation, of transaction: Transaction, amount known: Int64? = nil
  ) -> String {
    let share = Int64(revocation.percentage)
    let amount = known ?? transaction.price * share / 100_000
    let reason = revocation.reason == 1 ? " for an issue with the app" : ""
    switch revocation.type {
    case .familyRevoke:
      return "because Family Sharing ended"
    case .refundFull:
      let money = moneyText(amount, storefront: transaction.storefront)
      let rest = amount == transaction.price ? "" : ", what an upgrade had left of its price"
      return "in full (\(money)\(rest))" + reason
    case .refundProrated:
      return "by \(share / 1000) % (\(moneyText(amount, storefront: transaction.storefront)))"
        + reason
    }
  }

  /// An amount of milliunits with its currency: `9.99 USD`, `900 JPY`. Thousandths show only
  /// where there are some.
  func moneyText(_ milliunits: Int64, storefront: UInt16) -> String {
    let currency = self.storefront(storefront).currency
    let magnitude = milliunits.magnitude
    let whole = "\(milliunits < 0 ? "-" : "")\(magnitude / 1000)"
    let rest = Int(magnitude % 1000)
    if rest == 0, wholeCurrencies.contains(currency) { return "\(whole) \(currency)" }
    let digits = rest % 10 == 0 ? 2 : 3
    let fraction = String(digits == 2 ? rest / 10 : rest)
    let zeros = String(repeating: "0", count: digits - fraction.utf8.count)
    return "\(whole).\(zeros)\(fraction) \(currency)"
  }
}

/// Currencies without a smaller unit (ISO 4217) among those of `Storefront.all`.
private let wholeCurrencies = ["CLP", "JPY", "KRW", "VND"]

extension Period {
  /// `1 month`, `3 days`.
  var phrase: String {
    let name =
      switch unit {
      case .day: "day"
      case .week: "week"
      case .month: "month"
      case .year: "year"
      }
    return count == 1 ? "1 \(name)" : "\(count) \(name)s"
  }
}

extension Status {
  /// `status 1 (active)`: Apple's number and a name for it.
  var phrase: String {
    let name =
      switch self {
      case .active: "active"
      case .expired: "expired"
      case .billingRetry: "billing retry"
      case .gracePeriod: "billing grace period"
      case .revoked: "revoked"
      }
    return "status \(rawValue) (\(name))"
  }
}

extension ExpirationIntent {
  var phrase: String {
    switch self {
    case .cancelled: "because its renewal had been turned off"
    case .billingError: "because its renewal could not be paid"
    case .noConsent: "because a price increase was not agreed to"
    case .productUnavailable: "because its product was no longer on sale"
    case .other: "for a reason that was not given"
    }
  }
}

extension ProductType {
  var phrase: String {
    switch self {
    case .autoRenewable: "a subscription"
    case .nonConsumable: "a non-consumable"
    case .consumable: "a consumable"
    case .nonRenewing: "a non-renewing subscription"
    }
  }
}

extension OfferKind {
  var phrase: String {
    switch self {
    case .introductory: "introductory"
    case .promotional: "promotional"
    case .code: "offer code"
    case .winBack: "win-back"
    }
  }

  /// What stands before its id.
  var noun: String {
    switch self {
    case .introductory: "introductory offer"
    case .promotional: "promotional offer"
    case .code: "offer code"
    case .winBack: "win-back offer"
    }
  }
}
