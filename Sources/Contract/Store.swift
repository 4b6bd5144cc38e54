import Varlink

/// `org.renewd.Store`.
public enum StoreInterface: Interface {
  public static let name = "org.renewd.Store"
  public static let about = """
    The App Store's counter. For processes that may write. A record log sells nothing: there only
    Submit and Link are answered, and all else is NotInThisRole.
    """
  public static let role = PeerRole.write
  public static let isForStoresAlone = true
}

/// A method of `org.renewd.Store`.
public protocol StoreMethod: Method where Home == StoreInterface {}

extension StoreInterface {
  public struct Products: StoreMethod, Reading {
    public typealias Answer = ProductList
    public static let name = "Products"
    public static let about = """
      What is on sale; unknown lists the ids asked for that are not. storefront: the one that the
      prices are for, and that purchases are made in which name none; it is the catalogue's unless
      the call names another.
      """
    public var productIDs: [String]?
    public var storefront: String?
    public var standsFor: [SimulatedAPI] { [.loadProducts] }

    public init() {}

    public mutating func code<C: FieldCoder>(with coder: inout C) throws(C.Failure) {
      try coder.texts("productIds", &productIDs)
      try coder.text("storefront", &storefront)
    }
  }

  public struct Purchase: StoreMethod {
    public typealias Answer = PurchaseAnswer
    public static let name = "Purchase"
    public static let about = """
      Buys. result is pending where a tester makes purchases wait for approval, userCancelled where
      one is interrupted: pendingId names it to org.renewd.Testing. appAccountToken is a UUID:
      the transaction carries it, or none, and the renewals that follow on it; a change of plan
      without one keeps the subscription's. storefront: three letters (USA). clock is where a new
      account will live. purchaseDate dates the purchase back; renewalBehavior says what became of
      it since. signed asks for the signed form, dated as the transaction is.
      """
    public var account = ""
    public var productID = ""
    public var quantity: Int64?
    public var offer: Offer?
    public var appAccountToken: String?
    public var storefront: String?
    public var clock: String?
    public var purchaseDate: Timestamp?
    public var renewalBehavior: RenewalBehavior?
    public var signed: Bool?
    public var requestID: String?
    public var standsFor: [SimulatedAPI] {
      offer?.type == .code ? [.offerCodeRedeem, .purchase] : [.purchase]
    }

    public init() {}

    public mutating func code<C: FieldCoder>(with coder: inout C) throws(C.Failure) {
      try coder.text("account", &account)
      try coder.text("productId", &productID)
      try coder.integer("quantity", &quantity)
      try coder.value("offer", &offer)
      try coder.text("appAccountToken", &appAccountToken)
      try coder.text("storefront", &storefront)
      try coder.text("clock", &clock)
      try coder.time("purchaseDate", &purchaseDate)
      try coder.word("renewalBehavior", &renewalBehavior)
      try coder.flag("signed", &signed)
      try coder.text("requestId", &requestID)
    }
  }

  public struct Finish: StoreMethod {
    public typealias Answer = SequenceAnswer
    public static let name = "Finish"
    public static let about = """
      The app has delivered what was bought.
      """
    public var transactionID = ""
    public var requestID: String?

    public init() {}

    public mutating func code<C: FieldCoder>(with coder: inout C) throws(C.Failure) {
      try coder.text("transactionId", &transactionID)
      try coder.text("requestId", &requestID)
    }
  }

  public struct Unfinished: StoreMethod, Reading {
    public typealias Answer = UnfinishedList
    public static let name = "Unfinished"
    public static let about = """
      What was bought and not finished, oldest first. signedTransactionInfo is empty unless
      signed is asked for.
      """
    public var account = ""
    public var signed: Bool?

    public init() {}

    public mutating func code<C: FieldCoder>(with coder: inout C) throws(C.Failure) {
      try coder.text("account", &account)
      try coder.flag("signed", &signed)
    }
  }

  public struct Restore: StoreMethod {
    public typealias Answer = RestoreAnswer
    public static let name = "Restore"
    public static let about = """
      Gives the account what it has once more, as a customer asks who comes with another device: of
      each subscription that lives, in grace and in billing retry too, the newest period, and each
      non-consumable that was not taken back; its own and what it has by Family Sharing.
      Consumables and non-renewing purchases are not restored. Each has a transactionId of its own
      from now on, and is to be finished again; its original transaction, webOrderLineItemId, dates
      and price are what they were. An older id still names the same purchase, to every call.
      Nothing is charged, and no notification comes of it. Of an account with nothing to restore,
      or never seen, the list is empty and nothing happens. signed adds the signed forms, dated as
      the restore.
      """
    public var account = ""
    public var signed: Bool?
    public var requestID: String?
    public var standsFor: [SimulatedAPI] { [.appStoreSync] }

