import Engine
import EventLog
import JSON
import Simulation
import Subscriptions
import Testing

/// A record gives back what the App Store signed, byte for byte as it came.
@Suite("Apple's signed texts out of a record")
struct RecordSignedTests {
  private let record: TestDaemon
  /// A transaction and a renewal info of the line 7001, and a notification with others of it.
  private let first = appleTransaction(7001)
  private let second = appleTransaction(
    7002, from: january + 31 * day, signed: january + 31 * day)
  private let renewal = Self.sign(Self.renewalText(signed: january))
  private let newRenewal = Self.sign(Self.renewalText(signed: january + 31 * day))
  private let notification: String

  init() throws {
    record = try TestDaemon { options in
      options.role = .record
      options.signing = SimulatedSigner.signing(root: 2, trusting: [1])
    }
    notification = Self.sign(
      """
      {"notificationType":"DID_RENEW","notificationUUID":"5f0c2e7a-4d6b-4f6e-9a51-0c3b5d7f1a20",\
      "version":"2.0","signedDate":\(january + 31 * day),"data":{"environment":"Sandbox",\
      "bundleId":"com.example.app","status":1,"signedTransactionInfo":"\(second)",\
      "signedRenewalInfo":"\(newRenewal)"}}
      """)
  }

  private static func sign(_ text: String) -> String {
    String(decoding: SimulatedSigner(root: 1).sign(Array(text.utf8)), as: UTF8.self)
  }

  private static func renewalText(signed: Int64) -> String {
    """
    {"originalTransactionId":"7001","productId":"apple.monthly",\
    "autoRenewProductId":"apple.monthly","autoRenewStatus":1,"environment":"Sandbox",\
    "signedDate":\(signed),"renewalDate":\(signed + 31 * day)}
    """
  }

