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
  func perform(
    _ command: ProductCommand, key: [UInt8], into events: inout [Event]
  ) throws(Rejection) {
    var event: Event?
    switch command {
    case .announce(let product, let price, let consent):
      event = try state.decidePriceIncrease(
        productID: product, price: price, needsConsent: consent)
    case .agree:
      try state.decideConsent(line: newestLine(key), into: &events)
    case .refuse:
      try state.decideNoConsent(line: newestLine(key), into: &events)
    case .remove(let product):
      event = try state.decideRemoval(productID: product)
    case .importAgain:
      let fact = try state.decideImport(
        ScenarioCatalogue.all, source: "test.storekit", digest: 1, isAsked: true)
      event = fact.map { Event(at: state.clocks[0].now, clock: Clock.system, fact: $0) }
    case .extend(let days, let reason):
      try state.decideExtension(
        line: newestLine(key), days: days, reason: reason, policies: policies, into: &events)
    case .extendAll(let product, let days, let identifier, let storefronts):
      event = try state.decideMassExtension(
        productID: product, days: days, reason: 3, identifier: identifier,
        storefronts: storefronts)
    }
    if let event { events.append(event) }
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
