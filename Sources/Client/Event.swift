/// One fact in the log.
public struct Event: Answer, Hashable {
  /// Its place in the log; there are no gaps.
  public var sequence: Int64
  /// Its time on its clock.
  public var time: Timestamp
  /// When it was written, by the machine's clock.
  public var recorded: Timestamp
  public var clock: String
  public var kind: EventKind
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
  public var isLate: Bool
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

  public init(from reader: AnswerReader) throws(TransportError) {
    sequence = try reader.integer("sequence")
    time = try reader.time("at")
    recorded = try reader.time("recorded")
    clock = try reader.string("clock")
    kind = try reader.word("kind")
    account = try reader.stringIfPresent("account")
    originalID = try reader.stringIfPresent("originalTransactionId")
    transaction = try reader.valueIfPresent("transaction")
    renewalInfo = try reader.valueIfPresent("renewalInfo")
    statusAfter = try reader.integerIfPresent("statusAfter")
      .map(SubscriptionStatus.init(rawValue:))
    notificationType = try reader.stringIfPresent("notificationType")
    subtype = try reader.stringIfPresent("subtype")
    rate = try reader.stringIfPresent("rate").map(RenewalRate.init(rawValue:))
    member = try reader.stringIfPresent("member")
    productID = try reader.stringIfPresent("productId")
    price = try reader.integerIfPresent("price")
    needsConsent = try reader.boolIfPresent("consent")
    requestIdentifier = try reader.stringIfPresent("requestIdentifier")
    days = try reader.integerIfPresent("days")
    storefronts = try reader.stringsIfPresent("storefronts")
    succeeded = try reader.integerIfPresent("succeeded")
    failed = try reader.integerIfPresent("failed")
    pendingID = try reader.stringIfPresent("pendingId")
    isMade = try reader.boolIfPresent("made")
    isOn = try reader.boolIfPresent("on")
    requestID = try reader.stringIfPresent("requestId")
    userID = try reader.integerIfPresent("uid")
    isLate = try reader.bool("late")
    environment = try reader.stringIfPresent("environment")
    signedPayload = try reader.stringIfPresent("signedPayload")
    statusTold = try reader.integerIfPresent("statusTold").map(SubscriptionStatus.init(rawValue:))
    consumptionRequestReason = try reader.stringIfPresent("consumptionRequestReason")
    notificationSignedDate = try reader.timeIfPresent("notificationSignedDate")
    assumedGraceEnd = try reader.timeIfPresent("assumedGraceEnd")
  }
}
