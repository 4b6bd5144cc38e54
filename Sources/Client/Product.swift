/// A product on sale, priced for a storefront.
public struct Product: Answer, Hashable {
  public var id: String
  public var type: ProductType
  public var displayName: String
  public var description: String
  /// Milliunits of `currency`.
  public var price: Int64
  public var currency: String
  public var displayPrice: String
  public var isFamilyShareable: Bool
  public var subscriptionGroupID: String?
  public var subscriptionGroupName: String?
  /// Its level in its group; 1 is the highest.
  public var groupLevel: Int64?
  /// ISO 8601, such as `P1M`.
  public var subscriptionPeriod: String?
  public var offers: [ProductOffer]

  public init(from reader: AnswerReader) throws(TransportError) {
    id = try reader.string("productId")
    type = try reader.word("type")
    displayName = try reader.string("displayName")
    description = try reader.string("description")
    price = try reader.integer("price")
    currency = try reader.string("currency")
    displayPrice = try reader.string("displayPrice")
    isFamilyShareable = try reader.bool("familyShareable")
    subscriptionGroupID = try reader.stringIfPresent("subscriptionGroupIdentifier")
    subscriptionGroupName = try reader.stringIfPresent("subscriptionGroupName")
    groupLevel = try reader.integerIfPresent("groupLevel")
    subscriptionPeriod = try reader.stringIfPresent("period")
    offers = try reader.values("offers")
  }

  /// The price with its currency.
  public var money: Money { Money(milliunits: price, currency: currency) }
}

/// An offer of a product.
public struct ProductOffer: Answer, Hashable {
  public var type: OfferType
  public var id: String?
  public var paymentMode: PaymentMode
  /// The length of one period of the offer, ISO 8601.
  public var period: String
  public var periodCount: Int64
  /// Milliunits of the product's currency.
  public var price: Int64
  /// Who may redeem an offer code: `new`, `existing` and `expired` subscribers. Nil for offers of
  /// other kinds.
  public var eligibility: [String]?
  /// Whether an offer code follows the introductory offer, where it would else replace it.
  public var isStackable: Bool?
  /// The catalogue's switch of a win-back offer.
  public var isEligible: Bool?

  public init(from reader: AnswerReader) throws(TransportError) {
    type = try reader.word("type")
    id = try reader.stringIfPresent("id")
    paymentMode = try reader.word("paymentMode")
    period = try reader.string("period")
    periodCount = try reader.integer("periodCount")
    price = try reader.integer("price")
    eligibility = try reader.stringsIfPresent("eligibility")
    isStackable = try reader.boolIfPresent("stackable")
    isEligible = try reader.boolIfPresent("eligible")
  }
}

/// A subscription group: of its products an account has one at a time.
public struct SubscriptionGroup: Answer, Hashable {
  public var id: String
  public var name: String
  public var productIDs: [String]

  public init(from reader: AnswerReader) throws(TransportError) {
    id = try reader.string("id")
    name = try reader.string("name")
    productIDs = try reader.strings("products")
  }
}

/// A national App Store.
public struct Storefront: Answer, Hashable {
  /// Three letters (ISO 3166), such as `USA`.
  public var countryCode: String
  /// Apple's number of it, such as `143441`.
  public var id: String
  /// ISO 4217.
  public var currency: String

  public init(from reader: AnswerReader) throws(TransportError) {
    countryCode = try reader.string("country")
    id = try reader.string("id")
    currency = try reader.string("currency")
  }
}
