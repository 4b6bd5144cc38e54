import Subscriptions
import Testing

/// Refunds and what follows them: Domain.md 8, 48 to 57, and what a test may force.
@Suite("Refunds, reversals and forced ends")
struct ScenarioRefundTests {
  /// T1 from 10 January to 10 February, T2 from then to 10 March, both paid.
  static let paid = [
    ScenarioRow(ScenarioTests.t0, .buy("silver.m"), ScenarioTests.bought),
    ScenarioRow("2025-02-20T00:00:00Z", .wait, ScenarioTests.renewed),
  ]
  static let refundedT2 = ScenarioRow(
    "2025-02-20T00:00:00Z", .refund(2),
    "2025-02-20T00:00:00Z refunded T2 silver.m 4990 refundFull 100000 reason 0 until"
      + " 2025-03-10T12:00:00Z; REFUND; 5")

  @Test("Case 48: the refund of an older period leaves the line and its renewal alone")
  func olderPeriod() throws {
    let world = try ScenarioWorld.play(
      Self.paid + [
        ScenarioRow(
          "2025-02-20T00:00:00Z", .refund(1),
          "2025-02-20T00:00:00Z refunded T1 silver.m 4990 refundFull 100000 reason 0 until"
            + " 2025-02-10T12:00:00Z; REFUND; 1"),
        ScenarioRow(
          "2025-03-10T12:00:00Z", .wait,
          "2025-03-10T12:00:00Z renewed T3 silver.m 4990 until 2025-04-10T12:00:00Z;"
            + " DID_RENEW; 1"),
      ])
    let dates = world.transactions().map { $0.revocation?.date }
    #expect(dates == [try .at("2025-02-20T00:00:00Z"), nil, nil])
    #expect(try world.status(at: "2025-03-01T00:00:00Z") == .active)
  }

  @Test("Case 49: the refund of the current period revokes at once, and nothing renews after it")
  func currentPeriod() throws {
    let world = try ScenarioWorld.play(
      Self.paid + [Self.refundedT2, ScenarioRow("2026-01-01T00:00:00Z", .wait)])
    #expect(try world.status(at: "2025-02-19T23:59:59.999Z") == .active)
    #expect(try world.status(at: "2025-02-20T00:00:00Z") == .revoked)
    #expect(try world.status(at: "2025-12-01T00:00:00Z") == .revoked)
    #expect(!Status.revoked.entitles)
    #expect(world.newest().deadline == nil)
  }

