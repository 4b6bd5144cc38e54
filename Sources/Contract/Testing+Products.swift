import Varlink

extension TestingInterface {
  public struct AnnouncePriceIncrease: TestingMethod {
    public typealias Answer = PriceIncreaseAnswer
    public static let name = "AnnouncePriceIncrease"
    public static let about = """
      Makes a subscription product dearer, for who buys it from now on and for the subscriptions
      that renew to it. Each of those is told by an event of its own: with consent it is asked
      (PRICE_INCREASE/PENDING), and expires at the end of its period unless it agrees; else it is
      told (PRICE_INCREASE/ACCEPTED) and renews at the new price. Not reached are those with
      renewal off (turned on again, they pay the new price), in billing trouble (they owe what they
      owe), and with an offer for the next renewal. price: milliunits, not below the present one;
      the same again asks again who has not answered. Answers when all are told; subscriptions:
      how many.
      """
    public var productID = ""
    public var price: Int64 = 0
    public var consent = false
    public var requestID: String?

    public init() {}

    public mutating func code<C: FieldCoder>(with coder: inout C) throws(C.Failure) {
      try coder.text("productId", &productID)
      try coder.integer("price", &price)
      try coder.flag("consent", &consent)
      try coder.text("requestId", &requestID)
    }
  }

  public struct ConsentToPriceIncrease: TargetMethod {
    public static let name = "ConsentToPriceIncrease"
    public static let about = """
      The customer agrees to a price increase that waits for an answer. For an account: its only
      subscription that is asked.
      """
    public var target = TestTarget()
    public var requestID: String?

    public init() {}
  }

  public struct DeclinePriceIncrease: TargetMethod {
    public static let name = "DeclinePriceIncrease"
    public static let about = """
      The customer does not agree: renewal is turned off.
      """
    public var target = TestTarget()
    public var requestID: String?

    public init() {}
  }

  public struct RemoveFromSale: TestingMethod {
    public typealias Answer = SequenceAnswer
    public static let name = "RemoveFromSale"
    public static let about = """
      Takes a product off sale: buying it is ProductNotFound, and a subscription that would renew
      to it expires instead (EXPIRED/PRODUCT_NOT_FOR_SALE). Catalog.Import brings it back.
      """
    public var productID = ""
    public var requestID: String?

    public init() {}

    public mutating func code<C: FieldCoder>(with coder: inout C) throws(C.Failure) {
      try coder.text("productId", &productID)
      try coder.text("requestId", &requestID)
    }
  }

  public struct Extend: TestingMethod {
    public typealias Answer = TestAnswer
    public static let name = "Extend"
    public static let about = """
      Lets the current period end 1 to 90 days later, and what follows it with it. reason: 0
      undeclared, 1 customer satisfaction, 2 other, 3 service issue or outage; it is told to
      nobody. NotPossible in a free offer period, in grace or billing retry, after the end, for a
      family member's subscription, and a third time within 365 days; its reason says which.
      """
    public var target = TestTarget()
    public var days: Int64 = 0
    public var reason: Int64 = 0
    public var requestID: String?

    public init() {}

    public mutating func code<C: FieldCoder>(with coder: inout C) throws(C.Failure) {
      try target.code(with: &coder)
      try coder.integer("days", &days)
      try coder.integer("reason", &reason)
      try coder.text("requestId", &requestID)
    }
  }

  public struct ExtendAll: TestingMethod {
    public typealias Answer = MassExtensionAnswer
    public static let name = "ExtendAll"
    public static let about = """
      The same for every subscription to a product that has not ended, in the storefronts named or
      in all: each is extended (RENEWAL_EXTENDED) or, where it cannot be, told so
      (RENEWAL_EXTENSION/FAILURE), and RENEWAL_EXTENSION/SUMMARY comes last. requestIdentifier
      names it, 1 to 128 bytes: the same again, for whatever product, changes nothing and is
      answered as the first time, with the product that was extended then.
      """
    public var productID = ""
    public var days: Int64 = 0
    public var reason: Int64 = 0
    public var requestIdentifier = ""
    public var storefronts: [String]?
    public var requestID: String?

    public init() {}

