import Subscriptions
import Testing

/// Offer codes and win-back offers (Domain.md 1.3, E25c to E25e, and 1.7).
@Suite("Offer codes and win-back offers")
struct ScenarioCodeTests {
  static let t0 = "2025-01-10T12:00:00Z"

  private func refusal(_ reason: String) -> [String] {
    ["refused: ineligibleForOffer(reason: \"\(reason)\")"]
  }

  @Test("E25d: a code on the first subscription of the group takes the introduction's place")
  func firstEver() throws {
    let world = try ScenarioWorld.play([
      ScenarioRow(
        Self.t0, .redeem("base.m", .code, "INSTEAD"),
        "2025-01-10T12:00:00Z purchased T1 base.m 1990 payAsYouGo P2M INSTEAD until"
          + " 2025-02-10T12:00:00Z; SUBSCRIBED/INITIAL_BUY; 1"),
      ScenarioRow(
        "2025-04-01T00:00:00Z", .wait,
        "2025-02-10T12:00:00Z renewed T2 base.m 1990 payAsYouGo P2M INSTEAD until"
          + " 2025-03-10T12:00:00Z; DID_RENEW; 1",
        "2025-03-10T12:00:00Z renewed T3 base.m 4990 until 2025-04-10T12:00:00Z; DID_RENEW; 1"),
    ])
    #expect(world.transactions().map { $0.offer?.kind } == [.code, .code, nil])
    #expect(!world.newest().hadIntroductoryOffer)
  }

  @Test("A stackable code follows a trial: first the introduction, then the code, then the price")
  func stackedOnTrial() throws {
    let world = try ScenarioWorld.play([
      ScenarioRow(
        Self.t0, .redeem("plus.m", .code, "SPRING"),
        "2025-01-10T12:00:00Z purchased T1 plus.m 0 freeTrial P1W until 2025-01-17T12:00:00Z;"
          + " SUBSCRIBED/INITIAL_BUY; 1"),
      ScenarioRow(
        "2025-04-01T00:00:00Z", .wait,
        "2025-01-17T12:00:00Z renewed T2 plus.m 2990 payAsYouGo P2M SPRING until"
          + " 2025-02-17T12:00:00Z; DID_RENEW; 1",
        "2025-02-17T12:00:00Z renewed T3 plus.m 2990 payAsYouGo P2M SPRING until"
          + " 2025-03-17T12:00:00Z; DID_RENEW; 1",
        "2025-03-17T12:00:00Z renewed T4 plus.m 9990 until 2025-04-17T12:00:00Z; DID_RENEW; 1"),
    ])
    #expect(world.newest().hadIntroductoryOffer)
  }

  @Test("A stackable code waits until an introduction of three payments is over")
  func stackedOnPayments() throws {
    var world = try ScenarioWorld.play([
      ScenarioRow(
        Self.t0, .redeem("base.m", .code, "BASE"),
        "2025-01-10T12:00:00Z purchased T1 base.m 990 payAsYouGo P3M until"
          + " 2025-02-10T12:00:00Z; SUBSCRIBED/INITIAL_BUY; 1",
        "2025-01-10T12:00:00Z stacked 1490 payAsYouGo P2M BASE")
    ])
    let until = try Instant.at("2025-07-01T00:00:00Z")
    let forecast = try world.state.forecast(account: 0, until: until, policies: world.policies)
    // A snapshot keeps what waits.
    var bytes: [UInt8] = []
    world.state.encodeSnapshot(into: &bytes)
    let read = bytes.withUnsafeBytes { State(snapshot: $0) }
    #expect(read?.fingerprint == world.state.fingerprint)
    #expect(world.state.stackedOffers.count == 1)
    let start = world.log.count
    try world.advance(to: until)
    #expect(world.transactions().map(\.price) == [990, 990, 990, 1490, 1490, 4990])
    #expect(forecast.events == world.log[start...].filter { $0.fact.account == 0 })
    #expect(world.state.stackedOffers.isEmpty)
  }

