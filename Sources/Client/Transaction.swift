/// One purchase, or one period of a subscription. Names are StoreKit's; the wire's are in the
/// interface `org.renewd.Membership`. A store tells every field that a transaction has; of a signed
/// fact of the App Store's those are nil that it does not have.
public struct Transaction: Answer, Hashable {
  /// The transaction's id (`transactionId`).
  public var id: String
  /// The id of the first transaction of its subscription, or its own (`originalTransactionId`).
  public var originalID: String
  public var webOrderLineItemID: String?
  public var account: String?
  public var productID: String
  public var subscriptionGroupID: String?
  public var productType: ProductType?
  public var purchaseDate: Timestamp
  public var originalPurchaseDate: Timestamp?
  /// The end of the period, which it does not include (`expiresDate`).
  public var expirationDate: Timestamp?
  public var purchasedQuantity: Int64?
  /// What was paid, in milliunits of `currency`.
  public var price: Int64?
  /// ISO 4217.
  public var currency: String?
  /// Three letters (ISO 3166), such as `USA`.
  public var storefrontCountryCode: String?
  public var reason: TransactionReason?
  public var ownershipType: OwnershipType?
  /// Apple's number: 1 introductory, 2 promotional, 3 code, 4 win-back.
  public var offerType: Int64?
  public var offerID: String?
  public var offerDiscountType: String?
  /// ISO 8601, such as `P1M`.
  public var offerPeriod: String?
  /// It was said to be replaced by an upgrade.
  public var isUpgraded: Bool
  public var revocationDate: Timestamp?
  /// Apple's number: 0 other, 1 an issue with the app.
  public var revocationReason: Int64?
  public var revocationType: String?
  /// What part was taken back, in thousandths of a percent: 100000 is the whole.
  public var revocationPercentage: Int64?
  /// A UUID.
  public var appAccountToken: String?
  public var environment: String
  public var signedDate: Timestamp?
  /// The app has delivered it.
  public var isFinished: Bool
  /// It has not happened, but will if nothing else does.
  public var isForecast: Bool
  /// Signed facts alone have named its product; no catalogue has it.
  public var isUncatalogued: Bool
  /// A restore gave it this id.
  public var isRestored: Bool
  /// The signed form, a compact JWS, where it was asked for.
  public var signedTransactionInfo: String?
  // Of signed facts alone.
  /// Apple's number of the storefront.
  public var storefrontID: String?
  /// The customer's download of the app.
  public var appTransactionID: String?
  public var previousOriginalTransactionID: String?
  public var billingPlanType: String?
  /// An object, as JSON; so is the next.
  public var commitmentInfo: String?
  public var advancedCommerceInfo: String?

  public init(from reader: AnswerReader) throws(TransportError) {
    id = try reader.string("transactionId")
    originalID = try reader.string("originalTransactionId")
    webOrderLineItemID = try reader.stringIfPresent("webOrderLineItemId")
    account = try reader.stringIfPresent("account")
    productID = try reader.string("productId")
    subscriptionGroupID = try reader.stringIfPresent("subscriptionGroupIdentifier")
    productType = try reader.wordIfPresent("type")
    purchaseDate = try reader.time("purchaseDate")
    originalPurchaseDate = try reader.timeIfPresent("originalPurchaseDate")
    expirationDate = try reader.timeIfPresent("expiresDate")
    purchasedQuantity = try reader.integerIfPresent("quantity")
    price = try reader.integerIfPresent("price")
    currency = try reader.stringIfPresent("currency")
    storefrontCountryCode = try reader.stringIfPresent("storefront")
    reason = try reader.wordIfPresent("transactionReason")
    ownershipType = try reader.wordIfPresent("inAppOwnershipType")
    offerType = try reader.integerIfPresent("offerType")
    offerID = try reader.stringIfPresent("offerIdentifier")
    offerDiscountType = try reader.stringIfPresent("offerDiscountType")
    offerPeriod = try reader.stringIfPresent("offerPeriod")
    isUpgraded = try reader.boolIfPresent("isUpgraded") ?? false
    revocationDate = try reader.timeIfPresent("revocationDate")
    revocationReason = try reader.integerIfPresent("revocationReason")
    revocationType = try reader.stringIfPresent("revocationType")
    revocationPercentage = try reader.integerIfPresent("revocationPercentage")
    appAccountToken = try reader.stringIfPresent("appAccountToken")
    environment = try reader.string("environment")
    signedDate = try reader.timeIfPresent("signedDate")
    isFinished = try reader.bool("finished")
    isForecast = try reader.bool("forecast")
    isUncatalogued = try reader.boolIfPresent("uncatalogued") ?? false
    isRestored = try reader.boolIfPresent("restored") ?? false
    signedTransactionInfo = try reader.stringIfPresent("signedTransactionInfo")
    storefrontID = try reader.stringIfPresent("storefrontId")
    appTransactionID = try reader.stringIfPresent("appTransactionId")
    previousOriginalTransactionID = try reader.stringIfPresent("previousOriginalTransactionId")
    billingPlanType = try reader.stringIfPresent("billingPlanType")
    commitmentInfo = try reader.jsonIfPresent("commitmentInfo")
    advancedCommerceInfo = try reader.jsonIfPresent("advancedCommerceInfo")
  }

  /// The price with its currency, where both are known.
  public var money: Money? {
    guard let price, let currency else { return nil }
    return Money(milliunits: price, currency: currency)
  }
}
