import JSON
import Simulation
import Testing

/// Billing trouble and changes of plan through the socket. Every reply is held against the
/// description of its method (`TestDaemon`).
@Suite("Billing trouble and changes of plan through the socket")
struct BillingTests {
  private static let shop = Shop([
    Shop.Ware("basic", .subscription, price: 4_990, group: "G", level: 2, period: "P1M"),
    Shop.Ware("pro", .subscription, price: 9_990, group: "G", level: 1, period: "P1M"),
    Shop.Ware("news", .subscription, price: 2_990, group: "N", period: "P1M"),
  ])

  private static func daemon(graceDays: Int64 = 16) throws -> TestDaemon {
    try TestDaemon {
      $0.shop = shop
      $0.configuration.policies.graceDays = graceDays
    }
  }

  /// A daemon whose account u1 has a renewal behind it that failed, at 2025-02-28T10:00.
  private static func failed(graceDays: Int64 = 16) throws -> TestDaemon {
    let daemon = try daemon(graceDays: graceDays)
    try daemon.buy("u1", "pro")
    try daemon.call("Testing.SetBilling", #"{"account":"u1","outcome":"fail"}"#)
    try daemon.advance(to: time("2025-02-28T10:00"))
    return daemon
  }

  private static func line(_ daemon: TestDaemon, at time: Int64? = nil) throws -> JSONValue {
    try #require(try daemon.status("u1", at: time).list("subscriptions").first)
  }

  /// What the log says of the account's subscriptions: kind, notification, status after.
  private static func told(_ daemon: TestDaemon) throws -> [String] {
    try daemon.log().compactMap { event in
      guard let type = event["notificationType"]?.stringValue else { return nil }
      let subtype = event["subtype"]?.stringValue.map { "/\($0)" } ?? ""
      let status = event["statusAfter"]?.int64Value.map { " \($0)" } ?? ""
      return "\(event["kind"]?.stringValue ?? "?") \(type)\(subtype)\(status)"
    }
  }

  @Test("A failed renewal goes from grace into retry and, sixty days on, to its end")
  func exhaustion() throws {
    let daemon = try Self.failed()
    let grace = try Self.line(daemon)
    #expect(grace["status"]?.int64Value == 4 && grace["entitled"]?.boolValue == true)
    let info = try #require(grace["renewalInfo"])
    #expect(info["isInBillingRetryPeriod"]?.boolValue == true)
    #expect(info["expirationIntent"]?.int64Value == 2)
    #expect(info["autoRenewStatus"]?.int64Value == 1)
    #expect(info["gracePeriodExpiresDate"]?.int64Value == time("2025-03-16T10:00"))
    #expect(grace["nextDue"]?.int64Value == time("2025-03-16T10:00"))
    try daemon.advance(to: time("2025-03-16T10:00"))
    let retry = try Self.line(daemon)
    #expect(retry["status"]?.int64Value == 3 && retry["entitled"]?.boolValue == false)
    #expect(retry["lastGraceStart"]?.int64Value == time("2025-02-28T10:00"))
    #expect(retry["lastGraceEnd"]?.int64Value == time("2025-03-16T10:00"))
    #expect(retry["nextDue"]?.int64Value == time("2025-04-29T10:00"))
    try daemon.advance(to: time("2025-05-01"))
    let over = try Self.line(daemon)
    #expect(over["status"]?.int64Value == 2 && over["nextDue"] == nil)
    #expect(over["renewalInfo"]?["isInBillingRetryPeriod"]?.boolValue == false)
    #expect(
      try Self.told(daemon) == [
        "purchased SUBSCRIBED/INITIAL_BUY 1", "renewalFailed DID_FAIL_TO_RENEW/GRACE_PERIOD 4",
        "graceEnded GRACE_PERIOD_EXPIRED 3", "expired EXPIRED/BILLING_RETRY 2",
      ])
  }

