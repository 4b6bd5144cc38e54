import Subscriptions
import Testing

/// Billing trouble: Domain.md 8, 10 to 23, and 1.5, each as a table of time, command and events.
@Suite("Failed renewals, grace, retry and payment after all")
struct ScenarioBillingTests {
  static let fails = ScenarioRow(
    "2025-01-15T00:00:00Z", .fail(), "2025-01-15T00:00:00Z billing fails")
  /// Case 10: bought, and its first renewal fails into sixteen days of grace.
  static let inGrace = [
    ScenarioRow(ScenarioTests.t0, .buy("silver.m"), ScenarioTests.bought),
    fails,
    ScenarioRow(
      "2025-02-10T12:00:00Z", .wait,
      "2025-02-10T12:00:00Z renewalFailed grace until 2025-02-26T12:00:00Z intent 2;"
        + " DID_FAIL_TO_RENEW/GRACE_PERIOD; 4"),
  ]
  /// Case 12: the grace ends unpaid.
  static let graceOver = ScenarioRow(
    "2025-02-26T12:00:00Z", .wait,
    "2025-02-26T12:00:00Z graceEnded intent 2; GRACE_PERIOD_EXPIRED; 3")
  /// Case 16: without grace the retry begins at once.
  static let inRetry = [
    ScenarioRow(ScenarioTests.t0, .buy("silver.m"), ScenarioTests.bought),
    fails,
    ScenarioRow(
      "2025-02-10T12:00:00Z", .wait,
      "2025-02-10T12:00:00Z renewalFailed intent 2; DID_FAIL_TO_RENEW; 3"),
  ]

  static func grace(_ days: Int64, _ scope: GraceScope = .allRenewals) -> Policies {
    var policies = Policies()
    policies.graceDays = days
    policies.graceScope = scope
    return policies
  }

