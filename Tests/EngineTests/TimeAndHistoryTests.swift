import JSON
import Simulation
import Testing

@Suite("Status and history at other times")
struct TimeAndHistoryTests {
  @Test("B10: entitled to the last millisecond of the period, and not at its end")
  func halfOpen() throws {
    let daemon = try TestDaemon()
    let id = try daemon.buy("u1", "monthly")
    try daemon.call(
      "Store.SetAutoRenew", #"{"originalTransactionId":"\#(id)","enabled":false}"#)
    let end = time("2025-02-28T10:00")
    #expect(try daemon.isEntitled("u1", at: end - 1) == true)
    #expect(try daemon.isEntitled("u1", at: end) == false)
    try daemon.advance(to: end - 1)
    #expect(try daemon.isEntitled("u1") == true)
    try daemon.advance(to: end)
    #expect(try daemon.isEntitled("u1") == false)
    #expect(try daemon.isEntitled("u1", at: end - 1) == true, "now in the past")
    #expect(try daemon.log().suffix(2).first?["subtype"]?.stringValue == "VOLUNTARY")
  }

  @Test("The past is what had happened by then, the future what will if nothing else does")
  func pastAndFuture() throws {
    let daemon = try TestDaemon()
    let id = try daemon.buy("u1", "monthly")
    try daemon.advance(to: time("2025-03-15"))
    try daemon.call("Testing.Refund", #"{"transactionId":"\#(id)"}"#)
    try daemon.call(
      "Store.SetAutoRenew", #"{"originalTransactionId":"\#(id)","enabled":false}"#)
    try daemon.advance(to: time("2025-03-20"))
    let events = try daemon.log().count

    let before = try daemon.status("u1", at: january - 1)
    #expect(before.list("subscriptions").isEmpty && before.flag("entitled") == false)
    #expect(before.text("basis") == "past")
    func line(_ at: Int64) throws -> JSONValue {
      try daemon.status("u1", at: at).list("subscriptions")[0]
    }
    #expect(try line(january)["renewalInfo"]?["autoRenewStatus"]?.int64Value == 1)
    #expect(
      try line(time("2025-03-10"))["transaction"]?["purchaseDate"]?.int64Value
        == time("2025-02-28T10:00"))
    #expect(try line(time("2025-03-14"))["renewalInfo"]?["autoRenewStatus"]?.int64Value == 1)
    #expect(try line(time("2025-03-16"))["renewalInfo"]?["autoRenewStatus"]?.int64Value == 0)
    let after = try daemon.status("u1", at: time("2025-04-01"))
    #expect(after.text("basis") == "forecast" && after.flag("entitled") == false)
    #expect(try daemon.log().count == events, "a forecast changes nothing")
    #expect(try daemon.isEntitled("u1") == true)
  }

  @Test("A forecast marks what has not happened, and what it forecasts then happens")
  func forecastComesTrue() throws {
    let daemon = try TestDaemon()
    for product in ["trial", "instalments", "weekly"] { try daemon.buy("u1", product) }
    let target = time("2025-08-01")
    let forecast = try daemon.history("u1", until: target)
    let status = try daemon.status("u1", at: target)
    #expect(forecast.prefix(3).allSatisfy { $0["forecast"]?.boolValue == false })
    #expect(forecast.dropFirst(3).allSatisfy { $0["forecast"]?.boolValue == true })
    try daemon.advance(to: target)
    func facts(_ items: [JSONValue]) -> [[JSONValue?]] {
      let keys = ["productId", "purchaseDate", "expiresDate", "price", "offerType"]
      return items.map { item in keys.map { item[$0] } }
    }
    #expect(facts(try daemon.history("u1")) == facts(forecast))
    let real = try daemon.status("u1")
    for (left, right) in zip(real.list("subscriptions"), status.list("subscriptions")) {
      for key in ["status", "entitled", "renewalInfo", "nextDue"] {
        #expect(left[key] == right[key], "\(key)")
      }
    }
  }

  @Test("History comes in pages of a thousand, oldest first, none twice")
  func pages() throws {
    let daemon = try TestDaemon(clock: time("2000-01-01"))
    try daemon.buy("u1", "weekly")
    for target in ["2009-01-01", "2018-01-01", "2027-01-01", "2040-01-01"] {
      try daemon.advance(to: time(target))
    }
    let first = try daemon.call("Membership.History", #"{"account":"u1"}"#)
    #expect(first.list("transactions").count == 1_000)
    #expect(first.text("next") != nil)
    let all = try daemon.history("u1")
    #expect(all.purchaseDates == (0..<Int64(all.count)).map { time("2000-01-01") + $0 * 7 * day })
    #expect(all.count == 2_088)
    let exact = try daemon.call(
      "Membership.History",
      #"{"account":"u1","from":"\#(all[1_088]["transactionId"]?.stringValue ?? "")"}"#)
    #expect(exact.list("transactions").count == 1_000 && exact["next"] == nil)
  }

  @Test("History up to a moment in the past leaves out what came later")
  func historyUntil() throws {
    let daemon = try TestDaemon()
    try daemon.buy("u1", "monthly")
    try daemon.advance(to: time("2025-06-01"))
    #expect(try daemon.history("u1", until: time("2025-03-30")).count == 2)
    #expect(try daemon.history("u1", until: time("2025-03-31T10:00")).count == 3)
    #expect(try daemon.history("u1", until: january - 1).isEmpty)
  }

  @Test("A purchase dated back renews until now, or was cancelled at once")
  func datedBack() throws {
    let daemon = try TestDaemon(clock: time("2025-06-15"))
    try daemon.buy("u1", "monthly", #","purchaseDate":\#(january)"#)
    #expect(
      try daemon.history("u1").purchaseDates == [
        january, time("2025-02-28T10:00"), time("2025-03-31T10:00"), time("2025-04-30T10:00"),
        time("2025-05-31T10:00"),
      ])
    #expect(try daemon.isEntitled("u1") == true)
    try daemon.buy(
      "u2", "monthly", #","purchaseDate":\#(january),"renewalBehavior":"cancelImmediately""#)
    #expect(try daemon.history("u2").count == 1)
    #expect(try daemon.status("u2").list("subscriptions")[0]["status"]?.int64Value == 2)
  }

  @Test("A recovery at the very end of the last period begins the cycle anew, forecast and real")
  func recoveryAtTheEnd() throws {
    let daemon = try TestDaemon(clock: time("2027-05-31T10:00"))
    let id = try daemon.buy("u1", "monthly")
    try daemon.call("Testing.SetBilling", #"{"account":"u1","outcome":"fail"}"#)
    try daemon.advance(to: time("2027-06-30T10:00"))
    try daemon.call("Testing.ResolveBilling", #"{"originalTransactionId":"\#(id)"}"#)
    let end = time("2027-12-01")
    let forecast = try daemon.history("u1", until: end).purchaseDates
    #expect(
      forecast == [time("2027-05-31T10:00")]
        + (6...11).map { month in
          time("2027-\(month < 10 ? "0" : "")\(month)-30T10:00")
        })
    try daemon.advance(to: end)
    #expect(try daemon.history("u1").purchaseDates == forecast)
  }

  @Test("Verify says why a transaction does not count")
  func verify() throws {
    let daemon = try TestDaemon()
    let id = try daemon.buy("u1", "monthly")
    func reason(_ account: String, _ id: String, _ product: String) throws -> String? {
      let reply = try daemon.call(
        "Membership.Verify",
        #"{"account":"\#(account)","transactionId":"\#(id)","productId":"\#(product)"}"#)
      #expect(reply.flag("valid") == (reply.text("reason") == nil))
      return reply.text("reason")
    }
    #expect(try reason("u1", id, "monthly") == nil)
    #expect(try reason("u2", id, "monthly")?.contains("account") == true)
    #expect(try reason("u1", id, "weekly")?.contains("monthly") == true)
    #expect(try reason("u1", "5", "monthly") != nil)
    try daemon.advance(to: time("2025-02-28T10:00"))
    #expect(try reason("u1", id, "monthly")?.contains("ended") == true)
    try daemon.call("Testing.Refund", #"{"account":"u1"}"#)
    let newest = try daemon.history("u1")[1]["transactionId"]?.stringValue ?? ""
    #expect(try reason("u1", newest, "monthly")?.contains("taken back") == true)
  }

  @Test("B43: a refund ends access at once, and watchers hear of it once")
  func refundOfLifetime() throws {
    let daemon = try TestDaemon()
    try daemon.buy("u1", "lifetime")
    let (client, _) = daemon.watch()
    #expect(try daemon.isEntitled("u1") == true)
    try daemon.call("Testing.Refund", #"{"account":"u1"}"#)
    #expect(try daemon.isEntitled("u1") == false)
    let replies = client.takeReplies()
    #expect(replies.kinds == ["refunded"])
    #expect(replies[0]["event"]?["transaction"]?["revocationDate"]?.int64Value == january)
    #expect(try daemon.buy("u1", "lifetime") != "", "and it can be bought again")
    #expect(try daemon.isEntitled("u1") == true)
  }

  @Test("B42: a cancelled plan ends at its end, whatever was bought before it")
  func cancelledPlanEnds() throws {
    let daemon = try TestDaemon(clock: time("2021-09-30"))
    let id = try daemon.buy("u1", "monthly")
    try daemon.call(
      "Store.SetAutoRenew", #"{"originalTransactionId":"\#(id)","enabled":false}"#)
    try daemon.advance(to: time("2021-11-01"))
    #expect(try daemon.isEntitled("u1") == false)
  }

  @Test("Answers about what is not durable yet wait for it")
  func readsWaitForDurability() throws {
    let daemon = try TestDaemon()
    let reader = daemon.world.connect(uid: 1001)
    daemon.world.settleNew()
    daemon.world.send(
      "org.renewd.Store.Purchase", json(#"{"account":"u1","productId":"monthly"}"#),
      from: daemon.root)
    daemon.world.send("org.renewd.Membership.Check", json(#"{"account":"u1"}"#), from: reader)
    daemon.world.send("org.renewd.Membership.Check", json(#"{"account":"u2"}"#), from: reader)
    daemon.world.turn()
    #expect(reader.takeReplies().isEmpty, "the purchase could still be lost")
    #expect(daemon.root.takeReplies().isEmpty)
    daemon.world.settle()
    #expect(reader.takeReplies().map { $0.flag("entitled") } == [true, false])
    #expect(daemon.root.takeReplies().count == 1)
  }
}
