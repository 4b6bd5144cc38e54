import Varlink

/// `org.renewd.Membership`.
public enum MembershipInterface: Interface {
  public static let name = "org.renewd.Membership"
  public static let about = """
    Who is a member? For every process that may read. Times are milliseconds since 1970 UTC.
    """
  public static let role = PeerRole.read
}

/// A method of `org.renewd.Membership`.
public protocol MembershipMethod: Method where Home == MembershipInterface {}

extension MembershipInterface {
  public struct Status: MembershipMethod, Reading {
    public typealias Answer = MembershipStatus
    public static let name = "Status"
    public static let about = """
      Everything about an account, now or at another moment: at in the past is the fold of the
      events up to it, at in the future what will happen if nothing else does. An account never
      seen is not entitled. productId and entitlement narrow the answer. signed adds the signed
      forms of what stands now, so it is refused with another moment; of the App Store's lines the
      texts that they stand on, as they came.
      """
    public var account = ""
    public var productID: String?
    public var entitlement: String?
    public var environment: String?
    public var at: Timestamp?
    public var signed: Bool?
    public var standsFor: [SimulatedAPI] { [.subscriptionStatus] }

    public init() {}

    public mutating func code<C: FieldCoder>(with coder: inout C) throws(C.Failure) {
      try coder.text("account", &account)
      try coder.text("productId", &productID)
      try coder.text("entitlement", &entitlement)
      try coder.text("environment", &environment)
      try coder.time("at", &at)
      try coder.flag("signed", &signed)
    }
  }

  public struct Check: MembershipMethod, Reading {
    public typealias Answer = MembershipCheck
    public static let name = "Check"
    public static let about = """
      The poller's call. until: the end of what is paid for, or of the grace period; a renewal
      moves it. Absent where access never ends, or there is none.
      """
    public var account = ""
    public var productID: String?
    public var entitlement: String?

    public init() {}

    public mutating func code<C: FieldCoder>(with coder: inout C) throws(C.Failure) {
      try coder.text("account", &account)
      try coder.text("productId", &productID)
      try coder.text("entitlement", &entitlement)
    }
  }

  public struct Verify: MembershipMethod, Reading {
    public typealias Answer = TransactionVerification
    public static let name = "Verify"
    public static let about = """
      Is this transaction valid now: known, this account's, of this product, not taken back, not
      over? Give transactionId with productId, or signedTransactionInfo, a compact JWS, which must
      also be signed under a root that is trusted here, for this app and environment. reason says
      why it is not valid, code the same in a word for programs.
      """
    public var account = ""
    public var transactionID: String?
    public var productID: String?
    public var signedTransactionInfo: String?
    public var standsFor: [SimulatedAPI] { [.verification] }

    public init() {}

    public mutating func code<C: FieldCoder>(with coder: inout C) throws(C.Failure) {
      try coder.text("account", &account)
      try coder.text("transactionId", &transactionID)
      try coder.text("productId", &productID)
      try coder.text("signedTransactionInfo", &signedTransactionInfo)
    }
  }

  public struct History: MembershipMethod, Reading {
    public typealias Answer = HistoryPage
    public static let name = "History"
    public static let about = """
      All transactions of an account, oldest first, in pages: pass next as from. What was restored
      is listed once, under its newest id. until in the future adds those that will come if nothing
      else happens. signed adds the signed forms of those that have come, dated now, and of the App
      Store's the texts as they came. environment: as in Status.
      """
    public var account = ""
    public var from: String?
    public var until: Timestamp?
    public var signed: Bool?
    public var environment: String?

    public init() {}

    public mutating func code<C: FieldCoder>(with coder: inout C) throws(C.Failure) {
      try coder.text("account", &account)
      try coder.text("from", &from)
      try coder.time("until", &until)
      try coder.flag("signed", &signed)
      try coder.text("environment", &environment)
    }
  }

  public struct Explain: MembershipMethod, Reading {
    public typealias Answer = Explanation
    public static let name = "Explain"
    public static let about = """
      The account's story in plain sentences.
      """
    public var account = ""

    public init() {}

    public mutating func code<C: FieldCoder>(with coder: inout C) throws(C.Failure) {
      try coder.text("account", &account)
    }
  }

  public struct Watch: MembershipMethod, Reading {
    public typealias Answer = WatchReply
    public static let name = "Watch"
    public static let about = """
      Call with more. Without since: the present state, one reply per subscription, then one with
      only the sequence, then events as they happen. With since (exclusive; 0 is the whole log):
      events only. A reply with only a sequence moves the cursor. A watch owns its connection.
      signed adds signed forms: of the present state dated now, of an event dated as the event.
      """
    public var account: String?
    public var since: Int64?
    public var signed: Bool?

