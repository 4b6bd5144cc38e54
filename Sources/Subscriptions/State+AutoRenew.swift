extension State {
  /// Turns a line's renewal on or off (domain.md 1.3, E3, E4). Nothing happens where it is so
  /// already.
  public func decideAutoRenew(
    line number: LineNumber, enabled: Bool, into events: inout [Event]
  ) throws(Rejection) {
    guard role == .store else { throw .notInThisRole }
    let line = lines[Int(number)]
    let clock = accounts[line.account].clock
    let now = clocks[Int(clock)].now
    let status = line.status(at: now)
    guard status == .active else {
      throw .notPossible(
        status: status, reason: "the subscription is not active; buying it again starts it anew")
    }
    guard line.renewal.autoRenews != enabled else { return }
    var renewal = line.renewal
    renewal.autoRenews = enabled
    renewal.signedDate = now
    events.append(
      Event(
        at: now, clock: clock,
        fact: .line(
          .autoRenewChanged,
          LineFact(
            line: number, account: line.account, group: line.group, statusAfter: status,
            notification: enabled ? .autoRenewEnabled : .autoRenewDisabled, renewal: renewal))))
  }

  /// Renews a line at once: its period ends now and the next one begins (domain.md 6.1,
  /// forceRenewalOfSubscription).
  public func decideForcedRenewal(
    line number: LineNumber, policies: Policies, into events: inout [Event]
  ) throws(Rejection) {
    guard role == .store else { throw .notInThisRole }
    var line = lines[Int(number)]
    let clock = accounts[line.account].clock
    let now = clocks[Int(clock)].now
    let status = line.status(at: now)
    guard status == .active else {
      throw .notPossible(status: status, reason: "only an active subscription can be renewed")
    }
    line.transaction.expiresDate = now
    line.anchor = now
    line.anchorLength = 0
    line.renewal.autoRenews = true
    let deadline = Deadline(time: now, kind: .renew)
    events.append(
      Event(
        at: now, clock: clock,
        fact: due(
          deadline, line: line, number: number, id: nextTransactionID, policies: policies)))
  }

  /// Ends a line at once: no renewal, and its period ends now (domain.md 6.1,
  /// expireSubscription).
  public func decideExpiry(
    line number: LineNumber, into events: inout [Event]
  ) throws(Rejection) {
    guard role == .store else { throw .notInThisRole }
    let line = lines[Int(number)]
    let clock = accounts[line.account].clock
    let now = clocks[Int(clock)].now
    let status = line.status(at: now)
    guard status == .active else {
      throw .notPossible(status: status, reason: "only an active subscription can expire")
    }
    var transaction = line.transaction
    transaction.expiresDate = now
    transaction.signedDate = now
    var renewal = line.renewal
    renewal.autoRenews = false
    renewal.expirationIntent = .cancelled
    renewal.renewalDate = now
    renewal.signedDate = now
    events.append(
      Event(
        at: now, clock: clock,
        fact: .line(
          .expired,
          LineFact(
            line: number, account: line.account, group: line.group, statusAfter: .expired,
            notification: .expiredVoluntary, transaction: transaction, renewal: renewal))))
  }
}