  @Test(
    "What waits behind an introduction is dropped by another choice and by the end",
    arguments: [
      ScenarioCommand.buy("plus.m"), .redeem("base.m", .promotional, "half"), .expire(),
    ])
  func stackedDropped(command: ScenarioCommand) throws {
    var world = try ScenarioWorld.play([ScenarioRow(Self.t0, .wait)])
    try world.perform(.redeem("base.m", .code, "BASE"))
    try world.advance(to: .at("2025-01-20T00:00:00Z"))
    try world.perform(command)
    #expect(world.state.stackedOffers.isEmpty)
    try world.advance(to: .at("2025-09-01T00:00:00Z"))
    #expect(!world.transactions().contains { $0.offer?.kind == .code })
  }

  @Test("E25: a code redeemed by a subscriber begins at the next billing event")
  func onActive() throws {
    _ = try ScenarioWorld.play([
      ScenarioRow(
        Self.t0, .buy("plus.m"), ScenarioRedeemTests.bought),
      ScenarioRow(
        "2025-01-20T00:00:00Z", .redeem("plus.m", .code, "STAY"), ScenarioRedeemTests.paid,
        "2025-01-20T00:00:00Z offerRedeemed T2 plus.m 9990 until 2025-02-17T12:00:00Z then plus.m"
          + " 7990 payUpFront P2M STAY; OFFER_REDEEMED; 1"),
      ScenarioRow(
        "2025-02-18T00:00:00Z", .redeem("plus.y", .code, "YEAR"),
        "2025-02-17T12:00:00Z renewed T3 plus.m 7990 payUpFront P2M STAY until"
          + " 2025-04-17T12:00:00Z; DID_RENEW; 1",
        "2025-02-18T00:00:00Z planChangeScheduled T3 plus.m 7990 payUpFront P2M STAY until"
          + " 2025-04-17T12:00:00Z then plus.y 59990 payUpFront P1Y YEAR;"
          + " OFFER_REDEEMED/DOWNGRADE; 1"),
      ScenarioRow(
        "2026-04-18T00:00:00Z", .wait,
        "2025-04-17T12:00:00Z renewed T4 plus.y 59990 payUpFront P1Y YEAR until"
          + " 2026-04-17T12:00:00Z; DID_RENEW; 1",
        "2026-04-17T12:00:00Z renewed T5 plus.y 99990 until 2027-04-17T12:00:00Z; DID_RENEW; 1"),
    ])
  }

  @Test("A code turns renewal on again: whoever redeems one means to go on")
  func turnsRenewalOn() throws {
    let world = try ScenarioWorld.play([
      ScenarioRow(
        Self.t0, .buy("plus.m"), ScenarioRedeemTests.bought),
      ScenarioRow(
        "2025-01-11T00:00:00Z", .off(),
        "2025-01-11T00:00:00Z autoRenewChanged off;"
          + " DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_DISABLED; 1"),
      ScenarioRow(
        "2025-01-12T00:00:00Z", .redeem("plus.m", .code, "STAY"),
        "2025-01-12T00:00:00Z offerRedeemed T1 plus.m 0 freeTrial P1W until"
          + " 2025-01-17T12:00:00Z then plus.m 7990 payUpFront P2M STAY; OFFER_REDEEMED; 1"),
    ])
    #expect(world.newest().renewal.autoRenews)
  }