    public init() {}

    public mutating func code<C: FieldCoder>(with coder: inout C) throws(C.Failure) {
      try coder.text("account", &account)
      try coder.flag("signed", &signed)
      try coder.text("requestId", &requestID)
    }
  }

  public struct SetAutoRenew: StoreMethod {
    public typealias Answer = SequenceAnswer
    public static let name = "SetAutoRenew"
    public static let about = """
      Turns renewal off (a cancellation) or on again.
      """
    public var originalID = ""
    public var enabled = false
    public var requestID: String?
    public var standsFor: [SimulatedAPI] { [.manageSubscriptions] }

    public init() {}

    public mutating func code<C: FieldCoder>(with coder: inout C) throws(C.Failure) {
      try coder.text("originalTransactionId", &originalID)
      try coder.flag("enabled", &enabled)
      try coder.text("requestId", &requestID)
    }
  }

  public struct AppTransaction: StoreMethod, Reading {
    public typealias Answer = AppTransactionAnswer
    public static let name = "AppTransaction"
    public static let about = """
      The app as the account has it, signed: a compact JWS. An account never seen has one too,
      without an appTransactionId.
      """
    public static let alwaysSigns = true
    public var account = ""
    public var standsFor: [SimulatedAPI] { [.appTransaction] }

    public init() {}

    public mutating func code<C: FieldCoder>(with coder: inout C) throws(C.Failure) {
      try coder.text("account", &account)
    }
  }
}

/// What `Store.Products` answers.
public struct ProductList: Fields, Hashable {
  public var products: [Product] = []
  /// The ids asked for that nothing is sold under.
  public var unknown: [String] = []
  /// The storefront that the prices are for.
  public var storefront = Storefront()

  public init() {}

  public mutating func code<C: FieldCoder>(with coder: inout C) throws(C.Failure) {
    try coder.values("products", &products)
    try coder.texts("unknown", &unknown)
    try coder.value("storefront", &storefront)
  }
}

/// What `Store.Purchase` answers.
public struct PurchaseAnswer: Fields, Hashable {
  public var outcome = PurchaseOutcome(rawValue: "")
  public var transaction: Transaction?
  /// What a tester makes checks of signed forms fail with, where one was asked for.
  public var verificationError: String?
  /// The signed form, where it was asked for.
  public var signedTransactionInfo: String?
  /// Names a purchase that waits, or was interrupted, to the calls of testing.
  public var pendingID: String?
  public var sequence: Int64 = 0

  public init() {}

  public mutating func code<C: FieldCoder>(with coder: inout C) throws(C.Failure) {
    try coder.word("result", &outcome)
    try coder.value("transaction", &transaction)
    try coder.text("verificationError", &verificationError)
    try coder.text("signedTransactionInfo", &signedTransactionInfo)
    try coder.text("pendingId", &pendingID)
    try coder.integer("sequence", &sequence)
  }
}

/// What a change answers that has nothing to tell but its event.
public struct SequenceAnswer: Fields, Hashable {
  /// The event's place in the log.
  public var sequence: Int64 = 0

  public init() {}

  public mutating func code<C: FieldCoder>(with coder: inout C) throws(C.Failure) {
    try coder.integer("sequence", &sequence)
  }
}

/// A transaction with its signed form, which is empty unless it was asked for.
public struct SignedTransaction: NamedFields, Hashable {
  public static let typeName = "SignedTransaction"
  public static let about = """
    A transaction with its signed form.
    """
  public var transaction = Transaction()
  /// What a tester makes checks of signed forms fail with, where one was asked for.
  public var verificationError: String?
  public var signedTransactionInfo = ""

  public init() {}

  public mutating func code<C: FieldCoder>(with coder: inout C) throws(C.Failure) {
    try coder.value("transaction", &transaction)
    try coder.text("verificationError", &verificationError)
    try coder.text("signedTransactionInfo", &signedTransactionInfo)
  }
}

/// What `Store.Unfinished` answers, oldest first.
public struct UnfinishedList: Fields, Hashable {
  public var transactions: [SignedTransaction] = []

  public init() {}

  public mutating func code<C: FieldCoder>(with coder: inout C) throws(C.Failure) {
    try coder.values("transactions", &transactions)
  }
}

/// An offer to redeem with a purchase.
public struct Offer: NamedFields, Hashable {
  public static let typeName = "Offer"
  public static let about = """
    An offer to redeem: its type, and its id but for the introductory one. A promotional offer
    on an active subscription of the same product begins at its next renewal. It may come with
    a signature by the key of the catalogue's subscriptionOffersKeyPair, and must where the
    policy promotionalOfferSignature asks for it: keyId, nonce, signature (Base64 of DER) and
    timestamp (milliseconds), or compactJws. One that is there must be right; then its nonce is
    used up, whatever becomes of the purchase. The reason of a refusal begins with "missing
    parameters" or "invalid signature".
    """
  public var type = OfferType(rawValue: "")
  public var id: String?
  public var keyID: String?
  public var nonce: String?
  public var signature: String?
  public var timestamp: Int64?
  public var compactJWS: String?

