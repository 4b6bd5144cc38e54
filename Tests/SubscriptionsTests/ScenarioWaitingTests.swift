import Subscriptions
import Testing

/// Ask to Buy and interrupted purchases: Domain.md 1.9 and 6.1, case 73.
@Suite("Purchases that wait")
struct ScenarioWaitingTests {
  static let t0 = "2025-01-10T12:00:00Z"
  private static let asked = [
    ScenarioRow(t0, .askToBuy(true), "askToBuy on for u1"),
    ScenarioRow(t0, .buy("monthly"), "2025-01-10T12:00:00Z pending T1 monthly askToBuy"),
  ]

  static let owned = Rejection.notPossible(
    status: nil, reason: "the account has the product by now; decline the purchase")
  static let still = Rejection.notPossible(
    status: nil,
    reason: "the account's purchases are interrupted still; turn that off first")

  @Test("Case 73: what waits gives nothing; approved after three days it is bought then")
  func approved() throws {
    let world = try ScenarioWorld.play(
      Self.asked + [
        ScenarioRow("2025-01-13T12:00:00Z", .wait),
        ScenarioRow(
          "2025-01-13T12:00:00Z", .approve(1),
          "2025-01-13T12:00:00Z purchased T2 monthly 9990 until 2025-02-13T12:00:00Z;"
            + " SUBSCRIBED/INITIAL_BUY; 1",
          "2025-01-13T12:00:00Z T1 bought"),
        ScenarioRow(
          "2025-01-13T12:00:00Z", .approve(1), "refused: transactionNotFound"),
      ])
    #expect(try world.newest().transaction.purchaseDate == .at("2025-01-13T12:00:00Z"))
    #expect(world.state.switches.pending.isEmpty)
  }

  @Test("Case 73: while it waits there is no line, no member, nothing in the history")
  func waiting() throws {
    let world = try ScenarioWorld.play(Self.asked)
    #expect(world.lineNumbers().isEmpty && world.transactions().isEmpty)
    #expect(world.state.members == 0)
    let pending = try #require(world.state.switches.pending.first)
    #expect(pending.id == Limits.firstTransactionID && pending.reason == .askToBuy)
    #expect(try pending.requestDate == .at(Self.t0))
  }

  @Test("Declined, it is gone; a product bought meanwhile is refused by the rules of then")
  func declined() throws {
    _ = try ScenarioWorld.play(
      Self.asked + [
        ScenarioRow(Self.t0, .buy("lifetime"), "2025-01-10T12:00:00Z pending T2 lifetime askToBuy"),
        ScenarioRow(Self.t0, .buy("lifetime"), "2025-01-10T12:00:00Z pending T3 lifetime askToBuy"),
        ScenarioRow("2025-01-11T00:00:00Z", .refuse(1), "2025-01-11T00:00:00Z T1 declined"),
        ScenarioRow("2025-01-11T00:00:00Z", .approve(1), "refused: transactionNotFound"),
        ScenarioRow(
          "2025-01-11T00:00:00Z", .approve(2),
          "2025-01-11T00:00:00Z purchased T4 lifetime 49990; ONE_TIME_CHARGE",
          "2025-01-11T00:00:00Z T2 bought"),
        ScenarioRow(
          "2025-01-11T00:00:00Z", .approve(3),
          "refused: \(ScenarioWaitingTests.owned)"
        ),
      ])
  }