  @Test("Codes have audiences: new, existing and expired subscribers of the group")
  func audiences() throws {
    var world = try ScenarioWorld.play([ScenarioRow(Self.t0, .wait)])
    func isFor(_ code: String, _ audience: String, _ customer: String) -> [String] {
      refusal(
        "the code \(code) is for \(audience) subscribers, and this account is \(customer)"
          + " subscriber of its group")
    }
    let t0 = Self.t0
    #expect(
      try world.play(ScenarioRow(t0, .redeem("plus.m", .code, "STAY")))
        == isFor("STAY", "existing", "a new"))
    #expect(
      try world.play(ScenarioRow(t0, .redeem("plus.m", .code, "BACK")))
        == isFor("BACK", "expired", "a new"))
    // A subscription of another group makes nobody an existing subscriber of this one.
    try world.perform(.buy("monthly"))
    #expect(
      try world.play(ScenarioRow(t0, .redeem("plus.m", .code, "STAY")))
        == isFor("STAY", "existing", "a new"))
    try world.perform(.redeem("plus.m", .code, "NEW"))
    #expect(
      try world.play(ScenarioRow(t0, .redeem("plus.m", .code, "NEW")))
        == isFor("NEW", "new", "an existing"))
    #expect(
      try world.play(ScenarioRow(t0, .redeem("plus.m", .code, "BACK")))
        == isFor("BACK", "expired", "an existing"))
    try world.perform(.expire())
    let t1 = "2025-02-01T00:00:00Z"
    #expect(
      try world.play(ScenarioRow(t1, .redeem("plus.m", .code, "NEW")))
        == isFor("NEW", "new", "an expired"))
    #expect(
      try world.play(ScenarioRow(t1, .redeem("plus.m", .code, "BACK"))) == [
        "2025-02-01T00:00:00Z purchased T3 plus.m 990 payAsYouGo P1M BACK until"
          + " 2025-03-01T00:00:00Z; SUBSCRIBED/RESUBSCRIBE; 1"
      ])
  }

  @Test("A code never leads to a lower level; at the same level it may wait for the renewal")
  func noDowngrade() throws {
    var world = try ScenarioWorld.play([ScenarioRow(Self.t0, .buy("plus.y"), Self.yearly)])
    #expect(
      try world.play(
        ScenarioRow("2025-02-01T00:00:00Z", .redeem("base.m", .code, "BASE")))
        == refusal(
          "base.m is of a lower level than plus.y, and an offer code never leads to a lower level"))
    #expect(world.state.stackedOffers.isEmpty)
  }

  private static let yearly =
    "2025-01-10T12:00:00Z purchased T1 plus.y 99990 until 2026-01-10T12:00:00Z;"
    + " SUBSCRIBED/INITIAL_BUY; 1"

  @Test("Case 79: who left may come back by a win-back offer; in billing retry nobody has left")
  func winBack() throws {
    var world = try ScenarioWorld.play([ScenarioRow(Self.t0, .wait)])
    func eligible() -> [String] {
      let line = world.newest()
      return world.state.winBackOfferIDs(
        after: line.renewal, of: line.transaction.product,
        status: line.status(at: world.state.now(of: line.account)))
    }
    let t0 = Self.t0
    #expect(
      try world.play(ScenarioRow(t0, .redeem("plus.m", .winBack, "return")))
        == refusal(
          "win-back offers are for customers whose subscription ended, and this account never had"
            + " one of the group"))
    try world.perform(.redeem("plus.m", .code, "NEW"))
    #expect(
      try world.play(ScenarioRow(t0, .redeem("plus.m", .winBack, "return")))
        == refusal(
          "win-back offers are for customers whose subscription ended, and this one is active"))
    #expect(eligible().isEmpty)
    try world.perform(.fail())
    try world.advance(to: .at("2025-02-11T00:00:00Z"))
    #expect(try world.status(at: "2025-02-11T00:00:00Z") == .billingRetry)
    #expect(eligible().isEmpty)
    #expect(
      try world.play(
        ScenarioRow("2025-02-11T00:00:00Z", .redeem("plus.m", .winBack, "return")))
        == refusal(
          "win-back offers are for customers whose subscription ended, and this one is in billing"
            + " retry"))
    try world.perform(.succeed())
    try world.perform(.off())
    #expect(eligible() == ["return", "return.y"])
    #expect(
      try world.play(
        ScenarioRow("2025-03-01T00:00:00Z", .redeem("plus.m", .winBack, "closed")))
        == refusal(
          "the catalogue switches the win-back offer closed off: nobody is eligible"))
    #expect(
      try world.play(
        ScenarioRow("2025-03-01T00:00:00Z", .redeem("plus.m", .winBack, "return"))) == [
          "2025-03-01T00:00:00Z purchased T2 plus.m 1990 payAsYouGo P2M return until"
            + " 2025-04-01T00:00:00Z; SUBSCRIBED/RESUBSCRIBE; 1"
        ])
    #expect(eligible().isEmpty)
    #expect(world.newest().transaction.offer?.kind == .winBack)
    try world.advance(to: .at("2025-06-01T00:00:00Z"))
    #expect(world.transactions().map(\.price) == [0, 1990, 1990, 9990, 9990])
    // Refunded is not left: the customer has not turned away.
    try world.perform(.refund(5))
    #expect(eligible().isEmpty)
  }
}
