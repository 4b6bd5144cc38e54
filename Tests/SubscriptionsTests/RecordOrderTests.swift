import Subscriptions
import Testing

/// Order, repeats and gaps of signed facts (Domain.md 8, cases 3, 4, 6, 18, 21,
/// 23 to 28, 35 to 37).
/// O1 is the line 1001; T1 runs from 10 January to 10 February 2025, T2 to 10 March.
@Suite("Signed facts: order, repeats, gaps")
struct RecordOrderTests {
  private static let bought = "2025-01-10T12:00:00Z"
  private static let first = "2025-02-10T12:00:00Z"
  private static let second = "2025-03-10T12:00:00Z"

  private func subscribed() throws -> IngestCommand {
    Told.command(
      "SUBSCRIBED", "INITIAL_BUY", number: 1,
      transaction: try Told.transaction(
        1001, of: 1001, from: Self.bought, until: Self.first, signed: Self.bought),
      renewal: try Told.renewal(of: 1001, signed: Self.bought), status: .active, account: "u1")
  }

  private func renewed(signed: String = first) throws -> IngestCommand {
    Told.command(
      "DID_RENEW", number: 2,
      transaction: try Told.transaction(
        1002, of: 1001, from: Self.first, until: Self.second, signed: signed),
      renewal: try Told.renewal(of: 1001, signed: signed), status: .active, account: "u1")
  }

  private func refunded(_ id: UInt64, at time: String, number: UInt64 = 3) throws -> IngestCommand {
    let isFirst = id == 1001
    var transaction = try Told.transaction(
      id, of: 1001, from: isFirst ? Self.bought : Self.first,
      until: isFirst ? Self.first : Self.second, signed: time)
    transaction.revocation = Revocation(
      date: try .at(time), type: .refundFull, reason: 0, percentage: 100_000)
    return Told.command(
      "REFUND", number: number, transaction: transaction,
      renewal: try Told.renewal(of: 1001, signed: time), status: isFirst ? .active : .revoked,
      account: "u1")
  }

  private func world(at time: String) throws -> RecordWorld {
    var world = RecordWorld()
    try world.makeClock(at: try .at(time))
    return world
  }

  private func status(_ world: RecordWorld, at time: String) throws -> Status? {
    world.line(1001)?.status(at: try .at(time))
  }

  @Test("Cases 3 and 4: a period that begins in the future counts at once")
  func future() throws {
    var world = try world(at: "2025-02-10T02:00:00Z")
    try world.submit(renewed(signed: "2025-02-10T02:00:00Z"))
    #expect(try status(world, at: "2025-02-10T02:00:00Z") == .active)
    #expect(world.isEntitled("u1", at: try .at("2025-02-10T11:57:00Z")))
  }

  @Test("Case 6: while no news comes, access outlives the period by the leeway, and no longer")
  func leeway() throws {
    var world = RecordWorld(leewayMilliseconds: 3_600_000)
    try world.makeClock(at: try .at(Self.bought))
    try world.submit(subscribed())
    let passed = try world.advance(to: .at("2025-02-10T14:00:00Z"))
    #expect(passed.map(\.at.rfc3339) == [Self.first, "2025-02-10T13:00:00Z"])
    #expect(passed.allSatisfy { $0.fact.kind == .line(.statusPassed) && $0.caller == nil })
    let line = try #require(world.line(1001))
    for (time, status, isPending) in [
      ("2025-02-10T11:59:59.999Z", Status.active, false), (Self.first, .expired, true),
      ("2025-02-10T12:59:59.999Z", .expired, true), ("2025-02-10T13:00:00Z", .expired, false),
    ] {
      let now = try Instant.at(time)
      #expect(line.status(at: now) == status)
      #expect(line.isPending(at: now) == isPending)
      #expect(line.isEntitling(at: now) == (status == .active || isPending), "\(time)")
    }
    #expect(world.state.members == 0)
  }

  @Test("The leeway is for a renewal that is awaited: not with renewal off, nor in billing retry")
  func noLeeway() throws {
    for (on, isInRetry) in [(false, false), (true, true)] {
      var world = RecordWorld(leewayMilliseconds: 3_600_000)
      try world.makeClock(at: try .at(Self.bought))
      try world.submit(subscribed())
      var renewal = try Told.renewal(of: 1001, on: on, signed: "2025-02-01T00:00:00Z")
      renewal.isInBillingRetry = isInRetry
      try world.submit(Told.command(number: 9, renewal: renewal))
      #expect(!world.isEntitled("u1", at: try .at(Self.first)))
    }
  }

