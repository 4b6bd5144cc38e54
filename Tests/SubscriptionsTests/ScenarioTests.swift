import Subscriptions
import Testing

/// The store's part of Domain.md 8 and 1.3, each as a table of time, command and expected events.
/// The tables are written from those pages by hand: `T1` is the first transaction, then what it
/// is of, its price in milliunits and its end; then the notification; then the status.
@Suite("Lives of a subscription, by the table")
struct ScenarioTests {
  /// When the customer of Domain.md 8 bought.
  static let t0 = "2025-01-10T12:00:00Z"
  static let bought =
    "2025-01-10T12:00:00Z purchased T1 silver.m 4990 until 2025-02-10T12:00:00Z;"
    + " SUBSCRIBED/INITIAL_BUY; 1"
  static let renewed =
    "2025-02-10T12:00:00Z renewed T2 silver.m 4990 until 2025-03-10T12:00:00Z; DID_RENEW; 1"

  @Test("Case 1, E5: a period is over at exactly its end, and expiry is told once")
  func boundary() throws {
    let world = try ScenarioWorld.play([
      ScenarioRow(Self.t0, .buy("silver.m"), Self.bought),
      ScenarioRow(
        "2025-01-20T00:00:00Z", .off(),
        "2025-01-20T00:00:00Z autoRenewChanged off;"
          + " DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_DISABLED; 1"),
      ScenarioRow("2025-02-10T11:59:59.999Z", .wait),
      ScenarioRow(
        "2025-02-10T12:00:00Z", .wait,
        "2025-02-10T12:00:00Z expired intent 1; EXPIRED/VOLUNTARY; 2"),
      ScenarioRow("2026-02-10T12:00:00Z", .wait),
    ])
    #expect(try world.status(at: "2025-02-10T11:59:59.999Z") == .active)
    #expect(try world.status(at: "2025-02-10T12:00:00Z") == .expired)
    #expect(Status.active.entitles)
    #expect(!Status.expired.entitles)
  }

  @Test("E1: a first purchase begins a line that knows itself")
  func firstPurchase() throws {
    let world = try ScenarioWorld.play([ScenarioRow(Self.t0, .buy("silver.m"), Self.bought)])
    let line = world.newest()
    let start = try Instant.at(Self.t0)
    let end = try Instant.at("2025-02-10T12:00:00Z")
    #expect(line.originalPurchaseDate == start)
    #expect(line.transaction.id == line.transaction.originalID)
    #expect(line.transaction.reason == .purchase)
    #expect(line.transaction.purchaseDate == start)
    #expect(line.transaction.expiresDate == end)
    #expect(line.transaction.signedDate == start)
    #expect(line.transaction.webOrderLineItemID != 0)
    #expect(line.transaction.ownership == .purchased)
    #expect(line.transaction.quantity == 1)
    #expect(line.transaction.revocation == nil)
    #expect(line.renewal.autoRenews)
    #expect(line.renewal.autoRenewProduct == line.transaction.product)
    #expect(line.renewal.renewalDate == end)
    #expect(line.renewal.renewalPrice == 4990)
    #expect(line.renewal.recentSubscriptionStartDate == start)
    #expect(!line.renewal.isInBillingRetry)
    #expect(line.renewal.expirationIntent == nil)
    #expect(line.deadline == Deadline(time: end, kind: .renew))
    #expect(try world.status(at: Self.t0) == .active)
  }

  @Test("E2: a renewal is a new transaction of the same line, from the old end on")
  func renewal() throws {
    let world = try ScenarioWorld.play([
      ScenarioRow(Self.t0, .buy("silver.m"), Self.bought),
      ScenarioRow("2025-02-15T00:00:00Z", .wait, Self.renewed),
    ])
    let transactions = world.transactions()
    try #require(transactions.count == 2)
    #expect(transactions[1].originalID == transactions[0].id)
    #expect(transactions[1].reason == .renewal)
    #expect(transactions[1].purchaseDate == transactions[0].expiresDate)
    #expect(transactions[1].webOrderLineItemID != transactions[0].webOrderLineItemID)
    #expect(transactions[1].signedDate == transactions[1].purchaseDate)
    let line = world.newest()
    #expect(line.originalPurchaseDate == transactions[0].purchaseDate)
    #expect(line.renewal.renewalDate == transactions[1].expiresDate)
    #expect(line.renewal.recentSubscriptionStartDate == transactions[0].purchaseDate)
  }

