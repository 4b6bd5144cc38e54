import Subscriptions
import Testing

/// Price increases and products removed from sale: Domain.md 1.3 E23 to E24, 1.8, 8.80 and 8.81.
@Suite("Price increases and products removed from sale")
struct ScenarioPriceTests {
  private static let t0 = ScenarioTests.t0
  private static let bought = ScenarioRow(t0, .buy("silver.m"), ScenarioTests.bought)
  private static let announced = ScenarioRow(
    "2025-01-20T00:00:00Z", .product(.announce("silver.m", 5990, consent: true)),
    "priceIncreaseAnnounced silver.m 5990 asked",
    "2025-01-20T00:00:00Z priceIncreased 5990 status 0; PRICE_INCREASE/PENDING; 1",
    "priceIncreaseCompleted silver.m 1")
  private static let told = ScenarioRow(
    "2025-01-20T00:00:00Z", .product(.announce("silver.m", 5990, consent: false)),
    "priceIncreaseAnnounced silver.m 5990 told",
    "2025-01-20T00:00:00Z priceIncreased 5990 status 1; PRICE_INCREASE/ACCEPTED; 1",
    "priceIncreaseCompleted silver.m 1")

  @Test("Case 80, E23, E23d: unanswered at its end, the line expires though its renewal was on")
  func unanswered() throws {
    let world = try ScenarioWorld.play([
      Self.bought, Self.announced,
      ScenarioRow(
        "2025-03-01T00:00:00Z", .wait,
        "2025-02-10T12:00:00Z expired intent 3; EXPIRED/PRICE_INCREASE; 2"),
    ])
    #expect(!world.newest().renewal.autoRenews)
    #expect(world.newest().deadline == nil)
  }

  @Test("The policy autoRenewAfterEnd leaves renewal on, and nothing renews all the same")
  func policy() throws {
    var policies = Policies()
    policies.autoRenewAfterEnd = .unchanged
    let world = try ScenarioWorld.play(
      [
        Self.bought, Self.announced,
        ScenarioRow(
          "2025-09-01T00:00:00Z", .wait,
          "2025-02-10T12:00:00Z expired intent 3; EXPIRED/PRICE_INCREASE; 2"),
      ], policies: policies)
    #expect(world.newest().renewal.autoRenews)
  }

  @Test("Case 81, E23c: without consent it is told as accepted, and the next period costs more")
  func consentless() throws {
    _ = try ScenarioWorld.play([
      Self.bought, Self.told,
      ScenarioRow(
        "2025-02-10T12:00:00Z", .wait,
        "2025-02-10T12:00:00Z renewed T2 silver.m 5990 until 2025-03-10T12:00:00Z; DID_RENEW; 1"),
    ])
  }

  @Test("E23b: agreed to, it renews at the new price; an answer is given once")
  func agreed() throws {
    let world = try ScenarioWorld.play([
      Self.bought, Self.announced,
      ScenarioRow(
        "2025-01-21T00:00:00Z", .product(.agree),
        "2025-01-21T00:00:00Z priceIncreaseAccepted T1 silver.m 4990 until 2025-02-10T12:00:00Z"
          + " 5990 status 1; PRICE_INCREASE/ACCEPTED; 1"),
      ScenarioRow(
        "2025-01-22T00:00:00Z", .product(.refuse),
        "refused: notPossible(status: Optional(Subscriptions.Status.active), reason: "
          + "\"no price increase waits for an answer\")"),
      ScenarioRow(
        "2025-02-10T12:00:00Z", .wait,
        "2025-02-10T12:00:00Z renewed T2 silver.m 5990 until 2025-03-10T12:00:00Z; DID_RENEW; 1"),
    ])
    #expect(world.newest().renewal.priceIncreaseStatus == nil)
  }

