import Subscriptions

/// Goes through a life event by event and holds each to what the rules say of it (reliability.md,
/// invariants), with knowledge of its own: what the line's events before it said, the catalogue,
/// and a calendar that shares nothing with the product's.
struct LifeAudit {
  /// A line as its events so far tell it.
  private struct Known {
    var status: Status
    var transaction: Transaction
    var renewal: RenewalInfo
    var wasRecovered = false
    /// The periods that have begun by themselves.
    var starts: Set<Int64> = []
    var cycle: LifeCycle
    var renewals: Int32 = 0
  }

  private struct AccountGroup: Hashable {
    var account: AccountNumber
    var group: UInt32
  }

  private let policies: Policies
  private let listed = Set(StatusTransitions.all)
  private var lines: [LineNumber: Known] = [:]
  private var introductions: Set<AccountGroup> = []
  private var rate: RenewalRate
  private var taken = 0

  init(policies: Policies) {
    self.policies = policies
    rate = policies.renewalRate
  }

  /// Takes in what has been appended since the last time.
  mutating func take(_ world: borrowing LifeWorld) throws(Violation) {
    while taken < world.log.count {
      let event = world.log[taken]
      taken += 1
      switch event.fact {
      case .line(let kind, let fact):
        try take(kind, fact, at: event.at, world.state)
      case .purchase(let kind, _, _, let transaction) where kind != .restored:
        try checkPrice(transaction, world.state)
      case .rateChanged(let new):
        rate = new ?? policies.renewalRate
      default:
        break
      }
    }
  }

  private mutating func take(
    _ kind: EventKind, _ fact: LineFact, at: Instant, _ state: State
  ) throws(Violation) {
    let before = lines[fact.line]
    let transition = StatusTransitions.Transition(before?.status, kind, fact.statusAfter)
    try Violation.unless(listed.contains(transition), "transition: \(transition) is not listed")
    if let transaction = fact.transaction, kind != .restored {
      try checkPrice(transaction, state)
    }
    guard let transaction = fact.transaction ?? before?.transaction,
      let renewal = fact.renewal ?? before?.renewal
    else { throw Violation("facts: a line without a transaction or a renewal info") }
    if let before { try check(kind, fact, at: at, before, state) }
    var known =
      before
      ?? Known(
        status: fact.statusAfter, transaction: transaction, renewal: renewal,
        cycle: LifeCycle(beginning: transaction, rate: rate))
    let isNew = transaction.id > known.transaction.id && kind != .restored
    if isNew {
      known.cycle = cycle(kind, fact, transaction, at: at, known)
      known.renewals = transaction.reason == .renewal ? known.renewals + 1 : 0
      // What a purchase replaces may have been renewed ahead of its time.
      if transaction.reason == .purchase { known.starts = [] }
    }
    if transaction.id >= known.transaction.id { known.transaction = transaction }
    known.renewal = renewal
    known.status = fact.statusAfter
    // Paid after all, or renewed by force: beside a line that was begun meanwhile.
    let wasInTrouble = before?.status == .gracePeriod || before?.status == .billingRetry
    if kind == .recovered || (kind == .renewed && wasInTrouble) { known.wasRecovered = true }
    if kind == .renewed, at != transaction.signedDate || before != nil {
      known.starts.insert(transaction.purchaseDate.milliseconds)
    }
    lines[fact.line] = known
    try Violation.unless(
      fact.statusAfter == status(known, at: at), "status: \(kind) at \(at.rfc3339) left another")
    try checkIntroduction(kind, fact, transaction, isNew: isNew || before == nil)
    try checkAlone(fact.line, known, state)
  }

  /// domain.md 1.2, row by row.
  private func status(_ line: Known, at now: Instant) -> Status {
    if line.transaction.revocation != nil { return .revoked }
    if now < line.transaction.expiresDate { return .active }
    guard line.renewal.isInBillingRetry else { return .expired }
    let grace = line.renewal.gracePeriodExpiresDate
    return grace != .never && now < grace ? .gracePeriod : .billingRetry
  }

  private mutating func checkIntroduction(
    _ kind: EventKind, _ fact: LineFact, _ transaction: Transaction, isNew: Bool
  ) throws(Violation) {
    guard isNew, kind == .purchased, transaction.offer?.kind == .introductory else { return }
    let isFirst = introductions.insert(
      AccountGroup(account: fact.account, group: fact.group)
    ).inserted
    try Violation.unless(isFirst, "introduction: a second one for an account and group")
  }

