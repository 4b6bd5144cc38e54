/// One version of a transaction as the App Store signed it, and what its fixed-size record leaves
/// out.
public struct TransactionVersion: Hashable, Sendable {
  public var transaction: Transaction
  /// When the original transaction was bought, as this version says.
  public var originalPurchaseDate: Instant
  /// The appAccountToken, where there is one.
  public var token: UUIDBits?
  public var digest: PayloadDigest
  /// The event that brought it; 0 in an event itself, which has one already.
  public var sequence: UInt64 = 0
  /// Which fields were told, and those that the record has no place for; nil in older records.
  public var fields: ToldFields?

  public init(
    transaction: Transaction, originalPurchaseDate: Instant, token: UUIDBits? = nil,
    digest: PayloadDigest, fields: ToldFields? = nil
  ) {
    self.transaction = transaction
    self.originalPurchaseDate = originalPurchaseDate
    self.token = token
    self.digest = digest
    self.fields = fields
  }

}

/// One version of a line's renewal info as the App Store signed it.
public struct RenewalVersion: Hashable, Sendable {
  public var renewal: RenewalInfo
  /// The appAccountToken of the renewal to come, where there is one.
  public var token: UUIDBits?
  public var digest: PayloadDigest
  /// The end of grace was missing where the notification said grace, and was filled in from the
  /// policy (Domain.md 8, case 18). So only in older records: today a chain's standing does it.
  public var isGraceAssumed: Bool
  /// The event that brought it; 0 in an event itself, which has one already.
  public var sequence: UInt64 = 0
  /// Which fields were told, and those that the record has no place for; nil in older records.
  public var fields: ToldFields?

  public init(
    renewal: RenewalInfo, token: UUIDBits? = nil, digest: PayloadDigest,
    isGraceAssumed: Bool = false, fields: ToldFields? = nil
  ) {
    self.renewal = renewal
    self.token = token
    self.digest = digest
    self.isGraceAssumed = isGraceAssumed
    self.fields = fields
  }

  /// Whether renewal is on; nil where that was not told.
  public var renews: Bool? {
    fields?.isPlain(.autoRenewStatus) ?? true ? renewal.autoRenews : nil
  }
}

/// What names a chain: an original transaction of one environment.
public struct ChainKey: Hashable, Sendable {
  public var environment: StoreEnvironment
  public var originalID: UInt64

  public init(environment: StoreEnvironment, originalID: UInt64) {
    self.environment = environment
    self.originalID = originalID
  }
}

/// All that the App Store has said about one original transaction: of each transaction the newest
/// version, and the newest renewal info. It is a set: any order of arrival gives the same one, and
/// what stands in a `Line` is read off it.
public struct AppleChain: Hashable, Sendable {
  public var key: ChainKey
  /// Whose it is; `noNumber` while nobody has been named.
  public var account: AccountNumber
  /// The line that shows it; `noNumber` before its first transaction, or outside a subscription.
  public var line: LineNumber = noNumber
  /// The same for a lasting purchase.
  public var purchase = noNumber
  /// The group's number among the texts, as the newest version says; `noNumber` for none.
  public var group = noNumber
  /// The newest version of each transaction, by its id.
  public private(set) var versions: [TransactionVersion] = []
  public private(set) var renewal: RenewalVersion?
  /// What notifications said by their status, type and subtype.
  public private(set) var standing = Standing()
  /// The greatest signed date of anything that came.
  public private(set) var newestSignedDate = Instant(milliseconds: .min)

  public init(key: ChainKey, account: AccountNumber) {
    self.key = key
    self.account = account
  }

  /// Takes in a version of a transaction; an older one than is known changes nothing.
  public mutating func take(_ version: TransactionVersion) {
    newestSignedDate = max(newestSignedDate, version.transaction.signedDate)
    let place = place(of: version.transaction.id)
    guard place < versions.count, versions[place].transaction.id == version.transaction.id else {
      versions.insert(version, at: place)
      return
    }
    if version.isNewer(than: versions[place]) { versions[place] = version }
  }

