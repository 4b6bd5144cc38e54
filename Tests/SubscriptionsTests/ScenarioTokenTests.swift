import Testing

@testable import Subscriptions

/// A purchase told with a number for its token: what it brought, and what stands.
private struct TokenWorld {
  var world: ScenarioWorld
  private let u1 = Array("u1".utf8)

  init() throws {
    world = try ScenarioWorld.play([ScenarioRow(ScenarioTests.t0, .wait)])
  }

  /// Buys with a token, or with none, and says the kinds of the events.
  @discardableResult
  mutating func buy(
    _ product: String, _ token: UInt64?, offer: OfferRequest? = nil, storefront: String? = nil,
    quantity: Int64 = 1
  ) throws -> [String] {
    let events = try world.ask(
      .purchase(
        PurchaseCommand(
          account: u1, productID: product, quantity: quantity,
          token: token.map { UUIDBits(high: $0, low: $0) }, storefront: storefront, offer: offer)),
      as: u1)
    return events.map { "\($0.fact.kind)" }
  }

  mutating func advance(to time: String) throws {
    try world.advance(to: .at(time))
  }

  /// What the account's transactions carry, oldest first: `silver.m 1`, `coins -`.
  var carried: [String] { carried(by: world.state, world.history(of: 0)) }

  func carried(by state: State, _ history: AccountHistory) -> [String] {
    history.entries.map {
      let product = state.products[Int($0.transaction.product)].entry.id
      return "\(product) \(word(state.token($0.transaction.token, of: 0)))"
    }
  }

  /// What the next renewal of the account's newest line will carry.
  var next: String {
    let line = world.state.lines[Int(world.lineNumbers()[0])]
    return word(world.state.token(line.renewal.token, of: 0))
  }

  func word(_ token: UUIDBits?) -> String { token.map { "\($0.high)" } ?? "-" }

  /// The log once more, each event through its bytes; and the account's history read back from
  /// the newest state, as a daemon reads it.
  func readBack() throws -> (state: State, history: AccountHistory) {
    let state = State()
    let base = EventFormat.Base(time: 0, transactionID: Limits.firstTransactionID)
    for (index, event) in world.log.enumerated() {
      var read = try #require(roundTrip(event, base: base))
      state.complete(&read, at: UInt64(index) + 1)
      try #require(state.accepts(read))
      state.apply(read, position: UInt64(index))
    }
    var bytes: [UInt8] = []
    state.encodeSnapshot(into: &bytes)
    let kept = try #require(bytes.withUnsafeBytes { State(snapshot: $0) })
    var history = AccountHistory()
    for (index, event) in world.log.enumerated() where event.fact.account == 0 {
      var read = try #require(roundTrip(event, base: base))
      kept.complete(&read, at: UInt64(index) + 1)
      history.apply(read)
    }
    return (kept, history)
  }

  /// An event as a program wrote it whose accounts had the tokens: a token was a second opening.
  mutating func openAgain(with token: UInt64) {
    let now = world.state.now(of: 0)
    world.append(
      Event(
        at: now, clock: world.state.accounts[0].clock,
        fact: .account(
          .accountOpened(
            account: 0, key: u1, token: UUIDBits(high: token, low: token),
            clock: world.state.accounts[0].clock))))
  }
}

@Suite("Whose token a transaction carries")
struct ScenarioTokenTests {
  @Test("B97: each purchase carries the token that it came with, or none, and keeps it")
  func purchases() throws {
    var shop = try TokenWorld()
    #expect(try shop.buy("coins", 1) == ["accountOpened", "purchased"])
    #expect(try shop.buy("coins", 2) == ["tokenGiven", "purchased"])
    #expect(try shop.buy("coins", nil) == ["purchased"])
    // One that the account came with before is not told of again.
    #expect(try shop.buy("coins", 2) == ["purchased"])
    #expect(try shop.buy("pass", 1) == ["purchased"])
    #expect(shop.carried == ["coins 1", "coins 2", "coins -", "coins 2", "pass 1"])
    let read = try shop.readBack()
    #expect(shop.carried(by: read.state, read.history) == shop.carried)
  }

