import Subscriptions
import TestSizes
import Testing

/// Goes through a log event by event and holds each to what the rules say of it, with knowledge
/// of its own: what the line's events before it said, and the catalogue's prices.
struct LifeAudit {
  /// A line as its events so far tell it.
  private struct Known {
    var account: AccountNumber
    var group: UInt32
    var status: Status
    var transaction: Transaction
    var renewal: RenewalInfo
    var wasRecovered = false
  }

  private let world: ScenarioWorld
  private var lines: [LineNumber: Known] = [:]
  /// What a product costs who buys it then.
  private var prices: [ProductNumber: Int64] = [:]
  private(set) var seen: Set<StatusTransitions.Transition> = []
  private var extended: [LineNumber: [Instant]] = [:]
  private(set) var recoveries = 0
  private(set) var upgrades = 0
  private(set) var redemptions = 0

  init(_ world: ScenarioWorld) {
    self.world = world
    for event in world.log { audit(event) }
  }

  private mutating func audit(_ event: Event) {
    switch event.fact {
    case .line(let kind, let fact):
      audit(kind, fact, at: event.at)
    case .purchase(.purchased, _, _, let transaction):
      checkPrice(transaction)
    case .product(.priceIncreaseAnnounced, let fact):
      #expect(fact.price >= prices[fact.product] ?? 0)
      prices[fact.product] = fact.price
    case .catalogueImported(_, _, let catalogue):
      for entry in catalogue.products {
        prices[world.state.product(id: entry.id)!] = entry.price
      }
    default:
      break
    }
  }

  private mutating func audit(_ kind: EventKind, _ fact: LineFact, at: Instant) {
    let before = lines[fact.line]
    seen.insert(StatusTransitions.Transition(before?.status, kind, fact.statusAfter))
    if let before { check(kind, fact, at: at, before: before) }
    if kind == .purchased || kind == .upgraded, let transaction = fact.transaction {
      checkPrice(transaction)
    }
    guard let transaction = fact.transaction ?? before?.transaction,
      let renewal = fact.renewal ?? before?.renewal
    else {
      Issue.record("a line without a transaction or a renewal info: \(fact)")
      return
    }
    var known =
      before
      ?? Known(
        account: fact.account, group: fact.group, status: fact.statusAfter,
        transaction: transaction, renewal: renewal)
    if transaction.id >= known.transaction.id { known.transaction = transaction }
    known.renewal = renewal
    known.status = fact.statusAfter
    // Paid after all, or renewed by force: beside a line that was begun meanwhile.
    let wasInTrouble = before?.status == .gracePeriod || before?.status == .billingRetry
    if kind == .recovered || (kind == .renewed && wasInTrouble) { known.wasRecovered = true }
    lines[fact.line] = known
    #expect(fact.statusAfter == status(known, at: at))
    checkAlone(fact.line, known)
  }

  /// domain.md 1.2, row by row.
  private func status(_ line: Known, at now: Instant) -> Status {
    if line.transaction.revocation != nil { return .revoked }
    if now < line.transaction.expiresDate { return .active }
    guard line.renewal.isInBillingRetry else { return .expired }
    let grace = line.renewal.gracePeriodExpiresDate
    return grace != .never && now < grace ? .gracePeriod : .billingRetry
  }

  /// One living line for an account and group, but where one was paid after another was bought.
  private func checkAlone(_ number: LineNumber, _ line: Known) {
    guard line.status.entitles, line.transaction.ownership == .purchased else { return }
    for (other, known) in lines
    where other != number && known.transaction.ownership == .purchased
      && known.account == line.account && known.group == line.group
      && known.status.entitles
    {
      #expect(known.wasRecovered || line.wasRecovered, "two lines live: \(known), \(line)")
    }
  }

  private func checkPrice(_ transaction: Transaction) {
    let product = world.state.products[Int(transaction.product)].entry
    guard transaction.ownership == .purchased else {
      #expect(transaction.price == 0 && transaction.offer == nil)
      return
    }
    let id = transaction.offer.flatMap {
      $0.identifier == noNumber ? nil : world.state.texts[Int($0.identifier)]
    }
    let offered = product.offers.first {
      $0.kind == transaction.offer?.kind && $0.id == id
    }?.price
    let price =
      transaction.offer == nil
      ? (prices[transaction.product] ?? -1) * Int64(transaction.quantity) : offered
    #expect(transaction.price == price, "\(product.id): \(transaction)")
  }

