import Subscriptions
import Testing

/// Cases of Domain.md 8 that no other table shows: what an answer to a client rests on.
@Suite("What a client's answers rest on")
struct ScenarioCaseTests {
  private static let t0 = ScenarioTests.t0

  /// What gives access at a moment: lines by their status, never by their newest period's end.
  private func granting(
    _ world: ScenarioWorld, _ account: String, at text: String
  ) throws -> [Int] {
    let now = try Instant.at(text)
    let lines = world.lineNumbers(of: account).map { world.state.lines[Int($0)] }
    return lines.indices.filter { lines[$0].status(at: now).entitles }
  }

  @Test("Case 7: a period of thirty seconds is whole on a clock that stands, and renews at its end")
  func thirtySeconds() throws {
    let world = try ScenarioWorld.play([
      ScenarioRow(
        Self.t0, .rate(.monthlyRenewalEveryThirtySeconds), "rate monthlyRenewalEveryThirtySeconds"),
      ScenarioRow(
        Self.t0, .buy("silver.m"),
        "2025-01-10T12:00:00Z purchased T1 silver.m 4990 until 2025-01-10T12:00:30Z;"
          + " SUBSCRIBED/INITIAL_BUY; 1"),
      ScenarioRow("2025-01-10T12:00:29.999Z", .wait),
      ScenarioRow(
        "2025-01-10T12:00:30Z", .wait,
        "2025-01-10T12:00:30Z renewed T2 silver.m 4990 until 2025-01-10T12:01:00Z; DID_RENEW; 1"),
    ])
    #expect(world.transactions().allSatisfy { $0.purchaseDate < $0.expiresDate })
    #expect(try world.status(at: "2025-01-10T12:00:59.999Z") == .active)
  }

  @Test("Case 54: of two subscriptions that grant the same, one refunded leaves the other's grant")
  func twoGrants() throws {
    let world = try ScenarioWorld.play([
      ScenarioRow(Self.t0, .buy("silver.m"), ScenarioTests.bought),
      ScenarioRow(
        Self.t0, .buy("monthly"),
        "2025-01-10T12:00:00Z purchased T2 monthly 9990 until 2025-02-10T12:00:00Z;"
          + " SUBSCRIBED/INITIAL_BUY; 1"),
      ScenarioRow(
        "2025-01-15T00:00:00Z", .refund(1),
        "2025-01-15T00:00:00Z refunded T1 silver.m 4990 refundFull 100000 reason 0 until"
          + " 2025-02-10T12:00:00Z; REFUND; 5"),
      ScenarioRow(
        "2025-02-10T12:00:00Z", .wait,
        "2025-02-10T12:00:00Z renewed T3 monthly 9990 until 2025-03-10T12:00:00Z; DID_RENEW; 1"),
    ])
    #expect(try granting(world, "u1", at: "2025-01-15T00:00:00Z") == [1])
    #expect(world.state.accounts[world.account(Array("u1".utf8))].grants == 1)
  }

  @Test("Case 61: an old expired line stands first, and the shared one after it gives access")
  func expiredFirst() throws {
    let world = try ScenarioWorld.play([
      ScenarioRow(
        Self.t0, .buy("solo.m", account: "u2"),
        "2025-01-10T12:00:00Z purchased T1 solo.m 7990 until 2025-02-10T12:00:00Z;"
          + " SUBSCRIBED/INITIAL_BUY; 1"),
      ScenarioRow(
        "2025-01-11T00:00:00Z", .off(account: "u2"),
        "2025-01-11T00:00:00Z autoRenewChanged off;"
          + " DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_DISABLED; 1"),
      ScenarioRow(
        "2025-02-15T00:00:00Z", .buy("family.m"),
        "2025-02-10T12:00:00Z expired intent 1; EXPIRED/VOLUNTARY; 2",
        "2025-02-15T00:00:00Z purchased T2 family.m 14990 until 2025-03-15T00:00:00Z;"
          + " SUBSCRIBED/INITIAL_BUY; 1"),
      ScenarioRow(
        "2025-02-16T00:00:00Z", .share(with: "u2"), "2025-02-16T00:00:00Z sharing with u2",
        "2025-02-16T00:00:00Z shared T3 family.m 0 shared until 2025-03-15T00:00:00Z;"
          + " SUBSCRIBED/INITIAL_BUY; 1"),
    ])
    let now = try Instant.at("2025-02-16T00:00:00Z")
    let lines = world.lineNumbers(of: "u2").map { world.state.lines[Int($0)] }
    #expect(lines.map { $0.status(at: now) } == [.expired, .active])
    #expect(lines.map(\.transaction.ownership) == [.purchased, .familyShared])
    #expect(try granting(world, "u2", at: "2025-02-16T00:00:00Z") == [1])
  }

