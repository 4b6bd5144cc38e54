import Subscriptions

/// Periods: how they begin, what they cost and when they end.
extension LifeAudit {
  /// The length of a line's next period: the product's, or all of an offer that is free or paid up
  /// front (Domain.md 1.7).
  func nextPeriod(of line: LifeLine) -> Period {
    if let offer = line.renewal.offer, offer.paymentMode != .payAsYouGo { return offer.period }
    return goods[Int(line.renewal.autoRenewProduct)].entry.period ?? .none
  }

  private func checkLength(
    _ transaction: Transaction, _ cycle: LifeCycle
  ) throws(Violation) {
    let good = goods[Int(transaction.product)].entry
    let offered = transaction.offer.flatMap { $0.paymentMode == .payAsYouGo ? nil : $0.period }
    try Violation.unless(
      transaction.period == offered ?? good.period,
      "length: \(good.id) was sold for another period")
    try Violation.unless(
      transaction.expiresDate.milliseconds == cycle.end,
      "length: \(good.id) ends at \(transaction.expiresDate.rfc3339), not at"
        + " \(Instant(milliseconds: cycle.end).rfc3339)")
  }

  /// What a new period says of the one after it.
  private func checkRenewalInfo(
    _ renewal: RenewalInfo?, after transaction: Transaction, left: Int32,
    stacked: StackedOffer?, start: Instant
  ) throws(Violation) {
    guard let renewal else { throw Violation("period: without renewal info") }
    try Violation.unless(
      renewal.autoRenews && !renewal.isInBillingRetry && renewal.expirationIntent == nil
        && renewal.gracePeriodExpiresDate == .never && renewal.priceIncreaseStatus == nil
        && renewal.autoRenewProduct == transaction.product
        && renewal.renewalDate == transaction.expiresDate,
      "period: the facts are not of a new one")
    try Violation.unless(
      renewal.recentSubscriptionStartDate == start, "chain: it begins elsewhere")
    let next: (price: Int64, offer: AppliedOffer?) =
      if let offer = transaction.offer, offer.paymentMode == .payAsYouGo, left > 0 {
        (transaction.price, offer)
      } else if transaction.offer?.kind == .introductory, let stacked {
        (stacked.price, stacked.offer)
      } else {
        (goods[Int(transaction.product)].price, nil)
      }
    try Violation.unless(
      renewal.renewalPrice == next.price && renewal.offer == next.offer,
      "price: the next renewal is told at \(renewal.renewalPrice), not at \(next.price)")
  }

  /// How many periods of pay as you go are left behind a new one.
  private func periodsLeft(_ transaction: Transaction, _ before: LifeLine?) -> Int32 {
    guard let offer = transaction.offer, offer.paymentMode == .payAsYouGo else { return 0 }
    if let before, transaction.reason == .renewal, !before.isOfferNext,
      before.offerPeriodsLeft > 0
    {
      return before.offerPeriodsLeft - 1
    }
    return offer.period.length / transaction.period.length - 1
  }

  // MARK: Renewals

  /// A renewal that fell due (E2, E17).
  func checkRenewal(_ fact: LineFact, at: Instant, _ before: LifeLine) throws(Violation) {
    let next = try renewed(fact, before)
    try Violation.unless(!before.isOver, "renewal: after the end")
    try Violation.unless(before.renewal.autoRenews, "renewal: after a cancel")
    try Violation.unless(
      before.renewals < policies.terms.renewalsMax, "renewal: more often than allowed")
    try Violation.unless(!paymentsFail(of: before.account), "renewal: though payments fail")
    try Violation.unless(!before.renewal.isInBillingRetry, "renewal: though it is owed")
    try checkHindrance(before)
    let end = before.transaction.expiresDate
    try Violation.unless(
      next.purchaseDate == end.advanced(byMilliseconds: policies.terms.lag),
      "renewal: the periods do not tile")
    try Violation.unless(at == due(of: before), "renewal: its time is not its deadline")
    let isLate = policies.terms.lag > 0
    try checkLength(
      next,
      isLate
        ? LifeCycle(beginning: next, rate: rate) : before.cycle.next(next, at: rate, policies))
    try checkRenewalInfo(
      fact.renewal, after: next, left: periodsLeft(next, before), stacked: before.stacked,
      start: before.chainStart(with: next.purchaseDate, policies))
  }

