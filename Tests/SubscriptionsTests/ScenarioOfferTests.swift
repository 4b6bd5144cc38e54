import Subscriptions
import Testing

/// Introductory offers (Domain.md 1.7), coming back (E13) and the chain of service (1.6).
@Suite("Introductory offers, and coming back")
struct ScenarioOfferTests {
  @Test("Case 75: a free trial, then paid months counted from the trial's end")
  func freeTrial() throws {
    let world = try ScenarioWorld.play([
      ScenarioRow(
        "2025-01-10T12:00:00Z", .buy("trial.m"),
        "2025-01-10T12:00:00Z purchased T1 trial.m 0 freeTrial P1W until 2025-01-17T12:00:00Z;"
          + " SUBSCRIBED/INITIAL_BUY; 1"),
      ScenarioRow(
        "2025-03-01T00:00:00Z", .wait,
        "2025-01-17T12:00:00Z renewed T2 trial.m 9990 until 2025-02-17T12:00:00Z; DID_RENEW; 1",
        "2025-02-17T12:00:00Z renewed T3 trial.m 9990 until 2025-03-17T12:00:00Z; DID_RENEW; 1"),
    ])
    #expect(world.transactions().map { $0.offer == nil } == [false, true, true])
    #expect(world.newest().renewal.offer == nil)
    #expect(world.newest().hadIntroductoryOffer)
    let start = try Instant.at("2025-01-10T12:00:00Z")
    #expect(world.newest().renewal.recentSubscriptionStartDate == start)
  }

  @Test("A trial that ends on the 31st makes the 31st the billing day")
  func trialMonthEnd() throws {
    _ = try ScenarioWorld.play([
      ScenarioRow(
        "2025-01-24T12:00:00Z", .buy("trial.m"),
        "2025-01-24T12:00:00Z purchased T1 trial.m 0 freeTrial P1W until 2025-01-31T12:00:00Z;"
          + " SUBSCRIBED/INITIAL_BUY; 1"),
      ScenarioRow(
        "2025-04-01T00:00:00Z", .wait,
        "2025-01-31T12:00:00Z renewed T2 trial.m 9990 until 2025-02-28T12:00:00Z; DID_RENEW; 1",
        "2025-02-28T12:00:00Z renewed T3 trial.m 9990 until 2025-03-31T12:00:00Z; DID_RENEW; 1",
        "2025-03-31T12:00:00Z renewed T4 trial.m 9990 until 2025-04-30T12:00:00Z; DID_RENEW; 1"),
    ])
  }

