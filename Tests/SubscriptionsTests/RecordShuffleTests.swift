import Subscriptions
import TestSizes
import Testing

/// Whatever order facts come in, twice or late, the state is the same, and it is the store's.
@Suite("Signed facts in any order")
struct RecordShuffleTests {
  /// What the store signed at one event of a life, its dates made distinct within a line as a
  /// store's signatures are.
  struct SignedFact {
    var at: Instant
    var command: IngestCommand
  }

  static let livesPerPart = TestSize.times(125, quick: 15)

  @Test(
    "A thousand random lives (quick: 120): their facts, in any order, give the store's status",
    arguments: 0..<8)
  func lives(part: Int) throws {
    for seed in 0..<Self.livesPerPart {
      let seed = UInt64(part * Self.livesPerPart + seed)
      var life = try RandomLife(seed: 31_000 + seed, accounts: 2)
      try life.live(24)
      let facts = try Self.facts(of: life.world)
      var chance = SeededGenerator(seed: 77_000 + seed)
      let times = facts.map(\.at)
      for _ in 0..<2 {
        guard let time = times.randomElement(using: &chance) else { continue }
        let instant = time.advanced(
          byMilliseconds: Int64.random(in: 0...40, using: &chance) * 86_400_000)
        try compare(life.world, facts, at: instant, chance: &chance, seed: seed)
      }
    }
  }

  @Test(
    "Of facts that leave out what they may, any order gives one state",
    arguments: 0..<8)
  func parts(part: Int) throws {
    for seed in 0..<Self.livesPerPart {
      let seed = UInt64(part * Self.livesPerPart + seed)
      var life = try RandomLife(seed: 52_000 + seed, accounts: 2)
      try life.live(24)
      var chance = SeededGenerator(seed: 91_000 + seed)
      let known = try Self.facts(of: life.world).map {
        Self.lacking($0.command, chance: &chance)
      }
      var first: [String]?
      for _ in 0..<3 {
        var record = RecordWorld()
        for command in (known + known.prefix(3)).shuffled(using: &chance) {
          try record.submit(command)
        }
        let portrait = Self.portrait(of: record.state)
        if let first { #expect(portrait == first, "seed \(seed)") } else { first = portrait }
      }
    }
  }

  /// The same fact without some of what it may leave out.
  private static func lacking(
    _ command: IngestCommand, chance: inout SeededGenerator
  ) -> IngestCommand {
    var command = command
    func flip() -> Bool { Bool.random(using: &chance) }
    if flip(), command.renewal != nil, command.transaction != nil { command.renewal = nil }
    if flip() { command.renewal?.autoRenews = nil }
    if flip() { command.renewal?.isInBillingRetry = nil }
    if flip() { command.renewal?.expirationIntent = nil }
    if flip() { command.renewal?.gracePeriodExpiresDate = .never }
    if flip() { command.notification?.status = nil }
    if flip() { command.transaction?.revocation = nil }
    return command
  }

  private func compare(
    _ world: ScenarioWorld, _ facts: [SignedFact], at instant: Instant,
    chance: inout SeededGenerator, seed: UInt64
  ) throws {
    let known = facts.filter { $0.at <= instant }.map(\.command)
    var first: [String]?
    for _ in 0..<2 {
      var record = RecordWorld()
      var order = (known + known.filter { _ in Bool.random(using: &chance) })
      order.shuffle(using: &chance)
      for command in order { try record.submit(command) }
      let portrait = Self.portrait(of: record.state)
      if let first { #expect(portrait == first, "seed \(seed)") } else { first = portrait }
      for name in RandomLife.accounts.prefix(2) {
        #expect(
          Self.statuses(of: record, name, at: instant)
            == Self.statuses(of: world, name, at: instant),
          "seed \(seed), \(name) at \(instant.rfc3339)")
      }
    }
  }

  /// What must not depend on the order: everything but the numbers given out by arrival.
  static func portrait(of state: State) -> [String] {
    state.apple.chains.map { chain in
      var text = "\(chain.key) of \(state.accounts.key(chain.account))"
      if chain.group != noNumber { text += " in \(state.texts[Int(chain.group)])" }
      for version in chain.versions { text += "; \(portrait(of: version, state))" }
      if let renewal = chain.renewal {
        var copy = renewal.renewal
        copy.autoRenewProduct = 0
        text += "; \(state.products[Int(renewal.renewal.autoRenewProduct)].entry.id) \(copy)"
      }
      text += "; \(chain.standing)"
      if chain.line != noNumber {
        let line = state.lines[Int(chain.line)]
        text += "; shows \(line.transaction.id) \(line.hadIntroductoryOffer)"
        text += " \(line.renews.map { "\($0)" } ?? "unknown") \(line.isGraceAssumed)"
        text += " \(line.status(at: line.transaction.expiresDate))"
      }
      return text
    }.sorted()
  }

  private static func portrait(of version: TransactionVersion, _ state: State) -> String {
    var copy = version.transaction
    let product = state.products[Int(copy.product)].entry.id
    copy.product = 0
    copy.offer?.identifier = noNumber
    return "\(product) \(copy) \(version.digest.words.0)"
  }

  private static func statuses(
    of record: RecordWorld, _ name: String, at instant: Instant
  ) -> [String] {
    guard let account = record.account(name) else { return [] }
    var found: [String] = []
    record.state.forEachLine(of: account) { _, line in
      found.append("\(line.transaction.originalID) \(line.status(at: instant))")
    }
    record.state.forEachPurchase(of: account) { purchase in
      found.append(text(purchase.transaction, at: instant))
    }
    return found.sorted()
  }

  private static func statuses(
    of world: ScenarioWorld, _ name: String, at instant: Instant
  ) -> [String] {
    guard let account = world.state.accounts.find(Array(name.utf8)) else { return [] }
    var history = AccountHistory()
    for event in world.log where event.fact.account == account && event.at <= instant {
      history.apply(event)
    }
    var found = history.lines.map {
      "\($0.line.transaction.originalID) \($0.line.status(at: instant))"
    }
    for entry in history.entries where entry.line == noNumber {
      let type = world.state.products[Int(entry.transaction.product)].entry.type
      if type != .consumable { found.append(text(entry.transaction, at: instant)) }
    }
    return found.sorted()
  }

  private static func text(_ transaction: Transaction, at instant: Instant) -> String {
    let isRevoked = transaction.revocation.map { $0.date <= instant } ?? false
    return "\(transaction.id) \(isRevoked ? "revoked" : "stands")"
  }
}

extension RecordShuffleTests {
  /// Everything the store would have signed in a life, in the order of its log.
  static func facts(of world: ScenarioWorld) throws -> [SignedFact] {
    var signer = Signer(state: world.state)
    for event in world.log { signer.sign(event) }
    return signer.facts
  }

