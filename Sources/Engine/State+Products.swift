import AppStore
import Contract
import Subscriptions

extension State {
  /// A product as the interfaces have it, priced for a storefront.
  func described(product number: ProductNumber, storefront: UInt16) -> Contract.Product {
    let product = facts.products[Int(number)].entry
    let currency = Storefront.all[Int(storefront)].currency
    return Contract.Product {
      $0.id = product.id
      $0.type = Contract.ProductType(rawValue: product.type.wireName)
      $0.displayName = product.displayName
      $0.description = product.description
      $0.price = product.price
      $0.currency = currency
      $0.displayPrice = MoneyText.text(product.price, currency: currency)
      $0.isFamilyShareable = product.isFamilyShareable
      if let group = product.groupID {
        $0.subscriptionGroupID = group
        $0.subscriptionGroupName = facts.groups.first { $0.id == group }?.name
      }
      if product.level > 0 { $0.groupLevel = Int64(product.level) }
      $0.subscriptionPeriod = product.period?.iso8601
      $0.offers = product.offers.map(ProductOffer.init)
    }
  }
}

extension ProductOffer {
  fileprivate init(_ offer: CatalogueOffer) {
    self.init()
    type = OfferType(rawValue: offer.kind.wireName)
    id = offer.id
    paymentMode = Contract.PaymentMode(rawValue: offer.paymentMode.catalogueName)
    period = offer.period.iso8601
    periodCount = Int64(offer.periodCount)
    price = offer.price
    // Who may redeem it, as far as the catalogue says it.
    switch offer.kind {
    case .introductory, .promotional:
      break
    case .code:
      var audience: [String] = []
      if offer.audience.contains(.new) { audience.append("new") }
      if offer.audience.contains(.existing) { audience.append("existing") }
      if offer.audience.contains(.expired) { audience.append("expired") }
      eligibility = audience
      isStackable = offer.isStackable
    case .winBack:
      isEligible = offer.isEligible
    }
  }
}

/// Amounts for people: `9.99 USD`.
enum MoneyText {
  /// Milliunits with as many decimals as they need, two at least.
  static func text(_ milliunits: Int64, currency: String) -> String {
    let whole = milliunits.magnitude / 1_000
    let rest = String(milliunits.magnitude % 1_000 + 1_000).dropFirst()
    let decimals = rest.hasSuffix("0") ? rest.dropLast() : rest
    return "\(milliunits < 0 ? "-" : "")\(whole).\(decimals) \(currency)"
  }
}

extension Contract.Storefront {
  init(_ storefront: Storefront) {
    self.init()
    countryCode = storefront.country
    id = storefront.id
    currency = storefront.currency
  }
}
