import AppStore
import JSON
import Simulation
import Testing

/// Restores through the socket: Domain.md 8, cases 35 and 36. Every reply is held against the
/// description of its method (`TestDaemon`).
@Suite("Restores through the socket")
struct RestoreTests {
  private static func restore(
    _ daemon: TestDaemon, _ account: String = "u1", _ more: String = ""
  ) throws -> Reply {
    try daemon.call("Store.Restore", #"{"account":"\#(account)"\#(more)}"#)
  }

  private static func ids(_ rows: [JSONValue]) -> [String] {
    rows.compactMap { $0["transactionId"]?.stringValue }
  }

  @Test("Case 35: what there is comes again under new ids, with the original ones, and is told")
  func told() throws {
    let daemon = try TestDaemon()
    let monthly = try daemon.buy("u1", "monthly")
    let lifetime = try daemon.buy("u1", "lifetime")
    let coins = try daemon.buy("u1", "coins")
    for id in [monthly, lifetime, coins] {
      try daemon.call("Store.Finish", #"{"transactionId":"\#(id)"}"#)
    }
    let before = try daemon.history("u1")
    let (watcher, _) = daemon.watch(#"{"account":"u1"}"#)
    let answer = try Self.restore(daemon)
    let rows = answer.list("transactions")
    #expect(Self.ids(rows) == ["2000000000000004", "2000000000000005"])
    #expect(rows.map { $0["originalTransactionId"]?.stringValue } == [monthly, lifetime])
    for (row, old) in zip(rows, before) {
      #expect(row["finished"]?.boolValue == false)
      #expect(row["restored"]?.boolValue == true && old["restored"] == nil)
      for name in [
        "webOrderLineItemId", "purchaseDate", "expiresDate", "originalPurchaseDate", "price",
        "transactionReason", "productId", "originalTransactionId",
      ] {
        #expect(row[name] == old[name], "\(name)")
      }
    }
    let events = watcher.takeReplies()
    #expect(events.kinds == ["restored", "restored"])
    #expect(events.eventSequences.last == answer.int("sequence"))
    #expect(events.allSatisfy { $0["event"]?["notificationType"] == nil })
    // Each thing sold stands once, under its newest id.
    let after = try daemon.history("u1")
    #expect(Self.ids(after) == ["2000000000000004", "2000000000000005", coins])
    let ledger = try daemon.call("Membership.Ledger", #"{"account":"u1"}"#).list("entries")
    #expect(Self.ids(ledger) == [monthly, lifetime, coins])
    let open = try daemon.call("Store.Unfinished", #"{"account":"u1"}"#).list("transactions")
    #expect(Self.ids(open.compactMap { $0["transaction"] }) == Self.ids(rows))
    let story = try daemon.call("Membership.Explain", #"{"account":"u1"}"#).list("lines")
      .compactMap { $0["text"]?.stringValue }
    #expect(
      story.contains(
        "On 2025-01-31T10:00:00Z the account restored monthly: it is transaction"
          + " 2000000000000004 from now on, of the original transaction 2000000000000001, for the"
          + " period until 2025-02-28T10:00:00Z; nothing was charged."))
    #expect(try daemon.isEntitled("u1") == true)
    try daemon.advance(to: time("2025-03-01"))
    let renewed = try daemon.history("u1")
    #expect(renewed.count == 4)
    #expect(renewed[3]["purchaseDate"]?.int64Value == time("2025-02-28T10:00"))
    #expect(renewed[3]["originalTransactionId"]?.stringValue == monthly)
  }

  @Test("Case 36: any id that a period had names it, over restarts and a snapshot")
  func names() throws {
    let daemon = try TestDaemon()
    let first = try daemon.buy("u1", "monthly")
    let second = try #require(Self.ids(try Self.restore(daemon).list("transactions")).first)
    let third = try #require(Self.ids(try Self.restore(daemon).list("transactions")).first)
    #expect(Set([first, second, third]).count == 3)
    try daemon.restart()
    for id in [first, second, third] {
      let verdict = try daemon.call(
        "Membership.Verify",
        #"{"account":"u1","transactionId":"\#(id)","productId":"monthly"}"#)
      #expect(verdict.flag("valid") == true, "\(id)")
    }
    let asked = try daemon.call("Testing.RequestRefund", #"{"transactionId":"\#(second)"}"#)
    #expect(asked["transaction"]?["transactionId"]?.stringValue == third)
    try daemon.call("Log.Snapshot")
    try daemon.restart()
    #expect(
      try daemon.error("Testing.RequestRefund", #"{"transactionId":"\#(first)"}"#)
        == "NotPossible")
    try daemon.call("Testing.DeclineRefund", #"{"transactionId":"\#(first)"}"#)
    let given = try daemon.call("Testing.Refund", #"{"transactionId":"\#(first)"}"#)
    #expect(given["transaction"]?["transactionId"]?.stringValue == third)
    #expect(try daemon.isEntitled("u1") == false)
    try daemon.call("Testing.ReverseRefund", #"{"transactionId":"\#(second)"}"#)
    #expect(try daemon.isEntitled("u1") == true)
    try daemon.call("Store.Finish", #"{"transactionId":"\#(second)"}"#)
    #expect(try daemon.history("u1").map { $0["finished"]?.boolValue } == [true])
    // A call about the subscription takes the id of a transaction of its newest period.
    try daemon.call("Testing.ForceRenewal", #"{"transactionId":"\#(second)"}"#)
    #expect(try daemon.history("u1").count == 2)
    #expect(
      try daemon.error("Testing.ForceRenewal", #"{"transactionId":"\#(second)"}"#)
        == "TransactionNotFound")
  }

  @Test("The same request gives the same answer, beside another right behind it, and after a kill")
  func replays() throws {
    let daemon = try TestDaemon()
    try daemon.buy("u1", "monthly")
    try daemon.buy("u1", "lifetime")
    let first = try Self.restore(daemon, "u1", #","requestId":"r1""#)
    let second = try Self.restore(daemon, "u1", #","requestId":"r2""#)
    let last = try Self.restore(daemon)
    let count = try daemon.log().count
    for isRestarted in [false, true] {
      if isRestarted { try daemon.restart() }
      #expect(try Self.restore(daemon, "u1", #","requestId":"r1""#) == first)
      #expect(try Self.restore(daemon, "u1", #","requestId":"r2""#) == second)
      #expect(try daemon.log().count == count)
    }
    #expect(first.list("transactions").count == 2)
    let all = [first, second, last].flatMap { Self.ids($0.list("transactions")) }
    #expect(Set(all).count == 6)
    #expect(
      try daemon.error("Store.Restore", #"{"account":"u2","requestId":"r1"}"#)
        == "RequestIdReused")
  }

  @Test("Who has nothing to restore, or was never seen, gets nothing, and nothing happens")
  func nothing() throws {
    let daemon = try TestDaemon()
    try daemon.buy("u1", "coins")
    let count = try daemon.log().count
    for account in ["u1", "nobody"] {
      let answer = try Self.restore(daemon, account)
      #expect(answer.list("transactions").isEmpty)
      #expect(answer.int("sequence") == Int64(count))
    }
    #expect(try daemon.log().count == count)
  }

  @Test("It is refused by name: in a record, to who may only read, and where a tester says so")
  func refusals() throws {
    let record = try TestDaemon { $0.role = .record }
    #expect(try record.error("Store.Restore", #"{"account":"u1"}"#) == "NotInThisRole")
    let daemon = try TestDaemon()
    try daemon.buy("u1", "monthly")
    let reader = daemon.world.connect(uid: 1002)
    let refused = try daemon.reply("Store.Restore", #"{"account":"u1"}"#, by: reader)
    #expect(refused.error == "org.renewd.PermissionDenied")
    #expect(try daemon.error("Store.Restore", #"{"account":""}"#) == "InvalidParameter")
    #expect(
      try daemon.reply("Store.Restore", #"{"account":"u1","device":"d"}"#).error
        == "org.varlink.service.InvalidParameter")
    try daemon.call(
      "Testing.SetSimulatedError", #"{"api":"appStoreSync","error":"networkError"}"#)
    #expect(try daemon.error("Store.Restore", #"{"account":"u1"}"#) == "SimulatedError")
    #expect(try daemon.log().kinds.contains("restored") == false)
  }

  @Test("A page of the history that began before a restore goes on after it")
  func pages() throws {
    let daemon = try TestDaemon()
    try daemon.buy("u1", "coins")
    let lifetime = try daemon.buy("u1", "lifetime")
    try daemon.buy("u1", "coins")
    try Self.restore(daemon).list("transactions").forEach { _ in }
    let page = try daemon.call(
      "Membership.History", #"{"account":"u1","from":"\#(lifetime)"}"#)
    #expect(Self.ids(page.list("transactions")) == ["2000000000000004", "2000000000000003"])
  }

  @Test("More than a hundred signed forms do not fit an answer; then nothing is restored")
  func limit() throws {
    let wares = (0..<101).map { Shop.Ware("w\($0)", .nonConsumable, price: 990) }
    let daemon = try TestDaemon { $0.shop = Shop(wares) }
    for ware in wares { try daemon.buy("u1", ware.id) }
    let count = try daemon.log().count
    #expect(
      try daemon.error("Store.Restore", #"{"account":"u1","signed":true}"#) == "LimitReached")
    #expect(try daemon.log().count == count)
    let answer = try Self.restore(daemon, "u1", #","requestId":"r""#)
    #expect(answer.list("transactions").count == 101)
    #expect(try daemon.log().count == count + 101)
    #expect(try Self.restore(daemon, "u1", #","requestId":"r""#) == answer)
  }

  @Test("A family's member restores what it has, and both renew once")
  func family() throws {
    let daemon = try TestDaemon {
      $0.shop = Shop([
        Shop.Ware(
          "family", .subscription, price: 14_990, group: "G", period: "P1M", isShareable: true)
      ])
    }
    try daemon.buy("u1", "family")
    try daemon.call("Testing.Share", #"{"account":"u1","to":"u2"}"#)
    for account in ["u1", "u2"] {
      #expect(try Self.restore(daemon, account).list("transactions").count == 1)
    }
    try daemon.restart()
    try daemon.advance(to: time("2025-03-01"))
    for account in ["u1", "u2"] {
      #expect(try daemon.history(account).count == 2, "\(account)")
      #expect(try daemon.isEntitled(account) == true)
    }
    let kinds = try daemon.log().kinds
    #expect(kinds.count { $0 == "shared" } == 1 && kinds.count { $0 == "renewed" } == 2)
  }

  @Test("Case 36, B38: a record takes a restored period for the same one, and its refund too")
  func record() throws {
    let store = try TestDaemon()
    let record = try TestDaemon { options in
      options.role = .record
      options.signing = SimulatedSigner.signing(root: 2, trusting: [1])
    }
    func submit(_ text: String?) throws {
      let text = try #require(text)
      try record.call("Store.Submit", #"{"account":"u1","signed":"\#(text)"}"#)
    }
    let bought = try store.call(
      "Store.Purchase", #"{"account":"u1","productId":"monthly","signed":true}"#)
    try submit(bought.text("signedTransactionInfo"))
    try store.advance(to: january + day)
    let restored = try #require(
      try Self.restore(store, "u1", #","signed":true"#).list("transactions").first)
    try submit(restored["signedTransactionInfo"]?.stringValue)
    let kept = try record.history("u1")
    #expect(Self.ids(kept) == Self.ids([restored]))
    #expect(kept[0]["originalTransactionId"] == bought["transaction"]?["transactionId"])
    let line = try #require(try record.status("u1").list("subscriptions").first)
    #expect(line["transaction"]?["transactionId"] == restored["transactionId"])
    #expect(line["status"]?.int64Value == 1)
    for id in [bought["transaction"]?["transactionId"], restored["transactionId"]] {
      let id = try #require(id?.stringValue)
      let verdict = try record.call(
        "Membership.Verify",
        #"{"account":"u1","transactionId":"\#(id)","productId":"monthly"}"#)
      #expect(verdict.flag("valid") == true)
    }
    // The store is asked by the old id, and signs for the newest.
    try store.advance(to: january + 2 * day)
    let old = try #require(bought["transaction"]?["transactionId"]?.stringValue)
    try store.call("Testing.Refund", #"{"transactionId":"\#(old)"}"#)
    let refunded = try store.call(
      "Membership.History", #"{"account":"u1","signed":true}"#
    ).list("transactions")
    try submit(refunded.first?["signedTransactionInfo"]?.stringValue)
    try record.advance(to: january + 2 * day)
    #expect(try record.isEntitled("u1") == false)
    #expect(try record.history("u1").count == 1)
  }
}