  /// Nothing renews whose product is gone, or whose price waits for an answer (E23d, E24).
  private func checkHindrance(_ before: LifeLine) throws(Violation) {
    try Violation.unless(
      before.renewal.priceIncreaseStatus != PriceIncreaseStatus.pending,
      "renewal: at a price that nobody agreed to")
    try Violation.unless(
      !goods[Int(before.renewal.autoRenewProduct)].isWithdrawn,
      "renewal: of a product that is not sold any more")
  }

  /// A tester's renewal, which begins at once.
  func checkForcedRenewal(
    _ fact: LineFact, at: Instant, _ before: LifeLine
  ) throws(Violation) {
    // It turns renewal on, at the price of then.
    var told = before
    if !before.renewal.autoRenews, before.renewal.offer == nil {
      told.renewal.renewalPrice = goods[Int(before.renewal.autoRenewProduct)].price
    }
    let next = try renewed(fact, told)
    try Violation.unless(
      before.status(at: at) != .expired && before.status(at: at) != .revoked,
      "renewal: after the end")
    try Violation.unless(
      !goods[Int(before.renewal.autoRenewProduct)].isWithdrawn,
      "renewal: of a product that is not sold any more")
    try Violation.unless(
      next.purchaseDate == at && at >= before.transaction.purchaseDate,
      "renewal: it was forced and does not begin at once")
    try checkLength(next, LifeCycle(beginning: next, rate: rate))
    try checkRenewalInfo(
      fact.renewal, after: next, left: periodsLeft(next, before), stacked: before.stacked,
      start: before.chainStart(with: next.purchaseDate, policies))
  }

  /// A renewal sells what was told, at the price that was told.
  private func renewed(
    _ fact: LineFact, _ before: LifeLine
  ) throws(Violation) -> Transaction {
    guard let next = fact.transaction else { throw Violation("renewal: without a transaction") }
    try Violation.unless(
      next.product == before.renewal.autoRenewProduct
        && next.price == before.renewal.renewalPrice && next.offer == before.renewal.offer
        && next.reason == .renewal && next.quantity == 1,
      "renewal: of another product or price than was told")
    return next
  }

  /// Paid after all (E9, E10), or ahead of the end after a charge that failed.
  func checkRecovery(
    _ fact: LineFact, _ cause: EventCause, at: Instant, _ before: LifeLine
  ) throws(Violation) {
    let paid = try renewed(fact, before)
    let isAhead = before.status == .active
    try Violation.unless(
      isAhead ? before.hasFailedCharge : before.renewal.isInBillingRetry,
      "recovery: nothing was owed")
    if cause == .due {
      try Violation.unless(
        at == due(of: before) && !paymentsFail(of: before.account)
          && (isAhead || at == retry(of: before)),
        "recovery: its time is not its deadline")
      try checkHindrance(before)
    }
    try Violation.unless(paid.expiresDate > at, "recovery: over already")
    let cycle = before.cycle.next(paid, at: rate, policies)
    let isKept = keepsCycle(before, cycle, at: at)
    let start =
      isAhead || (isKept && policies.graceRecoveryDate == .cycleStart)
      ? before.transaction.expiresDate : at
    try Violation.unless(paid.purchaseDate == start, "recovery: the period begins elsewhere")
    try checkLength(paid, isKept ? cycle : LifeCycle(beginning: paid, rate: rate))
    try checkRenewalInfo(
      fact.renewal, after: paid, left: periodsLeft(paid, before), stacked: before.stacked,
      start: before.chainStart(with: paid.purchaseDate, policies))
  }

