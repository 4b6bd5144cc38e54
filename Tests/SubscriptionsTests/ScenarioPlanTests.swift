import Subscriptions
import Testing

/// Changes of plan: Domain.md 8, 38 to 47, and 1.4, each as a table of time, command and events.
@Suite("Upgrades, downgrades and crossgrades")
struct ScenarioPlanTests {
  static let boughtGold =
    "2025-01-10T12:00:00Z purchased T1 gold.m 9990 until 2025-02-10T12:00:00Z;"
    + " SUBSCRIBED/INITIAL_BUY; 1"
  /// Case 40: from gold.m to silver.m at the next renewal.
  static let downgraded = [
    ScenarioRow(ScenarioTests.t0, .buy("gold.m"), boughtGold),
    ScenarioRow(
      "2025-01-20T12:00:00Z", .buy("silver.m"),
      "2025-01-20T12:00:00Z planChangeScheduled T1 gold.m 9990 until 2025-02-10T12:00:00Z then"
        + " silver.m 4990; DID_CHANGE_RENEWAL_PREF/DOWNGRADE; 1"),
  ]
  static let renewedAsSilver = ScenarioRow(
    "2025-02-10T12:00:00Z", .wait,
    "2025-02-10T12:00:00Z renewed T2 silver.m 4990 until 2025-03-10T12:00:00Z; DID_RENEW; 1")

  private func entitled(_ world: ScenarioWorld, at text: String) throws -> [UInt64] {
    let now = try Instant.at(text)
    return world.transactions().filter {
      !$0.isUpgraded && $0.revocation == nil && now < $0.expiresDate && $0.purchaseDate <= now
    }.map(\.id)
  }

  @Test("Cases 38, 39, E14: an upgrade begins a period at once and replaces the old one")
  func upgrade() throws {
    let world = try ScenarioWorld.play([
      ScenarioRow(ScenarioTests.t0, .buy("silver.m"), ScenarioTests.bought),
      ScenarioRow(
        "2025-01-20T12:00:00Z", .buy("gold.m"),
        "2025-01-20T12:00:00Z upgraded T2 gold.m 9990 until 2025-02-20T12:00:00Z;"
          + " DID_CHANGE_RENEWAL_PREF/UPGRADE; 1"),
      ScenarioRow(
        "2025-03-01T00:00:00Z", .wait,
        "2025-02-20T12:00:00Z renewed T3 gold.m 9990 until 2025-03-20T12:00:00Z; DID_RENEW; 1"),
    ])
    let sold = world.transactions()
    try #require(sold.count == 3)
    #expect(sold.map(\.isUpgraded) == [true, false, false])
    #expect(sold[0].expiresDate.rfc3339 == "2025-02-10T12:00:00Z")
    #expect(sold[0].revocation == nil)
    #expect(sold[1].reason == .purchase)
    #expect(sold[1].purchaseDate.rfc3339 == "2025-01-20T12:00:00Z")
    #expect(sold[1].originalID == sold[0].id)
    #expect(sold[1].webOrderLineItemID != sold[0].webOrderLineItemID)
    #expect(sold[2].reason == .renewal)
    #expect(try entitled(world, at: "2025-01-25T00:00:00Z") == [sold[1].id])
    #expect(world.newest().originalPurchaseDate == sold[0].purchaseDate)
    #expect(world.newest().renewal.recentSubscriptionStartDate == sold[0].purchaseDate)
    // Of 31 days 21 are unused: 4990 × 21 / 31 = 3380.3….
    #expect(try sold[0].proratedRefund(at: .at("2025-01-20T12:00:00Z")) == 3380)
    #expect(try sold[0].proratedRefund(at: .at(ScenarioTests.t0)) == 4990)
    #expect(try sold[0].proratedRefund(at: .at("2025-02-10T11:59:59.999Z")) == 0)
    #expect(try sold[0].proratedRefund(at: .at("2025-02-10T12:00:00Z")) == 0)
  }

