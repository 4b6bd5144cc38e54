extension State {
  /// A renewal's charge fails: grace where it is configured and applies, then retry (domain.md
  /// 1.3, E6 and E7). The lengths of both are fixed here and do not change later.
  func fail(_ fact: inout LineFact, of line: Line, at now: Instant, policies: Policies) {
    var renewal = line.renewal
    renewal.isInBillingRetry = true
    renewal.expirationIntent = .billingError
    renewal.signedDate = now
    renewal.retryRate = rate(policies)
    // A renewal that is dealt with late may fail when its grace would be over.
    let grace = graceEnd(of: line, policies: policies)
    let hasGrace = grace != .never && grace > now
    renewal.gracePeriodExpiresDate = hasGrace ? grace : .never
    fact.statusAfter = hasGrace ? .gracePeriod : .billingRetry
    fact.notification = hasGrace ? .didFailToRenewGracePeriod : .didFailToRenew
    fact.renewal = renewal
  }

  /// Decides whether an account's charges fail from now on. Nothing happens where it is so
  /// already.
  public func decideBilling(
    account: AccountNumber, fails: Bool, into events: inout [Event]
  ) throws(Rejection) {
    guard role == .store else { throw .notInThisRole }
    guard paymentsFail(of: account) != fails else { return }
    let clock = accounts[account].clock
    events.append(
      Event(
        at: clocks[Int(clock)].now, clock: clock,
        fact: .billingChanged(account: account, fails: fails)))
  }

  /// Decides that a line in billing trouble is paid now (domain.md 1.3, E9 and E10): within the
  /// grace period, and ahead of the period's end after a charge that failed (domain.md 8, case
  /// 21), the billing cycle stays; after it a new one begins. The account's charges succeed from
  /// here on.
  public func decideRecovery(
    line number: LineNumber, policies: Policies, into events: inout [Event]
  ) throws(Rejection) {
    guard role == .store else { throw .notInThisRole }
    var line = lines[Int(number)]
    let clock = accounts[line.account].clock
    let now = clocks[Int(clock)].now
    let status = line.status(at: now)
    try checkPurchased(line.transaction, status: status)
    let isAhead = status == .active && line.hasFailedCharge
    guard status == .gracePeriod || status == .billingRetry || isAhead else {
      throw .notPossible(status: status, reason: "the subscription has no billing trouble")
    }
    let cycleEnd = end(of: nextPeriod(of: line), after: line, policies: policies)
    // A month's grace may outlast a week chosen in it: a cycle that is over is not kept.
    let isAnew = status == .billingRetry || cycleEnd <= now
    if isAnew { line.beginAnew(at: now) }
    var next = renewal(of: line, number: number, id: nextTransactionID, policies: policies)
    if policies.graceRecoveryDate == .recoveryTime, !isAhead { next.transaction.purchaseDate = now }
    next.transaction.signedDate = now
    next.renewal.signedDate = now
    // Within grace nothing else tells a short period begun anew from the rest of a long one.
    if isAnew { next.renewal.retryRate = rate(policies) }
    next.renewal.recentSubscriptionStartDate = recentStart(
      of: lines[Int(number)], at: next.transaction.purchaseDate, policies: policies)
    try decideBilling(account: line.account, fails: false, into: &events)
    events.append(
      Event(
        at: now, clock: clock,
        fact: .line(
          .recovered,
          LineFact(
            line: number, account: line.account, group: line.group, statusAfter: .active,
            notification: .billingRecovery, transaction: next.transaction,
            renewal: next.renewal))))
  }
}
