@testable import Subscriptions

/// Lives that a seed makes up: customers on two clocks who buy, change plans, switch renewal off
/// and on, cannot pay and pay after all, move, are refunded and forgiven, and whose clocks hop.
/// What the rules refuse is simply not done.
struct RandomLife {
  var world: ScenarioWorld
  private var chance: SeededGenerator
  private(set) var refused = 0
  private let customers: ArraySlice<String>

  static let accounts = (0..<12).map { "customer \($0)" }
  static let clocks = ["default", "other"]

  /// Begins two clocks on the same day, with so many of the accounts.
  init(seed: UInt64, policies: Policies? = nil, accounts: Int = accounts.count) throws {
    customers = Self.accounts.prefix(accounts)
    chance = SeededGenerator(seed: seed)
    var chosen = Policies()
    chosen.monthEnd = Bool.random(using: &chance) ? .anchored : .chained
    chosen.graceDays = [0, 3, 16, 28].randomElement(using: &chance)!
    chosen.graceScope = GraceScope.allCases.randomElement(using: &chance)!
    chosen.graceRecoveryDate = GraceRecoveryDate.allCases.randomElement(using: &chance)!
    // A third of the lives renew ahead of time.
    chosen.terms.lead = [0, 0, 36_000_000].randomElement(using: &chance)!
    world = try ScenarioWorld(policies: policies ?? chosen)
    let start = Instant(
      milliseconds: try Instant.at("2024-01-01T00:00:00Z").milliseconds
        + Int64.random(in: 0..<(400 * Instant.millisecondsPerDay), using: &chance))
    for name in Self.clocks { try world.makeClock(name, at: start) }
  }

  /// Gives `count` commands.
  mutating func live(_ count: Int) throws {
    for _ in 0..<count { try step() }
  }

  mutating func step() throws {
    do throws(Rejection) {
      try perform()
    } catch {
      refused += 1
    }
  }

  private mutating func perform() throws(Rejection) {
    let account = customers.randomElement(using: &chance)!
    let key = Array(account.utf8)
    switch Int.random(in: 0..<100, using: &chance) {
    case 0..<25:
      try hop()
    case 25:
      try changeProduct(key)
    case 26..<55:
      try buy(key)
    case 55..<57:
      try world.ask(
        .attach(account: key, ClockNumber.random(in: 1...2, using: &chance)), as: key)
    case 57..<61:
      try share(key)
    default:
      guard let number = world.state.accounts.find(key) else { return }
      try perform(on: number, key: key)
    }
  }

  /// Begins to share with another customer, or stops with one or all.
  private mutating func share(_ key: [UInt8]) throws(Rejection) {
    let other = Array(customers.randomElement(using: &chance)!.utf8)
    if Int.random(in: 0..<4, using: &chance) > 0 {
      try world.ask(.share(purchaser: key, member: other), as: key)
    } else {
      try world.ask(
        .endSharing(
          purchaser: key, member: Bool.random(using: &chance) ? other : nil,
          SharingEnd.allCases.randomElement(using: &chance)!), as: key)
    }
  }

  private mutating func hop() throws(Rejection) {
    let name = Self.clocks.randomElement(using: &chance)!
    let now = world.state.clocks[Int(world.state.clock(named: name)!)].now
    let days = Int64.random(in: 0...45, using: &chance)
    let rest =
      Bool.random(using: &chance)
      ? 0 : Int64.random(in: 0..<Instant.millisecondsPerDay, using: &chance)
    do {
      try world.advance(name, to: now.advanced(byDays: days).advanced(byMilliseconds: rest))
    } catch let rejection as Rejection {
      throw rejection
    } catch {
      preconditionFailure("an advance throws rejections alone")
    }
  }

  private mutating func buy(_ key: [UInt8]) throws(Rejection) {
    let product = product(for: key)
    var command = PurchaseCommand(account: key, productID: product.id)
    if product.type == .consumable { command.quantity = .random(in: 1...10, using: &chance) }
    if let offer = product.offers.randomElement(using: &chance),
      Int.random(in: 0..<3, using: &chance) == 0
    {
      command.offer = OfferRequest(kind: offer.kind, id: offer.id)
    }
    if Int.random(in: 0..<4, using: &chance) == 0 {
      command.token = UUIDBits(high: .random(in: 0...3, using: &chance), low: 1)
    }
    if world.state.accounts.find(key) == nil {
      command.clock = Self.clocks.randomElement(using: &chance)!
    } else if Int.random(in: 0..<5, using: &chance) == 0 {
      let now = world.state.now(of: world.state.accounts.find(key)!)
      command.purchaseDate = now.advanced(byDays: -Int64.random(in: 0...60, using: &chance))
      command.renewalBehavior = Bool.random(using: &chance) ? .renewUntilNow : .cancelImmediately
    }
    try world.ask(.purchase(command), as: key)
  }

  /// Any product, or mostly one of the group that the customer bought of last.
  private mutating func product(for key: [UInt8]) -> CatalogueProduct {
    let products = world.state.products
    if Int.random(in: 0..<3, using: &chance) > 0,
      let number = world.state.accounts.find(key)
    {
      var line = world.state.accounts[number].newestLine
      // Trouble is rare, and much can be done in it.
      world.state.forEachLine(of: number) { candidate, held in
        if held.renewal.isInBillingRetry { line = candidate }
      }
      if line != noNumber {
        let group = world.state.lines[Int(line)].group
        return products.filter { $0.group == group }.randomElement(using: &chance)!.entry
      }
    }
    return products.randomElement(using: &chance)!.entry
  }