  /// Takes in a version of the renewal info.
  public mutating func take(_ version: RenewalVersion) {
    newestSignedDate = max(newestSignedDate, version.renewal.signedDate)
    guard let known = renewal, !version.isNewer(than: known) else {
      renewal = version
      return
    }
  }

  /// Takes in all that a fact says of it.
  public mutating func take(_ fact: IngestedFact) {
    if let version = fact.transaction { take(version) }
    if let version = fact.renewal { take(version) }
    if let standing = fact.standing { take(standing) }
  }

  /// Takes in what notifications said outright.
  public mutating func take(_ said: Standing) {
    standing.take(said)
  }

  /// Remembers that something signed then has come, though it is not kept.
  mutating func noteSigned(_ date: Instant) {
    newestSignedDate = max(newestSignedDate, date)
  }

  private func place(of id: UInt64) -> Int {
    var low = 0
    var high = versions.count
    while low < high {
      let middle = (low + high) / 2
      if versions[middle].transaction.id < id { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// The version of a transaction that is believed, by its own id.
  public func version(id: UInt64) -> TransactionVersion? {
    let place = place(of: id)
    guard place < versions.count, versions[place].transaction.id == id else { return nil }
    return versions[place]
  }

  /// The period or purchase that a transaction id names: where several ids stand for one period
  /// (the same `webOrderLineItemId`), the newest version of them all speaks for it.
  public func period(id: UInt64) -> TransactionVersion? {
    guard let own = version(id: id) else { return nil }
    return versions.lazy.filter { $0.isSamePeriod(as: own) }
      .reduce(own) { $1.isNewer(than: $0) ? $1 : $0 }
  }

  /// One version for each period or purchase, oldest first: what was sold, each thing once.
  public var periods: [TransactionVersion] {
    var places: [UInt64: Int] = [:]
    var found: [TransactionVersion] = []
    for version in versions {
      let period = version.transaction.webOrderLineItemID
      if period != 0, let place = places[period] {
        if version.isNewer(than: found[place]) { found[place] = version }
      } else {
        if period != 0 { places[period] = found.count }
        found.append(version)
      }
    }
    return found.sorted {
      ($0.transaction.purchaseDate, $0.transaction.id)
        < ($1.transaction.purchaseDate, $1.transaction.id)
    }
  }

  /// The transaction that the line's status is read from: the latest bought of those not replaced
  /// by an upgrade (Domain.md 1.2); nil before the first. Where all that came are replaced, and
  /// what replaced them has not come yet, the latest of them stands.
  public var current: TransactionVersion? {
    var best: TransactionVersion?
    for version in periods {
      guard let known = best else {
        best = version
        continue
      }
      if version.isLater(than: known) { best = version }
    }
    return best
  }

  /// Whether any transaction had an introductory offer.
  public var hadIntroductoryOffer: Bool {
    versions.contains { $0.transaction.offer?.kind == .introductory }
  }
}

extension TransactionVersion {
  func isSamePeriod(as other: TransactionVersion) -> Bool {
    transaction.id == other.transaction.id
      || (transaction.webOrderLineItemID != 0
        && transaction.webOrderLineItemID == other.transaction.webOrderLineItemID)
  }

  /// Whether this is the line's newer period (Domain.md 1.2): the greater purchase date, those that
  /// an upgrade replaced behind all others. Of two bought in one millisecond the greater id, and
  /// not the later signed, which would be the one that was refunded since.
  fileprivate func isLater(than other: TransactionVersion) -> Bool {
    if transaction.isUpgraded != other.transaction.isUpgraded { return !transaction.isUpgraded }
    return (transaction.purchaseDate, transaction.id)
      > (other.transaction.purchaseDate, other.transaction.id)
  }
}
