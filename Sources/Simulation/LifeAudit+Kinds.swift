import Subscriptions

/// What an event of a line that its account bought must be, by its kind.
extension LifeAudit {
  func check(
    _ kind: LineKind, _ fact: LineFact, _ cause: EventCause, at: Instant, _ before: LifeLine?,
    _ state: State
  ) throws(Violation) {
    guard let before else {
      try Violation.unless(kind == .purchased, "facts: a line began by \(kind)")
      return try checkPurchase(fact, at: at, nil, state)
    }
    switch kind {
    case .purchased: try checkPurchase(fact, at: at, before, state)
    case .renewed:
      try cause == .due
        ? checkRenewal(fact, at: at, before) : checkForcedRenewal(fact, at: at, before)
    case .chargeFailed, .renewalFailed, .graceEnded:
      try checkTrouble(kind, fact, cause, at: at, before)
    case .recovered: try checkRecovery(fact, cause, at: at, before)
    case .expired:
      try cause == .due ? checkEnd(fact, at: at, before) : checkStop(fact, at: at, before)
    case .upgraded: try checkUpgrade(fact, at: at, before, state)
    case .autoRenewChanged: try checkAutoRenew(fact, at: at, before)
    case .planChangeScheduled, .offerRedeemed:
      try checkPlan(kind, fact, at: at, before, state)
    case .priceIncreased, .priceIncreaseAccepted:
      try checkIncrease(kind, fact, cause, at: at, before)
    case .renewalExtended: try checkExtension(fact, at: at, before)
    case .refunded: try checkRefund(fact, at: at, before)
    case .refundReversed: try checkReversal(fact, at: at, before)
    case .extensionFailed, .refundRequested, .refundDeclined, .restored:
      try Violation.unless(fact.renewal == nil, "facts: \(kind) changed what renews")
    case .shared, .revoked, .statusPassed:
      throw Violation("facts: \(kind) befell a line that was bought")
    }
  }

  // MARK: Trouble

  private func checkTrouble(
    _ kind: LineKind, _ fact: LineFact, _ cause: EventCause, at: Instant, _ before: LifeLine
  ) throws(Violation) {
    let end = before.transaction.expiresDate
    try Violation.unless(cause == .due, "trouble: \(kind) did not fall due")
    guard kind != .graceEnded else {
      return try Violation.unless(
        at == before.renewal.gracePeriodExpiresDate
          && fact.renewal?.gracePeriodExpiresDate == before.renewal.gracePeriodExpiresDate,
        "grace: it ended out of its time")
    }
    let isWithdrawn = goods[Int(before.renewal.autoRenewProduct)].isWithdrawn
    let fails = paymentsFail(of: before.account)
    try Violation.unless(
      before.renewal.autoRenews && before.renewals < policies.terms.renewalsMax,
      "failure: nothing was to renew")
    guard kind != .chargeFailed else {
      return try Violation.unless(
        at == due(of: before) && at < end && (fails || isWithdrawn) && fact.renewal == nil,
        "charge: it failed out of its time, or for nothing")
    }
    try Violation.unless(
      at == due(of: before) && at >= end && fails && !isWithdrawn
        && before.renewal.priceIncreaseStatus != PriceIncreaseStatus.pending,
      "failure: a renewal failed out of its time, or for nothing")
    guard let renewal = fact.renewal else { throw Violation("failure: without renewal info") }
    let grace = graceEnd(of: before)
    try Violation.unless(
      renewal.gracePeriodExpiresDate == (grace != .never && grace > at ? grace : .never),
      "grace: it has not its length")
    try Violation.unless(
      renewal.isInBillingRetry && renewal.expirationIntent == .billingError && renewal.autoRenews
        && renewal.retryRate == rate,
      "failure: the facts are not of one")
    try checkSameTerms(renewal, before, "failure")
  }

  /// Domain.md 1.5: a week's six days at most, none after a trial where only paid periods have it.
  private func graceEnd(of line: LifeLine) -> Instant {
    let period = nextPeriod(of: line)
    var days = policies.graceDays
    if !period.isCountedInMonths { days = min(days, Int64(period.length) - 1) }
    if policies.graceScope == .paidToPaid, line.transaction.offer?.paymentMode == .freeTrial {
      days = 0
    }
    guard days > 0 else { return .never }
    let end = line.transaction.expiresDate
    guard let lengths = RateLengths(rate) else { return end.advanced(byDays: days) }
    return end.advanced(
      byMilliseconds: period.isCountedInMonths
        ? lengths.grace * days / 16 : lengths.weeklyGrace * days / 6)
  }

  // MARK: Ends

  /// An end that falls due, for whatever reason (E5, E11, E23d, E24).
  private func checkEnd(
    _ fact: LineFact, at: Instant, _ before: LifeLine
  ) throws(Violation) {
    try Violation.unless(!before.isOver, "end: after the end")
    guard let renewal = fact.renewal else { throw Violation("end: without renewal info") }
    let isCapped = before.renewals >= policies.terms.renewalsMax
    let isTried = retry(of: before) == at
    let goesOn =
      before.renewal.autoRenews && !isCapped && (isTried || !before.renewal.isInBillingRetry)
    let isAsked = before.renewal.priceIncreaseStatus == PriceIncreaseStatus.pending
    let isWithdrawn = goods[Int(before.renewal.autoRenewProduct)].isWithdrawn
    let why: [Notification: (isRight: Bool, intent: ExpirationIntent)] = [
      .expiredVoluntary: (!before.renewal.autoRenews || isCapped, .cancelled),
      .expiredBillingRetry: (before.renewal.isInBillingRetry && !isTried, .billingError),
      .expiredPriceIncrease: (goesOn && isAsked, .noConsent),
      .expiredProductNotForSale: (goesOn && isWithdrawn, .productUnavailable),
    ]
    let isRight =
      why[fact.notification].map { $0.isRight && renewal.expirationIntent == $0.intent } ?? false
    try Violation.unless(isRight, "end: \(fact.notification) is not why it ended")
    try Violation.unless(at == due(of: before), "end: its time is not its deadline")
    try checkOver(fact, before)
  }