  /// Turns a store's events into what it would sign.
  private struct Signer {
    let state: State
    var facts: [SignedFact] = []
    private var histories: [AccountNumber: AccountHistory] = [:]
    private var lastSigned: [UInt64: Instant] = [:]

    init(state: State) {
      self.state = state
    }

    mutating func sign(_ event: Event) {
      let account = event.fact.account
      guard account != noNumber else { return }
      var history = histories[account] ?? AccountHistory()
      switch event.fact {
      case .line(let kind, let fact):
        if kind == .upgraded, let held = history.lines.first(where: { $0.number == fact.line }) {
          var replaced = held.line.transaction
          replaced.isUpgraded = true
          add(event, replaced, nil, .none, nil)
        }
        var transaction = fact.transaction
        // The events leave the original id to the line.
        if let held = history.lines.first(where: { $0.number == fact.line }) {
          transaction?.originalID = held.line.transaction.originalID
        }
        let original =
          transaction?.originalID
          ?? history.lines.first { $0.number == fact.line }!.line.transaction.originalID
        add(
          event, transaction, fact.renewal.map { (original, $0) }, fact.notification,
          fact.statusAfter)
      case .purchase(_, let fact):
        add(event, fact.transaction, nil, fact.notification, nil)
      case .log, .account, .clock, .catalogue, .product, .tester, .appStore:
        break
      }
      history.apply(event)
      histories[account] = history
    }

    private mutating func add(
      _ event: Event, _ transaction: Transaction?, _ renewal: (UInt64, RenewalInfo)?,
      _ notification: Notification, _ status: Status?
    ) {
      let original = transaction?.originalID ?? renewal?.0 ?? 0
      guard original != 0 else { return }
      let last = lastSigned[original] ?? Instant(milliseconds: .min)
      let signed = max(
        event.at, last.milliseconds == .min ? last : last.advanced(byMilliseconds: 1))
      lastSigned[original] = signed
      let number = Int64(facts.count)
      let command = IngestCommand(
        account: state.accounts.key(event.fact.account), environment: .sandbox,
        kind: .notification, identity: UUIDBits(high: 1, low: UInt64(number)),
        notification: ReportedNotification(
          type: notification.type ?? "NOTHING_SENT", subtype: notification.subtype, isKnown: true,
          status: status),
        transaction: transaction.map { reported($0, signed, number) },
        renewal: renewal.map { reported($0.1, original: $0.0, signed, number) })
      facts.append(SignedFact(at: event.at, command: command))
    }

    private func reported(
      _ transaction: Transaction, _ signed: Instant, _ number: Int64
    ) -> ReportedTransaction {
      let product = state.products[Int(transaction.product)].entry
      var fact = ReportedTransaction(
        id: transaction.id, originalID: transaction.originalID, productID: product.id,
        type: product.type, purchaseDate: transaction.purchaseDate, signedDate: signed,
        digest: Told.digest(number, 1))
      fact.groupID = product.groupID
      fact.expiresDate = transaction.expiresDate
      fact.webOrderLineItemID = transaction.webOrderLineItemID
      fact.price = transaction.price
      fact.currency = "USD"
      fact.storefront = "USA"
      fact.revocation = transaction.revocation
      fact.isUpgraded = transaction.isUpgraded
      fact.reason = transaction.reason
      return fact
    }

    private func reported(
      _ renewal: RenewalInfo, original: UInt64, _ signed: Instant, _ number: Int64
    ) -> ReportedRenewal {
      let product = state.products[Int(renewal.autoRenewProduct)].entry.id
      var fact = ReportedRenewal(
        originalID: original, autoRenewProductID: product, autoRenews: renewal.autoRenews,
        signedDate: signed, digest: Told.digest(number, 2))
      fact.isInBillingRetry = renewal.isInBillingRetry
      fact.expirationIntent = renewal.expirationIntent
      fact.gracePeriodExpiresDate = renewal.gracePeriodExpiresDate
      fact.renewalDate = renewal.renewalDate
      fact.renewalPrice = renewal.renewalPrice
      fact.recentSubscriptionStartDate = renewal.recentSubscriptionStartDate
      return fact
    }
  }
}