    public mutating func code<C: FieldCoder>(with coder: inout C) throws(C.Failure) {
      try coder.text("productId", &productID)
      try coder.integer("days", &days)
      try coder.integer("reason", &reason)
      try coder.text("requestIdentifier", &requestIdentifier)
      try coder.texts("storefronts", &storefronts)
      try coder.text("requestId", &requestID)
    }
  }
}

/// What `Testing.AnnouncePriceIncrease` answers.
public struct PriceIncreaseAnswer: Fields, Hashable {
  /// How many subscriptions were asked or told.
  public var subscriptions: Int64 = 0
  public var sequence: Int64 = 0

  public init() {}

  public mutating func code<C: FieldCoder>(with coder: inout C) throws(C.Failure) {
    try coder.integer("subscriptions", &subscriptions)
    try coder.integer("sequence", &sequence)
  }
}

/// What `Testing.ExtendAll` answers.
public struct MassExtensionAnswer: Fields, Hashable {
  public var requestIdentifier = ""
  /// The product that was extended: of an identifier that was used before, that of the first time.
  public var productID = ""
  public var succeeded: Int64 = 0
  public var failed: Int64 = 0
  public var sequence: Int64 = 0

  public init() {}

  public mutating func code<C: FieldCoder>(with coder: inout C) throws(C.Failure) {
    try coder.text("requestIdentifier", &requestIdentifier)
    try coder.text("productId", &productID)
    try coder.integer("succeeded", &succeeded)
    try coder.integer("failed", &failed)
    try coder.integer("sequence", &sequence)
  }
}

extension Call where Result == PriceIncreaseAnswer {
  /// Makes a subscription product dearer for new buyers, and for the subscriptions that renew to
  /// it: asked with `needsConsent`, else told. `price` is in milliunits, not below the present one.
  /// Answers when all are told. Role: admin.
  public static func announcePriceIncrease(
    productID: String, price: Int64, needsConsent: Bool, requestID: String? = nil
  ) -> Call {
    Call(TestingInterface.AnnouncePriceIncrease()) {
      $0.productID = productID
      $0.price = price
      $0.consent = needsConsent
      $0.requestID = requestID
    }
  }
}

extension Call where Result == TestAnswer {
  /// The customer agrees to a price increase that waits for an answer. Role: admin.
  public static func consentToPriceIncrease(
    _ target: TestTarget, requestID: String? = nil
  ) -> Call {
    Call(TestingInterface.ConsentToPriceIncrease(), target, requestID)
  }

  /// The customer does not agree: renewal is turned off. Role: admin.
  public static func declinePriceIncrease(
    _ target: TestTarget, requestID: String? = nil
  ) -> Call {
    Call(TestingInterface.DeclinePriceIncrease(), target, requestID)
  }

  /// Lets the current period end 1 to 90 days later. `reason` is 0 undeclared, 1 customer
  /// satisfaction, 2 other, 3 service issue or outage. Role: admin.
  public static func extend(
    _ target: TestTarget, days: Int64, reason: Int64 = 0, requestID: String? = nil
  ) -> Call {
    Call(TestingInterface.Extend()) {
      $0.target = target
      $0.days = days
      $0.reason = reason
      $0.requestID = requestID
    }
  }
}

extension Call where Result == MassExtensionAnswer {
  /// Extends every subscription to a product that has not ended, in some storefronts or in all.
  /// The same `requestIdentifier` again changes nothing and is answered alike. Role: admin.
  public static func extendAll(
    productID: String, days: Int64, reason: Int64 = 0, requestIdentifier: String,
    storefronts: [String]? = nil, requestID: String? = nil
  ) -> Call {
    Call(TestingInterface.ExtendAll()) {
      $0.productID = productID
      $0.days = days
      $0.reason = reason
      $0.requestIdentifier = requestIdentifier
      $0.storefronts = storefronts
      $0.requestID = requestID
    }
  }
}

extension Call where Result == SequenceAnswer {
  /// Takes a product off sale: it is sold no more and renews no more, until a catalogue brings it
  /// back. Role: admin.
  public static func removeFromSale(productID: String, requestID: String? = nil) -> Call {
    Call(TestingInterface.RemoveFromSale()) {
      $0.productID = productID
      $0.requestID = requestID
    }
  }
}