  @Test("E3, E4: renewal turned off and on again before the end costs nothing and renews")
  func offAndOn() throws {
    let world = try ScenarioWorld.play([
      ScenarioRow(Self.t0, .buy("silver.m"), Self.bought),
      ScenarioRow(
        "2025-01-20T00:00:00Z", .off(),
        "2025-01-20T00:00:00Z autoRenewChanged off;"
          + " DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_DISABLED; 1"),
      ScenarioRow("2025-01-21T00:00:00Z", .off()),
      ScenarioRow(
        "2025-01-22T00:00:00Z", .on(),
        "2025-01-22T00:00:00Z autoRenewChanged on;"
          + " DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_ENABLED; 1"),
      ScenarioRow("2025-01-23T00:00:00Z", .on()),
      ScenarioRow("2025-02-10T12:00:00Z", .wait, Self.renewed),
    ])
    #expect(world.transactions().count == 2)
  }

  @Test("E4: buying it again while renewal is off turns it on, without a charge")
  func buyingAgainResumes() throws {
    let world = try ScenarioWorld.play([
      ScenarioRow(Self.t0, .buy("silver.m"), Self.bought),
      ScenarioRow(
        "2025-01-20T00:00:00Z", .off(),
        "2025-01-20T00:00:00Z autoRenewChanged off;"
          + " DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_DISABLED; 1"),
      ScenarioRow(
        "2025-01-22T00:00:00Z", .buy("silver.m"),
        "2025-01-22T00:00:00Z autoRenewChanged T1 silver.m 4990 until 2025-02-10T12:00:00Z on;"
          + " DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_ENABLED; 1"),
    ])
    #expect(world.transactions().count == 1)
  }

  @Test("A living subscription cannot be bought again")
  func oneAGroup() throws {
    let world = try ScenarioWorld.play([
      ScenarioRow(Self.t0, .buy("silver.m"), Self.bought),
      ScenarioRow("2025-01-20T00:00:00Z", .buy("silver.m"), "refused: alreadySubscribed"),
    ])
    #expect(world.transactions().count == 1)
  }