    public init() {}

    public mutating func code<C: FieldCoder>(with coder: inout C) throws(C.Failure) {
      try coder.text("account", &account)
      try coder.integer("since", &since)
      try coder.flag("signed", &signed)
    }
  }

  public struct Trust: MembershipMethod, Reading {
    public typealias Answer = Contract.Trust
    public static let name = "Trust"
    public static let about = """
      Whose signatures count here, for programs that verify by themselves: the app, the
      environment, and the roots in DER, in base64. simulated: what a tester makes parts of
      StoreKit fail with at present.
      """

    public init() {}

    public mutating func code<C: FieldCoder>(with coder: inout C) throws(C.Failure) {}
  }
}

/// What `Membership.Status` answers: everything about an account.
public struct MembershipStatus: Fields, Hashable {
  public var account = ""
  public var isEntitled = false
  public var subscriptions: [Subscription] = []
  /// Lasting and one-time purchases outside any subscription.
  public var purchases: [Transaction] = []
  /// The log's last event that the answer contains.
  public var sequence: Int64 = 0
  /// The moment it speaks of, on the account's clock.
  public var asOf = Timestamp.zero
  public var clock = ""
  public var basis = StatusBasis(rawValue: "")

  public init() {}

  public mutating func code<C: FieldCoder>(with coder: inout C) throws(C.Failure) {
    try coder.text("account", &account)
    try coder.flag("entitled", &isEntitled)
    try coder.values("subscriptions", &subscriptions)
    try coder.values("purchases", &purchases)
    try coder.integer("sequence", &sequence)
    try coder.time("asOf", &asOf)
    try coder.text("clock", &clock)
    try coder.word("basis", &basis)
  }
}

/// What `Membership.Check` answers: the poller's call.
public struct MembershipCheck: Fields, Hashable {
  public var isEntitled = false
  public var status: SubscriptionStatus?
  /// The end of what is paid for, or of the grace period; a renewal moves it. Nil where access
  /// never ends, or there is none.
  public var until: Timestamp?
  public var sequence: Int64 = 0

  public init() {}

  public mutating func code<C: FieldCoder>(with coder: inout C) throws(C.Failure) {
    try coder.flag("entitled", &isEntitled)
    try coder.status("status", &status)
    try coder.time("until", &until)
    try coder.integer("sequence", &sequence)
  }
}

/// What `Membership.Verify` answers.
public struct TransactionVerification: Fields, Hashable {
  public var isValid = false
  /// Why it is not valid.
  public var reason: String?
  /// The same in a word, for programs.
  public var code: String?
  public var sequence: Int64 = 0

  public init() {}

  public mutating func code<C: FieldCoder>(with coder: inout C) throws(C.Failure) {
    try coder.flag("valid", &isValid)
    try coder.text("reason", &reason)
    try coder.text("code", &code)
    try coder.integer("sequence", &sequence)
  }
}

/// A page of `Membership.History`, oldest first.
public struct HistoryPage: Fields, Hashable {
  public var transactions: [Transaction] = []
  /// Where to go on; nil on the last page.
  public var next: String?

  public init() {}

  public mutating func code<C: FieldCoder>(with coder: inout C) throws(C.Failure) {
    try coder.values("transactions", &transactions)
    try coder.text("next", &next)
  }
}

/// A sentence of an account's story.
public struct ExplainLine: NamedFields, Hashable {
  public static let typeName = "ExplainLine"
  public static let about = """
    A sentence of an account's story, and the event it speaks of.
    """
  /// The event it speaks of.
  public var sequence: Int64?
  public var time = Timestamp.zero
  public var text = ""

  public init() {}

  public mutating func code<C: FieldCoder>(with coder: inout C) throws(C.Failure) {
    try coder.integer("sequence", &sequence)
    try coder.time("at", &time)
    try coder.text("text", &text)
  }
}

/// What `Membership.Explain` answers.
public struct Explanation: Fields, Hashable {
  public var lines: [ExplainLine] = []

  public init() {}

  public mutating func code<C: FieldCoder>(with coder: inout C) throws(C.Failure) {
    try coder.values("lines", &lines)
  }
}

/// One reply of `Membership.Watch`. With neither a subscription nor an event it moves the cursor:
/// the seam between present and events, a heartbeat, or the goodbye of a daemon that stops.
public struct WatchReply: Fields, Hashable {
  public var sequence: Int64 = 0
  public var subscription: Subscription?
  public var event: Event?