  @Test(
    "A payment keeps the cycle in grace and begins a new one in retry",
    arguments: [
      (Int64(16), "2025-03-02T12:00", "2025-02-28T10:00", "2025-03-31T10:00"),
      (Int64(16), "2025-03-20T09:00", "2025-03-20T09:00", "2025-04-20T09:00"),
      (Int64(0), "2025-03-02T12:00", "2025-03-02T12:00", "2025-04-02T12:00"),
    ])
  func recovery(graceDays: Int64, at: String, start: String, end: String) throws {
    let daemon = try Self.failed(graceDays: graceDays)
    try daemon.advance(to: time(at))
    let reply = try daemon.call("Testing.ResolveBilling", #"{"account":"u1"}"#)
    let transaction = try #require(reply["transaction"])
    #expect(transaction["purchaseDate"]?.int64Value == time(start))
    #expect(transaction["expiresDate"]?.int64Value == time(end))
    #expect(transaction["transactionReason"]?.stringValue == "renewal")
    let line = try Self.line(daemon)
    #expect(line["status"]?.int64Value == 1)
    #expect(line["renewalInfo"]?["gracePeriodExpiresDate"] == nil)
    #expect(line["renewalInfo"]?["expirationIntent"] == nil)
    let last = try #require(try daemon.log().last)
    #expect(last["sequence"]?.int64Value == reply.int("sequence"))
    #expect(last["kind"]?.stringValue == "recovered")
    #expect(last["subtype"]?.stringValue == "BILLING_RECOVERY")
    // The account's charges succeed again: the next renewal is paid.
    try daemon.advance(to: time(end))
    #expect(try daemon.history("u1").count == 3)
  }

  @Test("Once payments succeed again the next try pays by itself, over a restart as well")
  func paysByItself() throws {
    for isForAll in [false, true] {
      let daemon = try Self.failed(graceDays: 0)
      try daemon.advance(to: time("2025-03-05T15:00"))
      if isForAll {
        try daemon.call("Testing.SetBilling", #"{"account":"u1","outcome":"succeed"}"#)
        try daemon.call("Testing.SetBilling", #"{"account":"u1","outcome":"fail"}"#)
        try daemon.buy("u2", "news")
      }
      try daemon.call("Testing.SetBilling", #"{"account":"u1","outcome":"succeed"}"#)
      if isForAll {
        try daemon.call("Testing.SetBilling", #"{"outcome":"fail"}"#)
        try daemon.call("Testing.SetBilling", #"{"outcome":"succeed"}"#)
      }
      let line = try Self.line(daemon)
      #expect(line["status"]?.int64Value == 3)
      #expect(line["nextDue"]?.int64Value == time("2025-03-06T10:00"))
      let clock = try #require(try daemon.call("Clocks.List").list("clocks").last)
      #expect(clock["nextDue"]?.int64Value == time("2025-03-06T10:00"))
      let told = try daemon.call("Membership.Explain", #"{"account":"u1"}"#).list("lines")
      #expect(
        told.contains {
          $0["text"]?.stringValue?.contains(
            "The next date of pro is 2025-03-06T10:00:00Z: it is to be charged again then") == true
        })
      let ahead = try Self.line(daemon, at: time("2025-03-06T10:00"))
      #expect(ahead["status"]?.int64Value == 1)
      try daemon.restart()
      #expect(try Self.line(daemon)["nextDue"]?.int64Value == time("2025-03-06T10:00"))
      let past = try Self.line(daemon, at: time("2025-03-05T15:00"))
      #expect(past["nextDue"]?.int64Value == time("2025-03-06T10:00"))
      try daemon.advance(to: time("2025-03-06T10:00"))
      let paid = try Self.line(daemon)
      #expect(paid["status"]?.int64Value == 1)
      #expect(paid["transaction"]?["expiresDate"]?.int64Value == time("2025-04-06T10:00"))
      let last = try #require(try daemon.log().last { $0["kind"]?.stringValue == "recovered" })
      #expect(last["subtype"]?.stringValue == "BILLING_RECOVERY")
      #expect(last["at"]?.int64Value == time("2025-03-06T10:00"))
    }
  }

  @Test("Payments that fail again before the try, and a new interval, move the next date at once")
  func nextDateMoves() throws {
    let daemon = try Self.failed(graceDays: 0)
    let ok = #"{"account":"u1","outcome":"succeed"}"#
    try daemon.call("Testing.SetBilling", ok)
    #expect(try Self.line(daemon)["nextDue"]?.int64Value == time("2025-03-01T10:00"))
    try daemon.call("Testing.SetBilling", #"{"account":"u1","outcome":"fail"}"#)
    #expect(try Self.line(daemon)["nextDue"]?.int64Value == time("2025-04-29T10:00"))
    try daemon.advance(to: time("2025-03-02T10:00"))
    #expect(try Self.line(daemon)["status"]?.int64Value == 3)
    try daemon.call("Testing.SetBilling", ok)
    #expect(try Self.line(daemon)["nextDue"]?.int64Value == time("2025-03-03T10:00"))
    try daemon.advance(to: time("2025-04-29T10:00"))
    #expect(try Self.line(daemon)["status"]?.int64Value == 1)
  }

  /// One refusal that advises something, and what was advised.
  struct Advice: Sendable {
    var refused: (method: String, parameters: String)
    var says: String
    var ways: [(method: String, parameters: String)]
    var isRepeated = true
  }

  private static func purchase(_ product: String) -> (method: String, parameters: String) {
    ("Store.Purchase", #"{"account":"u1","productId":"\#(product)"}"#)
  }

  private static let advices: [Advice] = [
    Advice(
      refused: purchase("basic"), says: "let them succeed first (billing ok)",
      ways: [("Testing.SetBilling", #"{"account":"u1","outcome":"succeed"}"#)]),
    Advice(
      refused: purchase("basic"), says: "settle what it owes (billing resolve)",
      ways: [("Testing.ResolveBilling", #"{"account":"u1"}"#)]),
    Advice(
      refused: ("Clocks.Advance", #"{"clock":"system","by":"P1D"}"#), says: "make a test clock",
      ways: [
        ("Clocks.Create", #"{"name":"other","at":\#(january)}"#),
        ("Clocks.Advance", #"{"clock":"other","by":"P1D"}"#),
      ], isRepeated: false),
    Advice(
      refused: ("Store.SetAutoRenew", #"{"originalTransactionId":"ID","enabled":true}"#),
      says: "buying it again starts it anew",
      ways: [purchase("pro")], isRepeated: false),
    Advice(
      refused: ("Testing.ForceRenewal", #"{"account":"u1"}"#),
      says: "buying it again starts it anew", ways: [purchase("pro")]),
  ]

  @Test("What a refusal advises is possible", arguments: advices.indices)
  func advice(index: Int) throws {
    let advice = Self.advices[index]
    let daemon = try Self.failed(graceDays: 0)
    let id = try #require(try daemon.history("u1").first?["transactionId"]?.stringValue)
    if advice.says.hasPrefix("buying") {
      try daemon.call("Testing.Expire", #"{"account":"u1"}"#)
      try daemon.call("Testing.SetBilling", #"{"account":"u1","outcome":"succeed"}"#)
    }
    func filled(_ parameters: String) -> String {
      parameters.split(separator: "ID", omittingEmptySubsequences: false).joined(separator: id)
    }
    let parameters = filled(advice.refused.parameters)
    let reply = try daemon.reply(advice.refused.method, parameters)
    #expect(reply.error == "org.renewd.NotPossible")
    #expect(reply.text("reason")?.contains(advice.says) == true, "\(reply.text("reason") ?? "")")
    for way in advice.ways { try daemon.call(way.method, filled(way.parameters)) }
    if advice.isRepeated { try daemon.call(advice.refused.method, parameters) }
  }

  @Test("Neither is for anybody but an admin", arguments: [1000, 1001, 1002] as [UInt32])
  func roles(uid: UInt32) throws {
    let daemon = try Self.failed()
    let client = daemon.world.connect(uid: uid)
    let before = try daemon.log().count
    for (method, parameters) in [
      ("SetBilling", #"{"account":"u1","outcome":"succeed"}"#),
      ("ResolveBilling", #"{"account":"u1"}"#),
    ] {
      let reply = try daemon.reply("Testing.\(method)", parameters, by: client)
      #expect(reply.error == "org.renewd.PermissionDenied")
      #expect(reply.text("role") == "admin")
    }
    #expect(try daemon.log().count == before)
    let admin = daemon.world.connect(uid: 1003)
    try daemon.call("Testing.ResolveBilling", #"{"account":"u1"}"#, by: admin)
  }

  @Test("What makes no sense is refused by name and changes nothing")
  func refusals() throws {
    let daemon = try Self.daemon()
    try daemon.buy("u1", "pro")
    let before = try daemon.log().count
    let refused = [
      ("SetBilling", #"{"account":"nobody","outcome":"fail"}"#, "SubscriptionNotFound"),
      ("ResolveBilling", #"{"account":"nobody"}"#, "SubscriptionNotFound"),
      ("ResolveBilling", #"{"account":"u1"}"#, "NotPossible"),
      ("SetBilling", #"{"account":"u1"}"#, "org.varlink.service.InvalidParameter"),
      (
        "SetBilling", #"{"account":"u1","outcome":"sometimes"}"#,
        "org.varlink.service.InvalidParameter"
      ),
    ]
    for (method, parameters, error) in refused {
      #expect(try daemon.error("Testing.\(method)", parameters) == error, "\(parameters)")
    }
    #expect(try daemon.log().count == before)
  }

  @Test("What is so already is no event")
  func unchanged() throws {
    let daemon = try Self.daemon()
    try daemon.buy("u1", "pro")
    let ok = #"{"account":"u1","outcome":"succeed"}"#
    let fail = #"{"account":"u1","outcome":"fail"}"#
    let before = try daemon.log().count
    try daemon.call("Testing.SetBilling", ok)
    #expect(try daemon.log().count == before)
    let first = try daemon.call("Testing.SetBilling", fail)
    #expect(try daemon.call("Testing.SetBilling", fail) == first)
    #expect(try daemon.log().kinds.suffix(1) == ["billingChanged"])
    #expect(try daemon.log().count == before + 1)
  }

  /// A command under a request id, and the state it is for.
  struct Repeatable: Sendable, CustomTestStringConvertible {
    var method: String
    var parameters: String
    var other: String
    var before: [(String, String)] = []
    var testDescription: String { "\(method) \(parameters)" }
  }

  private static let repeatables = [
    Repeatable(
      method: "Testing.SetBilling", parameters: #""account":"u1","outcome":"succeed""#,
      other: #""account":"u1","outcome":"fail""#),
    Repeatable(
      method: "Testing.ResolveBilling", parameters: #""account":"u1""#,
      other: #""account":"u2""#),
    Repeatable(
      method: "Store.Purchase", parameters: #""account":"u2","productId":"pro""#,
      other: #""account":"u2","productId":"basic""#),
    Repeatable(
      method: "Store.Purchase", parameters: #""account":"u3","productId":"basic""#,
      other: #""account":"u3","productId":"pro""#),
    Repeatable(
      method: "Store.Purchase", parameters: #""account":"u3","productId":"pro""#,
      other: #""account":"u3","productId":"basic""#,
      before: [("Store.Purchase", #"{"account":"u3","productId":"basic"}"#)]),
    Repeatable(
      method: "Store.Purchase", parameters: #""account":"u4","productId":"pro""#,
      other: #""account":"u4","productId":"basic""#),
  ]

  @Test(
    "The same request again is the same answer and no new event, after a kill too",
    arguments: repeatables)
  func requestIDs(_ command: Repeatable) throws {
    let daemon = try Self.failed()
    try daemon.buy("u2", "basic")
    try daemon.buy("u3", "pro")
    let fourth = try daemon.buy("u4", "pro")
    try daemon.call(
      "Store.SetAutoRenew", #"{"originalTransactionId":"\#(fourth)","enabled":false}"#)
    for (method, parameters) in command.before { try daemon.call(method, parameters) }
    let once = #"{\#(command.parameters),"requestId":"r1"}"#
    let first = try daemon.call(command.method, once)
    let count = try daemon.log().count
    #expect(try daemon.call(command.method, once) == first)
    try daemon.restart()
    #expect(try daemon.call(command.method, once) == first)
    #expect(try daemon.log().count == count)
    #expect(
      try daemon.error(command.method, #"{\#(command.other),"requestId":"r1"}"#)
        == "RequestIdReused")
  }

  @Test("Of two subscriptions in trouble none is guessed; an id names one")
  func several() throws {
    let daemon = try Self.daemon()
    let pro = try daemon.buy("u1", "pro")
    let news = try daemon.buy("u1", "news")
    try daemon.call("Testing.SetBilling", #"{"account":"u1","outcome":"fail"}"#)
    try daemon.advance(to: time("2025-02-28T10:00"))
    let refused = try daemon.reply("Testing.ResolveBilling", #"{"account":"u1"}"#)
    #expect(refused.error == "org.renewd.Ambiguous")
    #expect(Set(refused.list("candidates").compactMap(\.stringValue)) == [pro, news])
    try daemon.call("Testing.ResolveBilling", #"{"originalTransactionId":"\#(news)"}"#)
    let statuses = try daemon.status("u1").list("subscriptions").map {
      "\($0["originalTransactionId"]?.stringValue ?? "?") \($0["status"]?.int64Value ?? 0)"
    }
    #expect(Set(statuses) == ["\(pro) 4", "\(news) 1"])
  }

  @Test("An account means its subscription in trouble, whatever else it has bought since")
  func besideAnother() throws {
    let daemon = try Self.failed(graceDays: 0)
    try daemon.call("Testing.SetBilling", #"{"account":"u1","outcome":"succeed"}"#)
    let second = try daemon.call("Store.Purchase", #"{"account":"u1","productId":"basic"}"#)
    let id = second["transaction"]?["transactionId"]
    #expect(id != nil && id == second["transaction"]?["originalTransactionId"])
    let paid = try daemon.call("Testing.ResolveBilling", #"{"account":"u1"}"#)
    #expect(paid["transaction"]?["productId"]?.stringValue == "pro")
    #expect(
      try daemon.status("u1").list("subscriptions").compactMap { $0["status"]?.int64Value }
        == [1, 1])
  }

  @Test("A forecast goes through grace and retry, and repeats no transaction")
  func forecast() throws {
    let daemon = try Self.daemon()
    try daemon.buy("u1", "pro")
    // A change to come, so that events of billing trouble carry the current transaction.
    try daemon.buy("u1", "basic")
    try daemon.call("Testing.SetBilling", #"{"account":"u1","outcome":"fail"}"#)
    for (at, status) in [
      ("2025-02-28T09:59", 1), ("2025-02-28T10:00", 4), ("2025-03-16T10:00", 3),
      ("2025-04-29T10:00", 2),
    ] as [(String, Int64)] {
      let line = try Self.line(daemon, at: time(at))
      #expect(line["status"]?.int64Value == status, "\(at)")
    }
    #expect(try daemon.history("u1", until: time("2025-06-01")).count == 1)
    try daemon.call("Testing.SetBilling", #"{"account":"u1","outcome":"succeed"}"#)
    let coming = try daemon.history("u1", until: time("2025-04-01"))
    #expect(
      coming.compactMap { $0["productId"]?.stringValue } == ["pro", "basic", "basic"])
    #expect(coming.compactMap { $0["forecast"]?.boolValue } == [false, true, true])
  }

  @Test("A higher level changes at once, a lower one at the renewal; the old period is replaced")
  func plans() throws {
    let daemon = try Self.daemon()
    let original = try daemon.buy("u1", "basic")
    try daemon.advance(to: time("2025-02-10"))
    let upgraded = try daemon.call("Store.Purchase", #"{"account":"u1","productId":"pro"}"#)
    #expect(upgraded["transaction"]?["productId"]?.stringValue == "pro")
    #expect(upgraded["transaction"]?["originalTransactionId"]?.stringValue == original)
    #expect(upgraded["transaction"]?["expiresDate"]?.int64Value == time("2025-03-10"))
    let kept = try daemon.call("Store.Purchase", #"{"account":"u1","productId":"basic"}"#)
    #expect(kept["transaction"] == upgraded["transaction"])
    let info = try #require(try Self.line(daemon)["renewalInfo"])
    #expect(info["autoRenewProductId"]?.stringValue == "basic")
    #expect(info["renewalPrice"]?.int64Value == 4_990)
    try daemon.advance(to: time("2025-03-10"))
    let history = try daemon.history("u1")
    #expect(history.compactMap { $0["productId"]?.stringValue } == ["basic", "pro", "basic"])
    #expect(history.compactMap { $0["isUpgraded"]?.boolValue } == [true, false, false])
    #expect(
      try Self.told(daemon) == [
        "purchased SUBSCRIBED/INITIAL_BUY 1", "upgraded DID_CHANGE_RENEWAL_PREF/UPGRADE 1",
        "planChangeScheduled DID_CHANGE_RENEWAL_PREF/DOWNGRADE 1", "renewed DID_RENEW 1",
      ])
    let reply = try daemon.call(
      "Membership.Verify",
      #"{"account":"u1","transactionId":"\#(original)","productId":"basic"}"#)
    #expect(reply.flag("valid") == false)
  }
}
