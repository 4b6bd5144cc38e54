import Subscriptions
import Testing

/// Family Sharing: Domain.md 1.10, E21 and E21b, cases 58 to 62 of its list; B52.
@Suite("Family Sharing")
struct ScenarioFamilyTests {
  static let t0 = "2025-01-10T12:00:00Z"
  static let bought =
    "2025-01-10T12:00:00Z purchased T1 family.m 14990 until 2025-02-10T12:00:00Z;"
    + " SUBSCRIBED/INITIAL_BUY; 1"
  /// u1 buys on 10 January and shares with u2 on the 20th.
  static let shared = [
    ScenarioRow(t0, .buy("family.m"), bought),
    ScenarioRow(
      "2025-01-20T00:00:00Z", .share(with: "u2"), "2025-01-20T00:00:00Z sharing with u2",
      "2025-01-20T00:00:00Z shared T2 family.m 0 shared until 2025-02-10T12:00:00Z;"
        + " SUBSCRIBED/INITIAL_BUY; 1"),
  ]
  static let renewed = ScenarioRow(
    "2025-02-10T12:00:00Z", .wait,
    "2025-02-10T12:00:00Z renewed T3 family.m 14990 until 2025-03-10T12:00:00Z; DID_RENEW; 1",
    "2025-02-10T12:00:00Z renewed T4 family.m 0 shared until 2025-03-10T12:00:00Z;"
      + " DID_RENEW; 1")

