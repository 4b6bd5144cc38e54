import Subscriptions
import Testing

/// Changes of plan in billing trouble, those of Domain.md 8, and what a forecast makes of both.
@Suite("Changes of plan in trouble, and forecasts of both")
struct ScenarioPlanTroubleTests {
  /// gold.m, whose renewal fails into grace; its charges succeed again on the 14th.
  static let goldInGrace = [
    ScenarioRow(ScenarioTests.t0, .buy("gold.m"), ScenarioPlanTests.boughtGold),
    ScenarioBillingTests.fails,
    ScenarioBillingTests.inGrace[2],
    ScenarioRow("2025-02-14T13:00:00Z", .succeed(), "2025-02-14T13:00:00Z billing succeeds"),
  ]
  static let downgradedInGrace = ScenarioRow(
    "2025-02-15T00:00:00Z", .buy("silver.m"),
    "2025-02-15T00:00:00Z planChangeScheduled T1 gold.m 9990 until 2025-02-10T12:00:00Z then"
      + " silver.m 4990 intent 2; DID_CHANGE_RENEWAL_PREF/DOWNGRADE; 4")

  @Test("An upgrade in grace is a payment: the trouble is over, and a new cycle begins")
  func upgradeInGrace() throws {
    let world = try ScenarioWorld.play(
      ScenarioBillingTests.inGrace + [
        ScenarioRow("2025-02-14T13:00:00Z", .succeed(), "2025-02-14T13:00:00Z billing succeeds"),
        ScenarioRow(
          "2025-02-15T00:00:00Z", .buy("gold.m"),
          "2025-02-15T00:00:00Z upgraded T2 gold.m 9990 until 2025-03-15T00:00:00Z;"
            + " DID_CHANGE_RENEWAL_PREF/UPGRADE; 1"),
        ScenarioRow(
          "2025-03-15T00:00:00Z", .wait,
          "2025-03-15T00:00:00Z renewed T3 gold.m 9990 until 2025-04-15T00:00:00Z;"
            + " DID_RENEW; 1"),
      ], policies: ScenarioBillingTests.grace(16))
    let line = world.newest()
    #expect(!line.renewal.isInBillingRetry)
    #expect(line.lastGraceEnd.rfc3339 == "2025-02-15T00:00:00Z")
    #expect(line.renewal.recentSubscriptionStartDate.rfc3339 == ScenarioTests.t0)
  }

  @Test("A downgrade chosen in grace is what the payment is of, in the old cycle")
  func downgradeInGrace() throws {
    _ = try ScenarioWorld.play(
      Self.goldInGrace + [
        Self.downgradedInGrace,
        ScenarioRow(
          "2025-02-15T09:00:00Z", .resolve(),
          "2025-02-15T09:00:00Z recovered T2 silver.m 4990 until 2025-03-10T12:00:00Z;"
            + " DID_RENEW/BILLING_RECOVERY; 1"),
      ], policies: ScenarioBillingTests.grace(16))
  }

  @Test("A downgrade chosen in grace can be taken back in it")
  func takenBackInGrace() throws {
    _ = try ScenarioWorld.play(
      Self.goldInGrace + [
        Self.downgradedInGrace,
        ScenarioRow(
          "2025-02-15T06:00:00Z", .buy("gold.m"),
          "2025-02-15T06:00:00Z planChangeScheduled T1 gold.m 9990 until 2025-02-10T12:00:00Z"
            + " then gold.m 9990 intent 2; DID_CHANGE_RENEWAL_PREF; 4"),
        ScenarioRow(
          "2025-02-15T09:00:00Z", .resolve(),
          "2025-02-15T09:00:00Z recovered T2 gold.m 9990 until 2025-03-10T12:00:00Z;"
            + " DID_RENEW/BILLING_RECOVERY; 1"),
      ], policies: ScenarioBillingTests.grace(16))
  }