  @Test("B97: a coin of another user changes nothing of an old subscription's periods")
  func oldSubscription() throws {
    var shop = try TokenWorld()
    try shop.buy("weekly", 1)
    try shop.advance(to: "2025-01-18T12:00:00Z")
    try shop.buy("coins", 2)
    try shop.advance(to: "2025-01-25T12:00:00Z")
    #expect(shop.carried == ["weekly 1", "weekly 1", "coins 2", "weekly 1"])
    #expect(shop.next == "1")
    let read = try shop.readBack()
    #expect(shop.carried(by: read.state, read.history) == shop.carried)
  }

  @Test("B97: who opened an account without a token may bring one later; what was stays without")
  func openedWithout() throws {
    var shop = try TokenWorld()
    try shop.buy("weekly", nil)
    try shop.buy("monthly", 7)
    try shop.advance(to: "2025-02-11T12:00:00Z")
    #expect(
      shop.carried == ["weekly -", "monthly 7"] + Array(repeating: "weekly -", count: 4)
        + ["monthly 7"])
  }

  @Test("An upgrade with a token takes it on; one without keeps the subscription's")
  func upgrades() throws {
    var shop = try TokenWorld()
    try shop.buy("bronze.m", 1)
    #expect(try shop.buy("silver.m", nil) == ["upgraded"])
    #expect(try shop.buy("gold.m", 2) == ["tokenGiven", "upgraded"])
    try shop.advance(to: "2025-02-11T12:00:00Z")
    #expect(shop.carried == ["bronze.m 1", "silver.m 1", "gold.m 2", "gold.m 2"])
  }

  @Test("A change of plan with a token applies from its renewal on, and the renewal info says so")
  func planChanges() throws {
    var shop = try TokenWorld()
    try shop.buy("gold.m", 1)
    #expect(try shop.buy("silver.m", 2) == ["tokenGiven", "planChangeScheduled"])
    #expect(shop.next == "2")
    #expect(shop.carried == ["gold.m 1"])
    // Taken back, the line goes on as it was; chosen by a third user, it is theirs.
    #expect(try shop.buy("gold.m", nil) == ["planChangeScheduled"])
    #expect(shop.next == "1")
    #expect(try shop.buy("silver.m", 2) == ["planChangeScheduled"])
    #expect(try shop.buy("silver.m", 2) == [])
    #expect(try shop.buy("silver.m", 3) == ["tokenGiven", "planChangeScheduled"])
    try shop.advance(to: "2025-03-11T12:00:00Z")
    #expect(shop.carried == ["gold.m 1", "silver.m 3", "silver.m 3"])
    let read = try shop.readBack()
    #expect(shop.carried(by: read.state, read.history) == shop.carried)
  }

  @Test("Renewal turned on by buying again, and an offer, bring a token for what renews")
  func turnedOn() throws {
    var shop = try TokenWorld()
    try shop.buy("plus.m", 1)
    try shop.world.perform(.off())
    #expect(try shop.buy("plus.m", 2) == ["tokenGiven", "autoRenewChanged"])
    #expect(shop.next == "2")
    try shop.advance(to: "2025-01-18T12:00:00Z")
    let gift = OfferRequest(kind: .promotional, id: "gift")
    #expect(try shop.buy("plus.m", 3, offer: gift) == ["tokenGiven", "offerRedeemed"])
    try shop.advance(to: "2025-02-18T12:00:00Z")
    #expect(shop.carried == ["plus.m 1", "plus.m 2", "plus.m 3"])
    // What is refused, and what the account has already, brings nothing.
    #expect(throws: Rejection.alreadySubscribed) { try shop.buy("plus.m", 4) }
    try shop.buy("lifetime", 1)
    #expect(try shop.buy("lifetime", 5) == [])
    #expect(shop.world.state.tokens.count == 3)
  }

  @Test("A resubscription carries its own token, or none; a restore that of the purchase")
  func resubscriptions() throws {
    var shop = try TokenWorld()
    try shop.buy("monthly", 1)
    try shop.world.perform(.off())
    try shop.advance(to: "2025-02-20T12:00:00Z")
    try shop.buy("monthly", 2)
    try shop.buy("coins", 1)
    try shop.world.perform(.restore())
    #expect(shop.carried == ["monthly 1", "monthly 2", "coins 1"])
    try shop.world.perform(.off())
    try shop.advance(to: "2025-03-25T12:00:00Z")
    try shop.buy("monthly", nil)
    try shop.advance(to: "2025-04-26T12:00:00Z")
    #expect(shop.carried.suffix(2) == ["monthly -", "monthly -"])
  }

  @Test("B106: what waits for approval is made with the token that it was asked for with")
  func waiting() throws {
    var shop = try TokenWorld()
    try shop.buy("coins", 1)
    try shop.world.perform(.askToBuy(true))
    #expect(try shop.buy("coins", 2, quantity: 3) == ["tokenGiven", "purchasePending"])
    #expect(try shop.buy("coins", nil) == ["purchasePending"])
    try shop.buy("coins", 1)
    let read = try shop.readBack()
    #expect(read.state.switches.pending == shop.world.state.switches.pending)
    for _ in 0..<3 {
      let id = try #require(shop.world.state.switches.pending.first?.id)
      try shop.world.ask(.completePending(id: id, .askToBuy), as: Array("u1".utf8))
    }
    #expect(shop.carried == ["coins 1", "coins 2", "coins -", "coins 1"])
    #expect(shop.world.history(of: 0).entries.map(\.transaction.quantity) == [1, 3, 1, 1])
  }

  @Test("What a member of a family has carries no number of the purchaser's token")
  func family() throws {
    var shop = try TokenWorld()
    try shop.buy("coins", nil)
    try shop.buy("family.m", 2)
    try shop.world.perform(.share(with: "u2"))
    try shop.advance(to: "2025-02-11T12:00:00Z")
    #expect(shop.carried == ["coins -", "family.m 2", "family.m 2"])
    let shared = shop.world.history(of: 1).entries.map(\.transaction.token)
    #expect(shared == [.opening, .opening])
  }

  @Test("A change of plan in another storefront is sold there, from its own period on")
  func storefronts() throws {
    var shop = try TokenWorld()
    try shop.buy("gold.m", nil, storefront: "DEU")
    try shop.buy("silver.m", nil, storefront: "GBR")
    try shop.advance(to: "2025-02-10T12:00:00Z")
    try shop.buy("gold.m", nil, storefront: "JPN")
    try shop.advance(to: "2025-03-10T12:00:00Z")
    let countries = shop.world.transactions().map { Storefront.all[Int($0.storefront)].country }
    #expect(countries == ["DEU", "GBR", "JPN", "JPN"])
  }
}