  @Test("Case 58, E21: a member gets transactions of its own, and renewals with the purchaser's")
  func member() throws {
    let world = try ScenarioWorld.play(Self.shared + [Self.renewed])
    let mine = world.transactions(of: "u2")
    #expect(mine.map(\.id) == [2, 4].map { Limits.firstTransactionID + $0 - 1 })
    #expect(mine.allSatisfy { $0.originalID == mine[0].id && $0.ownership == .familyShared })
    #expect(
      try mine.map(\.purchaseDate)
        == [.at("2025-01-20T00:00:00Z"), .at("2025-02-10T12:00:00Z")])
    #expect(Set((mine + world.transactions()).map(\.webOrderLineItemID)).count == 4)
    #expect(world.newest(of: "u2").deadline == nil)
    #expect(world.newest(of: "u2").upcoming == world.newest().deadline)
    #expect(try world.status(of: "u2", at: "2025-03-01T00:00:00Z") == .active)
    #expect(world.state.members == 2)
  }

  @Test("Case 59, E21b: a refund of the purchaser's is a REVOKE of the member's")
  func refunded() throws {
    let world = try ScenarioWorld.play(
      Self.shared + [
        ScenarioRow(
          "2025-01-25T00:00:00Z", .refund(1),
          "2025-01-25T00:00:00Z refunded T1 family.m 14990 refundFull 100000 reason 0 until"
            + " 2025-02-10T12:00:00Z; REFUND; 5",
          "2025-01-25T00:00:00Z revoked T2 family.m 0 shared familyRevoke 0 reason 0 until"
            + " 2025-02-10T12:00:00Z; REVOKE; 5"),
        ScenarioRow(
          "2025-01-26T00:00:00Z", .reverse(1),
          "2025-01-26T00:00:00Z refundReversed T1 family.m 14990 until 2025-02-10T12:00:00Z;"
            + " REFUND_REVERSED; 1",
          "2025-01-26T00:00:00Z shared T3 family.m 0 shared until 2025-02-10T12:00:00Z;"
            + " SUBSCRIBED/RESUBSCRIBE; 1"),
      ])
    let mine = world.transactions(of: "u2")
    #expect(mine.map(\.originalID) == [mine[0].id, mine[0].id])
    #expect(mine[0].revocation?.type == .familyRevoke && mine[1].revocation == nil)
  }

  @Test("Case 60: a member with a subscription of its own keeps it when the shared one goes")
  func ownLine() throws {
    let world = try ScenarioWorld.play([
      ScenarioRow(Self.t0, .buy("family.m"), Self.bought),
      ScenarioRow(
        Self.t0, .buy("solo.m", account: "u2"),
        "2025-01-10T12:00:00Z purchased T2 solo.m 7990 until 2025-02-10T12:00:00Z;"
          + " SUBSCRIBED/INITIAL_BUY; 1"),
      ScenarioRow(
        Self.t0, .share(with: "u2"), "2025-01-10T12:00:00Z sharing with u2",
        "2025-01-10T12:00:00Z shared T3 family.m 0 shared until 2025-02-10T12:00:00Z;"
          + " SUBSCRIBED/INITIAL_BUY; 1"),
      // Its own subscription is what a purchase of the member's is about.
      ScenarioRow(
        "2025-01-15T00:00:00Z", .buy("solo.m", account: "u2"), "refused: alreadySubscribed"),
      ScenarioRow(
        "2025-01-20T00:00:00Z", .unshare(with: "u2", .turnedOff),
        "2025-01-20T00:00:00Z sharing with u2 ended, turnedOff",
        "2025-01-20T00:00:00Z revoked T3 family.m 0 shared familyRevoke 0 reason 0 until"
          + " 2025-02-10T12:00:00Z; REVOKE; 5"),
    ])
    let lines = world.lineNumbers(of: "u2").map { world.state.lines[Int($0)] }
    let at = try Instant.at("2025-01-20T00:00:00Z")
    #expect(lines.map { $0.status(at: at) } == [.active, .revoked])
    #expect(world.state.accounts[world.account(Array("u2".utf8))].grants == 1)
  }

  @Test("B52: who leaves loses its access; the purchaser and the others keep theirs")
  func leaves() throws {
    let world = try ScenarioWorld.play(
      Self.shared + [
        ScenarioRow(
          "2025-01-21T00:00:00Z", .share(with: "u3"), "2025-01-21T00:00:00Z sharing with u3",
          "2025-01-21T00:00:00Z shared T3 family.m 0 shared until 2025-02-10T12:00:00Z;"
            + " SUBSCRIBED/INITIAL_BUY; 1"),
        ScenarioRow(
          "2025-01-22T00:00:00Z", .unshare(with: "u3"),
          "2025-01-22T00:00:00Z sharing with u3 ended, memberLeft",
          "2025-01-22T00:00:00Z revoked T3 family.m 0 shared familyRevoke 0 reason 0 until"
            + " 2025-02-10T12:00:00Z; REVOKE; 5"),
        ScenarioRow(
          "2025-02-10T12:00:00Z", .wait,
          "2025-02-10T12:00:00Z renewed T4 family.m 14990 until 2025-03-10T12:00:00Z;"
            + " DID_RENEW; 1",
          "2025-02-10T12:00:00Z renewed T5 family.m 0 shared until 2025-03-10T12:00:00Z;"
            + " DID_RENEW; 1"),
        // Back again, by the line that it had.
        ScenarioRow(
          "2025-02-11T00:00:00Z", .share(with: "u3"), "2025-02-11T00:00:00Z sharing with u3",
          "2025-02-11T00:00:00Z shared T6 family.m 0 shared until 2025-03-10T12:00:00Z;"
            + " SUBSCRIBED/RESUBSCRIBE; 1"),
        ScenarioRow(
          "2025-02-12T00:00:00Z", .unshare(with: nil, .purchaserLeft),
          "2025-02-12T00:00:00Z sharing with u2 ended, purchaserLeft",
          "2025-02-12T00:00:00Z revoked T5 family.m 0 shared familyRevoke 0 reason 0 until"
            + " 2025-03-10T12:00:00Z; REVOKE; 5",
          "2025-02-12T00:00:00Z sharing with u3 ended, purchaserLeft",
          "2025-02-12T00:00:00Z revoked T6 family.m 0 shared familyRevoke 0 reason 0 until"
            + " 2025-03-10T12:00:00Z; REVOKE; 5"),
      ])
    #expect(world.lineNumbers(of: "u3").count == 1)
    #expect(world.state.members == 1)
    #expect(world.state.families.isEmpty)
  }

  @Test("The member's line goes through the purchaser's trouble: grace, retry, payment, end")
  func trouble() throws {
    var policies = Policies()
    policies.graceDays = 3
    let start =
      Self.shared + [
        ScenarioRow("2025-01-20T00:00:00Z", .fail(), "2025-01-20T00:00:00Z billing fails")
      ]
    let failed = [
      ScenarioRow(
        "2025-02-10T12:00:00Z", .wait,
        "2025-02-10T12:00:00Z renewalFailed grace until 2025-02-13T12:00:00Z intent 2;"
          + " DID_FAIL_TO_RENEW/GRACE_PERIOD; 4",
        "2025-02-10T12:00:00Z renewalFailed grace until 2025-02-13T12:00:00Z intent 2;"
          + " DID_FAIL_TO_RENEW/GRACE_PERIOD; 4"),
      ScenarioRow(
        "2025-02-13T12:00:00Z", .wait,
        "2025-02-13T12:00:00Z graceEnded intent 2; GRACE_PERIOD_EXPIRED; 3",
        "2025-02-13T12:00:00Z graceEnded intent 2; GRACE_PERIOD_EXPIRED; 3"),
    ]
    var world = try ScenarioWorld.play(
      start + failed + [
        ScenarioRow(
          "2025-02-20T00:00:00Z", .resolve(), "2025-02-20T00:00:00Z billing succeeds",
          "2025-02-20T00:00:00Z recovered T3 family.m 14990 until 2025-03-20T00:00:00Z;"
            + " DID_RENEW/BILLING_RECOVERY; 1",
          "2025-02-20T00:00:00Z recovered T4 family.m 0 shared until 2025-03-20T00:00:00Z;"
            + " DID_RENEW/BILLING_RECOVERY; 1")
      ], policies: policies)
    #expect(try world.newest(of: "u2").lastGraceEnd == .at("2025-02-13T12:00:00Z"))
    world = try ScenarioWorld.play(
      start + failed + [
        // Who begins to be shared with in trouble gets nothing until it is paid.
        ScenarioRow(
          "2025-02-20T00:00:00Z", .share(with: "u3"),
          "refused: \(Rejection.notPossible(status: nil, reason: Self.nothing))"),
        ScenarioRow(
          "2025-05-01T00:00:00Z", .wait,
          "2025-04-11T12:00:00Z expired intent 2; EXPIRED/BILLING_RETRY; 2",
          "2025-04-11T12:00:00Z expired intent 2; EXPIRED/BILLING_RETRY; 2"),
        ScenarioRow("2025-05-01T00:00:00Z", .succeed(), "2025-05-01T00:00:00Z billing succeeds"),
        ScenarioRow(
          "2025-05-01T00:00:00Z", .buy("family.m"),
          "2025-05-01T00:00:00Z purchased T3 family.m 14990 until 2025-06-01T00:00:00Z;"
            + " SUBSCRIBED/RESUBSCRIBE; 1",
          "2025-05-01T00:00:00Z shared T4 family.m 0 shared until 2025-06-01T00:00:00Z;"
            + " SUBSCRIBED/RESUBSCRIBE; 1"),
      ], policies: policies)
    #expect(world.lineNumbers(of: "u2").count == 1)
  }

  static let tooEarly = Rejection.invalidTime(
    reason: "a member of the account's family has a later event already")
  static let nothing =
    "the account owns nothing that Family Sharing shares: an active subscription or a lasting"
    + " purchase of a product with familyShareable"

  @Test("Renewal off and its end, a forced renewal and a forced end reach the member too")
  func switches() throws {
    let world = try ScenarioWorld.play(
      Self.shared + [
        ScenarioRow(
          "2025-01-21T00:00:00Z", .off(),
          "2025-01-21T00:00:00Z autoRenewChanged off;"
            + " DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_DISABLED; 1",
          "2025-01-21T00:00:00Z autoRenewChanged off;"
            + " DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_DISABLED; 1"),
        ScenarioRow(
          "2025-01-22T00:00:00Z", .renew(),
          "2025-01-22T00:00:00Z renewed T3 family.m 14990 until 2025-02-22T00:00:00Z;"
            + " DID_RENEW; 1",
          "2025-01-22T00:00:00Z renewed T4 family.m 0 shared until 2025-02-22T00:00:00Z;"
            + " DID_RENEW; 1"),
        ScenarioRow(
          "2025-01-23T00:00:00Z", .expire(),
          "2025-01-23T00:00:00Z expired T3 family.m 14990 until 2025-01-23T00:00:00Z intent 1;"
            + " EXPIRED/VOLUNTARY; 2",
          "2025-01-23T00:00:00Z expired T4 family.m 0 shared until 2025-01-23T00:00:00Z intent"
            + " 1; EXPIRED/VOLUNTARY; 2"),
      ])
    #expect(try world.transactions(of: "u2")[0].expiresDate == .at("2025-01-22T00:00:00Z"))
    #expect(world.newest(of: "u2").renewal.renewalPrice == 0)
  }

  @Test("Plans: shared ones change with the purchaser's, one that is not shared takes access away")
  func plans() throws {
    let world = try ScenarioWorld.play([
      ScenarioRow(
        Self.t0, .buy("solo.m"),
        "2025-01-10T12:00:00Z purchased T1 solo.m 7990 until 2025-02-10T12:00:00Z;"
          + " SUBSCRIBED/INITIAL_BUY; 1"),
      ScenarioRow(
        Self.t0, .buy("heirloom"),
        "2025-01-10T12:00:00Z purchased T2 heirloom 29990; ONE_TIME_CHARGE"),
      ScenarioRow(
        Self.t0, .share(with: "u2"), "2025-01-10T12:00:00Z sharing with u2",
        "2025-01-10T12:00:00Z shared T3 heirloom 0 shared; ONE_TIME_CHARGE"),
      ScenarioRow(
        "2025-01-20T00:00:00Z", .buy("duo.m"),
        "2025-01-20T00:00:00Z upgraded T4 duo.m 11990 until 2025-02-20T00:00:00Z;"
          + " DID_CHANGE_RENEWAL_PREF/UPGRADE; 1",
        "2025-01-20T00:00:00Z shared T5 duo.m 0 shared until 2025-02-20T00:00:00Z;"
          + " SUBSCRIBED/INITIAL_BUY; 1"),
      ScenarioRow(
        "2025-01-21T00:00:00Z", .buy("family.m"),
        "2025-01-21T00:00:00Z upgraded T6 family.m 14990 until 2025-02-21T00:00:00Z;"
          + " DID_CHANGE_RENEWAL_PREF/UPGRADE; 1",
        "2025-01-21T00:00:00Z upgraded T7 family.m 0 shared until 2025-02-21T00:00:00Z;"
          + " DID_CHANGE_RENEWAL_PREF/UPGRADE; 1"),
      ScenarioRow(
        "2025-01-22T00:00:00Z", .buy("solo.m"),
        "2025-01-22T00:00:00Z planChangeScheduled T6 family.m 14990 until 2025-02-21T00:00:00Z"
          + " then solo.m 7990; DID_CHANGE_RENEWAL_PREF/DOWNGRADE; 1",
        "2025-01-22T00:00:00Z planChangeScheduled T7 family.m 0 shared until"
          + " 2025-02-21T00:00:00Z then solo.m 0; DID_CHANGE_RENEWAL_PREF/DOWNGRADE; 1"),
      ScenarioRow(
        "2025-02-21T00:00:00Z", .wait,
        "2025-02-21T00:00:00Z renewed T8 solo.m 7990 until 2025-03-21T00:00:00Z; DID_RENEW; 1",
        "2025-02-21T00:00:00Z revoked T7 family.m 0 shared familyRevoke 0 reason 0 until"
          + " 2025-02-21T00:00:00Z; REVOKE; 5"),
      ScenarioRow(
        "2025-02-22T00:00:00Z", .refund(2),
        "2025-02-22T00:00:00Z refunded T2 heirloom 29990 refundFull 100000 reason 0; REFUND",
        "2025-02-22T00:00:00Z revoked T3 heirloom 0 shared familyRevoke 0 reason 0; REVOKE"),
    ])
    #expect(world.transactions(of: "u2").map(\.isUpgraded) == [false, true, false])
    #expect(world.state.members == 1)
  }

  @Test("What is bought later is shared too; a member's own offer is not used up by it")
  func later() throws {
    let world = try ScenarioWorld.play(
      Self.shared + [
        ScenarioRow(
          "2025-01-25T00:00:00Z", .buy("heirloom"),
          "2025-01-25T00:00:00Z purchased T3 heirloom 29990; ONE_TIME_CHARGE",
          "2025-01-25T00:00:00Z shared T4 heirloom 0 shared; ONE_TIME_CHARGE"),
        ScenarioRow(
          "2025-01-25T00:00:00Z", .buy("coins", quantity: 2),
          "2025-01-25T00:00:00Z purchased T5 coins 1980 x2; ONE_TIME_CHARGE"),
        ScenarioRow(
          "2025-01-25T00:00:00Z", .buy("lifetime"),
          "2025-01-25T00:00:00Z purchased T6 lifetime 49990; ONE_TIME_CHARGE"),
        ScenarioRow(
          "2025-01-26T00:00:00Z", .buy("duo.m", account: "u2"),
          "2025-01-26T00:00:00Z purchased T7 duo.m 0 freeTrial P1W until 2025-02-02T00:00:00Z;"
            + " SUBSCRIBED/INITIAL_BUY; 1"),
        ScenarioRow(
          "2025-01-27T00:00:00Z", .buyDated("monthly", at: "2025-01-25T00:00:00Z"),
          "refused: \(Self.tooEarly)"
        ),
      ])
    #expect(world.transactions(of: "u2").count == 3)
  }

  @Test("What a purchaser owns twice a member gets once, and has while the purchaser has one")
  func ownsTwice() throws {
    let later = "2025-01-11T00:00:00Z"
    let world = try ScenarioWorld.play([
      ScenarioRow(
        Self.t0, .buy("heirloom"),
        "2025-01-10T12:00:00Z purchased T1 heirloom 29990; ONE_TIME_CHARGE"),
      ScenarioRow(
        Self.t0, .refund(1),
        "2025-01-10T12:00:00Z refunded T1 heirloom 29990 refundFull 100000 reason 0; REFUND"),
      ScenarioRow(
        Self.t0, .buy("heirloom"),
        "2025-01-10T12:00:00Z purchased T2 heirloom 29990; ONE_TIME_CHARGE"),
      ScenarioRow(
        Self.t0, .reverse(1),
        "2025-01-10T12:00:00Z refundReversed T1 heirloom 29990; REFUND_REVERSED"),
      ScenarioRow(
        Self.t0, .share(with: "u2"), "2025-01-10T12:00:00Z sharing with u2",
        "2025-01-10T12:00:00Z shared T3 heirloom 0 shared; ONE_TIME_CHARGE"),
      ScenarioRow(
        later, .refund(1),
        "2025-01-11T00:00:00Z refunded T1 heirloom 29990 refundFull 100000 reason 0; REFUND"),
      ScenarioRow(
        later, .refund(2),
        "2025-01-11T00:00:00Z refunded T2 heirloom 29990 refundFull 100000 reason 0; REFUND",
        "2025-01-11T00:00:00Z revoked T3 heirloom 0 shared familyRevoke 0 reason 0; REVOKE"),
    ])
    #expect(world.transactions(of: "u2").count == 1)
  }

  @Test("Case 62: what is a member's by sharing is changed by the purchaser alone")
  func refusals() throws {
    let mine = "the transaction is a member's of Family Sharing; change the purchaser's"
    let refused = Rejection.notPossible(status: .active, reason: mine)
    let early = "2025-01-21T00:00:00Z"
    _ = try ScenarioWorld.play(
      Self.shared + [
        ScenarioRow(early, .off(account: "u2"), "refused: \(refused)"),
        ScenarioRow(early, .renew(account: "u2"), "refused: \(refused)"),
        ScenarioRow(early, .expire(account: "u2"), "refused: \(refused)"),
        ScenarioRow(early, .resolve(account: "u2"), "refused: \(refused)"),
        ScenarioRow(
          early, .refund(2, account: "u2"),
          "refused: \(Rejection.notPossible(status: nil, reason: mine))"),
        ScenarioRow(
          early, .reverse(2, account: "u2"),
          "refused: \(Rejection.notPossible(status: nil, reason: mine))"),
        // What the app does is its own.
        ScenarioRow(early, .finish(2, account: "u2"), "2025-01-21T00:00:00Z finished T2"),
      ])
  }

  @Test("Who cannot share with whom is said")
  func whom() throws {
    var world = try ScenarioWorld.play(Self.shared)
    func refusal(_ from: String, _ to: String) -> Rejection? {
      let command = Command.share(purchaser: Array(from.utf8), member: Array(to.utf8))
      do throws(Rejection) {
        _ = try world.state.decide(command, Moment(world.policies))
        return nil
      } catch {
        return error
      }
    }
    func notPossible(_ reason: String) -> Rejection { .notPossible(status: nil, reason: reason) }
    #expect(
      refusal("u1", "u1")
        == .invalidParameter(name: "to", reason: "an account does not share with itself"))
    #expect(refusal("u9", "u2") == .subscriptionNotFound)
    #expect(
      refusal("u1", "u2") == notPossible("the account shares with that one already"))
    try world.perform(.buy("family.m", account: "u4"))
    #expect(
      refusal("u4", "u2")
        == notPossible("that account is a member of another family; unshare it there"))
    #expect(
      refusal("u4", "u1") == notPossible("that account shares with a family of its own"))
    try world.perform(.buy("family.m", account: "u2"))
    #expect(
      refusal("u2", "u5")
        == notPossible("the account is a member of a family, and only a purchaser shares"))
    try world.perform(.buy("solo.m", account: "u6"))
    #expect(refusal("u6", "u7") == notPossible(Self.nothing))
    for member in ["m2", "m3", "m4", "m5"] { try world.perform(.share(with: member)) }
    #expect(
      refusal("u1", "m6") == notPossible("a purchaser shares with 5 members at most"))
    func end(_ from: String, _ member: String?, _ cause: SharingEnd) throws {
      let (purchaser, member) = (Array(from.utf8), member.map { Array($0.utf8) })
      try world.ask(.endSharing(purchaser: purchaser, member: member, cause), as: purchaser)
    }
    #expect(throws: notPossible("the account does not share with that one")) {
      try end("u1", "u4", .memberLeft)
    }
    #expect(throws: notPossible("the account shares with nobody")) {
      try end("u4", nil, .turnedOff)
    }
    #expect(throws: notPossible("the account is a member of a family; name its purchaser first")) {
      try end("u2", nil, .turnedOff)
    }
  }

  @Test("A family lives on one clock and moves as one")
  func clocks() throws {
    var world = try ScenarioWorld.play(Self.shared)
    try world.makeClock("other", at: .at("2025-03-01T00:00:00Z"))
    try world.perform(.attach(to: "other", account: "u2"))
    let moved = ["u1", "u2"].map { world.state.accounts[world.account(Array($0.utf8))].clock }
    #expect(moved == [2, 2])
    // What was due in between is done there, the member's with the purchaser's.
    #expect(world.transactions().count == 2 && world.transactions(of: "u2").count == 2)
    try world.perform(.buy("monthly", account: "u3"))
    #expect(throws: Rejection.clockMismatch) {
      let (purchaser, member) = (Array("u1".utf8), Array("u3".utf8))
      try world.ask(.share(purchaser: purchaser, member: member), as: purchaser)
    }
  }

  @Test("A forecast of a member's follows the purchaser's lines, and changes nothing")
  func forecast() throws {
    var world = try ScenarioWorld.play(
      Self.shared + [
        ScenarioRow(
          "2025-01-21T00:00:00Z", .buy("weekly"),
          "2025-01-21T00:00:00Z purchased T3 weekly 1990 until 2025-01-28T00:00:00Z;"
            + " SUBSCRIBED/INITIAL_BUY; 1")
      ])
    let sequence = world.state.sequence
    let end = try Instant.at("2025-06-01T00:00:00Z")
    let forecast = try world.state.forecast(
      account: world.account(Array("u2".utf8)), until: end, policies: world.policies)
    #expect(world.state.sequence == sequence)
    #expect(forecast.events.count == 4)
    #expect(
      forecast.events.map(\.fact.kind) == [
        .line(.renewed), .line(.renewed), .line(.renewed), .line(.renewed),
      ])
    let start = world.log.count
    try world.advance(to: end)
    let account = world.account(Array("u2".utf8))
    let came = world.log[start...].filter { $0.fact.account == account }
    #expect(came.map(\.at) == forecast.events.map(\.at))
    #expect(
      world.newest(of: "u2").transaction.expiresDate
        == forecast.lines[0].line.transaction.expiresDate)
    // A line that does not exist yet is foreseen too.
    var other = try ScenarioWorld.play([
      ScenarioRow(
        Self.t0, .buy("heirloom"),
        "2025-01-10T12:00:00Z purchased T1 heirloom 29990; ONE_TIME_CHARGE"),
      ScenarioRow(
        Self.t0, .share(with: "u2"), "2025-01-10T12:00:00Z sharing with u2",
        "2025-01-10T12:00:00Z shared T2 heirloom 0 shared; ONE_TIME_CHARGE"),
      ScenarioRow(
        Self.t0, .buy("solo.m"),
        "2025-01-10T12:00:00Z purchased T3 solo.m 7990 until 2025-02-10T12:00:00Z;"
          + " SUBSCRIBED/INITIAL_BUY; 1"),
    ])
    var renewal = other.newest().renewal
    renewal.autoRenewProduct = other.state.product(id: "duo.m")!
    let fact = LineFact(
      line: other.lineNumbers()[0], account: 0, group: other.newest().group,
      statusAfter: .active, notification: .planDowngrade,
      transaction: other.newest().transaction, renewal: renewal)
    other.append(Event(at: try .at(Self.t0), clock: 1, fact: .line(.planChangeScheduled, fact)))
    let foreseen = try other.state.forecast(
      account: other.account(Array("u2".utf8)), until: .at("2025-04-01T00:00:00Z"),
      policies: other.policies)
    #expect(foreseen.events.map(\.fact.kind) == [.line(.shared), .line(.renewed)])
    #expect(foreseen.lines.map(\.number) == [LineNumber(other.state.lines.count)])
  }
}
