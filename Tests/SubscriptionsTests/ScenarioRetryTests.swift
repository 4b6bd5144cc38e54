import Subscriptions
import Testing

/// What is owed is paid by itself once payments succeed again: Domain.md 1.3 E9 and E10, 1.5 and
/// 9.2.2. Billing is tried each day from the end of the period that could not be followed on.
@Suite("Billing that is tried again")
struct ScenarioRetryTests {
  private static let inGrace = ScenarioBillingTests.inGrace
  private static let inRetry = ScenarioBillingTests.inRetry

  private static func anew(_ start: String, until end: String) -> String {
    "\(start) recovered T2 silver.m 4990 until \(end); DID_RENEW/BILLING_RECOVERY; 1"
  }

  @Test("In retry it is paid at the next day's try, and a new cycle begins with it")
  func inRetry() throws {
    let world = try ScenarioWorld.play(
      Self.inRetry + [
        ScenarioRow(
          "2025-03-01T00:00:00Z", .succeed(), "2025-03-01T00:00:00Z billing succeeds"),
        ScenarioRow("2025-03-01T11:59:59.999Z", .wait),
        ScenarioRow(
          "2025-03-01T12:00:00Z", .wait,
          Self.anew("2025-03-01T12:00:00Z", until: "2025-04-01T12:00:00Z")),
        ScenarioRow(
          "2025-04-01T12:00:00Z", .wait,
          "2025-04-01T12:00:00Z renewed T3 silver.m 4990 until 2025-05-01T12:00:00Z;"
            + " DID_RENEW; 1"),
      ])
    #expect(world.transactions()[1].purchaseDate == (try .at("2025-03-01T12:00:00Z")))
    #expect(!world.newest().renewal.isInBillingRetry)
  }

  @Test("In grace it is paid the same way, and the cycle is kept")
  func inGrace() throws {
    let world = try ScenarioWorld.play(
      Self.inGrace + [
        ScenarioRow(
          "2025-02-20T09:00:00Z", .succeed(), "2025-02-20T09:00:00Z billing succeeds"),
        ScenarioRow(
          "2025-03-10T12:00:00Z", .wait,
          Self.anew("2025-02-20T12:00:00Z", until: "2025-03-10T12:00:00Z"),
          "2025-03-10T12:00:00Z renewed T3 silver.m 4990 until 2025-04-10T12:00:00Z;"
            + " DID_RENEW; 1"),
      ], policies: ScenarioBillingTests.grace(16))
    #expect(world.transactions()[1].purchaseDate == (try .at("2025-02-10T12:00:00Z")))
    #expect(world.newest().lastGraceEnd == (try .at("2025-02-20T12:00:00Z")))
  }

