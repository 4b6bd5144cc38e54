import Testing

@testable import Subscriptions

/// Restores: Domain.md 8, 35 and 36, and 7 (SKPaymentQueue).
@Suite("Restores under new transaction ids")
struct ScenarioRestoreTests {
  private static let restoredT2 =
    "2025-02-20T00:00:00Z restored T3 silver.m 4990 until 2025-03-10T12:00:00Z; -; 1"

  /// `2025-02-20T00:00:00Z refund -4990 T3 = 4990`
  private static func ledger(_ world: ScenarioWorld, of account: AccountNumber = 0) -> [String] {
    var ledger = Ledger()
    for event in world.log where event.fact.account == account {
      ledger.apply(event, sequence: nil)
    }
    return ledger.entries.map {
      "\($0.at.rfc3339) \($0.kind) \($0.amount) T\(Self.number($0.transactionID)) = \($0.balance)"
    }
  }

  private static func number(_ id: UInt64) -> UInt64 {
    id - Limits.firstTransactionID + 1
  }

  private static func id(_ number: UInt64) -> UInt64 {
    Limits.firstTransactionID + number - 1
  }

  /// Plays the rows but the last one, and gives the newest line before and after that.
  private static func lines(
    _ rows: [ScenarioRow], policies: Policies = Policies()
  ) throws -> (before: Line, after: Line, world: ScenarioWorld) {
    var world = try ScenarioWorld.play(Array(rows.dropLast()), policies: policies)
    let before = world.newest()
    let last = rows[rows.count - 1]
    #expect(try world.play(last) == last.expected)
    return (before, world.newest(), world)
  }

  @Test("Case 35: a restore gives the newest period another id, and changes nothing else of it")
  func anotherID() throws {
    let (before, after, world) = try Self.lines(
      ScenarioRefundTests.paid + [
        ScenarioRow("2025-02-20T00:00:00Z", .restore(), Self.restoredT2)
      ])
    #expect(after.transaction.id == Self.id(3))
    #expect(after.transaction.originalID == Self.id(1))
    #expect(after.transaction.webOrderLineItemID == before.transaction.webOrderLineItemID)
    var wanted = before
    wanted.transaction.id = Self.id(3)
    wanted.transaction.signedDate = try .at("2025-02-20T00:00:00Z")
    #expect(after == wanted)
    #expect(world.state.members == 1)
    // What was sold, each thing once, under its newest id.
    #expect(world.transactions().map(\.id) == [Self.id(1), Self.id(3)])
  }

  @Test("Case 35: a delivered period is to be delivered anew")
  func unfinished() throws {
    let world = try ScenarioWorld.play(
      ScenarioRefundTests.paid + [
        ScenarioRow("2025-02-20T00:00:00Z", .finish(2), "2025-02-20T00:00:00Z finished T2"),
        ScenarioRow("2025-02-20T00:00:00Z", .restore(), Self.restoredT2),
      ])
    #expect(!world.newest().transaction.isFinished)
    #expect(world.transactions().map(\.isFinished) == [false, false])
  }

