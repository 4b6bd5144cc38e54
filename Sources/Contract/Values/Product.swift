import Varlink

/// A product on sale, priced for a storefront.
public struct Product: NamedFields, Hashable {
  public static let typeName = "Product"
  public static let about = """
    A product on sale, priced for a storefront. level 1 is a group's highest.
    """
  public var id = ""
  public var type = ProductType(rawValue: "")
  public var displayName = ""
  public var description = ""
  /// Milliunits of `currency`.
  public var price: Int64 = 0
  public var currency = ""
  public var displayPrice = ""
  public var isFamilyShareable = false
  public var subscriptionGroupID: String?
  public var subscriptionGroupName: String?
  /// Its level in its group; 1 is the highest.
  public var groupLevel: Int64?
  /// ISO 8601, such as `P1M`.
  public var subscriptionPeriod: String?
  public var offers: [ProductOffer] = []

  public init() {}

  public mutating func code<C: FieldCoder>(with coder: inout C) throws(C.Failure) {
    try coder.text("productId", &id)
    try coder.word("type", &type)
    try coder.text("displayName", &displayName)
    try coder.text("description", &description)
    try coder.integer("price", &price)
    try coder.text("currency", &currency)
    try coder.text("displayPrice", &displayPrice)
    try coder.flag("familyShareable", &isFamilyShareable)
    try coder.text("subscriptionGroupIdentifier", &subscriptionGroupID)
    try coder.text("subscriptionGroupName", &subscriptionGroupName)
    try coder.integer("groupLevel", &groupLevel)
    try coder.text("period", &subscriptionPeriod)
    try coder.values("offers", &offers)
  }

  /// The price with its currency.
  public var money: Money { Money(milliunits: price, currency: currency) }
}

/// An offer of a product.
public struct ProductOffer: NamedFields, Hashable {
  public static let typeName = "ProductOffer"
  public static let about = """
    An offer of a product: period is the length of one offer period, periodCount how many.
    eligibility: who may redeem a code (new, existing, expired); stackable: it follows the
    introductory offer, and does not replace it; eligible: the switch of a win-back offer.
    """
  public var type = OfferType(rawValue: "")
  public var id: String?
  public var paymentMode = PaymentMode(rawValue: "")
  /// The length of one period of the offer, ISO 8601.
  public var period = ""
  public var periodCount: Int64 = 0
  /// Milliunits of the product's currency.
  public var price: Int64 = 0
  /// Who may redeem an offer code: `new`, `existing` and `expired` subscribers. Nil for offers of
  /// other kinds.
  public var eligibility: [String]?
  /// Whether an offer code follows the introductory offer, where it would else replace it.
  public var isStackable: Bool?
  /// The catalogue's switch of a win-back offer.
  public var isEligible: Bool?

  public init() {}

  public mutating func code<C: FieldCoder>(with coder: inout C) throws(C.Failure) {
    try coder.word("type", &type)
    try coder.text("id", &id)
    try coder.word("paymentMode", &paymentMode)
    try coder.text("period", &period)
    try coder.integer("periodCount", &periodCount)
    try coder.integer("price", &price)
    try coder.texts("eligibility", &eligibility)
    try coder.flag("stackable", &isStackable)
    try coder.flag("eligible", &isEligible)
  }
}

/// A subscription group: of its products an account has one at a time.
public struct SubscriptionGroup: NamedFields, Hashable {
  public static let typeName = "Group"
  public static let about = ""
  public var id = ""
  public var name = ""
  public var productIDs: [String] = []

  public init() {}

  public mutating func code<C: FieldCoder>(with coder: inout C) throws(C.Failure) {
    try coder.text("id", &id)
    try coder.text("name", &name)
    try coder.texts("products", &productIDs)
  }
}

/// A national App Store.
public struct Storefront: NamedFields, Hashable {
  public static let typeName = "Storefront"
  public static let about = """
    A national App Store: three letters (USA), Apple's number (143441), its currency (USD).
    """
  /// Three letters (ISO 3166), such as `USA`.
  public var countryCode = ""
  /// Apple's number of it, such as `143441`.
  public var id = ""
  /// ISO 4217.
  public var currency = ""

  public init() {}

  public mutating func code<C: FieldCoder>(with coder: inout C) throws(C.Failure) {
    try coder.text("country", &countryCode)
    try coder.text("id", &id)
    try coder.text("currency", &currency)
  }
}