  @Test("Case 76: pay as you go sells n periods at its price, then the regular one")
  func payAsYouGo() throws {
    var world = try ScenarioWorld.play([
      ScenarioRow(
        "2025-01-10T12:00:00Z", .buy("payg.m"),
        "2025-01-10T12:00:00Z purchased T1 payg.m 1990 payAsYouGo P3M until"
          + " 2025-02-10T12:00:00Z; SUBSCRIBED/INITIAL_BUY; 1")
    ])
    #expect(world.newest().renewal.renewalPrice == 1990)
    #expect(world.newest().renewal.offer != nil)
    let second = try world.play(ScenarioRow("2025-02-10T12:00:00Z", .wait))
    #expect(
      second == [
        "2025-02-10T12:00:00Z renewed T2 payg.m 1990 payAsYouGo P3M until 2025-03-10T12:00:00Z;"
          + " DID_RENEW; 1"
      ])
    #expect(world.newest().renewal.renewalPrice == 1990)
    #expect(world.newest().renewal.offer != nil)
    let third = try world.play(ScenarioRow("2025-03-10T12:00:00Z", .wait))
    #expect(
      third == [
        "2025-03-10T12:00:00Z renewed T3 payg.m 1990 payAsYouGo P3M until 2025-04-10T12:00:00Z;"
          + " DID_RENEW; 1"
      ])
    #expect(world.newest().renewal.renewalPrice == 9990)
    #expect(world.newest().renewal.offer == nil)
    let after = try world.play(ScenarioRow("2025-05-10T12:00:00Z", .wait))
    #expect(
      after == [
        "2025-04-10T12:00:00Z renewed T4 payg.m 9990 until 2025-05-10T12:00:00Z; DID_RENEW; 1",
        "2025-05-10T12:00:00Z renewed T5 payg.m 9990 until 2025-06-10T12:00:00Z; DID_RENEW; 1",
      ])
  }

  @Test("Pay as you go counts periods of the product, whatever length its offer is written in")
  func oddPayAsYouGo() throws {
    var catalogue = ScenarioCatalogue.all
    let index = try #require(catalogue.products.firstIndex { $0.id == "payg.m" })
    catalogue.products[index].offers[0].period = Period(iso8601: "P1W")!
    catalogue.products[index].offers[0].periodCount = 2
    var world = try ScenarioWorld(catalogue: catalogue)
    try world.makeClock(Clock.defaultName, at: .at("2025-01-10T12:00:00Z"))
    try world.perform(.buy("payg.m"))
    try world.advance(to: .at("2025-04-10T12:00:00Z"))
    #expect(world.transactions().map(\.price) == [1990, 1990, 9990, 9990])
    #expect(world.transactions().map(\.offer?.period.iso8601) == ["P2M", "P2M", nil, nil])
  }

  @Test("Pay up front sells the whole offer in one transaction, then regular periods")
  func payUpFront() throws {
    _ = try ScenarioWorld.play([
      ScenarioRow(
        "2024-12-31T12:00:00Z", .buy("upfront.m"),
        "2024-12-31T12:00:00Z purchased T1 upfront.m 4990 payUpFront P2M until"
          + " 2025-02-28T12:00:00Z; SUBSCRIBED/INITIAL_BUY; 1"),
      ScenarioRow(
        "2025-03-31T12:00:00Z", .wait,
        "2025-02-28T12:00:00Z renewed T2 upfront.m 9990 until 2025-03-31T12:00:00Z; DID_RENEW; 1",
        "2025-03-31T12:00:00Z renewed T3 upfront.m 9990 until 2025-04-30T12:00:00Z; DID_RENEW; 1"),
    ])
  }

  @Test("B08: an intro of three periods has no stub: every period tiles and is a whole month")
  func noStub() throws {
    var world = try ScenarioWorld.play([
      ScenarioRow(
        "2023-03-01T03:47:56Z", .buy("payg.m"),
        "2023-03-01T03:47:56Z purchased T1 payg.m 1990 payAsYouGo P3M until"
          + " 2023-04-01T03:47:56Z; SUBSCRIBED/INITIAL_BUY; 1")
    ])
    try world.advance(to: .at("2023-07-02T00:00:00Z"))
    let periods = world.transactions()
    #expect(periods.map(\.price) == [1990, 1990, 1990, 9990, 9990])
    #expect(
      periods.map(\.expiresDate.rfc3339) == [
        "2023-04-01T03:47:56Z", "2023-05-01T03:47:56Z", "2023-06-01T03:47:56Z",
        "2023-07-01T03:47:56Z", "2023-08-01T03:47:56Z",
      ])
    for (period, next) in zip(periods, periods.dropFirst()) {
      #expect(period.expiresDate == next.purchaseDate)
    }
  }

  @Test("Case 74: an introductory offer used once is gone for every product of the group")
  func introOnce() throws {
    _ = try ScenarioWorld.play([
      ScenarioRow(
        "2025-01-10T12:00:00Z", .buy("trial.m"),
        "2025-01-10T12:00:00Z purchased T1 trial.m 0 freeTrial P1W until 2025-01-17T12:00:00Z;"
          + " SUBSCRIBED/INITIAL_BUY; 1"),
      ScenarioRow(
        "2025-01-11T00:00:00Z", .off(),
        "2025-01-11T00:00:00Z autoRenewChanged off;"
          + " DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_DISABLED; 1"),
      ScenarioRow(
        "2025-02-01T12:00:00Z", .buy("trial.y"),
        "2025-01-17T12:00:00Z expired intent 1; EXPIRED/VOLUNTARY; 2",
        "2025-02-01T12:00:00Z purchased T2 trial.y 99990 until 2026-02-01T12:00:00Z;"
          + " SUBSCRIBED/RESUBSCRIBE; 1"),
      // Another customer, and another group, still get theirs.
      ScenarioRow(
        "2025-02-01T12:00:00Z", .buy("trial.y", account: "u2"),
        "2025-02-01T12:00:00Z purchased T3 trial.y 0 freeTrial P1M until 2025-03-01T12:00:00Z;"
          + " SUBSCRIBED/INITIAL_BUY; 1"),
      ScenarioRow(
        "2025-02-01T12:00:00Z", .buy("upfront.m"),
        "2025-02-01T12:00:00Z purchased T4 upfront.m 4990 payUpFront P2M until"
          + " 2025-04-01T12:00:00Z; SUBSCRIBED/INITIAL_BUY; 1"),
    ])
  }

  @Test("An offer asked for by name that the customer cannot have is refused")
  func introRefused() throws {
    var world = try ScenarioWorld.play([ScenarioRow("2025-01-10T12:00:00Z", .wait)])
    let start = world.log.count
    for (product, kind) in [("monthly", OfferKind.introductory), ("trial.m", .winBack)] {
      #expect {
        let offer = OfferRequest(kind: kind)
        try world.ask(
          .purchase(PurchaseCommand(account: [1], productID: product, offer: offer)), as: [1])
      } throws: { error in
        guard case .ineligibleForOffer? = error as? Rejection else { return false }
        return true
      }
    }
    #expect(world.log.count == start)
    try world.perform(.buy("trial.m"))
    #expect(world.newest().transaction.offer?.kind == .introductory)
  }

  @Test("E13, B55: 90 days after the end the same line opens again, with the gap in its history")
  func resubscribe() throws {
    let world = try ScenarioWorld.play([
      ScenarioRow(
        "2025-01-01T00:00:00Z", .buy("monthly"),
        "2025-01-01T00:00:00Z purchased T1 monthly 9990 until 2025-02-01T00:00:00Z;"
          + " SUBSCRIBED/INITIAL_BUY; 1"),
      ScenarioRow(
        "2025-01-02T00:00:00Z", .off(),
        "2025-01-02T00:00:00Z autoRenewChanged off;"
          + " DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_DISABLED; 1"),
      ScenarioRow(
        "2025-05-02T00:00:00Z", .buy("monthly"),
        "2025-02-01T00:00:00Z expired intent 1; EXPIRED/VOLUNTARY; 2",
        "2025-05-02T00:00:00Z purchased T2 monthly 9990 until 2025-06-02T00:00:00Z;"
          + " SUBSCRIBED/RESUBSCRIBE; 1"),
    ])
    let spans = world.transactions()
    try #require(spans.count == 2)
    #expect(spans[1].originalID == spans[0].id)
    #expect(spans[1].reason == .purchase)
    #expect(spans[0].expiresDate.advanced(byDays: 90) == spans[1].purchaseDate)
    #expect(world.newest().originalPurchaseDate == spans[0].purchaseDate)
    #expect(world.newest().renewal.expirationIntent == nil)
    #expect(world.newest().renewal.autoRenews)
    #expect(world.newest().renewal.recentSubscriptionStartDate == spans[1].purchaseDate)
    #expect(try world.status(at: "2025-05-02T00:00:00Z") == .active)
  }

  @Test("E13: coming back counts months from the new purchase", arguments: MonthEndPolicy.allCases)
  func newAnchor(policy: MonthEndPolicy) throws {
    var policies = Policies()
    policies.monthEnd = policy
    // The old life's billing day, the 10th, is forgotten; the new one's is the 31st.
    let third = policy == .anchored ? "2026-03-31T12:00:00Z" : "2026-03-28T12:00:00Z"
    _ = try ScenarioWorld.play(
      [
        ScenarioRow(ScenarioTests.t0, .buy("silver.m"), ScenarioTests.bought),
        ScenarioRow(
          "2025-01-20T00:00:00Z", .off(),
          "2025-01-20T00:00:00Z autoRenewChanged off;"
            + " DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_DISABLED; 1"),
        ScenarioRow(
          "2026-01-31T12:00:00Z", .buy("gold.m"),
          "2025-02-10T12:00:00Z expired intent 1; EXPIRED/VOLUNTARY; 2",
          "2026-01-31T12:00:00Z purchased T2 gold.m 9990 until 2026-02-28T12:00:00Z;"
            + " SUBSCRIBED/RESUBSCRIBE; 1"),
        ScenarioRow(
          "2026-03-01T00:00:00Z", .wait,
          "2026-02-28T12:00:00Z renewed T3 gold.m 9990 until \(third); DID_RENEW; 1"),
      ], policies: policies)
  }

  @Test(
    "1.6: a gap of up to 60 days keeps the start of the chain; a longer one begins another",
    arguments: [
      // Bought 2022-06-01, over on 2022-12-01.
      ("2022-12-01T00:00:00Z", "2022-06-01T00:00:00Z"),
      ("2023-01-02T00:00:00Z", "2022-06-01T00:00:00Z"),
      // 2022-12-01 and 60 days, to the millisecond, and one millisecond more.
      ("2023-01-30T00:00:00Z", "2022-06-01T00:00:00Z"),
      ("2023-01-30T00:00:00.001Z", "2023-01-30T00:00:00.001Z"),
      ("2023-03-02T00:00:00Z", "2023-03-02T00:00:00Z"),
    ])
  func recentStart(back: String, start: String) throws {
    var world = try ScenarioWorld()
    try world.makeClock(Clock.defaultName, at: .at("2022-06-01T00:00:00Z"))
    try world.perform(.buy("monthly"))
    try world.advance(to: .at("2022-11-15T00:00:00Z"))
    try world.perform(.off())
    try world.advance(to: .at(back))
    try world.perform(.buy("monthly"))
    #expect(world.newest().renewal.recentSubscriptionStartDate.rfc3339 == start)
    #expect(world.newest().originalPurchaseDate.rfc3339 == "2022-06-01T00:00:00Z")
    // Renewals keep it.
    try world.advance(to: .at("2024-01-01T00:00:00Z"))
    #expect(world.newest().renewal.recentSubscriptionStartDate.rfc3339 == start)
  }

  @Test("1.6: the worked example: over on 2022-12-31, back on 1 February or on 1 April 2023")
  func workedExample() throws {
    for (back, start) in [
      ("2023-02-01T00:00:00Z", "2022-06-01T00:00:00Z"),
      ("2023-04-01T00:00:00Z", "2023-04-01T00:00:00Z"),
    ] {
      var world = try ScenarioWorld()
      try world.makeClock(Clock.defaultName, at: .at("2022-06-01T00:00:00Z"))
      try world.perform(.buy("monthly"))
      try world.advance(to: .at("2022-12-31T00:00:00Z"))
      try world.perform(.expire())
      try world.advance(to: .at(back))
      try world.perform(.buy("monthly"))
      #expect(world.newest().renewal.recentSubscriptionStartDate.rfc3339 == start)
    }
  }

  @Test("1.6: after a refund the gap counts from the refund, not from the end it cut short")
  func recentStartAfterRefund() throws {
    var world = try ScenarioWorld()
    try world.makeClock(Clock.defaultName, at: .at("2025-01-01T00:00:00Z"))
    try world.perform(.buy("gold.y"))
    try world.advance(to: .at("2025-02-01T00:00:00Z"))
    try world.perform(.refund(1))
    try world.advance(to: .at("2025-06-01T00:00:00Z"))
    try world.perform(.buy("gold.y"))
    let start = try Instant.at("2025-06-01T00:00:00Z")
    #expect(world.newest().renewal.recentSubscriptionStartDate == start)
  }
}
