/// What is due on a line at its deadline. The raw values order what is due at one instant
/// (Domain.md 9.2.2).
public enum DueKind: UInt8, Sendable {
  case renew = 0
  /// What could not be charged is charged again, and can be.
  case retry = 1
  case expire = 2
  /// The grace period ends unpaid.
  case endGrace = 3
  /// Billing is not tried any more.
  case endRetry = 4
  /// The status of a line of the App Store's changes by time alone.
  case passStatus = 8
}

/// The moment at which the daemon must act on a line by itself.
public struct Deadline: Hashable, Sendable {
  public var time: Instant
  public var kind: DueKind

  public init(time: Instant, kind: DueKind) {
    self.time = time
    self.kind = kind
  }
}

extension Line {
  /// The line's one deadline, a pure function of its facts and of the store's terms; nil where
  /// nothing will happen. A member's line of Family Sharing has none: it follows the purchaser's.
  public func deadline(_ terms: RenewalTerms) -> Deadline? {
    origin == .store && transaction.ownership == .familyShared ? nil : upcoming(terms)
  }

  /// What will happen to the line next: at its deadline, or at the purchaser's.
  public func upcoming(_ terms: RenewalTerms) -> Deadline? {
    guard origin == .store else { return passingDeadline }
    guard transaction.revocation == nil else { return nil }
    if renewal.isInBillingRetry { return billingDeadline(terms) }
    guard renewal.expirationIntent == nil else { return nil }
    let end = transaction.expiresDate
    guard renewal.autoRenews, renewals < terms.renewalsMax else {
      return Deadline(time: end, kind: .expire)
    }
    if terms.lag > 0 {
      return Deadline(time: end.advanced(byMilliseconds: terms.lag), kind: .renew)
    }
    // After a charge that failed ahead of time the next try is at the end; and a price that waits
    // for consent is not charged before.
    let waits = hasFailedCharge || renewal.priceIncreaseStatus == PriceIncreaseStatus.pending
    guard terms.lead > 0, !waits else { return Deadline(time: end, kind: .renew) }
    // Nothing is charged before the period that it follows on, nor before what the line did last.
    let charge = end.advanced(byMilliseconds: -terms.lead)
    return Deadline(
      time: max(charge, transaction.purchaseDate, renewal.signedDate), kind: .renew)
  }

  /// First the grace period ends, if there is one and it has not ended yet, then the retry does;
  /// unless billing is tried before, or at that very moment, and can succeed.
  private func billingDeadline(_ terms: RenewalTerms) -> Deadline {
    let grace = renewal.gracePeriodExpiresDate
    let end =
      hasGraceToCome
      ? Deadline(time: grace, kind: .endGrace)
      // A renewal that is dealt with late may fail when the time for trying again is over.
      : Deadline(time: max(billingRetryEnd, renewal.signedDate), kind: .endRetry)
    if let retry = nextRetry(terms), retry <= end.time {
      return Deadline(time: retry, kind: .retry)
    }
    return end
  }

  /// Whether there is a grace period whose end has not been dealt with.
  private var hasGraceToCome: Bool {
    let grace = renewal.gracePeriodExpiresDate
    return renewal.isInBillingRetry && grace != .never && lastGraceEnd != grace
  }

  /// When billing is tried next with success; nil while the account's payments fail. It is tried
  /// each so many hours from the end of the period that could not be followed on, and for the last
  /// time at the end of the retry; the first time after the payments came to succeed counts.
  private func nextRetry(_ terms: RenewalTerms) -> Instant? {
    guard payableSince != .never else { return nil }
    // What the line did since comes before.
    let since = max(payableSince, renewal.signedDate)
    guard since < billingRetryEnd else { return nil }
    let end = transaction.expiresDate
    var interval = terms.billingRetryInterval
    if let lengths = RateLengths(renewal.retryRate) { interval = lengths.length(ofRetry: interval) }
    let passed = max(0, since.milliseconds &- end.milliseconds)
    return min(end.advanced(byMilliseconds: (passed / interval + 1) * interval), billingRetryEnd)
  }

  /// Whether what is paid at a moment is paid within the grace period: to its end, and at its very
  /// end where that has not been dealt with before.
  func isPaidInGrace(at now: Instant) -> Bool {
    isInGrace(at: now) || (hasGraceToCome && now == renewal.gracePeriodExpiresDate)
  }

  /// Sixty days after the period ended, grace included (Domain.md 1.5), or what the rate makes of
  /// them at which the renewal failed.
  public var billingRetryEnd: Instant {
    let end = transaction.expiresDate
    guard let lengths = RateLengths(renewal.retryRate) else {
      return end.advanced(byDays: Limits.billingRetryDays)
    }
    return end.advanced(byMilliseconds: lengths.billingRetry)
  }

  /// Whether a moment lies in the grace period.
  public func isInGrace(at now: Instant) -> Bool {
    renewal.isInBillingRetry && renewal.gracePeriodExpiresDate != .never
      && now < renewal.gracePeriodExpiresDate
  }
}