  @Test("E5: an expired line stays expired, and its renewal cannot be switched")
  func expiredForGood() throws {
    var world = try ScenarioWorld.play([
      ScenarioRow(Self.t0, .buy("silver.m"), Self.bought),
      ScenarioRow(
        "2025-01-20T00:00:00Z", .off(),
        "2025-01-20T00:00:00Z autoRenewChanged off;"
          + " DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_DISABLED; 1"),
      ScenarioRow(
        "2025-04-01T00:00:00Z", .wait,
        "2025-02-10T12:00:00Z expired intent 1; EXPIRED/VOLUNTARY; 2"),
    ])
    let line = world.newest()
    #expect(!line.renewal.autoRenews)
    #expect(!line.renewal.isInBillingRetry)
    #expect(line.renewal.expirationIntent == .cancelled)
    #expect(line.deadline == nil)
    for command in [ScenarioCommand.on(), .off(), .renew(), .expire()] {
      #expect {
        try world.perform(command)
      } throws: { error in
        guard case .notPossible(status: .expired, _)? = error as? Rejection else { return false }
        return true
      }
    }
  }

  @Test("E26, case 57: a consumable counts its quantity into its price, and has no status")
  func consumable() throws {
    let world = try ScenarioWorld.play([
      ScenarioRow(
        Self.t0, .buy("coins", quantity: 3),
        "2025-01-10T12:00:00Z purchased T1 coins 2970 x3; ONE_TIME_CHARGE"),
      ScenarioRow("2025-01-10T12:00:00Z", .buy("coins", quantity: 11), "refused: invalidQuantity"),
      ScenarioRow("2025-01-10T12:00:00Z", .buy("coins", quantity: 0), "refused: invalidQuantity"),
      ScenarioRow(
        "2025-01-11T12:00:00Z", .refund(1),
        "2025-01-11T12:00:00Z refunded T1 coins 2970 x3 refundFull 100000 reason 0; REFUND"),
    ])
    let sold = try #require(world.transactions().first)
    #expect(sold.expiresDate == .never)
    #expect(sold.webOrderLineItemID == 0)
    var lasting = 0
    world.state.forEachPurchase(of: 0) { _ in lasting += 1 }
    #expect(lasting == 0)
    #expect(world.state.lines.isEmpty)
  }

  @Test("E26, case 65: a non-renewing purchase is listed for ever and may be bought again")
  func nonRenewing() throws {
    let world = try ScenarioWorld.play([
      ScenarioRow(
        "2020-06-01T00:00:00Z", .buy("pass"),
        "2020-06-01T00:00:00Z purchased T1 pass 19990; ONE_TIME_CHARGE"),
      ScenarioRow("2026-11-30T00:00:00Z", .wait),
      ScenarioRow(
        "2026-11-30T00:00:00Z", .buy("pass", quantity: 2),
        "2026-11-30T00:00:00Z purchased T2 pass 39980 x2; ONE_TIME_CHARGE"),
    ])
    var ids: [UInt64] = []
    world.state.forEachPurchase(of: 0) { purchase in
      ids.append(purchase.transaction.id)
      #expect(purchase.transaction.expiresDate == .never)
    }
    #expect(ids == [Limits.firstTransactionID + 1, Limits.firstTransactionID])
  }

  @Test("E26, B43: a non-consumable is owned once; its refund takes it away and is told once")
  func lifetime() throws {
    let world = try ScenarioWorld.play([
      ScenarioRow(
        Self.t0, .buy("lifetime"),
        "2025-01-10T12:00:00Z purchased T1 lifetime 49990; ONE_TIME_CHARGE"),
      ScenarioRow("2025-01-10T12:00:00Z", .buy("lifetime")),
      ScenarioRow(
        "2025-01-10T12:00:00Z", .buy("lifetime", quantity: 2), "refused: invalidQuantity"),
      ScenarioRow(
        "2025-01-11T00:00:00Z", .refund(1, reason: 1),
        "2025-01-11T00:00:00Z refunded T1 lifetime 49990 refundFull 100000 reason 1; REFUND"),
      ScenarioRow("2025-02-11T00:00:00Z", .wait),
    ])
    var revocations: [Instant?] = []
    world.state.forEachPurchase(of: 0) { revocations.append($0.transaction.revocation?.date) }
    #expect(try revocations == [Instant.at("2025-01-11T00:00:00Z")])
  }

  @Test("A non-consumable can be bought again after its refund")
  func lifetimeAgain() throws {
    _ = try ScenarioWorld.play([
      ScenarioRow(
        Self.t0, .buy("lifetime"),
        "2025-01-10T12:00:00Z purchased T1 lifetime 49990; ONE_TIME_CHARGE"),
      ScenarioRow(
        "2025-01-11T00:00:00Z", .refund(1),
        "2025-01-11T00:00:00Z refunded T1 lifetime 49990 refundFull 100000 reason 0; REFUND"),
      ScenarioRow(
        "2025-01-12T00:00:00Z", .buy("lifetime"),
        "2025-01-12T00:00:00Z purchased T2 lifetime 49990; ONE_TIME_CHARGE"),
      ScenarioRow(
        "2025-01-13T00:00:00Z", .reverse(1),
        "2025-01-13T00:00:00Z refundReversed T1 lifetime 49990; REFUND_REVERSED"),
    ])
  }

  @Test("Finishing is told once, and a refund keeps it")
  func finish() throws {
    let world = try ScenarioWorld.play([
      ScenarioRow(Self.t0, .buy("silver.m"), Self.bought),
      ScenarioRow("2025-01-10T12:00:01Z", .finish(1), "2025-01-10T12:00:01Z finished T1"),
      ScenarioRow("2025-01-10T12:00:02Z", .finish(1)),
      ScenarioRow("2025-01-10T12:00:02Z", .finish(9), "refused: transactionNotFound"),
      ScenarioRow("2025-02-10T12:00:00Z", .wait, Self.renewed),
      ScenarioRow(
        "2025-02-11T12:00:00Z", .refund(1),
        "2025-02-11T12:00:00Z refunded T1 silver.m 4990 refundFull 100000 reason 0 until"
          + " 2025-02-10T12:00:00Z; REFUND; 1"),
    ])
    #expect(world.transactions().map(\.isFinished) == [true, false])
  }

  @Test("An unknown product is refused, and the nearest names are said")
  func unknownProduct() throws {
    var world = try ScenarioWorld.play([ScenarioRow(Self.t0, .wait)])
    #expect {
      try world.perform(.buy("silver"))
    } throws: { error in
      guard case .productNotFound("silver", let nearest)? = error as? Rejection else {
        return false
      }
      return nearest == ["silver.m", "silver.y", "silver.m2"]
    }
    #expect(world.state.accounts.count == 0)
  }
}
