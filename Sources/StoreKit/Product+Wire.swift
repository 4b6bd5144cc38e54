internal import Client
import Foundation

extension Product {
  /// A product as the daemon describes it.
  init(_ wire: Client.Product) {
    id = wire.id
    type = ProductType(wire.type)
    displayName = wire.displayName
    description = wire.description
    price = Decimal(milliunits: wire.price)
    currencyCode = wire.currency
    displayPrice = Decimal.FormatStyle.Currency.store(wire.currency).format(price)
    isFamilyShareable = wire.isFamilyShareable
    subscription = SubscriptionInfo(wire)
    jsonRepresentation = Self.json(wire)
  }

  private static func json(_ wire: Client.Product) -> Data {
    var attributes = JSONObject([
      ("name", .string(wire.displayName)), ("description", .string(wire.description)),
      ("price", .string("\(Decimal(milliunits: wire.price))")),
      ("currencyCode", .string(wire.currency)),
      ("isFamilyShareable", .bool(wire.isFamilyShareable)),
      ("kind", .string(ProductType(wire.type).rawValue)),
      ("offers", .array(wire.offers.map(Self.json))),
    ])
    attributes["subscriptionFamilyId"] = wire.subscriptionGroupID.map { .string($0) }
    attributes["subscriptionFamilyName"] = wire.subscriptionGroupName.map { .string($0) }
    attributes["subscriptionFamilyRank"] = wire.groupLevel.map { .int($0) }
    attributes["recurringSubscriptionPeriod"] = wire.subscriptionPeriod.map { .string($0) }
    let tree = JSONValue.members([("id", .string(wire.id)), ("attributes", .object(attributes))])
    return Data(tree.compactText.utf8)
  }

  private static func json(_ offer: ProductOffer) -> JSONValue {
    var object = JSONObject([
      ("type", .string(offer.type.rawValue)), ("modeType", .string(offer.paymentMode.rawValue)),
      ("recurringSubscriptionPeriod", .string(offer.period)),
      ("numOfPeriods", .int(offer.periodCount)),
      ("price", .string("\(Decimal(milliunits: offer.price))")),
    ])
    object["offerId"] = offer.id.map { .string($0) }
    return .object(object)
  }
}

extension Product.ProductType {
  init(_ wire: Client.ProductType) {
    self =
      switch wire {
      case .autoRenewable: .autoRenewable
      case .nonConsumable: .nonConsumable
      case .consumable: .consumable
      case .nonRenewing: .nonRenewable
      default: Self(rawValue: wire.rawValue)
      }
  }
}

extension Product.SubscriptionInfo {
  /// Nil where the product is no subscription.
  init?(_ wire: Client.Product) {
    guard let group = wire.subscriptionGroupID,
      let period = wire.subscriptionPeriod.flatMap(Product.SubscriptionPeriod.init(iso8601:))
    else { return nil }
    let offers = wire.offers.compactMap {
      Product.SubscriptionOffer($0, currency: wire.currency)
    }
    introductoryOffer = offers.first { $0.type == .introductory }
    promotionalOffers = offers.filter { $0.type == .promotional }
    winBackOffers = offers.filter { $0.type == .winBack }
    subscriptionGroupID = group
    subscriptionPeriod = period
    groupLevel = wire.groupLevel.flatMap(Int.init(exactly:)) ?? 0
    groupDisplayName = wire.subscriptionGroupName ?? ""
    let price = Decimal(milliunits: wire.price)
    pricingTerms = [
      PricingTerms(
        upFront: price, Decimal.FormatStyle.Currency.store(wire.currency).format(price),
        per: period, offers: offers)
    ]
  }
}

extension Product.SubscriptionOffer {
  /// Nil for a kind that StoreKit does not show, such as an offer code.
  init?(_ wire: ProductOffer, currency: String) {
    guard let type = OfferType(wire.type), let paymentMode = PaymentMode(wire.paymentMode),
      let period = Product.SubscriptionPeriod(iso8601: wire.period),
      let periodCount = Int(exactly: wire.periodCount)
    else { return nil }
    self.type = type
    self.paymentMode = paymentMode
    self.period = period
    self.periodCount = periodCount
    id = type == .introductory ? nil : wire.id
    price = Decimal(milliunits: wire.price)
    displayPrice = Decimal.FormatStyle.Currency.store(currency).format(price)
  }
}

extension Product.SubscriptionOffer.OfferType {
  fileprivate init?(_ wire: Client.OfferType) {
    switch wire {
    case .introductory: self = .introductory
    case .promotional: self = .promotional
    case .winBack: self = .winBack
    default: return nil
    }
  }
}

extension Product.SubscriptionOffer.PaymentMode {
  fileprivate init?(_ wire: Client.PaymentMode) {
    switch wire {
    case .freeTrial: self = .freeTrial
    case .payAsYouGo: self = .payAsYouGo
    case .payUpFront: self = .payUpFront
    default: return nil
    }
  }
}
