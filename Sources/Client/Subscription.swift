/// What will happen at a subscription's next billing event. A store tells every field that applies;
/// of a signed fact of the App Store's those are nil that it does not have.
public struct RenewalInfo: Answer, Hashable {
  /// The product of the newest period.
  public var currentProductID: String?
  /// The product that the next renewal is of (`autoRenewProductId`).
  public var autoRenewPreference: String?
  /// Apple's number: 0 off, 1 on.
  public var autoRenewStatus: Int64?
  /// The end of the newest period.
  public var renewalDate: Timestamp?
  /// Milliunits of `currency`.
  public var renewalPrice: Int64?
  public var currency: String?
  /// It was said to be in billing retry.
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
  public var recentSubscriptionStartDate: Timestamp?
  public var signedDate: Timestamp?
  /// The signed form, a compact JWS, where it was asked for.
  public var signedRenewalInfo: String?
  // Of signed facts alone.
  /// A UUID, of the renewal to come.
  public var appAccountToken: String?
  /// The customer's download of the app.
  public var appTransactionID: String?
  public var renewalBillingPlanType: String?
  /// An object, as JSON; so is the next.
  public var commitmentInfo: String?
  public var advancedCommerceInfo: String?

  public init(from reader: AnswerReader) throws(TransportError) {
    currentProductID = try reader.stringIfPresent("productId")
    autoRenewPreference = try reader.stringIfPresent("autoRenewProductId")
    autoRenewStatus = try reader.integerIfPresent("autoRenewStatus")
    renewalDate = try reader.timeIfPresent("renewalDate")
    renewalPrice = try reader.integerIfPresent("renewalPrice")
    currency = try reader.stringIfPresent("currency")
    isInBillingRetry = try reader.boolIfPresent("isInBillingRetryPeriod") ?? false
    expirationReason = try reader.integerIfPresent("expirationIntent")
    gracePeriodExpirationDate = try reader.timeIfPresent("gracePeriodExpiresDate")
    priceIncreaseStatus = try reader.integerIfPresent("priceIncreaseStatus")
    offerType = try reader.integerIfPresent("offerType")
    offerID = try reader.stringIfPresent("offerIdentifier")
    offerDiscountType = try reader.stringIfPresent("offerDiscountType")
    offerPeriod = try reader.stringIfPresent("offerPeriod")
    eligibleWinBackOfferIDs = try reader.stringsIfPresent("eligibleWinBackOfferIds") ?? []
    recentSubscriptionStartDate = try reader.timeIfPresent("recentSubscriptionStartDate")
    signedDate = try reader.timeIfPresent("signedDate")
    signedRenewalInfo = try reader.stringIfPresent("signedRenewalInfo")
    appAccountToken = try reader.stringIfPresent("appAccountToken")
    appTransactionID = try reader.stringIfPresent("appTransactionId")
    renewalBillingPlanType = try reader.stringIfPresent("renewalBillingPlanType")
    commitmentInfo = try reader.jsonIfPresent("commitmentInfo")
    advancedCommerceInfo = try reader.jsonIfPresent("advancedCommerceInfo")
  }

  /// Whether renewal is on; nil where that is not known.
  public var willAutoRenew: Bool? { RenewalInfo.willAutoRenew(autoRenewStatus) }

  static func willAutoRenew(_ status: Int64?) -> Bool? {
    switch status {
    case 0: false
    case 1: true
    default: nil
    }
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
  /// Nil where the App Store has told none.
  public var renewalInfo: RenewalInfo?
  /// Whether renewal is on; nil where that is not known, which is not the same as off.
  public var willAutoRenew: Bool?
  /// Why it ended, or is in trouble: Apple's number, as in a renewal info. A notification may have
  /// said it where no renewal info did.
  public var expirationReason: Int64?
  /// When its grace ends by the policy, since no signed fact says when.
  public var assumedGraceEnd: Timestamp?
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
    let told: RenewalInfo? = try reader.valueIfPresent("renewalInfo")
    renewalInfo = told
    // A store says both in the renewal info alone.
    willAutoRenew = RenewalInfo.willAutoRenew(
      try reader.integerIfPresent("autoRenewStatus") ?? told?.autoRenewStatus)
    expirationReason =
      try reader.integerIfPresent("expirationIntent") ?? told?.expirationReason
    assumedGraceEnd = try reader.timeIfPresent("assumedGraceEnd")
    nextDue = try reader.timeIfPresent("nextDue")
    lastGraceStart = try reader.timeIfPresent("lastGraceStart")
    lastGraceEnd = try reader.timeIfPresent("lastGraceEnd")
  }
}

extension Subscription {
  /// The end of the grace period: the one told, or else the policy's.
  public var graceEnd: Timestamp? {
    assumedGraceEnd ?? renewalInfo?.gracePeriodExpirationDate
  }
}
