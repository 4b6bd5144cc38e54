/// A purchase that waits: for approval, or for what interrupted it.
public struct PendingPurchase: Answer, Hashable {
  /// Names it in `approveAskToBuy` and the like (`pendingId`).
  public var id: String
  public var account: String
  public var productID: String
  public var quantity: Int64
  public var reason: PendingReason
  public var requestDate: Timestamp

  public init(from reader: AnswerReader) throws(TransportError) {
    id = try reader.string("pendingId")
    account = try reader.string("account")
    productID = try reader.string("productId")
    quantity = try reader.integer("quantity")
    reason = try reader.word("reason")
    requestDate = try reader.time("requestDate")
  }
}

/// Purchases that wait.
public struct PendingAnswer: Answer, Hashable {
  public var purchases: [PendingPurchase]

  public init(from reader: AnswerReader) throws(TransportError) {
    purchases = try reader.values("purchases")
  }
}

/// An error that a part of StoreKit fails with.
public struct SimulatedFault: Answer, Hashable {
  public var api: SimulatedAPI
  /// StoreKit's name of the error, such as `networkError`.
  public var error: String

  public init(from reader: AnswerReader) throws(TransportError) {
    api = try reader.word("api")
    error = try reader.string("error")
  }
}

/// What is switched for all accounts, and which errors are simulated.
public struct FaultsAnswer: Answer, Hashable {
  public var asksToBuy: Bool
  public var interruptsPurchases: Bool
  public var failsBilling: Bool
  public var errors: [SimulatedFault]

  public init(from reader: AnswerReader) throws(TransportError) {
    asksToBuy = try reader.bool("askToBuy")
    interruptsPurchases = try reader.bool("interrupted")
    failsBilling = try reader.bool("billingFails")
    errors = try reader.values("errors")
  }
}

/// A purchase that waits, as a test names it.
public enum PendingTarget: Hashable, Sendable {
  /// The account's only one.
  case account(String)
  case purchase(id: String)

  fileprivate var account: String? {
    if case .account(let account) = self { account } else { nil }
  }

  fileprivate var id: String? {
    if case .purchase(let id) = self { id } else { nil }
  }
}

extension Call where Result == SequenceAnswer {
  /// Whether purchases must be approved from now on: of one account, or of all that have no switch
  /// of their own if `account` is nil. Role: admin.
  public static func setAskToBuy(
    account: String? = nil, enabled: Bool, requestID: String? = nil
  ) -> Call {
    setSwitch("SetAskToBuy", account, enabled, requestID)
  }

  /// Whether purchases are interrupted from now on, until `resolveInterrupted`. Role: admin.
  public static func setInterrupted(
    account: String? = nil, enabled: Bool, requestID: String? = nil
  ) -> Call {
    setSwitch("SetInterrupted", account, enabled, requestID)
  }

  private static func setSwitch(
    _ name: String, _ account: String?, _ enabled: Bool, _ requestID: String?
  ) -> Call {
    Call(
      "Testing.\(name)",
      [
        "account": .text(account), "enabled": .bool(enabled), "requestId": .text(requestID),
      ])
  }

  /// Makes a part of StoreKit fail with an error, by StoreKit's name of it; with none again if
  /// `error` is nil. Role: admin.
  public static func setSimulatedError(
    _ error: String?, api: SimulatedAPI, requestID: String? = nil
  ) -> Call {
    Call(
      "Testing.SetSimulatedError",
      [
        "api": .string(api.rawValue), "error": .text(error), "requestId": .text(requestID),
      ])
  }

  /// A purchase that waits for approval is not made. Role: admin.
  public static func declineAskToBuy(
    _ target: PendingTarget, requestID: String? = nil
  ) -> Call {
    Call(
      "Testing.DeclineAskToBuy",
      [
        "account": .text(target.account), "pendingId": .text(target.id),
        "requestId": .text(requestID),
      ])
  }
}

extension Call where Result == PurchaseAnswer {
  /// A purchase that waits for approval is made, now and by the rules of now. Role: admin.
  public static func approveAskToBuy(
    _ target: PendingTarget, requestID: String? = nil
  ) -> Call {
    Call(
      "Testing.ApproveAskToBuy",
      [
        "account": .text(target.account), "pendingId": .text(target.id),
        "requestId": .text(requestID),
      ])
  }

  /// A purchase that was interrupted is made, now and by the rules of now. Role: admin.
  public static func resolveInterrupted(
    _ target: PendingTarget, requestID: String? = nil
  ) -> Call {
    Call(
      "Testing.ResolveInterrupted",
      [
        "account": .text(target.account), "pendingId": .text(target.id),
        "requestId": .text(requestID),
      ])
  }
}

extension Call where Result == PendingAnswer {
  /// The purchases that wait, of one account or of all. Role: admin.
  public static func pending(account: String? = nil) -> Call {
    Call("Testing.Pending", ["account": .text(account)])
  }
}

extension Call where Result == FaultsAnswer {
  /// What is switched for all accounts, and which errors are simulated. Role: admin.
  public static func faults() -> Call {
    Call("Testing.Faults", [:])
  }
}
