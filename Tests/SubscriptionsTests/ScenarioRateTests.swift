import Subscriptions
import TestSizes
import Testing

/// The rates of Domain.md 2.5 and 6.2: how long everything lasts, and what a change of rate does.
@Suite("Rates")
struct ScenarioRateTests {
  /// A row of Apple's table, in seconds.
  struct Row: Sendable, CustomTestStringConvertible {
    var rate: RenewalRate
    /// 1 week, 1, 2, 3 and 6 months, 1 year.
    var periods: [Int64]
    var weeklyGrace: Int64
    var grace: Int64
    var retry: Int64

    init(
      _ rate: RenewalRate, _ periods: [Int64], _ weeklyGrace: Int64, _ grace: Int64, _ retry: Int64
    ) {
      self.rate = rate
      self.periods = periods
      self.weeklyGrace = weeklyGrace
      self.grace = grace
      self.retry = retry
    }

    init(_ rate: RenewalRate, every seconds: Int64) {
      self.init(
        rate, [Int64](repeating: seconds, count: 6), seconds, seconds, 2 * seconds)
    }

    var testDescription: String { rate.name }
  }

  /// Domain.md 2.5, written out; the deprecated rates of 6.2 scale days, thirty to a month.
  static let table = [
    Row(.monthlyRenewalEveryHour, [900, 3600, 7200, 10_800, 21_600, 43_200], 771, 1800, 7200),
    Row(
      .monthlyRenewalEveryThirtyMinutes, [600, 1800, 3600, 5400, 10_800, 21_600], 514, 900, 3600),
    Row(
      .monthlyRenewalEveryFifteenMinutes, [300, 900, 1800, 2700, 5400, 10_800], 257, 450, 1800),
    Row(.monthlyRenewalEveryFiveMinutes, [180, 300, 600, 900, 1800, 3600], 154, 150, 600),
    Row(.monthlyRenewalEveryThreeMinutes, [180, 180, 360, 540, 1080, 2160], 154, 90, 360),
    Row(.monthlyRenewalEveryThirtySeconds, [10, 30, 60, 90, 180, 360], 9, 15, 60),
    Row(.oneRenewalEveryFifteenMinutes, every: 900),
    Row(.oneRenewalEveryFiveMinutes, every: 300),
    Row(.oneRenewalEveryMinute, every: 60),
    Row(.oneRenewalEveryThirtySeconds, every: 30),
    Row(.oneRenewalEveryTenSeconds, every: 10),
    Row(.oneRenewalEveryTwoSeconds, every: 2),
    Row(.oneRenewalEveryDay, every: 86_400),
    Row(
      .oneHourIsOneDay, [25_200, 108_000, 216_000, 324_000, 648_000, 1_296_000], 21_600, 57_600,
      216_000),
    Row(
      .thirtyMinutesIsOneDay, [12_600, 54_000, 108_000, 162_000, 324_000, 648_000], 10_800,
      28_800, 108_000),
    Row(
      .fiveMinutesIsOneDay, [2100, 9000, 18_000, 27_000, 54_000, 108_000], 1800, 4800, 18_000),
    Row(.oneMinuteIsOneDay, [420, 1800, 3600, 5400, 10_800, 21_600], 360, 960, 3600),
    Row(.thirtySecondsIsOneDay, [210, 900, 1800, 2700, 5400, 10_800], 180, 480, 1800),
    Row(.oneSecondIsOneDay, [7, 30, 60, 90, 180, 360], 6, 16, 60),
  ]

  private static let products = [
    "weekly", "monthly", "two.months", "three.months", "six.months", "gold.y",
  ]

  private static func policies(_ rate: RenewalRate, grace: Int64 = 16) -> Policies {
    var policies = Policies()
    policies.renewalRate = rate
    policies.graceDays = grace
    return policies
  }

  @Test("Every rate but real time is in the table")
  func complete() {
    #expect(Set(Self.table.map(\.rate)).union([.realTime]) == Set(RenewalRate.allCases))
  }

