extension State {
  /// Takes a catalogue in: products keep their numbers for ever; those of the same source that
  /// the new one lacks go off sale, and lines that have them still renew.
  func applyCatalogue(_ catalogue: Catalogue, source: String, digest: UInt64) {
    let sourceNumber: Int
    if let known = facts.sources.firstIndex(where: { $0.name == source }) {
      sourceNumber = known
      facts.sources[known].digest = digest
    } else {
      sourceNumber = facts.sources.count
      facts.sources.append(CatalogueSource(name: source, digest: digest))
    }
    for index in facts.products.indices where facts.products[index].source == UInt32(sourceNumber) {
      facts.products[index].isOnSale = false
    }
    for group in catalogue.groups {
      intern(group.id)
      if let known = facts.groups.firstIndex(where: { $0.id == group.id }) {
        facts.groups[known] = group
      } else {
        facts.groups.append(group)
      }
    }
    for entry in catalogue.products {
      for offer in entry.offers {
        if let id = offer.id { intern(id) }
      }
      let product = Product(
        entry: entry, group: entry.groupID.map { intern($0) } ?? noNumber,
        source: UInt32(sourceNumber), isOnSale: true)
      if let number = facts.productNumbers[entry.id] {
        facts.products[Int(number)] = product
      } else {
        facts.productNumbers[entry.id] = ProductNumber(facts.products.count)
        facts.products.append(product)
      }
    }
    if let storefront = Storefront.number(country: catalogue.storefront) {
      facts.defaultStorefront = storefront
    }
    noteWinBackOffers()
  }

  @discardableResult
  func intern(_ text: String) -> UInt32 {
    if let number = facts.textNumbers[text] { return number }
    let number = UInt32(facts.texts.count)
    facts.texts.append(text)
    facts.textNumbers[text] = number
    return number
  }

  /// Decides an import: the event, or nil where the same source holds the same already. Where
  /// somebody asks for it (`isAsked`), it also brings back what was changed since by command:
  /// products removed from sale, prices.
  func decideImport(
    _ catalogue: Catalogue, source: String, digest: UInt64, isAsked: Bool = false
  ) throws(Rejection) -> Fact? {
    guard Storefront.number(country: catalogue.storefront) != nil else {
      throw .catalogueInvalid(
        path: "$.settings._storefront",
        reason: "no storefront is called \(catalogue.storefront)")
    }
    if facts.sources.contains(where: { $0.name == source && $0.digest == digest }),
      !isAsked || sells(catalogue)
    {
      return nil
    }
    for entry in catalogue.products {
      guard let number = facts.productNumbers[entry.id] else { continue }
      let known = facts.products[Int(number)]
      // Of a product that only signed facts have named, a catalogue knows better.
      guard known.isCatalogued else { continue }
      guard known.entry.type == entry.type, known.entry.groupID == entry.groupID else {
        throw .catalogueInvalid(
          path: entry.id,
          reason: "the product is known with another type or group, and these never change")
      }
    }
    return .catalogue(.catalogueImported(source: source, digest: digest, catalogue: catalogue))
  }

  private func sells(_ catalogue: Catalogue) -> Bool {
    catalogue.products.allSatisfy { entry in
      guard let number = facts.productNumbers[entry.id] else { return false }
      return facts.products[Int(number)].isOnSale && facts.products[Int(number)].entry == entry
    }
  }

  /// Decides that a product is sold no more, and renews no more (Domain.md 1.3, E24): nil where it
  /// is so already.
  func decideRemoval(productID: String) throws(Rejection) -> Event? {
    guard facts.role == .store else { throw .notInThisRole }
    guard let product = facts.productNumbers[productID] else {
      throw .productNotFound(productID: productID, nearest: nearestProducts(to: productID))
    }
    guard !facts.products[Int(product)].isWithdrawn else { return nil }
    return Event(
      at: facts.clocks[Int(Clock.system)].now, clock: Clock.system,
      fact: .product(.removedFromSale, ProductFact(product: product)))
  }

  /// The ids on sale that a misspelt one was likely meant to be, nearest first; the id itself
  /// alone where its product was taken off sale.
  public func nearestProducts(to id: String) -> [String] {
    if let known = facts.productNumbers[id], facts.products[Int(known)].isWithdrawn { return [id] }
    let wanted = Array(id.utf8.prefix(Limits.accountBytesMax))
    let distanceMax = min(Limits.nearestDistanceMax, max(2, wanted.count / 2 - 1))
    return facts.products.lazy.filter(\.isOnSale)
      .map { (distance: editDistance(wanted, Array($0.entry.id.utf8)), id: $0.entry.id) }
      .filter { $0.distance <= distanceMax || $0.id.hasPrefix(id) }
      .sorted { ($0.distance, $0.id) < ($1.distance, $1.id) }
      .prefix(Limits.nearestProductsMax).map(\.id)
  }
}

/// How many single-byte changes lead from one text to the other.
func editDistance(_ left: [UInt8], _ right: [UInt8]) -> Int {
  var row = Array(0...right.count)
  for i in left.indices {
    var diagonal = row[0]
    row[0] = i + 1
    for j in right.indices {
      let substituted = diagonal + (left[i] == right[j] ? 0 : 1)
      diagonal = row[j + 1]
      row[j + 1] = min(substituted, row[j] + 1, row[j + 1] + 1)
    }
  }
  return row[right.count]
}
