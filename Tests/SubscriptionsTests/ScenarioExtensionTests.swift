import Subscriptions
import Testing

/// Renewal dates moved: Domain.md 1.3 E22 and E22b, 1.11, 8.82 and 8.83; Domain.md B14.
@Suite("Renewal extensions")
struct ScenarioExtensionTests {
  private static let t0 = ScenarioTests.t0
  private static let bought = ScenarioRow(t0, .buy("silver.m"), ScenarioTests.bought)

  private static func refused(_ status: Status, _ reason: String) -> String {
    "refused: notPossible(status: Optional(\(String(reflecting: status))), reason: \"\(reason)\")"
  }

  @Test("Case 82, E22: ten days later it ends, renews, and goes on from there; a third is refused")
  func extended() throws {
    let world = try ScenarioWorld.play(
      [
        Self.bought,
        ScenarioRow(
          "2025-01-20T00:00:00Z", .product(.extend(10)),
          "2025-01-20T00:00:00Z renewalExtended T1 silver.m 4990 until 2025-02-20T12:00:00Z;"
            + " RENEWAL_EXTENDED; 1"),
        ScenarioRow(
          "2025-02-19T00:00:00Z", .product(.extend(1, reason: 3)),
          "2025-02-19T00:00:00Z renewalExtended T1 silver.m 4990 until 2025-02-21T12:00:00Z;"
            + " RENEWAL_EXTENDED; 1"),
        ScenarioRow(
          "2025-02-21T12:00:00Z", .product(.extend(10)),
          "2025-02-21T12:00:00Z renewed T2 silver.m 4990 until 2025-03-21T12:00:00Z; DID_RENEW; 1",
          Self.refused(.active, "the subscription was extended twice in the last 365 days")),
        ScenarioRow("2026-01-19T23:59:59.999Z", .off()),
      ].dropLast() + [])
    #expect(world.newest().renewal.renewalDate == (try .at("2025-03-21T12:00:00Z")))
    #expect(world.transactions().map(\.id).count == 2)
  }

  @Test("Case 82: 365 days after the first of two, the next one is allowed")
  func windowPasses() throws {
    var world = try ScenarioWorld.play([ScenarioRow(Self.t0, .wait)])
    try world.perform(.buy("gold.y"))
    try world.perform(.product(.extend(90)))
    try world.perform(.product(.extend(90)))
    try world.advance(to: .at("2026-01-10T11:59:59.999Z"))
    #expect(throws: Rejection.self) { try world.perform(.product(.extend(1))) }
    try world.advance(to: .at("2026-01-10T12:00:00Z"))
    try world.perform(.product(.extend(1)))
    #expect(world.newest().transaction.expiresDate == (try .at("2026-07-10T12:00:00Z")))
  }

  @Test("A month end that was the anchor is so no more: later periods count from the new end")
  func anchor() throws {
    _ = try ScenarioWorld.play([
      ScenarioRow(
        "2025-01-31T12:00:00Z", .buy("silver.m"),
        "2025-01-31T12:00:00Z purchased T1 silver.m 4990 until 2025-02-28T12:00:00Z;"
          + " SUBSCRIBED/INITIAL_BUY; 1"),
      ScenarioRow(
        "2025-02-01T00:00:00Z", .product(.extend(2)),
        "2025-02-01T00:00:00Z renewalExtended T1 silver.m 4990 until 2025-03-02T12:00:00Z;"
          + " RENEWAL_EXTENDED; 1"),
      ScenarioRow(
        "2025-04-02T12:00:00Z", .wait,
        "2025-03-02T12:00:00Z renewed T2 silver.m 4990 until 2025-04-02T12:00:00Z; DID_RENEW; 1",
        "2025-04-02T12:00:00Z renewed T3 silver.m 4990 until 2025-05-02T12:00:00Z; DID_RENEW; 1"),
    ])
  }