  private func submit(_ text: String, account: String? = "u1") throws {
    let given = account.map { #","account":"\#($0)""# } ?? ""
    try record.call("Store.Submit", #"{"signed":"\#(text)"\#(given)}"#)
  }

  /// The texts of the account's line as status gives them.
  private func status(_ account: String = "u1") throws -> [String?] {
    let reply = try record.call(
      "Membership.Status", #"{"account":"\#(account)","signed":true}"#)
    let line = reply.list("subscriptions").first
    return [
      line?["transaction"]?["signedTransactionInfo"]?.stringValue,
      line?["renewalInfo"]?["signedRenewalInfo"]?.stringValue,
    ]
  }

  private func history(_ account: String = "u1") throws -> [String?] {
    try record.call("Membership.History", #"{"account":"\#(account)","signed":true}"#)
      .list("transactions").map { $0["signedTransactionInfo"]?.stringValue }
  }

  @Test("status gives the texts that the state stands on, that came alone or in a notification")
  func ofStatus() throws {
    try submit(first)
    #expect(try status() == [first, nil])
    try submit(renewal)
    #expect(try status() == [first, renewal])
    try submit(notification)
    #expect(try status() == [second, newRenewal])
    // What was overtaken does not come back by coming late.
    try submit(appleTransaction(7002, from: january + 31 * day, signed: january + 30 * day))
    #expect(try status() == [second, newRenewal])
    let plain = try record.call("Membership.Status", #"{"account":"u1"}"#)
    #expect(
      plain.list("subscriptions")[0]["transaction"]?["signedTransactionInfo"] == nil)
  }

  @Test("history gives each period's newest text, also from before the line was the account's")
  func ofHistory() throws {
    try submit(first, account: nil)
    try submit(renewal, account: nil)
    try record.call("Store.Link", #"{"account":"u1","originalTransactionId":"7001"}"#)
    #expect(try history() == [first])
    #expect(try status() == [first, renewal])
    try submit(notification)
    #expect(try history() == [first, second])
    // To another account it takes its texts along.
    try record.call("Store.Link", #"{"account":"u2","originalTransactionId":"7001"}"#)
    #expect(try history("u2") == [first, second])
    #expect(try status("u2") == [second, newRenewal])
    #expect(try history("u1").isEmpty)
  }

  @Test("a lasting purchase has its text in status and history")
  func ofPurchases() throws {
    let lasting = Self.sign(
      """
      {"transactionId":"9001","originalTransactionId":"9001","bundleId":"com.example.app",\
      "productId":"apple.lifetime","purchaseDate":\(january),"originalPurchaseDate":\(january),\
      "quantity":1,"type":"Non-Consumable","inAppOwnershipType":"PURCHASED",\
      "signedDate":\(january),"environment":"Sandbox"}
      """)
    try submit(lasting)
    let reply = try record.call("Membership.Status", #"{"account":"u1","signed":true}"#)
    #expect(
      reply.list("purchases").first?["signedTransactionInfo"]?.stringValue == lasting)
    #expect(try history() == [lasting])
  }

  @Test("restarts, with and without a snapshot, lose none of it")
  func restarts() throws {
    try submit(first)
    try submit(renewal)
    try submit(notification)
    for withSnapshot in [false, true] {
      if withSnapshot { try record.call("Log.Snapshot") }
      try record.restart()
      #expect(try status() == [second, newRenewal])
      #expect(try history() == [first, second])
    }
  }

  @Test("a watch gives the present state's texts, then each event's own, new or read again")
  func ofWatch() throws {
    try submit(first)
    try submit(renewal)
    let (client, replies) = record.watch(#"{"signed":true}"#)
    let line = try #require(replies.first?["subscription"])
    #expect(line["transaction"]?["signedTransactionInfo"]?.stringValue == first)
    #expect(line["renewalInfo"]?["signedRenewalInfo"]?.stringValue == renewal)
    try submit(notification)
    let told = try #require(client.takeReplies().last?["event"])
    check(told)
    let (_, again) = record.watch(#"{"since":0,"account":"u1","signed":true}"#)
    check(try #require(again.compactMap { $0["event"] }.last))
    let (_, plain) = record.watch(#"{"since":0,"account":"u1"}"#)
    #expect(plain.allSatisfy { $0["event"]?["signedPayload"] == nil })
  }

  @Test("a watch of all tells of lines that are nobody's too, with their texts")
  func ofNobody() throws {
    try submit(first, account: nil)
    let (_, replies) = record.watch(#"{"signed":true}"#)
    let line = try #require(replies.first?["subscription"])
    #expect(line["account"] == nil)
    #expect(line["transaction"]?["signedTransactionInfo"]?.stringValue == first)
    let (_, plain) = record.watch()
    #expect(plain.first?["subscription"]?["originalTransactionId"]?.stringValue == "7001")
  }

  /// Holds the notification's event against the texts that came.
  private func check(_ event: JSONValue) {
    #expect(event["signedPayload"]?.stringValue == notification)
    #expect(event["transaction"]?["signedTransactionInfo"]?.stringValue == second)
    #expect(event["renewalInfo"]?["signedRenewalInfo"]?.stringValue == newRenewal)
  }

  @Test("the log read gives every fact's text, page by page, and only where it is asked for")
  func ofLog() throws {
    try submit(first)
    try submit(renewal)
    try submit(notification)
    let events = try record.call("Log.Read", #"{"from":1,"signed":true}"#).list("events")
      .filter { $0["kind"]?.stringValue == "ingested" }
    #expect(events[0]["transaction"]?["signedTransactionInfo"]?.stringValue == first)
    #expect(events[0]["signedPayload"] == nil)
    #expect(events[1]["renewalInfo"]?["signedRenewalInfo"]?.stringValue == renewal)
    check(events[2])
    let plain = try record.call("Log.Read", #"{"from":1}"#).list("events")
    #expect(plain.allSatisfy { $0["transaction"]?["signedTransactionInfo"] == nil })
  }

  @Test("the export of the log's files gives the texts where they are asked for, of older logs too")
  func ofExport() throws {
    try submit(first)
    try submit(notification)
    func export(withTexts: Bool) throws -> [JSONValue] {
      var lines: [JSONValue] = []
      _ = try LogExport.run(
        record.world.disk, checksum: record.world.options.settings.checksum,
        environment: "Sandbox", withTexts: withTexts
      ) { line in
        lines += (try? JSONValue.parse(Array(line), depthMax: 16)).map { [$0] } ?? []
      }
      return lines.filter { $0["kind"]?.stringValue == "ingested" }
    }
    let told = try export(withTexts: true)
    #expect(told[0]["transaction"]?["signedTransactionInfo"]?.stringValue == first)
    check(told[1])
    #expect(try export(withTexts: false).allSatisfy { $0["signedPayload"] == nil })
  }

  @Test("pages of long texts fit a reply, and together they are all there")
  func pages() throws {
    let padding = String(repeating: "x", count: 20_000)
    for number in 0..<60 {
      try submit(
        appleTransaction(
          7001 + number, from: january + Int64(number) * 31 * day, signed: january,
          more: #","padding":"\#(padding)""#))
    }
    var texts = 0
    var from: Int64? = 1
    while let start = from {
      let page = try record.call("Log.Read", #"{"from":\#(start),"signed":true}"#)
      texts += page.list("events").count { $0["kind"]?.stringValue == "ingested" }
      from = page.int("next")
    }
    #expect(texts == 60)
    var next: String? = "0"
    var rows = 0
    while let start = next {
      let page = try record.call(
        "Membership.History", #"{"account":"u1","signed":true,"from":"\#(start)"}"#)
      for row in page.list("transactions") {
        #expect((row["signedTransactionInfo"]?.stringValue?.utf8.count ?? 0) > 20_000)
        rows += 1
      }
      next = page.text("next")
    }
    #expect(rows == 60)
  }
}
