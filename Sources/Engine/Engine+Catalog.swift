import AppStore
import Contract
import Subscriptions

/// `org.renewd.Catalog`: what is sold.
extension Engine {
  /// What came of an import.
  public struct Import {
    public var products: Int
    public var notices: [String]
    /// The log has this very text already.
    public var isUnchanged: Bool
    public var sequence: UInt64
  }

  /// The text of the catalogue that comes with the daemon.
  public static var builtInCatalogue: [UInt8] { Array(BuiltInCatalogue.storekitText.utf8) }

  /// Takes in the text of a `.storekit` file, before the daemon serves or on behalf of nobody.
  public func importCatalogue(source: String, text: [UInt8]) throws(Rejection) -> Import {
    try importCatalogue(source: source, text: text, after: [])
  }

  /// The same with events that belong before it.
  func importCatalogue(
    source: String, text: [UInt8], after events: [Event]
  ) throws(Rejection) -> Import {
    let decided = try decideImport(source: source, text: text)
    var result = decided.result
    for event in events { result.sequence = commit(event) }
    for event in decided.decision.events { result.sequence = commit(event) }
    return result
  }

  private func decideImport(
    source: String, text: [UInt8], isAsked: Bool = false
  ) throws(Rejection) -> (decision: Decision, result: Import) {
    let read: StoreKitConfiguration
    do throws(StoreKitConfigurationError) {
      read = try StoreKitConfiguration.read(text)
    } catch {
      throw .catalogueInvalid(path: error.path, reason: error.reason)
    }
    var digest = FNV1a()
    digest.add(text)
    let moment = Moment(configuration.policies)
    var decision = try state.decide(
      .importCatalogue(
        read.catalogue, source: source, digest: digest.value, isAsked: isAsked), moment)
    let (keys, keyNotices) = offerKeys(of: read)
    let result = Import(
      products: read.catalogue.products.count, notices: read.notices + keyNotices,
      isUnchanged: decision.events.isEmpty, sequence: state.sequence)
    // A log whose writer did not know the keys gets them with a text that it has already.
    decision.events += try state.decide(.importOfferKeys(keys, source: source), moment).events
    return (decision, result)
  }

  func importCatalog(
    _ asked: CatalogInterface.Import, _ call: CallContext
  ) throws(Refusal) -> Outcome {
    let source = asked.source ?? "imported"
    guard !source.isEmpty, source.utf8.count <= Limits.sourceBytesMax else {
      throw .value("source", "a source's name is 1 to \(Limits.sourceBytesMax) bytes")
    }
    switch try repeated(call) {
    case .waiting: return .waiting
    case .replay(let events):
      answer(
        call,
        Import(
          products: state.products.count { $0.isOnSale }, notices: [], isUnchanged: true,
          sequence: events[0].sequence))
      return .answered
    case .new(let fingerprint):
      let bytes = Array(asked.text.utf8)
      try claimSpace(bytes.count + Limits.commandBytesMax, from: .ordinary)
      let (decision, decided) = try decided { () throws(Rejection) in
        try decideImport(source: source, text: bytes, isAsked: true)
      }
      var result = decided
      if !decision.events.isEmpty {
        result.sequence = try commit(decision, from: call, fingerprint: fingerprint).last
      }
      answer(call, result)
      return .answered
    }
  }

  private func answer(_ call: CallContext, _ result: Import) {
    answer(
      call.session, after: result.sequence,
      ImportAnswer {
        $0.products = Int64(result.products)
        $0.notices = result.notices
        $0.isUnchanged = result.isUnchanged
        $0.sequence = Int64(result.sequence)
      })
  }

  func describeCatalog(_ asked: CatalogInterface.Describe, _ call: CallContext) -> Outcome {
    let onSale = state.products.indices.filter { state.products[$0].isOnSale }
    let products = onSale.map {
      state.described(product: ProductNumber($0), storefront: state.defaultStorefront)
    }
    answer(
      call.session, after: state.clocks[0].lastSequence,
      CatalogueDescription {
        $0.products = products
        $0.groups = state.groups.map { group in
          SubscriptionGroup {
            $0.id = group.id
            $0.name = group.name
            $0.productIDs = onSale.map { state.products[$0].entry }
              .filter { $0.groupID == group.id }.map(\.id)
          }
        }
      })
    return .answered
  }
}