  public init() {}

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

  public mutating func code<C: FieldCoder>(with coder: inout C) throws(C.Failure) {
    try coder.word("type", &type)
    try coder.text("id", &id)
    try coder.text("keyId", &keyID)
    try coder.text("nonce", &nonce)
    try coder.text("signature", &signature)
    try coder.integer("timestamp", &timestamp)
    try coder.text("compactJws", &compactJWS)
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
    Call(StoreInterface.Products()) {
      $0.productIDs = ids
      $0.storefront = storefront
    }
  }
}

extension Call where Result == PurchaseAnswer {
  /// Buys. Another product of the account's group is an upgrade, downgrade or crossgrade.
  /// Role: write.
  public static func purchase(
    account: String, productID: String, options: PurchaseOptions = PurchaseOptions(),
    requestID: String? = nil
  ) -> Call {
    Call(StoreInterface.Purchase()) {
      $0.account = account
      $0.productID = productID
      $0.quantity = options.quantity.map(Int64.init)
      $0.offer = options.offer
      $0.appAccountToken = options.appAccountToken
      $0.storefront = options.storefront
      $0.clock = options.clock
      $0.purchaseDate = options.purchaseDate
      $0.renewalBehavior = options.renewalBehavior
      $0.signed = options.signed
      $0.requestID = requestID
    }
  }
}

extension Call where Result == UnfinishedList {
  /// What was bought and not finished. Role: write.
  public static func unfinished(account: String, signed: Bool? = nil) -> Call {
    Call(StoreInterface.Unfinished()) {
      $0.account = account
      $0.signed = signed
    }
  }
}

/// What `Store.Restore` answers.
public struct RestoreAnswer: Fields, Hashable {
  /// What the account has, each under its new id; with its signed form where that was asked for.
  public var transactions: [Transaction] = []
  /// The last event's place in the log.
  public var sequence: Int64 = 0

  public init() {}

  public mutating func code<C: FieldCoder>(with coder: inout C) throws(C.Failure) {
    try coder.values("transactions", &transactions)
    try coder.integer("sequence", &sequence)
  }
}

extension Call where Result == RestoreAnswer {
  /// Gives the account its living subscriptions and lasting purchases once more, under new
  /// transaction ids and with the original ones; nothing is charged. Role: write.
  public static func restore(
    account: String, signed: Bool? = nil, requestID: String? = nil
  ) -> Call {
    Call(StoreInterface.Restore()) {
      $0.account = account
      $0.signed = signed
      $0.requestID = requestID
    }
  }
}

/// What `Store.AppTransaction` answers.
public struct AppTransactionAnswer: Fields, Hashable {
  /// What a tester makes checks of signed forms fail with.
  public var verificationError: String?
  /// The app as the account has it, a compact JWS.
  public var signedAppTransactionInfo = ""

  public init() {}

  public mutating func code<C: FieldCoder>(with coder: inout C) throws(C.Failure) {
    try coder.text("verificationError", &verificationError)
    try coder.text("signedAppTransactionInfo", &signedAppTransactionInfo)
  }
}

extension Call where Result == AppTransactionAnswer {
  /// The app as the account has it, signed. Role: write.
  public static func appTransaction(account: String) -> Call {
    Call(StoreInterface.AppTransaction()) {
      $0.account = account
    }
  }
}

extension Call where Result == SequenceAnswer {
  /// The app has delivered what was bought. Role: write.
  public static func finish(transactionID: String, requestID: String? = nil) -> Call {
    Call(StoreInterface.Finish()) {
      $0.transactionID = transactionID
      $0.requestID = requestID
    }
  }

  /// Turns renewal off, which is a cancellation, or on again. Role: write.
  public static func setAutoRenew(
    originalID: String, enabled: Bool, requestID: String? = nil
  ) -> Call {
    Call(StoreInterface.SetAutoRenew()) {
      $0.originalID = originalID
      $0.enabled = enabled
      $0.requestID = requestID
    }
  }

  /// Moves an account to a clock, after what is due. Role: admin.
  public static func attach(
    account: String, clock: String, requestID: String? = nil
  ) -> Call {
    Call(ClocksInterface.Attach()) {
      $0.account = account
      $0.clock = clock
      $0.requestID = requestID
    }
  }

  /// Empties accounts and subscriptions; sequence and ids go on. Role: admin.
  public static func reset(requestID: String? = nil) -> Call {
    Call(TestingInterface.Reset()) {
      $0.requestID = requestID
    }
  }
}
