import Foundation

/// One purchase, or one period of a subscription, as the store signed it.
public struct Transaction: Identifiable, Sendable {
  public let id: UInt64
  /// The id of the first transaction of its subscription, or its own.
  public let originalID: UInt64
  public let webOrderLineItemID: String?
  public let productID: String
  public let subscriptionGroupID: String?
  public let appBundleID: String
  public let purchaseDate: Date
  public let originalPurchaseDate: Date
  /// When the period ends, which does not include it; nil outside subscriptions.
  public let expirationDate: Date?
  public let purchasedQuantity: Int
  /// Another product of the group took its place before it ended.
  public let isUpgraded: Bool
  public let offer: Offer?
  public let revocationDate: Date?
  public let revocationReason: RevocationReason?
  /// What kind of taking back it was.
  public let revocationType: RevocationType?
  /// What part of the price was taken back, in percent: 0 to 100.
  public let revocationPercentage: Decimal?
  public let productType: Product.ProductType
  public let appAccountToken: UUID?
  public let environment: AppStore.Environment
  public let reason: Reason
  public let storefront: Storefront
  public let price: Decimal?
  public let currency: Locale.Currency?
  public let appTransactionID: String
  public let deviceVerification: Data
  public let deviceVerificationNonce: UUID
  public let ownershipType: OwnershipType
  public let signedDate: Date
  /// How its subscription is charged.
  public let billingPlanType: Product.SubscriptionInfo.BillingPlanType?
  /// Where it stands in a commitment of monthly payments.
  public let commitmentInfo: CommitmentInfo?
  /// What it says besides if it was made by the Advanced Commerce API.
  public let advancedCommerceInfo: AdvancedCommerceInfo?

  let signed: SignedForm

  /// The payload that was signed: JSON with Apple's names.
  public var jsonRepresentation: Data { signed.payload.data }
}

extension Transaction: Hashable {
  public static func == (left: Transaction, right: Transaction) -> Bool {
    left.jsonRepresentation == right.jsonRepresentation
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(jsonRepresentation)
  }
}

extension Transaction {
  /// Fields without which a transaction says nothing.
  static let requiredFields = [
    "transactionId", "originalTransactionId", "productId", "bundleId", "purchaseDate",
    "originalPurchaseDate", "type", "environment", "signedDate", "inAppOwnershipType",
  ]

  /// Reads a signed transaction; what is missing is empty.
  init(_ signed: SignedForm) {
    let payload = signed.payload
    self.signed = signed
    id = payload.identifier("transactionId") ?? 0
    originalID = payload.identifier("originalTransactionId") ?? 0
    webOrderLineItemID = payload.text("webOrderLineItemId")
    productID = payload.text("productId") ?? ""
    subscriptionGroupID = payload.text("subscriptionGroupIdentifier")
    appBundleID = payload.text("bundleId") ?? ""
    purchaseDate = payload.date("purchaseDate") ?? .distantPast
    originalPurchaseDate = payload.date("originalPurchaseDate") ?? .distantPast
    expirationDate = payload.date("expiresDate")
    purchasedQuantity = payload.integer("quantity").flatMap(Int.init(exactly:)) ?? 1
    isUpgraded = payload.truth("isUpgraded") ?? false
    offer = Offer(payload)
    revocationDate = payload.date("revocationDate")
    revocationReason = payload.integer("revocationReason").flatMap(Int.init(exactly:))
      .map(RevocationReason.init(rawValue:))
    revocationType = payload.text("revocationType").map(RevocationType.init(rawValue:))
    revocationPercentage = payload.amount("revocationPercentage")
    productType = Product.ProductType(rawValue: payload.text("type") ?? "")
    appAccountToken = payload.token("appAccountToken")
    environment = AppStore.Environment(rawValue: payload.text("environment") ?? "")
    reason = Reason(rawValue: payload.text("transactionReason") ?? Reason.purchase.rawValue)
    storefront = Storefront(
      countryCode: payload.text("storefront") ?? "", id: payload.text("storefrontId") ?? "",
      currency: payload.currency("currency"))
    price = payload.amount("price")
    currency = payload.currency("currency")
    appTransactionID = payload.text("appTransactionId") ?? ""
    deviceVerification = payload.bytes("deviceVerification") ?? Data()
    deviceVerificationNonce = payload.token("deviceVerificationNonce") ?? .zero
    ownershipType = OwnershipType(rawValue: payload.text("inAppOwnershipType") ?? "")
    signedDate = payload.date("signedDate") ?? .distantPast
    billingPlanType = payload.billingPlanType("billingPlanType")
    commitmentInfo = payload.object("commitmentInfo").flatMap(CommitmentInfo.init)
    advancedCommerceInfo = payload.object("advancedCommerceInfo").map(AdvancedCommerceInfo.init)
  }
}

extension UUID {
  /// Stands where a payload has none.
  static let zero = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
}