  @Test("Case 40, E15, E17: a downgrade waits for the renewal, which is of the new product")
  func downgrade() throws {
    var world = try ScenarioWorld.play(Self.downgraded)
    let line = world.newest()
    #expect(line.transaction.price == 9990)
    #expect(line.renewal.renewalPrice == 4990)
    #expect(line.renewal.renewalDate == line.transaction.expiresDate)
    #expect(line.renewal.autoRenewProduct != line.transaction.product)
    #expect(try world.play(ScenarioRow("2025-01-21T00:00:00Z", .buy("silver.m"))).isEmpty)
    #expect(try world.play(Self.renewedAsSilver) == Self.renewedAsSilver.expected)
    let sold = world.transactions()
    #expect(sold.map(\.isUpgraded) == [false, false])
    #expect(sold[1].reason == .renewal)
    #expect(world.newest().renewal.autoRenewProduct == sold[1].product)
  }

  @Test("Case 41, E16: a change taken back before the renewal leaves things as they were")
  func takenBack() throws {
    let world = try ScenarioWorld.play(
      Self.downgraded + [
        ScenarioRow(
          "2025-01-25T00:00:00Z", .buy("gold.m"),
          "2025-01-25T00:00:00Z planChangeScheduled T1 gold.m 9990 until 2025-02-10T12:00:00Z"
            + " then gold.m 9990; DID_CHANGE_RENEWAL_PREF; 1"),
        ScenarioRow("2025-01-26T00:00:00Z", .buy("gold.m"), "refused: alreadySubscribed"),
        ScenarioRow(
          "2025-02-10T12:00:00Z", .wait,
          "2025-02-10T12:00:00Z renewed T2 gold.m 9990 until 2025-03-10T12:00:00Z; DID_RENEW; 1"),
      ])
    #expect(world.transactions().count == 2)
  }

  @Test("Case 42: same level, another length: at the renewal, though it is dearer")
  func otherLength() throws {
    _ = try ScenarioWorld.play([
      ScenarioRow(ScenarioTests.t0, .buy("gold.m"), Self.boughtGold),
      ScenarioRow(
        "2025-01-20T12:00:00Z", .buy("gold.y"),
        "2025-01-20T12:00:00Z planChangeScheduled T1 gold.m 9990 until 2025-02-10T12:00:00Z then"
          + " gold.y 99990; DID_CHANGE_RENEWAL_PREF/DOWNGRADE; 1"),
      ScenarioRow(
        "2025-02-10T12:00:00Z", .wait,
        "2025-02-10T12:00:00Z renewed T2 gold.y 99990 until 2026-02-10T12:00:00Z; DID_RENEW; 1"),
    ])
  }

  @Test("Case 43: same level, same length: at once")
  func sameLength() throws {
    _ = try ScenarioWorld.play([
      ScenarioRow(ScenarioTests.t0, .buy("silver.m"), ScenarioTests.bought),
      ScenarioRow(
        "2025-01-20T12:00:00Z", .buy("silver.m2"),
        "2025-01-20T12:00:00Z upgraded T2 silver.m2 5990 until 2025-02-20T12:00:00Z;"
          + " DID_CHANGE_RENEWAL_PREF/UPGRADE; 1"),
    ])
  }

  @Test(
    "1.4: what a change is, by level and length",
    arguments: [
      ("silver.m", "gold.m", LineKind.upgraded), ("silver.m", "gold.y", .upgraded),
      ("silver.y", "gold.m", .upgraded), ("silver.y", "gold.y", .upgraded),
      ("bronze.m", "silver.y", .upgraded), ("bronze.m", "gold.m", .upgraded),
      ("silver.m", "silver.m2", .upgraded), ("silver.m2", "silver.m", .upgraded),
      ("silver.m", "silver.y", .planChangeScheduled),
      ("silver.y", "silver.m", .planChangeScheduled),
      ("gold.m", "gold.y", .planChangeScheduled), ("gold.y", "gold.m", .planChangeScheduled),
      ("gold.m", "silver.m", .planChangeScheduled),
      ("gold.y", "silver.y", .planChangeScheduled),
      ("gold.m", "silver.y", .planChangeScheduled),
      ("silver.m2", "bronze.m", .planChangeScheduled),
    ])
  func kinds(old: String, new: String, kind: LineKind) throws {
    var world = try ScenarioWorld()
    try world.makeClock(Clock.defaultName, at: .at(ScenarioTests.t0))
    try world.perform(.buy(old))
    try world.advance(to: .at("2025-01-20T00:00:00Z"))
    try world.perform(.buy(new))
    #expect(world.log.last?.fact.kind == .line(kind))
  }