  /// An end at a command: a customer's who owes, or a tester's.
  private func checkStop(
    _ fact: LineFact, at: Instant, _ before: LifeLine
  ) throws(Violation) {
    let isInTrouble = before.renewal.isInBillingRetry
    try Violation.unless(
      before.status(at: at) != .expired && before.status(at: at) != .revoked,
      "end: after the end")
    let end = fact.transaction?.expiresDate ?? before.transaction.expiresDate
    try Violation.unless(
      end == (isInTrouble ? before.transaction.expiresDate : at) && end <= at,
      "end: its period ends elsewhere")
    try checkOver(fact, before)
  }

  private func checkOver(_ fact: LineFact, _ before: LifeLine) throws(Violation) {
    guard let renewal = fact.renewal else { throw Violation("end: without renewal info") }
    let isSpecial =
      fact.notification == .expiredPriceIncrease || fact.notification == .expiredProductNotForSale
    let wanted = isSpecial && policies.autoRenewAfterEnd == .unchanged
    try Violation.unless(
      renewal.autoRenews == wanted && !renewal.isInBillingRetry
        && renewal.gracePeriodExpiresDate == .never && renewal.expirationIntent != nil,
      "end: the facts are not of one")
  }

  /// What falls due on a line next, and when (Domain.md 2.4 and 1.5).
  func due(of line: LifeLine) -> Instant {
    let end = line.transaction.expiresDate
    let terms = policies.terms
    if line.renewal.isInBillingRetry {
      return min(troubleEnd(of: line), retry(of: line) ?? .never)
    }
    guard line.renewal.autoRenews, line.renewals < terms.renewalsMax else { return end }
    if terms.lag > 0 { return end.advanced(byMilliseconds: terms.lag) }
    let waits =
      line.hasFailedCharge || line.renewal.priceIncreaseStatus == PriceIncreaseStatus.pending
    guard terms.lead > 0, !waits else { return end }
    return max(
      end.advanced(byMilliseconds: -terms.lead), line.transaction.purchaseDate,
      line.renewal.signedDate)
  }

  /// When the grace period ends, or the retry after it.
  private func troubleEnd(of line: LifeLine) -> Instant {
    let grace = line.renewal.gracePeriodExpiresDate
    if grace != .never, line.status == .gracePeriod { return grace }
    return max(retryEnd(of: line), line.failedAt)
  }

  private func retryEnd(of line: LifeLine) -> Instant {
    line.transaction.expiresDate.advanced(
      byMilliseconds: RateLengths(line.renewal.retryRate)?.billingRetry ?? 60 * 86_400_000)
  }

  /// When what is owed is charged again with success: at steps from the period's end, the first
  /// after the payments came to succeed, and for the last time at the end of the retry. Nil where
  /// it is not, or something ends before.
  func retry(of line: LifeLine) -> Instant? {
    guard line.payableSince != .never else { return nil }
    let since = max(line.payableSince, line.failedAt)
    let last = retryEnd(of: line)
    guard since < last else { return nil }
    var step = policies.terms.billingRetryInterval
    if let lengths = RateLengths(line.renewal.retryRate) {
      step = max(1, lengths.billingRetry * step / (60 * 86_400_000))
    }
    var time = line.transaction.expiresDate
    repeat { time = time.advanced(byMilliseconds: step) } while time <= since
    time = min(time, last)
    return time <= troubleEnd(of: line) ? time : nil
  }

  // MARK: Refunds

  private func checkRefund(
    _ fact: LineFact, at: Instant, _ before: LifeLine
  ) throws(Violation) {
    guard let revocation = fact.transaction?.revocation else {
      throw Violation("refund: nothing is given back")
    }
    try Violation.unless(
      revocation.date == at && fact.renewal == nil
        && (revocation.type == .refundFull) == (revocation.percentage == 100_000)
        && revocation.percentage > 0 && revocation.percentage <= 100_000,
      "refund: the facts are not of one")
  }

  /// E20: the period stands again; over meanwhile, it does not renew, nor is it billed any more.
  private func checkReversal(
    _ fact: LineFact, at: Instant, _ before: LifeLine
  ) throws(Violation) {
    guard let transaction = fact.transaction, transaction.revocation == nil else {
      throw Violation("reversal: it is given back still")
    }
    guard transaction.id == before.transaction.id else {
      return try Violation.unless(fact.renewal == nil, "reversal: of an older one it changed more")
    }
    let isOver = at >= transaction.expiresDate
    try Violation.unless(
      fact.statusAfter == (isOver ? .expired : .active), "reversal: the period does not stand")
    let renewal = fact.renewal ?? before.renewal
    try Violation.unless(
      !isOver || (renewal.expirationIntent != nil && !renewal.isInBillingRetry),
      "reversal: a period that is over goes on")
  }
}
