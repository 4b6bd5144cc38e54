import Varlink

extension TestingInterface {
  public struct SetAskToBuy: SwitchMethod {
    public static let name = "SetAskToBuy"
    public static let about = """
      Purchases of an account, or of all that have no switch of their own if account is absent, must
      be approved: Purchase answers pending, and nothing is charged or given until ApproveAskToBuy.
      """
    public var account: String?
    public var enabled = false
    public var requestID: String?

    public init() {}
  }

  public struct ApproveAskToBuy: PendingMethod {
    public typealias Answer = CompletionAnswer
    public static let name = "ApproveAskToBuy"
    public static let about = """
      A purchase that waits is made now, by the rules of now. Names exactly one of account, whose
      only one it is, and the pendingId that Purchase answered.
      """
    public var target = PendingTarget()
    public var requestID: String?

    public init() {}
  }

  public struct DeclineAskToBuy: PendingMethod {
    public typealias Answer = SequenceAnswer
    public static let name = "DeclineAskToBuy"
    public static let about = """
      A purchase that waits for approval is not made.
      """
    public var target = PendingTarget()
    public var requestID: String?

    public init() {}
  }

  public struct SetInterrupted: SwitchMethod {
    public static let name = "SetInterrupted"
    public static let about = """
      Purchases are interrupted, as by new terms to agree to: Purchase answers userCancelled and
      leaves one that ResolveInterrupted completes once they are interrupted no more.
      """
    public var account: String?
    public var enabled = false
    public var requestID: String?

    public init() {}
  }

  public struct ResolveInterrupted: PendingMethod {
    public typealias Answer = CompletionAnswer
    public static let name = "ResolveInterrupted"
    public static let about = ""
    public var target = PendingTarget()
    public var requestID: String?

    public init() {}
  }

  public struct Pending: TestingMethod, Reading {
    public typealias Answer = PendingAnswer
    public static let name = "Pending"
    public static let about = """
      The purchases that wait, of one account or of all, oldest first.
      """
    public var account: String?

    public init() {}

    public mutating func code<C: FieldCoder>(with coder: inout C) throws(C.Failure) {
      try coder.text("account", &account)
    }
  }

  public struct SetSimulatedError: TestingMethod {
    public typealias Answer = SequenceAnswer
    public static let name = "SetSimulatedError"
    public static let about = """
      The calls that stand for a part of StoreKit are refused with SimulatedError from now on; error
      is absent to end that. loadProducts: Products. purchase: Purchase. verification: Verify.
      appStoreSync: Restore. subscriptionStatus: Status. appTransaction: AppTransaction.
      manageSubscriptions: SetAutoRenew. refundRequest: RequestRefund. offerCodeRedeem: Purchase
      with an offer code.
      """
    public var api = SimulatedAPI(rawValue: "")
    public var error: String?
    public var requestID: String?

    public init() {}

    public mutating func code<C: FieldCoder>(with coder: inout C) throws(C.Failure) {
      try coder.word("api", &api)
      try coder.text("error", &error)
      try coder.text("requestId", &requestID)
    }
  }

  public struct Faults: TestingMethod, Reading {
    public typealias Answer = FaultsAnswer
    public static let name = "Faults"
    public static let about = """
      What is switched for all accounts, and which errors are simulated.
      """

    public init() {}

    public mutating func code<C: FieldCoder>(with coder: inout C) throws(C.Failure) {}
  }
}

/// A purchase that waits: for approval, or for what interrupted it.
public struct PendingPurchase: NamedFields, Hashable {
  public static let typeName = "PendingPurchase"
  public static let about = """
    A purchase that waits, and why.
    """
  /// Names it in `approveAskToBuy` and the like (`pendingId`).
  public var id = ""
  public var account = ""
  public var productID = ""
  public var quantity: Int64 = 0
  public var reason = PendingReason(rawValue: "")
  public var requestDate = Timestamp.zero

  public init() {}

  public mutating func code<C: FieldCoder>(with coder: inout C) throws(C.Failure) {
    try coder.text("pendingId", &id)
    try coder.text("account", &account)
    try coder.text("productId", &productID)
    try coder.integer("quantity", &quantity)
    try coder.word("reason", &reason)
    try coder.time("requestDate", &requestDate)
  }
}

/// Purchases that wait.
public struct PendingAnswer: Fields, Hashable {
  public var purchases: [PendingPurchase] = []

  public init() {}

  public mutating func code<C: FieldCoder>(with coder: inout C) throws(C.Failure) {
    try coder.values("purchases", &purchases)
  }
}

/// An error that a part of StoreKit fails with.
public struct SimulatedFault: NamedFields, Hashable {
  public static let typeName = "SimulatedFault"
  public static let about = """
    A part of StoreKit, and the error it fails with, by StoreKit's name.
    """
  public var api = SimulatedAPI(rawValue: "")
  /// StoreKit's name of the error, such as `networkError`.
  public var error = ""

  public init() {}

  public mutating func code<C: FieldCoder>(with coder: inout C) throws(C.Failure) {
    try coder.word("api", &api)
    try coder.text("error", &error)
  }
}

/// What is switched for all accounts, and which errors are simulated.
public struct FaultsAnswer: Fields, Hashable {
  public var asksToBuy = false
  public var interruptsPurchases = false
  public var failsBilling = false
  public var errors: [SimulatedFault] = []