  @Test(
    "Case 82: refused in a trial, a grace period, retry, and after the end",
    arguments: [
      (
        "trial.m", "2025-01-12T00:00:00Z", Status.active,
        "the subscription is in a free offer period"
      ),
      (
        "silver.m", "2025-02-11T00:00:00Z", .gracePeriod,
        "the subscription is in its grace period, and its own is over"
      ),
      ("silver.m", "2025-02-27T00:00:00Z", .billingRetry, "the subscription is in billing retry"),
      ("silver.m", "2025-06-01T00:00:00Z", .expired, "the subscription is expired"),
    ])
  func refusals(product: String, at: String, status: Status, reason: String) throws {
    var policies = Policies()
    policies.graceDays = 16
    var world = try ScenarioWorld(policies: policies)
    try world.makeClock(Clock.defaultName, at: .at(Self.t0))
    try world.perform(.buy(product))
    try world.perform(.fail())
    try world.advance(to: .at(at))
    let before = world.log.count
    #expect(throws: Rejection.notPossible(status: status, reason: reason)) {
      try world.perform(.product(.extend(10)))
    }
    #expect(world.log.count == before)
  }

  @Test("A refunded one is refused; one that will not renew is extended, and ends later")
  func others() throws {
    _ = try ScenarioWorld.play([
      Self.bought,
      ScenarioRow(
        "2025-01-12T00:00:00Z", .off(),
        "2025-01-12T00:00:00Z autoRenewChanged off;"
          + " DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_DISABLED; 1"),
      ScenarioRow(
        "2025-01-13T00:00:00Z", .product(.extend(1)),
        "2025-01-13T00:00:00Z renewalExtended T1 silver.m 4990 until 2025-02-11T12:00:00Z;"
          + " RENEWAL_EXTENDED; 1"),
      ScenarioRow(
        "2025-02-11T12:00:00Z", .wait,
        "2025-02-11T12:00:00Z expired intent 1; EXPIRED/VOLUNTARY; 2"),
    ])
    var world = try ScenarioWorld.play(ScenarioRefundTests.paid + [ScenarioRefundTests.refundedT2])
    #expect(throws: Rejection.notPossible(status: .revoked, reason: "the subscription is refunded"))
    {
      try world.perform(.product(.extend(1)))
    }
  }

  @Test(
    "Case 82: days and reasons that are none",
    arguments: [
      (Int64(0), Int64(0)), (91, 0), (-1, 0), (.max, 0), (10, 4), (10, -1),
    ])
  func senseless(days: Int64, reason: Int64) throws {
    var world = try ScenarioWorld.play([Self.bought])
    #expect {
      try world.perform(.product(.extend(days, reason: reason)))
    } throws: { error in
      guard case .invalidParameter? = error as? Rejection else { return false }
      return true
    }
  }

  @Test("E22b: each line is told, those that cannot be extended too, and a summary comes last")
  func everybody() throws {
    _ = try ScenarioWorld.play([
      Self.bought,
      ScenarioRow(
        Self.t0, .buy("trial.m", account: "u2"),
        "2025-01-10T12:00:00Z purchased T2 trial.m 0 freeTrial P1W until 2025-01-17T12:00:00Z;"
          + " SUBSCRIBED/INITIAL_BUY; 1"),
      ScenarioRow(
        "2025-01-12T12:00:00Z", .product(.extendAll("silver.m", 5)),
        "massExtensionStarted silver.m",
        "2025-01-12T12:00:00Z renewalExtended T1 silver.m 4990 until 2025-02-15T12:00:00Z;"
          + " RENEWAL_EXTENDED; 1",
        "massExtensionCompleted silver.m 1 of 1; RENEWAL_EXTENSION/SUMMARY"),
      ScenarioRow(
        "2025-01-12T12:00:00Z", .product(.extendAll("trial.m", 5, id: "E2")),
        "massExtensionStarted trial.m",
        "2025-01-12T12:00:00Z extensionFailed; RENEWAL_EXTENSION/FAILURE; 1",
        "massExtensionCompleted trial.m 0 of 1; RENEWAL_EXTENSION/SUMMARY"),
    ])
  }

  @Test("Case 83: the same identifier again changes nothing, whatever else is said with it")
  func again() throws {
    var world = try ScenarioWorld.play([Self.bought])
    try world.perform(.product(.extendAll("silver.m", 5)))
    let before = world.log.count
    try world.perform(.product(.extendAll("silver.m", 7)))
    #expect(world.log.count == before)
    #expect(world.newest().transaction.expiresDate == (try .at("2025-02-15T12:00:00Z")))
    #expect(world.state.massExtensions["E1"]?.succeeded == 1)
  }

  @Test("Only the storefronts named are meant, and none that is unknown")
  func storefronts() throws {
    var world = try ScenarioWorld.play([Self.bought])
    try world.perform(.product(.extendAll("silver.m", 5, storefronts: ["DEU", "FRA"])))
    #expect(world.newest().transaction.expiresDate == (try .at("2025-02-10T12:00:00Z")))
    try world.perform(.product(.extendAll("silver.m", 5, id: "E2", storefronts: ["DEU", "USA"])))
    #expect(world.newest().transaction.expiresDate == (try .at("2025-02-15T12:00:00Z")))
    for wrong in [[], ["XX"]] {
      #expect(throws: Rejection.self) {
        try world.perform(.product(.extendAll("silver.m", 5, id: "E3", storefronts: wrong)))
      }
    }
  }

  @Test(
    "Case 62: members are extended with the purchaser, alone or with all, and not by themselves")
  func family() throws {
    let world = try ScenarioWorld.play(
      ScenarioFamilyTests.shared + [
        ScenarioRow(
          "2025-01-25T00:00:00Z", .product(.extend(10)),
          "2025-01-25T00:00:00Z renewalExtended T1 family.m 14990 until 2025-02-20T12:00:00Z;"
            + " RENEWAL_EXTENDED; 1",
          "2025-01-25T00:00:00Z renewalExtended T2 family.m 0 shared until 2025-02-20T12:00:00Z;"
            + " RENEWAL_EXTENDED; 1"),
        ScenarioRow(
          "2025-01-26T00:00:00Z", .product(.extend(10), account: "u2"),
          Self.refused(
            .active,
            "a family member\\'s subscription is extended with the purchaser\\'s, and not by itself"
          )),
        ScenarioRow(
          "2025-01-27T00:00:00Z", .product(.extendAll("family.m", 1)),
          "massExtensionStarted family.m",
          "2025-01-27T00:00:00Z renewalExtended T1 family.m 14990 until 2025-02-21T12:00:00Z;"
            + " RENEWAL_EXTENDED; 1",
          "2025-01-27T00:00:00Z renewalExtended T2 family.m 0 shared until 2025-02-21T12:00:00Z;"
            + " RENEWAL_EXTENDED; 1",
          "massExtensionCompleted family.m 1 of 1; RENEWAL_EXTENSION/SUMMARY"),
        ScenarioRow(
          "2025-02-21T12:00:00Z", .wait,
          "2025-02-21T12:00:00Z renewed T3 family.m 14990 until 2025-03-21T12:00:00Z;"
            + " DID_RENEW; 1",
          "2025-02-21T12:00:00Z renewed T4 family.m 0 shared until 2025-03-21T12:00:00Z;"
            + " DID_RENEW; 1"),
      ])
    #expect(world.state.extensions[world.lineNumbers(of: "u2")[0]]?.count == 2)
  }

  @Test("What has ended is not meant by a mass extension")
  func ended() throws {
    var world = try ScenarioWorld.play([Self.bought])
    try world.perform(.expire())
    try world.perform(.product(.extendAll("silver.m", 5)))
    #expect(world.state.massExtensions["E1"].map { $0.succeeded + $0.failed } == 0)
  }

  @Test("A sweep goes on behind the last line told when its log is read again")
  func resumed() throws {
    var world = try ScenarioWorld.play([ScenarioRow(Self.t0, .wait)])
    for number in 0..<5 { try world.perform(.buy("silver.m", account: "u\(number)")) }
    try world.take(
      .extendAll(productID: "silver.m", days: 3, reason: 0, identifier: "E1", storefronts: nil))
    for _ in 0..<2 {
      let step = world.state.decideSweepStep(atMost: 9, policies: world.policies)
      world.append(Event(try #require(step?.event)))
    }
    let folded = State()
    for (index, event) in world.log.enumerated() { folded.apply(event, position: UInt64(index)) }
    #expect(folded.fingerprint == world.state.fingerprint)
    var bytes: [UInt8] = []
    folded.encodeSnapshot(into: &bytes)
    let read = try #require(bytes.withUnsafeBytes { State(snapshot: $0) })
    #expect(read.fingerprint == folded.fingerprint)
    #expect(read.sweeps.first?.nextLine == 2 && read.sweeps.first?.fact.succeeded == 2)
    world.commit([], account: Array("u0".utf8))
    #expect(world.state.sweeps.isEmpty)
    #expect(world.state.massExtensions["E1"]?.succeeded == 5)
    #expect(
      world.state.lines.allSatisfy {
        $0.transaction.expiresDate == world.newest(of: "u0").transaction.expiresDate
      })
  }
}
