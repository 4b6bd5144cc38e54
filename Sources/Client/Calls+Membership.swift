/// What `Membership.Status` answers: everything about an account.
public struct MembershipStatus: Answer, Hashable {
  public var account: String
  public var isEntitled: Bool
  public var subscriptions: [Subscription]
  /// Lasting and one-time purchases outside any subscription.
  public var purchases: [Transaction]
  /// The log's last event that the answer contains.
  public var sequence: Int64
  /// The moment it speaks of, on the account's clock.
  public var asOf: Timestamp
  public var clock: String
  public var basis: StatusBasis

  public init(from reader: AnswerReader) throws(TransportError) {
    account = try reader.string("account")
    isEntitled = try reader.bool("entitled")
    subscriptions = try reader.values("subscriptions")
    purchases = try reader.values("purchases")
    sequence = try reader.integer("sequence")
    asOf = try reader.time("asOf")
    clock = try reader.string("clock")
    basis = try reader.word("basis")
  }
}

/// What `Membership.Check` answers: the poller's call.
public struct MembershipCheck: Answer, Hashable {
  public var isEntitled: Bool
  public var status: SubscriptionStatus?
  /// The end of what is paid for, or of the grace period; a renewal moves it. Nil where access
  /// never ends, or there is none.
  public var until: Timestamp?
  public var sequence: Int64

  public init(from reader: AnswerReader) throws(TransportError) {
    isEntitled = try reader.bool("entitled")
    status = try reader.integerIfPresent("status").map(SubscriptionStatus.init(rawValue:))
    until = try reader.timeIfPresent("until")
    sequence = try reader.integer("sequence")
  }
}

/// What `Membership.Verify` answers.
public struct TransactionVerification: Answer, Hashable {
  public var isValid: Bool
  /// Why it is not valid.
  public var reason: String?
  /// The same in a word, for programs.
  public var code: String?
  public var sequence: Int64

  public init(from reader: AnswerReader) throws(TransportError) {
    isValid = try reader.bool("valid")
    reason = try reader.stringIfPresent("reason")
    code = try reader.stringIfPresent("code")
    sequence = try reader.integer("sequence")
  }
}

/// A page of `Membership.History`, oldest first.
public struct HistoryPage: Answer, Hashable {
  public var transactions: [Transaction]
  /// Where to go on; nil on the last page.
  public var next: String?

  public init(from reader: AnswerReader) throws(TransportError) {
    transactions = try reader.values("transactions")
    next = try reader.stringIfPresent("next")
  }
}

/// A sentence of an account's story.
public struct ExplainLine: Answer, Hashable {
  /// The event it speaks of.
  public var sequence: Int64?
  public var time: Timestamp
  public var text: String

  public init(from reader: AnswerReader) throws(TransportError) {
    sequence = try reader.integerIfPresent("sequence")
    time = try reader.time("at")
    text = try reader.string("text")
  }
}

/// What `Membership.Explain` answers.
public struct Explanation: Answer, Hashable {
  public var lines: [ExplainLine]

  public init(from reader: AnswerReader) throws(TransportError) {
    lines = try reader.values("lines")
  }
}

/// One reply of `Membership.Watch`. With neither a subscription nor an event it moves the cursor:
/// the seam between present and events, a heartbeat, or the goodbye of a daemon that stops.
public struct WatchReply: Answer, Hashable {
  public var sequence: Int64
  public var subscription: Subscription?
  public var event: Event?

  public init(from reader: AnswerReader) throws(TransportError) {
    sequence = try reader.integer("sequence")
    subscription = try reader.valueIfPresent("subscription")
    event = try reader.valueIfPresent("event")
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
    Call(
      "Membership.Status", isRead: true,
      [
        "account": .string(account), "productId": .text(productID),
        "entitlement": .text(entitlement), "environment": .text(environment), "at": .time(time),
        "signed": .truth(signed),
      ])
  }
}

extension Call where Result == MembershipCheck {
  /// Is the account a member? The smallest answer and the fastest. Role: read.
  public static func check(
    account: String, productID: String? = nil, entitlement: String? = nil
  ) -> Call {
    Call(
      "Membership.Check", isRead: true,
      [
        "account": .string(account), "productId": .text(productID),
        "entitlement": .text(entitlement),
      ])
  }
}

extension Call where Result == TransactionVerification {
  /// Is this transaction valid now: known, this account's, of this product, neither taken back
  /// nor over? Role: read.
  public static func verify(account: String, transactionID: String, productID: String) -> Call {
    Call(
      "Membership.Verify", isRead: true,
      [
        "account": .string(account), "transactionId": .string(transactionID),
        "productId": .string(productID),
      ])
  }

  /// The same of a signed transaction, a compact JWS, which must also be signed under a root that
  /// the daemon trusts, for its app and environment. Role: read.
  public static func verify(
    account: String, signedTransactionInfo: String, productID: String? = nil
  ) -> Call {
    Call(
      "Membership.Verify", isRead: true,
      [
        "account": .string(account), "signedTransactionInfo": .string(signedTransactionInfo),
        "productId": .text(productID),
      ])
  }
}

/// What `Membership.Trust` answers: whose signatures count with this daemon.
public struct Trust: Answer, Hashable {
  public var bundleID: String
  public var environment: String
  /// The app's number in the App Store.
  public var appAppleID: Int64?
  /// Roots in DER.
  public var rootCertificates: [[UInt8]]

  public init(from reader: AnswerReader) throws(TransportError) {
    bundleID = try reader.string("bundleId")
    environment = try reader.string("environment")
    appAppleID = try reader.integerIfPresent("appAppleId")
    var roots: [[UInt8]] = []
    for text in try reader.strings("rootCertificates") {
      guard let bytes = Base64.decode(text) else {
        throw .unexpectedAnswer(path: "rootCertificates", expected: "base64")
      }
      roots.append(bytes)
    }
    rootCertificates = roots
  }
}

extension Call where Result == Trust {
  /// The roots, the app and the environment: what a program needs to verify signed forms by
  /// itself. Role: read.
  public static func trust() -> Call {
    Call("Membership.Trust", isRead: true, [:])
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
    Call(
      "Membership.History", isRead: true,
      [
        "account": .string(account), "from": .text(from), "until": .time(until),
        "signed": .truth(signed), "environment": .text(environment),
      ])
  }
}

extension Call where Result == Explanation {
  /// The account's story in plain sentences. Role: read.
  public static func explain(account: String) -> Call {
    Call("Membership.Explain", isRead: true, ["account": .string(account)])
  }
}

extension Call where Result == WatchReply {
  /// Events as they happen; for `stream`. Without `since` the present state comes first, one
  /// reply a subscription, then the seam. `since` is exclusive, 0 is the whole log. `signed` adds
  /// signed forms. Role: read.
  public static func watch(
    account: String? = nil, since: Int64? = nil, signed: Bool? = nil
  ) -> Call {
    Call(
      "Membership.Watch", isRead: true,
      ["account": .text(account), "since": .integer(since), "signed": .truth(signed)])
  }
}