  @Test("Case 44: an upgrade with renewal off turns it on")
  func upgradeWhileOff() throws {
    let world = try ScenarioWorld.play([
      ScenarioRow(ScenarioTests.t0, .buy("silver.m"), ScenarioTests.bought),
      ScenarioRow(
        "2025-01-15T00:00:00Z", .off(),
        "2025-01-15T00:00:00Z autoRenewChanged off;"
          + " DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_DISABLED; 1"),
      ScenarioRow(
        "2025-01-20T12:00:00Z", .buy("gold.m"),
        "2025-01-20T12:00:00Z upgraded T2 gold.m 9990 until 2025-02-20T12:00:00Z;"
          + " DID_CHANGE_RENEWAL_PREF/UPGRADE; 1"),
      ScenarioRow(
        "2025-02-20T12:00:00Z", .wait,
        "2025-02-20T12:00:00Z renewed T3 gold.m 9990 until 2025-03-20T12:00:00Z; DID_RENEW; 1"),
    ])
    #expect(world.newest().renewal.autoRenews)
  }

  @Test("A downgrade chosen with renewal off turns it on, and so does taking one back")
  func scheduledWhileOff() throws {
    let off = ScenarioRow(
      "2025-01-15T00:00:00Z", .off(),
      "2025-01-15T00:00:00Z autoRenewChanged off;"
        + " DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_DISABLED; 1")
    _ = try ScenarioWorld.play(
      [Self.downgraded[0], off, Self.downgraded[1], Self.renewedAsSilver])
    let world = try ScenarioWorld.play(
      Self.downgraded + [
        ScenarioRow(
          "2025-01-25T00:00:00Z", .off(),
          "2025-01-25T00:00:00Z autoRenewChanged T1 gold.m 9990 until 2025-02-10T12:00:00Z off;"
            + " DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_DISABLED; 1"),
        ScenarioRow(
          "2025-01-26T00:00:00Z", .buy("gold.m"),
          "2025-01-26T00:00:00Z planChangeScheduled T1 gold.m 9990 until 2025-02-10T12:00:00Z"
            + " then gold.m 9990; DID_CHANGE_RENEWAL_PREF; 1"),
      ])
    #expect(world.newest().renewal.autoRenews)
  }

  @Test("Case 45: a pending downgrade and renewal off: it expires, and nothing else is sold")
  func pendingThenOff() throws {
    let world = try ScenarioWorld.play(
      Self.downgraded + [
        ScenarioRow(
          "2025-01-25T00:00:00Z", .off(),
          "2025-01-25T00:00:00Z autoRenewChanged T1 gold.m 9990 until 2025-02-10T12:00:00Z off;"
            + " DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_DISABLED; 1"),
        ScenarioRow(
          "2025-06-01T00:00:00Z", .wait,
          "2025-02-10T12:00:00Z expired T1 gold.m 9990 until 2025-02-10T12:00:00Z intent 1;"
            + " EXPIRED/VOLUNTARY; 2"),
      ])
    #expect(world.transactions().count == 1)
  }

  @Test("Case 46: down, then to a middle plan before the renewal: one transaction, then the middle")
  func middle() throws {
    let world = try ScenarioWorld.play([
      ScenarioRow(ScenarioTests.t0, .buy("gold.m"), Self.boughtGold),
      ScenarioRow(
        "2025-01-15T00:00:00Z", .buy("bronze.m"),
        "2025-01-15T00:00:00Z planChangeScheduled T1 gold.m 9990 until 2025-02-10T12:00:00Z then"
          + " bronze.m 2990; DID_CHANGE_RENEWAL_PREF/DOWNGRADE; 1"),
      ScenarioRow(
        "2025-01-16T00:00:00Z", .buy("silver.m"),
        "2025-01-16T00:00:00Z planChangeScheduled T1 gold.m 9990 until 2025-02-10T12:00:00Z then"
          + " silver.m 4990; DID_CHANGE_RENEWAL_PREF/DOWNGRADE; 1"),
      Self.renewedAsSilver,
    ])
    #expect(try entitled(world, at: "2025-01-20T00:00:00Z").count == 1)
    #expect(try entitled(world, at: "2025-02-20T00:00:00Z").count == 1)
  }

