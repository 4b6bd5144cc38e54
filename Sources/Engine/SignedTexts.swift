import AppStore
import Subscriptions

/// What the App Store signed, letter for letter as it came: the texts of some transactions and
/// renewal infos, found by the digests of their payloads. One that came inside a notification is
/// the text that stood there.
struct SignedTexts: Sendable {
  private var transactions: [PayloadDigest: [UInt8]] = [:]
  private var renewals: [PayloadDigest: [UInt8]] = [:]

  init() {}

  /// The texts that some of the log's events brought.
  init(_ events: [StoredEvent]) {
    for stored in events {
      if case .appStore(.ingested(let fact)) = stored.event.fact { add(fact) }
    }
  }

  init(_ fact: IngestedFact) {
    add(fact)
  }

  func text(of version: TransactionVersion?) -> [UInt8]? {
    version.flatMap { transactions[$0.digest] }
  }

  func text(of version: RenewalVersion?) -> [UInt8]? {
    version.flatMap { renewals[$0.digest] }
  }

  private mutating func add(_ fact: IngestedFact) {
    switch fact.kind {
    case .transaction:
      if let version = fact.transaction { transactions[version.digest] = fact.signed }
    case .renewalInfo:
      if let version = fact.renewal { renewals[version.digest] = fact.signed }
    case .notification:
      let data = Self.data(of: fact.signed)
      if let version = fact.transaction, let text = data?.signedTransactionInfo {
        transactions[version.digest] = CompactJWS.trimmed(Array(text.utf8))
      }
      if let version = fact.renewal, let text = data?.signedRenewalInfo {
        renewals[version.digest] = CompactJWS.trimmed(Array(text.utf8))
      }
    }
  }

  /// The part of a notification that holds the other texts. It was read when it was taken in; one
  /// that cannot be read any more has none.
  private static func data(of notification: [UInt8]) -> NotificationData? {
    do throws(VerificationFailure) {
      return try NotificationPayload(json: CompactJWS(notification).payload).data
    } catch {
      return nil
    }
  }
}

extension Engine {
  /// The events that hold the App Store's own texts of what some lines and purchases stand on, in
  /// their order.
  func textSequences(
    lines: some Sequence<LineNumber>, purchases: [Transaction] = []
  ) -> [UInt64] {
    var sequences: Set<UInt64> = []
    for number in lines {
      guard let chain = state.apple.chain(ofLine: number) else { continue }
      let id = state.lines[Int(number)].transaction.id
      if let version = chain.version(id: id) { sequences.insert(version.sequence) }
      if let renewal = chain.renewal { sequences.insert(renewal.sequence) }
    }
    for purchase in purchases {
      if let version = told(purchase) { sequences.insert(version.sequence) }
    }
    return sequences.sorted()
  }

  /// The version of a lasting purchase that a signed fact told; nil for the store's own.
  private func told(_ transaction: Transaction) -> TransactionVersion? {
    StoreEnvironment.allCases.lazy.compactMap {
      self.state.apple.chain(ChainKey(environment: $0, originalID: transaction.originalID))?
        .version(id: transaction.id)
    }.first
  }

  /// Reads events by their sequences on behalf of a call, where it has not read them yet; nil where
  /// it has, and may answer.
  func gatherTexts(_ sequences: [UInt64], for call: CallContext) -> Outcome? {
    let known = Set(call.gathered.texts.map(\.sequence))
    guard let last = sequences.last, !known.isSuperset(of: sequences) else { return nil }
    var gathered = call.gathered
    gathered.wish = .texts
    suspend(call, gathered, .listed(sequences), after: last)
    return .waiting
  }
}
