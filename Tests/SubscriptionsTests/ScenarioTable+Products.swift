import Subscriptions

/// What a row does to a product, or to the account's newest line about its price or its end.
enum ProductCommand {
  case announce(String, Int64, consent: Bool)
  case agree
  case refuse
  case remove(String)
  case importAgain
  case extend(Int64, reason: Int64 = 0)
  case extendAll(String, Int64, id: String = "E1", storefronts: [String]? = nil)
}

extension ScenarioWorld {
  func command(_ command: ProductCommand, of key: [UInt8]) -> Command {
    switch command {
    case .announce(let product, let price, let consent):
      .increasePrice(productID: product, price: price, needsConsent: consent)
    case .agree:
      .consent(newestLine(key))
    case .refuse:
      .declineIncrease(newestLine(key))
    case .remove(let product):
      .removeFromSale(productID: product)
    case .importAgain:
      .importCatalogue(
        ScenarioCatalogue.all, source: "test.storekit", digest: 1, isAsked: true)
    case .extend(let days, let reason):
      .extend(newestLine(key), days: days, reason: reason)
    case .extendAll(let product, let days, let identifier, let storefronts):
      .extendAll(
        productID: product, days: days, reason: 3, identifier: identifier,
        storefronts: storefronts)
    }
  }

  /// `priceIncreaseAnnounced silver.m 5990 asked`, `massExtensionCompleted silver.m 1 of 2`.
  func text(_ kind: ProductKind, _ fact: ProductFact) -> String {
    let text = "\(kind) \(state.products[Int(fact.product)].entry.id)"
    switch kind {
    case .priceIncreaseAnnounced:
      return "\(text) \(fact.price) \(fact.needsConsent ? "asked" : "told")"
    case .priceIncreaseCompleted: return "\(text) \(fact.succeeded)"
    case .massExtensionCompleted:
      return "\(text) \(fact.succeeded) of \(fact.succeeded + fact.failed);"
        + " \(self.text(kind.productNotification))"
    default: return text
    }
  }
}
