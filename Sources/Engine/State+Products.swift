import JSON
import Subscriptions

extension State {
  /// Writes a product, priced for a storefront.
  func write(product number: ProductNumber, storefront: UInt16, into writer: inout JSONWriter) {
    let product = facts.products[Int(number)].entry
    let currency = Storefront.all[Int(storefront)].currency
    writer.beginObject()
    writer.member("productId", product.id)
    writer.member("type", product.type.wireName)
    writer.member("displayName", product.displayName)
    writer.member("description", product.description)
    writer.member("price", int: product.price)
    writer.member("currency", currency)
    writer.member("displayPrice", MoneyText.text(product.price, currency: currency))
    writer.member("familyShareable", flag: product.isFamilyShareable)
    if let group = product.groupID {
      writer.member("subscriptionGroupIdentifier", group)
      if let name = facts.groups.first(where: { $0.id == group })?.name {
        writer.member("subscriptionGroupName", name)
      }
    }
    if product.level > 0 { writer.member("groupLevel", int: Int64(product.level)) }
    if let period = product.period { writer.member("period", period.iso8601) }
    writer.key("offers")
    writer.beginArray()
    for offer in product.offers {
      writer.beginObject()
      writer.member("type", offer.kind.wireName)
      if let id = offer.id { writer.member("id", id) }
      writer.member("paymentMode", offer.paymentMode.catalogueName)
      writer.member("period", offer.period.iso8601)
      writer.member("periodCount", int: Int64(offer.periodCount))
      writer.member("price", int: offer.price)
      writeAudience(of: offer, into: &writer)
      writer.endObject()
    }
    writer.endArray()
    writer.endObject()
  }

  /// Who may redeem an offer, as far as the catalogue says it.
  private func writeAudience(of offer: CatalogueOffer, into writer: inout JSONWriter) {
    switch offer.kind {
    case .introductory, .promotional:
      break
    case .code:
      writer.key("eligibility")
      writer.beginArray()
      if offer.audience.contains(.new) { writer.string("new") }
      if offer.audience.contains(.existing) { writer.string("existing") }
      if offer.audience.contains(.expired) { writer.string("expired") }
      writer.endArray()
      writer.member("stackable", flag: offer.isStackable)
    case .winBack:
      writer.member("eligible", flag: offer.isEligible)
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

extension Storefront {
  func write(into writer: inout JSONWriter) {
    writer.beginObject()
    writer.member("country", country)
    writer.member("id", id)
    writer.member("currency", currency)
    writer.endObject()
  }
}