  @Test("E23e: declined or cancelled, renewal is off and nothing pends", arguments: [true, false])
  func declined(byAnswer: Bool) throws {
    let carried = byAnswer ? " T1 silver.m 4990 until 2025-02-10T12:00:00Z" : ""
    let world = try ScenarioWorld.play([
      Self.bought, Self.announced,
      ScenarioRow(
        "2025-01-21T00:00:00Z", byAnswer ? .product(.refuse) : .off(),
        "2025-01-21T00:00:00Z autoRenewChanged\(carried) off;"
          + " DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_DISABLED; 1"),
      ScenarioRow(
        "2025-03-01T00:00:00Z", .wait,
        "2025-02-10T12:00:00Z expired intent 1; EXPIRED/VOLUNTARY; 2"),
    ])
    #expect(world.newest().renewal.priceIncreaseStatus == nil)
  }

  @Test("Who turns renewal on again after an increase pays the new price, and is not asked")
  func turnedOnAgain() throws {
    _ = try ScenarioWorld.play([
      Self.bought,
      ScenarioRow(
        "2025-01-15T00:00:00Z", .off(),
        "2025-01-15T00:00:00Z autoRenewChanged off;"
          + " DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_DISABLED; 1"),
      ScenarioRow(
        "2025-01-20T00:00:00Z", .product(.announce("silver.m", 5990, consent: true)),
        "priceIncreaseAnnounced silver.m 5990 asked", "priceIncreaseCompleted silver.m 0"),
      ScenarioRow(
        "2025-01-21T00:00:00Z", .on(),
        "2025-01-21T00:00:00Z autoRenewChanged on;"
          + " DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_ENABLED; 1"),
      ScenarioRow(
        "2025-02-10T12:00:00Z", .wait,
        "2025-02-10T12:00:00Z renewed T2 silver.m 5990 until 2025-03-10T12:00:00Z; DID_RENEW; 1"),
    ])
  }

  @Test("An increase that pends goes with an upgrade, and with a change to another plan")
  func planChanges() throws {
    let upgraded = try ScenarioWorld.play([
      Self.bought, Self.announced,
      ScenarioRow(
        "2025-01-25T12:00:00Z", .buy("gold.m"),
        "2025-01-25T12:00:00Z upgraded T2 gold.m 9990 until 2025-02-25T12:00:00Z;"
          + " DID_CHANGE_RENEWAL_PREF/UPGRADE; 1"),
      ScenarioRow(
        "2025-02-25T12:00:00Z", .wait,
        "2025-02-25T12:00:00Z renewed T3 gold.m 9990 until 2025-03-25T12:00:00Z; DID_RENEW; 1"),
    ])
    #expect(upgraded.newest().renewal.priceIncreaseStatus == nil)
    _ = try ScenarioWorld.play([
      Self.bought, Self.announced,
      ScenarioRow(
        "2025-01-25T12:00:00Z", .buy("bronze.m"),
        "2025-01-25T12:00:00Z planChangeScheduled T1 silver.m 4990 until 2025-02-10T12:00:00Z"
          + " then bronze.m 2990; DID_CHANGE_RENEWAL_PREF/DOWNGRADE; 1"),
      // It is another product's price now.
      ScenarioRow(
        "2025-01-26T00:00:00Z", .product(.announce("silver.m", 6990, consent: true)),
        "priceIncreaseAnnounced silver.m 6990 asked", "priceIncreaseCompleted silver.m 0"),
      ScenarioRow(
        "2025-01-27T00:00:00Z", .product(.announce("bronze.m", 3990, consent: false)),
        "priceIncreaseAnnounced bronze.m 3990 told",
        "2025-01-27T00:00:00Z priceIncreased T1 silver.m 4990 until 2025-02-10T12:00:00Z"
          + " 3990 status 1; PRICE_INCREASE/ACCEPTED; 1",
        "priceIncreaseCompleted bronze.m 1"),
      ScenarioRow(
        "2025-02-10T12:00:00Z", .wait,
        "2025-02-10T12:00:00Z renewed T2 bronze.m 3990 until 2025-03-10T12:00:00Z; DID_RENEW; 1"),
    ])
  }