  @Test("What is charged at once waits; a change at the next renewal does not")
  func plans() throws {
    _ = try ScenarioWorld.play([
      ScenarioRow(
        Self.t0, .buy("gold.m"),
        "2025-01-10T12:00:00Z purchased T1 gold.m 9990 until 2025-02-10T12:00:00Z;"
          + " SUBSCRIBED/INITIAL_BUY; 1"),
      ScenarioRow(Self.t0, .askToBuy(true, account: ""), "askToBuy on for all"),
      ScenarioRow(
        Self.t0, .buy("silver.m"),
        "2025-01-10T12:00:00Z planChangeScheduled T1 gold.m 9990 until 2025-02-10T12:00:00Z then"
          + " silver.m 4990; DID_CHANGE_RENEWAL_PREF/DOWNGRADE; 1"),
      ScenarioRow(
        "2025-02-10T12:00:00Z", .wait,
        "2025-02-10T12:00:00Z renewed T2 silver.m 4990 until 2025-03-10T12:00:00Z;"
          + " DID_RENEW; 1"),
      ScenarioRow(
        "2025-02-11T00:00:00Z", .buy("gold.m"),
        "2025-02-11T00:00:00Z pending T3 gold.m askToBuy"),
      ScenarioRow(
        "2025-02-12T00:00:00Z", .approve(3),
        "2025-02-12T00:00:00Z upgraded T4 gold.m 9990 until 2025-03-12T00:00:00Z;"
          + " DID_CHANGE_RENEWAL_PREF/UPGRADE; 1",
        "2025-02-12T00:00:00Z T3 bought"),
      // The account's own switch beats the one for all.
      ScenarioRow("2025-02-12T00:00:00Z", .askToBuy(false), "askToBuy off for u1"),
      ScenarioRow(
        "2025-02-12T00:00:00Z", .buy("coins"),
        "2025-02-12T00:00:00Z purchased T5 coins 990; ONE_TIME_CHARGE"),
    ])
  }

  @Test("An interrupted purchase is completed once purchases are interrupted no more")
  func interrupted() throws {
    _ = try ScenarioWorld.play([
      ScenarioRow(Self.t0, .interrupt(true), "interrupted on for u1"),
      ScenarioRow(
        Self.t0, .buy("coins", quantity: 3), "2025-01-10T12:00:00Z pending T1 coins interrupted"),
      ScenarioRow(
        Self.t0, .approve(1, .interrupted),
        "refused: \(ScenarioWaitingTests.still)"
      ),
      ScenarioRow(Self.t0, .approve(1), "refused: transactionNotFound"),
      ScenarioRow(Self.t0, .interrupt(false), "interrupted off for u1"),
      ScenarioRow(
        "2025-01-11T00:00:00Z", .approve(1, .interrupted),
        "2025-01-11T00:00:00Z purchased T2 coins 2970 x3; ONE_TIME_CHARGE",
        "2025-01-11T00:00:00Z T1 bought"),
    ])
  }

  @Test("Payments fail for all but for who was told to succeed")
  func failing() throws {
    _ = try ScenarioWorld.play([
      ScenarioRow(
        Self.t0, .buy("monthly"),
        "2025-01-10T12:00:00Z purchased T1 monthly 9990 until 2025-02-10T12:00:00Z;"
          + " SUBSCRIBED/INITIAL_BUY; 1"),
      ScenarioRow(
        Self.t0, .buy("monthly", account: "u2"),
        "2025-01-10T12:00:00Z purchased T2 monthly 9990 until 2025-02-10T12:00:00Z;"
          + " SUBSCRIBED/INITIAL_BUY; 1"),
      ScenarioRow(Self.t0, .failAll(true), "billing of all fails"),
      ScenarioRow(
        Self.t0, .succeed(account: "u2"), "2025-01-10T12:00:00Z billing succeeds"),
      ScenarioRow(
        "2025-02-10T12:00:00Z", .wait,
        "2025-02-10T12:00:00Z renewalFailed intent 2; DID_FAIL_TO_RENEW; 3",
        "2025-02-10T12:00:00Z renewed T3 monthly 9990 until 2025-03-10T12:00:00Z;"
          + " DID_RENEW; 1"),
    ])
  }

  @Test("A simulated error is of the kind that its part of StoreKit has")
  func errors() throws {
    var world = try ScenarioWorld()
    let start = world.log.count
    try world.take(.setSimulatedError(.purchase, .networkError))
    try world.take(.setSimulatedError(.purchase, .productUnavailable))
    try world.take(.setSimulatedError(.loadProducts, nil))
    #expect(world.log.count == start + 2)
    #expect(SimulatedAPI.verification.errors.first == .revokedCertificate)
    #expect(SimulatedAPI.refundRequest.errors.last == .failed)
    #expect(throws: Rejection.self) {
      try world.take(.setSimulatedError(.loadProducts, .invalidQuantity))
    }
  }
}
