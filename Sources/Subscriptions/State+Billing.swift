extension State {
  /// A renewal's charge fails: grace where it is configured and applies, then retry (domain.md
  /// 1.3, E6 and E7). The length of the grace is fixed here and does not change later.
  func fail(_ fact: inout LineFact, of line: Line, at now: Instant, policies: Policies) {
    var renewal = line.renewal
    renewal.isInBillingRetry = true
    renewal.expirationIntent = .billingError
    renewal.signedDate = now
    let days = graceDays(of: line, policies: policies)
    if days > 0 {
      renewal.gracePeriodExpiresDate = policies.calendar.adding(
        days: days, to: line.transaction.expiresDate)
    }
    fact.statusAfter = days > 0 ? .gracePeriod : .billingRetry
    fact.notification = days > 0 ? .didFailToRenewGracePeriod : .didFailToRenew
    fact.renewal = renewal
  }

  /// Days of grace for a line's next failed renewal: none after a free trial where only paid
  /// periods have it (domain.md 1.5). It ends before the period does that it waits for: a week has
  /// six days of it at most.
  private func graceDays(of line: Line, policies: Policies) -> Int64 {
    let isAfterTrial = line.transaction.offer?.paymentMode == .freeTrial
    if isAfterTrial, policies.graceScope == .paidToPaid { return 0 }
    let period = products[Int(line.renewal.autoRenewProduct)].entry.period
    guard let period, !period.isCountedInMonths else { return policies.graceDays }
    return min(policies.graceDays, Int64(period.length) - 1)
  }

  /// Decides whether an account's charges fail from now on. Nothing happens where it is so
  /// already.
  public func decideBilling(
    account: AccountNumber, fails: Bool, into events: inout [Event]
  ) throws(Rejection) {
    guard role == .store else { throw .notInThisRole }
    guard accounts[account].billingFails != fails else { return }
    let clock = accounts[account].clock
    events.append(
      Event(
        at: clocks[Int(clock)].now, clock: clock,
        fact: .billingChanged(account: account, fails: fails)))
  }

  /// Decides that a line in billing trouble is paid now (domain.md 1.3, E9 and E10): within the
  /// grace period the billing cycle stays; after it a new one begins. The account's charges
  /// succeed from here on.
  public func decideRecovery(
    line number: LineNumber, policies: Policies, into events: inout [Event]
  ) throws(Rejection) {
    guard role == .store else { throw .notInThisRole }
    var line = lines[Int(number)]
    let clock = accounts[line.account].clock
    let now = clocks[Int(clock)].now
    let status = line.status(at: now)
    guard status == .gracePeriod || status == .billingRetry else {
      throw .notPossible(status: status, reason: "the subscription has no billing trouble")
    }
    let period = products[Int(line.renewal.autoRenewProduct)].entry.period
    let cycleEnd = end(of: period ?? line.transaction.period, after: line, policies: policies)
    // A month's grace may outlast a week chosen in it: a cycle that is over is not kept.
    if status == .billingRetry || cycleEnd <= now {
      line.transaction.expiresDate = now
      line.anchor = now
      line.anchorLength = 0
    }
    var next = renewal(of: line, id: nextTransactionID, policies: policies)
    if policies.graceRecoveryDate == .recoveryTime { next.transaction.purchaseDate = now }
    next.transaction.signedDate = now
    next.renewal.signedDate = now
    next.renewal.recentSubscriptionStartDate = recentStart(
      of: lines[Int(number)], at: next.transaction.purchaseDate)
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