  @Test("A record has a leeway of two hours unless it is told another, a store none")
  func defaultLeeway() throws {
    #expect(Policies().expiryLeeway(in: .record) == 7_200_000)
    #expect(Policies().expiryLeeway(in: .store) == 0)
    var world = RecordWorld(leewayMilliseconds: nil)
    try world.makeClock(at: try .at(Self.bought))
    try world.submit(subscribed())
    #expect(world.isEntitled("u1", at: try .at("2025-02-10T13:59:59Z")))
    #expect(!world.isEntitled("u1", at: try .at("2025-02-10T14:00:00Z")))
  }

  @Test("Case 18: grace without an end is believed, and ends after the configured days")
  func missingGrace() throws {
    for (days, end) in [(3, "2025-02-13T12:00:00Z"), (0, "2025-02-26T12:00:00Z")] {
      var world = try world(at: Self.first)
      world.policies.graceDays = Int64(days)
      try world.submit(subscribed())
      var renewal = try Told.renewal(of: 1001, signed: Self.first)
      renewal.isInBillingRetry = true
      renewal.expirationIntent = .billingError
      try world.submit(
        Told.command(
          "DID_FAIL_TO_RENEW", "GRACE_PERIOD", number: 4,
          transaction: try Told.transaction(
            1001, of: 1001, from: Self.bought, until: Self.first, signed: Self.first),
          renewal: renewal, status: .gracePeriod))
      let line = try #require(world.line(1001))
      #expect(line.renewal.gracePeriodExpiresDate == (try .at(end)))
      #expect(line.status(at: try .at(Self.first)) == .gracePeriod)
      #expect(line.status(at: try .at(end)) == .billingRetry)
      // The same renewal info by itself, which says nothing of a status, takes nothing back.
      try world.submit(Told.command(number: 5, renewal: renewal))
      #expect(world.line(1001)?.status(at: try .at(Self.first)) == .gracePeriod)
    }
  }

