import Subscriptions
import Testing

/// Renewals ahead of time, late ones, and how many there are: Domain.md 2.4, 2.5 and 9.2.6, cases
/// 2, 3, 6 and 21 of Domain.md 8.
@Suite("When renewals happen")
struct ScenarioTermsTests {
  private static let hour: Int64 = 3_600_000

  private static func policies(
    grace: Int64 = 0, _ change: (inout RenewalTerms) -> Void
  ) -> Policies {
    var policies = Policies()
    policies.graceDays = grace
    change(&policies.terms)
    return policies
  }

  private static let bought = ScenarioRow(
    ScenarioTests.t0, .buy("silver.m"),
    "2025-01-10T12:00:00Z purchased T1 silver.m 4990 until 2025-02-10T12:00:00Z;"
      + " SUBSCRIBED/INITIAL_BUY; 1")

  @Test("Cases 2 and 3: with a lead of ten hours the renewal is signed before its period begins")
  func lead() throws {
    let world = try ScenarioWorld.play(
      [
        Self.bought, ScenarioRow("2025-02-10T01:59:59.999Z", .wait),
        ScenarioRow(
          "2025-02-10T03:00:00Z", .wait,
          "2025-02-10T02:00:00Z renewed T2 silver.m 4990 until 2025-03-10T12:00:00Z;"
            + " DID_RENEW; 1"),
      ], policies: Self.policies { $0.lead = 10 * Self.hour })
    let line = world.newest()
    #expect(try line.transaction.purchaseDate == .at("2025-02-10T12:00:00Z"))
    #expect(try line.transaction.signedDate == .at("2025-02-10T02:00:00Z"))
    #expect(try line.renewal.signedDate == .at("2025-02-10T02:00:00Z"))
    // The purchase is in the future, and the line is active; the period that runs is the first.
    for time in ["2025-02-10T03:00:00Z", "2025-02-10T12:00:00Z", "2025-03-10T11:59:59.999Z"] {
      #expect(try world.status(at: time) == .active)
    }
    func current(at time: String) throws -> UInt64? {
      try world.history(of: 0).current(of: 0, at: .at(time))?.id
    }
    let ids = world.transactions().map(\.id)
    #expect(try current(at: "2025-02-10T03:00:00Z") == ids[0])
    #expect(try current(at: "2025-02-10T11:59:59.999Z") == ids[0])
    #expect(try current(at: "2025-02-10T12:00:00Z") == ids[1])
    #expect(try current(at: "2025-01-10T11:59:59.999Z") == nil)
    #expect(try current(at: "2025-03-10T12:00:00Z") == nil)
  }

