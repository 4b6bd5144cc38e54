extension State {
  /// Decides the refund of a transaction, which `history` must hold (Domain.md 1.3, E18): in
  /// full, or `percentage` (1 to 99) of it.
  func decideRefund(
    of transactionID: UInt64, account: AccountNumber, history: AccountHistory,
    percentage: Int64?, reason: Int64?, into events: inout [Event]
  ) throws(Rejection) {
    guard facts.role == .store else { throw .notInThisRole }
    guard let entry = history.entry(id: transactionID) else { throw .transactionNotFound }
    try checkPurchased(entry.transaction)
    let share = percentage ?? 100
    guard share >= 1, share <= 100 else {
      throw .invalidParameter(name: "percentage", reason: "say 1 to 100")
    }
    guard let reason = UInt8(exactly: reason ?? 0), reason <= 1 else {
      throw .invalidParameter(
        name: "reason", reason: "say 0 (other) or 1 (an issue with the app)")
    }
    let clock = facts.accounts[account].clock
    let now = facts.clocks[Int(clock)].now
    try checkKept(entry, at: now)
    var transaction = entry.transaction
    transaction.signedDate = now
    transaction.revocation = Revocation(
      date: now, type: share == 100 ? .refundFull : .refundProrated, reason: reason,
      percentage: Int32(share) * 1000)
    append(
      .refunded, transaction, line: entry.line, account: account, renewal: nil,
      notification: .refund, at: now, clock: clock, into: &events)
  }

  /// Decides the reversal of a refund (Domain.md 1.3, E20): the period stands again; where it is
  /// over meanwhile, the line is expired and does not renew, nor is it billed any more.
  func decideRefundReversal(
    of transactionID: UInt64, account: AccountNumber, history: AccountHistory,
    into events: inout [Event]
  ) throws(Rejection) {
    guard facts.role == .store else { throw .notInThisRole }
    guard let entry = history.entry(id: transactionID) else { throw .transactionNotFound }
    try checkPurchased(entry.transaction)
    guard entry.transaction.revocation != nil else {
      throw .notPossible(status: nil, reason: "the transaction is not refunded")
    }
    let clock = facts.accounts[account].clock
    let now = facts.clocks[Int(clock)].now
    var transaction = entry.transaction
    transaction.revocation = nil
    transaction.signedDate = now
    var renewal: RenewalInfo?
    if entry.line != noNumber {
      let line = facts.lines[Int(entry.line)]
      if line.transaction.id == entry.transaction.id, now >= transaction.expiresDate,
        line.renewal.expirationIntent == nil || line.renewal.isInBillingRetry
      {
        renewal = line.renewal
        renewal?.expirationIntent =
          line.renewal.expirationIntent ?? (line.renewal.autoRenews ? .other : .cancelled)
        renewal?.autoRenews = false
        renewal?.isInBillingRetry = false
        renewal?.retryRate = .realTime
        renewal?.gracePeriodExpiresDate = .never
        renewal?.signedDate = now
      }
    }
    append(
      .refundReversed, transaction, line: entry.line, account: account, renewal: renewal,
      notification: .refundReversed, at: now, clock: clock, into: &events)
  }

  /// Decides that a customer asks for a transaction's refund (Domain.md 1.3, E18): the app's
  /// server would be asked how much of it was used, for consumables and subscriptions; and a
  /// subscription does not renew any more, whatever becomes of the request.
  func decideRefundRequest(
    of transactionID: UInt64, account: AccountNumber, history: AccountHistory,
    into events: inout [Event]
  ) throws(Rejection) {
    guard facts.role == .store else { throw .notInThisRole }
    guard let entry = history.entry(id: transactionID) else { throw .transactionNotFound }
    try checkPurchased(entry.transaction)
    let clock = facts.accounts[account].clock
    let now = facts.clocks[Int(clock)].now
    try checkKept(entry, at: now)
    guard facts.refundRequests[entry.transaction.soldID] == nil else {
      throw .notPossible(
        status: nil, reason: "a refund of the transaction is asked for already, and not decided")
    }
    let type = facts.products[Int(entry.transaction.product)].entry.type
    append(
      .refundRequested, entry.transaction, line: entry.line, account: account, renewal: nil,
      notification: type == .autoRenewable || type == .consumable ? .consumptionRequest : .none,
      at: now, clock: clock, into: &events)
    guard entry.line != noNumber else { return }
    let line = facts.lines[Int(entry.line)]
    let status = line.status(at: now)
    if line.renewal.autoRenews, status != .expired, status != .revoked {
      try decideAutoRenew(line: entry.line, enabled: false, into: &events)
    }
  }

  /// Decides that a refund that was asked for is not given (Domain.md 1.3, E19): nothing else
  /// changes, and it may be asked for, or given, all the same.
  func decideRefundRefusal(
    of transactionID: UInt64, account: AccountNumber, history: AccountHistory,
    into events: inout [Event]
  ) throws(Rejection) {
    guard facts.role == .store else { throw .notInThisRole }
    guard let entry = history.entry(id: transactionID) else { throw .transactionNotFound }
    guard facts.refundRequests[entry.transaction.soldID] != nil else {
      throw .notPossible(
        status: nil, reason: "no refund of the transaction is asked for, or it is decided")
    }
    let clock = facts.accounts[account].clock
    append(
      .refundDeclined, entry.transaction, line: entry.line, account: account, renewal: nil,
      notification: .refundDeclined, at: facts.clocks[Int(clock)].now, clock: clock, into: &events)
  }

  /// Decides that the app has delivered a transaction. Nothing happens where it has already. An
  /// older id of what was restored since is as good as the newest.
  func decideFinish(
    _ transactionID: UInt64, account: AccountNumber, history: AccountHistory,
    into events: inout [Event]
  ) throws(Rejection) {
    guard facts.role == .store else { throw .notInThisRole }
    guard let entry = history.entry(id: transactionID) else { throw .transactionNotFound }
    guard !entry.transaction.isFinished else { return }
    let clock = facts.accounts[account].clock
    events.append(
      Event(
        at: facts.clocks[Int(clock)].now, clock: clock,
        fact: .account(
          .finished(
            account: account, line: entry.line,
            transactionID: entry.line == noNumber
              ? entry.transaction.originalID : entry.transaction.id))))
  }

  private func append(
    _ kind: PurchaseKind, _ transaction: Transaction, line number: LineNumber,
    account: AccountNumber, renewal: RenewalInfo?, notification: Notification, at: Instant,
    clock: ClockNumber, into events: inout [Event]
  ) {
    guard number != noNumber else {
      events.append(
        Event(
          at: at, clock: clock,
          fact: .purchase(
            kind,
            PurchaseFact(account: account, notification: notification, transaction: transaction))))
      return
    }
    var line = facts.lines[Int(number)]
    var fact = LineFact(
      line: number, account: account, group: line.group, statusAfter: .active,
      notification: notification, transaction: transaction, renewal: renewal)
    line.apply(kind.ofLine, fact, at: at)
    fact.statusAfter = line.status(at: at)
    events.append(Event(at: at, clock: clock, fact: .line(kind.ofLine, fact)))
  }

  private func checkKept(_ entry: AccountHistory.Entry, at now: Instant) throws(Rejection) {
    guard let revocation = entry.transaction.revocation else { return }
    throw .notPossible(
      status: entry.line == noNumber ? nil : facts.lines[Int(entry.line)].status(at: now),
      reason: "the transaction was refunded already, on \(revocation.date.rfc3339)")
  }
}
