/// What a test changes: an account's only candidate, a transaction, or a subscription.
public enum TestTarget: Hashable, Sendable {
  case account(String)
  case transaction(id: String)
  case subscription(originalID: String)

  var account: String? {
    if case .account(let account) = self { account } else { nil }
  }

  var transactionID: String? {
    if case .transaction(let id) = self { id } else { nil }
  }

  var originalID: String? {
    if case .subscription(let id) = self { id } else { nil }
  }
}

/// What a test made of a transaction.
public struct TestAnswer: Answer, Hashable {
  public var transaction: Transaction
  public var sequence: Int64

  public init(from reader: AnswerReader) throws(TransportError) {
    transaction = try reader.value("transaction")
    sequence = try reader.integer("sequence")
  }
}

extension Call where Result == TestAnswer {
  /// Refunds a transaction; for an account, the current one of its only subscription or lasting
  /// purchase. `percentage` is 1 to 100, the whole if nil; `reason` 0 other, 1 an issue with the
  /// app. Role: admin.
  public static func refund(
    _ target: TestTarget, percentage: Int? = nil, reason: Int? = nil, requestID: String? = nil
  ) -> Call {
    Call(
      "Testing.Refund",
      [
        "account": .text(target.account), "transactionId": .text(target.transactionID),
        "originalTransactionId": .text(target.originalID),
        "percentage": .integer(percentage), "reason": .integer(reason),
        "requestId": .text(requestID),
      ])
  }

  /// Takes a refund back. Role: admin.
  public static func reverseRefund(_ target: TestTarget, requestID: String? = nil) -> Call {
    test("ReverseRefund", target, requestID)
  }

  /// A customer asks for a refund, which turns a subscription's renewal off and is decided by
  /// `refund` or `declineRefund`. Role: admin.
  public static func requestRefund(_ target: TestTarget, requestID: String? = nil) -> Call {
    test("RequestRefund", target, requestID)
  }

  /// Declines a refund that was asked for. Role: admin.
  public static func declineRefund(_ target: TestTarget, requestID: String? = nil) -> Call {
    test("DeclineRefund", target, requestID)
  }

  /// Ends the period now and begins the next one. Role: admin.
  public static func forceRenewal(_ target: TestTarget, requestID: String? = nil) -> Call {
    test("ForceRenewal", target, requestID)
  }

  /// Ends the subscription now, without a renewal. Role: admin.
  public static func expire(_ target: TestTarget, requestID: String? = nil) -> Call {
    test("Expire", target, requestID)
  }

  /// Pays what is owed: ends the grace period or the billing retry of a subscription. The
  /// account's later charges succeed too. Role: admin.
  public static func resolveBilling(_ target: TestTarget, requestID: String? = nil) -> Call {
    test("ResolveBilling", target, requestID)
  }

  static func test(_ name: String, _ target: TestTarget, _ requestID: String?) -> Call {
    Call(
      "Testing.\(name)",
      [
        "account": .text(target.account), "transactionId": .text(target.transactionID),
        "originalTransactionId": .text(target.originalID), "requestId": .text(requestID),
      ])
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
    Call(
      "Testing.SetBilling",
      [
        "account": .text(account), "outcome": .string(outcome.rawValue),
        "requestId": .text(requestID),
      ])
  }
}
