import Varlink

/// One fact in the log.
public struct Event: NamedFields, Hashable {
  public static let typeName = "Event"
  public static let about = """
    One fact in the log. at: its time on its clock; recorded: when it was written. rate: of
    rateChanged, absent where the configured one is in force again. late: a signed fact that came
    after newer ones of its line. environment: a signed fact's. productId and what
    follows: of events about a product and all that have it. on: of a tester's switch, that
    payments fail, or purchases wait for approval or are interrupted, from now on. made: of a
    purchase that waited, that it was made, not declined. signedPayload: the App Store's own text
    of a notification, as it came, where signed was asked for. statusTold,
    consumptionRequestReason, notificationSignedDate: a signed notification's own.
    assumedGraceEnd: as of a Subscription.
    """
  /// Its place in the log; there are no gaps.
  public var sequence: Int64 = 0
  /// Its time on its clock.
  public var time = Timestamp.zero
  /// When it was written, by the machine's clock.
  public var recorded = Timestamp.zero
  public var clock = ""
  public var kind = EventKind(rawValue: "")
  public var account: String?
  /// The subscription it is about (`originalTransactionId`).
  public var originalID: String?
  public var transaction: Transaction?
  public var renewalInfo: RenewalInfo?
  public var statusAfter: SubscriptionStatus?
  /// What Apple would have told a server, such as `DID_RENEW`.
  public var notificationType: String?
  public var subtype: String?
  /// The rate that was set; nil of other kinds, and where the configured one is in force again.
  public var rate: RenewalRate?
  /// The account that sharing began or ended with.
  public var member: String?
  /// Of events about a product and all that have it, and of a purchase that waits.
  public var productID: String?
  /// What it costs from now on, milliunits.
  public var price: Int64?
  /// Whether its subscribers are asked to agree.
  public var needsConsent: Bool?
  /// The mass extension's name, its days, and the storefronts it is for (all if none).
  public var requestIdentifier: String?
  public var days: Int64?
  public var storefronts: [String]?
  /// How many subscriptions were reached, and how many should have been and could not.
  public var succeeded: Int64?
  public var failed: Int64?
  /// The purchase that waits, or waited.
  public var pendingID: String?
  /// Of a purchase that waited: it was made, not declined.
  public var isMade: Bool?
  /// Of a tester's switch: charges fail, or purchases wait or are interrupted, from now on.
  public var isOn: Bool?
  public var requestID: String?
  /// The user who asked for it.
  public var userID: Int64?
  /// A signed fact of the App Store's that came after newer ones of its line.
  public var isLate = false
  /// The environment of a signed fact.
  public var environment: String?
  /// The App Store's own text of a notification, as it came, where signed texts were asked for.
  public var signedPayload: String?
  /// The status that a signed notification says, by Apple's number.
  public var statusTold: SubscriptionStatus?
  /// Why a signed notification asks for consumption data, in Apple's word.
  public var consumptionRequestReason: String?
  /// When a signed notification was signed.
  public var notificationSignedDate: Timestamp?
  /// When the grace that was told of ends by the policy, since no signed fact says when.
  public var assumedGraceEnd: Timestamp?

  public init() {}

  public mutating func code<C: FieldCoder>(with coder: inout C) throws(C.Failure) {
    try coder.integer("sequence", &sequence)
    try coder.time("at", &time)
    try coder.time("recorded", &recorded)
    try coder.text("clock", &clock)
    try coder.open("kind", &kind)
    try coder.text("account", &account)
    try coder.text("originalTransactionId", &originalID)
    try coder.value("transaction", &transaction)
    try coder.value("renewalInfo", &renewalInfo)
    try coder.status("statusAfter", &statusAfter)
    try coder.text("notificationType", &notificationType)
    try coder.text("subtype", &subtype)
    try coder.open("rate", &rate)
    try coder.text("member", &member)
    try coder.text("productId", &productID)
    try coder.integer("price", &price)
    try coder.flag("consent", &needsConsent)
    try coder.text("requestIdentifier", &requestIdentifier)
    try coder.integer("days", &days)
    try coder.texts("storefronts", &storefronts)
    try coder.integer("succeeded", &succeeded)
    try coder.integer("failed", &failed)
    try coder.text("pendingId", &pendingID)
    try coder.flag("made", &isMade)
    try coder.flag("on", &isOn)
    try coder.text("requestId", &requestID)
    try coder.integer("uid", &userID)
    try coder.flag("late", &isLate)
    try coder.text("environment", &environment)
    try coder.text("signedPayload", &signedPayload)
    try coder.status("statusTold", &statusTold)
    try coder.text("consumptionRequestReason", &consumptionRequestReason)
    try coder.time("notificationSignedDate", &notificationSignedDate)
    try coder.time("assumedGraceEnd", &assumedGraceEnd)
  }
}
