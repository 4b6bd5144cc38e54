import Foundation

// Billing plans: how what a subscription costs is charged. The daemon sells each up front.
extension Product.SubscriptionInfo {
  /// How a subscription is charged. Raw values are those of Apple's signed payloads.
  public struct BillingPlanType: RawRepresentable, Hashable, Sendable {
    public let rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }

    /// Month by month, with a commitment to twelve of them. The daemon does not sell it.
    public static let monthly = BillingPlanType(rawValue: "MONTHLY")
    /// The whole period at its beginning.
    public static let upFront = BillingPlanType(rawValue: "BILLED_UPFRONT")
  }

  /// How long what is charged at once lasts.
  public typealias BillingPeriod = Product.SubscriptionPeriod

  /// What the customer agrees to in all.
  public struct CommitmentInfo: Hashable, Sendable {
    public let price: Decimal
    /// The price with its currency, in English.
    public let displayPrice: String
    public let period: Product.SubscriptionPeriod
  }

  /// What a subscription costs by one billing plan.
  public struct PricingTerms: Hashable, Sendable {
    /// What is charged at once.
    public let billingPrice: Decimal
    /// That price with its currency, in English.
    public let billingDisplayPrice: String
    public let billingPeriod: BillingPeriod
    public let billingPlanType: BillingPlanType
    public let commitmentInfo: CommitmentInfo
    /// The offers that go with the plan.
    public let subscriptionOffers: [Product.SubscriptionOffer]

    /// The offers of one type.
    public subscript(
      offers type: Product.SubscriptionOffer.OfferType
    ) -> [Product.SubscriptionOffer] {
      subscriptionOffers.filter { $0.type == type }
    }
  }
}

extension Product.SubscriptionInfo.PricingTerms {
  /// The one plan that the daemon sells: the period's price at its beginning, and no commitment to
  /// more than that.
  init(
    upFront price: Decimal, _ displayPrice: String, per period: Product.SubscriptionPeriod,
    offers: [Product.SubscriptionOffer]
  ) {
    billingPrice = price
    billingDisplayPrice = displayPrice
    billingPeriod = period
    billingPlanType = .upFront
    commitmentInfo = .init(price: price, displayPrice: displayPrice, period: period)
    subscriptionOffers = offers
  }
}

extension Transaction {
  /// Where a transaction stands in a commitment of monthly payments.
  public struct CommitmentInfo: Hashable, Sendable {
    /// Which of the payments it is; 1 is the first.
    public let billingPeriodNumber: UInt64
    public let totalBillingPeriods: UInt64
    /// What all of them come to.
    public let price: Decimal
    /// When the commitment ends.
    public let expirationDate: Date

    /// Nil where the payload does not say all of it: none of it could be made up.
    init?(_ payload: SignedPayload) {
      guard let number = payload.integer("billingPeriodNumber").flatMap(UInt64.init(exactly:)),
        let total = payload.integer("totalBillingPeriods").flatMap(UInt64.init(exactly:)),
        let price = payload.amount("commitmentPrice"),
        let end = payload.date("commitmentExpiresDate")
      else { return nil }
      billingPeriodNumber = number
      totalBillingPeriods = total
      self.price = price
      expirationDate = end
    }
  }
}

extension Product.SubscriptionInfo.RenewalInfo {
  /// What follows a commitment of monthly payments.
  public struct CommitmentInfo: Hashable, Sendable {
    /// The product that will renew.
    public let autoRenewPreference: String
    public let willAutoRenew: Bool
    public let renewalBillingPlanType: Product.SubscriptionInfo.BillingPlanType
    public let renewalDate: Date
    public let renewalPrice: Decimal

    /// Nil where the payload does not say all of it: none of it could be made up.
    init?(_ payload: SignedPayload) {
      guard let product = payload.text("commitmentAutoRenewProductId"),
        let status = payload.integer("commitmentAutoRenewStatus"),
        let plan = payload.text("commitmentRenewalBillingPlanType"),
        let date = payload.date("commitmentRenewalDate"),
        let price = payload.amount("commitmentRenewalPrice")
      else { return nil }
      autoRenewPreference = product
      willAutoRenew = status == 1
      renewalBillingPlanType = .init(rawValue: plan)
      renewalDate = date
      renewalPrice = price
    }
  }
}

extension SignedPayload {
  func billingPlanType(_ key: String) -> Product.SubscriptionInfo.BillingPlanType? {
    text(key).map(Product.SubscriptionInfo.BillingPlanType.init(rawValue:))
  }
}
