extension State {
  /// A renewal's charge fails: grace where it is configured and applies, then retry (Domain.md
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
  func decideBilling(
    account: AccountNumber, fails: Bool, into events: inout [Event]
  ) throws(Rejection) {
    guard facts.role == .store else { throw .notInThisRole }
    guard paymentsFail(of: account) != fails else { return }
    let clock = facts.accounts[account].clock
    events.append(
      Event(
        at: facts.clocks[Int(clock)].now, clock: clock,
        fact: .tester(.billingChanged(account: account, fails: fails))))
  }

  /// Decides that a line in billing trouble is paid now (Domain.md 1.3, E9 and E10): within the
  /// grace period, and ahead of the period's end after a charge that failed (Domain.md 8, case
  /// 21), the billing cycle stays; after it a new one begins. The account's charges succeed from
  /// here on.
  func decideRecovery(
    line number: LineNumber, policies: Policies, into events: inout [Event]
  ) throws(Rejection) {
    guard facts.role == .store else { throw .notInThisRole }
    let line = facts.lines[Int(number)]
    let clock = facts.accounts[line.account].clock
    let now = facts.clocks[Int(clock)].now
    let status = line.status(at: now)
    try checkPurchased(line.transaction, status: status)
    let isAhead = status == .active && line.hasFailedCharge
    guard status == .gracePeriod || status == .billingRetry || isAhead else {
      throw .notPossible(status: status, reason: "the subscription has no billing trouble")
    }
    let next = recovery(
      of: line, number: number, id: facts.nextTransactionID, at: now,
      keepsCycle: status != .billingRetry, policies: policies)
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

  /// What a line in billing trouble is paid for: the next period of its cycle, or a new cycle that
  /// begins now.
  func recovery(
    of line: Line, number: LineNumber, id: UInt64, at now: Instant, keepsCycle: Bool,
    policies: Policies
  ) -> (transaction: Transaction, renewal: RenewalInfo) {
    let cycleEnd = end(of: nextPeriod(of: line), after: line, policies: policies)
    // A month's grace may outlast a week chosen in it: a cycle that is over is not kept.
    let isAnew = !keepsCycle || cycleEnd <= now
    var start = line
    if isAnew { start.beginAnew(at: now) }
    var next = renewal(of: start, number: number, id: id, policies: policies)
    let isAhead = now < line.transaction.expiresDate
    if policies.graceRecoveryDate == .recoveryTime, !isAhead { next.transaction.purchaseDate = now }
    next.transaction.signedDate = now
    next.renewal.signedDate = now
    // Within grace nothing else tells a short period begun anew from the rest of a long one.
    if isAnew { next.renewal.retryRate = rate(policies) }
    next.renewal.recentSubscriptionStartDate = recentStart(
      of: line, at: next.transaction.purchaseDate, policies: policies)
    return next
  }

  // MARK: The fold

  /// Whether an account's charges fail, or everybody's: what is owed can be paid from here on, or
  /// cannot.
  func applyBilling(account: AccountNumber, fails: Bool, at: Instant) {
    guard account != noNumber else {
      facts.switches.paymentsFailForAll = fails
      for number in Int(facts.firstLiveLine)..<facts.lines.count where facts.lines[number].owes {
        let payer = facts.families.source(of: LineNumber(number)).map { facts.lines[Int($0)] }
        let account = (payer ?? facts.lines[number]).account
        let clock = Int(facts.accounts[account].clock)
        let now =
          clock == Int(Clock.system) ? max(at, facts.clocks[clock].now) : facts.clocks[clock].now
        notePayments(of: LineNumber(number), by: account, at: now)
      }
      return
    }
    facts.accounts[account].billingFails = fails
    if fails {
      facts.switches.paying.remove(account)
    } else {
      facts.switches.paying.insert(account)
    }
    var owing: [LineNumber] = []
    forEachLine(of: account) { number, line in
      if line.owes, line.transaction.ownership == .purchased { owing.append(number) }
    }
    for number in owing {
      notePayments(of: number, by: account, at: at)
      for follower in facts.families.followers(of: number) where facts.lines[Int(follower)].owes {
        notePayments(of: follower, by: account, at: at)
      }
    }
  }

  private func notePayments(of line: LineNumber, by account: AccountNumber, at: Instant) {
    facts.lines[Int(line)].notePayments(fail: paymentsFail(of: account), at: at)
  }
}

extension Line {
  /// Whether a renewal of the store's own has failed, and is tried again.
  var owes: Bool {
    origin == .store && renewal.isInBillingRetry && transaction.revocation == nil
  }

  /// The payments of who pays for it fail from here on, or succeed.
  mutating func notePayments(fail: Bool, at: Instant) {
    if fail {
      payableSince = .never
    } else if payableSince == .never {
      payableSince = at
    }
  }
}
