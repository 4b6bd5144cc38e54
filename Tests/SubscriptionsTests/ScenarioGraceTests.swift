import Subscriptions
import Testing

/// How long grace and retry last, and for whom; the second line; what refunds do in trouble.
@Suite("Lengths of grace and retry, and what else happens in trouble")
struct ScenarioGraceTests {
  @Test("Case 17: with grace for paid renewals only, a trial that ends unpaid has none")
  func paidToPaid() throws {
    let trial = [
      ScenarioRow(
        ScenarioTests.t0, .buy("trial.m"),
        "2025-01-10T12:00:00Z purchased T1 trial.m 0 freeTrial P1W until 2025-01-17T12:00:00Z;"
          + " SUBSCRIBED/INITIAL_BUY; 1"),
      ScenarioRow("2025-01-15T00:00:00Z", .fail(), "2025-01-15T00:00:00Z billing fails"),
    ]
    _ = try ScenarioWorld.play(
      trial + [
        ScenarioRow(
          "2025-01-17T12:00:00Z", .wait,
          "2025-01-17T12:00:00Z renewalFailed intent 2; DID_FAIL_TO_RENEW; 3"),
        ScenarioRow(
          "2025-04-01T00:00:00Z", .wait,
          "2025-03-18T12:00:00Z expired intent 2; EXPIRED/BILLING_RETRY; 2"),
      ], policies: ScenarioBillingTests.grace(16, .paidToPaid))
    // With grace for all renewals it has one.
    _ = try ScenarioWorld.play(
      trial + [
        ScenarioRow(
          "2025-01-17T12:00:00Z", .wait,
          "2025-01-17T12:00:00Z renewalFailed grace until 2025-02-02T12:00:00Z intent 2;"
            + " DID_FAIL_TO_RENEW/GRACE_PERIOD; 4")
      ], policies: ScenarioBillingTests.grace(16, .allRenewals))
    // After a period that was paid, at an offer's price too, there is one in either case.
    for product in ["silver.m", "payg.m", "upfront.m"] {
      var world = try ScenarioWorld(policies: ScenarioBillingTests.grace(16, .paidToPaid))
      try world.makeClock(Clock.defaultName, at: .at(ScenarioTests.t0))
      try world.perform(.buy(product))
      try world.perform(.fail())
      try world.advance(to: world.newest().transaction.expiresDate)
      #expect(world.newest().renewal.gracePeriodExpiresDate != .never, "\(product)")
    }
  }