  public init() {}

  public mutating func code<C: FieldCoder>(with coder: inout C) throws(C.Failure) {
    try coder.integer("sequence", &sequence)
    try coder.value("subscription", &subscription)
    try coder.value("event", &event)
  }
}

extension Call where Result == MembershipStatus {
  /// Everything about an account, now or at another moment. An account never seen is not
  /// entitled. A product or an entitlement narrows the answer. `signed` adds the signed forms of
  /// what stands now. Role: read.
  public static func status(
    account: String, productID: String? = nil, entitlement: String? = nil,
    environment: String? = nil, at time: Timestamp? = nil, signed: Bool? = nil
  ) -> Call {
    Call(MembershipInterface.Status()) {
      $0.account = account
      $0.productID = productID
      $0.entitlement = entitlement
      $0.environment = environment
      $0.at = time
      $0.signed = signed
    }
  }
}

extension Call where Result == MembershipCheck {
  /// Is the account a member? The smallest answer and the fastest. Role: read.
  public static func check(
    account: String, productID: String? = nil, entitlement: String? = nil
  ) -> Call {
    Call(MembershipInterface.Check()) {
      $0.account = account
      $0.productID = productID
      $0.entitlement = entitlement
    }
  }
}

extension Call where Result == TransactionVerification {
  /// Is this transaction valid now: known, this account's, of this product, neither taken back
  /// nor over? Role: read.
  public static func verify(account: String, transactionID: String, productID: String) -> Call {
    Call(MembershipInterface.Verify()) {
      $0.account = account
      $0.transactionID = transactionID
      $0.productID = productID
    }
  }

  /// The same of a signed transaction, a compact JWS, which must also be signed under a root that
  /// the daemon trusts, for its app and environment. Role: read.
  public static func verify(
    account: String, signedTransactionInfo: String, productID: String? = nil
  ) -> Call {
    Call(MembershipInterface.Verify()) {
      $0.account = account
      $0.signedTransactionInfo = signedTransactionInfo
      $0.productID = productID
    }
  }
}

/// What `Membership.Trust` answers: whose signatures count with this daemon.
public struct Trust: Fields, Hashable {
  public var bundleID = ""
  public var environment = ""
  /// The app's number in the App Store.
  public var appAppleID: Int64?
  /// Roots in DER, each in base64.
  public var rootCertificates: [String] = []
  /// What a tester makes parts of StoreKit fail with at present.
  public var simulated: [SimulatedFault] = []

  public init() {}

  public mutating func code<C: FieldCoder>(with coder: inout C) throws(C.Failure) {
    try coder.text("bundleId", &bundleID)
    try coder.text("environment", &environment)
    try coder.integer("appAppleId", &appAppleID)
    try coder.texts("rootCertificates", &rootCertificates)
    try coder.valuesIfAny("simulated", &simulated)
  }
}

extension Call where Result == Trust {
  /// The roots, the app and the environment: what a program needs to verify signed forms by
  /// itself. Role: read.
  public static func trust() -> Call {
    Call(MembershipInterface.Trust())
  }
}

extension Call where Result == HistoryPage {
  /// The transactions of an account, oldest first, in pages: pass a page's `next` as `from`.
  /// `until` in the future adds those that will come if nothing else happens. `signed` adds the
  /// signed forms of those that have come; `environment` is the daemon's own unless named.
  /// Role: read.
  public static func history(
    account: String, from: String? = nil, until: Timestamp? = nil, signed: Bool? = nil,
    environment: String? = nil
  ) -> Call {
    Call(MembershipInterface.History()) {
      $0.account = account
      $0.from = from
      $0.until = until
      $0.signed = signed
      $0.environment = environment
    }
  }
}

extension Call where Result == Explanation {
  /// The account's story in plain sentences. Role: read.
  public static func explain(account: String) -> Call {
    Call(MembershipInterface.Explain()) {
      $0.account = account
    }
  }
}

extension Call where Result == WatchReply {
  /// Events as they happen; for `stream`. Without `since` the present state comes first, one
  /// reply a subscription, then the seam. `since` is exclusive, 0 is the whole log. `signed` adds
  /// signed forms. Role: read.
  public static func watch(
    account: String? = nil, since: Int64? = nil, signed: Bool? = nil
  ) -> Call {
    Call(MembershipInterface.Watch()) {
      $0.account = account
      $0.since = since
      $0.signed = signed
    }
  }
}