  public init() {}

  public mutating func code<C: FieldCoder>(with coder: inout C) throws(C.Failure) {
    try coder.flag("askToBuy", &asksToBuy)
    try coder.flag("interrupted", &interruptsPurchases)
    try coder.flag("billingFails", &failsBilling)
    try coder.values("errors", &errors)
  }
}

/// A purchase that waits, as a test names it: by the account whose only one it is, or by its id.
public struct PendingTarget: Hashable, Sendable {
  public private(set) var account: String?
  public private(set) var id: String?

  public static func account(_ account: String) -> PendingTarget {
    PendingTarget(account: account)
  }

  public static func purchase(id: String) -> PendingTarget { PendingTarget(id: id) }

  init(account: String? = nil, id: String? = nil) {
    self.account = account
    self.id = id
  }

  mutating func code<C: FieldCoder>(with coder: inout C) throws(C.Failure) {
    try coder.text("account", &account)
    try coder.text("pendingId", &id)
  }
}

/// A method of `org.renewd.Testing` that ends the wait of a purchase.
public protocol PendingMethod: TestingMethod {
  var target: PendingTarget { get set }
  var requestID: String? { get set }
}

extension PendingMethod {
  public mutating func code<C: FieldCoder>(with coder: inout C) throws(C.Failure) {
    try target.code(with: &coder)
    try coder.text("requestId", &requestID)
  }
}

/// A method of `org.renewd.Testing` that switches something for one account, or for all.
public protocol SwitchMethod: TestingMethod where Answer == SequenceAnswer {
  var account: String? { get set }
  var enabled: Bool { get set }
  var requestID: String? { get set }
}

extension SwitchMethod {
  public mutating func code<C: FieldCoder>(with coder: inout C) throws(C.Failure) {
    try coder.text("account", &account)
    try coder.flag("enabled", &enabled)
    try coder.text("requestId", &requestID)
  }
}

extension Call {
  fileprivate init<M: PendingMethod>(
    _ method: M, _ target: PendingTarget, _ requestID: String?
  ) where M.Answer == Result {
    self.init(method) {
      $0.target = target
      $0.requestID = requestID
    }
  }

  fileprivate init<M: SwitchMethod>(
    _ method: M, _ account: String?, _ enabled: Bool, _ requestID: String?
  ) where Result == SequenceAnswer {
    self.init(method) {
      $0.account = account
      $0.enabled = enabled
      $0.requestID = requestID
    }
  }
}

extension Call where Result == SequenceAnswer {
  /// Whether purchases must be approved from now on: of one account, or of all that have no switch
  /// of their own if `account` is nil. Role: admin.
  public static func setAskToBuy(
    account: String? = nil, enabled: Bool, requestID: String? = nil
  ) -> Call {
    Call(TestingInterface.SetAskToBuy(), account, enabled, requestID)
  }

  /// Whether purchases are interrupted from now on, until `resolveInterrupted`. Role: admin.
  public static func setInterrupted(
    account: String? = nil, enabled: Bool, requestID: String? = nil
  ) -> Call {
    Call(TestingInterface.SetInterrupted(), account, enabled, requestID)
  }

  /// Makes a part of StoreKit fail with an error, by StoreKit's name of it; with none again if
  /// `error` is nil. Role: admin.
  public static func setSimulatedError(
    _ error: String?, api: SimulatedAPI, requestID: String? = nil
  ) -> Call {
    Call(TestingInterface.SetSimulatedError()) {
      $0.api = api
      $0.error = error
      $0.requestID = requestID
    }
  }

  /// A purchase that waits for approval is not made. Role: admin.
  public static func declineAskToBuy(
    _ target: PendingTarget, requestID: String? = nil
  ) -> Call {
    Call(TestingInterface.DeclineAskToBuy(), target, requestID)
  }
}

/// A purchase that waited and is made.
public struct CompletionAnswer: Fields, Hashable {
  public var outcome = PurchaseOutcome(rawValue: "")
  public var transaction: Transaction?
  public var sequence: Int64 = 0

  public init() {}

  public mutating func code<C: FieldCoder>(with coder: inout C) throws(C.Failure) {
    try coder.word("result", &outcome)
    try coder.value("transaction", &transaction)
    try coder.integer("sequence", &sequence)
  }
}

extension Call where Result == CompletionAnswer {
  /// A purchase that waits for approval is made, now and by the rules of now. Role: admin.
  public static func approveAskToBuy(
    _ target: PendingTarget, requestID: String? = nil
  ) -> Call {
    Call(TestingInterface.ApproveAskToBuy(), target, requestID)
  }

  /// A purchase that was interrupted is made, now and by the rules of now. Role: admin.
  public static func resolveInterrupted(
    _ target: PendingTarget, requestID: String? = nil
  ) -> Call {
    Call(TestingInterface.ResolveInterrupted(), target, requestID)
  }
}

extension Call where Result == PendingAnswer {
  /// The purchases that wait, of one account or of all. Role: admin.
  public static func pending(account: String? = nil) -> Call {
    Call(TestingInterface.Pending()) {
      $0.account = account
    }
  }
}

extension Call where Result == FaultsAnswer {
  /// What is switched for all accounts, and which errors are simulated. Role: admin.
  public static func faults() -> Call {
    Call(TestingInterface.Faults())
  }
}
