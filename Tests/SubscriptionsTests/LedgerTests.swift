import Subscriptions
import Testing

/// What accounts pay and are given back: Domain.md 1.4 and 8, 38, 47, 48 to 57.
@Suite("The ledger")
struct LedgerTests {
  private static func ledger(_ world: ScenarioWorld, of account: AccountNumber = 0) -> Ledger {
    var ledger = Ledger()
    for (index, event) in world.log.enumerated() where event.fact.account == account {
      ledger.apply(event, sequence: UInt64(index) + 1)
    }
    return ledger
  }

  /// `2025-01-10T12:00:00Z charge 4990 T1 = 4990`
  private static func told(_ world: ScenarioWorld) -> [String] {
    ledger(world).entries.map {
      "\($0.at.rfc3339) \($0.kind) \($0.amount)"
        + " T\($0.transactionID - Limits.firstTransactionID + 1) = \($0.balance)"
    }
  }

  private static func lived(_ rows: [(String, ScenarioCommand)]) throws -> ScenarioWorld {
    var world = try ScenarioWorld()
    try world.makeClock(Clock.defaultName, at: try .at(rows[0].0))
    for (time, command) in rows {
      try world.advance(to: try .at(time))
      try world.perform(command)
    }
    return world
  }

  @Test("Case 38: an upgrade gives back the unused part, rounded down: 4990 × 21/31 is 3380")
  func upgrade() throws {
    let world = try Self.lived([
      ("2025-01-10T12:00:00Z", .buy("silver.m")), ("2025-01-20T12:00:00Z", .buy("gold.m")),
      ("2025-02-21T00:00:00Z", .wait),
    ])
    #expect(
      Self.told(world) == [
        "2025-01-10T12:00:00Z charge 4990 T1 = 4990",
        "2025-01-20T12:00:00Z proration -3380 T1 = 1610",
        "2025-01-20T12:00:00Z charge 9990 T2 = 11600",
        "2025-02-20T12:00:00Z charge 9990 T3 = 21590",
      ])
  }

  @Test("Case 47: of a free trial nothing is given back")
  func trial() throws {
    let world = try Self.lived([
      ("2025-01-10T12:00:00Z", .buy("trial.y")), ("2025-01-12T12:00:00Z", .buy("trial.m")),
    ])
    #expect(
      Self.told(world) == [
        "2025-01-10T12:00:00Z charge 0 T1 = 0", "2025-01-12T12:00:00Z proration 0 T1 = 0",
        "2025-01-12T12:00:00Z charge 9990 T2 = 9990",
      ])
  }

  @Test("Cases 48, 51, 55: refunds in full and in part, reversed and given again")
  func refunds() throws {
    let world = try Self.lived([
      ("2025-01-10T12:00:00Z", .buy("silver.m")), ("2025-02-20T00:00:00Z", .refund(1)),
      ("2025-02-20T00:00:00Z", .refund(2, percentage: 33)),
      ("2025-03-01T00:00:00Z", .reverse(2)), ("2025-03-02T00:00:00Z", .refund(2)),
    ])
    #expect(
      Self.told(world) == [
        "2025-01-10T12:00:00Z charge 4990 T1 = 4990",
        "2025-02-10T12:00:00Z charge 4990 T2 = 9980",
        "2025-02-20T00:00:00Z refund -4990 T1 = 4990",
        "2025-02-20T00:00:00Z refund -1646 T2 = 3344",
        "2025-03-01T00:00:00Z reversal 1646 T2 = 4990",
        "2025-03-02T00:00:00Z refund -4990 T2 = 0",
      ])
  }

  @Test("A replaced period's refund gives back what its proration left, and no more")
  func refundOfReplaced() throws {
    let world = try Self.lived([
      ("2025-01-10T12:00:00Z", .buy("silver.m")), ("2025-01-20T12:00:00Z", .buy("gold.m")),
      ("2025-01-21T00:00:00Z", .refund(1)), ("2025-01-22T00:00:00Z", .reverse(1)),
    ])
    #expect(
      Self.told(world).suffix(2) == [
        "2025-01-21T00:00:00Z refund -1610 T1 = 9990",
        "2025-01-22T00:00:00Z reversal 1610 T1 = 11600",
      ])
  }

  @Test("Case 57: three of a consumable; what waits for payment costs nothing until it is paid")
  func others() throws {
    let world = try Self.lived([
      ("2025-01-10T12:00:00Z", .buy("coins", quantity: 3)),
      ("2025-01-10T12:00:00Z", .buy("silver.m")), ("2025-01-10T12:00:00Z", .fail()),
      ("2025-02-10T13:00:00Z", .ask(1)), ("2025-02-10T13:00:00Z", .refund(1)),
      ("2025-02-12T00:00:00Z", .resolve()),
    ])
    #expect(
      Self.told(world) == [
        "2025-01-10T12:00:00Z charge 2970 T1 = 2970",
        "2025-01-10T12:00:00Z charge 4990 T2 = 7960",
        "2025-02-10T13:00:00Z refund -2970 T1 = 4990",
        "2025-02-12T00:00:00Z charge 4990 T3 = 9980",
      ])
  }

  /// Each transaction is charged once, at its price, and keeps between nothing and its price;
  /// what is kept of all is the balance. A refund in full keeps nothing.
  @Test("Money adds up over random lives", arguments: StateTests.seeds)
  func addsUp(seed: UInt64) throws {
    var life = try RandomLife(seed: seed)
    try life.live(StateTests.commandsPerLife)
    for account in 0..<AccountNumber(life.world.state.accounts.count) {
      let ledger = Self.ledger(life.world, of: account)
      // What a family shares with the account costs it nothing.
      let history = life.world.history(of: account)
      let bought = history.entries.filter {
        $0.transaction.ownership == .purchased
      }
      var kept: [UInt64: Int64] = [:]
      for entry in ledger.entries {
        // A restore since then has given it another id.
        let id = try #require(history.entry(id: entry.transactionID)).transaction.id
        if entry.kind == .charge { #expect(kept[id] == nil) }
        #expect(entry.kind == .charge || entry.kind == .reversal ? entry.amount >= 0 : true)
        #expect(entry.kind == .refund || entry.kind == .proration ? entry.amount <= 0 : true)
        kept[id, default: 0] += entry.amount
      }
      #expect(Set(kept.keys) == Set(bought.map(\.transaction.id)))
      for entry in bought {
        let transaction = entry.transaction
        let rest = try #require(kept[transaction.id])
        #expect(rest >= 0 && rest <= transaction.price)
        if transaction.revocation?.type == .refundFull { #expect(rest == 0) }
        if transaction.revocation == nil, !transaction.isUpgraded {
          #expect(rest == transaction.price)
        }
      }
      #expect(ledger.entries.last?.balance ?? 0 == kept.values.reduce(0, +))
    }
  }
}