  @Test("Agreed to, then not paid: what is owed is the new price")
  func billing() throws {
    _ = try ScenarioWorld.play([
      Self.bought, Self.told,
      ScenarioRow("2025-01-21T00:00:00Z", .fail(), "2025-01-21T00:00:00Z billing fails"),
      ScenarioRow(
        "2025-02-11T00:00:00Z", .wait,
        "2025-02-10T12:00:00Z renewalFailed intent 2; DID_FAIL_TO_RENEW; 3"),
      // In billing retry a second increase does not reach it.
      ScenarioRow(
        "2025-02-11T00:00:00Z", .product(.announce("silver.m", 6990, consent: true)),
        "priceIncreaseAnnounced silver.m 6990 asked", "priceIncreaseCompleted silver.m 0"),
      ScenarioRow(
        "2025-02-12T00:00:00Z", .resolve(), "2025-02-12T00:00:00Z billing succeeds",
        "2025-02-12T00:00:00Z recovered T2 silver.m 5990 until 2025-03-12T00:00:00Z;"
          + " DID_RENEW/BILLING_RECOVERY; 1"),
    ])
  }

  @Test("E23d: without an answer nothing is charged, so that nothing can fail to be")
  func unansweredAndFailing() throws {
    _ = try ScenarioWorld.play([
      Self.bought, Self.announced,
      ScenarioRow("2025-01-21T00:00:00Z", .fail(), "2025-01-21T00:00:00Z billing fails"),
      ScenarioRow(
        "2025-03-01T00:00:00Z", .wait,
        "2025-02-10T12:00:00Z expired intent 3; EXPIRED/PRICE_INCREASE; 2"),
    ])
  }

  @Test("A forced renewal takes a pending increase with it")
  func forced() throws {
    let world = try ScenarioWorld.play([
      Self.bought, Self.announced,
      ScenarioRow(
        "2025-01-31T12:00:00Z", .renew(),
        "2025-01-31T12:00:00Z renewed T2 silver.m 5990 until 2025-02-28T12:00:00Z; DID_RENEW; 1"),
    ])
    #expect(world.newest().renewal.priceIncreaseStatus == nil)
  }

  @Test("Renewal off, then a forced renewal: it costs what the product costs by then")
  func forcedWithRenewalOff() throws {
    let world = try ScenarioWorld.play([
      Self.bought,
      ScenarioRow(
        "2025-01-15T00:00:00Z", .off(),
        "2025-01-15T00:00:00Z autoRenewChanged off;"
          + " DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_DISABLED; 1"),
      ScenarioRow(
        "2025-01-20T00:00:00Z", .product(.announce("silver.m", 5990, consent: false)),
        "priceIncreaseAnnounced silver.m 5990 told", "priceIncreaseCompleted silver.m 0"),
      ScenarioRow(
        "2025-01-31T12:00:00Z", .renew(),
        "2025-01-31T12:00:00Z renewed T2 silver.m 5990 until 2025-02-28T12:00:00Z; DID_RENEW; 1"),
    ])
    #expect(world.newest().renewal.autoRenews)
  }

  @Test("The same price again asks again who has not answered; a lower one is none")
  func again() throws {
    _ = try ScenarioWorld.play([
      Self.bought, Self.announced, Self.announced,
      ScenarioRow(
        "2025-01-20T00:00:00Z", .product(.announce("silver.m", 5000, consent: true)),
        "refused: invalidParameter(name: \"price\", reason: \"silver.m costs 5990 milliunits now"
          + " (9990 is 9.99), and an increase is not below that\")"),
      ScenarioRow(
        "2025-01-20T00:00:00Z", .product(.announce("coins", 5000, consent: true)),
        "refused: invalidParameter(name: \"productId\", reason: \"coins does not renew; only a"
          + " subscription\\'s price does\")"),
      // What pends is not agreed to by an increase that asks nobody.
      ScenarioRow(
        "2025-01-21T00:00:00Z", .product(.announce("silver.m", 6990, consent: false)),
        "priceIncreaseAnnounced silver.m 6990 told",
        "2025-01-21T00:00:00Z priceIncreased 6990 status 0; PRICE_INCREASE/PENDING; 1",
        "priceIncreaseCompleted silver.m 1"),
    ])
  }

