extension State {
  /// Turns a line's renewal on or off (Domain.md 1.3, E3, E4 and E12). Nothing happens where it
  /// is so already. Turned off in grace or retry, the line ends at once.
  func decideAutoRenew(
    line number: LineNumber, enabled: Bool, into events: inout [Event]
  ) throws(Rejection) {
    let (line, now) = try line(number, else: "buying it again starts it anew") {
      $0 != .expired && $0 != .revoked
    }
    guard line.renewal.autoRenews != enabled else { return }
    let clock = facts.accounts[line.account].clock
    var renewal = line.renewal
    renewal.autoRenews = enabled
    renewal.signedDate = now
    if enabled, renewal.offer == nil {
      // Who turns it on agrees to what it costs by then.
      renewal.renewalPrice = facts.products[Int(renewal.autoRenewProduct)].entry.price
    } else if renewal.priceIncreaseStatus == PriceIncreaseStatus.pending {
      renewal.priceIncreaseStatus = nil
    }
    let fact = LineFact(
      line: number, account: line.account, group: line.group, statusAfter: line.status(at: now),
      notification: enabled ? .autoRenewEnabled : .autoRenewDisabled,
      transaction: line.carriedTransaction, renewal: renewal)
    events.append(Event(at: now, clock: clock, fact: .line(.autoRenewChanged, fact)))
    guard line.renewal.isInBillingRetry else { return }
    var end = fact
    expire(&end, of: line, .billingError, .expiredVoluntary, at: now)
    events.append(Event(at: now, clock: clock, fact: .line(.expired, end)))
  }

  /// Renews a line at once: its period ends now, if it has not, and the next one begins
  /// (Domain.md 6.1, forceRenewalOfSubscription). Whether the account's charges fail is not
  /// asked, and stays as it is.
  func decideForcedRenewal(
    line number: LineNumber, policies: Policies, into events: inout [Event]
  ) throws(Rejection) {
    var (line, now) = try line(number, else: "buying it again starts it anew") {
      $0 != .expired && $0 != .revoked
    }
    try checkBegun(line, at: now)
    guard !facts.products[Int(line.renewal.autoRenewProduct)].isWithdrawn else {
      throw .notPossible(
        status: line.status(at: now), reason: "the product that would renew is not on sale")
    }
    let start = recentStart(of: line, at: now, policies: policies)
    if !line.renewal.autoRenews, line.renewal.offer == nil {
      // It turns renewal on, and who had it off was told of no increase since.
      line.renewal.renewalPrice = facts.products[Int(line.renewal.autoRenewProduct)].entry.price
    }
    line.beginAnew(at: now)
    var next = renewal(of: line, number: number, id: facts.nextTransactionID, policies: policies)
    next.renewal.recentSubscriptionStartDate = start
    let fact = LineFact(
      line: number, account: line.account, group: line.group, statusAfter: .active,
      notification: .didRenew, transaction: next.transaction, renewal: next.renewal)
    events.append(
      Event(at: now, clock: facts.accounts[line.account].clock, fact: .line(.renewed, fact)))
  }

  /// Ends a line at once: no renewal, and its period ends now, if it has not (Domain.md 6.1,
  /// expireSubscription). In billing trouble nothing is tried any more.
  func decideExpiry(
    line number: LineNumber, into events: inout [Event]
  ) throws(Rejection) {
    var (line, now) = try line(number, else: "it has ended already") {
      $0 != .expired && $0 != .revoked
    }
    try checkBegun(line, at: now)
    let isInTrouble = line.renewal.isInBillingRetry
    if !isInTrouble {
      line.transaction.expiresDate = now
      line.transaction.signedDate = now
      line.renewal.renewalDate = now
    }
    var fact = LineFact(
      line: number, account: line.account, group: line.group, statusAfter: .expired,
      notification: .expiredVoluntary, transaction: line.transaction)
    expire(
      &fact, of: line, isInTrouble ? .billingError : .cancelled, .expiredVoluntary, at: now)
    events.append(
      Event(at: now, clock: facts.accounts[line.account].clock, fact: .line(.expired, fact)))
  }

  /// A period that was paid ahead of its time cannot be cut short before it begins.
  private func checkBegun(_ line: Line, at now: Instant) throws(Rejection) {
    let start = line.transaction.purchaseDate
    guard now >= start else {
      throw .notPossible(
        status: line.status(at: now),
        reason: "its next period is paid already and begins at \(start.rfc3339)")
    }
  }

  /// A store's line and the time on its clock, where its status allows what is asked for.
  func line(
    _ number: LineNumber, else reason: String, _ allows: (Status) -> Bool
  ) throws(Rejection) -> (line: Line, now: Instant) {
    guard facts.role == .store else { throw .notInThisRole }
    let line = facts.lines[Int(number)]
    let now = facts.clocks[Int(facts.accounts[line.account].clock)].now
    let status = line.status(at: now)
    try checkPurchased(line.transaction, status: status)
    guard allows(status) else {
      throw .notPossible(
        status: status, reason: "the subscription is \(status.words); \(reason)")
    }
    return (line, now)
  }
}

extension Status {
  /// The status in words, as they stand in a sentence.
  public var words: String {
    switch self {
    case .active: "active"
    case .expired: "expired"
    case .billingRetry: "in billing retry"
    case .gracePeriod: "in its grace period"
    case .revoked: "revoked"
    }
  }
}
