import JSON
import Simulation
import Testing

/// Refunds that are asked for, declined and given, through the socket. Every reply is held
/// against the description of its method (`TestDaemon`).
@Suite("Refunds asked for, through the socket")
struct RefundTests {
  private static func told(_ daemon: TestDaemon) throws -> [String] {
    try daemon.log().compactMap { event in
      guard let type = event["notificationType"]?.stringValue else { return nil }
      let subtype = event["subtype"]?.stringValue.map { "/\($0)" } ?? ""
      let status = event["statusAfter"]?.int64Value.map { " \($0)" } ?? ""
      return "\(event["kind"]?.stringValue ?? "?") \(type)\(subtype)\(status)"
    }
  }

  @Test("Case 50: asked for, declined, asked for again and given, over two restarts")
  func wholeStory() throws {
    let daemon = try TestDaemon()
    let id = try daemon.buy("u1", "monthly")
    let asked = try daemon.call("Testing.RequestRefund", #"{"account":"u1"}"#)
    #expect(asked["transaction"]?["transactionId"]?.stringValue == id)
    #expect(asked["transaction"]?["revocationDate"] == nil)
    try daemon.restart()
    #expect(try daemon.error("Testing.RequestRefund", #"{"account":"u1"}"#) == "NotPossible")
    let status = try daemon.status("u1")
    #expect(status.flag("entitled") == true)
    let info = try #require(status.list("subscriptions").first?["renewalInfo"])
    #expect(info["autoRenewStatus"]?.int64Value == 0)
    try daemon.call("Testing.DeclineRefund", #"{"transactionId":"\#(id)"}"#)
    #expect(try daemon.error("Testing.DeclineRefund", #"{"account":"u1"}"#) == "NotPossible")
    try daemon.call("Testing.RequestRefund", #"{"account":"u1"}"#)
    try daemon.call("Log.Snapshot")
    try daemon.restart()
    #expect(try daemon.error("Testing.RequestRefund", #"{"account":"u1"}"#) == "NotPossible")
    let given = try daemon.call("Testing.Refund", #"{"account":"u1"}"#)
    #expect(given["transaction"]?["revocationType"]?.stringValue == "REFUND_FULL")
    #expect(try daemon.status("u1").flag("entitled") == false)
    #expect(
      try Self.told(daemon) == [
        "purchased SUBSCRIBED/INITIAL_BUY 1", "refundRequested CONSUMPTION_REQUEST 1",
        "autoRenewChanged DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_DISABLED 1",
        "refundDeclined REFUND_DECLINED 1", "refundRequested CONSUMPTION_REQUEST 1",
        "refunded REFUND 5",
      ])
  }

  @Test("The story is told in sentences")
  func explained() throws {
    let daemon = try TestDaemon()
    let id = try daemon.buy("u1", "monthly")
    try daemon.call("Testing.RequestRefund", #"{"account":"u1"}"#)
    try daemon.call("Testing.DeclineRefund", #"{"account":"u1"}"#)
    let told = try daemon.call("Membership.Explain", #"{"account":"u1"}"#).list("lines")
      .compactMap { $0["text"]?.stringValue }
    #expect(
      told[2] == "On 2025-01-31T10:00:00Z a refund of monthly (transaction \(id)) was asked for;"
        + " it was not decided then.")
    #expect(told[3].contains("the renewal of monthly was turned off"))
    #expect(
      told[4] == "On 2025-01-31T10:00:00Z the refund of monthly (transaction \(id)) was declined:"
        + " nothing was given back.")
  }

  @Test("Neither is for anybody but an admin", arguments: [1000, 1001, 1002] as [UInt32])
  func roles(uid: UInt32) throws {
    let daemon = try TestDaemon()
    try daemon.buy("u1", "monthly")
    let client = daemon.world.connect(uid: uid)
    for method in ["RequestRefund", "DeclineRefund"] {
      let reply = try daemon.reply("Testing.\(method)", #"{"account":"u1"}"#, by: client)
      #expect(reply.error == "org.renewd.PermissionDenied")
    }
  }
}

/// `Membership.Ledger`.
@Suite("An account's money through the socket")
struct LedgerTests {
  private static let shop = Shop([
    Shop.Ware("silver", .subscription, price: 4_990, group: "G", level: 2, period: "P1M"),
    Shop.Ware("gold", .subscription, price: 9_990, group: "G", level: 1, period: "P1M"),
    Shop.Ware("coins", .consumable, price: 990),
  ])

  private static func rows(_ reply: Reply) -> [String] {
    reply.list("entries").map {
      "\($0["kind"]?.stringValue ?? "?") \($0["amount"]?.int64Value ?? -1)"
        + " \($0["productId"]?.stringValue ?? "?") = \($0["balance"]?.int64Value ?? -1)"
        + " \($0["currency"]?.stringValue ?? "?")"
        + ($0["forecast"]?.boolValue == true ? " forecast" : "")
    }
  }

  @Test("Case 38: what an upgrade gives back, now, by a moment past, and by one to come")
  func upgrade() throws {
    let daemon = try TestDaemon { $0.shop = Self.shop }
    try daemon.buy("u1", "silver")
    try daemon.advance(to: time("2025-02-10T10:00"))
    try daemon.buy("u1", "gold")
    // 18 of 28 days are unused: 4990 × 18/28 is 3207.8….
    let now = try daemon.call("Membership.Ledger", #"{"account":"u1"}"#)
    #expect(
      Self.rows(now) == [
        "charge 4990 silver = 4990 USD", "proration -3207 silver = 1783 USD",
        "charge 9990 gold = 11773 USD",
      ])
    let sequences = now.list("entries").compactMap { $0["sequence"]?.int64Value }
    let log = try daemon.log()
    #expect(
      sequences
        == log.filter { $0["transaction"] != nil }.flatMap { event in
          let sequence = event["sequence"]!.int64Value!
          return event["kind"]?.stringValue == "upgraded" ? [sequence, sequence] : [sequence]
        })
    let past = try daemon.call(
      "Membership.Ledger", #"{"account":"u1","until":\#(time("2025-02-01"))}"#)
    #expect(Self.rows(past) == ["charge 4990 silver = 4990 USD"])
    let coming = try daemon.call(
      "Membership.Ledger", #"{"account":"u1","until":\#(time("2025-03-11"))}"#)
    #expect(Self.rows(coming).last == "charge 9990 gold = 21763 USD forecast")
    #expect(try daemon.call("Membership.Ledger", #"{"account":"u1"}"#) == now)
  }

  @Test("Each currency has a balance of its own")
  func currencies() throws {
    let daemon = try TestDaemon { $0.shop = Self.shop }
    try daemon.buy("u1", "coins")
    let german = try daemon.buy("u1", "coins", #","storefront":"DEU""#)
    try daemon.call("Testing.Refund", #"{"transactionId":"\#(german)","percentage":50}"#)
    #expect(
      Self.rows(try daemon.call("Membership.Ledger", #"{"account":"u1"}"#)) == [
        "charge 990 coins = 990 USD", "charge 990 coins = 990 EUR", "refund -495 coins = 495 EUR",
      ])
  }

  @Test("Who never bought has paid nothing; a place that is none is refused")
  func edges() throws {
    let daemon = try TestDaemon { $0.shop = Self.shop }
    #expect(try daemon.call("Membership.Ledger", #"{"account":"nobody"}"#).list("entries").isEmpty)
    #expect(
      try daemon.error("Membership.Ledger", #"{"account":"u1","from":-1}"#) == "InvalidParameter")
  }

  @Test("More than a page comes in pages")
  func pages() throws {
    let daemon = try TestDaemon { $0.shop = Self.shop }
    for _ in 0..<7 { try daemon.buy("u1", "coins") }
    let whole = try daemon.call("Membership.Ledger", #"{"account":"u1"}"#).list("entries")
    let rest = try daemon.call("Membership.Ledger", #"{"account":"u1","from":5}"#).list("entries")
    #expect(rest == Array(whole.dropFirst(5)))
    let beyond = try daemon.call("Membership.Ledger", #"{"account":"u1","from":9}"#)
    #expect(beyond.list("entries").isEmpty && beyond["next"] == nil)
  }
}
