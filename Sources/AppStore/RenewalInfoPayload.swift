import JSON
import Subscriptions

/// JWSRenewalInfoDecodedPayload: what a line's next renewal will be, as a store signs it
/// (Domain.md 3.2). It names no app.
public struct RenewalInfoPayload: PayloadModel {
  public var originalTransactionID: String?
  public var productID: String?
  public var autoRenewProductID: String?
  public var autoRenewStatus: Open<Wire.AutoRenewStatus>?
  public var renewalDate: Instant?
  public var recentSubscriptionStartDate: Instant?
  public var expirationIntent: Open<Wire.ExpirationIntent>?
  public var isInBillingRetryPeriod: Bool?
  public var gracePeriodExpiresDate: Instant?
  public var priceIncreaseStatus: Open<Wire.PriceIncreaseStatus>?
  public var offerType: Open<Wire.OfferType>?
  public var offerIdentifier: String?
  public var offerDiscountType: Open<Wire.OfferDiscountType>?
  /// ISO 8601, the offer's whole length.
  public var offerPeriod: String?
  /// Milliunits of `currency`.
  public var renewalPrice: Int64?
  public var currency: String?
  /// Best first.
  public var eligibleWinBackOfferIDs: [String]?
  public var appAccountToken: String?
  public var appTransactionID: String?
  public var environment: Open<Wire.Environment>?
  public var signedDate: Instant?
  public var renewalBillingPlanType: Open<Wire.BillingPlanType>?
  public var commitmentInfo: RenewalCommitment?
  public var advancedCommerceInfo: JSONValue?
  public var deviceVerification: String?
  public var deviceVerificationNonce: String?

  public init() {}

  public mutating func code<Coder: PayloadCoder>(
    with coder: inout Coder
  ) throws(Coder.Failure) {
    try coder.text("originalTransactionId", &originalTransactionID)
    try coder.text("productId", &productID)
    try coder.text("autoRenewProductId", &autoRenewProductID)
    try coder.open("autoRenewStatus", &autoRenewStatus)
    try coder.date("renewalDate", &renewalDate)
    try coder.date("recentSubscriptionStartDate", &recentSubscriptionStartDate)
    try coder.open("expirationIntent", &expirationIntent)
    try coder.flag("isInBillingRetryPeriod", &isInBillingRetryPeriod)
    try coder.date("gracePeriodExpiresDate", &gracePeriodExpiresDate)
    try coder.open("priceIncreaseStatus", &priceIncreaseStatus)
    try coder.open("offerType", &offerType)
    try coder.text("offerIdentifier", &offerIdentifier)
    try coder.open("offerDiscountType", &offerDiscountType)
    try coder.text("offerPeriod", &offerPeriod)
    try coder.integer("renewalPrice", &renewalPrice)
    try coder.text("currency", &currency)
    try coder.texts("eligibleWinBackOfferIds", &eligibleWinBackOfferIDs)
    try coder.text("appAccountToken", &appAccountToken)
    try coder.text("appTransactionId", &appTransactionID)
    try coder.open("environment", &environment)
    try coder.date("signedDate", &signedDate)
    try coder.open("renewalBillingPlanType", &renewalBillingPlanType)
    try coder.model("commitmentInfo", &commitmentInfo)
    try coder.raw("advancedCommerceInfo", &advancedCommerceInfo)
    try coder.text("deviceVerification", &deviceVerification)
    try coder.text("deviceVerificationNonce", &deviceVerificationNonce)
  }
}

/// What follows a commitment of monthly payments (Domain.md 3.2).
public struct RenewalCommitment: PayloadModel {
  public var commitmentAutoRenewProductID: String?
  public var commitmentAutoRenewStatus: Open<Wire.AutoRenewStatus>?
  public var commitmentRenewalBillingPlanType: Open<Wire.BillingPlanType>?
  public var commitmentRenewalDate: Instant?
  public var commitmentRenewalPrice: Int64?

  public init() {}

  public mutating func code<Coder: PayloadCoder>(
    with coder: inout Coder
  ) throws(Coder.Failure) {
    try coder.text("commitmentAutoRenewProductId", &commitmentAutoRenewProductID)
    try coder.open("commitmentAutoRenewStatus", &commitmentAutoRenewStatus)
    try coder.open("commitmentRenewalBillingPlanType", &commitmentRenewalBillingPlanType)
    try coder.date("commitmentRenewalDate", &commitmentRenewalDate)
    try coder.integer("commitmentRenewalPrice", &commitmentRenewalPrice)
  }
}