  @Test("Month ends are counted from the anchor with a lead too, and forecasts agree")
  func leadCalendar() throws {
    var world = try ScenarioWorld(policies: Self.policies { $0.lead = 24 * Self.hour })
    try world.makeClock(Clock.defaultName, at: .at("2025-01-31T18:00:00Z"))
    try world.perform(.buy("monthly"))
    let target = try Instant.at("2025-07-01T00:00:00Z")
    let forecast = try world.state.forecast(
      account: 0, until: target, policies: world.policies)
    try world.advance(to: target)
    #expect(
      world.transactions().map(\.expiresDate.rfc3339) == [
        "2025-02-28T18:00:00Z", "2025-03-31T18:00:00Z", "2025-04-30T18:00:00Z",
        "2025-05-31T18:00:00Z", "2025-06-30T18:00:00Z", "2025-07-31T18:00:00Z",
      ])
    #expect(forecast.lines[0].line == world.newest())
    #expect(
      forecast.events.map(\.at.rfc3339) == [
        "2025-02-27T18:00:00Z", "2025-03-30T18:00:00Z", "2025-04-29T18:00:00Z",
        "2025-05-30T18:00:00Z", "2025-06-29T18:00:00Z",
      ])
  }

  @Test("Case 21: a charge ahead of time fails, the next one succeeds before the end: recovery")
  func aheadAndRecovered() throws {
    let world = try ScenarioWorld.play(
      [
        Self.bought,
        ScenarioRow("2025-02-01T00:00:00Z", .fail(), "2025-02-01T00:00:00Z billing fails"),
        ScenarioRow(
          "2025-02-10T05:00:00Z", .resolve(), "2025-02-10T02:00:00Z chargeFailed; -; 1",
          "2025-02-10T05:00:00Z billing succeeds",
          "2025-02-10T05:00:00Z recovered T2 silver.m 4990 until 2025-03-10T12:00:00Z;"
            + " DID_RENEW/BILLING_RECOVERY; 1"),
        ScenarioRow(
          "2025-03-11T00:00:00Z", .wait,
          "2025-03-10T02:00:00Z renewed T3 silver.m 4990 until 2025-04-10T12:00:00Z;"
            + " DID_RENEW; 1"),
      ], policies: Self.policies(grace: 16) { $0.lead = 10 * Self.hour })
    #expect(try world.transactions()[1].purchaseDate == .at("2025-02-10T12:00:00Z"))
    #expect(world.newest().renewal.expirationIntent == nil)
  }

  @Test("A charge ahead of time that fails is tried again at the end, and fails or succeeds then")
  func aheadAndAgain() throws {
    let start = [
      Self.bought,
      ScenarioRow("2025-02-01T00:00:00Z", .fail(), "2025-02-01T00:00:00Z billing fails"),
    ]
    let policies = Self.policies(grace: 16) { $0.lead = 10 * Self.hour }
    // The subscription stays active until its end, then grace begins (Domain.md 1.5).
    var world = try ScenarioWorld.play(
      start + [
        ScenarioRow(
          "2025-02-10T11:59:59.999Z", .wait, "2025-02-10T02:00:00Z chargeFailed; -; 1"),
        ScenarioRow(
          "2025-02-10T12:00:00Z", .wait,
          "2025-02-10T12:00:00Z renewalFailed grace until 2025-02-26T12:00:00Z intent 2;"
            + " DID_FAIL_TO_RENEW/GRACE_PERIOD; 4"),
        ScenarioRow(
          "2025-02-20T09:00:00Z", .resolve(), "2025-02-20T09:00:00Z billing succeeds",
          "2025-02-20T09:00:00Z recovered T2 silver.m 4990 until 2025-03-10T12:00:00Z;"
            + " DID_RENEW/BILLING_RECOVERY; 1"),
      ], policies: policies)
    // Paid within grace the cycle stays, and the next charge is ahead of time again.
    try world.advance(to: .at("2025-03-10T02:00:00Z"))
    #expect(try world.newest().transaction.expiresDate == .at("2025-04-10T12:00:00Z"))
    // Where the account can pay again by the end, the second try succeeds.
    _ = try ScenarioWorld.play(
      start + [
        ScenarioRow(
          "2025-02-10T06:00:00Z", .succeed(), "2025-02-10T02:00:00Z chargeFailed; -; 1",
          "2025-02-10T06:00:00Z billing succeeds"),
        ScenarioRow(
          "2025-02-11T00:00:00Z", .wait,
          "2025-02-10T12:00:00Z recovered T2 silver.m 4990 until 2025-03-10T12:00:00Z;"
            + " DID_RENEW/BILLING_RECOVERY; 1"),
      ], policies: policies)
  }

  @Test("Renewal off in the time ahead ends the line at its end; on again it is charged at once")
  func leadAndOff() throws {
    _ = try ScenarioWorld.play(
      [
        Self.bought,
        ScenarioRow(
          "2025-02-09T00:00:00Z", .off(),
          "2025-02-09T00:00:00Z autoRenewChanged off; DID_CHANGE_RENEWAL_STATUS"
            + "/AUTO_RENEW_DISABLED; 1"),
        ScenarioRow(
          "2025-02-10T08:00:00Z", .on(),
          "2025-02-10T08:00:00Z autoRenewChanged on; DID_CHANGE_RENEWAL_STATUS"
            + "/AUTO_RENEW_ENABLED; 1",
          "2025-02-10T08:00:00Z renewed T2 silver.m 4990 until 2025-03-10T12:00:00Z;"
            + " DID_RENEW; 1"),
        ScenarioRow(
          "2025-02-10T09:00:00Z", .off(),
          "2025-02-10T09:00:00Z autoRenewChanged off; DID_CHANGE_RENEWAL_STATUS"
            + "/AUTO_RENEW_DISABLED; 1"),
        ScenarioRow(
          "2025-04-01T00:00:00Z", .wait,
          "2025-03-10T12:00:00Z expired intent 1; EXPIRED/VOLUNTARY; 2"),
      ], policies: Self.policies { $0.lead = 10 * Self.hour })
  }

  @Test("A period that is paid ahead is not cut short before it begins")
  func leadAndForce() throws {
    var world = try ScenarioWorld(policies: Self.policies { $0.lead = 10 * Self.hour })
    try world.makeClock(Clock.defaultName, at: .at(ScenarioTests.t0))
    try world.perform(.buy("silver.m"))
    try world.advance(to: .at("2025-02-10T03:00:00Z"))
    for command in [ScenarioCommand.renew(), .expire()] {
      #expect(
        throws: Rejection.notPossible(
          status: .active,
          reason: "its next period is paid already and begins at 2025-02-10T12:00:00Z")
      ) { try world.perform(command) }
    }
    try world.advance(to: .at("2025-02-10T12:00:00Z"))
    try world.perform(.renew())
    #expect(try world.newest().transaction.expiresDate == .at("2025-03-10T12:00:00Z"))
  }

  @Test("A lead longer than the period charges one period ahead, and no more")
  func leadLongerThanPeriod() throws {
    var policies = Self.policies { $0.lead = 24 * Self.hour }
    policies.renewalRate = .oneRenewalEveryMinute
    var world = try ScenarioWorld(policies: policies)
    let start = try Instant.at("2025-01-31T10:00:00Z")
    try world.makeClock(Clock.defaultName, at: start)
    try world.perform(.buy("monthly"))
    try world.advance(to: start.advanced(byMilliseconds: 150_000))
    let ends = world.transactions().map { $0.expiresDate.milliseconds - start.milliseconds }
    #expect(ends == [60_000, 120_000, 180_000, 240_000])
  }

  @Test("Case 6: dealt with late, a renewal begins when it is; meanwhile the line is pending")
  func lag() throws {
    var world = try ScenarioWorld(
      policies: Self.policies {
        $0.lag = 120_000
        $0.expiryLeeway = 60_000
      })
    try world.makeClock(Clock.defaultName, at: .at(ScenarioTests.t0))
    try world.perform(.buy("silver.m"))
    try world.advance(to: .at("2025-02-10T12:01:59Z"))
    let (line, terms) = (world.newest(), world.policies.terms)
    func check(_ text: String, _ status: Status, pending: Bool, entitled: Bool) throws {
      let time = try Instant.at(text)
      #expect(line.status(at: time) == status, "\(text)")
      #expect(line.isPending(at: time, terms) == pending, "\(text)")
      #expect(line.entitles(at: time, terms) == entitled, "\(text)")
    }
    try check("2025-02-10T11:59:59.999Z", .active, pending: false, entitled: true)
    try check("2025-02-10T12:00:00Z", .expired, pending: true, entitled: true)
    try check("2025-02-10T12:00:59.999Z", .expired, pending: true, entitled: true)
    try check("2025-02-10T12:01:00Z", .expired, pending: true, entitled: false)
    #expect(line.renewal.autoRenews && !line.renewal.isInBillingRetry)
    #expect(line.renewal.expirationIntent == nil)
    let at = try Instant.at("2025-02-10T12:00:30Z")
    #expect(try line.accessEnd(at: at, terms) == .at("2025-02-10T12:01:00Z"))
    try world.advance(to: .at("2025-03-11T00:00:00Z"))
    // The next period ends a month after the late renewal, and that one is late again.
    #expect(
      world.transactions().map { "\($0.purchaseDate.rfc3339) \($0.expiresDate.rfc3339)" } == [
        "2025-01-10T12:00:00Z 2025-02-10T12:00:00Z",
        "2025-02-10T12:02:00Z 2025-03-10T12:02:00Z",
        "2025-03-10T12:04:00Z 2025-04-10T12:04:00Z",
      ])
    #expect(world.newest().renewal.recentSubscriptionStartDate == line.originalPurchaseDate)
  }

  @Test("A late renewal that fails has what is left of its grace; a purchase may come before it")
  func lagAndTrouble() throws {
    let policies = Self.policies(grace: 3) { $0.lag = 24 * Self.hour }
    _ = try ScenarioWorld.play(
      [
        Self.bought,
        ScenarioRow("2025-02-01T00:00:00Z", .fail(), "2025-02-01T00:00:00Z billing fails"),
        ScenarioRow(
          "2025-02-12T00:00:00Z", .wait,
          "2025-02-11T12:00:00Z renewalFailed grace until 2025-02-13T12:00:00Z intent 2;"
            + " DID_FAIL_TO_RENEW/GRACE_PERIOD; 4"),
      ], policies: policies)
    _ = try ScenarioWorld.play(
      [
        Self.bought,
        ScenarioRow(
          "2025-02-10T18:00:00Z", .off(),
          "refused: notPossible(status: Optional(Subscriptions.Status.expired), reason:"
            + " \"the subscription is expired; buying it again starts it anew\")"),
        ScenarioRow(
          "2025-02-10T18:00:00Z", .buy("silver.m"),
          "2025-02-10T18:00:00Z purchased T2 silver.m 4990 until 2025-03-10T18:00:00Z;"
            + " SUBSCRIBED/RESUBSCRIBE; 1"),
        ScenarioRow("2025-03-10T18:00:00Z", .wait),
      ], policies: policies)
    // At a fast rate grace and retry are over before the charge is tried.
    var fast = policies
    fast.renewalRate = .oneRenewalEveryTwoSeconds
    var world = try ScenarioWorld(policies: fast)
    try world.makeClock(Clock.defaultName, at: .at(ScenarioTests.t0))
    try world.perform(.buy("silver.m"))
    try world.perform(.fail())
    try world.advance(to: .at("2025-01-12T12:00:02Z"))
    #expect(
      world.log.suffix(3).compactMap(world.text) == [
        "2025-01-11T12:00:02Z renewalFailed intent 2; DID_FAIL_TO_RENEW; 3",
        "2025-01-11T12:00:02Z expired intent 2; EXPIRED/BILLING_RETRY; 2",
      ])
  }

  @Test(
    "2.5 and 9.2.6: the sandbox renews twelve times, TestFlight six, then it is over",
    arguments: [
      (RenewalRate.monthlyRenewalEveryFiveMinutes, Int32(12)), (.oneRenewalEveryDay, 6),
    ])
  func cap(rate: RenewalRate, count: Int32) throws {
    var policies = Self.policies { $0.renewalsMax = count }
    policies.renewalRate = rate
    var world = try ScenarioWorld(policies: policies)
    let start = try Instant.at("2025-02-01T12:00:00Z")
    try world.makeClock(Clock.defaultName, at: start)
    try world.perform(.buy("monthly"))
    let target = try Instant.at("2025-03-01T00:00:00Z")
    let forecast = try world.state.forecast(account: 0, until: target, policies: policies)
    try world.advance(to: target)
    let length = try #require(RateLengths(rate)).month
    let end = start.advanced(byMilliseconds: Int64(count + 1) * length)
    #expect(world.transactions().count == Int(count) + 1)
    #expect(world.newest().transaction.expiresDate == end)
    #expect(
      world.log.compactMap(world.text).last
        == "\(end.rfc3339) expired intent 1; EXPIRED/VOLUNTARY; 2")
    #expect(forecast.lines[0].line.renewal == world.newest().renewal)
    #expect(forecast.events.map(\.at) == world.log.suffix(Int(count) + 2).dropLast().map(\.at))
    // Bought again it renews as often once more.
    try world.perform(.buy("monthly"))
    try world.advance(to: .at("2025-06-01T00:00:00Z"))
    #expect(world.transactions().count == 2 * Int(count) + 2)
  }

  @Test("The terms in a snapshot: what a line counts is kept")
  func snapshots() throws {
    var world = try ScenarioWorld(policies: Self.policies { $0.lead = 10 * Self.hour })
    try world.makeClock(Clock.defaultName, at: .at(ScenarioTests.t0))
    try world.perform(.buy("silver.m"))
    try world.advance(to: .at("2025-03-01T00:00:00Z"))
    try world.perform(.fail())
    try world.advance(to: .at("2025-03-10T05:00:00Z"))
    #expect(world.newest().hasFailedCharge && world.newest().renewals == 1)
    var bytes: [UInt8] = []
    world.state.encodeSnapshot(into: &bytes)
    let restored = try #require(bytes.withUnsafeBytes { State(snapshot: $0) })
    #expect(restored.lines[0] == world.newest())
  }
}