  private mutating func check(
    _ kind: EventKind, _ fact: LineFact, at: Instant, before: Known
  ) {
    let end = before.transaction.expiresDate
    switch kind {
    case .renewed:
      let isForced = at < end || before.status != .active
      #expect(before.renewal.autoRenews || isForced, "renewed by force alone")
      #expect(isForced || before.renewal.priceIncreaseStatus != 0, "renewed without consent")
      #expect(fact.renewal?.priceIncreaseStatus == nil)
      #expect(fact.transaction?.product == before.renewal.autoRenewProduct)
      #expect(fact.transaction?.price == before.renewal.renewalPrice)
      #expect(fact.transaction?.offer == before.renewal.offer)
      if let sold = fact.transaction { checkLength(sold) }
    case .renewalFailed:
      #expect(at == end)
      // A member's grace is the purchaser's, whose last price it does not know.
      if before.transaction.ownership == .purchased {
        #expect(fact.renewal?.gracePeriodExpiresDate == graceEnd(of: before))
      }
      #expect(fact.renewal?.autoRenews == true)
    case .graceEnded:
      #expect(at == before.renewal.gracePeriodExpiresDate)
      #expect(fact.notification == .gracePeriodExpired)
    case .recovered:
      checkRecovery(fact, at: at, before: before)
    case .expired where fact.notification == .expiredBillingRetry:
      #expect(at == end.advanced(byDays: 60))
    case .upgraded:
      upgrades += 1
      #expect(fact.transaction?.purchaseDate == at)
      #expect(fact.transaction?.product != before.transaction.product)
      #expect(fact.transaction?.offer?.kind != .introductory)
      #expect((fact.transaction?.offer == nil) == (fact.notification == .planUpgrade))
      if let sold = fact.transaction { checkLength(sold) }
    default:
      checkTerms(kind, fact, at: at, before: before)
    }
    if ![.renewed, .recovered, .upgraded, .purchased, .shared, .restored].contains(kind),
      let transaction = fact.transaction
    {
      #expect(transaction.id <= before.transaction.id, "a transaction out of nothing: \(kind)")
    }
  }

  /// What an event may do to the terms of a line: its price, its end, its next plan and offer.
  private mutating func checkTerms(
    _ kind: EventKind, _ fact: LineFact, at: Instant, before: Known
  ) {
    let end = before.transaction.expiresDate
    switch kind {
    case .expired where fact.notification == .expiredPriceIncrease:
      // A member's line knows no prices.
      let isAsked =
        before.renewal.priceIncreaseStatus == 0 || before.transaction.ownership == .familyShared
      #expect(at >= end && isAsked && before.renewal.autoRenews)
    case .expired where fact.notification == .expiredProductNotForSale:
      #expect(at >= end && before.renewal.autoRenews)
    case .priceIncreased:
      #expect(before.renewal.autoRenews && at < end)
      #expect(fact.renewal?.renewalPrice == prices[before.renewal.autoRenewProduct])
      let told: Notification =
        fact.renewal?.priceIncreaseStatus == 0
        ? .priceIncreasePending : .priceIncreaseAccepted
      #expect(fact.notification == told)
    case .renewalExtended:
      #expect(at < end && before.transaction.offer?.paymentMode != .freeTrial)
      #expect(fact.transaction?.id == before.transaction.id)
      #expect(fact.transaction.map { $0.expiresDate > end } == true)
      #expect(fact.renewal?.renewalDate == fact.transaction?.expiresDate)
      let times = (extended[fact.line] ?? []) + [at]
      extended[fact.line] = times
      #expect(times.count { $0 > at.advanced(byDays: -365) } <= 2, "extended three times")
    case .planChangeScheduled:
      #expect(fact.transaction?.id == before.transaction.id)
      #expect(fact.transaction?.expiresDate == end)
      let isAnother = fact.renewal?.autoRenewProduct != before.renewal.autoRenewProduct
      let isOffer = fact.notification == .offerDowngrade
      #expect(isAnother || isOffer || !before.renewal.autoRenews)
      if isOffer { redemptions += 1 }
    case .offerRedeemed:
      redemptions += 1
      #expect(fact.transaction?.id == before.transaction.id)
      #expect(fact.transaction?.expiresDate == end)
      #expect(fact.renewal?.autoRenewProduct == before.transaction.product)
      #expect(fact.renewal?.autoRenews == true)
      #expect([.promotional, .code].contains(fact.renewal?.offer?.kind))
    case .restored:
      var wanted = before.transaction
      wanted.id = fact.transaction?.id ?? 0
      wanted.signedDate = at
      wanted.isFinished = false
      #expect(wanted.id > before.transaction.id && fact.transaction == wanted)
      #expect(fact.renewal == nil && fact.notification == .none)
    default:
      break
    }
  }

  /// The length sold: the offer's where it is free or paid up front, else the product's.
  private func checkLength(_ sold: Transaction) {
    let product = world.state.products[Int(sold.product)].entry
    let isWhole = sold.offer.map { $0.paymentMode != .payAsYouGo } ?? false
    #expect(sold.period == (isWhole ? sold.offer?.period : product.period))
  }

  /// domain.md 1.5: a week's six days at most, none after a trial where only paid periods have it.
  private func graceEnd(of line: Known) -> Instant {
    let policies = world.policies
    var days = policies.graceDays
    let product = world.state.products[Int(line.renewal.autoRenewProduct)].entry
    if product.period == Period(unit: .week, count: 1) { days = min(days, 6) }
    if policies.graceScope == .paidToPaid, line.transaction.price == 0 { days = 0 }
    return days == 0 ? .never : line.transaction.expiresDate.advanced(byDays: days)
  }

