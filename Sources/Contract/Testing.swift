import Varlink

/// `org.renewd.Testing`.
public enum TestingInterface: Interface {
  public static let name = "org.renewd.Testing"
  public static let about = """
    What a tester does to a subscription. For admins; store logs only. A method that takes
    account, transactionId and originalTransactionId wants exactly one of them.
    """
  public static let role = PeerRole.admin
  public static let isForStoresAlone = true
}

/// A method of `org.renewd.Testing`.
public protocol TestingMethod: Method where Home == TestingInterface {}

/// A method of `org.renewd.Testing` that says what it changes, and no more.
public protocol TargetMethod: TestingMethod where Answer == TestAnswer {
  var target: TestTarget { get set }
  var requestID: String? { get set }
}

extension TargetMethod {
  public mutating func code<C: FieldCoder>(with coder: inout C) throws(C.Failure) {
    try target.code(with: &coder)
    try coder.text("requestId", &requestID)
  }
}

extension Call {
  init<M: TargetMethod>(
    _ method: M, _ target: TestTarget, _ requestID: String?
  ) where Result == TestAnswer {
    self.init(method) {
      $0.target = target
      $0.requestID = requestID
    }
  }
}

/// What a test changes: an account's only candidate, a transaction, or a subscription. A call must
/// name one of them.
public struct TestTarget: Hashable, Sendable {
  public private(set) var account: String?
  public private(set) var transactionID: String?
  public private(set) var originalID: String?

  public static func account(_ account: String) -> TestTarget { TestTarget(account: account) }

  public static func transaction(id: String) -> TestTarget { TestTarget(transactionID: id) }

  public static func subscription(originalID: String) -> TestTarget {
    TestTarget(originalID: originalID)
  }

  init(account: String? = nil, transactionID: String? = nil, originalID: String? = nil) {
    self.account = account
    self.transactionID = transactionID
    self.originalID = originalID
  }

  mutating func code<C: FieldCoder>(with coder: inout C) throws(C.Failure) {
    try coder.text("account", &account)
    try coder.text("transactionId", &transactionID)
    try coder.text("originalTransactionId", &originalID)
  }
}

/// What a test made of a transaction.
public struct TestAnswer: Fields, Hashable {
  public var transaction = Transaction()
  public var sequence: Int64 = 0

  public init() {}

  public mutating func code<C: FieldCoder>(with coder: inout C) throws(C.Failure) {
    try coder.value("transaction", &transaction)
    try coder.integer("sequence", &sequence)
  }
}

extension Call where Result == TestAnswer {
  /// Refunds a transaction; for an account, the current one of its only subscription or lasting
  /// purchase. `percentage` is 1 to 100, the whole if nil; `reason` 0 other, 1 an issue with the
  /// app. Role: admin.
  public static func refund(
    _ target: TestTarget, percentage: Int? = nil, reason: Int? = nil, requestID: String? = nil
  ) -> Call {
    Call(TestingInterface.Refund()) {
      $0.target = target
      $0.percentage = percentage.map(Int64.init)
      $0.reason = reason.map(Int64.init)
      $0.requestID = requestID
    }
  }

  /// Takes a refund back. Role: admin.
  public static func reverseRefund(_ target: TestTarget, requestID: String? = nil) -> Call {
    Call(TestingInterface.ReverseRefund(), target, requestID)
  }

  /// A customer asks for a refund, which turns a subscription's renewal off and is decided by
  /// `refund` or `declineRefund`. Role: admin.
  public static func requestRefund(_ target: TestTarget, requestID: String? = nil) -> Call {
    Call(TestingInterface.RequestRefund(), target, requestID)
  }

  /// Declines a refund that was asked for. Role: admin.
  public static func declineRefund(_ target: TestTarget, requestID: String? = nil) -> Call {
    Call(TestingInterface.DeclineRefund(), target, requestID)
  }

  /// Ends the period now and begins the next one. Role: admin.
  public static func forceRenewal(_ target: TestTarget, requestID: String? = nil) -> Call {
    Call(TestingInterface.ForceRenewal(), target, requestID)
  }

  /// Ends the subscription now, without a renewal. Role: admin.
  public static func expire(_ target: TestTarget, requestID: String? = nil) -> Call {
    Call(TestingInterface.Expire(), target, requestID)
  }

  /// Pays what is owed: ends the grace period or the billing retry of a subscription. The
  /// account's later charges succeed too. Role: admin.
  public static func resolveBilling(_ target: TestTarget, requestID: String? = nil) -> Call {
    Call(TestingInterface.ResolveBilling(), target, requestID)
  }
}