  @Test("While charges fail no plan is changed in grace, and the product itself waits")
  func refusedInGrace() throws {
    var world = try ScenarioWorld.play(
      ScenarioBillingTests.inGrace, policies: ScenarioBillingTests.grace(16))
    func refuses(_ product: String) {
      #expect {
        try world.perform(.buy(product))
      } throws: { error in
        guard case .notPossible(status: .gracePeriod, _)? = error as? Rejection else {
          return false
        }
        return true
      }
    }
    for product in ["gold.m", "silver.m", "bronze.m"] { refuses(product) }
    try world.perform(.succeed())
    refuses("silver.m")
    #expect(world.transactions().count == 1)
  }

  @Test("A renewal with a pending change fails: grace, retry and payment are of the new product")
  func pendingFails() throws {
    let carried = "T1 gold.m 9990 until 2025-02-10T12:00:00Z"
    let world = try ScenarioWorld.play(
      ScenarioPlanTests.downgraded + [
        ScenarioRow("2025-02-01T00:00:00Z", .fail(), "2025-02-01T00:00:00Z billing fails"),
        ScenarioRow(
          "2025-02-26T12:00:00Z", .wait,
          "2025-02-10T12:00:00Z renewalFailed \(carried) grace until 2025-02-26T12:00:00Z"
            + " intent 2; DID_FAIL_TO_RENEW/GRACE_PERIOD; 4",
          "2025-02-26T12:00:00Z graceEnded \(carried) intent 2; GRACE_PERIOD_EXPIRED; 3"),
        ScenarioRow(
          "2025-03-15T08:00:00Z", .resolve(),
          "2025-03-15T08:00:00Z billing succeeds",
          "2025-03-15T08:00:00Z recovered T2 silver.m 4990 until 2025-04-15T08:00:00Z;"
            + " DID_RENEW/BILLING_RECOVERY; 1"),
      ], policies: ScenarioBillingTests.grace(16))
    #expect(world.transactions().count == 2)
  }

  @Test("A month's grace may outlast a week: paid after that week's end, a new cycle begins")
  func shorterPlanInGrace() throws {
    var catalogue = ScenarioCatalogue.all
    var weekly = try #require(catalogue.products.first { $0.id == "silver.m" })
    weekly.id = "silver.w"
    weekly.period = Period(iso8601: "P1W")!
    weekly.price = 1490
    catalogue.products.append(weekly)
    var world = try ScenarioWorld(
      policies: ScenarioBillingTests.grace(16), catalogue: catalogue)
    try world.makeClock(Clock.defaultName, at: .at(ScenarioTests.t0))
    try world.perform(.buy("gold.m"))
    try world.perform(.fail())
    try world.advance(to: .at("2025-02-12T00:00:00Z"))
    try world.perform(.succeed())
    try world.perform(.buy("silver.w"))
    try world.perform(.fail())
    let found = try world.play(ScenarioRow("2025-02-20T00:00:00Z", .resolve()))
    #expect(
      found == [
        "2025-02-20T00:00:00Z billing succeeds",
        "2025-02-20T00:00:00Z recovered T2 silver.w 1490 until 2025-02-27T00:00:00Z;"
          + " DID_RENEW/BILLING_RECOVERY; 1",
      ])
  }

  // MARK: Reports from the field

  @Test("B39: from three months to six, ten minutes after")
  func tenMinutes() throws {
    let world = try ScenarioWorld.play([
      ScenarioRow(
        "2019-10-29T02:00:00Z", .buy("three.months"),
        "2019-10-29T02:00:00Z purchased T1 three.months 26990 until 2020-01-29T02:00:00Z;"
          + " SUBSCRIBED/INITIAL_BUY; 1"),
      ScenarioRow(
        "2019-10-29T02:10:00Z", .buy("six.months"),
        "2019-10-29T02:10:00Z upgraded T2 six.months 49990 until 2020-04-29T02:10:00Z;"
          + " DID_CHANGE_RENEWAL_PREF/UPGRADE; 1"),
    ])
    #expect(world.transactions().map(\.isUpgraded) == [true, false])
  }

  @Test("B42: a year that a month replaced grants nothing once the month is over")
  func yearToMonth() throws {
    let world = try ScenarioWorld.play([
      ScenarioRow(
        "2021-09-30T10:00:00Z", .buy("silver.y"),
        "2021-09-30T10:00:00Z purchased T1 silver.y 49990 until 2022-09-30T10:00:00Z;"
          + " SUBSCRIBED/INITIAL_BUY; 1"),
      ScenarioRow(
        "2021-09-30T11:00:00Z", .buy("gold.m"),
        "2021-09-30T11:00:00Z upgraded T2 gold.m 9990 until 2021-10-30T11:00:00Z;"
          + " DID_CHANGE_RENEWAL_PREF/UPGRADE; 1"),
      ScenarioRow(
        "2021-10-01T00:00:00Z", .off(),
        "2021-10-01T00:00:00Z autoRenewChanged off;"
          + " DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_DISABLED; 1"),
      ScenarioRow(
        "2021-11-01T00:00:00Z", .wait,
        "2021-10-30T11:00:00Z expired intent 1; EXPIRED/VOLUNTARY; 2"),
    ])
    #expect(try !world.status(at: "2021-11-01T00:00:00Z").entitles)
    #expect(world.state.members == 0)
    #expect(world.transactions()[0].isUpgraded)
  }

  @Test("B50: silver, gold on day 10, bronze on day 20: gold at once, bronze at its renewal")
  func upThenDown() throws {
    _ = try ScenarioWorld.play([
      ScenarioRow(ScenarioTests.t0, .buy("silver.m"), ScenarioTests.bought),
      ScenarioRow(
        "2025-01-20T12:00:00Z", .buy("gold.m"),
        "2025-01-20T12:00:00Z upgraded T2 gold.m 9990 until 2025-02-20T12:00:00Z;"
          + " DID_CHANGE_RENEWAL_PREF/UPGRADE; 1"),
      ScenarioRow(
        "2025-01-30T12:00:00Z", .buy("bronze.m"),
        "2025-01-30T12:00:00Z planChangeScheduled T2 gold.m 9990 until 2025-02-20T12:00:00Z then"
          + " bronze.m 2990; DID_CHANGE_RENEWAL_PREF/DOWNGRADE; 1"),
      ScenarioRow(
        "2025-02-20T12:00:00Z", .wait,
        "2025-02-20T12:00:00Z renewed T3 bronze.m 2990 until 2025-03-20T12:00:00Z;"
          + " DID_RENEW; 1"),
    ])
  }

  // MARK: Forecasts

  /// A customer with four lines: one to be replaced at its renewal, one that has that and ends,
  /// one in a trial, one that goes on.
  private func lives(fail: Bool, days: Int64) throws -> ScenarioWorld {
    var world = try ScenarioWorld(policies: ScenarioBillingTests.grace(days))
    try world.makeClock(Clock.defaultName, at: .at("2025-01-10T12:00:00Z"))
    try world.perform(.buy("gold.m"))
    try world.perform(.buy("silver.y"))
    try world.perform(.buy("two.months"))
    try world.perform(.buy("three.months"))
    try world.advance(to: .at("2025-01-11T12:00:00Z"))
    try world.perform(.buy("trial.m"))
    try world.perform(.buy("trial.w"))
    try world.perform(.buy("monthly"))
    try world.perform(.buy("weekly"))
    if fail { try world.perform(.fail()) }
    return world
  }

  @Test(
    "A forecast through a scheduled change, grace and retry is what then happens, ids and all",
    arguments: [true, false], [0, 3, 16, 28] as [Int64])
  func forecast(fail: Bool, days: Int64) throws {
    var world = try lives(fail: fail, days: days)
    for stop in ["2025-01-20T00:00:00Z", "2025-02-12T00:00:00Z", "2025-03-15T00:00:00Z"] {
      try world.advance(to: .at(stop))
      let until = try Instant.at("2025-08-01T00:00:00Z")
      let forecast = try world.state.forecast(
        account: 0, until: until, policies: world.policies)
      var copy = world.copy()
      try copy.advance(to: until)
      let happened = copy.log[world.log.count...].filter { $0.fact.account == 0 }
      #expect(forecast.events == Array(happened))
      let kinds = Set(happened.map(\.fact.kind))
      #expect(kinds.contains(.line(.renewalFailed)) == (fail && stop < "2025-03-10"))
    }
  }

  @Test("A forecast counts ids past an end that names its transaction")
  func forecastOfPendingEnd() throws {
    var world = try ScenarioWorld.play(ScenarioPlanTests.downgraded)
    try world.perform(.off())
    try world.perform(.buy("monthly"))
    let until = try Instant.at("2025-06-01T00:00:00Z")
    let forecast = try world.state.forecast(account: 0, until: until, policies: world.policies)
    let start = world.log.count
    try world.advance(to: until)
    let happened = world.log[start...].filter { $0.fact.account == 0 }
    #expect(happened.first?.fact.kind == .line(.expired))
    #expect(forecast.events == Array(happened))
  }

  // MARK: Notifications

  @Test("Each notification is the pair that the domain page lists for its event")
  func notifications() {
    let wanted: [Notification: String] = [
      .none: "-", .subscribedInitialBuy: "SUBSCRIBED/INITIAL_BUY",
      .subscribedResubscribe: "SUBSCRIBED/RESUBSCRIBE", .didRenew: "DID_RENEW",
      .expiredVoluntary: "EXPIRED/VOLUNTARY",
      .autoRenewEnabled: "DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_ENABLED",
      .autoRenewDisabled: "DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_DISABLED",
      .refund: "REFUND", .refundReversed: "REFUND_REVERSED", .oneTimeCharge: "ONE_TIME_CHARGE",
      .didFailToRenew: "DID_FAIL_TO_RENEW",
      .didFailToRenewGracePeriod: "DID_FAIL_TO_RENEW/GRACE_PERIOD",
      .gracePeriodExpired: "GRACE_PERIOD_EXPIRED",
      .billingRecovery: "DID_RENEW/BILLING_RECOVERY",
      .expiredBillingRetry: "EXPIRED/BILLING_RETRY",
      .planUpgrade: "DID_CHANGE_RENEWAL_PREF/UPGRADE",
      .planDowngrade: "DID_CHANGE_RENEWAL_PREF/DOWNGRADE", .planKept: "DID_CHANGE_RENEWAL_PREF",
      .offerRedeemed: "OFFER_REDEEMED", .offerUpgrade: "OFFER_REDEEMED/UPGRADE",
      .offerDowngrade: "OFFER_REDEEMED/DOWNGRADE",
      .consumptionRequest: "CONSUMPTION_REQUEST", .refundDeclined: "REFUND_DECLINED",
      .revoke: "REVOKE",
      .priceIncreasePending: "PRICE_INCREASE/PENDING",
      .priceIncreaseAccepted: "PRICE_INCREASE/ACCEPTED",
      .expiredPriceIncrease: "EXPIRED/PRICE_INCREASE",
      .expiredProductNotForSale: "EXPIRED/PRODUCT_NOT_FOR_SALE",
      .renewalExtended: "RENEWAL_EXTENDED", .extensionFailure: "RENEWAL_EXTENSION/FAILURE",
      .extensionSummary: "RENEWAL_EXTENSION/SUMMARY",
    ]
    for notification in Notification.allCases {
      let pair = [notification.type ?? "-", notification.subtype].compactMap { $0 }
      #expect(wanted[notification] == pair.joined(separator: "/"))
    }
  }
}
