import Varlink

/// One purchase, or one period of a subscription. Names are StoreKit's; the wire's are in the
/// interface `org.renewd.Membership`. A store tells every field that a transaction has; of a signed
/// fact of the App Store's those are nil that it does not have.
public struct Transaction: NamedFields, Hashable {
  public static let typeName = "Transaction"
  public static let about = """
    One purchase or one period of a subscription. Times are milliseconds since 1970 UTC,
    prices milliunits of the currency. forecast: it has not happened, but will if nothing else
    does. uncatalogued: signed facts alone have named its product. restored: a restore gave it
    this id. verificationError: what a tester makes checks of signed forms fail with, by
    StoreKit's name. signedTransactionInfo: its compact JWS, where signed was asked for; what
    the App Store signed is the text as it came. Of a signed fact of the App Store's each field
    is there that was told, as it came, and none that was not; type, transactionReason
    (purchase, renewal) and inAppOwnershipType (purchased, familyShared) may then be words that
    are not known here. storefrontId and what follows signedTransactionInfo: of such facts
    alone.
    """
  /// The transaction's id (`transactionId`).
  public var id = ""
  /// The id of the first transaction of its subscription, or its own (`originalTransactionId`).
  public var originalID = ""
  public var webOrderLineItemID: String?
  public var account: String?
  public var productID = ""
  public var subscriptionGroupID: String?
  public var productType: ProductType?
  public var purchaseDate = Timestamp.zero
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
  public var isUpgraded = false
  public var revocationDate: Timestamp?
  /// Apple's number: 0 other, 1 an issue with the app.
  public var revocationReason: Int64?
  public var revocationType: String?
  /// What part was taken back, in thousandths of a percent: 100000 is the whole.
  public var revocationPercentage: Int64?
  /// A UUID.
  public var appAccountToken: String?
  public var environment = ""
  public var signedDate: Timestamp?
  /// The app has delivered it.
  public var isFinished = false
  /// It has not happened, but will if nothing else does.
  public var isForecast = false
  /// Signed facts alone have named its product; no catalogue has it.
  public var isUncatalogued = false
  /// A restore gave it this id.
  public var isRestored = false
  /// What a tester makes checks of signed forms fail with, by StoreKit's name; nil for nothing, and
  /// where no signed form was asked for.
  public var verificationError: String?
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

  public init() {}

  public mutating func code<C: FieldCoder>(with coder: inout C) throws(C.Failure) {
    try coder.text("transactionId", &id)
    try coder.text("originalTransactionId", &originalID)
    try coder.text("webOrderLineItemId", &webOrderLineItemID)
    try coder.text("account", &account)
    try coder.text("productId", &productID)
    try coder.text("subscriptionGroupIdentifier", &subscriptionGroupID)
    try coder.open("type", &productType)
    try coder.time("purchaseDate", &purchaseDate)
    try coder.time("originalPurchaseDate", &originalPurchaseDate)
    try coder.time("expiresDate", &expirationDate)
    try coder.integer("quantity", &purchasedQuantity)
    try coder.integer("price", &price)
    try coder.text("currency", &currency)
    try coder.text("storefront", &storefrontCountryCode)
    try coder.open("transactionReason", &reason)
    try coder.open("inAppOwnershipType", &ownershipType)
    try coder.integer("offerType", &offerType)
    try coder.text("offerIdentifier", &offerID)
    try coder.text("offerDiscountType", &offerDiscountType)
    try coder.text("offerPeriod", &offerPeriod)
    try coder.mark("isUpgraded", &isUpgraded)
    try coder.time("revocationDate", &revocationDate)
    try coder.integer("revocationReason", &revocationReason)
    try coder.text("revocationType", &revocationType)
    try coder.integer("revocationPercentage", &revocationPercentage)
    try coder.text("appAccountToken", &appAccountToken)
    try coder.text("environment", &environment)
    try coder.time("signedDate", &signedDate)
    try coder.flag("finished", &isFinished)
    try coder.flag("forecast", &isForecast)
    try coder.mark("uncatalogued", &isUncatalogued)
    try coder.mark("restored", &isRestored)
    try coder.text("verificationError", &verificationError)
    try coder.text("signedTransactionInfo", &signedTransactionInfo)
    try coder.text("storefrontId", &storefrontID)
    try coder.text("appTransactionId", &appTransactionID)
    try coder.text("previousOriginalTransactionId", &previousOriginalTransactionID)
    try coder.text("billingPlanType", &billingPlanType)
    try coder.object("commitmentInfo", &commitmentInfo)
    try coder.object("advancedCommerceInfo", &advancedCommerceInfo)
  }

  /// The price with its currency, where both are known.
  public var money: Money? {
    guard let price, let currency else { return nil }
    return Money(milliunits: price, currency: currency)
  }
}
