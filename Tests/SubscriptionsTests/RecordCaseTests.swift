import Subscriptions
import Testing

/// The fold's part of Domain.md 8 as tables: when a fact arrives, what it says, and the events that
/// come of it, written by hand. O1 is the line 1001 with T1001 from 10 January to 10 February 2025
/// and T1002 from then to 10 March; a text ends with Apple's status after the event.
@Suite("Signed facts, by the table")
struct RecordCaseTests {
  private static let bought = "2025-01-10T12:00:00Z"
  private static let first = "2025-02-10T12:00:00Z"
  private static let second = "2025-03-10T12:00:00Z"
  private static let told1 =
    "2025-01-10T12:00:00Z told SUBSCRIBED/INITIAL_BUY T1001 until 2025-02-10T12:00:00Z, on; 1"

  /// At `time` comes the fact, after what time alone does until then.
  private struct Row {
    var time: String
    var command: IngestCommand?
    var expected: [String]

    init(_ time: String, _ command: IngestCommand?, _ expected: String...) {
      self.time = time
      self.command = command
      self.expected = expected
    }
  }

  private func play(
    _ rows: [Row], leeway: Int64 = 0, graceDays: Int64 = 0, home: StoreEnvironment = .sandbox,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> RecordWorld {
    var world = RecordWorld(leewayMilliseconds: leeway)
    world.policies.graceDays = graceDays
    world.home = home
    try world.makeClock(at: try .at(rows[0].time))
    for row in rows {
      let start = world.log.count
      try world.advance(to: try .at(row.time))
      var isDuplicate = false
      if let command = row.command, case .duplicate = try world.submit(command) {
        isDuplicate = true
      }
      let found = world.log[start...].compactMap(Self.text) + (isDuplicate ? ["duplicate"] : [])
      #expect(found == row.expected, "at \(row.time)", sourceLocation: sourceLocation)
    }
    return world
  }

  /// `2025-02-10T12:00:00Z told DID_RENEW T1002 until 2025-03-10T12:00:00Z, on; 1`.
  private static func text(_ event: Event) -> String? {
    let at = event.at.rfc3339
    if case .line(let kind, let fact) = event.fact {
      return "\(at) \(kind); \(fact.statusAfter.rawValue)"
    }
    guard case .appStore(.ingested(let fact)) = event.fact else { return nil }
    var text = "\(at) told"
    if let notification = fact.notification {
      text += " \(notification.type)\(notification.subtype.map { "/\($0)" } ?? "")"
    } else {
      text += " a \(fact.kind)"
    }
    if let transaction = fact.transaction?.transaction {
      text += " T\(transaction.id) until \(transaction.expiresDate.rfc3339)"
      if let revocation = transaction.revocation { text += " revoked \(revocation.date.rfc3339)" }
    }
    if let renewal = fact.renewal?.renewal {
      text += renewal.isInBillingRetry ? ", retry" : renewal.autoRenews ? ", on" : ", off"
    }
    if fact.isLate { text += ", late" }
    return "\(text); \(fact.statusAfter.map { "\($0.rawValue)" } ?? "-")"
  }

  private func transaction(
    _ id: UInt64, signed: String, revoked: String? = nil
  ) throws -> ReportedTransaction {
    var fact = try Told.transaction(
      id, of: 1001, from: id == 1001 ? Self.bought : Self.first,
      until: id == 1001 ? Self.first : Self.second, signed: signed)
    fact.revocation = try revoked.map {
      Revocation(date: try .at($0), type: .refundFull, reason: 0, percentage: 100_000)
    }
    return fact
  }

  private func subscribed() throws -> IngestCommand {
    Told.command(
      "SUBSCRIBED", "INITIAL_BUY", number: 1,
      transaction: try transaction(1001, signed: Self.bought),
      renewal: try Told.renewal(of: 1001, signed: Self.bought), status: .active, account: "u1")
  }

  private func renewed(signed: String = first) throws -> IngestCommand {
    Told.command(
      "DID_RENEW", number: 2, transaction: try transaction(1002, signed: signed),
      renewal: try Told.renewal(of: 1001, signed: signed), status: .active, account: "u1")
  }

  private func refunded(_ id: UInt64, at time: String) throws -> IngestCommand {
    Told.command(
      "REFUND", number: 3, transaction: try transaction(id, signed: time, revoked: time),
      renewal: try Told.renewal(of: 1001, signed: time),
      status: id == 1001 ? .active : .revoked, account: "u1")
  }

  private func failed(
    _ subtype: String?, signed: String, status: Status, number: UInt64 = 4
  ) throws -> IngestCommand {
    var renewal = try Told.renewal(of: 1001, signed: signed)
    renewal.isInBillingRetry = true
    renewal.expirationIntent = .billingError
    return Told.command(
      "DID_FAIL_TO_RENEW", subtype, number: number, renewal: renewal, status: status)
  }

  @Test("Cases 3, 4: told before its period begins, it is active from then on")
  func early() throws {
    let world = try play([
      Row(
        "2025-02-10T02:00:00Z", try renewed(signed: "2025-02-10T02:00:00Z"),
        "2025-02-10T02:00:00Z told DID_RENEW T1002 until 2025-03-10T12:00:00Z, on; 1"),
      Row("2025-03-10T12:00:00Z", nil, "2025-03-10T12:00:00Z statusPassed; 2"),
    ])
    #expect(world.isEntitled("u1", at: try .at("2025-02-10T02:00:00Z")))
  }

  @Test("Case 6: without news the status passes with the period, access with the leeway")
  func silence() throws {
    let world = try play(
      [
        Row(Self.bought, try subscribed(), Self.told1),
        Row(
          "2025-02-10T14:00:00Z", nil, "2025-02-10T12:00:00Z statusPassed; 2",
          "2025-02-10T13:00:00Z statusPassed; 2"),
      ], leeway: 3_600_000)
    #expect(world.isEntitled("u1", at: try .at("2025-02-10T12:59:59.999Z")))
    #expect(!world.isEntitled("u1", at: try .at("2025-02-10T13:00:00Z")))
  }

  @Test("Case 18: grace that is told without an end lasts the configured days")
  func graceWithoutEnd() throws {
    var failure = try failed("GRACE_PERIOD", signed: Self.first, status: .gracePeriod)
    failure.transaction = try transaction(1001, signed: Self.first)
    _ = try play(
      [
        Row(Self.bought, try subscribed(), Self.told1),
        Row(
          Self.first, failure, "2025-02-10T12:00:00Z statusPassed; 2",
          "2025-02-10T12:00:00Z told DID_FAIL_TO_RENEW/GRACE_PERIOD T1001 until"
            + " 2025-02-10T12:00:00Z, retry; 4"),
        Row("2025-02-20T00:00:00Z", nil, "2025-02-13T12:00:00Z statusPassed; 3"),
      ], graceDays: 3)
  }

  @Test("Case 21: a failure told after the renewal that overtook it is late, and it stays active")
  func overtaken() throws {
    _ = try play([
      Row(Self.bought, try subscribed(), Self.told1),
      Row(
        "2025-02-10T05:00:00Z", try renewed(signed: "2025-02-10T05:00:00Z"),
        "2025-02-10T05:00:00Z told DID_RENEW T1002 until 2025-03-10T12:00:00Z, on; 1"),
      Row(
        "2025-02-10T12:00:16Z",
        try failed(nil, signed: "2025-02-09T12:00:00Z", status: .active),
        "2025-02-10T12:00:16Z told DID_FAIL_TO_RENEW, retry, late; 1"),
    ])
  }

  @Test("Case 24: the same notification twice is one event")
  func twice() throws {
    _ = try play([
      Row(Self.bought, try subscribed(), Self.told1),
      Row("2025-01-11T12:00:00Z", try subscribed(), "duplicate"),
    ])
  }

  @Test("Cases 25, 27: what was signed before a refund comes late, and does not take it back")
  func lateAfterRefund() throws {
    _ = try play([
      Row(
        "2025-02-20T00:00:00Z", try refunded(1002, at: "2025-02-20T00:00:00Z"),
        "2025-02-20T00:00:00Z told REFUND T1002 until 2025-03-10T12:00:00Z revoked"
          + " 2025-02-20T00:00:00Z, on; 5"),
      // 37 hours after it was first sent.
      Row(
        "2025-02-21T13:00:00Z", try renewed(),
        "2025-02-21T13:00:00Z told DID_RENEW T1002 until 2025-03-10T12:00:00Z, on, late; 5"),
      Row(
        "2025-02-22T00:00:00Z", try subscribed(),
        "2025-02-22T00:00:00Z told SUBSCRIBED/INITIAL_BUY T1001 until 2025-02-10T12:00:00Z, on,"
          + " late; 5"),
    ])
  }

  @Test("Case 26: the renewal before the purchase leaves it active, and the purchase comes late")
  func renewalFirst() throws {
    let world = try play([
      Row(
        Self.first, try renewed(),
        "2025-02-10T12:00:00Z told DID_RENEW T1002 until 2025-03-10T12:00:00Z, on; 1"),
      Row(
        "2025-02-10T12:01:00Z", try subscribed(),
        "2025-02-10T12:01:00Z told SUBSCRIBED/INITIAL_BUY T1001 until 2025-02-10T12:00:00Z, on,"
          + " late; 1"),
    ])
    #expect(world.line(1001)?.transaction.id == 1002)
  }

  @Test("Case 28: the device's fact and the notification that carries it are one event")
  func deviceToo() throws {
    var notification = try subscribed()
    notification.partIdentities = [UUIDBits(high: 5, low: 1)]
    var device = Told.command(
      number: 20, transaction: try transaction(1001, signed: Self.bought), account: "u1")
    device.identity = UUIDBits(high: 5, low: 1)
    _ = try play([
      Row(Self.bought, notification, Self.told1), Row(Self.bought, device, "duplicate"),
    ])
  }

  @Test("Cases 35, 36: two ids of one period are told twice, and are one period")
  func aliases() throws {
    var device = try transaction(1001, signed: Self.bought)
    var told = device
    device.id = 738_201
    told.id = 738_200
    told.signedDate = try .at("2025-01-10T13:00:00Z")
    told.digest = Told.digest(738_200)
    let world = try play([
      Row(
        Self.bought, Told.command(number: 1, transaction: device, account: "u1"),
        "2025-01-10T12:00:00Z told a transaction T738201 until 2025-02-10T12:00:00Z; 1"),
      Row(
        "2025-01-10T13:00:00Z",
        Told.command("SUBSCRIBED", "RESUBSCRIBE", number: 2, transaction: told, status: .active),
        "2025-01-10T13:00:00Z told SUBSCRIBED/RESUBSCRIBE T738200 until 2025-02-10T12:00:00Z; 1"),
    ])
    #expect(world.history(of: "u1").entries.count == 1)
  }

  @Test("Case 37: another environment's fact is kept there, and entitles nobody here")
  func elsewhere() throws {
    var command = try subscribed()
    command.environment = .sandbox
    let world = try play([Row(Self.bought, command, Self.told1)], home: .production)
    #expect(world.lines(of: "u1").isEmpty)
    #expect(!world.isEntitled("u1", at: try .at(Self.bought)))
  }
}