  @Test("One that renews by an offer is not reached; after the offer it pays the price of then")
  func offers() throws {
    _ = try ScenarioWorld.play([
      ScenarioRow(
        Self.t0, .buy("payg.m"),
        "2025-01-10T12:00:00Z purchased T1 payg.m 1990 payAsYouGo P3M until"
          + " 2025-02-10T12:00:00Z; SUBSCRIBED/INITIAL_BUY; 1"),
      ScenarioRow(
        "2025-01-20T00:00:00Z", .product(.announce("payg.m", 11_990, consent: true)),
        "priceIncreaseAnnounced payg.m 11990 asked", "priceIncreaseCompleted payg.m 0"),
      ScenarioRow(
        "2025-04-10T12:00:00Z", .wait,
        "2025-02-10T12:00:00Z renewed T2 payg.m 1990 payAsYouGo P3M until"
          + " 2025-03-10T12:00:00Z; DID_RENEW; 1",
        "2025-03-10T12:00:00Z renewed T3 payg.m 1990 payAsYouGo P3M until"
          + " 2025-04-10T12:00:00Z; DID_RENEW; 1",
        "2025-04-10T12:00:00Z renewed T4 payg.m 11990 until 2025-05-10T12:00:00Z; DID_RENEW; 1"),
    ])
  }

  @Test("E24: removed from sale, it is not sold, does not renew, and comes back by an import")
  func removed() throws {
    var world = try ScenarioWorld.play([
      Self.bought,
      ScenarioRow(
        "2025-01-20T00:00:00Z", .product(.remove("silver.m")), "removedFromSale silver.m"),
      ScenarioRow("2025-01-20T00:00:00Z", .product(.remove("silver.m"))),
      ScenarioRow(
        "2025-01-21T00:00:00Z", .renew(),
        "refused: notPossible(status: Optional(Subscriptions.Status.active), reason: "
          + "\"the product that would renew is not on sale\")"),
      ScenarioRow(
        "2025-03-01T00:00:00Z", .wait,
        "2025-02-10T12:00:00Z expired intent 4; EXPIRED/PRODUCT_NOT_FOR_SALE; 2"),
    ])
    #expect(!world.newest().renewal.autoRenews)
    #expect {
      try world.perform(.buy("silver.m", account: "u2"))
    } throws: { error in
      guard case .productNotFound("silver.m", _)? = error as? Rejection else { return false }
      return true
    }
    try world.perform(.product(.importAgain))
    try world.perform(.buy("silver.m"))
    #expect(world.newest().transaction.price == 4990)
    #expect(try world.status(at: "2025-03-02T00:00:00Z") == .active)
  }

  @Test("A forecast follows a pending increase, and a product that is sold no more")
  func forecasts() throws {
    for (command, intent) in [
      (ProductCommand.announce("silver.m", 5990, consent: true), ExpirationIntent.noConsent),
      (.remove("silver.m"), .productUnavailable),
    ] {
      var world = try ScenarioWorld.play([Self.bought])
      try world.perform(.product(command))
      let forecast = try world.state.forecast(
        account: 0, until: .at("2025-06-01T00:00:00Z"), policies: world.policies)
      #expect(forecast.events.map(\.fact.kind) == [.line(.expired)])
      #expect(forecast.lines[0].line.renewal.expirationIntent == intent)
    }
  }
}