  @Test(
    "The next try is the first after the moment at which payments succeed again, never that one",
    arguments: [
      ("2025-02-10T12:00:00Z", "2025-02-11T12:00:00Z"),
      ("2025-02-10T12:00:00.001Z", "2025-02-11T12:00:00Z"),
      ("2025-02-13T11:59:59.999Z", "2025-02-13T12:00:00Z"),
      ("2025-02-13T12:00:00Z", "2025-02-14T12:00:00Z"),
      ("2025-04-10T12:00:00Z", "2025-04-11T12:00:00Z"),
      ("2025-04-11T11:59:59.999Z", "2025-04-11T12:00:00Z"),
    ])
  func grid(succeeds: String, paid: String) throws {
    var world = try ScenarioWorld.play(Self.inRetry)
    try world.advance(to: .at(succeeds))
    try world.perform(.succeed())
    #expect(world.newest().status(at: try .at(succeeds)) == .billingRetry)
    #expect(
      world.state.deadline(of: 0, world.policies.terms)?.deadline
        == Deadline(time: try .at(paid), kind: .retry))
    try world.advance(to: .at(paid))
    #expect(world.newest().transaction.purchaseDate == (try .at(paid)))
    #expect(world.transactions().count == 2)
  }

  @Test("At the very end of grace the try comes before the end: the cycle is kept")
  func endOfGrace() throws {
    _ = try ScenarioWorld.play(
      Self.inGrace + [
        ScenarioRow(
          "2025-02-25T13:00:00Z", .succeed(), "2025-02-25T13:00:00Z billing succeeds"),
        ScenarioRow(
          "2025-04-10T12:00:00Z", .wait,
          Self.anew("2025-02-26T12:00:00Z", until: "2025-03-10T12:00:00Z"),
          "2025-03-10T12:00:00Z renewed T3 silver.m 4990 until 2025-04-10T12:00:00Z;"
            + " DID_RENEW; 1",
          "2025-04-10T12:00:00Z renewed T4 silver.m 4990 until 2025-05-10T12:00:00Z;"
            + " DID_RENEW; 1"),
      ], policies: ScenarioBillingTests.grace(16))
  }

  @Test("Payments that fail again before the try leave the line where it was, to its end")
  func failsAgain() throws {
    _ = try ScenarioWorld.play(
      Self.inRetry + [
        ScenarioRow(
          "2025-03-01T00:00:00Z", .succeed(), "2025-03-01T00:00:00Z billing succeeds"),
        ScenarioRow("2025-03-01T06:00:00Z", .fail(), "2025-03-01T06:00:00Z billing fails"),
        ScenarioRow(
          "2025-12-01T00:00:00Z", .wait,
          "2025-04-11T12:00:00Z expired intent 2; EXPIRED/BILLING_RETRY; 2"),
      ])
  }

  @Test("What is set for all counts for each, but for who was told to fail")
  func forAll() throws {
    var world = try ScenarioWorld()
    try world.makeClock(Clock.defaultName, at: .at("2025-01-10T12:00:00Z"))
    try world.perform(.buy("silver.m"))
    try world.perform(.failAll(true))
    try world.advance(to: .at("2025-02-15T00:00:00Z"))
    #expect(world.newest().status(at: try .at("2025-02-15T00:00:00Z")) == .billingRetry)
    try world.perform(.failAll(false))
    #expect(
      world.state.deadline(of: 0, world.policies.terms)?.deadline.time
        == (try .at("2025-02-15T12:00:00Z")))
    try world.perform(.fail())
    #expect(world.state.deadline(of: 0, world.policies.terms)?.deadline.kind == .endRetry)
    try world.perform(.failAll(true))
    try world.perform(.succeed())
    try world.advance(to: .at("2025-02-16T00:00:00Z"))
    #expect(world.newest().transaction.purchaseDate == (try .at("2025-02-15T12:00:00Z")))
  }

  @Test(
    "The hours between two tries are a policy, and at a rate as much shorter as the retry is",
    arguments: [
      (RenewalRate.realTime, Int64(3_600_000), "2025-02-10T13:00:00Z"),
      (.realTime, 25_000_000, "2025-02-10T18:56:40Z"),
      (.monthlyRenewalEveryFiveMinutes, 86_400_000, "2025-01-10T12:05:10Z"),
      (.oneRenewalEveryTwoSeconds, 86_400_000, "2025-01-10T12:00:02.066Z"),
      (.oneRenewalEveryTwoSeconds, 60_000, "2025-01-10T12:00:02.001Z"),
    ])
  func interval(rate: RenewalRate, milliseconds: Int64, paid: String) throws {
    var policies = Policies()
    policies.renewalRate = rate
    policies.terms.billingRetryInterval = milliseconds
    var world = try ScenarioWorld(policies: policies)
    try world.makeClock(Clock.defaultName, at: .at("2025-01-10T12:00:00Z"))
    try world.perform(.buy("silver.m"))
    try world.perform(.fail())
    try world.advance(to: world.newest().transaction.expiresDate)
    try world.perform(.succeed())
    try world.advance(to: .at(paid))
    #expect(world.newest().transaction.purchaseDate == (try .at(paid)))
  }

  @Test("It is foretold, and any number of stops on the way comes to the same")
  func foretold() throws {
    func paying() throws -> ScenarioWorld {
      var world = try ScenarioWorld.play(Self.inRetry)
      try world.advance(to: .at("2025-03-01T00:00:00Z"))
      try world.perform(.succeed())
      return world
    }
    var world = try paying()
    let end = try Instant.at("2025-05-20T00:00:00Z")
    let forecast = try world.state.forecast(account: 0, until: end, policies: world.policies)
    #expect(
      forecast.events.map(\.fact.kind) == [.line(.recovered), .line(.renewed), .line(.renewed)])
    var stopping = try paying()
    for day in 1...80 {
      let stop = try Instant.at("2025-03-01T00:00:00Z").advanced(byDays: Int64(day))
      try stopping.advance(to: min(stop, end))
    }
    try world.advance(to: end)
    #expect(forecast.lines[0].line.transaction == world.newest().transaction)
    #expect(forecast.lines[0].line.renewal == world.newest().renewal)
    #expect(stopping.transactions() == world.transactions())
  }

  @Test("A member's line follows the payment, and shows when it comes")
  func family() throws {
    var world = try ScenarioWorld.play(ScenarioFamilyTests.shared)
    try world.perform(.fail())
    try world.advance(to: .at("2025-02-12T00:00:00Z"))
    try world.perform(.succeed(account: "u2"))
    #expect(world.newest(of: "u2").upcoming(world.policies.terms)?.kind == .endRetry)
    try world.perform(.succeed())
    let due = Deadline(time: try .at("2025-02-12T12:00:00Z"), kind: .retry)
    #expect(world.newest(of: "u2").upcoming(world.policies.terms) == due)
    try world.advance(to: .at("2025-02-12T12:00:00Z"))
    for account in ["u1", "u2"] {
      #expect(world.newest(of: account).transaction.purchaseDate == due.time)
      #expect(world.newest(of: account).status(at: due.time) == .active)
    }
  }

  @Test("What is not sold any more is not charged again: it ends at the try")
  func withdrawn() throws {
    _ = try ScenarioWorld.play(
      Self.inRetry + [
        ScenarioRow(
          "2025-03-01T00:00:00Z", .product(.remove("silver.m")), "removedFromSale silver.m"),
        ScenarioRow(
          "2025-03-01T00:00:00Z", .succeed(), "2025-03-01T00:00:00Z billing succeeds"),
        ScenarioRow(
          "2025-04-01T12:00:00Z", .wait,
          "2025-03-01T12:00:00Z expired intent 4; EXPIRED/PRODUCT_NOT_FOR_SALE; 2"),
      ])
  }

  @Test("Case 23: what the refusal of a second line advises is possible, and keeps the retry")
  func secondLine() throws {
    var world = try ScenarioWorld.play(Self.inRetry)
    try world.advance(to: .at("2025-02-20T12:00:00Z"))
    var reason = ""
    do {
      try world.perform(.buy("gold.m"))
    } catch {
      guard case .notPossible(.billingRetry, let text) = error else { throw error }
      reason = text
    }
    #expect(reason.contains("billing ok") && reason.contains("billing resolve"))
    try world.perform(.succeed())
    try world.perform(.buy("gold.m"))
    #expect(world.state.lines.count == 2)
    #expect(world.state.lines[0].renewal.isInBillingRetry)
    // The first line is paid by itself a day later, and both are active (Domain.md 8, case 23).
    try world.advance(to: .at("2025-02-21T12:00:00Z"))
    let now = try Instant.at("2025-02-21T12:00:00Z")
    #expect(world.state.lines.map { $0.status(at: now) } == [.active, .active])
    // The other way pays at once, and then the purchase changes the line.
    var other = try ScenarioWorld.play(Self.inRetry)
    try other.advance(to: .at("2025-02-20T12:00:00Z"))
    try other.perform(.resolve())
    try other.perform(.buy("gold.m"))
    #expect(other.state.lines.count == 1)
    #expect(other.newest().status(at: try .at("2025-02-20T12:00:00Z")) == .active)
  }

  @Test("The same product is refused in trouble with the advice that works")
  func sameProduct() throws {
    for policies in [Policies(), ScenarioBillingTests.grace(16)] {
      let start = policies.graceDays == 0 ? Self.inRetry : Self.inGrace
      var world = try ScenarioWorld.play(start, policies: policies)
      try world.perform(.succeed())
      var reason = ""
      do {
        try world.perform(.buy("silver.m"))
      } catch {
        guard case .notPossible(_, let text) = error else { throw error }
        reason = text
      }
      #expect(reason.contains("billing resolve"))
      try world.perform(.resolve())
      #expect(world.transactions().count == 2)
    }
  }
}
