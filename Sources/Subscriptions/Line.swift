/// Where a subscription stands, with Apple's numbers (Domain.md 1.2).
public enum Status: UInt8, Sendable, CaseIterable {
  case active = 1
  case expired = 2
  case billingRetry = 3
  case gracePeriod = 4
  case revoked = 5

  /// Active and grace entitle.
  public var entitles: Bool {
    self == .active || self == .gracePeriod
  }
}

/// Where a line's facts come from.
public enum Origin: UInt8, Sendable {
  case store = 0
  case apple = 1
}

/// One subscription: what one `originalTransactionId` names. A fixed-size record with the newest
/// transaction and the renewal info; older transactions are read back from the log.
public struct Line: Hashable, Sendable {
  public var account: AccountNumber
  /// The group's number in the state's text table.
  public var group: UInt32
  /// The same account's next older line, or `noNumber`.
  public var nextOfAccount: LineNumber
  /// True once any transaction of the line had an introductory offer.
  public var hadIntroductoryOffer: Bool
  /// The environment that its facts are of; for the store's own lines it says nothing.
  public var environment: StoreEnvironment
  /// Whether the newest event left the line entitling.
  public var isGranting: Bool
  public internal(set) var course: Course
  public var originalPurchaseDate: Instant
  public var lastGraceStart: Instant
  public var lastGraceEnd: Instant
  /// Of a line in billing trouble: since when its account's payments succeed again; `.never` while
  /// they fail, and for every other line.
  var payableSince = Instant.never
  public var transaction: Transaction
  public var renewal: RenewalInfo

  /// The current transaction as an event that leaves it alone carries it: only where another
  /// product is to renew, since else the renewal info names its product.
  var carriedTransaction: Transaction? {
    renewal.autoRenewProduct == transaction.product ? nil : transaction
  }

  /// The line's status at a moment: a pure function of its facts (Domain.md 1.2). Intervals are
  /// half-open: at exactly `expiresDate` the period is over.
  public func status(at now: Instant) -> Status {
    if let revocation = transaction.revocation, revocation.date <= now { return .revoked }
    if let status = told?.status { return status }
    if now < transaction.expiresDate { return .active }
    guard renewal.isInBillingRetry else { return .expired }
    if renewal.gracePeriodExpiresDate != .never, now < renewal.gracePeriodExpiresDate {
      return .gracePeriod
    }
    return .billingRetry
  }
}