  @Test("Cases 63, 64: in grace what is over entitles; in retry it does not, and is there still")
  func graceAndRetry() throws {
    let world = try ScenarioWorld.play(
      [
        ScenarioRow(Self.t0, .buy("silver.m"), ScenarioTests.bought),
        ScenarioRow(Self.t0, .fail(), "2025-01-10T12:00:00Z billing fails"),
        ScenarioRow(
          "2025-02-26T12:00:00Z", .wait,
          "2025-02-10T12:00:00Z renewalFailed grace until 2025-02-26T12:00:00Z intent 2;"
            + " DID_FAIL_TO_RENEW/GRACE_PERIOD; 4",
          "2025-02-26T12:00:00Z graceEnded intent 2; GRACE_PERIOD_EXPIRED; 3"),
      ], policies: ScenarioBillingTests.grace(16))
    #expect(world.newest().transaction.expiresDate.rfc3339 == "2025-02-10T12:00:00Z")
    #expect(try granting(world, "u1", at: "2025-02-20T00:00:00Z") == [0])
    #expect(try granting(world, "u1", at: "2025-02-26T12:00:00Z") == [])
    #expect(world.transactions().map(\.id) == [Limits.firstTransactionID])
  }

  @Test("Cases 66, 67, 69: what is not finished stays so, renewals of a closed app's too")
  func unfinished() throws {
    let world = try ScenarioWorld.play([
      ScenarioRow(Self.t0, .buy("silver.m"), ScenarioTests.bought),
      ScenarioRow("2025-02-20T00:00:00Z", .wait, ScenarioTests.renewed),
      ScenarioRow(
        "2025-03-20T00:00:00Z", .finish(1),
        "2025-03-10T12:00:00Z renewed T3 silver.m 4990 until 2025-04-10T12:00:00Z; DID_RENEW; 1",
        "2025-03-20T00:00:00Z finished T1"),
      // Finished already: nothing happens, and nothing is refused.
      ScenarioRow("2025-03-20T00:00:00Z", .finish(1)),
    ])
    #expect(world.transactions().map(\.isFinished) == [true, false, false])
  }

  @Test("Case 68: an active subscription is not sold twice, whether it is finished or not")
  func soldOnce() throws {
    _ = try ScenarioWorld.play([
      ScenarioRow(Self.t0, .buy("silver.m"), ScenarioTests.bought),
      ScenarioRow("2025-01-11T00:00:00Z", .buy("silver.m"), "refused: alreadySubscribed"),
      ScenarioRow("2025-01-11T00:00:00Z", .finish(1), "2025-01-11T00:00:00Z finished T1"),
      ScenarioRow("2025-01-11T00:00:00Z", .buy("silver.m"), "refused: alreadySubscribed"),
    ])
  }

  @Test("Case 70: turning renewal off and on brings no transaction, so only a status is news")
  func noTransaction() throws {
    let world = try ScenarioWorld.play([
      ScenarioRow(Self.t0, .buy("silver.m"), ScenarioTests.bought),
      ScenarioRow(
        "2025-01-11T00:00:00Z", .off(),
        "2025-01-11T00:00:00Z autoRenewChanged off;"
          + " DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_DISABLED; 1"),
      ScenarioRow(
        "2025-01-12T00:00:00Z", .on(),
        "2025-01-12T00:00:00Z autoRenewChanged on;"
          + " DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_ENABLED; 1"),
    ])
    let changes = world.log.filter { $0.fact.kind == .line(.autoRenewChanged) }
    #expect(changes.count == 2)
    for case .line(_, let fact) in changes.map(\.fact) { #expect(fact.transaction == nil) }
  }

  @Test("Case 71: what is not sold is told apart from what is misspelt, with the nearest names")
  func unknownProducts() throws {
    let world = try ScenarioWorld.play([
      ScenarioRow(
        Self.t0, .buy("silver"),
        "refused: productNotFound(productID: \"silver\", nearest: [\"silver.m\", \"silver.y\","
          + " \"silver.m2\"])"),
      ScenarioRow(
        Self.t0, .buy("unheard.of"),
        "refused: productNotFound(productID: \"unheard.of\", nearest: [])"),
      ScenarioRow(Self.t0, .product(.remove("gold.y")), "removedFromSale gold.y"),
      // It is known, and sold no more.
      ScenarioRow(
        Self.t0, .buy("gold.y"),
        "refused: productNotFound(productID: \"gold.y\", nearest: [\"gold.y\"])"),
    ])
    #expect(world.state.accounts.count == 0)
  }

  @Test("Case 72: two users of one app behind one account are one line, each with their own token")
  func twoUsers() throws {
    var world = try ScenarioWorld.play([ScenarioRow(Self.t0, .wait)])
    func buy(_ product: String, token: UInt64) throws {
      let key = Array("u1".utf8)
      let token = UUIDBits(high: token, low: token)
      try world.ask(
        .purchase(PurchaseCommand(account: key, productID: product, token: token)), as: key)
    }
    try buy("silver.m", token: 1)
    try world.advance(to: .at("2025-01-20T12:00:00Z"))
    try buy("gold.m", token: 2)
    #expect(world.lineNumbers().count == 1)
    #expect(Set(world.transactions().map(\.originalID)).count == 1)
    let held = world.transactions().map { world.state.token($0.token, of: 0)?.low }
    #expect(held == [1, 2])
  }

  @Test("Each notification says its type, and only the summary of all extended has no transaction")
  func payloads() {
    for notification in Notification.allCases {
      #expect((notification.payload == nil) == (notification == .none))
      #expect((notification.payload == .summary) == (notification == .extensionSummary))
      #expect(notification.subtype == nil || notification.type != nil)
    }
    let summed = ProductKind.allCases.filter { $0.productNotification != .none }
    #expect(summed == [.massExtensionCompleted])
  }
}
