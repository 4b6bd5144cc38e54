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
  public var origin: Origin
  /// True once any transaction of the line had an introductory offer.
  public var hadIntroductoryOffer: Bool
  /// The environment that its facts are of; for the store's own lines it says nothing.
  public var environment: StoreEnvironment
  /// Whether the newest event left the line entitling.
  public var isGranting: Bool
  /// How many periods of the current offer have been sold, the current one included; negative
  /// where the same offer was redeemed again, so that at the next renewal it begins anew.
  public var offerPeriodsSold: Int32
  /// `renewals` × 2, and 1 for `hasFailedCharge`; of a line of the App Store's `told`.
  var renewalBits: UInt32
  /// Where the calendar is counted from, and how much of it has been sold, in months or days
  /// (whichever the product's period is counted in): the n-th end is anchor + n × period.
  public var anchor: Instant
  public var anchorLength: Int32
  public var originalPurchaseDate: Instant
  public var lastGraceStart: Instant
  public var lastGraceEnd: Instant
  /// Of a line in billing trouble: since when its account's payments succeed again; `.never` while
  /// they fail, and for every other line.
  var payableSince = Instant.never
  public var transaction: Transaction
  public var renewal: RenewalInfo

  /// How many periods of the current offer have been sold, whether or not it begins anew.
  var offerPeriodsBegun: Int32 { Int32(truncatingIfNeeded: offerPeriodsSold.magnitude) }

  /// How many renewals have followed on the line's newest purchase.
  public var renewals: Int32 { Int32(renewalBits >> 1) }

  /// Whether a charge ahead of the period's end failed: the next one is tried at the end.
  public var hasFailedCharge: Bool { renewalBits & 1 != 0 }

  /// The current transaction as an event that leaves it alone carries it: only where another
  /// product is to renew, since else the renewal info names its product.
  var carriedTransaction: Transaction? {
    renewal.autoRenewProduct == transaction.product ? nil : transaction
  }

  /// The line's status at a moment: a pure function of its facts (Domain.md 1.2). Intervals are
  /// half-open: at exactly `expiresDate` the period is over.
  public func status(at now: Instant) -> Status {
    if let revocation = transaction.revocation, revocation.date <= now { return .revoked }
    if let told = toldStatus { return told }
    if now < transaction.expiresDate { return .active }
    guard renewal.isInBillingRetry else { return .expired }
    if renewal.gracePeriodExpiresDate != .never, now < renewal.gracePeriodExpiresDate {
      return .gracePeriod
    }
    return .billingRetry
  }
}
