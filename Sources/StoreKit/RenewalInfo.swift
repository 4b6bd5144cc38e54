import Foundation

extension Product.SubscriptionInfo {
  /// What will happen at a subscription's next billing event, as the store signed it.
  public struct RenewalInfo: Sendable {
    public let originalTransactionID: UInt64
    public let currentProductID: String
    public let willAutoRenew: Bool
    /// The product that will renew; nil where none will.
    public let autoRenewPreference: String?
    /// Why it ended; nil while it is active.
    public let expirationReason: ExpirationReason?
    public let priceIncreaseStatus: PriceIncreaseStatus
    public let isInBillingRetry: Bool
    /// The end of the grace period while there is one.
    public let gracePeriodExpirationDate: Date?
    public let offer: Transaction.Offer?
    public let environment: AppStore.Environment
    public let recentSubscriptionStartDate: Date
    public let renewalDate: Date?
    public let renewalPrice: Decimal?
    public let currency: Locale.Currency?
    /// Best first.
    public let eligibleWinBackOfferIDs: [String]
    public let appTransactionID: String
    public let appAccountToken: UUID?
    public let deviceVerification: Data
    public let deviceVerificationNonce: UUID
    public let signedDate: Date
    /// How the next period will be charged.
    public let renewalBillingPlanType: BillingPlanType?
    /// What follows a commitment of monthly payments.
    public let commitmentInfo: CommitmentInfo?
    /// What it says besides if it was bought by the Advanced Commerce API.
    public let advancedCommerceInfo: AdvancedCommerceInfo?

    let signed: SignedForm

    /// The payload that was signed: JSON with Apple's names.
    public var jsonRepresentation: Data { signed.payload.data }

    /// Why a subscription ended, by Apple's numbers.
    public struct ExpirationReason: RawRepresentable, Hashable, Sendable {
      public let rawValue: Int

      public init(rawValue: Int) { self.rawValue = rawValue }

      public static let autoRenewDisabled = ExpirationReason(rawValue: 1)
      public static let billingError = ExpirationReason(rawValue: 2)
      public static let didNotConsentToPriceIncrease = ExpirationReason(rawValue: 3)
      public static let productUnavailable = ExpirationReason(rawValue: 4)
      public static let unknown = ExpirationReason(rawValue: 5)

      /// The reason in English words.
      public var localizedDescription: String {
        switch self {
        case .autoRenewDisabled: "Auto-renewal was turned off"
        case .billingError: "Billing error"
        case .didNotConsentToPriceIncrease: "No consent to a price increase"
        case .productUnavailable: "Product unavailable"
        default: "Unknown"
        }
      }
    }

    /// Whether a price increase waits for the customer.
    public enum PriceIncreaseStatus: Hashable, Sendable {
      case noIncreasePending
      case pending
      case agreed
    }
  }
}

extension Product.SubscriptionInfo.RenewalInfo: Hashable {
  public static func == (left: Self, right: Self) -> Bool {
    left.jsonRepresentation == right.jsonRepresentation
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(jsonRepresentation)
  }
}

extension Product.SubscriptionInfo.RenewalInfo {
  /// Fields without which renewal info says nothing.
  static let requiredFields = [
    "originalTransactionId", "productId", "autoRenewStatus", "environment", "signedDate",
    "recentSubscriptionStartDate",
  ]

  /// Reads signed renewal info; what is missing is empty.
  init(_ signed: SignedForm) {
    let payload = signed.payload
    self.signed = signed
    originalTransactionID = payload.identifier("originalTransactionId") ?? 0
    currentProductID = payload.text("productId") ?? ""
    willAutoRenew = payload.integer("autoRenewStatus") == 1
    autoRenewPreference = willAutoRenew ? payload.text("autoRenewProductId") : nil
    expirationReason = payload.integer("expirationIntent").flatMap(Int.init(exactly:))
      .map(ExpirationReason.init(rawValue:))
    priceIncreaseStatus =
      switch payload.integer("priceIncreaseStatus") {
      case 0: .pending
      case 1: .agreed
      default: .noIncreasePending
      }
    isInBillingRetry = payload.truth("isInBillingRetryPeriod") ?? false
    signedDate = payload.date("signedDate") ?? .distantPast
    // The server tells the end of the grace period until billing retry is over; here it is nil
    // once it has passed.
    let graceEnd = payload.date("gracePeriodExpiresDate")
    gracePeriodExpirationDate = graceEnd.flatMap { [signedDate] in $0 > signedDate ? $0 : nil }
    renewalBillingPlanType = payload.billingPlanType("renewalBillingPlanType")
    commitmentInfo = payload.object("commitmentInfo").flatMap(CommitmentInfo.init)
    advancedCommerceInfo = payload.object("advancedCommerceInfo")
      .flatMap(AdvancedCommerceInfo.init)
    offer = Transaction.Offer(payload)
    environment = AppStore.Environment(rawValue: payload.text("environment") ?? "")
    recentSubscriptionStartDate = payload.date("recentSubscriptionStartDate") ?? .distantPast
    renewalDate = payload.date("renewalDate")
    renewalPrice = payload.amount("renewalPrice")
    currency = payload.currency("currency")
    eligibleWinBackOfferIDs = payload.texts("eligibleWinBackOfferIds")
    appTransactionID = payload.text("appTransactionId") ?? ""
    appAccountToken = payload.token("appAccountToken")
    deviceVerification = payload.bytes("deviceVerification") ?? Data()
    deviceVerificationNonce = payload.token("deviceVerificationNonce") ?? .zero
  }
}

// Older names of the same.
extension Product.SubscriptionInfo.RenewalInfo {
  @available(*, deprecated, renamed: "offer.type")
  public var offerType: Transaction.OfferType? { offer?.type }

  @available(*, deprecated, renamed: "offer.id")
  public var offerID: String? { offer?.id }

  @available(*, deprecated, renamed: "offer.paymentMode")
  public var offerPaymentModeStringRepresentation: String? { offer?.paymentMode?.rawValue }

  @available(*, deprecated, renamed: "offer.period")
  public var offerPeriodStringRepresentation: String? { offer?.period?.iso8601 }

  @available(*, deprecated, renamed: "environment")
  public var environmentStringRepresentation: String { environment.rawValue }

  @available(*, deprecated, renamed: "currency")
  public var currencyCode: String? { currency?.identifier }
}