@Suite("Logs in which tokens belonged to accounts")
struct OlderTokenTests {
  @Test("A transaction of an older log keeps the token that its account had then, no later one")
  func pinned() throws {
    var shop = try TokenWorld()
    try shop.buy("weekly", 1)
    try shop.advance(to: "2025-01-18T12:00:00Z")
    #expect(shop.world.state.isReopening(4, of: 0) == false)
    shop.openAgain(with: 2)
    let opening = shop.world.state.sequence
    #expect(shop.world.state.isReopening(opening, of: 0))
    // What follows in such a log says no token: it carries that of the newest opening before it.
    let coins = Transaction(
      id: shop.world.state.nextTransactionID, originalID: shop.world.state.nextTransactionID,
      purchaseDate: shop.world.state.now(of: 0), signedDate: shop.world.state.now(of: 0),
      price: 990, product: shop.world.state.product(id: "coins")!,
      storefront: Storefront.unitedStates)
    var older = Event(
      at: coins.purchaseDate, clock: shop.world.state.accounts[0].clock,
      fact: .purchase(
        .purchased, PurchaseFact(account: 0, notification: .oneTimeCharge, transaction: coins)))
    shop.world.state.complete(&older, at: opening + 1)
    shop.world.append(older)
    shop.openAgain(with: 3)
    // From here on a newer program writes: a renewal goes on with what its line had.
    try shop.advance(to: "2025-01-25T12:00:00Z")
    try shop.buy("coins", nil)
    try shop.buy("coins", 1)
    try shop.buy("coins", 3)
    let wanted = [
      "weekly 1", "weekly 1", "coins 2", "weekly 1", "coins -", "coins 1", "coins 3",
    ]
    #expect(shop.carried == wanted)
    let read = try shop.readBack()
    #expect(shop.carried(by: read.state, read.history) == wanted)
    #expect(read.state.fingerprint == shop.world.state.fingerprint)
  }
}
