import JSON
import Simulation
import Testing

/// Family Sharing through the socket. Every reply is held against the description of its method
/// (`TestDaemon`).
@Suite("Family Sharing through the socket")
struct FamilyTests {
  private static let shop = Shop([
    Shop.Ware(
      "family", .subscription, price: 14_990, group: "G", period: "P1M", isShareable: true),
    Shop.Ware("solo", .subscription, price: 7_990, group: "G", level: 2, period: "P1M"),
    Shop.Ware("heirloom", .nonConsumable, price: 29_990, isShareable: true),
  ])

  /// A daemon whose account u1 bought `family` and `heirloom` in January and shares with u2.
  private static func daemon() throws -> TestDaemon {
    let daemon = try TestDaemon { $0.shop = shop }
    try daemon.buy(
      "u1", "family", #","appAccountToken":"7e0ab2b2-9d3c-4c1c-9d29-2a5d6a1c9f11""#)
    try daemon.buy("u1", "heirloom")
    try daemon.call("Testing.Share", #"{"account":"u1","to":"u2"}"#)
    return daemon
  }

  private static func told(_ daemon: TestDaemon, _ account: String) throws -> [String] {
    try daemon.log().compactMap { event in
      guard event["account"]?.stringValue == account,
        let type = event["notificationType"]?.stringValue
      else { return nil }
      let subtype = event["subtype"]?.stringValue.map { "/\($0)" } ?? ""
      return "\(event["kind"]?.stringValue ?? "?") \(type)\(subtype)"
    }
  }

  @Test("Case 58: what is shared is the member's own, without the purchaser's token or price")
  func shared() throws {
    let daemon = try Self.daemon()
    let status = try daemon.status("u2")
    #expect(status.flag("entitled") == true)
    let line = try #require(status.list("subscriptions").first)
    let transaction = try #require(line["transaction"])
    #expect(transaction["inAppOwnershipType"]?.stringValue == "familyShared")
    #expect(transaction["productId"]?.stringValue == "family")
    #expect(transaction["price"]?.int64Value == 0)
    #expect(transaction["appAccountToken"] == nil)
    #expect(transaction["expiresDate"]?.int64Value == time("2025-02-28T10:00"))
    #expect(
      transaction["originalTransactionId"]?.stringValue
        == transaction["transactionId"]?.stringValue)
    #expect(line["nextDue"]?.int64Value == time("2025-02-28T10:00"))
    #expect(
      status.list("purchases").map { $0["inAppOwnershipType"]?.stringValue } == ["familyShared"])
    try daemon.advance(to: time("2025-04-01"))
    #expect(try daemon.history("u2").count == 4)
    #expect(
      try Self.told(daemon, "u2") == [
        "shared SUBSCRIBED/INITIAL_BUY", "shared ONE_TIME_CHARGE", "renewed DID_RENEW",
        "renewed DID_RENEW",
      ])
  }

  @Test("B52, case 59: who leaves gets REVOKE, as all do whose purchaser is refunded")
  func revoked() throws {
    let daemon = try Self.daemon()
    try daemon.call("Testing.Share", #"{"account":"u1","to":"u3"}"#)
    try daemon.call("Testing.Unshare", #"{"account":"u1","to":"u3"}"#)
    #expect(try daemon.isEntitled("u3") == false)
    #expect(try daemon.isEntitled("u2") == true && daemon.isEntitled("u1") == true)
    let lost = try #require(try daemon.status("u3").list("subscriptions").first)
    #expect(lost["status"]?.int64Value == 5 && lost["nextDue"] == nil)
    #expect(lost["transaction"]?["revocationType"]?.stringValue == "FAMILY_REVOKE")
    #expect(lost["transaction"]?["revocationReason"] == nil)
    let line = try #require(try daemon.status("u1").list("subscriptions").first)
    let id = try #require(line["originalTransactionId"]?.stringValue)
    try daemon.call("Testing.Refund", #"{"originalTransactionId":"\#(id)"}"#)
    #expect(
      try daemon.status("u2").list("subscriptions").map { $0["status"]?.int64Value } == [5])
    #expect(try Self.told(daemon, "u2").suffix(1) == ["revoked REVOKE"])
  }

  @Test("Case 62: a member's subscription is the purchaser's to change, and the reason says so")
  func refusals() throws {
    let daemon = try Self.daemon()
    for (method, parameters) in [
      ("Testing.Expire", #"{"account":"u2"}"#), ("Testing.ForceRenewal", #"{"account":"u2"}"#),
      ("Testing.ResolveBilling", #"{"account":"u2"}"#),
    ] {
      let reply = try daemon.reply(method, parameters)
      #expect(reply.error == "org.renewd.NotPossible")
      #expect(reply.text("reason")?.contains("member") == true, "\(method)")
    }
    let ids = try daemon.history("u2").compactMap { $0["transactionId"]?.stringValue }
    for id in ids {
      #expect(try daemon.error("Testing.Refund", #"{"transactionId":"\#(id)"}"#) == "NotPossible")
    }
    #expect(try daemon.error("Testing.Share", #"{"account":"u1","to":"u1"}"#) == "InvalidParameter")
    #expect(
      try daemon.error("Testing.Share", #"{"account":"nobody","to":"u1"}"#)
        == "SubscriptionNotFound")
    #expect(try daemon.error("Testing.Share", #"{"account":"u1","to":"u2"}"#) == "NotPossible")
    #expect(try daemon.error("Testing.Unshare", #"{"account":"u2"}"#) == "NotPossible")
    try daemon.call("Clocks.Create", #"{"name":"c","at":\#(january)}"#)
    try daemon.buy("u4", "solo", #","clock":"c""#)
    #expect(try daemon.error("Testing.Share", #"{"account":"u1","to":"u4"}"#) == "ClockMismatch")
  }

  @Test("A member's own purchase of the group stands beside the shared one, and is meant first")
  func own() throws {
    let daemon = try Self.daemon()
    try daemon.buy("u2", "solo")
    #expect(try daemon.status("u2").list("subscriptions").count == 2)
    let expired = try daemon.call("Testing.Expire", #"{"account":"u2"}"#)
    #expect(expired["transaction"]?["productId"]?.stringValue == "solo")
    #expect(try daemon.isEntitled("u2") == true)
    try daemon.call("Testing.Unshare", #"{"account":"u1"}"#)
    #expect(try daemon.isEntitled("u2") == false)
  }

  @Test("A family moves to another clock as one, and forecasts follow the purchaser")
  func clocks() throws {
    let daemon = try Self.daemon()
    try daemon.call("Clocks.Create", #"{"name":"c","at":\#(time("2025-03-15"))}"#)
    try daemon.call("Clocks.Attach", #"{"account":"u2","clock":"c"}"#)
    #expect(try daemon.status("u1").text("clock") == "c")
    #expect(try daemon.status("u2").text("clock") == "c")
    #expect(try daemon.history("u2").count == 3)
    let coming = try daemon.history("u2", until: time("2025-06-15"))
      .filter { $0["forecast"]?.boolValue == true }
    #expect(
      coming.purchaseDates
        == [time("2025-03-31T10:00"), time("2025-04-30T10:00"), time("2025-05-31T10:00")])
    #expect(try daemon.isEntitled("u2", at: time("2025-06-15")) == true)
  }

  @Test("A plan to come that is not shared takes the member's period back, in the forecast too")
  func forecastRevocation() throws {
    let daemon = try Self.daemon()
    try daemon.buy("u1", "solo")
    let texts = try daemon.call("Membership.Explain", #"{"account":"u2"}"#).list("lines")
      .compactMap { $0["text"]?.stringValue }
    #expect(
      texts.contains(
        "The next date of family is 2025-02-28T10:00:00Z: u1's will renew then as solo, which is"
          + " not shared, so access by it will end."))
    for _ in 0..<2 {
      let rows = try daemon.history("u2", until: time("2025-06-15"))
        .filter { $0["productId"]?.stringValue == "family" }
      #expect(rows.count == 1)
      #expect(rows.first?["revocationDate"]?.int64Value == time("2025-02-28T10:00"))
      #expect(rows.first?["revocationType"]?.stringValue == "FAMILY_REVOKE")
      try daemon.advance(to: time("2025-03-01"))
    }
    let lines = try daemon.status("u2").list("subscriptions")
    #expect(lines.map { $0["status"]?.int64Value } == [5])
  }

  @Test("After a kill the family is as it was, and a repeated request shares nothing twice")
  func restart() throws {
    let daemon = try Self.daemon()
    let first = try daemon.call(
      "Testing.Share", #"{"account":"u1","to":"u3","requestId":"r"}"#)
    try daemon.restart()
    let again = try daemon.call(
      "Testing.Share", #"{"account":"u1","to":"u3","requestId":"r"}"#)
    #expect(first.int("sequence") == again.int("sequence"))
    try daemon.call("Log.Snapshot")
    try daemon.restart()
    try daemon.advance(to: time("2025-03-01"))
    #expect(try daemon.history("u3").count == 3)
    #expect(try daemon.history("u2").count == 3)
  }

  @Test("Stops on the way make no difference to a family")
  func stops() throws {
    var stories: [[String]] = []
    for stops in [["2025-08-01"], ["2025-02-28T10:00", "2025-04-15", "2025-08-01"]] {
      let daemon = try Self.daemon()
      try daemon.call("Testing.SetBilling", #"{"account":"u1","outcome":"fail"}"#)
      for stop in stops { try daemon.advance(to: time(stop)) }
      stories.append(
        try daemon.log().filter { $0["notificationType"] != nil }.map {
          "\($0["at"]?.int64Value ?? 0) \($0["account"]?.stringValue ?? "")"
            + " \($0["kind"]?.stringValue ?? "") \($0["transaction"]?.compactText ?? "")"
        })
    }
    #expect(stories[0] == stories[1])
    #expect(stories[0].count == 8)
  }

  @Test("The story names purchaser and member, and what followed what")
  func story() throws {
    let daemon = try Self.daemon()
    try daemon.call("Testing.Unshare", #"{"account":"u1","cause":"purchaserLeft"}"#)
    func texts(_ account: String) throws -> String {
      try daemon.call("Membership.Explain", #"{"account":"\#(account)"}"#).list("lines")
        .compactMap { $0["text"]?.stringValue }.joined(separator: "\n")
    }
    let purchaser = try texts("u1")
    #expect(purchaser.contains("began to share its purchases with u2 by Family Sharing"))
    #expect(purchaser.contains("stopped sharing with u2: the purchaser left the family"))
    let member = try texts("u2")
    #expect(member.contains("the account got family by Family Sharing, until 2025-02-28T10:00:00Z"))
    #expect(member.contains("access to family by Family Sharing was taken away"))
    #expect(member.contains("was taken away on 2025-01-31T10:00:00Z because Family Sharing ended"))
  }
}