  @Test("Case 21: a failure that was overtaken by a renewal changes nothing, however late it comes")
  func staleFailure() throws {
    var world = try world(at: "2025-02-10T12:00:16Z")
    try world.submit(subscribed())
    try world.submit(renewed(signed: "2025-02-10T05:00:00Z"))
    var renewal = try Told.renewal(of: 1001, signed: "2025-02-09T12:00:00Z")
    renewal.isInBillingRetry = true
    try world.submit(
      Told.command("DID_FAIL_TO_RENEW", number: 5, renewal: renewal, status: .active))
    #expect(try status(world, at: "2025-02-10T12:00:16Z") == .active)
    guard case .appStore(.ingested(let fact)) = try #require(world.log.last).fact else {
      Issue.record("the last event is no fact")
      return
    }
    #expect(fact.isLate)
  }

  @Test("Case 23: two lines are two; the end of one leaves the other's access")
  func twoLines() throws {
    var world = try world(at: "2025-03-01T00:00:00Z")
    try world.submit(subscribed())
    try world.submit(
      Told.command(
        number: 7,
        transaction: try Told.transaction(
          2001, of: 2001, "gold.m", from: "2025-02-20T00:00:00Z",
          until: "2025-03-20T00:00:00Z", signed: "2025-02-20T00:00:00Z"), account: "u1"))
    #expect(world.lines(of: "u1").count == 2)
    #expect(world.isEntitled("u1", at: try .at("2025-03-01T00:00:00Z")))
    try world.submit(refunded(1001, at: "2025-02-25T00:00:00Z"))
    #expect(world.isEntitled("u1", at: try .at("2025-03-01T00:00:00Z")))
  }

  @Test("Case 24: the same notification twice is one event")
  func repeated() throws {
    var world = try world(at: Self.bought)
    try world.submit(subscribed())
    let count = world.log.count
    guard case .duplicate(let sequence) = try world.submit(subscribed()) else {
      Issue.record("the second is no duplicate")
      return
    }
    #expect(sequence == UInt64(count))
    #expect(world.log.count == count)
  }

  @Test("Cases 25 and 27, B29, B30: an older version of a refunded period does not revive it")
  func refundFirst() throws {
    var world = try world(at: "2025-02-22T00:00:00Z")
    try world.submit(refunded(1002, at: "2025-02-20T00:00:00Z"))
    try world.submit(renewed())
    try world.submit(subscribed())
    #expect(try status(world, at: "2025-02-22T00:00:00Z") == .revoked)
    let late = world.log.compactMap { event -> Bool? in
      guard case .appStore(.ingested(let fact)) = event.fact else { return nil }
      return fact.isLate
    }
    #expect(late == [false, true, true])
    #expect(world.history(of: "u1").entries.map(\.transaction.id) == [1001, 1002])
  }

  @Test("Case 26, B27: a renewal that comes before the purchase gives the same state")
  func renewalFirst() throws {
    var forward = try world(at: Self.first)
    try forward.submit(subscribed())
    try forward.submit(renewed())
    var backward = try world(at: Self.first)
    try backward.submit(renewed())
    try backward.submit(subscribed())
    #expect(
      RecordShuffleTests.portrait(of: forward.state)
        == RecordShuffleTests.portrait(of: backward.state))
    #expect(backward.line(1001)?.transaction.id == 1002)
  }

  @Test("The refund of an older period leaves the current one, in either order")
  func olderRefund() throws {
    for isRefundFirst in [false, true] {
      var world = try world(at: "2025-02-22T00:00:00Z")
      try world.submit(subscribed())
      let rest = [try renewed(), try refunded(1001, at: "2025-02-20T00:00:00Z")]
      for command in isRefundFirst ? rest.reversed() : rest { try world.submit(command) }
      #expect(try status(world, at: "2025-02-22T00:00:00Z") == .active)
      #expect(world.history(of: "u1").entry(id: 1001)?.transaction.revocation != nil)
    }
  }

  @Test("REFUND_REVERSED, signed later, gives the period back; nothing else takes a refund away")
  func reversed() throws {
    var world = try world(at: "2025-03-01T00:00:00Z")
    try world.submit(subscribed())
    try world.submit(refunded(1001, at: "2025-01-20T00:00:00Z"))
    try world.submit(
      Told.command(
        "REFUND_REVERSED", number: 8,
        transaction: try Told.transaction(
          1001, of: 1001, from: Self.bought, until: Self.first, signed: "2025-02-01T00:00:00Z")))
    #expect(try status(world, at: "2025-02-05T00:00:00Z") == .active)
    #expect(try status(world, at: "2025-02-15T00:00:00Z") == .expired)
  }

  @Test("Case 28: the device's fact and the notification about it are one period and one line")
  func deviceAndNotification() throws {
    var world = try world(at: Self.bought)
    let transaction = try Told.transaction(
      1001, of: 1001, from: Self.bought, until: Self.first, signed: Self.bought)
    var notification = try subscribed()
    notification.partIdentities = [UUIDBits(high: 5, low: 1), UUIDBits(high: 5, low: 2)]
    try world.submit(notification)
    var device = Told.command(number: 20, transaction: transaction)
    device.identity = UUIDBits(high: 5, low: 1)
    guard case .duplicate = try world.submit(device) else {
      Issue.record("a part that came inside a notification is new again")
      return
    }
    #expect(world.lines(of: "u1").count == 1)
    #expect(world.history(of: "u1").entries.count == 1)
  }

  @Test("Cases 35 and 36, B38: two ids with one webOrderLineItemId are one period")
  func aliases() throws {
    var world = try world(at: "2025-01-10T13:06:00Z")
    var device = try Told.transaction(
      738_201, of: 1001, from: Self.bought, until: Self.first, signed: Self.bought)
    device.webOrderLineItemID = 9
    var told = try Told.transaction(
      738_200, of: 1001, from: Self.bought, until: Self.first, signed: "2025-01-10T13:06:00Z")
    told.webOrderLineItemID = 9
    try world.submit(Told.command(number: 1, transaction: device, account: "u1"))
    try world.submit(
      Told.command("SUBSCRIBED", "RESUBSCRIBE", number: 2, transaction: told, status: .active))
    #expect(world.lines(of: "u1").count == 1)
    let history = world.history(of: "u1")
    #expect(history.entries.map(\.transaction.id) == [738_200])
    #expect(history.entry(id: 738_201) == history.entry(id: 738_200))
    // A refund under either id is the period's.
    var refund = device
    refund.signedDate = try .at("2025-01-11T00:00:00Z")
    refund.revocation = Revocation(
      date: refund.signedDate, type: .refundFull, reason: 0, percentage: 100_000)
    try world.submit(Told.command("REFUND", number: 3, transaction: refund))
    #expect(try status(world, at: "2025-01-12T00:00:00Z") == .revoked)
  }

  @Test("Case 37, B56: a fact of another environment is kept there and entitles nobody here")
  func environments() throws {
    var world = try world(at: Self.bought)
    world.home = .production
    var command = try subscribed()
    command.environment = .sandbox
    try world.submit(command)
    #expect(world.lines(of: "u1").isEmpty)
    #expect(world.lines(of: "u1", in: .sandbox).count == 1)
    #expect(!world.isEntitled("u1", at: try .at("2025-01-11T00:00:00Z")))
    var same = try subscribed()
    same.environment = .production
    same.identity = UUIDBits(high: 2, low: 2)
    try world.submit(same)
    #expect(world.lines(of: "u1").count == 1)
    #expect(world.isEntitled("u1", at: try .at("2025-01-11T00:00:00Z")))
  }

  @Test("B31: three requests of three UUIDs are three, and an exact repeat is none")
  func requests() throws {
    var world = try world(at: Self.bought)
    try world.submit(subscribed())
    let before = world.state.apple.factCount
    for number: UInt64 in [11, 12, 13, 12] {
      try world.submit(
        Told.command(
          "CONSUMPTION_REQUEST", number: number,
          transaction: try Told.transaction(
            1001, of: 1001, from: Self.bought, until: Self.first, signed: Self.bought)))
    }
    #expect(world.state.apple.factCount == before + 3)
    #expect(world.isEntitled("u1", at: try .at("2025-01-11T00:00:00Z")))
  }

  @Test("B37: a revocation on a renewal's transaction wins over the notification's type")
  func revokedRenewal() throws {
    var world = try world(at: "2025-02-11T00:00:00Z")
    var command = try renewed()
    command.transaction?.ownership = .familyShared
    command.transaction?.revocation = Revocation(
      date: try .at(Self.first), type: .familyRevoke, reason: 0, percentage: 100_000)
    try world.submit(command)
    #expect(try status(world, at: "2025-02-11T00:00:00Z") == .revoked)
    #expect(!world.isEntitled("u1", at: try .at("2025-02-11T00:00:00Z")))
  }

  @Test("B39: a second product ten minutes on is the current one, in the catalogue or not")
  func secondProduct() throws {
    var world = try world(at: "2025-01-10T12:10:00Z")
    try world.submit(subscribed())
    try world.submit(
      Told.command(
        "DID_CHANGE_RENEWAL_PREF", "UPGRADE", number: 2,
        transaction: try Told.transaction(
          1002, of: 1001, "p6m", from: "2025-01-10T12:10:00Z", until: "2025-07-10T12:10:00Z",
          signed: "2025-01-10T12:10:00Z"), status: .active))
    let line = try #require(world.line(1001))
    let product = world.state.products[Int(line.transaction.product)]
    #expect(product.entry.id == "p6m")
    #expect(!product.isCatalogued)
    #expect(line.transaction.expiresDate == (try .at("2025-07-10T12:10:00Z")))
  }

  @Test("A replaced period is behind all others, whichever way round the two come")
  func upgrades() throws {
    var old = try Told.transaction(
      1001, of: 1001, from: Self.bought, until: Self.first, signed: "2025-01-20T12:00:00Z")
    old.isUpgraded = true
    let new = try Told.transaction(
      1002, of: 1001, "gold.m", from: "2025-01-20T12:00:00Z", until: "2025-02-20T12:00:00Z",
      signed: "2025-01-20T12:00:00Z")
    for order in [[old, new], [new, old]] {
      var world = try world(at: "2025-01-21T00:00:00Z")
      try world.submit(subscribed())
      for (number, fact) in order.enumerated() {
        try world.submit(Told.command(number: 30 + UInt64(number), transaction: fact))
      }
      #expect(world.line(1001)?.transaction.id == 1002)
      #expect(world.history(of: "u1").entry(id: 1001)?.transaction.isUpgraded == true)
    }
  }

  @Test("B40: a notification about no purchase is kept and touches no line; an unknown one counts")
  func otherShapes() throws {
    var world = try world(at: Self.bought)
    try world.submit(Told.command("RENEWAL_EXTENSION", "SUMMARY", number: 1))
    try world.submit(Told.command("SOMETHING_NEW", number: 2, isKnown: false))
    #expect(world.state.lines.isEmpty)
    #expect(world.state.apple.factCount == 2)
    #expect(world.state.apple.unknownNotificationCount == 1)
    guard case .appStore(.ingested(let fact)) = try #require(world.log.last).fact else {
      Issue.record("the last event is no fact")
      return
    }
    #expect(fact.notification?.type == "SOMETHING_NEW")
    #expect(fact.signed == Array("signed 2".utf8))
  }

  @Test("Renewal info that comes first waits for its transaction, and then counts")
  func renewalInfoFirst() throws {
    var world = try world(at: Self.bought)
    try world.submit(
      Told.command(
        number: 40, renewal: try Told.renewal(of: 1001, on: false, signed: Self.bought)))
    #expect(world.state.lines.isEmpty)
    var command = try subscribed()
    command.renewal = nil
    try world.submit(command)
    #expect(world.line(1001)?.renewal.autoRenews == false)
    #expect(world.line(1001)?.renewal.signedDate == (try .at(Self.bought)))
  }
}
