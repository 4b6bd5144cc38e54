import Subscriptions
import Testing

/// Whose a signed fact is, and what a record remembers.
@Suite("Signed facts: accounts, links, snapshots")
struct RecordAccountTests {
  private static let bought = "2025-01-10T12:00:00Z"
  private static let first = "2025-02-10T12:00:00Z"
  private static let token = UUIDBits(text: "7e3fb20b-4cdb-47cc-936d-99d65f608138")!

  private func world() throws -> RecordWorld {
    var world = RecordWorld()
    try world.makeClock(at: try .at(Self.bought))
    return world
  }

  private func fact(
    _ id: UInt64, of original: UInt64, token: UUIDBits? = nil, account: String? = nil,
    signed: String = bought
  ) throws -> IngestCommand {
    var transaction = try Told.transaction(
      id, of: original, from: signed,
      until: try Instant.at(signed).advanced(byDays: 31).rfc3339, signed: signed)
    transaction.token = token
    return Told.command(number: id, transaction: transaction, account: account)
  }

  @Test("The account given comes first, then the line's, then the token's holder, then the token")
  func resolution() throws {
    var world = try world()
    try world.submit(fact(1, of: 1, token: Self.token, account: "u1"))
    #expect(world.lines(of: "u1").count == 1)
    // The line's own, though the later fact has no token.
    try world.submit(fact(2, of: 1, signed: "2025-02-10T12:00:00Z"))
    #expect(world.lines(of: "u1").first?.transaction.id == 2)
    // Another line of the same token: its holder's.
    try world.submit(fact(11, of: 11, token: Self.token))
    #expect(world.lines(of: "u1").count == 2)
    // A token that nobody holds is an account by itself.
    let other = UUIDBits(text: "00000000-0000-4000-8000-00000000002a")!
    try world.submit(fact(21, of: 21, token: other))
    #expect(world.lines(of: "00000000-0000-4000-8000-00000000002a").count == 1)
    // The account given takes the line along.
    try world.submit(fact(12, of: 11, account: "u2", signed: "2025-02-11T12:00:00Z"))
    #expect(world.lines(of: "u1").count == 1)
    #expect(world.lines(of: "u2").map(\.transaction.id) == [12])
    #expect(world.history(of: "u2").entries.map(\.transaction.id) == [11, 12])
    #expect(world.history(of: "u1").entries.map(\.transaction.id) == [1, 2])
  }

  @Test("B54: a line without a token belongs to nobody until it is linked, and stays linked")
  func unlinked() throws {
    var world = try world()
    try world.submit(fact(1, of: 1))
    #expect(world.line(1)?.account == noNumber)
    #expect(world.state.apple.unlinkedCount == 1)
    #expect(world.state.accounts.count == 0)
    #expect(world.state.members == 0)
    try world.link("u1", 1)
    #expect(world.isEntitled("u1", at: try .at("2025-01-11T00:00:00Z")))
    #expect(world.state.members == 1)
    #expect(world.state.apple.unlinkedCount == 0)
    try world.submit(fact(2, of: 1, signed: "2025-02-10T12:00:00Z"))
    #expect(world.lines(of: "u1").first?.transaction.id == 2)
    #expect(world.history(of: "u1").entries.map(\.transaction.id) == [1, 2])
  }

  @Test("The status of a line without an account passes on the clock of accounts to come")
  func unlinkedPasses() throws {
    var world = try world()
    try world.submit(fact(1, of: 1))
    let passed = try world.advance(to: .at("2025-03-10T00:00:00Z"))
    #expect(passed.map(\.at.rfc3339) == [Self.first])
    #expect(passed.map(\.fact.account) == [noNumber])
  }

  @Test("Linking a line again to whom it belongs does nothing; one that is not there is refused")
  func linkAgain() throws {
    var world = try world()
    try world.submit(fact(1, of: 1, account: "u1"))
    let count = world.log.count
    try world.link("u1", 1)
    #expect(world.log.count == count)
    #expect(throws: Rejection.subscriptionNotFound) { try world.link("u1", 99) }
  }

  @Test("A repeat that names an account links the line, though the fact is old")
  func repeatLinks() throws {
    var world = try world()
    try world.submit(fact(1, of: 1))
    guard case .duplicate = try world.submit(fact(1, of: 1, account: "u1")) else {
      Issue.record("the repeat is no duplicate")
      return
    }
    #expect(world.lines(of: "u1").count == 1)
    #expect(world.state.apple.factCount == 1)
  }

  @Test("A line that moves takes its access along, and both accounts' events say so")
  func moves() throws {
    var world = try world()
    for id: UInt64 in [1, 2, 3] { try world.submit(fact(id, of: id, account: "u1")) }
    try world.link("u2", 2)
    #expect(world.lines(of: "u1").map(\.transaction.originalID) == [1, 3])
    #expect(world.lines(of: "u2").map(\.transaction.originalID) == [2])
    try world.link("u1", 2)
    #expect(world.lines(of: "u1").map(\.transaction.originalID) == [1, 2, 3])
    #expect(world.state.members == 1)
    #expect(world.history(of: "u2").lines.isEmpty)
    #expect(world.history(of: "u1").lines.map(\.line.transaction.id).sorted() == [1, 2, 3])
  }

