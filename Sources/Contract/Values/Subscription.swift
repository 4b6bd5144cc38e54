import Varlink

/// What will happen at a subscription's next billing event. A store tells every field that applies;
/// of a signed fact of the App Store's those are nil that it does not have.
public struct RenewalInfo: NamedFields, Hashable {
  public static let typeName = "RenewalInfo"
  public static let about = """
    What will happen at a subscription's next billing event. The offer is that of the renewal.
    eligibleWinBackOfferIds: what a customer who left may redeem, best first.
    verificationError, and signedRenewalInfo, its compact JWS, where signed was asked for: as in
    Transaction. What a store says itself has every field down to renewalDate,
    isInBillingRetryPeriod,
    recentSubscriptionStartDate and signedDate; of a signed fact of the App Store's each field is
    there that was told, as it came, and none that was not. What follows signedRenewalInfo: of
    such facts alone.
    """
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
  public var isInBillingRetry = false
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
  public var eligibleWinBackOfferIDs: [String] = []
  /// The start of the newest chain of paid service.
  public var recentSubscriptionStartDate: Timestamp?
  public var signedDate: Timestamp?
  /// As in `Transaction`.
  public var verificationError: String?
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

  public init() {}

  public mutating func code<C: FieldCoder>(with coder: inout C) throws(C.Failure) {
    try coder.text("productId", &currentProductID)
    try coder.text("autoRenewProductId", &autoRenewPreference)
    try coder.integer("autoRenewStatus", &autoRenewStatus)
    try coder.time("renewalDate", &renewalDate)
    try coder.integer("renewalPrice", &renewalPrice)
    try coder.text("currency", &currency)
    try coder.mark("isInBillingRetryPeriod", &isInBillingRetry)
    try coder.integer("expirationIntent", &expirationReason)
    try coder.time("gracePeriodExpiresDate", &gracePeriodExpirationDate)
    try coder.integer("priceIncreaseStatus", &priceIncreaseStatus)
    try coder.integer("offerType", &offerType)
    try coder.text("offerIdentifier", &offerID)
    try coder.text("offerDiscountType", &offerDiscountType)
    try coder.text("offerPeriod", &offerPeriod)
    try coder.textsIfAny("eligibleWinBackOfferIds", &eligibleWinBackOfferIDs)
    try coder.time("recentSubscriptionStartDate", &recentSubscriptionStartDate)
    try coder.time("signedDate", &signedDate)
    try coder.text("verificationError", &verificationError)
    try coder.text("signedRenewalInfo", &signedRenewalInfo)
    try coder.text("appAccountToken", &appAccountToken)
    try coder.text("appTransactionId", &appTransactionID)
    try coder.text("renewalBillingPlanType", &renewalBillingPlanType)
    try coder.object("commitmentInfo", &commitmentInfo)
    try coder.object("advancedCommerceInfo", &advancedCommerceInfo)
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
public struct Subscription: NamedFields, Hashable {
  public static let typeName = "Subscription"
  public static let about = """
    One subscription line. status: active 1, expired 2, billing retry 3, grace 4, revoked 5.
    renewalInfo: absent where origin is apple and none has come. autoRenewStatus,
    expirationIntent: of such a line, by whichever signed fact said it last, a notification's
    subtype too; absent where none did. assumedGraceEnd: when its grace ends by the policy, since
    no fact says when.
    """
  /// The id of its first transaction (`originalTransactionId`).
  public var originalID = ""
  public var account: String?
  public var subscriptionGroupID = ""
  public var status = SubscriptionStatus(rawValue: 0)
  public var isEntitled = false
  /// Something about it waits for its clock, such as a family member's part.
  public var isPending = false
  public var origin = SubscriptionOrigin(rawValue: "")
  /// Its newest transaction.
  public var transaction = Transaction()
  /// Nil where the App Store has told none.
  public var renewalInfo: RenewalInfo?
  /// Apple's numbers, where a notification said them and no renewal info does.
  public var autoRenewStatus: Int64?
  public var expirationIntent: Int64?
  /// When its grace ends by the policy, since no signed fact says when.
  public var assumedGraceEnd: Timestamp?
  /// When the daemon must act next.
  public var nextDue: Timestamp?
  public var lastGraceStart: Timestamp?
  public var lastGraceEnd: Timestamp?

  public init() {}

  public mutating func code<C: FieldCoder>(with coder: inout C) throws(C.Failure) {
    try coder.text("originalTransactionId", &originalID)
    try coder.text("account", &account)
    try coder.text("subscriptionGroupIdentifier", &subscriptionGroupID)
    try coder.status("status", &status)
    try coder.flag("entitled", &isEntitled)
    try coder.flag("pending", &isPending)
    try coder.word("origin", &origin)
    try coder.value("transaction", &transaction)
    try coder.value("renewalInfo", &renewalInfo)
    try coder.integer("autoRenewStatus", &autoRenewStatus)
    try coder.integer("expirationIntent", &expirationIntent)
    try coder.time("assumedGraceEnd", &assumedGraceEnd)
    try coder.time("nextDue", &nextDue)
    try coder.time("lastGraceStart", &lastGraceStart)
    try coder.time("lastGraceEnd", &lastGraceEnd)
  }
}

extension Subscription {
  /// Whether renewal is on; nil where that is not known, which is not the same as off. A store
  /// says it in the renewal info alone.
  public var willAutoRenew: Bool? {
    RenewalInfo.willAutoRenew(autoRenewStatus ?? renewalInfo?.autoRenewStatus)
  }

  /// Why it ended, or is in trouble: Apple's number, as in a renewal info. A notification may have
  /// said it where no renewal info did.
  public var expirationReason: Int64? { expirationIntent ?? renewalInfo?.expirationReason }

  /// The end of the grace period: the one told, or else the policy's.
  public var graceEnd: Timestamp? {
    assumedGraceEnd ?? renewalInfo?.gracePeriodExpirationDate
  }
}
