/// What kind of product a thing on sale is (Domain.md 3.5).
public enum ProductType: UInt8, Sendable, CaseIterable {
  case autoRenewable = 0
  case nonConsumable
  case consumable
  case nonRenewing
}

/// The kinds of subscription offer, with the numbers that the wire uses (Domain.md 1.7).
public enum OfferKind: UInt8, Sendable, CaseIterable {
  case introductory = 1
  case promotional = 2
  case code = 3
  case winBack = 4
}

/// How an offer is paid (Domain.md 1.7).
public enum PaymentMode: UInt8, Sendable, CaseIterable {
  case freeTrial = 0
  case payAsYouGo
  case payUpFront
}

/// Who may redeem an offer code (Domain.md 5.4).
public struct OfferAudience: OptionSet, Hashable, Sendable {
  public let rawValue: UInt8

  public init(rawValue: UInt8) {
    self.rawValue = rawValue
  }

  public static let new = OfferAudience(rawValue: 1)
  public static let existing = OfferAudience(rawValue: 2)
  public static let expired = OfferAudience(rawValue: 4)
}

/// One offer of a subscription product. Prices are milliunits of the storefront's currency.
public struct CatalogueOffer: Hashable, Sendable {
  public var kind: OfferKind
  /// The wire's offerIdentifier; nil for introductory offers.
  public var id: String?
  public var paymentMode: PaymentMode
  /// The length of one offer period.
  public var period: Period
  /// How many such periods the offer has; more than 1 only for pay as you go.
  public var periodCount: Int32
  /// Per period for pay as you go, in all for pay up front, 0 for a free trial.
  public var price: Int64
  public var audience: OfferAudience
  public var isStackable: Bool
  public var isEligible: Bool

  public init(
    kind: OfferKind, id: String? = nil, paymentMode: PaymentMode, period: Period,
    periodCount: Int32 = 1, price: Int64 = 0, audience: OfferAudience = [],
    isStackable: Bool = false, isEligible: Bool = true
  ) {
    self.kind = kind
    self.id = id
    self.paymentMode = paymentMode
    self.period = period
    self.periodCount = periodCount
    self.price = price
    self.audience = audience
    self.isStackable = isStackable
    self.isEligible = isEligible
  }
}

/// One product on sale.
public struct CatalogueProduct: Hashable, Sendable {
  public var id: String
  public var type: ProductType
  public var displayName: String
  public var description: String
  /// Milliunits of the storefront's currency (1.99 is 1990).
  public var price: Int64
  public var isFamilyShareable: Bool
  /// The group's identifier; nil for anything but an auto-renewable subscription.
  public var groupID: String?
  /// The service level, 1 the highest; 0 for anything but an auto-renewable subscription.
  public var level: Int32
  /// Nil for anything but an auto-renewable subscription.
  public var period: Period?
  public var offers: [CatalogueOffer]

  public init(
    id: String, type: ProductType, displayName: String = "", description: String = "",
    price: Int64, isFamilyShareable: Bool = false, groupID: String? = nil, level: Int32 = 0,
    period: Period? = nil, offers: [CatalogueOffer] = []
  ) {
    self.id = id
    self.type = type
    self.displayName = displayName
    self.description = description
    self.price = price
    self.isFamilyShareable = isFamilyShareable
    self.groupID = groupID
    self.level = level
    self.period = period
    self.offers = offers
  }

  public var introductoryOffer: CatalogueOffer? {
    offers.first { $0.kind == .introductory }
  }
}

/// A subscription group: a customer owns at most one active product of it (Domain.md 1.1).
public struct CatalogueGroup: Hashable, Sendable {
  public var id: String
  public var name: String

  public init(id: String, name: String) {
    self.id = id
    self.name = name
  }
}

/// Everything on sale, as one `.storekit` file says it.
public struct Catalogue: Hashable, Sendable {
  public var groups: [CatalogueGroup]
  public var products: [CatalogueProduct]
  /// The storefront's country, ISO 3166-1 alpha-3: where a purchase names none.
  public var storefront: String

  public init(
    groups: [CatalogueGroup] = [], products: [CatalogueProduct] = [], storefront: String = "USA"
  ) {
    self.groups = groups
    self.products = products
    self.storefront = storefront
  }
}