  @Test("Lasting purchases come, are refunded and move like lines; consumables are only listed")
  func purchases() throws {
    var world = try world()
    var bought = try Told.transaction(
      5, of: 5, "lifetime", from: Self.bought, until: nil, signed: Self.bought)
    try world.submit(Told.command(number: 5, transaction: bought, account: "u1"))
    #expect(world.state.members == 1)
    try world.link("u2", 5)
    #expect(world.state.members == 1)
    let holder = try #require(world.account("u2"))
    #expect(world.state.accounts[holder].newestPurchase != noNumber)
    bought.revocation = Revocation(
      date: try .at("2025-01-11T00:00:00Z"), type: .refundFull, reason: 0, percentage: 100_000)
    bought.signedDate = try .at("2025-01-11T00:00:00Z")
    try world.submit(Told.command(number: 6, transaction: bought))
    #expect(world.state.members == 0)
    var coins = try Told.transaction(
      7, of: 7, "coins", from: Self.bought, until: nil, signed: Self.bought)
    coins.type = .consumable
    try world.submit(Told.command(number: 7, transaction: coins, account: "u2"))
    #expect(world.state.purchases.count == 1)
    #expect(world.history(of: "u2").entries.map(\.transaction.id) == [5, 7])
  }

  @Test("What the store sold itself is a duplicate to its own log, never a second line")
  func ownFacts() throws {
    var store = try ScenarioWorld()
    try store.makeClock(Clock.defaultName, at: .at(Self.bought))
    try store.perform(.buy("silver.m"))
    let id = Limits.firstTransactionID
    let command = Told.command(
      number: 1,
      transaction: try Told.transaction(
        id, of: id, from: Self.bought, until: Self.first, signed: Self.bought))
    let decision = try store.state.decide(.ingest(command), Moment(Policies()))
    guard case .duplicate? = decision.ingest else {
      Issue.record("the store's own sale is taken for news")
      return
    }
    #expect(decision.events.isEmpty)
    #expect(throws: Rejection.self) {
      try store.state.decide(
        .link(account: Array("u2".utf8), originalID: id), Moment(Policies()))
    }
  }

  @Test("The store goes on selling beside lines of the App Store's, and finds its own")
  func storeBeside() throws {
    var record = RecordWorld(role: .store)
    try record.makeClock(at: try .at(Self.bought))
    try record.submit(fact(9_000_000_000_000_001, of: 9_000_000_000_000_001, account: "u1"))
    try record.submit(fact(5, of: 5, account: "u1"))
    #expect(record.state.nextTransactionID == Limits.firstTransactionID)
    #expect(record.state.line(originalID: 5) == nil)
    #expect(record.state.line(originalID: 9_000_000_000_000_001) == nil)
  }

  @Test("A snapshot holds all of it, and what comes after it is known as before")
  func snapshot() throws {
    var world = try world()
    try world.submit(fact(1, of: 1, token: Self.token, account: "u1"))
    try world.submit(fact(2, of: 2))
    var odd = try Told.transaction(
      5, of: 5, "lifetime", from: Self.bought, until: nil, signed: Self.bought)
    odd.storefront = "XKX"
    odd.currency = "EUR"
    try world.submit(Told.command(number: 5, transaction: odd, account: "u3"))
    var bytes: [UInt8] = []
    world.state.encodeSnapshot(into: &bytes)
    let read = try #require(bytes.withUnsafeBytes { State(snapshot: $0) })
    #expect(read.fingerprint == world.state.fingerprint)
    #expect(read.apple.chains == world.state.apple.chains)
    var again: [UInt8] = []
    read.encodeSnapshot(into: &again)
    #expect(again == bytes)
    let decision = try read.decide(.ingest(fact(2, of: 2)), Moment(Policies()))
    guard case .duplicate? = decision.ingest else {
      Issue.record("a snapshot has forgotten what was taken in")
      return
    }
    let number = try #require(read.chainAccount(5).flatMap { read.accounts[$0].newestPurchase })
    let storefront = read.storefront(read.purchases[Int(number)].transaction.storefront)
    #expect(storefront.country == "XKX")
    #expect(storefront.currency == "EUR")
  }

  @Test("An older life read back from its log is the life: events, encoded and decoded")
  func replay() throws {
    var world = try world()
    try world.submit(fact(1, of: 1, token: Self.token))
    try world.submit(fact(2, of: 2))
    try world.link("u1", 2)
    try world.link("u1", 1)
    try world.advance(to: .at("2025-04-01T00:00:00Z"))
    let replayed = State()
    let base = EventFormat.Base(time: 12, transactionID: 34)
    for (index, event) in world.log.enumerated() {
      var bytes: [UInt8] = []
      EventFormat.encode(event, into: &bytes, base: base)
      var read = try #require(
        bytes.withUnsafeBytes {
          EventFormat.decode(tag: event.fact.kind.tag, payload: $0, base: base)
        })
      replayed.complete(&read, at: UInt64(index) + 1)
      #expect(replayed.accepts(read))
      replayed.apply(read, position: UInt64(index))
    }
    #expect(replayed.fingerprint == world.state.fingerprint)
    #expect(replayed.apple.chains == world.state.apple.chains)
  }

  @Test("In the record role nothing is sold, refunded or finished")
  func roles() throws {
    let world = try world()
    let asked = PurchaseCommand(account: Array("u1".utf8), productID: "silver.m")
    #expect(throws: Rejection.notInThisRole) {
      try world.state.decide(.purchase(asked), Moment(Policies()))
    }
  }
}

extension State {
  /// Whose a purchase of the sandbox is.
  fileprivate func chainAccount(_ originalID: UInt64) -> AccountNumber? {
    facts.apple.chain(ChainKey(environment: .sandbox, originalID: originalID))?.account
  }
}