  @Test(
    "Periods, grace and retry last as long as Apple's table says, renewal after renewal",
    arguments: table)
  func lengths(row: Row) throws {
    for (product, seconds) in zip(Self.products, row.periods) {
      var world = try ScenarioWorld(policies: Self.policies(row.rate))
      let start = try Instant.at("2025-01-31T10:00:00Z")
      try world.makeClock(Clock.defaultName, at: start)
      try world.perform(.buy(product))
      let length = seconds * 1000
      try world.advance(to: start.advanced(byMilliseconds: 3 * length))
      #expect(
        world.transactions().map { $0.expiresDate.milliseconds - start.milliseconds }
          == [length, 2 * length, 3 * length, 4 * length], "\(product)")
      try world.perform(.fail())
      let end = world.newest().transaction.expiresDate
      try world.advance(to: end)
      let failed = world.newest()
      let grace = (product == "weekly" ? row.weeklyGrace : row.grace) * 1000
      #expect(
        failed.renewal.gracePeriodExpiresDate == end.advanced(byMilliseconds: grace),
        "\(product)")
      #expect(failed.billingRetryEnd == end.advanced(byMilliseconds: row.retry * 1000))
      try world.advance(to: failed.billingRetryEnd)
      #expect(world.newest().renewal.expirationIntent == .billingError)
      #expect(world.newest().status(at: failed.billingRetryEnd) == .expired)
    }
  }

  @Test("A life at five minutes a month: renewal, grace, payment, retry and its end")
  func life() throws {
    _ = try ScenarioWorld.play(
      [
        ScenarioRow(
          "2025-01-10T12:00:00Z", .buy("silver.m"),
          "2025-01-10T12:00:00Z purchased T1 silver.m 4990 until 2025-01-10T12:05:00Z;"
            + " SUBSCRIBED/INITIAL_BUY; 1"),
        ScenarioRow(
          "2025-01-10T12:06:00Z", .fail(),
          "2025-01-10T12:05:00Z renewed T2 silver.m 4990 until 2025-01-10T12:10:00Z;"
            + " DID_RENEW; 1",
          "2025-01-10T12:06:00Z billing fails"),
        ScenarioRow(
          "2025-01-10T12:11:00Z", .resolve(),
          "2025-01-10T12:10:00Z renewalFailed grace until 2025-01-10T12:12:30Z intent 2;"
            + " DID_FAIL_TO_RENEW/GRACE_PERIOD; 4",
          "2025-01-10T12:11:00Z billing succeeds",
          "2025-01-10T12:11:00Z recovered T3 silver.m 4990 until 2025-01-10T12:15:00Z;"
            + " DID_RENEW/BILLING_RECOVERY; 1"),
        ScenarioRow("2025-01-10T12:14:00Z", .fail(), "2025-01-10T12:14:00Z billing fails"),
        ScenarioRow(
          "2025-01-10T12:20:00Z", .resolve(),
          "2025-01-10T12:15:00Z renewalFailed grace until 2025-01-10T12:17:30Z intent 2;"
            + " DID_FAIL_TO_RENEW/GRACE_PERIOD; 4",
          "2025-01-10T12:17:30Z graceEnded intent 2; GRACE_PERIOD_EXPIRED; 3",
          "2025-01-10T12:20:00Z billing succeeds",
          "2025-01-10T12:20:00Z recovered T4 silver.m 4990 until 2025-01-10T12:25:00Z;"
            + " DID_RENEW/BILLING_RECOVERY; 1"),
        ScenarioRow("2025-01-10T12:21:00Z", .fail(), "2025-01-10T12:21:00Z billing fails"),
        ScenarioRow(
          "2025-01-11T00:00:00Z", .wait,
          "2025-01-10T12:25:00Z renewalFailed grace until 2025-01-10T12:27:30Z intent 2;"
            + " DID_FAIL_TO_RENEW/GRACE_PERIOD; 4",
          "2025-01-10T12:27:30Z graceEnded intent 2; GRACE_PERIOD_EXPIRED; 3",
          "2025-01-10T12:35:00Z expired intent 2; EXPIRED/BILLING_RETRY; 2"),
      ], policies: Self.policies(.monthlyRenewalEveryFiveMinutes))
  }

  @Test("Offers are scaled by the same table; a month after a trial begins at its end")
  func offers() throws {
    func ends(_ product: String, _ rate: RenewalRate) throws -> [Int64] {
      var world = try ScenarioWorld(policies: Self.policies(rate))
      let start = try Instant.at("2025-01-31T10:00:00Z")
      try world.makeClock(Clock.defaultName, at: start)
      try world.perform(.buy(product))
      for _ in 0..<4 { try world.advance(to: world.newest().transaction.expiresDate) }
      return world.transactions().map {
        ($0.expiresDate.milliseconds - $0.purchaseDate.milliseconds)
      }
    }
    let fiveMinutes = RenewalRate.monthlyRenewalEveryFiveMinutes
    // A trial of a week, of a month, of thirty days (30/7 of a week's three minutes).
    #expect(try ends("trial.m", fiveMinutes) == [180_000, 300_000, 300_000, 300_000, 300_000])
    #expect(try ends("trial.y", fiveMinutes).prefix(2) == [300_000, 3_600_000])
    #expect(try ends("trial30d", fiveMinutes).prefix(2) == [771_428, 300_000])
    #expect(try ends("upfront.m", fiveMinutes).prefix(2) == [600_000, 300_000])
    #expect(try ends("payg.m", fiveMinutes) == [300_000, 300_000, 300_000, 300_000, 300_000])
    #expect(try ends("trial30d", .oneRenewalEveryTenSeconds).prefix(2) == [10_000, 10_000])
    #expect(try ends("trial30d", .oneMinuteIsOneDay).prefix(2) == [1_800_000, 1_800_000])
  }

  @Test("A set rate counts for what begins after it; the calendar goes on in whole months")
  func change() throws {
    var world = try ScenarioWorld.play([
      ScenarioRow(
        "2025-01-31T10:00:00Z", .buy("monthly"),
        "2025-01-31T10:00:00Z purchased T1 monthly 9990 until 2025-02-28T10:00:00Z;"
          + " SUBSCRIBED/INITIAL_BUY; 1"),
      ScenarioRow(
        "2025-03-01T00:00:00Z", .rate(.oneRenewalEveryFifteenMinutes),
        "2025-02-28T10:00:00Z renewed T2 monthly 9990 until 2025-03-31T10:00:00Z; DID_RENEW; 1",
        "rate oneRenewalEveryFifteenMinutes"),
      ScenarioRow(
        "2025-03-31T10:20:00Z", .rate(.realTime),
        "2025-03-31T10:00:00Z renewed T3 monthly 9990 until 2025-03-31T10:15:00Z; DID_RENEW; 1",
        "2025-03-31T10:15:00Z renewed T4 monthly 9990 until 2025-03-31T10:30:00Z; DID_RENEW; 1",
        "rate realTime"),
      ScenarioRow("2025-03-31T10:20:00Z", .rate(nil), "rate as configured"),
      ScenarioRow("2025-03-31T10:20:00Z", .rate(nil)),
      ScenarioRow(
        "2025-06-01T00:00:00Z", .rate(.oneRenewalEveryTwoSeconds),
        "2025-03-31T10:30:00Z renewed T5 monthly 9990 until 2025-04-30T10:30:00Z; DID_RENEW; 1",
        "2025-04-30T10:30:00Z renewed T6 monthly 9990 until 2025-05-31T10:30:00Z; DID_RENEW; 1",
        "2025-05-31T10:30:00Z renewed T7 monthly 9990 until 2025-06-30T10:30:00Z; DID_RENEW; 1",
        "rate oneRenewalEveryTwoSeconds"),
      ScenarioRow(
        "2025-06-30T10:30:01Z", .wait,
        "2025-06-30T10:30:00Z renewed T8 monthly 9990 until 2025-06-30T10:30:02Z; DID_RENEW; 1"),
    ])
    // A snapshot keeps the switch, and the forecast goes by it.
    var bytes: [UInt8] = []
    world.state.encodeSnapshot(into: &bytes)
    let restored = try #require(bytes.withUnsafeBytes { State(snapshot: $0) })
    #expect(restored.rateSwitch == .oneRenewalEveryTwoSeconds)
    let forecast = try world.state.forecast(
      account: 0, until: .at("2025-06-30T10:30:09Z"), policies: world.policies)
    #expect(forecast.events.count == 4)
    try world.advance(to: .at("2025-06-30T10:30:09Z"))
    #expect(forecast.lines[0].line == world.newest())
  }

  @Test(
    "B14: at a rate the days of an extension are scaled as their period is, never to nothing",
    arguments: [
      (RenewalRate.monthlyRenewalEveryFiveMinutes, "monthly", 1, 10_000),
      (.monthlyRenewalEveryFiveMinutes, "monthly", 90, 900_000),
      (.monthlyRenewalEveryFiveMinutes, "weekly", 7, 180_000),
      (.monthlyRenewalEveryHour, "gold.y", 30, 3_600_000),
      (.oneMinuteIsOneDay, "monthly", 3, 180_000), (.oneMinuteIsOneDay, "weekly", 1, 60_000),
      (.oneRenewalEveryDay, "monthly", 15, 43_200_000),
      (.oneRenewalEveryTwoSeconds, "gold.y", 1, 1_000), (.oneSecondIsOneDay, "monthly", 1, 1_000),
      (.realTime, "monthly", 1, 86_400_000),
    ] as [(RenewalRate, String, Int64, Int64)])
  func extended(rate: RenewalRate, product: String, days: Int64, milliseconds: Int64) throws {
    var world = try ScenarioWorld(policies: Self.policies(rate))
    let start = try Instant.at("2025-01-31T10:00:00Z")
    try world.makeClock(Clock.defaultName, at: start)
    try world.perform(.buy(product))
    let end = world.newest().transaction.expiresDate
    try world.perform(.product(.extend(days)))
    let moved = end.advanced(byMilliseconds: milliseconds)
    #expect(world.newest().transaction.expiresDate == moved)
    #expect(world.newest().renewal.renewalDate == moved)
    try world.advance(to: moved)
    #expect(world.newest().transaction.purchaseDate == moved)
  }

  @Test("A retry that began at a rate ends by it, whatever the rate is then")
  func retryKeepsItsRate() throws {
    var world = try ScenarioWorld(policies: Self.policies(.monthlyRenewalEveryHour, grace: 0))
    let start = try Instant.at("2025-01-31T10:00:00Z")
    try world.makeClock(Clock.defaultName, at: start)
    try world.perform(.buy("monthly"))
    try world.perform(.fail())
    try world.advance(to: .at("2025-01-31T11:30:00Z"))
    try world.perform(.rate(.realTime))
    let due = world.state.deadline(of: 0, world.policies.terms)?.deadline
    #expect(try due == Deadline(time: .at("2025-01-31T13:00:00Z"), kind: .endRetry))
    try world.advance(to: .at("2025-01-31T13:00:00Z"))
    #expect(world.newest().renewal.expirationIntent == .billingError)
    #expect(world.newest().renewal.retryRate == .realTime)
  }

  @Test(
    "Paid in grace at a rate whose cycle would be over: it begins anew, and so does the calendar",
    arguments: GraceRecoveryDate.allCases)
  func shortRecoveryInLongGrace(recoveryDate: GraceRecoveryDate) throws {
    var policies = Self.policies(.realTime, grace: 28)
    policies.graceRecoveryDate = recoveryDate
    _ = try ScenarioWorld.play(
      [
        ScenarioRow(
          "2025-01-31T10:00:00Z", .buy("monthly"),
          "2025-01-31T10:00:00Z purchased T1 monthly 9990 until 2025-02-28T10:00:00Z;"
            + " SUBSCRIBED/INITIAL_BUY; 1"),
        ScenarioRow("2025-01-31T10:00:00Z", .fail(), "2025-01-31T10:00:00Z billing fails"),
        ScenarioRow(
          "2025-03-20T10:00:00Z", .rate(.oneHourIsOneDay),
          "2025-02-28T10:00:00Z renewalFailed grace until 2025-03-28T10:00:00Z intent 2;"
            + " DID_FAIL_TO_RENEW/GRACE_PERIOD; 4",
          "rate oneHourIsOneDay"),
        ScenarioRow(
          "2025-03-20T10:00:00Z", .resolve(), "2025-03-20T10:00:00Z billing succeeds",
          "2025-03-20T10:00:00Z recovered T2 monthly 9990 until 2025-03-21T16:00:00Z;"
            + " DID_RENEW/BILLING_RECOVERY; 1"),
        ScenarioRow("2025-03-20T10:00:00Z", .rate(.realTime), "rate realTime"),
        ScenarioRow(
          "2025-05-01T00:00:00Z", .wait,
          "2025-03-21T16:00:00Z renewed T3 monthly 9990 until 2025-04-21T16:00:00Z; DID_RENEW; 1",
          "2025-04-21T16:00:00Z renewed T4 monthly 9990 until 2025-05-21T16:00:00Z; DID_RENEW; 1"),
      ], policies: policies)
  }

  @Test("A renewal forced after a gap that is too long begins a new chain of service")
  func forcedAfterGap() throws {
    var policies = Self.policies(.realTime, grace: 0)
    policies.recentStartGap = Limits.recentStartGapSandbox
    var world = try ScenarioWorld(policies: policies)
    try world.makeClock(Clock.defaultName, at: .at("2025-01-10T10:00:00Z"))
    try world.perform(.buy("monthly"))
    try world.perform(.renew())
    #expect(
      world.newest().renewal.recentSubscriptionStartDate.rfc3339 == "2025-01-10T10:00:00Z")
    try world.perform(.fail())
    try world.advance(to: .at("2025-02-10T10:10:00Z"))
    var within = world.copy()
    try within.perform(.renew())
    #expect(
      within.newest().renewal.recentSubscriptionStartDate.rfc3339 == "2025-01-10T10:00:00Z")
    try world.advance(to: .at("2025-02-10T10:10:01Z"))
    try world.perform(.renew())
    #expect(
      world.newest().renewal.recentSubscriptionStartDate.rfc3339 == "2025-02-10T10:10:01Z")
  }

  @Test("Grace settings other than Apple's usual ones are in proportion to them")
  func otherGrace() throws {
    for (days, monthly, weekly) in [
      (Int64(3), Int64(28_125), Int64(77_000)), (28, 262_500, 154_000),
    ] {
      for (product, length) in [("monthly", monthly), ("weekly", weekly)] {
        var world = try ScenarioWorld(
          policies: Self.policies(.monthlyRenewalEveryFiveMinutes, grace: days))
        try world.makeClock(Clock.defaultName, at: .at("2025-01-31T10:00:00Z"))
        try world.perform(.buy(product))
        try world.perform(.fail())
        let end = world.newest().transaction.expiresDate
        try world.advance(to: end)
        #expect(
          world.newest().renewal.gracePeriodExpiresDate == end.advanced(byMilliseconds: length))
      }
    }
  }

  @Test("1.6 in the sandbox: a gap of more than ten minutes begins a new chain")
  func recentStart() throws {
    for (gap, isKept) in [(Int64(600_000), true), (600_001, false)] {
      var policies = Self.policies(.monthlyRenewalEveryFiveMinutes)
      policies.recentStartGap = Limits.recentStartGapSandbox
      var world = try ScenarioWorld(policies: policies)
      let start = try Instant.at("2025-01-31T10:00:00Z")
      try world.makeClock(Clock.defaultName, at: start)
      try world.perform(.buy("monthly"))
      try world.perform(.off())
      let end = world.newest().transaction.expiresDate
      try world.advance(to: end.advanced(byMilliseconds: gap))
      try world.perform(.buy("monthly"))
      let recent = world.newest().renewal.recentSubscriptionStartDate
      #expect(recent == (isKept ? start : end.advanced(byMilliseconds: gap)))
    }
  }

  @Test("A rate is not changed while a clock is being advanced")
  func busy() throws {
    var world = try ScenarioWorld()
    try world.makeClock(Clock.defaultName, at: .at("2025-01-31T10:00:00Z"))
    let target = try Instant.at("2025-03-31T10:00:00Z")
    try world.take(.advance(1, to: target))
    #expect(throws: Rejection.clockBusy(target: target)) {
      try world.perform(.rate(.oneSecondIsOneDay))
    }
  }

  @Test("6.2: the numbers of SKTestSession.TimeRate, and those that mean nothing")
  func timeRates() {
    let known: [Int64: RenewalRate] = [
      0: .realTime, 1: .oneHourIsOneDay, 2: .thirtyMinutesIsOneDay, 3: .fiveMinutesIsOneDay,
      4: .oneMinuteIsOneDay, 5: .thirtySecondsIsOneDay, 6: .oneSecondIsOneDay,
      10: .monthlyRenewalEveryHour, 11: .monthlyRenewalEveryThirtyMinutes,
      12: .monthlyRenewalEveryFifteenMinutes, 13: .monthlyRenewalEveryFiveMinutes,
      15: .monthlyRenewalEveryThirtySeconds, 1000: .oneRenewalEveryFifteenMinutes,
      1001: .oneRenewalEveryFiveMinutes, 1002: .oneRenewalEveryMinute,
      1003: .oneRenewalEveryThirtySeconds, 1004: .oneRenewalEveryTenSeconds,
      1005: .oneRenewalEveryTwoSeconds,
    ]
    for number in -10...1100 as ClosedRange<Int64> {
      #expect(RenewalRate(timeRate: number) == known[number])
    }
    #expect(RenewalRate(timeRate: .max) == nil && RenewalRate(timeRate: .min) == nil)
  }

  @Test("A million renewals two seconds apart (quick: a fifth), each at its deadline")
  func million() throws {
    let world = try {
      var world = try ScenarioWorld(policies: Self.policies(.oneRenewalEveryTwoSeconds))
      try world.makeClock(Clock.defaultName, at: .at("2025-01-31T10:00:00Z"))
      try world.perform(.buy("monthly"))
      return world
    }()
    let (state, policies) = (world.state, world.policies)
    let start = world.newest().transaction.purchaseDate
    for number in 1...Int64(TestSize.times(1_000_000, quick: 200_000)) {
      let event = try #require(state.decideDue(line: 0, policies: policies))
      guard event.at == start.advanced(byMilliseconds: 2000 * number), event.kind == .renewed else {
        Issue.record("\(event)")
        return
      }
      state.apply(event, position: 0)
    }
    let end = TestSize.isQuick ? "2025-02-05T01:06:42Z" : "2025-02-23T13:33:22Z"
    #expect(try state.lines[0].transaction.expiresDate == .at(end))
  }
}
