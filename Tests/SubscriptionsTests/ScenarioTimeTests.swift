import Subscriptions
import Testing

/// Reports of Domain.md 8 about months, zones and long jumps.
@Suite("Billing days, zones and long jumps")
struct ScenarioTimeTests {
  private func ends(
    of product: String, from start: String, to target: String, policies: Policies = Policies()
  ) throws -> [String] {
    var world = try ScenarioWorld(policies: policies)
    try world.makeClock(Clock.defaultName, at: .at(start))
    try world.perform(.buy(product))
    try world.advance(to: .at(target))
    let periods = world.transactions()
    for (period, next) in zip(periods, periods.dropFirst()) {
      #expect(period.expiresDate == next.purchaseDate)
    }
    return periods.map(\.expiresDate.rfc3339)
  }

  @Test("B01: billing on the 31st goes on after February, and comes back to the 31st")
  func billingDay31() throws {
    #expect(
      try ends(of: "monthly", from: "2017-01-31T10:00:00Z", to: "2017-05-01T00:00:00Z") == [
        "2017-02-28T10:00:00Z", "2017-03-31T10:00:00Z", "2017-04-30T10:00:00Z",
        "2017-05-31T10:00:00Z",
      ])
  }

  @Test("B02: periods bought on the 31st tile, without a gap or an overlap")
  func tiles() throws {
    #expect(
      try ends(of: "monthly", from: "2023-01-31T00:00:00Z", to: "2023-03-01T00:00:00Z")
        == ["2023-02-28T00:00:00Z", "2023-03-31T00:00:00Z"])
  }

  @Test("B05: 31 January and a month is the end of February, never the third of March")
  func clamps() throws {
    #expect(
      try ends(of: "monthly", from: "2025-01-31T00:00:00Z", to: "2025-03-15T00:00:00Z")
        == ["2025-02-28T00:00:00Z", "2025-03-31T00:00:00Z"])
  }

  @Test("Domain.md 2.2: chained month ends stay on the 28th")
  func chained() throws {
    var policies = Policies()
    policies.monthEnd = .chained
    #expect(
      try ends(
        of: "monthly", from: "2025-01-31T18:00:00Z", to: "2025-06-01T00:00:00Z",
        policies: policies) == [
          "2025-02-28T18:00:00Z", "2025-03-28T18:00:00Z", "2025-04-28T18:00:00Z",
          "2025-05-28T18:00:00Z", "2025-06-28T18:00:00Z",
        ])
  }

  @Test("Domain.md 2.3: in Los Angeles the local day and hour are kept")
  func losAngeles() throws {
    var policies = Policies()
    policies.calendar = try CalendarZones.losAngeles()
    #expect(
      try ends(
        of: "monthly", from: "2025-01-31T02:00:00Z", to: "2025-04-01T00:00:00Z",
        policies: policies)
        == ["2025-03-01T02:00:00Z", "2025-03-31T01:00:00Z", "2025-05-01T01:00:00Z"])
  }

  @Test("Domain.md 2.3: two months from New Year's Eve")
  func twoMonths() throws {
    #expect(
      try ends(of: "two.months", from: "2024-12-31T18:00:00Z", to: "2025-07-01T00:00:00Z") == [
        "2025-02-28T18:00:00Z", "2025-04-30T18:00:00Z", "2025-06-30T18:00:00Z",
        "2025-08-31T18:00:00Z",
      ])
  }

  @Test("Domain.md 2.3: a year from 29 February comes back to it in a leap year")
  func leapYear() throws {
    #expect(
      try ends(of: "gold.y", from: "2024-02-29T18:00:00Z", to: "2027-03-01T00:00:00Z") == [
        "2025-02-28T18:00:00Z", "2026-02-28T18:00:00Z", "2027-02-28T18:00:00Z",
        "2028-02-29T18:00:00Z",
      ])
  }

  @Test("B06: a 30-day trial over the change to summer time, in both zones")
  func thirtyDays() throws {
    for (zone, end) in [
      ("UTC", "2017-04-01T07:30:00Z"), (CalendarZones.losAngelesName, "2017-04-01T06:30:00Z"),
    ] {
      var policies = Policies()
      policies.calendar = try CalendarZones.named(zone)
      _ = try ScenarioWorld.play(
        [
          ScenarioRow(
            "2017-03-02T07:30:00Z", .buy("trial30d"),
            "2017-03-02T07:30:00Z purchased T1 trial30d 0 freeTrial P30D until \(end);"
              + " SUBSCRIBED/INITIAL_BUY; 1")
        ], policies: policies)
    }
  }

  @Test("B10: access ends with the last millisecond before the end")
  func lastMillisecond() throws {
    var world = try ScenarioWorld()
    try world.makeClock(Clock.defaultName, at: .at("2025-06-23T05:00:00Z"))
    try world.perform(.buy("monthly"))
    try world.perform(.off())
    #expect(try world.status(at: "2025-07-23T04:59:59.999Z").entitles)
    #expect(try !world.status(at: "2025-07-23T05:00:00.000Z").entitles)
  }

  @Test("B11: times are whole milliseconds since the epoch, UTC")
  func epochMilliseconds() throws {
    var world = try ScenarioWorld()
    try world.makeClock(Clock.defaultName, at: .at("2021-04-09T12:00:00Z"))
    try world.perform(.buy("monthly"))
    #expect(world.newest().transaction.purchaseDate.milliseconds == 1_617_969_600_000)
    #expect(world.newest().transaction.expiresDate.milliseconds == 1_620_561_600_000)
  }

  @Test("B21: a test clock moves its own accounts and nobody else's")
  func twoClocks() throws {
    var world = try ScenarioWorld()
    try world.makeClock("A", at: .at("2025-01-01T00:00:00Z"))
    try world.makeClock("B", at: .at("2025-01-01T00:00:00Z"))
    for (account, clock) in [("u1", "A"), ("u2", "B")] {
      let key = Array(account.utf8)
      try world.ask(
        .purchase(PurchaseCommand(account: key, productID: "monthly", clock: clock)), as: key)
    }
    try world.advance("A", to: .at("2026-01-01T00:00:00Z"))
    #expect(world.transactions(of: "u1").count == 13)
    #expect(world.transactions(of: "u2").count == 1)
    #expect(world.state.clocks.map(\.accounts) == [0, 1, 1])
  }

  @Test("B22: an account moves to another clock at any time, and the move is in its history")
  func moves() throws {
    var world = try ScenarioWorld()
    try world.makeClock("here", at: .at("2025-01-01T00:00:00Z"))
    try world.makeClock("A", at: .at("2025-01-01T00:00:00Z"))
    try world.ask(
      .purchase(PurchaseCommand(account: [7], productID: "monthly", clock: "here")), as: [7])
    let clock = try #require(world.state.clock(named: "A"))
    #expect(try world.ask(.attach(account: [7], clock), as: [7]).count == 1)
    #expect(try world.ask(.attach(account: [7], clock), as: [7]).isEmpty)
    try world.advance("A", to: .at("2025-02-01T00:00:00Z"))
    let account = world.account([7])
    #expect(world.history(of: account).entries.count == 2)
    let kinds = world.log.filter { $0.fact.account == account }.map(\.fact.kind)
    #expect(
      kinds == [
        .account(.accountOpened), .line(.purchased), .account(.clockAttached), .line(.renewed),
      ])
    // Its old clock does not concern it any more.
    try world.advance("here", to: .at("2026-01-01T00:00:00Z"))
    #expect(world.history(of: account).entries.count == 2)
    #expect(throws: Rejection.clockBehind) {
      try world.makeClock("past", at: .at("2024-01-01T00:00:00Z"))
      try world.ask(.attach(account: [7], world.state.clock(named: "past")!), as: [7])
    }
  }

  @Test("B23: ten years of weeks in one advance are 521 renewals in order; again, it is nothing")
  func tenYearsOfWeeks() throws {
    var world = try ScenarioWorld()
    try world.makeClock(Clock.defaultName, at: .at("2025-01-01T00:00:00Z"))
    try world.perform(.buy("weekly"))
    let start = world.log.count
    try world.advance(to: .at("2035-01-01T00:00:00Z"))
    let renewals = world.log[start...].filter { $0.fact.kind == .line(.renewed) }
    #expect(renewals.count == 521)
    let week = 7 * Instant.millisecondsPerDay
    for (index, event) in renewals.enumerated() {
      #expect(
        event.at
          == (try Instant.at("2025-01-01T00:00:00Z")).advanced(
            byMilliseconds: week * Int64(index + 1)))
    }
    let end = world.log.count
    try world.advance(to: .at("2035-01-01T00:00:00Z"))
    #expect(world.log.count == end)
  }

  @Test("B25: a thousand forced renewals are a thousand DID_RENEW, each time the same")
  func thousandForced() throws {
    func run() throws -> [Event] {
      var world = try ScenarioWorld()
      try world.makeClock(Clock.defaultName, at: .at("2025-01-01T00:00:00Z"))
      try world.perform(.buy("monthly"))
      for _ in 0..<1000 { try world.perform(.renew()) }
      return world.log.filter { $0.fact.kind == .line(.renewed) }
    }
    let first = try run()
    #expect(first.count == 1000)
    var last: UInt64 = Limits.firstTransactionID
    for event in first {
      guard case .line(_, let fact) = event.fact else { continue }
      #expect(fact.notification == .didRenew)
      #expect(fact.transaction!.id == last + 1)
      last = fact.transaction!.id
    }
    #expect(last == Limits.firstTransactionID + 1000)
    for _ in 0..<3 { #expect(try run() == first) }
  }

  @Test("B26: cancelled, it expires at exactly its end, by its own choice")
  func expiresAtItsEnd() throws {
    _ = try ScenarioWorld.play([
      ScenarioRow(
        "2025-05-31T08:15:00Z", .buy("monthly"),
        "2025-05-31T08:15:00Z purchased T1 monthly 9990 until 2025-06-30T08:15:00Z;"
          + " SUBSCRIBED/INITIAL_BUY; 1"),
      ScenarioRow(
        "2025-05-31T08:15:00Z", .off(),
        "2025-05-31T08:15:00Z autoRenewChanged off;"
          + " DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_DISABLED; 1"),
      ScenarioRow(
        "2026-01-01T00:00:00Z", .wait,
        "2025-06-30T08:15:00Z expired intent 1; EXPIRED/VOLUNTARY; 2"),
    ])
  }

  @Test("B42 without its upgrade: the refunded year does not outlive the month bought after it")
  func supersededYear() throws {
    let world = try ScenarioWorld.play([
      ScenarioRow(
        "2021-09-30T00:00:00Z", .buy("gold.y"),
        "2021-09-30T00:00:00Z purchased T1 gold.y 99990 until 2022-09-30T00:00:00Z;"
          + " SUBSCRIBED/INITIAL_BUY; 1"),
      ScenarioRow(
        "2021-09-30T00:00:00Z", .refund(1, percentage: 99),
        "2021-09-30T00:00:00Z refunded T1 gold.y 99990 refundProrated 99000 reason 0 until"
          + " 2022-09-30T00:00:00Z; REFUND; 5"),
      ScenarioRow(
        "2021-09-30T00:00:00Z", .buy("gold.m"),
        "2021-09-30T00:00:00Z purchased T2 gold.m 9990 until 2021-10-30T00:00:00Z;"
          + " SUBSCRIBED/RESUBSCRIBE; 1"),
      ScenarioRow(
        "2021-09-30T00:00:00Z", .off(),
        "2021-09-30T00:00:00Z autoRenewChanged off;"
          + " DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_DISABLED; 1"),
      ScenarioRow(
        "2021-11-01T00:00:00Z", .wait,
        "2021-10-30T00:00:00Z expired intent 1; EXPIRED/VOLUNTARY; 2"),
    ])
    #expect(try world.status(at: "2021-10-29T00:00:00Z") == .active)
    #expect(try world.status(at: "2021-11-01T00:00:00Z") == .expired)
  }

  @Test("A purchase dated back renews up to now; told to cancel, it is one period")
  func datedBack() throws {
    _ = try ScenarioWorld.play([
      ScenarioRow("2025-04-15T00:00:00Z", .wait),
      ScenarioRow(
        "2025-04-15T00:00:00Z", .buyDated("monthly", at: "2025-01-31T00:00:00Z"),
        "2025-01-31T00:00:00Z purchased T1 monthly 9990 until 2025-02-28T00:00:00Z;"
          + " SUBSCRIBED/INITIAL_BUY; 1",
        "2025-02-28T00:00:00Z renewed T2 monthly 9990 until 2025-03-31T00:00:00Z; DID_RENEW; 1",
        "2025-03-31T00:00:00Z renewed T3 monthly 9990 until 2025-04-30T00:00:00Z; DID_RENEW; 1"),
      ScenarioRow(
        "2025-04-15T00:00:00Z",
        .buyDated("monthly", at: "2025-01-31T00:00:00Z", .cancelImmediately, account: "u2"),
        "2025-01-31T00:00:00Z purchased T4 monthly 9990 until 2025-02-28T00:00:00Z;"
          + " SUBSCRIBED/INITIAL_BUY; 1",
        "2025-01-31T00:00:00Z autoRenewChanged off;"
          + " DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_DISABLED; 1",
        "2025-02-28T00:00:00Z expired intent 1; EXPIRED/VOLUNTARY; 2"),
    ])
  }

  @Test("A purchase dated in the future, or before what the account already did, is refused")
  func senselessDates() throws {
    var world = try ScenarioWorld()
    try world.makeClock(Clock.defaultName, at: .at("2025-04-15T00:00:00Z"))
    try world.perform(.buy("coins"))
    for date in [
      "2025-04-15T00:00:00.001Z", "2025-04-14T23:59:59.999Z", "1999-12-31T23:59:59.999Z",
    ] {
      #expect {
        try world.perform(.buyDated("monthly", at: date))
      } throws: { error in
        guard case .invalidTime? = error as? Rejection else { return false }
        return true
      }
    }
  }
}