  @Test("Case 35: revenue is not counted twice, and a refund gives back what was paid once")
  func money() throws {
    let world = try ScenarioWorld.play(
      ScenarioRefundTests.paid + [
        ScenarioRow("2025-02-20T00:00:00Z", .restore(), Self.restoredT2),
        ScenarioRow(
          "2025-02-21T00:00:00Z", .refund(2),
          "2025-02-21T00:00:00Z refunded T3 silver.m 4990 refundFull 100000 reason 0 until"
            + " 2025-03-10T12:00:00Z; REFUND; 5"),
        ScenarioRow(
          "2025-02-22T00:00:00Z", .reverse(2),
          "2025-02-22T00:00:00Z refundReversed T3 silver.m 4990 until 2025-03-10T12:00:00Z;"
            + " REFUND_REVERSED; 1"),
      ])
    #expect(
      Self.ledger(world) == [
        "2025-01-10T12:00:00Z charge 4990 T1 = 4990",
        "2025-02-10T12:00:00Z charge 4990 T2 = 9980",
        "2025-02-21T00:00:00Z refund -4990 T3 = 4990",
        "2025-02-22T00:00:00Z reversal 4990 T3 = 9980",
      ])
  }

  @Test("Case 36: each id that a period ever had names it, restored twice and renewed since")
  func names() throws {
    let world = try ScenarioWorld.play([
      ScenarioRow(ScenarioTests.t0, .buy("silver.m"), ScenarioTests.bought),
      ScenarioRow(
        "2025-01-11T00:00:00Z", .restore(),
        "2025-01-11T00:00:00Z restored T2 silver.m 4990 until 2025-02-10T12:00:00Z; -; 1"),
      ScenarioRow(
        "2025-01-12T00:00:00Z", .restore(),
        "2025-01-12T00:00:00Z restored T3 silver.m 4990 until 2025-02-10T12:00:00Z; -; 1"),
      ScenarioRow("2025-01-13T00:00:00Z", .finish(1), "2025-01-13T00:00:00Z finished T3"),
      ScenarioRow("2025-01-13T00:00:00Z", .finish(2)),
      ScenarioRow(
        "2025-02-11T00:00:00Z", .refund(2),
        "2025-02-10T12:00:00Z renewed T4 silver.m 4990 until 2025-03-10T12:00:00Z; DID_RENEW; 1",
        "2025-02-11T00:00:00Z refunded T3 silver.m 4990 refundFull 100000 reason 0 until"
          + " 2025-02-10T12:00:00Z; REFUND; 1"),
      ScenarioRow(
        "2025-02-12T00:00:00Z", .reverse(1),
        "2025-02-12T00:00:00Z refundReversed T3 silver.m 4990 until 2025-02-10T12:00:00Z;"
          + " REFUND_REVERSED; 1"),
    ])
    let history = world.history(of: 0)
    let found = (1...4).map { history.entry(id: Self.id($0))?.transaction.id }
    #expect(found == [3, 3, 3, 4].map { Self.id($0) })
    #expect(history.entries.map(\.transaction.isFinished) == [true, false])
    #expect(Set(history.entries.map(\.transaction.webOrderLineItemID)).count == 2)
  }

  @Test("Case 36: a refund that was asked for before is decided by any id")
  func askedBefore() throws {
    _ = try ScenarioWorld.play([
      ScenarioRow(ScenarioTests.t0, .buy("silver.m"), ScenarioTests.bought),
      ScenarioRow(
        "2025-01-11T00:00:00Z", .ask(1),
        "2025-01-11T00:00:00Z refundRequested T1 silver.m 4990 until 2025-02-10T12:00:00Z;"
          + " CONSUMPTION_REQUEST; 1",
        "2025-01-11T00:00:00Z autoRenewChanged off;"
          + " DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_DISABLED; 1"),
      ScenarioRow(
        "2025-01-12T00:00:00Z", .restore(),
        "2025-01-12T00:00:00Z restored T2 silver.m 4990 until 2025-02-10T12:00:00Z; -; 1"),
      ScenarioRow(
        "2025-01-12T00:00:00Z", .ask(2),
        "refused: notPossible(status: nil, reason: \"a refund of the transaction is asked"
          + " for already, and not decided\")"),
      ScenarioRow(
        "2025-01-13T00:00:00Z", .decline(2),
        "2025-01-13T00:00:00Z refundDeclined T2 silver.m 4990 until 2025-02-10T12:00:00Z;"
          + " REFUND_DECLINED; 1"),
      ScenarioRow(
        "2025-01-13T00:00:00Z", .decline(1),
        "refused: notPossible(status: nil, reason: \"no refund of the transaction is asked for,"
          + " or it is decided\")"),
    ])
  }

  @Test("A restore in grace and in billing retry leaves the trouble and its dates alone")
  func trouble() throws {
    var policies = Policies()
    policies.graceDays = 16
    let rows = [
      ScenarioRow(ScenarioTests.t0, .buy("silver.m"), ScenarioTests.bought),
      ScenarioRow(ScenarioTests.t0, .fail(), "2025-01-10T12:00:00Z billing fails"),
      ScenarioRow(
        "2025-02-15T00:00:00Z", .restore(),
        "2025-02-10T12:00:00Z renewalFailed grace until 2025-02-26T12:00:00Z intent 2;"
          + " DID_FAIL_TO_RENEW/GRACE_PERIOD; 4",
        "2025-02-15T00:00:00Z restored T2 silver.m 4990 until 2025-02-10T12:00:00Z; -; 4"),
    ]
    let paid = ScenarioRow(
      "2025-02-20T09:00:00Z", .resolve(), "2025-02-20T09:00:00Z billing succeeds",
      "2025-02-20T09:00:00Z recovered T3 silver.m 4990 until 2025-03-10T12:00:00Z;"
        + " DID_RENEW/BILLING_RECOVERY; 1")
    let world = try ScenarioWorld.play(rows + [paid], policies: policies)
    #expect(try world.newest().lastGraceStart == .at("2025-02-10T12:00:00Z"))
    #expect(try world.newest().lastGraceEnd == .at("2025-02-20T09:00:00Z"))
    _ = try ScenarioWorld.play(
      rows + [
        ScenarioRow(
          "2025-02-27T00:00:00Z", .restore(),
          "2025-02-26T12:00:00Z graceEnded intent 2; GRACE_PERIOD_EXPIRED; 3",
          "2025-02-27T00:00:00Z restored T3 silver.m 4990 until 2025-02-10T12:00:00Z; -; 3"),
        ScenarioRow(
          "2025-04-11T12:00:00Z", .wait,
          "2025-04-11T12:00:00Z expired intent 2; EXPIRED/BILLING_RETRY; 2"),
        ScenarioRow("2025-04-12T00:00:00Z", .restore()),
      ], policies: policies)
  }

  @Test("After an upgrade the new period alone is restored; an upgrade replaces a restored one")
  func upgrades() throws {
    let upgraded = try ScenarioWorld.play([
      ScenarioRow(ScenarioTests.t0, .buy("silver.m"), ScenarioTests.bought),
      ScenarioRow(
        "2025-01-20T12:00:00Z", .buy("gold.m"),
        "2025-01-20T12:00:00Z upgraded T2 gold.m 9990 until 2025-02-20T12:00:00Z;"
          + " DID_CHANGE_RENEWAL_PREF/UPGRADE; 1"),
      ScenarioRow(
        "2025-01-21T00:00:00Z", .restore(),
        "2025-01-21T00:00:00Z restored T3 gold.m 9990 until 2025-02-20T12:00:00Z; -; 1"),
    ])
    #expect(upgraded.transactions().map(\.isUpgraded) == [true, false])
    let restored = try ScenarioWorld.play([
      ScenarioRow(ScenarioTests.t0, .buy("silver.m"), ScenarioTests.bought),
      ScenarioRow(
        "2025-01-15T00:00:00Z", .restore(),
        "2025-01-15T00:00:00Z restored T2 silver.m 4990 until 2025-02-10T12:00:00Z; -; 1"),
      ScenarioRow(
        "2025-01-20T12:00:00Z", .buy("gold.m"),
        "2025-01-20T12:00:00Z upgraded T3 gold.m 9990 until 2025-02-20T12:00:00Z;"
          + " DID_CHANGE_RENEWAL_PREF/UPGRADE; 1"),
    ])
    #expect(restored.transactions().map(\.isUpgraded) == [true, false])
    #expect(
      Self.ledger(restored) == [
        "2025-01-10T12:00:00Z charge 4990 T1 = 4990",
        "2025-01-20T12:00:00Z proration -3380 T2 = 1610",
        "2025-01-20T12:00:00Z charge 9990 T3 = 11600",
      ])
  }

  @Test("Instalments and the day of the month are counted as if nothing had been restored")
  func counts() throws {
    let start = "2025-01-31T10:00:00Z"
    let world = try ScenarioWorld.play([
      ScenarioRow(
        start, .buy("payg.m"),
        "2025-01-31T10:00:00Z purchased T1 payg.m 1990 payAsYouGo P3M until"
          + " 2025-02-28T10:00:00Z; SUBSCRIBED/INITIAL_BUY; 1"),
      ScenarioRow(
        "2025-03-01T00:00:00Z", .restore(),
        "2025-02-28T10:00:00Z renewed T2 payg.m 1990 payAsYouGo P3M until 2025-03-31T10:00:00Z;"
          + " DID_RENEW; 1",
        "2025-03-01T00:00:00Z restored T3 payg.m 1990 payAsYouGo P3M until"
          + " 2025-03-31T10:00:00Z; -; 1"),
      ScenarioRow(
        "2025-05-01T00:00:00Z", .wait,
        "2025-03-31T10:00:00Z renewed T4 payg.m 1990 payAsYouGo P3M until 2025-04-30T10:00:00Z;"
          + " DID_RENEW; 1",
        "2025-04-30T10:00:00Z renewed T5 payg.m 9990 until 2025-05-31T10:00:00Z; DID_RENEW; 1"),
    ])
    #expect(world.newest().renewals == 3)
    #expect(world.newest().hadIntroductoryOffer)
  }

  @Test("What is over, was taken back or is used up is not restored; then nothing happens")
  func nothing() throws {
    _ = try ScenarioWorld.play([
      ScenarioRow(
        ScenarioTests.t0, .buy("coins"),
        "2025-01-10T12:00:00Z purchased T1 coins 990; ONE_TIME_CHARGE"),
      ScenarioRow(
        ScenarioTests.t0, .buy("pass"),
        "2025-01-10T12:00:00Z purchased T2 pass 19990; ONE_TIME_CHARGE"),
      ScenarioRow("2025-01-11T12:00:00Z", .restore()),
      ScenarioRow(
        "2025-01-11T12:00:00Z", .buy("silver.m"),
        "2025-01-11T12:00:00Z purchased T3 silver.m 4990 until 2025-02-11T12:00:00Z;"
          + " SUBSCRIBED/INITIAL_BUY; 1"),
      ScenarioRow(
        "2025-01-12T12:00:00Z", .refund(3),
        "2025-01-12T12:00:00Z refunded T3 silver.m 4990 refundFull 100000 reason 0 until"
          + " 2025-02-11T12:00:00Z; REFUND; 5"),
      ScenarioRow("2025-01-12T12:00:00Z", .restore()),
      ScenarioRow(
        "2025-01-12T12:00:00Z", .buy("weekly"),
        "2025-01-12T12:00:00Z purchased T4 weekly 1990 until 2025-01-19T12:00:00Z;"
          + " SUBSCRIBED/INITIAL_BUY; 1"),
      ScenarioRow(
        "2025-01-13T12:00:00Z", .off(),
        "2025-01-13T12:00:00Z autoRenewChanged off;"
          + " DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_DISABLED; 1"),
      ScenarioRow(
        "2025-01-14T12:00:00Z", .restore(),
        "2025-01-14T12:00:00Z restored T5 weekly 1990 until 2025-01-19T12:00:00Z; -; 1"),
      ScenarioRow(
        "2025-01-20T12:00:00Z", .restore(),
        "2025-01-19T12:00:00Z expired intent 1; EXPIRED/VOLUNTARY; 2"),
    ])
  }

  @Test("A lasting purchase is restored with its original id, refunded by any, and counted once")
  func lasting() throws {
    let world = try ScenarioWorld.play([
      ScenarioRow(
        ScenarioTests.t0, .buy("lifetime"),
        "2025-01-10T12:00:00Z purchased T1 lifetime 49990; ONE_TIME_CHARGE"),
      ScenarioRow(
        "2025-01-11T12:00:00Z", .restore(),
        "2025-01-11T12:00:00Z restored T2 lifetime 49990; -"),
      ScenarioRow("2025-01-11T12:00:00Z", .finish(2), "2025-01-11T12:00:00Z finished T1"),
      ScenarioRow("2025-01-11T12:00:00Z", .finish(1)),
      // Owned already: nothing is bought.
      ScenarioRow("2025-01-11T12:00:00Z", .buy("lifetime")),
      ScenarioRow(
        "2025-01-12T12:00:00Z", .restore(),
        "2025-01-12T12:00:00Z restored T3 lifetime 49990; -"),
      ScenarioRow(
        "2025-01-13T12:00:00Z", .refund(2),
        "2025-01-13T12:00:00Z refunded T3 lifetime 49990 refundFull 100000 reason 0; REFUND"),
      ScenarioRow("2025-01-14T12:00:00Z", .restore()),
      ScenarioRow(
        "2025-01-15T12:00:00Z", .reverse(1),
        "2025-01-15T12:00:00Z refundReversed T3 lifetime 49990; REFUND_REVERSED"),
    ])
    #expect(world.state.members == 1)
    let owned = try #require(world.state.purchases.first?.transaction)
    #expect(owned.id == Self.id(3) && owned.originalID == Self.id(1))
    #expect(world.transactions() == [owned])
    #expect(Self.ledger(world).count == 3)
    #expect(Self.ledger(world).last == "2025-01-15T12:00:00Z reversal 49990 T3 = 49990")
  }

  @Test("A purchaser's restore gives its family nothing, and their lines go on following")
  func purchaserOfFamily() throws {
    let world = try ScenarioWorld.play([
      ScenarioRow(
        ScenarioTests.t0, .buy("family.m"),
        "2025-01-10T12:00:00Z purchased T1 family.m 14990 until 2025-02-10T12:00:00Z;"
          + " SUBSCRIBED/INITIAL_BUY; 1"),
      ScenarioRow(
        ScenarioTests.t0, .buy("heirloom"),
        "2025-01-10T12:00:00Z purchased T2 heirloom 29990; ONE_TIME_CHARGE"),
      ScenarioRow(
        "2025-01-11T12:00:00Z", .share(with: "u2"), "2025-01-11T12:00:00Z sharing with u2",
        "2025-01-11T12:00:00Z shared T3 family.m 0 shared until 2025-02-10T12:00:00Z;"
          + " SUBSCRIBED/INITIAL_BUY; 1",
        "2025-01-11T12:00:00Z shared T4 heirloom 0 shared; ONE_TIME_CHARGE"),
      ScenarioRow(
        "2025-01-12T12:00:00Z", .restore(),
        "2025-01-12T12:00:00Z restored T5 family.m 14990 until 2025-02-10T12:00:00Z; -; 1",
        "2025-01-12T12:00:00Z restored T6 heirloom 29990; -"),
      ScenarioRow(
        "2025-02-01T12:00:00Z", .off(),
        "2025-02-01T12:00:00Z autoRenewChanged off;"
          + " DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_DISABLED; 1",
        "2025-02-01T12:00:00Z autoRenewChanged off;"
          + " DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_DISABLED; 1"),
      ScenarioRow(
        "2025-02-02T12:00:00Z", .on(),
        "2025-02-02T12:00:00Z autoRenewChanged on;"
          + " DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_ENABLED; 1",
        "2025-02-02T12:00:00Z autoRenewChanged on;"
          + " DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_ENABLED; 1"),
      ScenarioRow(
        "2025-02-11T12:00:00Z", .wait,
        "2025-02-10T12:00:00Z renewed T7 family.m 14990 until 2025-03-10T12:00:00Z;"
          + " DID_RENEW; 1",
        "2025-02-10T12:00:00Z renewed T8 family.m 0 shared until 2025-03-10T12:00:00Z;"
          + " DID_RENEW; 1"),
    ])
    let had = world.history(of: 1).entries.map { Self.number($0.transaction.id) }
    #expect(had == [3, 4, 8])
  }

  @Test("A member restores what it has, which goes on following and is lost with the sharing")
  func member() throws {
    let world = try ScenarioWorld.play([
      ScenarioRow(
        ScenarioTests.t0, .buy("family.m"),
        "2025-01-10T12:00:00Z purchased T1 family.m 14990 until 2025-02-10T12:00:00Z;"
          + " SUBSCRIBED/INITIAL_BUY; 1"),
      ScenarioRow(
        ScenarioTests.t0, .buy("heirloom"),
        "2025-01-10T12:00:00Z purchased T2 heirloom 29990; ONE_TIME_CHARGE"),
      ScenarioRow(
        "2025-01-11T12:00:00Z", .share(with: "u2"), "2025-01-11T12:00:00Z sharing with u2",
        "2025-01-11T12:00:00Z shared T3 family.m 0 shared until 2025-02-10T12:00:00Z;"
          + " SUBSCRIBED/INITIAL_BUY; 1",
        "2025-01-11T12:00:00Z shared T4 heirloom 0 shared; ONE_TIME_CHARGE"),
      ScenarioRow(
        "2025-01-12T12:00:00Z", .restore(account: "u2"),
        "2025-01-12T12:00:00Z restored T5 family.m 0 shared until 2025-02-10T12:00:00Z; -; 1",
        "2025-01-12T12:00:00Z restored T6 heirloom 0 shared; -"),
      ScenarioRow(
        "2025-02-11T12:00:00Z", .wait,
        "2025-02-10T12:00:00Z renewed T7 family.m 14990 until 2025-03-10T12:00:00Z;"
          + " DID_RENEW; 1",
        "2025-02-10T12:00:00Z renewed T8 family.m 0 shared until 2025-03-10T12:00:00Z;"
          + " DID_RENEW; 1"),
      ScenarioRow(
        "2025-02-12T12:00:00Z", .unshare(with: "u2"),
        "2025-02-12T12:00:00Z sharing with u2 ended, memberLeft",
        "2025-02-12T12:00:00Z revoked T8 family.m 0 shared familyRevoke 0 reason 0 until"
          + " 2025-03-10T12:00:00Z; REVOKE; 5",
        "2025-02-12T12:00:00Z revoked T6 heirloom 0 shared familyRevoke 0 reason 0; REVOKE"),
      ScenarioRow("2025-02-13T12:00:00Z", .restore(account: "u2")),
    ])
    #expect(Self.ledger(world, of: 1).isEmpty)
  }

  @Test("A member's forecast is what then happens, after a restore of the purchaser's")
  func forecast() throws {
    var world = try ScenarioWorld()
    try world.makeClock(Clock.defaultName, at: .at(ScenarioTests.t0))
    try world.perform(.buy("family.m"))
    try world.perform(.share(with: "u2"))
    try world.perform(.restore())
    let until = try Instant.at("2025-04-20T12:00:00Z")
    let forecast = try world.state.forecast(account: 1, until: until, policies: world.policies)
    #expect(forecast.events.count == 3)
    let start = world.log.count
    try world.advance(to: until)
    let happened = world.log[start...].filter { $0.fact.account == 1 }
    #expect(happened.map(\.at) == forecast.events.map(\.at))
    #expect(happened.map(\.fact.kind) == [.line(.renewed), .line(.renewed), .line(.renewed)])
  }

  @Test("Read back from its bytes and from a snapshot, a restored account is the same")
  func replays() throws {
    var world = try ScenarioWorld()
    try world.makeClock(Clock.defaultName, at: .at(ScenarioTests.t0))
    for command: ScenarioCommand in [
      .buy("silver.m"), .buy("lifetime"), .restore(), .finish(2), .ask(1), .restore(), .refund(2),
    ] {
      try world.perform(command)
    }
    let base = EventFormat.Base(time: 1_700_000_000_000, transactionID: Limits.firstTransactionID)
    let folded = State()
    for (index, event) in world.log.enumerated() {
      var event = try #require(roundTrip(event, base: base))
      folded.complete(&event, at: UInt64(index) + 1)
      #expect(event == world.log[index])
      folded.apply(event, position: UInt64(index))
    }
    #expect(folded.fingerprint == world.state.fingerprint)
    var bytes: [UInt8] = []
    world.state.encodeSnapshot(into: &bytes)
    let read = try #require(bytes.withUnsafeBytes { State(snapshot: $0) })
    #expect(read.fingerprint == world.state.fingerprint)
    #expect(read.refundRequests == [Self.id(1): try .at(ScenarioTests.t0)])
  }

  @Test("A log that keeps records restores nothing")
  func record() throws {
    let state = State()
    state.apply(
      Event(
        at: Instant(milliseconds: 0), clock: Clock.system,
        fact: .log(.logCreated(role: .record, seed: UUIDBits(high: 0, low: 1)))), position: 0)
    #expect(throws: Rejection.notInThisRole) {
      try state.decide(.restore(0), Moment(Policies()))
    }
  }
}