  @Test("Case 51, E20: a refund reversed within the period gives it back, renewal date and all")
  func reversedWithin() throws {
    let world = try ScenarioWorld.play(
      Self.paid + [
        Self.refundedT2,
        ScenarioRow(
          "2025-03-01T00:00:00Z", .reverse(2),
          "2025-03-01T00:00:00Z refundReversed T2 silver.m 4990 until 2025-03-10T12:00:00Z;"
            + " REFUND_REVERSED; 1"),
      ])
    #expect(world.newest().transaction.revocation == nil)
    #expect(try world.newest().renewal.renewalDate == .at("2025-03-10T12:00:00Z"))
    #expect(
      try world.newest().deadline
        == Deadline(time: .at("2025-03-10T12:00:00Z"), kind: .renew))
  }

  @Test("Case 51, E20: a refund reversed after the period leaves the line expired")
  func reversedAfter() throws {
    let world = try ScenarioWorld.play(
      Self.paid + [
        Self.refundedT2,
        ScenarioRow(
          "2025-03-20T00:00:00Z", .reverse(2),
          "2025-03-20T00:00:00Z refundReversed T2 silver.m 4990 until 2025-03-10T12:00:00Z"
            + " intent 5; REFUND_REVERSED; 2"),
        ScenarioRow("2025-12-20T00:00:00Z", .wait),
      ])
    #expect(world.newest().transaction.revocation == nil)
    #expect(try world.newest().renewal.renewalDate == .at("2025-03-10T12:00:00Z"))
    #expect(try world.status(at: "2025-03-20T00:00:00Z") == .expired)
    #expect(!world.newest().renewal.autoRenews)
    #expect(world.newest().deadline == nil)
  }

  @Test("Case 50, E19: asking turns renewal off; declined, access goes on until the period's end")
  func askedAndDeclined() throws {
    _ = try ScenarioWorld.play(
      Self.paid + [
        ScenarioRow(
          "2025-02-20T00:00:00Z", .ask(2),
          "2025-02-20T00:00:00Z refundRequested T2 silver.m 4990 until 2025-03-10T12:00:00Z;"
            + " CONSUMPTION_REQUEST; 1",
          "2025-02-20T00:00:00Z autoRenewChanged off;"
            + " DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_DISABLED; 1"),
        ScenarioRow(
          "2025-02-21T00:00:00Z", .ask(2),
          "refused: notPossible(status: nil, reason: \"a refund of the transaction is asked"
            + " for already, and not decided\")"),
        ScenarioRow(
          "2025-02-22T00:00:00Z", .decline(2),
          "2025-02-22T00:00:00Z refundDeclined T2 silver.m 4990 until 2025-03-10T12:00:00Z;"
            + " REFUND_DECLINED; 1"),
        ScenarioRow(
          "2025-02-22T00:00:00Z", .decline(2),
          "refused: notPossible(status: nil, reason: \"no refund of the transaction is asked for,"
            + " or it is decided\")"),
        ScenarioRow(
          "2025-03-10T12:00:00Z", .wait,
          "2025-03-10T12:00:00Z expired intent 1; EXPIRED/VOLUNTARY; 2"),
      ])
  }

  @Test("Cases 50, 53: declined and asked for again and granted, the transaction is refunded")
  func declinedThenGranted() throws {
    let world = try ScenarioWorld.play(
      [
        Self.paid[0],
        ScenarioRow(
          "2025-02-10T12:00:00Z", .off(), ScenarioTests.renewed,
          "2025-02-10T12:00:00Z autoRenewChanged off;"
            + " DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_DISABLED; 1"),
        ScenarioRow(
          "2025-02-18T00:00:00Z", .ask(2),
          "2025-02-18T00:00:00Z refundRequested T2 silver.m 4990 until 2025-03-10T12:00:00Z;"
            + " CONSUMPTION_REQUEST; 1"),
        ScenarioRow(
          "2025-02-18T00:00:00Z", .decline(2),
          "2025-02-18T00:00:00Z refundDeclined T2 silver.m 4990 until 2025-03-10T12:00:00Z;"
            + " REFUND_DECLINED; 1"),
        ScenarioRow(
          "2025-02-19T00:00:00Z", .ask(2),
          "2025-02-19T00:00:00Z refundRequested T2 silver.m 4990 until 2025-03-10T12:00:00Z;"
            + " CONSUMPTION_REQUEST; 1"),
        Self.refundedT2,
        ScenarioRow(
          "2025-02-20T00:00:00Z", .decline(2),
          "refused: notPossible(status: nil, reason: \"no refund of the transaction is asked for,"
            + " or it is decided\")"),
        ScenarioRow(
          "2025-02-20T00:00:00Z", .ask(2),
          "refused: notPossible(status: Optional(Subscriptions.Status.revoked), reason: "
            + "\"the transaction was refunded already, on 2025-02-20T00:00:00Z\")"),
      ])
    #expect(world.state.refundRequests.isEmpty)
  }

  @Test("Case 57: three of a consumable cost thrice its price; their refund says nothing of a line")
  func consumable() throws {
    let world = try ScenarioWorld.play([
      ScenarioRow(
        "2025-01-10T12:00:00Z", .buy("coins", quantity: 3),
        "2025-01-10T12:00:00Z purchased T1 coins 2970 x3; ONE_TIME_CHARGE"),
      ScenarioRow(
        "2025-01-11T12:00:00Z", .ask(1),
        "2025-01-11T12:00:00Z refundRequested T1 coins 2970 x3; CONSUMPTION_REQUEST"),
      ScenarioRow(
        "2025-01-12T12:00:00Z", .refund(1),
        "2025-01-12T12:00:00Z refunded T1 coins 2970 x3 refundFull 100000 reason 0; REFUND"),
      ScenarioRow(
        "2025-01-13T12:00:00Z", .buy("lifetime"),
        "2025-01-13T12:00:00Z purchased T2 lifetime 49990; ONE_TIME_CHARGE"),
      // Of consumables and subscriptions alone it is asked how much was used.
      ScenarioRow(
        "2025-01-14T12:00:00Z", .ask(2),
        "2025-01-14T12:00:00Z refundRequested T2 lifetime 49990; -"),
      ScenarioRow(
        "2025-01-14T12:00:00Z", .decline(2),
        "2025-01-14T12:00:00Z refundDeclined T2 lifetime 49990; REFUND_DECLINED"),
    ])
    #expect(world.state.members == 1)
  }

  @Test("E18: asking in the grace period cancels, and so ends the subscription")
  func askedInGrace() throws {
    var policies = Policies()
    policies.graceDays = 16
    _ = try ScenarioWorld.play(
      [
        ScenarioRow(ScenarioTests.t0, .buy("silver.m"), ScenarioTests.bought),
        ScenarioRow(ScenarioTests.t0, .fail(), "2025-01-10T12:00:00Z billing fails"),
        ScenarioRow(
          "2025-02-11T00:00:00Z", .ask(1),
          "2025-02-10T12:00:00Z renewalFailed grace until 2025-02-26T12:00:00Z intent 2;"
            + " DID_FAIL_TO_RENEW/GRACE_PERIOD; 4",
          "2025-02-11T00:00:00Z refundRequested T1 silver.m 4990 until 2025-02-10T12:00:00Z;"
            + " CONSUMPTION_REQUEST; 4",
          "2025-02-11T00:00:00Z autoRenewChanged off intent 2;"
            + " DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_DISABLED; 4",
          "2025-02-11T00:00:00Z expired intent 2; EXPIRED/VOLUNTARY; 2"),
      ], policies: policies)
  }

  @Test("E18: a period that an upgrade replaced is asked for and refunded, and the new one stays")
  func upgraded() throws {
    let world = try ScenarioWorld.play([
      ScenarioRow(ScenarioTests.t0, .buy("silver.m"), ScenarioTests.bought),
      ScenarioRow(
        "2025-01-20T12:00:00Z", .buy("gold.m"),
        "2025-01-20T12:00:00Z upgraded T2 gold.m 9990 until 2025-02-20T12:00:00Z;"
          + " DID_CHANGE_RENEWAL_PREF/UPGRADE; 1"),
      ScenarioRow(
        "2025-01-21T12:00:00Z", .refund(1),
        "2025-01-21T12:00:00Z refunded T1 silver.m 4990 refundFull 100000 reason 0 until"
          + " 2025-02-10T12:00:00Z; REFUND; 1"),
      ScenarioRow(
        "2025-02-20T12:00:00Z", .wait,
        "2025-02-20T12:00:00Z renewed T3 gold.m 9990 until 2025-03-20T12:00:00Z; DID_RENEW; 1"),
    ])
    #expect(world.transactions()[0].isUpgraded)
  }

  @Test("E20: the reversal of an older period's refund leaves the line alone")
  func reversedOlder() throws {
    let world = try ScenarioWorld.play(
      Self.paid + [
        ScenarioRow(
          "2025-02-20T00:00:00Z", .refund(1),
          "2025-02-20T00:00:00Z refunded T1 silver.m 4990 refundFull 100000 reason 0 until"
            + " 2025-02-10T12:00:00Z; REFUND; 1"),
        ScenarioRow(
          "2025-02-21T00:00:00Z", .reverse(1),
          "2025-02-21T00:00:00Z refundReversed T1 silver.m 4990 until 2025-02-10T12:00:00Z;"
            + " REFUND_REVERSED; 1"),
        ScenarioRow(
          "2025-03-10T12:00:00Z", .wait,
          "2025-03-10T12:00:00Z renewed T3 silver.m 4990 until 2025-04-10T12:00:00Z;"
            + " DID_RENEW; 1"),
      ])
    #expect(world.transactions().allSatisfy { $0.revocation == nil })
  }

  @Test("Cases 52, 53: a refund names the same transaction; a second one is refused")
  func sameTransaction() throws {
    var world = try ScenarioWorld.play(Self.paid + [Self.refundedT2])
    #expect {
      try world.perform(.refund(2))
    } throws: { error in
      guard case .notPossible(status: .revoked, _)? = error as? Rejection else { return false }
      return true
    }
    #expect(world.transactions().count == 2)
    #expect(world.transactions()[1].revocation?.type == .refundFull)
    #expect(throws: Rejection.self) { try world.perform(.reverse(1)) }
    #expect(throws: Rejection.transactionNotFound) { try world.perform(.refund(7)) }
  }

  @Test("Case 55, E18: a refund in part revokes like one in full, and says its share")
  func prorated() throws {
    let world = try ScenarioWorld.play(
      Self.paid + [
        ScenarioRow(
          "2025-02-20T00:00:00Z", .refund(2, percentage: 50, reason: 1),
          "2025-02-20T00:00:00Z refunded T2 silver.m 4990 refundProrated 50000 reason 1 until"
            + " 2025-03-10T12:00:00Z; REFUND; 5")
      ])
    #expect(try world.status(at: "2025-02-20T00:00:00Z") == .revoked)
  }

  static let senseless: [(percentage: Int64, reason: Int64)] = [
    (0, 0), (101, 0), (-1, 0), (Int64.max, 0), (50, 2), (50, -1), (50, 256),
  ]

  @Test(
    "E18: shares and reasons that are none are refused, and change nothing", arguments: senseless)
  func senselessShares(percentage: Int64, reason: Int64) throws {
    var world = try ScenarioWorld.play(Self.paid)
    let before = world.log.count
    #expect {
      try world.perform(.refund(2, percentage: percentage, reason: reason))
    } throws: { error in
      guard case .invalidParameter? = error as? Rejection else { return false }
      return true
    }
    #expect(world.log.count == before)
  }

  @Test("Case 56: bought again after a refund, the line lives by its new transaction")
  func repurchase() throws {
    let world = try ScenarioWorld.play(
      Self.paid + [
        Self.refundedT2,
        ScenarioRow(
          "2025-02-25T00:00:00Z", .buy("silver.m"),
          "2025-02-25T00:00:00Z purchased T3 silver.m 4990 until 2025-03-25T00:00:00Z;"
            + " SUBSCRIBED/RESUBSCRIBE; 1"),
        ScenarioRow(
          "2025-03-25T00:00:00Z", .wait,
          "2025-03-25T00:00:00Z renewed T4 silver.m 4990 until 2025-04-25T00:00:00Z;"
            + " DID_RENEW; 1"),
      ])
    #expect(try world.status(at: "2025-02-25T00:00:00Z") == .active)
    #expect(world.newest().transaction.originalID == Limits.firstTransactionID)
    #expect(world.transactions().map { $0.revocation != nil } == [false, true, false, false])
  }

  @Test("Case 56: reversing the old refund meanwhile does not touch the new period")
  func repurchaseThenReversal() throws {
    let world = try ScenarioWorld.play(
      Self.paid + [
        Self.refundedT2,
        ScenarioRow(
          "2025-02-25T00:00:00Z", .buy("silver.m"),
          "2025-02-25T00:00:00Z purchased T3 silver.m 4990 until 2025-03-25T00:00:00Z;"
            + " SUBSCRIBED/RESUBSCRIBE; 1"),
        ScenarioRow(
          "2025-03-15T00:00:00Z", .reverse(2),
          "2025-03-15T00:00:00Z refundReversed T2 silver.m 4990 until 2025-03-10T12:00:00Z;"
            + " REFUND_REVERSED; 1"),
      ])
    #expect(world.newest().renewal.autoRenews)
    #expect(
      try world.newest().deadline
        == Deadline(time: .at("2025-03-25T00:00:00Z"), kind: .renew))
  }

  @Test("A forced renewal ends the period now, begins the next and turns renewal on")
  func forcedRenewal() throws {
    let world = try ScenarioWorld.play([
      ScenarioRow(ScenarioTests.t0, .buy("silver.m"), ScenarioTests.bought),
      ScenarioRow(
        "2025-01-15T00:00:00Z", .off(),
        "2025-01-15T00:00:00Z autoRenewChanged off;"
          + " DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_DISABLED; 1"),
      ScenarioRow(
        "2025-01-31T06:00:00Z", .renew(),
        "2025-01-31T06:00:00Z renewed T2 silver.m 4990 until 2025-02-28T06:00:00Z; DID_RENEW; 1"),
      ScenarioRow(
        "2025-04-01T00:00:00Z", .wait,
        "2025-02-28T06:00:00Z renewed T3 silver.m 4990 until 2025-03-31T06:00:00Z; DID_RENEW; 1",
        "2025-03-31T06:00:00Z renewed T4 silver.m 4990 until 2025-04-30T06:00:00Z; DID_RENEW; 1"),
    ])
    #expect(try world.transactions()[0].expiresDate == .at("2025-01-31T06:00:00Z"))
    #expect(world.newest().renewal.autoRenews)
  }

  @Test("Forced at the very end of a period whose payment failed, the months count from there")
  func forcedAtTheEnd() throws {
    _ = try ScenarioWorld.play([
      ScenarioRow(
        "2025-01-31T12:00:00Z", .buy("silver.m"),
        "2025-01-31T12:00:00Z purchased T1 silver.m 4990 until 2025-02-28T12:00:00Z;"
          + " SUBSCRIBED/INITIAL_BUY; 1"),
      ScenarioRow("2025-01-31T12:00:00Z", .fail(), "2025-01-31T12:00:00Z billing fails"),
      ScenarioRow(
        "2025-02-28T12:00:00Z", .renew(),
        "2025-02-28T12:00:00Z renewalFailed intent 2; DID_FAIL_TO_RENEW; 3",
        "2025-02-28T12:00:00Z renewed T2 silver.m 4990 until 2025-03-28T12:00:00Z; DID_RENEW; 1"),
      ScenarioRow("2025-02-28T12:00:00Z", .succeed(), "2025-02-28T12:00:00Z billing succeeds"),
      ScenarioRow(
        "2025-03-28T12:00:00Z", .wait,
        "2025-03-28T12:00:00Z renewed T3 silver.m 4990 until 2025-04-28T12:00:00Z; DID_RENEW; 1"),
    ])
  }

  @Test("A forced expiry ends the period now, with renewal off")
  func forcedExpiry() throws {
    let world = try ScenarioWorld.play([
      ScenarioRow(ScenarioTests.t0, .buy("silver.m"), ScenarioTests.bought),
      ScenarioRow(
        "2025-01-15T00:00:00Z", .expire(),
        "2025-01-15T00:00:00Z expired T1 silver.m 4990 until 2025-01-15T00:00:00Z intent 1;"
          + " EXPIRED/VOLUNTARY; 2"),
      ScenarioRow("2025-06-15T00:00:00Z", .wait),
    ])
    #expect(!world.newest().renewal.autoRenews)
    #expect(try world.status(at: "2025-01-15T00:00:00Z") == .expired)
    #expect(try world.transactions()[0].expiresDate == .at("2025-01-15T00:00:00Z"))
  }
}