  @Test(
    "Cases 10, 12, 14, E7, E8, E11, B46: grace entitles, retry does not, after sixty days it ends")
  func unpaid() throws {
    var world = try ScenarioWorld.play(Self.inGrace, policies: Self.grace(16))
    var line = world.newest()
    #expect(line.transaction.expiresDate.rfc3339 == "2025-02-10T12:00:00Z")
    #expect(line.renewal.autoRenews && line.renewal.isInBillingRetry)
    #expect(line.renewal.gracePeriodExpiresDate.rfc3339 == "2025-02-26T12:00:00Z")
    for (time, status) in [
      ("2025-02-10T11:59:59.999Z", Status.active), ("2025-02-10T12:00:00Z", .gracePeriod),
      ("2025-02-26T11:59:59.999Z", .gracePeriod), ("2025-02-26T12:00:00Z", .billingRetry),
    ] {
      #expect(try world.status(at: time) == status, "at \(time)")
    }
    #expect(Status.gracePeriod.entitles)
    #expect(!Status.billingRetry.entitles)
    #expect(world.state.members == 1)

    #expect(try world.play(ScenarioRow("2025-02-26T11:59:59.999Z", .wait)).isEmpty)
    #expect(try world.play(Self.graceOver) == Self.graceOver.expected)
    line = world.newest()
    #expect(line.renewal.autoRenews && line.renewal.isInBillingRetry)
    #expect(line.renewal.expirationIntent == .billingError)
    #expect(world.state.members == 0)

    #expect(try world.play(ScenarioRow("2025-04-11T11:59:59.999Z", .wait)).isEmpty)
    #expect(
      try world.play(ScenarioRow("2025-04-11T12:00:00Z", .wait)) == [
        "2025-04-11T12:00:00Z expired intent 2; EXPIRED/BILLING_RETRY; 2"
      ])
    line = world.newest()
    #expect(!line.renewal.autoRenews && !line.renewal.isInBillingRetry)
    #expect(line.renewal.expirationIntent == .billingError)
    #expect(line.renewal.gracePeriodExpiresDate == .never)
    #expect(line.deadline == nil)
    #expect(try world.play(ScenarioRow("2026-04-11T12:00:00Z", .wait)).isEmpty)
    #expect(world.transactions().count == 1)
  }

  @Test("Case 11, B47: paid within grace, the cycle is kept and the grace is over, but on record")
  func recoveredInGrace() throws {
    let world = try ScenarioWorld.play(
      Self.inGrace + [
        ScenarioRow(
          "2025-02-20T09:00:00Z", .resolve(),
          "2025-02-20T09:00:00Z billing succeeds",
          "2025-02-20T09:00:00Z recovered T2 silver.m 4990 until 2025-03-10T12:00:00Z;"
            + " DID_RENEW/BILLING_RECOVERY; 1"),
        ScenarioRow(
          "2025-03-10T12:00:00Z", .wait,
          "2025-03-10T12:00:00Z renewed T3 silver.m 4990 until 2025-04-10T12:00:00Z;"
            + " DID_RENEW; 1"),
      ], policies: Self.grace(16))
    let paid = world.transactions()[1]
    #expect(paid.purchaseDate.rfc3339 == "2025-02-10T12:00:00Z")
    #expect(paid.signedDate.rfc3339 == "2025-02-20T09:00:00Z")
    #expect(paid.reason == .renewal)
    #expect(paid.originalID == world.transactions()[0].id)
    let line = world.newest()
    #expect(line.renewal.autoRenews && !line.renewal.isInBillingRetry)
    #expect(line.renewal.expirationIntent == nil)
    #expect(line.renewal.gracePeriodExpiresDate == .never)
    #expect(line.lastGraceStart.rfc3339 == "2025-02-10T12:00:00Z")
    #expect(line.lastGraceEnd.rfc3339 == "2025-02-20T09:00:00Z")
  }

  @Test(
    "E9: whichever date the payment within grace bears, the cycle is the bought one's",
    arguments: GraceRecoveryDate.allCases)
  func recoveryDates(date: GraceRecoveryDate) throws {
    for (monthEnd, end) in [
      (MonthEndPolicy.anchored, "2025-03-31T10:00:00Z"), (.chained, "2025-03-28T10:00:00Z"),
    ] {
      var policies = Self.grace(16)
      policies.graceRecoveryDate = date
      policies.monthEnd = monthEnd
      var world = try ScenarioWorld(policies: policies)
      try world.makeClock(Clock.defaultName, at: .at("2025-01-31T10:00:00Z"))
      try world.perform(.buy("monthly"))
      try world.perform(.fail())
      try world.advance(to: .at("2025-03-05T00:00:00Z"))
      try world.perform(.resolve())
      let paid = world.newest().transaction
      let start = date == .cycleStart ? "2025-02-28T10:00:00Z" : "2025-03-05T00:00:00Z"
      #expect(paid.purchaseDate.rfc3339 == start)
      #expect(paid.expiresDate.rfc3339 == end)
      try world.advance(to: .at("2025-04-15T00:00:00Z"))
      #expect(world.newest().transaction.purchaseDate.rfc3339 == end)
      let next = monthEnd == .anchored ? "2025-04-30T10:00:00Z" : "2025-04-28T10:00:00Z"
      #expect(world.newest().transaction.expiresDate.rfc3339 == next)
    }
  }

  @Test("Case 13, E10: paid after grace, a new cycle begins with the payment")
  func recoveredInRetry() throws {
    let world = try ScenarioWorld.play(
      Self.inGrace + [
        Self.graceOver,
        ScenarioRow(
          "2025-03-15T08:00:00Z", .resolve(),
          "2025-03-15T08:00:00Z billing succeeds",
          "2025-03-15T08:00:00Z recovered T2 silver.m 4990 until 2025-04-15T08:00:00Z;"
            + " DID_RENEW/BILLING_RECOVERY; 1"),
        ScenarioRow(
          "2025-04-15T08:00:00Z", .wait,
          "2025-04-15T08:00:00Z renewed T3 silver.m 4990 until 2025-05-15T08:00:00Z;"
            + " DID_RENEW; 1"),
      ], policies: Self.grace(16))
    #expect(world.transactions()[1].purchaseDate.rfc3339 == "2025-03-15T08:00:00Z")
    let line = world.newest()
    #expect(line.lastGraceStart.rfc3339 == "2025-02-10T12:00:00Z")
    #expect(line.lastGraceEnd.rfc3339 == "2025-02-26T12:00:00Z")
  }

  @Test("1.5: the timeline, unpaid and with both of its payments")
  func timeline() throws {
    let failed = [
      ScenarioRow(
        "2025-05-21T10:00:00Z", .buy("monthly"),
        "2025-05-21T10:00:00Z purchased T1 monthly 9990 until 2025-06-21T10:00:00Z;"
          + " SUBSCRIBED/INITIAL_BUY; 1"),
      ScenarioRow("2025-06-01T00:00:00Z", .fail(), "2025-06-01T00:00:00Z billing fails"),
      ScenarioRow(
        "2025-06-21T10:00:00Z", .wait,
        "2025-06-21T10:00:00Z renewalFailed grace until 2025-07-07T10:00:00Z intent 2;"
          + " DID_FAIL_TO_RENEW/GRACE_PERIOD; 4"),
    ]
    let graceEnded = "2025-07-07T10:00:00Z graceEnded intent 2; GRACE_PERIOD_EXPIRED; 3"
    _ = try ScenarioWorld.play(
      failed + [
        ScenarioRow(
          "2025-12-01T00:00:00Z", .wait, graceEnded,
          "2025-08-20T10:00:00Z expired intent 2; EXPIRED/BILLING_RETRY; 2")
      ], policies: Self.grace(16))
    let inGrace = try ScenarioWorld.play(
      failed + [
        ScenarioRow(
          "2025-06-30T12:00:00Z", .resolve(),
          "2025-06-30T12:00:00Z billing succeeds",
          "2025-06-30T12:00:00Z recovered T2 monthly 9990 until 2025-07-21T10:00:00Z;"
            + " DID_RENEW/BILLING_RECOVERY; 1")
      ], policies: Self.grace(16))
    #expect(inGrace.newest().transaction.purchaseDate.rfc3339 == "2025-06-21T10:00:00Z")
    let inRetry = try ScenarioWorld.play(
      failed + [
        ScenarioRow(
          "2025-07-29T09:00:00Z", .resolve(), graceEnded,
          "2025-07-29T09:00:00Z billing succeeds",
          "2025-07-29T09:00:00Z recovered T2 monthly 9990 until 2025-08-29T09:00:00Z;"
            + " DID_RENEW/BILLING_RECOVERY; 1")
      ], policies: Self.grace(16))
    #expect(inRetry.newest().transaction.purchaseDate.rfc3339 == "2025-07-29T09:00:00Z")
  }

  @Test("Case 15, E12: cancelled within grace, access ends at once")
  func cancelledInGrace() throws {
    let world = try ScenarioWorld.play(
      Self.inGrace + [
        ScenarioRow(
          "2025-02-15T00:00:00Z", .off(),
          "2025-02-15T00:00:00Z autoRenewChanged off intent 2;"
            + " DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_DISABLED; 4",
          "2025-02-15T00:00:00Z expired intent 2; EXPIRED/VOLUNTARY; 2"),
        ScenarioRow("2026-01-01T00:00:00Z", .wait),
      ], policies: Self.grace(16))
    #expect(try world.status(at: "2025-02-15T00:00:00Z") == .expired)
    let line = world.newest()
    #expect(!line.renewal.autoRenews && !line.renewal.isInBillingRetry)
    #expect(line.renewal.gracePeriodExpiresDate == .never)
    #expect(line.lastGraceEnd.rfc3339 == "2025-02-15T00:00:00Z")
    #expect(world.state.members == 0)
  }

  @Test("E12: cancelled while billing is retried, it is over for good; bought anew, it lives")
  func cancelledInRetry() throws {
    let world = try ScenarioWorld.play(
      Self.inRetry + [
        ScenarioRow(
          "2025-03-01T00:00:00Z", .off(),
          "2025-03-01T00:00:00Z autoRenewChanged off intent 2;"
            + " DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_DISABLED; 3",
          "2025-03-01T00:00:00Z expired intent 2; EXPIRED/VOLUNTARY; 2"),
        ScenarioRow(
          "2025-03-02T00:00:00Z", .succeed(), "2025-03-02T00:00:00Z billing succeeds"),
        ScenarioRow(
          "2025-03-03T00:00:00Z", .buy("silver.m"),
          "2025-03-03T00:00:00Z purchased T2 silver.m 4990 until 2025-04-03T00:00:00Z;"
            + " SUBSCRIBED/RESUBSCRIBE; 1"),
      ])
    #expect(world.state.lines.count == 1)
    #expect(world.newest().renewal.expirationIntent == nil)
  }

  @Test("Case 16, E6: without grace, retry begins with the failure")
  func noGrace() throws {
    let world = try ScenarioWorld.play(
      Self.inRetry + [
        ScenarioRow(
          "2025-12-01T00:00:00Z", .wait,
          "2025-04-11T12:00:00Z expired intent 2; EXPIRED/BILLING_RETRY; 2")
      ])
    #expect(world.newest().lastGraceStart == .never)
    #expect(world.newest().renewal.gracePeriodExpiresDate == .never)
  }

  @Test("Charges that fail and succeed again before a renewal leave no trace on the line")
  func mended() throws {
    var world = try ScenarioWorld.play([
      ScenarioRow(ScenarioTests.t0, .buy("silver.m"), ScenarioTests.bought),
      Self.fails,
      ScenarioRow("2025-01-16T00:00:00Z", .fail()),
      ScenarioRow("2025-01-17T00:00:00Z", .succeed(), "2025-01-17T00:00:00Z billing succeeds"),
      ScenarioRow("2025-01-18T00:00:00Z", .succeed()),
      ScenarioRow("2025-02-10T12:00:00Z", .wait, ScenarioTests.renewed),
    ])
    #expect {
      try world.perform(.resolve())
    } throws: { error in
      guard case .notPossible(status: .active, _)? = error as? Rejection else { return false }
      return true
    }
  }
}
