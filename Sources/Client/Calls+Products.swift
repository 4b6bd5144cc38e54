/// What `Testing.AnnouncePriceIncrease` answers.
public struct PriceIncreaseAnswer: Answer, Hashable {
  /// How many subscriptions were asked or told.
  public var subscriptions: Int64
  public var sequence: Int64

  public init(from reader: AnswerReader) throws(TransportError) {
    subscriptions = try reader.integer("subscriptions")
    sequence = try reader.integer("sequence")
  }
}

/// What `Testing.ExtendAll` answers.
public struct MassExtensionAnswer: Answer, Hashable {
  public var requestIdentifier: String
  /// The product that was extended: of an identifier that was used before, that of the first time.
  public var productID: String
  public var succeeded: Int64
  public var failed: Int64
  public var sequence: Int64

  public init(from reader: AnswerReader) throws(TransportError) {
    requestIdentifier = try reader.string("requestIdentifier")
    productID = try reader.string("productId")
    succeeded = try reader.integer("succeeded")
    failed = try reader.integer("failed")
    sequence = try reader.integer("sequence")
  }
}

extension Call where Result == PriceIncreaseAnswer {
  /// Makes a subscription product dearer for new buyers, and for the subscriptions that renew to
  /// it: asked with `needsConsent`, else told. `price` is in milliunits, not below the present one.
  /// Answers when all are told. Role: admin.
  public static func announcePriceIncrease(
    productID: String, price: Int64, needsConsent: Bool, requestID: String? = nil
  ) -> Call {
    Call(
      "Testing.AnnouncePriceIncrease",
      [
        "productId": .string(productID), "price": .int(price), "consent": .bool(needsConsent),
        "requestId": .text(requestID),
      ])
  }
}

extension Call where Result == TestAnswer {
  /// The customer agrees to a price increase that waits for an answer. Role: admin.
  public static func consentToPriceIncrease(
    _ target: TestTarget, requestID: String? = nil
  ) -> Call {
    test("ConsentToPriceIncrease", target, requestID)
  }

  /// The customer does not agree: renewal is turned off. Role: admin.
  public static func declinePriceIncrease(
    _ target: TestTarget, requestID: String? = nil
  ) -> Call {
    test("DeclinePriceIncrease", target, requestID)
  }

  /// Lets the current period end 1 to 90 days later. `reason` is 0 undeclared, 1 customer
  /// satisfaction, 2 other, 3 service issue or outage. Role: admin.
  public static func extend(
    _ target: TestTarget, days: Int64, reason: Int64 = 0, requestID: String? = nil
  ) -> Call {
    Call(
      "Testing.Extend",
      [
        "account": .text(target.account), "transactionId": .text(target.transactionID),
        "originalTransactionId": .text(target.originalID), "days": .int(days),
        "reason": .int(reason), "requestId": .text(requestID),
      ])
  }
}

extension Call where Result == MassExtensionAnswer {
  /// Extends every subscription to a product that has not ended, in some storefronts or in all.
  /// The same `requestIdentifier` again changes nothing and is answered alike. Role: admin.
  public static func extendAll(
    productID: String, days: Int64, reason: Int64 = 0, requestIdentifier: String,
    storefronts: [String]? = nil, requestID: String? = nil
  ) -> Call {
    Call(
      "Testing.ExtendAll",
      [
        "productId": .string(productID), "days": .int(days), "reason": .int(reason),
        "requestIdentifier": .string(requestIdentifier),
        "storefronts": storefronts.map { .array($0.map { .string($0) }) },
        "requestId": .text(requestID),
      ])
  }
}

extension Call where Result == SequenceAnswer {
  /// Takes a product off sale: it is sold no more and renews no more, until a catalogue brings it
  /// back. Role: admin.
  public static func removeFromSale(productID: String, requestID: String? = nil) -> Call {
    Call(
      "Testing.RemoveFromSale",
      ["productId": .string(productID), "requestId": .text(requestID)])
  }
}