  @Test(
    "E9 after a trial: paid within grace, months are counted from the trial's end",
    arguments: GraceRecoveryDate.allCases)
  func trialRecovered(date: GraceRecoveryDate) throws {
    var policies = ScenarioBillingTests.grace(16)
    policies.graceRecoveryDate = date
    var world = try ScenarioWorld(policies: policies)
    try world.makeClock(Clock.defaultName, at: .at("2025-01-24T12:00:00Z"))
    try world.perform(.buy("trial.m"))
    try world.perform(.fail())
    try world.advance(to: .at("2025-02-05T00:00:00Z"))
    try world.perform(.resolve())
    try world.advance(to: .at("2025-04-01T00:00:00Z"))
    #expect(
      world.transactions().map(\.expiresDate.rfc3339) == [
        "2025-01-31T12:00:00Z", "2025-02-28T12:00:00Z", "2025-03-31T12:00:00Z",
        "2025-04-30T12:00:00Z",
      ])
  }

  @Test(
    "Case 19: a week's grace is six days at most; others have what is set; retry ends at sixty",
    arguments: [
      ("weekly", 0, 0), ("weekly", 3, 3), ("weekly", 16, 6), ("weekly", 28, 6),
      ("monthly", 0, 0), ("monthly", 3, 3), ("monthly", 16, 16), ("monthly", 28, 28),
      ("gold.y", 28, 28),
    ] as [(String, Int64, Int64)])
  func lengths(product: String, set: Int64, lasts: Int64) throws {
    var world = try ScenarioWorld(policies: ScenarioBillingTests.grace(set))
    try world.makeClock(Clock.defaultName, at: .at("2025-01-10T12:00:00Z"))
    try world.perform(.buy(product))
    try world.perform(.fail())
    let end = world.newest().transaction.expiresDate
    try world.advance(to: end)
    #expect(
      world.newest().renewal.gracePeriodExpiresDate
        == (lasts == 0 ? .never : end.advanced(byDays: lasts)))
    let last = end.advanced(byDays: 60)
    try world.advance(to: last.advanced(byMilliseconds: -1))
    #expect(world.newest().status(at: last.advanced(byMilliseconds: -1)) == .billingRetry)
    try world.advance(to: last)
    #expect(world.newest().status(at: last) == .expired)
    #expect(world.newest().renewal.expirationIntent == .billingError)
    #expect(world.log.filter { $0.fact.kind == .line(.graceEnded) }.count == (lasts == 0 ? 0 : 1))
  }

  @Test("Case 20: grace is as long as was set when the renewal failed")
  func fixedAtFailure() throws {
    var world = try ScenarioWorld.play(
      ScenarioBillingTests.inGrace, policies: ScenarioBillingTests.grace(16))
    world.policies.graceDays = 3
    #expect(try world.play(ScenarioRow("2025-02-26T11:59:59.999Z", .wait)).isEmpty)
    #expect(
      try world.play(ScenarioBillingTests.graceOver) == ScenarioBillingTests.graceOver.expected)
    // The next failure has the new length.
    try world.perform(.resolve())
    try world.perform(.fail())
    try world.advance(to: .at("2025-03-26T12:00:00Z"))
    let grace = world.newest().renewal.gracePeriodExpiresDate
    #expect(grace.rfc3339 == "2025-03-29T12:00:00Z")
  }

  @Test("Case 22: in Los Angeles grace ends at the same local time, across the change of clocks")
  func losAngeles() throws {
    var policies = ScenarioBillingTests.grace(16)
    policies.calendar = try CalendarZones.losAngeles()
    _ = try ScenarioWorld.play(
      [
        ScenarioRow(
          "2022-10-25T09:15:38Z", .buy("trial.w"),
          "2022-10-25T09:15:38Z purchased T1 trial.w 0 freeTrial P1W until"
            + " 2022-11-01T09:15:38Z; SUBSCRIBED/INITIAL_BUY; 1"),
        ScenarioRow("2022-10-26T00:00:00Z", .fail(), "2022-10-26T00:00:00Z billing fails"),
        ScenarioRow(
          "2022-11-08T00:00:00Z", .wait,
          "2022-11-01T09:15:38Z renewalFailed grace until 2022-11-07T10:15:38Z intent 2;"
            + " DID_FAIL_TO_RENEW/GRACE_PERIOD; 4",
          "2022-11-07T10:15:38Z graceEnded intent 2; GRACE_PERIOD_EXPIRED; 3"),
      ], policies: policies)
  }

  /// Case 23 up to the second line.
  static let secondLine =
    ScenarioBillingTests.inRetry + [
      ScenarioRow("2025-02-14T13:00:00Z", .succeed(), "2025-02-14T13:00:00Z billing succeeds"),
      ScenarioRow(
        "2025-02-15T00:00:00Z", .buy("gold.m"),
        "2025-02-15T00:00:00Z purchased T2 gold.m 9990 until 2025-03-15T00:00:00Z;"
          + " SUBSCRIBED/INITIAL_BUY; 1"),
    ]

  /// What keeps the first line from being paid by itself.
  static let failsAgain = ScenarioRow(
    "2025-02-15T00:00:00Z", .fail(), "2025-02-15T00:00:00Z billing fails")

  @Test("Case 23: another product bought in retry is a second line; each lives and ends alone")
  func twoLines() throws {
    let world = try ScenarioWorld.play(
      Self.secondLine + [
        Self.failsAgain,
        ScenarioRow(
          "2025-02-20T00:00:00Z", .resolve(line: 0),
          "2025-02-20T00:00:00Z billing succeeds",
          "2025-02-20T00:00:00Z recovered T3 silver.m 4990 until 2025-03-20T00:00:00Z;"
            + " DID_RENEW/BILLING_RECOVERY; 1"),
        ScenarioRow(
          "2025-02-21T00:00:00Z", .refund(3),
          "2025-02-21T00:00:00Z refunded T3 silver.m 4990 refundFull 100000 reason 0 until"
            + " 2025-03-20T00:00:00Z; REFUND; 5"),
        ScenarioRow(
          "2025-03-15T00:00:00Z", .wait,
          "2025-03-15T00:00:00Z renewed T4 gold.m 9990 until 2025-04-15T00:00:00Z;"
            + " DID_RENEW; 1"),
      ])
    let lines = world.lineNumbers().map { world.state.lines[Int($0)] }
    try #require(lines.count == 2)
    #expect(lines[0].transaction.originalID != lines[1].transaction.originalID)
    #expect(lines[1].originalPurchaseDate.rfc3339 == "2025-02-15T00:00:00Z")
    let now = try Instant.at("2025-03-15T00:00:00Z")
    #expect(lines.map { $0.status(at: now) } == [.revoked, .active])
    #expect(world.state.members == 1)
  }

  @Test("Case 23: the first line's retry ends by itself, and leaves the second alone")
  func firstLineEnds() throws {
    let world = try ScenarioWorld.play(
      Self.secondLine + [
        Self.failsAgain,
        ScenarioRow(
          "2025-03-14T13:00:00Z", .succeed(), "2025-03-14T13:00:00Z billing succeeds"),
        ScenarioRow(
          "2025-03-15T06:00:00Z", .fail(),
          "2025-03-15T00:00:00Z renewed T3 gold.m 9990 until 2025-04-15T00:00:00Z; DID_RENEW; 1",
          "2025-03-15T06:00:00Z billing fails"),
        ScenarioRow(
          "2025-04-12T00:00:00Z", .wait,
          "2025-04-11T12:00:00Z expired intent 2; EXPIRED/BILLING_RETRY; 2"),
      ])
    #expect(try world.status(at: "2025-04-12T00:00:00Z") == .active)
    #expect(world.state.members == 1)
  }

  @Test("Case 23: while charges fail, and of the product that waits for them, nothing is sold")
  func notTwice() throws {
    var world = try ScenarioWorld.play(ScenarioBillingTests.inRetry)
    func refuses(_ product: String) throws {
      #expect {
        try world.perform(.buy(product))
      } throws: { error in
        guard case .notPossible(status: .billingRetry, _)? = error as? Rejection else {
          return false
        }
        return true
      }
    }
    try refuses("silver.m")
    try refuses("gold.m")
    try world.perform(.succeed())
    try refuses("silver.m")
    try world.perform(.buy("gold.m"))
    #expect(world.state.lines.count == 2)
  }

  @Test(
    "Bought again by the customer of two lines, it is the living one that changes",
    arguments: [("gold.m", Rejection.alreadySubscribed as Rejection?), ("silver.m", nil)])
  func secondLineChanges(product: String, refusal: Rejection?) throws {
    var world = try ScenarioWorld.play(Self.secondLine)
    var refused: Rejection?
    do throws(Rejection) { try world.perform(.buy(product)) } catch { refused = error }
    #expect(refused == refusal)
    #expect(world.state.lines.count == 2)
    let next = world.state.products[Int(world.newest().renewal.autoRenewProduct)].entry.id
    #expect(next == product)
  }

  @Test("The second line over and the first one paid: a purchase changes the one that lives")
  func firstLineOutlives() throws {
    var world = try ScenarioWorld.play(Self.secondLine + [Self.failsAgain])
    try world.perform(.off())
    try world.advance(to: .at("2025-03-15T00:00:00Z"))
    try world.perform(.resolve(line: 0))
    let found = try world.play(ScenarioRow("2025-03-16T00:00:00Z", .buy("gold.m")))
    #expect(
      found == [
        "2025-03-16T00:00:00Z upgraded T4 gold.m 9990 until 2025-04-16T00:00:00Z;"
          + " DID_CHANGE_RENEWAL_PREF/UPGRADE; 1"
      ])
    let now = try Instant.at("2025-03-16T00:00:00Z")
    let statuses = world.lineNumbers().map { world.state.lines[Int($0)].status(at: now) }
    #expect(statuses == [.active, .expired])
  }

  @Test("E20: a refund in grace is reversed after the period's end: the line is expired")
  func refundedInGrace() throws {
    let world = try ScenarioWorld.play(
      ScenarioBillingTests.inGrace + [
        ScenarioRow(
          "2025-02-15T00:00:00Z", .refund(1),
          "2025-02-15T00:00:00Z refunded T1 silver.m 4990 refundFull 100000 reason 0 until"
            + " 2025-02-10T12:00:00Z; REFUND; 5"),
        ScenarioRow("2025-02-28T00:00:00Z", .wait),
        ScenarioRow(
          "2025-03-01T00:00:00Z", .reverse(1),
          "2025-03-01T00:00:00Z refundReversed T1 silver.m 4990 until 2025-02-10T12:00:00Z"
            + " intent 2; REFUND_REVERSED; 2"),
        ScenarioRow("2026-01-01T00:00:00Z", .wait),
      ], policies: ScenarioBillingTests.grace(16))
    let line = world.newest()
    #expect(line.deadline == nil)
    #expect(!line.renewal.autoRenews && !line.renewal.isInBillingRetry)
    #expect(line.renewal.gracePeriodExpiresDate == .never)
  }

  @Test(
    "1.6: recoveries keep the chain of service, up to the last moment of retry",
    arguments: [
      "2025-02-20T00:00:00Z", "2025-02-26T12:00:00Z", "2025-03-15T08:00:00Z",
      "2025-04-11T11:59:59.999Z",
    ])
  func chainOverRecovery(paid: String) throws {
    var world = try ScenarioWorld.play(
      ScenarioBillingTests.inGrace, policies: ScenarioBillingTests.grace(16))
    try world.advance(to: .at(paid))
    try world.perform(.resolve())
    #expect(
      world.newest().renewal.recentSubscriptionStartDate.rfc3339 == "2025-01-10T12:00:00Z")
    try world.advance(to: .at("2025-09-01T00:00:00Z"))
    #expect(
      world.newest().renewal.recentSubscriptionStartDate.rfc3339 == "2025-01-10T12:00:00Z")
  }

  @Test(
    "1.6: grace and retry count as a gap when it is bought again after them",
    arguments: [
      ("2025-04-11T12:00:00Z", "2025-01-10T12:00:00Z"),
      ("2025-04-11T12:00:00.001Z", "2025-04-11T12:00:00.001Z"),
    ])
  func chainOverExhaustion(back: String, start: String) throws {
    var world = try ScenarioWorld.play(
      ScenarioBillingTests.inGrace, policies: ScenarioBillingTests.grace(16))
    try world.advance(to: .at(back))
    try world.perform(.succeed())
    try world.perform(.buy("silver.m"))
    #expect(world.state.lines.count == 1)
    #expect(world.newest().renewal.recentSubscriptionStartDate.rfc3339 == start)
  }
}
