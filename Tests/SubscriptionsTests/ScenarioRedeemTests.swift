import Subscriptions
import Testing

/// Promotional offers (Domain.md 1.3, E25 to E25e, and 1.7).
@Suite("Promotional offers")
struct ScenarioRedeemTests {
  static let t0 = "2025-01-10T12:00:00Z"
  /// The newcomer's trial, over on the 17th; the paid months count from there.
  static let bought =
    "2025-01-10T12:00:00Z purchased T1 plus.m 0 freeTrial P1W until 2025-01-17T12:00:00Z;"
    + " SUBSCRIBED/INITIAL_BUY; 1"
  static let paid =
    "2025-01-17T12:00:00Z renewed T2 plus.m 9990 until 2025-02-17T12:00:00Z; DID_RENEW; 1"

  @Test("Case 77, E25: redeemed on the same product, the offer begins at the next billing event")
  func sameProduct() throws {
    var world = try ScenarioWorld.play([
      ScenarioRow(Self.t0, .buy("plus.m"), Self.bought),
      ScenarioRow(
        "2025-01-20T00:00:00Z", .redeem("plus.m", .promotional, "half"), Self.paid,
        "2025-01-20T00:00:00Z offerRedeemed T2 plus.m 9990 until 2025-02-17T12:00:00Z then plus.m"
          + " 4990 payAsYouGo P3M half; OFFER_REDEEMED; 1"),
    ])
    let renewal = world.newest().renewal
    #expect(renewal.renewalPrice == 4990)
    #expect(renewal.offer?.kind == .promotional)
    #expect(world.newest().transaction.offer == nil)
    #expect(renewal.renewalDate.rfc3339 == "2025-02-17T12:00:00Z")
    let rest = try world.play(ScenarioRow("2025-06-01T00:00:00Z", .wait))
    #expect(
      rest == [
        "2025-02-17T12:00:00Z renewed T3 plus.m 4990 payAsYouGo P3M half until"
          + " 2025-03-17T12:00:00Z; DID_RENEW; 1",
        "2025-03-17T12:00:00Z renewed T4 plus.m 4990 payAsYouGo P3M half until"
          + " 2025-04-17T12:00:00Z; DID_RENEW; 1",
        "2025-04-17T12:00:00Z renewed T5 plus.m 4990 payAsYouGo P3M half until"
          + " 2025-05-17T12:00:00Z; DID_RENEW; 1",
        "2025-05-17T12:00:00Z renewed T6 plus.m 9990 until 2025-06-17T12:00:00Z; DID_RENEW; 1",
      ])
    #expect(world.transactions()[2].offer?.kind == .promotional)
    #expect(world.transactions()[2].reason == .renewal)
    #expect(world.newest().renewal.offer == nil)
  }

  @Test("A free month by promotional offer moves the billing day to its end; so does no payment")
  func freeMonth() throws {
    _ = try ScenarioWorld.play([
      ScenarioRow("2025-01-24T12:00:00Z", .buy("plus.m"), Self.lateBought),
      ScenarioRow(
        "2025-02-01T00:00:00Z", .redeem("plus.m", .promotional, "gift"),
        "2025-01-31T12:00:00Z renewed T2 plus.m 9990 until 2025-02-28T12:00:00Z; DID_RENEW; 1",
        "2025-02-01T00:00:00Z offerRedeemed T2 plus.m 9990 until 2025-02-28T12:00:00Z then plus.m"
          + " 0 freeTrial P1M gift; OFFER_REDEEMED; 1"),
      ScenarioRow(
        "2025-06-01T00:00:00Z", .wait,
        "2025-02-28T12:00:00Z renewed T3 plus.m 0 freeTrial P1M gift until"
          + " 2025-03-31T12:00:00Z; DID_RENEW; 1",
        "2025-03-31T12:00:00Z renewed T4 plus.m 9990 until 2025-04-30T12:00:00Z; DID_RENEW; 1",
        "2025-04-30T12:00:00Z renewed T5 plus.m 9990 until 2025-05-31T12:00:00Z; DID_RENEW; 1",
        "2025-05-31T12:00:00Z renewed T6 plus.m 9990 until 2025-06-30T12:00:00Z; DID_RENEW; 1"),
    ])
  }

  private static let lateBought =
    "2025-01-24T12:00:00Z purchased T1 plus.m 0 freeTrial P1W until 2025-01-31T12:00:00Z;"
    + " SUBSCRIBED/INITIAL_BUY; 1"

  @Test("Paid up front at a renewal, one period is as long as the whole offer")
  func upFront() throws {
    _ = try ScenarioWorld.play([
      ScenarioRow("2025-01-24T12:00:00Z", .buy("plus.m"), Self.lateBought),
      ScenarioRow(
        "2025-01-25T00:00:00Z", .redeem("plus.m", .promotional, "front"),
        "2025-01-25T00:00:00Z offerRedeemed T1 plus.m 0 freeTrial P1W until 2025-01-31T12:00:00Z"
          + " then plus.m 9990 payUpFront P3M front; OFFER_REDEEMED; 1"),
      ScenarioRow(
        "2025-06-01T00:00:00Z", .wait,
        "2025-01-31T12:00:00Z renewed T2 plus.m 9990 payUpFront P3M front until"
          + " 2025-04-30T12:00:00Z; DID_RENEW; 1",
        "2025-04-30T12:00:00Z renewed T3 plus.m 9990 until 2025-05-31T12:00:00Z; DID_RENEW; 1",
        "2025-05-31T12:00:00Z renewed T4 plus.m 9990 until 2025-06-30T12:00:00Z; DID_RENEW; 1"),
    ])
  }

  @Test("One promotional offer at a time: a new one takes the place of the one that waits or runs")
  func replaced() throws {
    var world = try ScenarioWorld.play([
      ScenarioRow(Self.t0, .buy("plus.m"), Self.bought),
      ScenarioRow(
        "2025-01-20T00:00:00Z", .redeem("plus.m", .promotional, "gift"), Self.paid,
        "2025-01-20T00:00:00Z offerRedeemed T2 plus.m 9990 until 2025-02-17T12:00:00Z then plus.m"
          + " 0 freeTrial P1M gift; OFFER_REDEEMED; 1"),
      ScenarioRow(
        "2025-01-21T00:00:00Z", .redeem("plus.m", .promotional, "half"),
        "2025-01-21T00:00:00Z offerRedeemed T2 plus.m 9990 until 2025-02-17T12:00:00Z then plus.m"
          + " 4990 payAsYouGo P3M half; OFFER_REDEEMED; 1"),
      // The first of its three periods is running; redeemed again, three more follow.
      ScenarioRow(
        "2025-02-20T00:00:00Z", .redeem("plus.m", .promotional, "half"),
        "2025-02-17T12:00:00Z renewed T3 plus.m 4990 payAsYouGo P3M half until"
          + " 2025-03-17T12:00:00Z; DID_RENEW; 1",
        "2025-02-20T00:00:00Z offerRedeemed T3 plus.m 4990 payAsYouGo P3M half until"
          + " 2025-03-17T12:00:00Z then plus.m 4990 payAsYouGo P3M half; OFFER_REDEEMED; 1"),
    ])
    try world.advance(to: .at("2025-07-18T00:00:00Z"))
    #expect(world.transactions().map(\.price) == [0, 9990, 4990, 4990, 4990, 4990, 9990, 9990])
  }

  @Test("Redeemed again, then dropped by a change of plan, the running offer goes on as before")
  func redeemedAgainAndDropped() throws {
    var world = try ScenarioWorld.play([
      ScenarioRow(Self.t0, .buy("plus.m"), Self.bought),
      ScenarioRow(
        "2025-01-20T00:00:00Z", .redeem("plus.m", .promotional, "half"), Self.paid,
        "2025-01-20T00:00:00Z offerRedeemed T2 plus.m 9990 until 2025-02-17T12:00:00Z then plus.m"
          + " 4990 payAsYouGo P3M half; OFFER_REDEEMED; 1"),
    ])
    // Three periods from 17 February on; in the first it is redeemed again, then dropped.
    try world.advance(to: .at("2025-02-20T00:00:00Z"))
    try world.perform(.redeem("plus.m", .promotional, "half"))
    try world.perform(.buy("base.m"))
    try world.perform(.buy("plus.m"))
    #expect(world.newest().renewal.renewalPrice == 4990)
    try world.advance(to: .at("2025-07-18T00:00:00Z"))
    #expect(world.transactions().map(\.price) == [0, 9990, 4990, 4990, 4990, 9990, 9990, 9990])
  }

  @Test("E25b: an upgrade by promotional offer happens now, and says so")
  func upgrade() throws {
    var world = try ScenarioWorld.play([
      ScenarioRow(
        Self.t0, .redeem("base.m", .introductory),
        "2025-01-10T12:00:00Z purchased T1 base.m 990 payAsYouGo P3M until"
          + " 2025-02-10T12:00:00Z; SUBSCRIBED/INITIAL_BUY; 1"),
      ScenarioRow(
        "2025-01-20T12:00:00Z", .redeem("plus.m", .promotional, "half"),
        "2025-01-20T12:00:00Z upgraded T2 plus.m 4990 payAsYouGo P3M half until"
          + " 2025-02-20T12:00:00Z; OFFER_REDEEMED/UPGRADE; 1"),
    ])
    #expect(world.transactions()[0].isUpgraded)
    #expect(world.newest().transaction.reason == .purchase)
    #expect(world.newest().renewal.renewalPrice == 4990)
    try world.advance(to: .at("2025-05-01T00:00:00Z"))
    #expect(world.transactions().map(\.price) == [990, 4990, 4990, 4990, 9990])
  }

  @Test("Case 47: an upgrade in a trial ends it now, without an introduction to the new product")
  func upgradeInTrial() throws {
    let world = try ScenarioWorld.play([
      ScenarioRow(
        Self.t0, .buy("trial.w"),
        "2025-01-10T12:00:00Z purchased T1 trial.w 0 freeTrial P1W until 2025-01-17T12:00:00Z;"
          + " SUBSCRIBED/INITIAL_BUY; 1"),
      ScenarioRow(
        "2025-01-12T12:00:00Z", .buy("weekly"),
        "2025-01-12T12:00:00Z upgraded T2 weekly 1990 until 2025-01-19T12:00:00Z;"
          + " DID_CHANGE_RENEWAL_PREF/UPGRADE; 1"),
    ])
    #expect(world.transactions()[0].proratedRefund(at: try .at("2025-01-12T12:00:00Z")) == 0)
    #expect(world.newest().transaction.offer == nil)
  }

  @Test("E25c: a downgrade by promotional offer waits for the renewal, with the offer's price")
  func downgrade() throws {
    var world = try ScenarioWorld.play([
      ScenarioRow(Self.t0, .buy("plus.m"), Self.bought),
      ScenarioRow(
        "2025-01-20T00:00:00Z", .redeem("base.m", .promotional, "half"), Self.paid,
        "2025-01-20T00:00:00Z planChangeScheduled T2 plus.m 9990 until 2025-02-17T12:00:00Z then"
          + " base.m 2490 payAsYouGo P3M half; OFFER_REDEEMED/DOWNGRADE; 1"),
    ])
    try world.advance(to: .at("2025-06-01T00:00:00Z"))
    #expect(
      world.transactions().map(\.price) == [0, 9990, 2490, 2490, 2490, 4990])
    // Another plan chosen before the renewal drops the offer, and taking that back leaves it so.
    let dropped = try ScenarioWorld.play([
      ScenarioRow(Self.t0, .buy("plus.m"), Self.bought),
      ScenarioRow(
        "2025-01-20T00:00:00Z", .redeem("plus.m", .promotional, "half"), Self.paid,
        "2025-01-20T00:00:00Z offerRedeemed T2 plus.m 9990 until 2025-02-17T12:00:00Z then plus.m"
          + " 4990 payAsYouGo P3M half; OFFER_REDEEMED; 1"),
      ScenarioRow(
        "2025-01-21T00:00:00Z", .buy("base.m"),
        "2025-01-21T00:00:00Z planChangeScheduled T2 plus.m 9990 until 2025-02-17T12:00:00Z then"
          + " base.m 4990; DID_CHANGE_RENEWAL_PREF/DOWNGRADE; 1"),
      ScenarioRow(
        "2025-01-22T00:00:00Z", .buy("plus.m"),
        "2025-01-22T00:00:00Z planChangeScheduled T2 plus.m 9990 until 2025-02-17T12:00:00Z then"
          + " plus.m 9990; DID_CHANGE_RENEWAL_PREF; 1"),
    ])
    #expect(dropped.newest().renewal.offer == nil)
  }

  @Test("E25e: after the end a promotional offer opens the same line again")
  func lapsed() throws {
    let world = try ScenarioWorld.play([
      ScenarioRow(
        Self.t0, .redeem("plus.m", .code, "NEW"),
        "2025-01-10T12:00:00Z purchased T1 plus.m 0 freeTrial P1M NEW until"
          + " 2025-02-10T12:00:00Z; SUBSCRIBED/INITIAL_BUY; 1"),
      ScenarioRow(
        "2025-01-11T00:00:00Z", .off(),
        "2025-01-11T00:00:00Z autoRenewChanged off;"
          + " DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_DISABLED; 1"),
      ScenarioRow(
        "2025-03-01T12:00:00Z", .redeem("plus.m", .promotional, "front"),
        "2025-02-10T12:00:00Z expired intent 1; EXPIRED/VOLUNTARY; 2",
        "2025-03-01T12:00:00Z purchased T2 plus.m 9990 payUpFront P3M front until"
          + " 2025-06-01T12:00:00Z; SUBSCRIBED/RESUBSCRIBE; 1"),
      ScenarioRow(
        "2025-07-02T00:00:00Z", .off(),
        "2025-06-01T12:00:00Z renewed T3 plus.m 9990 until 2025-07-01T12:00:00Z; DID_RENEW; 1",
        "2025-07-01T12:00:00Z renewed T4 plus.m 9990 until 2025-08-01T12:00:00Z; DID_RENEW; 1",
        "2025-07-02T00:00:00Z autoRenewChanged off;"
          + " DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_DISABLED; 1"),
      // Neither the code nor the promotional offer used the introduction up.
      ScenarioRow(
        "2025-09-01T00:00:00Z", .buy("plus.m"),
        "2025-08-01T12:00:00Z expired intent 1; EXPIRED/VOLUNTARY; 2",
        "2025-09-01T00:00:00Z purchased T5 plus.m 0 freeTrial P1W until 2025-09-08T00:00:00Z;"
          + " SUBSCRIBED/RESUBSCRIBE; 1"),
    ])
    #expect(world.transactions().allSatisfy { $0.originalID == Limits.firstTransactionID })
  }

  @Test("A promotional offer is for who has or had a subscription of the app, of any group")
  func eligibility() throws {
    var world = try ScenarioWorld.play([ScenarioRow(Self.t0, .wait)])
    let never =
      "refused: ineligibleForOffer(reason: \"promotional offers are for customers who have or had"
      + " a subscription of the app, and this account never had one\")"
    #expect(
      try world.play(ScenarioRow(Self.t0, .redeem("plus.m", .promotional, "half"))) == [never])
    _ = try world.play(ScenarioRow(Self.t0, .buy("lifetime")))
    #expect(
      try world.play(ScenarioRow(Self.t0, .redeem("plus.m", .promotional, "half"))) == [never])
    _ = try world.play(ScenarioRow(Self.t0, .buy("monthly")))
    #expect(
      try world.play(ScenarioRow(Self.t0, .redeem("plus.m", .promotional, "half"))) == [
        "2025-01-10T12:00:00Z purchased T3 plus.m 4990 payAsYouGo P3M half until"
          + " 2025-02-10T12:00:00Z; SUBSCRIBED/INITIAL_BUY; 1"
      ])
  }

  @Test(
    "An id that is none is refused with those that are",
    arguments: [
      (
        "plus.m", OfferKind.promotional, "hlaf" as String?,
        "plus.m has no promotional offer hlaf; it has half, gift, front"
      ),
      (
        "plus.m", .promotional, nil,
        "say which promotional offer of plus.m by its id; it has half, gift, front"
      ),
      (
        "plus.m", .promotional, "SPRING",
        "SPRING of plus.m is no promotional offer but an offer code"
      ),
      ("plus.m", .code, "half", "half of plus.m is no offer code but a promotional offer"),
      (
        "plus.m", .code, "spring",
        "plus.m has no offer code spring; it has SPRING, STAY, BACK and 1 more"
      ),
      (
        "monthly", .promotional, "half",
        "monthly has no promotional offer half; it has no promotional offer at all"
      ),
      (
        "coins", .promotional, "half",
        "coins is no auto-renewable subscription, and only those have offers"
      ),
    ])
  func unknown(product: String, kind: OfferKind, id: String?, reason: String) throws {
    var world = try ScenarioWorld.play([ScenarioRow(Self.t0, .wait)])
    let found = try world.play(ScenarioRow(Self.t0, .redeem(product, kind, id)))
    #expect(found == ["refused: ineligibleForOffer(reason: \"\(reason)\")"])
  }

  @Test("In billing trouble the offer waits with the renewal, and is sold when it is paid")
  func inGrace() throws {
    var policies = Policies()
    policies.graceDays = 16
    var world = try ScenarioWorld.play(
      [
        ScenarioRow(Self.t0, .buy("plus.m"), Self.bought),
        ScenarioRow(
          "2025-01-20T00:00:00Z", .redeem("plus.m", .promotional, "gift"), Self.paid,
          "2025-01-20T00:00:00Z offerRedeemed T2 plus.m 9990 until 2025-02-17T12:00:00Z then"
            + " plus.m 0 freeTrial P1M gift; OFFER_REDEEMED; 1"),
        ScenarioRow("2025-01-21T00:00:00Z", .fail(), "2025-01-21T00:00:00Z billing fails"),
        ScenarioRow(
          "2025-02-20T00:00:00Z", .resolve(),
          "2025-02-17T12:00:00Z renewalFailed grace until 2025-03-05T12:00:00Z intent 2;"
            + " DID_FAIL_TO_RENEW/GRACE_PERIOD; 4",
          "2025-02-20T00:00:00Z billing succeeds",
          "2025-02-20T00:00:00Z recovered T3 plus.m 0 freeTrial P1M gift until"
            + " 2025-03-17T12:00:00Z; DID_RENEW/BILLING_RECOVERY; 1"),
        ScenarioRow(
          "2025-05-01T00:00:00Z", .wait,
          "2025-03-17T12:00:00Z renewed T4 plus.m 9990 until 2025-04-17T12:00:00Z; DID_RENEW; 1",
          "2025-04-17T12:00:00Z renewed T5 plus.m 9990 until 2025-05-17T12:00:00Z; DID_RENEW; 1"
        ),
      ], policies: policies)
    // While it waits for its payment, the same product takes no offer.
    try world.perform(.fail())
    try world.advance(to: .at("2025-05-18T00:00:00Z"))
    try world.perform(.succeed())
    let found = try world.play(
      ScenarioRow("2025-05-18T00:00:00Z", .redeem("plus.m", .promotional, "half")))
    #expect(found.count == 1 && found[0].contains("waits for its payment"))
  }

  @Test("A forecast follows an offer that waits, and changes nothing")
  func forecast() throws {
    var world = try ScenarioWorld.play([
      ScenarioRow(Self.t0, .buy("plus.m"), Self.bought),
      ScenarioRow(
        "2025-01-20T00:00:00Z", .redeem("plus.m", .promotional, "front"), Self.paid,
        "2025-01-20T00:00:00Z offerRedeemed T2 plus.m 9990 until 2025-02-17T12:00:00Z then plus.m"
          + " 9990 payUpFront P3M front; OFFER_REDEEMED; 1"),
    ])
    let until = try Instant.at("2025-09-01T00:00:00Z")
    let forecast = try world.state.forecast(account: 0, until: until, policies: world.policies)
    let start = world.log.count
    try world.advance(to: until)
    #expect(forecast.events == world.log[start...].filter { $0.fact.account == 0 })
    #expect(forecast.events.count == 5)
  }
}