  /// A product costs more, or is sold no more; the catalogue comes again; all are extended.
  private mutating func changeProduct(_ key: [UInt8]) throws(Rejection) {
    let product = product(for: key)
    let command: Command
    switch Int.random(in: 0..<8, using: &chance) {
    case 0:
      command = .removeFromSale(productID: product.id)
    case 1...2:
      command = .importCatalogue(
        ScenarioCatalogue.all, source: "test.storekit", digest: 1, isAsked: true)
    case 3...4:
      command = .extendAll(
        productID: product.id, days: .random(in: 1...90, using: &chance), reason: 1,
        identifier: "\(world.state.sequence)", storefronts: nil)
    default:
      command = .increasePrice(
        productID: product.id,
        price: product.price + 1000 * Int64.random(in: 0...3, using: &chance),
        needsConsent: Bool.random(using: &chance))
    }
    try world.ask(command, as: key)
  }

  private mutating func perform(on number: AccountNumber, key: [UInt8]) throws(Rejection) {
    if let command = command(on: number) { try world.ask(command, as: key) }
  }

  /// What is done to an account that is there; nil where it has nothing to do that to.
  private mutating func command(on number: AccountNumber) -> Command? {
    var lines: [LineNumber] = []
    world.state.forEachLine(of: number) { line, _ in lines.append(line) }
    let history = world.history(of: number)
    let state = world.state
    let line = lines.randomElement(using: &chance)
    // The newest are tried more often: much can be done with them alone.
    let recent = history.entries.suffix(Bool.random(using: &chance) ? 3 : history.entries.count)
    let sold = recent.randomElement(using: &chance).map {
      OwnedTransaction($0.transaction.id, of: number)
    }
    switch (Int.random(in: 0..<17, using: &chance), line, sold) {
    case (0...1, let line?, _): return .setAutoRenew(line, isOn: false)
    case (2, let line?, _): return .setAutoRenew(line, isOn: true)
    case (3, let line?, _): return .forceRenewal(line)
    case (4, let line?, _): return .expire(line)
    case (5, _, let sold?):
      return .refund(
        sold, percentage: Bool.random(using: &chance) ? nil : .random(in: 1...100, using: &chance),
        reason: Bool.random(using: &chance) ? nil : 1)
    case (6, _, _):
      let given = history.entries.filter { $0.transaction.revocation != nil }
      return given.randomElement(using: &chance).map {
        .reverseRefund(OwnedTransaction($0.transaction.id, of: number))
      }
    case (7, _, let sold?): return .finish(sold)
    case (8, _, _): return .setBilling(number, fails: true)
    case (9, _, _): return .setBilling(number, fails: false)
    case (10, _, _):
      let owing = lines.first {
        state.lines[Int($0)].renewal.isInBillingRetry || state.lines[Int($0)].hasFailedCharge
      }
      return owing.map { .resolveBilling($0) }
    case (11, _, let sold?): return .requestRefund(sold)
    case (12, _, _):
      let asked = history.entries.first { state.refundRequests[$0.transaction.soldID] != nil }
      return asked.map { .declineRefund(OwnedTransaction($0.transaction.id, of: number)) }
    case (13, let line?, _): return .consent(line)
    case (14, let line?, _): return .declineIncrease(line)
    case (15, let line?, _):
      return .extend(line, days: .random(in: 1...90, using: &chance), reason: 0)
    case (16, _, _): return .restore(number)
    default: return nil
    }
  }
}

extension Families {
  var fingerprint: [String] {
    members.sorted { $0.key < $1.key }.map { "family \($0.key): \($0.value)" }
      + purchasers.sorted { $0.key < $1.key }.map { "member \($0.key) of \($0.value)" }
      + links.sorted { $0.key < $1.key }.map { "line \($0.key) follows \($0.value)" }
  }
}

extension State.Facts {
  /// What two folds must agree on, as texts that a failure can show.
  var fingerprint: [String] {
    var texts = ["\(role) \(seed) \(sequence) \(nextTransactionID) \(heldMilliseconds)"]
    texts.append(
      "\(members) members; \(firstLiveLine) \(firstLivePurchase) \(defaultStorefront) \(self.texts)"
    )
    texts += accounts.records.enumerated().map {
      "account \($0.offset) \(accounts.key(AccountNumber($0.offset))) \($0.element)"
    }
    texts += lines.map { "line \($0)" }
    texts += offerKeys.map { "keys \($0)" }
    texts += usedNonces.map { "nonce \($0)" }.sorted()
    texts += stackedOffers.sorted { $0.key < $1.key }.map { "stacked \($0)" }
    texts += purchases.map { "purchase \($0)" }
    texts += clocks.map { "clock \($0)" }
    texts += families.fingerprint
    texts.append(
      "switches \(switches.paying.sorted()) \(switches.paymentsFailForAll) \(switches.pending)")
    texts += tokens.map { "token \($0)" }
    texts += products.map { "product \($0)" }
    texts += sources.map { "source \($0)" }
    texts += sweeps.map { "sweep \($0)" }
    texts += extensions.map { "extension \($0)" }.sorted()
    texts += refundRequests.map { "request \($0)" }.sorted()
    return texts
  }

  /// The same without what an advance's stops leave behind: its own events, and so sequences and
  /// places in the log.
  var fingerprintWithoutPlaces: [String] {
    var copy = self
    copy.forgetPlaces()
    return copy.fingerprint
  }
}