  @Test("A pending downgrade is gone with an upgrade")
  func pendingThenUpgrade() throws {
    _ = try ScenarioWorld.play([
      ScenarioRow(ScenarioTests.t0, .buy("silver.m"), ScenarioTests.bought),
      ScenarioRow(
        "2025-01-15T00:00:00Z", .buy("bronze.m"),
        "2025-01-15T00:00:00Z planChangeScheduled T1 silver.m 4990 until 2025-02-10T12:00:00Z"
          + " then bronze.m 2990; DID_CHANGE_RENEWAL_PREF/DOWNGRADE; 1"),
      ScenarioRow(
        "2025-01-20T12:00:00Z", .buy("gold.m"),
        "2025-01-20T12:00:00Z upgraded T2 gold.m 9990 until 2025-02-20T12:00:00Z;"
          + " DID_CHANGE_RENEWAL_PREF/UPGRADE; 1"),
      ScenarioRow(
        "2025-02-20T12:00:00Z", .wait,
        "2025-02-20T12:00:00Z renewed T3 gold.m 9990 until 2025-03-20T12:00:00Z; DID_RENEW; 1"),
    ])
  }

  @Test("Case 47: an upgrade ends a trial at once, without another offer, and gives nothing back")
  func upgradeInTrial() throws {
    let trial = ScenarioRow(
      ScenarioTests.t0, .buy("trial.y"),
      "2025-01-10T12:00:00Z purchased T1 trial.y 0 freeTrial P1M until 2025-02-10T12:00:00Z;"
        + " SUBSCRIBED/INITIAL_BUY; 1")
    let world = try ScenarioWorld.play([
      trial,
      ScenarioRow(
        "2025-01-20T12:00:00Z", .buy("trial.m"),
        "2025-01-20T12:00:00Z upgraded T2 trial.m 9990 until 2025-02-20T12:00:00Z;"
          + " DID_CHANGE_RENEWAL_PREF/UPGRADE; 1"),
      ScenarioRow(
        "2025-02-20T12:00:00Z", .wait,
        "2025-02-20T12:00:00Z renewed T3 trial.m 9990 until 2025-03-20T12:00:00Z; DID_RENEW; 1"),
    ])
    let sold = world.transactions()
    #expect(sold.map(\.isUpgraded) == [true, false, false])
    #expect(try sold[0].proratedRefund(at: .at("2025-01-20T12:00:00Z")) == 0)
    #expect(sold[1].offer == nil && world.newest().renewal.offer == nil)

    // An introductory offer asked for by name is refused while the line lives.
    let living = try ScenarioWorld.play([trial])
    #expect {
      let asked = PurchaseCommand(
        account: Array("u1".utf8), productID: "trial.m", offer: OfferRequest(kind: .introductory))
      _ = try living.state.decide(.purchase(asked), Moment(living.policies))
    } throws: { error in
      guard case .ineligibleForOffer? = error as? Rejection else { return false }
      return true
    }
  }

  @Test("A downgrade in a trial: the first paid period is of the new product, at its full price")
  func downgradeInTrial() throws {
    _ = try ScenarioWorld.play([
      ScenarioRow(
        ScenarioTests.t0, .buy("trial.m"),
        "2025-01-10T12:00:00Z purchased T1 trial.m 0 freeTrial P1W until 2025-01-17T12:00:00Z;"
          + " SUBSCRIBED/INITIAL_BUY; 1"),
      ScenarioRow(
        "2025-01-12T00:00:00Z", .buy("trial.y"),
        "2025-01-12T00:00:00Z planChangeScheduled T1 trial.m 0 freeTrial P1W until"
          + " 2025-01-17T12:00:00Z then trial.y 99990; DID_CHANGE_RENEWAL_PREF/DOWNGRADE; 1"),
      ScenarioRow(
        "2025-01-17T12:00:00Z", .wait,
        "2025-01-17T12:00:00Z renewed T2 trial.y 99990 until 2026-01-17T12:00:00Z;"
          + " DID_RENEW; 1"),
    ])
  }
}
