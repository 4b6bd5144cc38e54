/// Restores (Domain.md 1.1 and 8, cases 35 and 36): what an account has comes again, under new
/// transaction ids. A period stays the one it was, with its original id, its webOrderLineItemId,
/// its dates and its price; so nothing is sold, and nobody is told.
extension State {
  /// Decides a restore: of each of the account's subscriptions that live the newest period, and
  /// each lasting non-consumable that is not given back, the account's own and what it has by
  /// Family Sharing. Consumables and non-renewing purchases are not restored. Where there is
  /// nothing to restore, nothing happens.
  func decideRestore(
    _ account: AccountNumber, into events: inout [Event]
  ) throws(Rejection) {
    guard facts.role == .store else { throw .notInThisRole }
    let clock = facts.accounts[account].clock
    let now = facts.clocks[Int(clock)].now
    var id = facts.nextTransactionID
    for number in lineNumbers(of: account) {
      let line = facts.lines[Int(number)]
      guard !line.isOver else { continue }
      let fact = LineFact(
        line: number, account: account, group: line.group, statusAfter: line.status(at: now),
        notification: .none, transaction: line.transaction.restored(as: id, at: now))
      events.append(Event(at: now, clock: clock, fact: .line(.restored, fact)))
      id += 1
    }
    var lasting: [Transaction] = []
    forEachPurchase(of: account) { purchase in
      if purchase.environment == nil, grants(purchase.transaction) {
        lasting.append(purchase.transaction)
      }
    }
    for transaction in lasting.reversed() {
      events.append(
        Event(
          at: now, clock: clock,
          fact: .purchase(
            .restored,
            PurchaseFact(
              account: account, notification: .none,
              transaction: transaction.restored(as: id, at: now)))))
      id += 1
    }
  }
}

extension Transaction {
  /// The same under another id: the app has yet to deliver it again.
  fileprivate func restored(as id: UInt64, at now: Instant) -> Transaction {
    var restored = self
    restored.id = id
    restored.signedDate = now
    restored.isFinished = false
    return restored
  }
}
