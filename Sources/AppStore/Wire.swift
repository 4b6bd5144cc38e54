/// The values that Apple's payloads may hold, by their names on the wire (Domain.md 3). Every list
/// is open: a value that is not on it is kept as it came (`Open`).
public enum Wire {
  public enum Environment: String, Sendable, CaseIterable {
    case sandbox = "Sandbox"
    case production = "Production"
    case xcode = "Xcode"
    case localTesting = "LocalTesting"
  }

  public enum ProductType: String, Sendable, CaseIterable {
    case autoRenewable = "Auto-Renewable Subscription"
    case nonConsumable = "Non-Consumable"
    case consumable = "Consumable"
    case nonRenewing = "Non-Renewing Subscription"
  }

  public enum OwnershipType: String, Sendable, CaseIterable {
    case purchased = "PURCHASED"
    case familyShared = "FAMILY_SHARED"
  }

  public enum TransactionReason: String, Sendable, CaseIterable {
    case purchase = "PURCHASE"
    case renewal = "RENEWAL"
  }

  public enum OfferType: Int64, Sendable, CaseIterable {
    case introductory = 1
    case promotional = 2
    case code = 3
    case winBack = 4
  }

  public enum OfferDiscountType: String, Sendable, CaseIterable {
    case freeTrial = "FREE_TRIAL"
    case payAsYouGo = "PAY_AS_YOU_GO"
    case payUpFront = "PAY_UP_FRONT"
    case oneTime = "ONE_TIME"
  }

  public enum RevocationReason: Int64, Sendable, CaseIterable {
    case other = 0
    case issueWithTheApp = 1
  }

  public enum RevocationType: String, Sendable, CaseIterable {
    case refundFull = "REFUND_FULL"
    case refundProrated = "REFUND_PRORATED"
    case familyRevoke = "FAMILY_REVOKE"
  }

  public enum BillingPlanType: String, Sendable, CaseIterable {
    case billedUpfront = "BILLED_UPFRONT"
    case monthly = "MONTHLY"
  }

  public enum AutoRenewStatus: Int64, Sendable, CaseIterable {
    case off = 0
    case on = 1
  }

  public enum ExpirationIntent: Int64, Sendable, CaseIterable {
    case cancelled = 1
    case billingError = 2
    case noConsent = 3
    case productUnavailable = 4
    case other = 5
  }

  public enum PriceIncreaseStatus: Int64, Sendable, CaseIterable {
    case notResponded = 0
    case consented = 1
  }

  public enum Status: Int64, Sendable, CaseIterable {
    case active = 1
    case expired = 2
    case billingRetry = 3
    case gracePeriod = 4
    case revoked = 5
  }

  public enum Platform: String, Sendable, CaseIterable {
    case iOS
    case macOS
    case tvOS
    case visionOS
  }

  public enum ConsumptionRequestReason: String, Sendable, CaseIterable {
    case unintendedPurchase = "UNINTENDED_PURCHASE"
    case fulfillmentIssue = "FULFILLMENT_ISSUE"
    case unsatisfiedWithPurchase = "UNSATISFIED_WITH_PURCHASE"
    case legal = "LEGAL"
    case other = "OTHER"
  }

  public enum NotificationType: String, Sendable, CaseIterable {
    case subscribed = "SUBSCRIBED"
    case didChangeRenewalPreference = "DID_CHANGE_RENEWAL_PREF"
    case didChangeRenewalStatus = "DID_CHANGE_RENEWAL_STATUS"
    case offerRedeemed = "OFFER_REDEEMED"
    case didRenew = "DID_RENEW"
    case expired = "EXPIRED"
    case didFailToRenew = "DID_FAIL_TO_RENEW"
    case gracePeriodExpired = "GRACE_PERIOD_EXPIRED"
    case priceIncrease = "PRICE_INCREASE"
    case refund = "REFUND"
    case refundDeclined = "REFUND_DECLINED"
    case refundReversed = "REFUND_REVERSED"
    case consumptionRequest = "CONSUMPTION_REQUEST"
    case renewalExtended = "RENEWAL_EXTENDED"
    case renewalExtension = "RENEWAL_EXTENSION"
    case revoke = "REVOKE"
    case test = "TEST"
    case externalPurchaseToken = "EXTERNAL_PURCHASE_TOKEN"
    case oneTimeCharge = "ONE_TIME_CHARGE"
    case rescindConsent = "RESCIND_CONSENT"
    case metadataUpdate = "METADATA_UPDATE"
    case migration = "MIGRATION"
    case priceChange = "PRICE_CHANGE"
  }

  public enum NotificationSubtype: String, Sendable, CaseIterable {
    case initialBuy = "INITIAL_BUY"
    case resubscribe = "RESUBSCRIBE"
    case downgrade = "DOWNGRADE"
    case upgrade = "UPGRADE"
    case autoRenewEnabled = "AUTO_RENEW_ENABLED"
    case autoRenewDisabled = "AUTO_RENEW_DISABLED"
    case voluntary = "VOLUNTARY"
    case billingRetry = "BILLING_RETRY"
    case priceIncrease = "PRICE_INCREASE"
    case gracePeriod = "GRACE_PERIOD"
    case pending = "PENDING"
    case accepted = "ACCEPTED"
    case billingRecovery = "BILLING_RECOVERY"
    case productNotForSale = "PRODUCT_NOT_FOR_SALE"
    case summary = "SUMMARY"
    case failure = "FAILURE"
    case unreported = "UNREPORTED"
  }
}

/// A value of an open list: as it came, and what it means where that is known here.
public struct Open<Known: RawRepresentable>: Equatable, Sendable
where Known: Sendable, Known.RawValue: Equatable & Sendable {
  /// The value on the wire.
  public let raw: Known.RawValue

  /// What it means; nil for one that came after this was written.
  public var known: Known? { Known(rawValue: raw) }

  public init(raw: Known.RawValue) {
    self.raw = raw
  }

  public init(_ known: Known) {
    raw = known.rawValue
  }

  public static func == (left: Self, right: Known) -> Bool { left.raw == right.rawValue }
}
