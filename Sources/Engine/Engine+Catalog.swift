import AppStore
import JSON
import Subscriptions
import Varlink

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

  func performCatalog(_ call: CallContext) throws(Refusal) -> Outcome {
    switch call.member {
    case "Import": try importCatalog(call)
    case "Describe": describeCatalog(call)
    default: preconditionFailure("\(call.method) is described but not answered")
    }
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

  private func importCatalog(_ call: CallContext) throws(Refusal) -> Outcome {
    guard state.role == .store else { throw .rule(.notInThisRole) }
    guard let text = call.parameters.text("text") else { throw .parameter("text") }
    let source = call.parameters.text("source") ?? "imported"
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
      let bytes = Array(text.utf8)
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
    reply(to: call.session, after: result.sequence) { writer in
      VarlinkReply.begin(&writer)
      writer.member("products", int: Int64(result.products))
      writer.key("notices")
      writer.beginArray()
      for notice in result.notices { writer.string(notice) }
      writer.endArray()
      writer.member("unchanged", flag: result.isUnchanged)
      writer.member("sequence", sequence: result.sequence)
      VarlinkReply.end(&writer)
    }
  }

  private func describeCatalog(_ call: CallContext) -> Outcome {
    let onSale = state.products.indices.filter { state.products[$0].isOnSale }
    reply(to: call.session, after: state.clocks[0].lastSequence) { writer in
      VarlinkReply.begin(&writer)
      writer.key("products")
      writer.beginArray()
      for number in onSale {
        state.write(
          product: ProductNumber(number), storefront: state.defaultStorefront, into: &writer)
      }
      writer.endArray()
      writer.key("groups")
      writer.beginArray()
      for group in state.groups { write(group, onSale: onSale, into: &writer) }
      writer.endArray()
      VarlinkReply.end(&writer)
    }
    return .answered
  }

  private func write(_ group: CatalogueGroup, onSale: [Int], into writer: inout JSONWriter) {
    writer.beginObject()
    writer.member("id", group.id)
    writer.member("name", group.name)
    writer.key("products")
    writer.beginArray()
    for number in onSale where state.products[number].entry.groupID == group.id {
      writer.string(state.products[number].entry.id)
    }
    writer.endArray()
    writer.endObject()
  }
}