  // MARK: Purchases

  /// E1, E13 and, with an offer, E25d and E25e.
  func checkPurchase(
    _ fact: LineFact, at: Instant, _ before: LifeLine?, _ state: State
  ) throws(Violation) {
    guard let sold = fact.transaction else { throw Violation("purchase: without a transaction") }
    let good = goods[Int(sold.product)]
    try Violation.unless(
      good.isOnSale && !good.isWithdrawn, "purchase: \(good.entry.id) is not sold")
    try Violation.unless(
      before.map { $0.isOver || at >= $0.transaction.expiresDate } ?? true,
      "purchase: of a line that lives")
    try Violation.unless(
      sold.purchaseDate == at && sold.reason == .purchase && sold.quantity == 1,
      "purchase: the facts are not of one")
    try Violation.unless(
      fact.notification == (before == nil ? .subscribedInitialBuy : .subscribedResubscribe),
      "purchase: told as \(fact.notification)")
    try checkOffer(of: sold, fact, at: at, before, state)
    try checkLength(sold, LifeCycle(beginning: sold, rate: rate))
    let code = fact.renewal?.offer?.kind == .code && sold.offer?.kind == .introductory
    let stacked = code ? try stackedCode(fact, sold, state) : nil
    try checkRenewalInfo(
      fact.renewal, after: sold, left: periodsLeft(sold, nil), stacked: stacked,
      start: before?.chainStart(with: at, policies) ?? at)
  }

  /// A code that begins behind an introductory offer of one period: a stackable one of the product.
  private func stackedCode(
    _ fact: LineFact, _ sold: Transaction, _ state: State
  ) throws(Violation) -> StackedOffer? {
    guard let renewal = fact.renewal, let offer = renewal.offer else { return nil }
    let known = catalogued(offer, of: sold.product, state)
    try Violation.unless(known?.isStackable == true, "offer: a code follows that does not stack")
    return known.map { StackedOffer(offer: offer, price: $0.price) }
  }

  /// E14: another product begins at once.
  func checkUpgrade(
    _ fact: LineFact, at: Instant, _ before: LifeLine, _ state: State
  ) throws(Violation) {
    guard let next = fact.transaction else { throw Violation("upgrade: without a transaction") }
    try Violation.unless(
      isImmediate(from: before.transaction.product, to: next.product),
      "upgrade: of a level and length that waits for the renewal")
    try Violation.unless(before.status(at: at).entitles, "upgrade: of a line that does not live")
    let good = goods[Int(next.product)]
    try Violation.unless(
      good.isOnSale && !good.isWithdrawn, "upgrade: \(good.entry.id) is not sold")
    try Violation.unless(
      next.purchaseDate == at && next.reason == .purchase && next.quantity == 1
        && (next.offer == nil) == (fact.notification == .planUpgrade)
        && next.offer?.kind != .introductory && next.offer?.kind != .winBack,
      "upgrade: the facts are not of one")
    let price =
      try next.offer.map { offer throws(Violation) in
        try offered(offer, of: next.product, state).price
      } ?? good.price
    try Violation.unless(next.price == price, "price: \(good.entry.id) was sold for \(next.price)")
    try checkLength(next, LifeCycle(beginning: next, rate: rate))
    try checkRenewalInfo(
      fact.renewal, after: next, left: periodsLeft(next, nil), stacked: nil,
      start: before.chainStart(with: at, policies))
  }

  /// Domain.md 1.4: a higher level, or the same level and length.
  func isImmediate(from old: ProductNumber, to new: ProductNumber) -> Bool {
    let (old, new) = (goods[Int(old)].entry, goods[Int(new)].entry)
    return new.level < old.level || (new.level == old.level && new.period == old.period)
  }
}