extension Call where Result == SequenceAnswer {
  /// Whether an account's renewals can be paid from now on. One that cannot begins billing
  /// trouble, with a grace period where the daemon's policy has one; `.succeed` alone pays nothing
  /// that is owed. Other purchases are not concerned. Without `account` it is for all but those
  /// that were told to succeed. Role: admin.
  public static func setBilling(
    account: String?, outcome: BillingOutcome, requestID: String? = nil
  ) -> Call {
    Call(TestingInterface.SetBilling()) {
      $0.account = account
      $0.outcome = outcome
      $0.requestID = requestID
    }
  }
}

extension TestingInterface {
  public struct Refund: TestingMethod {
    public typealias Answer = TestAnswer
    public static let name = "Refund"
    public static let about = """
      Refunds a transaction. For an account: the current one of its only subscription or lasting
      purchase; Ambiguous names them where there are several. percentage is 1 to 100, the whole
      if absent; reason 0 other, 1 an issue with the app.
      """
    public var target = TestTarget()
    public var percentage: Int64?
    public var reason: Int64?
    public var requestID: String?

    public init() {}

    public mutating func code<C: FieldCoder>(with coder: inout C) throws(C.Failure) {
      try target.code(with: &coder)
      try coder.integer("percentage", &percentage)
      try coder.integer("reason", &reason)
      try coder.text("requestId", &requestID)
    }
  }

  public struct ReverseRefund: TargetMethod {
    public static let name = "ReverseRefund"
    public static let about = """
      Takes a refund back.
      """
    public var target = TestTarget()
    public var requestID: String?

    public init() {}
  }

  public struct RequestRefund: TargetMethod {
    public static let name = "RequestRefund"
    public static let about = """
      A customer asks for a refund: the app's server would be asked about consumption, and the
      subscription does not renew any more. Refund gives it, DeclineRefund does not; a request
      that is not decided yet is not made twice. For an account as in Refund.
      """
    public var target = TestTarget()
    public var requestID: String?
    public var standsFor: [SimulatedAPI] { [.refundRequest] }

    public init() {}
  }

  public struct DeclineRefund: TargetMethod {
    public static let name = "DeclineRefund"
    public static let about = """
      Declines a refund that was asked for. Renewal stays off until it is turned on. For an
      account as in Refund, of those whose refund is asked for.
      """
    public var target = TestTarget()
    public var requestID: String?

    public init() {}
  }

  public struct ForceRenewal: TargetMethod {
    public static let name = "ForceRenewal"
    public static let about = """
      Ends the period now, if it has not ended, and begins the next one, which is paid. Renewal is
      on after it, and no price increase waits; later charges fail as before.
      """
    public var target = TestTarget()
    public var requestID: String?

    public init() {}
  }

  public struct Expire: TargetMethod {
    public static let name = "Expire"
    public static let about = """
      Ends the subscription now, without a renewal; in grace and billing retry too.
      """
    public var target = TestTarget()
    public var requestID: String?

    public init() {}
  }

  public struct SetBilling: TestingMethod {
    public typealias Answer = SequenceAnswer
    public static let name = "SetBilling"
    public static let about = """
      Whether an account's renewals can be paid from now on. One that cannot begins billing
      trouble, with a grace period where the configuration has one. With succeed what is owed is
      paid when it is tried next, a day later at most; nextDue of its subscription says when, and
      ResolveBilling pays it at once. A first purchase, and one outside billing trouble, is not
      concerned. Without account it is for all but those that were told to succeed.
      """
    public var account: String?
    public var outcome = BillingOutcome(rawValue: "")
    public var requestID: String?

    public init() {}

    public mutating func code<C: FieldCoder>(with coder: inout C) throws(C.Failure) {
      try coder.text("account", &account)
      try coder.word("outcome", &outcome)
      try coder.text("requestId", &requestID)
    }
  }

  public struct ResolveBilling: TargetMethod {
    public static let name = "ResolveBilling"
    public static let about = """
      Pays what is owed: ends the grace period or the billing retry of a subscription. The
      account's later renewals can be paid too.
      """
    public var target = TestTarget()
    public var requestID: String?

    public init() {}
  }

  public struct Reset: TestingMethod {
    public typealias Answer = SequenceAnswer
    public static let name = "Reset"
    public static let about = """
      Empties accounts and subscriptions. Catalogue and clocks stay; sequence and ids go on.
      """
    public var requestID: String?

    public init() {}

    public mutating func code<C: FieldCoder>(with coder: inout C) throws(C.Failure) {
      try coder.text("requestId", &requestID)
    }
  }
}
