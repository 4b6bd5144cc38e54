/// What `Store.Products` answers.
public struct ProductList: Answer, Hashable {
  public var products: [Product]
  /// The ids asked for that nothing is sold under.
  public var unknown: [String]
  /// The storefront that the prices are for; nil where the daemon is too old to say it.
  public var storefront: Storefront?

  public init(from reader: AnswerReader) throws(TransportError) {
    products = try reader.values("products")
    unknown = try reader.strings("unknown")
    storefront = try reader.valueIfPresent("storefront")
  }
}

/// What `Store.Purchase` answers.
public struct PurchaseAnswer: Answer, Hashable {
  public var outcome: PurchaseOutcome
  public var transaction: Transaction?
  /// The signed form, where it was asked for.
  public var signedTransactionInfo: String?
  /// Names a purchase that waits, or was interrupted, to the calls of testing.
  public var pendingID: String?
  public var sequence: Int64

  public init(from reader: AnswerReader) throws(TransportError) {
    outcome = try reader.word("result")
    transaction = try reader.valueIfPresent("transaction")
    signedTransactionInfo = try reader.stringIfPresent("signedTransactionInfo")
    pendingID = try reader.stringIfPresent("pendingId")
    sequence = try reader.integer("sequence")
  }
}

/// What a change answers that has nothing to tell but its event.
public struct SequenceAnswer: Answer, Hashable {
  /// The event's place in the log.
  public var sequence: Int64

  public init(from reader: AnswerReader) throws(TransportError) {
    sequence = try reader.integer("sequence")
  }
}

/// A transaction with its signed form, which is empty unless it was asked for.
public struct SignedTransaction: Answer, Hashable {
  public var transaction: Transaction
  public var signedTransactionInfo: String

  public init(from reader: AnswerReader) throws(TransportError) {
    transaction = try reader.value("transaction")
    signedTransactionInfo = try reader.string("signedTransactionInfo")
  }
}

/// What `Store.Unfinished` answers, oldest first.
public struct UnfinishedList: Answer, Hashable {
  public var transactions: [SignedTransaction]

  public init(from reader: AnswerReader) throws(TransportError) {
    transactions = try reader.values("transactions")
  }
}

/// An offer to redeem with a purchase.
public struct Offer: Hashable, Sendable {
  public var type: OfferType
  public var id: String?
  public var keyID: String?
  public var nonce: String?
  public var signature: String?
  public var timestamp: Int64?
  public var compactJWS: String?

  public init(
    type: OfferType, id: String? = nil, keyID: String? = nil, nonce: String? = nil,
    signature: String? = nil, timestamp: Int64? = nil, compactJWS: String? = nil
  ) {
    self.type = type
    self.id = id
    self.keyID = keyID
    self.nonce = nonce
    self.signature = signature
    self.timestamp = timestamp
    self.compactJWS = compactJWS
  }

  var json: JSONValue {
    var object = JSONObject([("type", .string(type.rawValue))])
    object["id"] = .text(id)
    object["keyId"] = .text(keyID)
    object["nonce"] = .text(nonce)
    object["signature"] = .text(signature)
    object["timestamp"] = .integer(timestamp)
    object["compactJws"] = .text(compactJWS)
    return .object(object)
  }
}

/// What a purchase may say besides who buys what.
public struct PurchaseOptions: Hashable, Sendable {
  public var quantity: Int?
  public var offer: Offer?
  /// A UUID of the app's own, which the transaction carries, and the renewals that follow on it.
  public var appAccountToken: String?
  /// Three letters (ISO 3166), such as `USA`.
  public var storefront: String?
  /// The clock a new account will live by.
  public var clock: String?
  /// Dates the purchase back.
  public var purchaseDate: Timestamp?
  /// What became since of a purchase that is dated back.
  public var renewalBehavior: RenewalBehavior?
  public var signed: Bool?

  public init() {}
}

