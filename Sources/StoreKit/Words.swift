import Foundation

// What is said in words, in English.

extension Message.Reason {
  /// The reason in English words.
  public var localizedDescription: String {
    switch self {
    case .generic: "Message"
    case .priceIncreaseConsent: "Price increase"
    case .billingIssue: "Billing issue"
    case .winBackOffer: "Win-back offer"
    default: "Reason \(rawValue)"
    }
  }
}

extension Transaction.OwnershipType {
  /// The kind of ownership in English words.
  public var localizedDescription: String {
    switch self {
    case .purchased: "Purchased"
    case .familyShared: "Family Shared"
    default: rawValue
    }
  }
}

extension Product.SubscriptionInfo.RenewalInfo.PriceIncreaseStatus {
  /// How the customer stands to a price increase, in English words.
  public var localizedDescription: String {
    switch self {
    case .noIncreasePending: "No increase pending"
    case .pending: "Pending"
    case .agreed: "Agreed"
    }
  }
}

extension DateComponents {
  /// A subscription's period as what a calendar adds.
  public init(subscriptionPeriod period: Product.SubscriptionPeriod) {
    switch period.unit {
    case .day: self.init(day: period.value)
    case .week: self.init(day: period.value * 7)
    case .month: self.init(month: period.value)
    case .year: self.init(year: period.value)
    }
  }
}