  /// One living line for an account and group, but where one was paid after another was bought.
  private func checkAlone(
    _ number: LineNumber, _ line: Known, _ state: State
  ) throws(Violation) {
    guard line.status.entitles else { return }
    let own = state.lines[Int(number)]
    for (other, known) in lines where other != number && known.status.entitles {
      guard state.lines[Int(other)].account == own.account,
        state.lines[Int(other)].group == own.group
      else { continue }
      try Violation.unless(
        known.wasRecovered || line.wasRecovered, "alone: two lines of one group live")
    }
  }

  private func checkPrice(_ transaction: Transaction, _ state: State) throws(Violation) {
    let product = state.products[Int(transaction.product)].entry
    let price =
      transaction.offer == nil
      ? product.price * Int64(transaction.quantity)
      : product.offers.first { $0.kind == transaction.offer?.kind }?.price
    try Violation.unless(
      transaction.price == price, "price: \(product.id) was sold for \(transaction.price)")
  }
}

// MARK: What each kind of event must be

extension LifeAudit {
  private func check(
    _ kind: EventKind, _ fact: LineFact, at: Instant, _ before: Known, _ state: State
  ) throws(Violation) {
    let end = before.transaction.expiresDate
    switch kind {
    case .renewed:
      try checkRenewal(fact, at: at, before, state)
    case .chargeFailed:
      try Violation.unless(
        at < end && policies.terms.lead > 0 && before.renewal.autoRenews,
        "charge: it failed out of its time")
    case .renewalFailed:
      try Violation.unless(
        at == end && before.renewal.autoRenews, "failure: a renewal failed out of its time")
      try Violation.unless(
        fact.renewal?.gracePeriodExpiresDate == graceEnd(of: before, state),
        "grace: it has not its length")
    case .graceEnded:
      try Violation.unless(
        at == before.renewal.gracePeriodExpiresDate, "grace: it ended out of its time")
    case .recovered:
      try checkRecovery(fact, at: at, before, state)
    case .expired:
      try checkEnd(fact, at: at, before)
    case .upgraded:
      try Violation.unless(
        fact.transaction?.purchaseDate == at && fact.transaction?.offer == nil
          && fact.transaction?.product != before.transaction.product,
        "upgrade: it is none")
    case .restored:
      try checkRestored(fact, at: at, before)
    default:
      break
    }
    if ![.renewed, .recovered, .upgraded, .purchased, .restored].contains(kind),
      let transaction = fact.transaction
    {
      try Violation.unless(
        transaction.id <= before.transaction.id, "facts: \(kind) brought a transaction")
    }
  }

  /// What is restored is the newest period under another id, and nothing else is another.
  private func checkRestored(
    _ fact: LineFact, at: Instant, _ before: Known
  ) throws(Violation) {
    guard let found = fact.transaction else { throw Violation("restore: of nothing") }
    var wanted = before.transaction
    wanted.id = found.id
    wanted.signedDate = at
    wanted.isFinished = false
    try Violation.unless(
      found == wanted && found.id > before.transaction.id && fact.renewal == nil
        && fact.notification == .none,
      "restore: it changed more than the id")
  }

  private func checkRenewal(
    _ fact: LineFact, at: Instant, _ before: Known, _ state: State
  ) throws(Violation) {
    guard let next = fact.transaction else { throw Violation("renewal: without a transaction") }
    let end = before.transaction.expiresDate
    try Violation.unless(
      next.product == before.renewal.autoRenewProduct && next.price == before.renewal.renewalPrice,
      "renewal: of another product or price than was told")
    try Violation.unless(
      before.status != .revoked && before.status != .expired, "renewal: after the end")
    // Only a tester's command begins a period before the last one ended, or in billing trouble.
    let isOwed = before.status == .gracePeriod || before.status == .billingRetry
    if next.purchaseDate == at, at < end || isOwed { return }
    try Violation.unless(before.renewal.autoRenews, "renewal: after a cancel")
    try Violation.unless(
      before.renewals < policies.terms.renewalsMax, "renewal: more often than allowed")
    try Violation.unless(next.purchaseDate == end, "renewal: the periods do not tile")
    let due = max(
      end.advanced(byMilliseconds: -policies.terms.lead), before.transaction.purchaseDate,
      before.renewal.signedDate)
    try Violation.unless(at == min(end, due), "renewal: its time is not its deadline")
    try Violation.unless(
      !before.starts.contains(end.milliseconds), "renewal: twice for one period")
    try checkLength(next, before.cycle.next(next, at: rate, policies), state)
  }

