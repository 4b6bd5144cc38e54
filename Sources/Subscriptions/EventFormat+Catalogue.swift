extension EventFormat {
  static func encode(_ catalogue: Catalogue, into writer: inout ByteWriter) {
    writer.text(catalogue.storefront)
    writer.varint(UInt64(catalogue.groups.count))
    for group in catalogue.groups {
      writer.text(group.id)
      writer.text(group.name)
    }
    writer.varint(UInt64(catalogue.products.count))
    for product in catalogue.products { encode(product, into: &writer) }
  }

  static func catalogue(from reader: inout ByteReader) -> Catalogue {
    var catalogue = Catalogue(storefront: reader.text())
    for _ in 0..<reader.count() {
      let id = reader.text()
      catalogue.groups.append(CatalogueGroup(id: id, name: reader.text()))
    }
    for _ in 0..<reader.count() {
      guard let product = product(from: &reader) else { break }
      catalogue.products.append(product)
    }
    return catalogue
  }

  static func encode(_ product: CatalogueProduct, into writer: inout ByteWriter) {
    writer.text(product.id)
    writer.byte(product.type.rawValue)
    writer.text(product.displayName)
    writer.text(product.description)
    writer.zigzag(product.price)
    writer.byte(product.isFamilyShareable ? 1 : 0)
    writer.optionalText(product.groupID)
    writer.zigzag(Int64(product.level))
    encode(product.period ?? .none, into: &writer)
    writer.varint(UInt64(product.offers.count))
    for offer in product.offers { encode(offer, into: &writer) }
  }

  static func product(from reader: inout ByteReader) -> CatalogueProduct? {
    let id = reader.text()
    guard let type = reader.value(ProductType.self) else { return nil }
    var product = CatalogueProduct(id: id, type: type, price: 0)
    product.displayName = reader.text()
    product.description = reader.text()
    product.price = reader.zigzag()
    product.isFamilyShareable = reader.byte() != 0
    product.groupID = reader.optionalText()
    product.level = Int32(truncatingIfNeeded: reader.zigzag())
    let period = period(from: &reader)
    product.period = period == .none ? nil : period
    for _ in 0..<reader.count() {
      guard let offer = catalogueOffer(from: &reader) else { return nil }
      product.offers.append(offer)
    }
    return product
  }

  private static func encode(_ offer: CatalogueOffer, into writer: inout ByteWriter) {
    writer.byte(offer.kind.rawValue)
    writer.optionalText(offer.id)
    writer.byte(offer.paymentMode.rawValue)
    encode(offer.period, into: &writer)
    writer.zigzag(Int64(offer.periodCount))
    writer.zigzag(offer.price)
    writer.byte(offer.audience.rawValue)
    writer.byte((offer.isStackable ? 1 : 0) | (offer.isEligible ? 2 : 0))
  }

  private static func catalogueOffer(from reader: inout ByteReader) -> CatalogueOffer? {
    guard let kind = reader.value(OfferKind.self) else { return nil }
    let id = reader.optionalText()
    guard let mode = reader.value(PaymentMode.self) else { return nil }
    var offer = CatalogueOffer(
      kind: kind, id: id, paymentMode: mode, period: period(from: &reader))
    offer.periodCount = Int32(truncatingIfNeeded: reader.zigzag())
    offer.price = reader.zigzag()
    offer.audience = OfferAudience(rawValue: reader.byte())
    let flags = reader.byte()
    offer.isStackable = flags & 1 != 0
    offer.isEligible = flags & 2 != 0
    return offer
  }
}
