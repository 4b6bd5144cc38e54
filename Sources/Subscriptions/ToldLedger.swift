/// What signed facts of the App Store's say was paid for an account's lines and purchases, and
/// given back: a pure function of the account's events, the same in whatever order they came. What
/// no fact says is not made up: an amount is nil where no version of the transaction told it.
public struct ToldLedger: Sendable {
  public struct Entry: Hashable, Sendable {
    /// The event that told it.
    public var sequence: UInt64?
    public var at: Instant
    public var kind: Ledger.Kind
    /// Milliunits: more than 0 was paid by the account, less was given back to it; nil where it was
    /// not told.
    public var amount: Int64?
    /// Number of the storefront whose currency it is.
    public var storefront: UInt16
    public var product: ProductNumber
    public var transactionID: UInt64
  }

  private struct Told {
    var version: TransactionVersion
    var sequence: UInt64?
  }

  /// Every version that came, by the line or purchase that it is of.
  private var told: [ChainKey: [Told]] = [:]

  public init() {}

  public var isEmpty: Bool { told.isEmpty }

  /// Takes in the account's next event.
  public mutating func apply(_ event: Event, sequence: UInt64?) {
    if case .appStore(.ingested(let fact)) = event.fact, let key = fact.key,
      let version = fact.transaction
    {
      told[key, default: []].append(Told(version: version, sequence: sequence))
    } else if case .appStore(.linked(let fact)) = event.fact {
      told[fact.key, default: []] += fact.versions.map { Told(version: $0, sequence: sequence) }
    } else if case .appStore(.unlinked(let fact)) = event.fact {
      // What was paid went with the line.
      told[fact.key] = nil
    }
  }

  /// All entries, oldest first.
  ///
  /// - Parameters:
  ///   - environment: whose facts they are made of.
  ///   - isPriced: whether a version says what was paid.
  public func entries(
    of environment: StoreEnvironment, isPriced: (TransactionVersion) -> Bool
  ) -> [Entry] {
    var entries: [Entry] = []
    for (key, told) in told where key.environment == environment {
      let periods = Dictionary(grouping: told) { $0.version.periodID }.values.map {
        $0.sorted { $1.version.isNewer(than: $0.version) }
      }
      for versions in periods {
        guard let newest = versions.last, newest.version.transaction.ownership == .purchased
        else { continue }
        append(versions, of: periods, isPriced, to: &entries)
      }
    }
    return entries.sorted {
      ($0.at, $0.transactionID, $0.kind.rawValue) < ($1.at, $1.transactionID, $1.kind.rawValue)
    }
  }

  /// What became of one period, from its versions as they were signed.
  private func append(
    _ versions: [Told], of periods: [[Told]], _ isPriced: (TransactionVersion) -> Bool,
    to entries: inout [Entry]
  ) {
    let newest = versions[versions.count - 1].version.transaction
    // Where the newest does not say the price, as for some days of 2023, an older one may.
    let priced = versions.last { isPriced($0.version) }?.version.transaction
    func entry(_ kind: Ledger.Kind, _ at: Instant, _ amount: Int64?, _ told: Told) -> Entry {
      Entry(
        sequence: told.sequence, at: at, kind: kind, amount: amount,
        storefront: (priced ?? newest).storefront, product: newest.product,
        transactionID: newest.id)
    }
    let first = versions.min { ($0.sequence ?? .max) < ($1.sequence ?? .max) } ?? versions[0]
    entries.append(entry(.charge, newest.purchaseDate, priced?.price, first))
    var refund: Entry?
    for told in versions {
      if let revocation = told.version.transaction.revocation {
        guard revocation.type != .familyRevoke else { continue }
        let amount = told.version.refund(of: priced?.price)
        // A later version may say another share of the same refund.
        refund = entry(.refund, revocation.date, amount.map { -$0 }, told)
      } else if let taken = refund {
        entries.append(taken)
        entries.append(
          entry(
            .reversal, told.version.transaction.signedDate, taken.amount.map { -$0 }, told))
        refund = nil
      }
    }
    if let refund { entries.append(refund) }
    if newest.isUpgraded, newest.revocation == nil,
      let told = versions.first(where: { $0.version.transaction.isUpgraded })
    {
      // The unused part was given back; how much, no signed transaction says.
      let next = periods.compactMap(\.last).map(\.version.transaction)
        .filter { $0.purchaseDate > newest.purchaseDate }.map(\.purchaseDate).min()
      entries.append(entry(.proration, next ?? told.version.transaction.signedDate, nil, told))
    }
  }
}

extension TransactionVersion {
  /// What names the period or purchase: several transaction ids may stand for one.
  fileprivate var periodID: UInt64 {
    transaction.webOrderLineItemID == 0 ? transaction.id : transaction.webOrderLineItemID
  }

  /// What its refund gives back of a price; nil where the price was not told.
  fileprivate func refund(of price: Int64?) -> Int64? {
    guard let price, let revocation = transaction.revocation else { return nil }
    return Ledger.share(revocation.percentage, of: price)
  }
}