  private func checkRecovery(
    _ fact: LineFact, at: Instant, _ before: Known, _ state: State
  ) throws(Violation) {
    guard let paid = fact.transaction, let renewal = fact.renewal else {
      throw Violation("recovery: without its facts")
    }
    try Violation.unless(
      paid.product == before.renewal.autoRenewProduct && paid.reason == .renewal
        && paid.expiresDate > at,
      "recovery: of another product, or over already")
    try Violation.unless(
      !renewal.isInBillingRetry && renewal.gracePeriodExpiresDate == .never
        && renewal.expirationIntent == nil && renewal.autoRenews,
      "recovery: the trouble is not over")
    let cycle = before.cycle.next(paid, at: rate, policies)
    let isKept = keepsCycle(before, cycle, at: at)
    let start =
      before.status == .active || (isKept && policies.graceRecoveryDate == .cycleStart)
      ? before.transaction.expiresDate : at
    try Violation.unless(paid.purchaseDate == start, "recovery: the period begins elsewhere")
    try checkLength(
      paid, isKept ? cycle : LifeCycle(beginning: paid, rate: rate), state)
  }

  /// Paid within grace, or ahead of the end, the cycle stays, unless it is over by then.
  private func keepsCycle(_ before: Known, _ cycle: LifeCycle, at: Instant) -> Bool {
    guard before.status == .active || before.status == .gracePeriod else { return false }
    return cycle.end > at.milliseconds
  }

  private func checkEnd(
    _ fact: LineFact, at: Instant, _ before: Known
  ) throws(Violation) {
    try Violation.unless(before.status != .revoked, "end: after a refund")
    guard fact.notification == .expiredBillingRetry else { return }
    let end = before.transaction.expiresDate
    let retry = RateLengths(before.renewal.retryRate)?.billingRetry ?? 60 * 86_400_000
    try Violation.unless(
      at == end.advanced(byMilliseconds: retry), "retry: it has not its length")
  }

  private func checkLength(
    _ transaction: Transaction, _ cycle: LifeCycle, _ state: State
  ) throws(Violation) {
    let product = state.products[Int(transaction.product)].entry
    try Violation.unless(
      transaction.period == product.period, "length: \(product.id) was sold for another period")
    try Violation.unless(
      transaction.expiresDate.milliseconds == cycle.end,
      "length: \(product.id) ends at \(transaction.expiresDate.rfc3339), not at"
        + " \(Instant(milliseconds: cycle.end).rfc3339)")
  }

  /// domain.md 1.5: a week's six days at most, none after a trial where only paid periods have it.
  private func graceEnd(of line: Known, _ state: State) -> Instant {
    var days = policies.graceDays
    let product = state.products[Int(line.renewal.autoRenewProduct)].entry
    let isWeekly = product.period == Period(unit: .week, count: 1)
    if isWeekly { days = min(days, 6) }
    if policies.graceScope == .paidToPaid, line.transaction.offer?.paymentMode == .freeTrial {
      days = 0
    }
    guard days > 0 else { return .never }
    let end = line.transaction.expiresDate
    guard let lengths = RateLengths(rate) else { return end.advanced(byDays: days) }
    return end.advanced(
      byMilliseconds: isWeekly ? lengths.weeklyGrace * days / 6 : lengths.grace * days / 16)
  }

  /// Where the line's calendar stands after a new period.
  private func cycle(
    _ kind: EventKind, _ fact: LineFact, _ transaction: Transaction, at: Instant, _ before: Known
  ) -> LifeCycle {
    let next = before.cycle.next(transaction, at: rate, policies)
    switch kind {
    case .recovered where keepsCycle(before, next, at: at): return next
    case .renewed where transaction.purchaseDate == before.transaction.expiresDate: return next
    default: return LifeCycle(beginning: transaction, rate: rate)
    }
  }
}
