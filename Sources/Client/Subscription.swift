/// What will happen at a subscription's next billing event.
public struct RenewalInfo: Answer, Hashable {
  /// The product of the newest period.
  public var currentProductID: String
  /// The product that the next renewal is of (`autoRenewProductId`).
  public var autoRenewPreference: String
  public var willAutoRenew: Bool
  /// The end of the newest period.
  public var renewalDate: Timestamp
  /// Milliunits of `currency`.
  public var renewalPrice: Int64?
  public var currency: String?
  public var isInBillingRetry: Bool
  /// Apple's number: 1 cancelled, 2 billing error, 3 no consent, 4 product unavailable, 5 other.
  public var expirationReason: Int64?
  public var gracePeriodExpirationDate: Timestamp?
  public var priceIncreaseStatus: Int64?
  /// The offer of the next renewal: Apple's number of its type, its id, how it is paid, and its
  /// whole length (ISO 8601).
  public var offerType: Int64?
  public var offerID: String?
  public var offerDiscountType: String?
  public var offerPeriod: String?
  /// The win-back offers that a customer who left may redeem, best first.
  public var eligibleWinBackOfferIDs: [String]
  /// The start of the newest chain of paid service.
  public var recentSubscriptionStartDate: Timestamp
  public var signedDate: Timestamp
  /// The signed form, a compact JWS, where it was asked for.
  public var signedRenewalInfo: String?

  public init(from reader: AnswerReader) throws(TransportError) {
    currentProductID = try reader.string("productId")
    autoRenewPreference = try reader.string("autoRenewProductId")
    willAutoRenew = try reader.integer("autoRenewStatus") == 1
    renewalDate = try reader.time("renewalDate")
    renewalPrice = try reader.integerIfPresent("renewalPrice")
    currency = try reader.stringIfPresent("currency")
    isInBillingRetry = try reader.bool("isInBillingRetryPeriod")
    expirationReason = try reader.integerIfPresent("expirationIntent")
    gracePeriodExpirationDate = try reader.timeIfPresent("gracePeriodExpiresDate")
    priceIncreaseStatus = try reader.integerIfPresent("priceIncreaseStatus")
    offerType = try reader.integerIfPresent("offerType")
    offerID = try reader.stringIfPresent("offerIdentifier")
    offerDiscountType = try reader.stringIfPresent("offerDiscountType")
    offerPeriod = try reader.stringIfPresent("offerPeriod")
    eligibleWinBackOfferIDs = try reader.stringsIfPresent("eligibleWinBackOfferIds") ?? []
    recentSubscriptionStartDate = try reader.time("recentSubscriptionStartDate")
    signedDate = try reader.time("signedDate")
    signedRenewalInfo = try reader.stringIfPresent("signedRenewalInfo")
  }
}

/// One subscription line: what one `originalTransactionId` names.
public struct Subscription: Answer, Hashable {
  /// The id of its first transaction (`originalTransactionId`).
  public var originalID: String
  public var account: String?
  public var subscriptionGroupID: String
  public var status: SubscriptionStatus
  public var isEntitled: Bool
  /// Something about it waits for its clock, such as a family member's part.
  public var isPending: Bool
  public var origin: SubscriptionOrigin
  /// Its newest transaction.
  public var transaction: Transaction
  public var renewalInfo: RenewalInfo
  /// When the daemon must act next.
  public var nextDue: Timestamp?
  public var lastGraceStart: Timestamp?
  public var lastGraceEnd: Timestamp?

  public init(from reader: AnswerReader) throws(TransportError) {
    originalID = try reader.string("originalTransactionId")
    account = try reader.stringIfPresent("account")
    subscriptionGroupID = try reader.string("subscriptionGroupIdentifier")
    status = SubscriptionStatus(rawValue: try reader.integer("status"))
    isEntitled = try reader.bool("entitled")
    isPending = try reader.bool("pending")
    origin = try reader.word("origin")
    transaction = try reader.value("transaction")
    renewalInfo = try reader.value("renewalInfo")
    nextDue = try reader.timeIfPresent("nextDue")
    lastGraceStart = try reader.timeIfPresent("lastGraceStart")
    lastGraceEnd = try reader.timeIfPresent("lastGraceEnd")
  }
}
