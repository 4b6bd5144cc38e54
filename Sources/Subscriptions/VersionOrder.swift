/// Which of two versions of one thing is believed: a total order, so that a chain is the same in
/// whatever order its facts came. The later signed counts before all else. What was signed in one
/// millisecond is decided by what it says (Rules.md, "Which version is believed"), and only where
/// both say as much by the greater SHA-256 of the payload.
extension TransactionVersion {
  /// Whether this version is to be believed rather than `other`.
  public func isNewer(than other: TransactionVersion) -> Bool {
    let own = transaction
    let their = other.transaction
    if own.signedDate != their.signedDate { return own.signedDate > their.signedDate }
    // A refund before its absence, and an end before a change.
    if let first = VersionOrder.decide(own.revocation != nil, their.revocation != nil) {
      return first
    }
    if let first = VersionOrder.decide(own.isUpgraded, their.isUpgraded) { return first }
    if toldCount != other.toldCount { return toldCount > other.toldCount }
    // Of two ends the earlier one, of two refunds of that time the greater.
    if let mine = own.revocation, let theirs = their.revocation {
      if mine.date != theirs.date { return mine.date < theirs.date }
      if mine.percentage != theirs.percentage { return mine.percentage > theirs.percentage }
    }
    if own.expiresDate != their.expiresDate { return own.expiresDate < their.expiresDate }
    return digest > other.digest
  }

  /// How many of the fields that may be missing were told.
  private var toldCount: Int {
    if let fields { return fields.toldCount }
    let told = [
      transaction.offer != nil, transaction.price != 0, token != nil,
      transaction.webOrderLineItemID != 0,
    ]
    return told.count { $0 }
  }
}

extension RenewalVersion {
  /// Whether this version is to be believed rather than `other`.
  public func isNewer(than other: RenewalVersion) -> Bool {
    let own = renewal
    let their = other.renewal
    if own.signedDate != their.signedDate { return own.signedDate > their.signedDate }
    // An end before what is none: over, being retried, not to be renewed, in this order.
    if let first = VersionOrder.decide(isOver, other.isOver) { return first }
    if let first = VersionOrder.decide(own.isInBillingRetry, their.isInBillingRetry) {
      return first
    }
    if let first = VersionOrder.decide(!own.autoRenews, !their.autoRenews) { return first }
    if toldCount != other.toldCount { return toldCount > other.toldCount }
    // An end of grace that was told before one that is assumed; of two the earlier.
    if isGraceAssumed != other.isGraceAssumed, digest != other.digest { return !isGraceAssumed }
    if own.gracePeriodExpiresDate != their.gracePeriodExpiresDate {
      return own.gracePeriodExpiresDate < their.gracePeriodExpiresDate
    }
    let answer = own.priceIncreaseStatus.map { Int($0) } ?? -1
    let theirAnswer = their.priceIncreaseStatus.map { Int($0) } ?? -1
    if answer != theirAnswer { return answer > theirAnswer }
    if digest != other.digest { return digest > other.digest }
    return isGraceAssumed && !other.isGraceAssumed
  }

  /// Whether it says why the line ended, and that nobody tries to charge it any more.
  private var isOver: Bool { renewal.expirationIntent != nil && !renewal.isInBillingRetry }

  /// How many of the fields that may be missing were told. An end of grace that is assumed stands
  /// for one that a notification's status told of.
  private var toldCount: Int {
    if let fields {
      let dates = [
        renewal.gracePeriodExpiresDate, renewal.renewalDate, renewal.recentSubscriptionStartDate,
      ]
      return fields.toldCount + dates.count { $0 != .never }
    }
    let told = [
      renewal.expirationIntent != nil, renewal.gracePeriodExpiresDate != .never,
      renewal.priceIncreaseStatus != nil, renewal.offer != nil, renewal.renewalPrice != 0,
      renewal.renewalDate != .never, renewal.recentSubscriptionStartDate != .never, token != nil,
    ]
    return told.count { $0 }
  }
}

private enum VersionOrder {
  /// Where one of two versions says something and the other does not: whether it is the first.
  static func decide(_ own: Bool, _ their: Bool) -> Bool? {
    own == their ? nil : own
  }
}