  private mutating func checkRecovery(_ fact: LineFact, at: Instant, before: Known) {
    recoveries += 1
    guard let paid = fact.transaction, let renewal = fact.renewal else {
      Issue.record("a recovery without its facts")
      return
    }
    #expect(paid.product == before.renewal.autoRenewProduct)
    #expect(paid.reason == .renewal)
    #expect(paid.expiresDate > at)
    #expect(!renewal.isInBillingRetry && renewal.gracePeriodExpiresDate == .never)
    #expect(renewal.expirationIntent == nil && renewal.autoRenews)
    let keepsCycle =
      before.status == .gracePeriod
      && paid.expiresDate.milliseconds - before.transaction.expiresDate.milliseconds
        <= Int64(paid.period.isCountedInMonths ? paid.period.length * 31 : paid.period.length)
        * Instant.millisecondsPerDay
    if before.status == .active {
      // Ahead of the end, after a charge that failed.
      #expect(paid.purchaseDate == before.transaction.expiresDate)
      #expect(at < paid.purchaseDate || world.policies.terms.lead > 0)
    } else if keepsCycle, world.policies.graceRecoveryDate == .cycleStart,
      paid.period.isCountedInMonths == before.transaction.period.isCountedInMonths
    {
      #expect(paid.purchaseDate == before.transaction.expiresDate)
    } else if before.status == .billingRetry
      || world.policies.graceRecoveryDate == .recoveryTime
    {
      #expect(paid.purchaseDate == at)
    }
  }
}

@Suite("Billing and plans, over random lives")
struct LifeAuditTests {
  @Test(
    "Each event is what its line's past allows: lengths, money, one living line a group",
    arguments: StateTests.seeds)
  func audit(seed: UInt64) throws {
    var life = try RandomLife(seed: seed)
    try life.live(StateTests.commandsPerLife)
    let audit = LifeAudit(life.world)
    #expect(audit.upgrades > 0)
  }

  @Test("The table of transitions holds all that happens in many lives, and nothing more")
  func transitions() throws {
    let listed = Set(StatusTransitions.all)
    let rare = LifeAudit(try Self.rareLives())
    var seen = rare.seen
    var recoveries = rare.recoveries
    var redemptions = rare.redemptions
    // So many lives, and as many more as the rarest transition of the rest needs.
    let first = UInt64(100)
    let least = first + UInt64(TestSize.times(100, quick: 20))
    for seed in first..<500 {
      if seed >= least, listed.isSubset(of: seen) { break }
      // Few customers and a long grace: trouble comes often, and much is done in it.
      var policies = Policies()
      policies.graceDays = seed % 4 == 0 ? 0 : 28
      policies.terms.lead = seed % 6 == 0 ? Instant.millisecondsPerDay : 0
      var life = try RandomLife(seed: seed, policies: policies, accounts: 3)
      try life.live(500)
      let audit = LifeAudit(life.world)
      seen.formUnion(audit.seen)
      recoveries += audit.recoveries
      redemptions += audit.redemptions
    }
    #expect(recoveries > TestSize.times(100, quick: 20))
    #expect(redemptions > TestSize.times(100, quick: 20))
    #expect(seen.subtracting(listed).isEmpty, "happened and is not listed")
    #expect(listed.subtracting(seen).isEmpty, "listed and did not happen")
  }

  /// What chance makes in one life of a hundred, done on purpose.
  private static func rareLives() throws -> ScenarioWorld {
    var policies = Policies()
    policies.graceDays = 28
    var world = try ScenarioWorld(policies: policies)
    let script: [(String, [ScenarioCommand])] = [
      // A price agreed to; families; a refund asked for, and renewal turned on again.
      (
        "2025-01-10T12:00:00Z",
        [
          .buy("silver.m", account: "agrees"),
          .product(.announce("silver.m", 5990, consent: true), account: "agrees"),
          .product(.agree, account: "agrees"),
          .buy("family.m", account: "in grace"), .share(with: "m1", account: "in grace"),
          .buy("family.m", account: "in retry"), .share(with: "m2", account: "in retry"),
          .buy("bronze.m", account: "asks"), .ask(6, account: "asks"), .on(account: "asks"),
          .fail(account: "in grace"), .fail(account: "in retry"), .fail(account: "asks"),
        ]
      ),
      // In grace: sharing ends, the refund is declined, an extension fails, the plan is raised.
      (
        "2025-02-15T12:00:00Z",
        [
          .unshare(account: "in grace"), .decline(6, account: "asks"),
          .product(.extendAll("bronze.m", 3), account: "asks"), .succeed(account: "asks"),
          .buy("gold.m", account: "asks"),
        ]
      ),
      // In billing retry sharing ends.
      ("2025-03-20T12:00:00Z", [.unshare(account: "in retry")]),
    ]
    try world.makeClock(Clock.defaultName, at: .at(script[0].0))
    for (time, commands) in script {
      try world.advance(to: .at(time))
      for command in commands { try world.perform(command) }
    }
    return world
  }
}
