import JSON
import Subscriptions

/// JWSTransactionDecodedPayload: one transaction as a store signs it (Domain.md 3.1).
public struct TransactionPayload: PayloadModel {
  public var transactionID: String?
  public var originalTransactionID: String?
  public var webOrderLineItemID: String?
  public var bundleID: String?
  public var productID: String?
  public var subscriptionGroupIdentifier: String?
  public var purchaseDate: Instant?
  public var originalPurchaseDate: Instant?
  public var expiresDate: Instant?
  public var quantity: Int64?
  public var type: Open<Wire.ProductType>?
  /// A UUID as it was given; its letters may be of either case.
  public var appAccountToken: String?
  public var inAppOwnershipType: Open<Wire.OwnershipType>?
  public var signedDate: Instant?
  public var revocationDate: Instant?
  public var revocationReason: Open<Wire.RevocationReason>?
  public var revocationType: Open<Wire.RevocationType>?
  /// Milliunits of a percent: 50000 is 50 %.
  public var revocationPercentage: Int64?
  public var isUpgraded: Bool?
  public var offerType: Open<Wire.OfferType>?
  public var offerIdentifier: String?
  public var offerDiscountType: Open<Wire.OfferDiscountType>?
  /// ISO 8601, the offer's whole length.
  public var offerPeriod: String?
  public var environment: Open<Wire.Environment>?
  public var storefront: String?
  public var storefrontID: String?
  public var transactionReason: Open<Wire.TransactionReason>?
  /// Milliunits of `currency`.
  public var price: Int64?
  public var currency: String?
  public var appTransactionID: String?
  public var previousOriginalTransactionID: String?
  public var advancedCommerceInfo: JSONValue?
  public var billingPlanType: Open<Wire.BillingPlanType>?
  public var commitmentInfo: TransactionCommitment?
  public var deviceVerification: String?
  public var deviceVerificationNonce: String?

  public init() {}

  public mutating func code<Coder: PayloadCoder>(
    with coder: inout Coder
  ) throws(Coder.Failure) {
    try coder.text("transactionId", &transactionID)
    try coder.text("originalTransactionId", &originalTransactionID)
    try coder.text("webOrderLineItemId", &webOrderLineItemID)
    try coder.text("bundleId", &bundleID)
    try coder.text("productId", &productID)
    try coder.text("subscriptionGroupIdentifier", &subscriptionGroupIdentifier)
    try coder.date("purchaseDate", &purchaseDate)
    try coder.date("originalPurchaseDate", &originalPurchaseDate)
    try coder.date("expiresDate", &expiresDate)
    try coder.integer("quantity", &quantity)
    try coder.open("type", &type)
    try coder.text("appAccountToken", &appAccountToken)
    try coder.open("inAppOwnershipType", &inAppOwnershipType)
    try coder.date("signedDate", &signedDate)
    try coder.date("revocationDate", &revocationDate)
    try coder.open("revocationReason", &revocationReason)
    try coder.open("revocationType", &revocationType)
    try coder.integer("revocationPercentage", &revocationPercentage)
    try coder.flag("isUpgraded", &isUpgraded)
    try coder.open("offerType", &offerType)
    try coder.text("offerIdentifier", &offerIdentifier)
    try coder.open("offerDiscountType", &offerDiscountType)
    try coder.text("offerPeriod", &offerPeriod)
    try coder.open("environment", &environment)
    try coder.text("storefront", &storefront)
    try coder.text("storefrontId", &storefrontID)
    try coder.open("transactionReason", &transactionReason)
    try coder.integer("price", &price)
    try coder.text("currency", &currency)
    try coder.text("appTransactionId", &appTransactionID)
    try coder.text("previousOriginalTransactionId", &previousOriginalTransactionID)
    try coder.raw("advancedCommerceInfo", &advancedCommerceInfo)
    try coder.open("billingPlanType", &billingPlanType)
    try coder.model("commitmentInfo", &commitmentInfo)
    try coder.text("deviceVerification", &deviceVerification)
    try coder.text("deviceVerificationNonce", &deviceVerificationNonce)
  }
}

/// Where a transaction stands in a commitment of monthly payments (Domain.md 3.1).
public struct TransactionCommitment: PayloadModel {
  public var billingPeriodNumber: Int64?
  public var totalBillingPeriods: Int64?
  public var commitmentExpiresDate: Instant?
  public var commitmentPrice: Int64?

  public init() {}

  public mutating func code<Coder: PayloadCoder>(
    with coder: inout Coder
  ) throws(Coder.Failure) {
    try coder.integer("billingPeriodNumber", &billingPeriodNumber)
    try coder.integer("totalBillingPeriods", &totalBillingPeriods)
    try coder.date("commitmentExpiresDate", &commitmentExpiresDate)
    try coder.integer("commitmentPrice", &commitmentPrice)
  }
}
