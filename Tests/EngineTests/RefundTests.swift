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