extension Call where Result == ProductList {
  /// What is on sale; all of it where no ids are given. Role: write.
  public static func products(ids: [String]? = nil, storefront: String? = nil) -> Call {
    Call(
      "Store.Products", isRead: true,
      [
        "productIds": ids.map { .array($0.map { .string($0) }) },
        "storefront": .text(storefront),
      ])
  }
}

extension Call where Result == PurchaseAnswer {
  /// Buys. Another product of the account's group is an upgrade, downgrade or crossgrade.
  /// Role: write.
  public static func purchase(
    account: String, productID: String, options: PurchaseOptions = PurchaseOptions(),
    requestID: String? = nil
  ) -> Call {
    Call(
      "Store.Purchase",
      [
        "account": .string(account), "productId": .string(productID),
        "quantity": .integer(options.quantity), "offer": options.offer?.json,
        "appAccountToken": .text(options.appAccountToken),
        "storefront": .text(options.storefront), "clock": .text(options.clock),
        "purchaseDate": .time(options.purchaseDate),
        "renewalBehavior": .text(options.renewalBehavior?.rawValue),
        "signed": .truth(options.signed), "requestId": .text(requestID),
      ])
  }
}

extension Call where Result == UnfinishedList {
  /// What was bought and not finished. Role: write.
  public static func unfinished(account: String, signed: Bool? = nil) -> Call {
    Call(
      "Store.Unfinished", isRead: true,
      ["account": .string(account), "signed": .truth(signed)])
  }
}

/// What `Store.Restore` answers.
public struct RestoreAnswer: Answer, Hashable {
  /// What the account has, each under its new id; with its signed form where that was asked for.
  public var transactions: [Transaction]
  /// The last event's place in the log.
  public var sequence: Int64

  public init(from reader: AnswerReader) throws(TransportError) {
    transactions = try reader.values("transactions")
    sequence = try reader.integer("sequence")
  }
}

extension Call where Result == RestoreAnswer {
  /// Gives the account its living subscriptions and lasting purchases once more, under new
  /// transaction ids and with the original ones; nothing is charged. Role: write.
  public static func restore(
    account: String, signed: Bool? = nil, requestID: String? = nil
  ) -> Call {
    Call(
      "Store.Restore",
      [
        "account": .string(account), "signed": .truth(signed), "requestId": .text(requestID),
      ])
  }
}

/// What `Store.AppTransaction` answers.
public struct AppTransactionAnswer: Answer, Hashable {
  /// The app as the account has it, a compact JWS.
  public var signedAppTransactionInfo: String

  public init(from reader: AnswerReader) throws(TransportError) {
    signedAppTransactionInfo = try reader.string("signedAppTransactionInfo")
  }
}

extension Call where Result == AppTransactionAnswer {
  /// The app as the account has it, signed. Role: write.
  public static func appTransaction(account: String) -> Call {
    Call("Store.AppTransaction", isRead: true, ["account": .string(account)])
  }
}

extension Call where Result == SequenceAnswer {
  /// The app has delivered what was bought. Role: write.
  public static func finish(transactionID: String, requestID: String? = nil) -> Call {
    Call(
      "Store.Finish",
      ["transactionId": .string(transactionID), "requestId": .text(requestID)])
  }

  /// Turns renewal off, which is a cancellation, or on again. Role: write.
  public static func setAutoRenew(
    originalID: String, enabled: Bool, requestID: String? = nil
  ) -> Call {
    Call(
      "Store.SetAutoRenew",
      [
        "originalTransactionId": .string(originalID), "enabled": .bool(enabled),
        "requestId": .text(requestID),
      ])
  }

  /// Moves an account to a clock, after what is due. Role: admin.
  public static func attach(
    account: String, clock: String, requestID: String? = nil
  ) -> Call {
    Call(
      "Clocks.Attach",
      ["account": .string(account), "clock": .string(clock), "requestId": .text(requestID)])
  }

  /// Empties accounts and subscriptions; sequence and ids go on. Role: admin.
  public static func reset(requestID: String? = nil) -> Call {
    Call("Testing.Reset", ["requestId": .text(requestID)])
  }
}
