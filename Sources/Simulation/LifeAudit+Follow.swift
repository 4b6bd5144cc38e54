import Subscriptions

/// What a line's event means for what is known of it.
extension LifeAudit {
  mutating func follow(
    _ kind: LineKind, _ fact: LineFact, _ transaction: Transaction, _ renewal: RenewalInfo,
    _ cause: EventCause, at: Instant, _ before: LifeLine?
  ) {
    var line =
      before
      ?? LifeLine(
        account: fact.account, group: fact.group, status: fact.statusAfter,
        transaction: transaction, renewal: renewal,
        cycle: LifeCycle(beginning: transaction, rate: rate))
    let isNew =
      (transaction.id > line.transaction.id && kind != .restored) || before == nil
    if isNew {
      takePeriod(kind, transaction, at: at, before, &line)
      if !line.isShared { charge(kind, transaction, to: fact.account, at: at, before) }
    } else if kind == .renewalExtended {
      line.cycle.end(at: transaction.expiresDate)
      line.extendedBefore = line.extended
      line.extended = at
    }
    // Replaced in part: a fact of an older transaction leaves the newest alone.
    if transaction.id >= line.transaction.id { line.transaction = transaction }
    takeTerms(kind, fact, renewal, at: at, before, &line)
    line.renewal = renewal
    line.status = fact.statusAfter
    let wasInTrouble = before?.status == .gracePeriod || before?.status == .billingRetry
    if kind == .recovered || (kind == .renewed && wasInTrouble) { line.wasRecovered = true }
    if kind == .purchased || kind == .expired { line.wasRecovered = false }
    if kind == .chargeFailed { line.hasFailedCharge = true }
    if kind == .renewalFailed { line.failedAt = at }
    if kind == .renewalFailed || !renewal.isInBillingRetry { line.payableSince = .never }
    if fact.source != noNumber { line.source = fact.source }
    if Int(fact.line) < lines.count {
      lines[Int(fact.line)] = line
    } else {
      lines.append(line)
    }
    if let transaction = fact.transaction { give(kind, transaction, to: fact.account) }
  }

  /// A new period.
  private func takePeriod(
    _ kind: LineKind, _ transaction: Transaction, at: Instant, _ before: LifeLine?,
    _ line: inout LifeLine
  ) {
    if let before {
      line.cycle = cycle(kind, transaction, at: at, before)
      line.renewals = transaction.reason == .renewal ? line.renewals + 1 : 0
    }
    line.hasFailedCharge = false
    if transaction.offer?.kind == .introductory { line.hadIntroduction = true }
    guard let offer = transaction.offer, offer.paymentMode == .payAsYouGo else {
      line.offerPeriodsLeft = 0
      line.isOfferNext = false
      return
    }
    let goesOn =
      before.map { transaction.reason == .renewal && !$0.isOfferNext && $0.offerPeriodsLeft > 0 }
      ?? false
    line.offerPeriodsLeft =
      goesOn ? line.offerPeriodsLeft - 1 : offer.period.length / transaction.period.length - 1
    line.isOfferNext = false
  }

  /// Where the line's calendar stands after a new period.
  private func cycle(
    _ kind: LineKind, _ transaction: Transaction, at: Instant, _ before: LifeLine
  ) -> LifeCycle {
    let next = before.cycle.next(transaction, at: rate, policies)
    let goesOn =
      kind == .recovered && keepsCycle(before, next, at: at)
      || kind == .renewed && transaction.purchaseDate == before.transaction.expiresDate
        && !before.renewal.isInBillingRetry
    return goesOn ? next : LifeCycle(beginning: transaction, rate: rate)
  }

  /// Paid within grace, or ahead of the end, the cycle stays, unless it is over by then.
  func keepsCycle(_ before: LifeLine, _ cycle: LifeCycle, at: Instant) -> Bool {
    guard before.status == .active || before.status == .gracePeriod else { return false }
    return cycle.end > at.milliseconds
  }

  /// What renews next, and by which offer.
  private func takeTerms(
    _ kind: LineKind, _ fact: LineFact, _ renewal: RenewalInfo, at: Instant,
    _ before: LifeLine?, _ line: inout LifeLine
  ) {
    if kind == .offerRedeemed || kind == .planChangeScheduled {
      line.isOfferNext = renewal.offer != nil && fact.notification != .planKept
    } else if [.purchased, .upgraded, .recovered, .renewed].contains(kind) {
      // An offer that the period before did not have begins with the next one: a code.
      line.isOfferNext = renewal.offer != nil && renewal.offer != line.transaction.offer
      if renewal.offer?.kind != .introductory { line.stacked = nil }
    }
    let isChosenAnew: [LineKind] = [
      .offerRedeemed, .planChangeScheduled, .purchased, .upgraded, .expired,
    ]
    if isChosenAnew.contains(kind) { line.stacked = nil }
  }

  // MARK: Money

  /// Each transaction is charged once; an upgrade gives back the unused part of what it replaces
  /// (Domain.md 1.4).
  private mutating func charge(
    _ kind: LineKind, _ transaction: Transaction, to account: AccountNumber, at: Instant,
    _ before: LifeLine?
  ) {
    if kind == .upgraded, let old = before?.transaction {
      let end = old.expiresDate.milliseconds
      let left = max(0, end - max(at, old.purchaseDate).milliseconds)
      let place = place(ofPaymentFor: old.id)
      let unused = left == 0 ? 0 : old.price * left / (end - old.purchaseDate.milliseconds)
      let given = min(unused, payments[place].price - payments[place].refunded)
      payments[place].prorated = given
      payments[place].isReplaced = true
      customers[Int(account)].balance -= given
    }
    pay(transaction, by: account)
  }

  mutating func pay(_ transaction: Transaction, by account: AccountNumber) {
    payments[Int(transaction.id - firstID)].price = transaction.price
    customers[Int(account)].balance += transaction.price
  }

  /// A refund gives back its share of what an upgrade left of the price; a reversal takes that
  /// back. A member paid nothing.
  mutating func give(_ kind: LineKind, _ transaction: Transaction, to account: AccountNumber) {
    guard transaction.ownership == .purchased else { return }
    let place = place(ofPaymentFor: transaction.id)
    if kind == .refunded, let revocation = transaction.revocation {
      let left = payments[place].price - payments[place].prorated
      let given = left * Int64(revocation.percentage) / 100_000
      payments[place].refunded = given
      payments[place].isGivenBack = true
      customers[Int(account)].balance -= given
    } else if kind == .refundReversed {
      customers[Int(account)].balance += payments[place].refunded
      payments[place].refunded = 0
      payments[place].isGivenBack = false
    }
  }
}
