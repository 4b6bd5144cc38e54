import JSON
import Simulation
import Testing

@Suite("Stories through the socket")
struct StoryTests {
  @Test("A purchase, a month's advance and a status survive a kill")
  func storySurvivesKill() throws {
    let daemon = try TestDaemon()
    try daemon.buy("u1", "monthly")
    #expect(try daemon.call("Clocks.Advance", #"{"by":"P1M"}"#).int("events") == 1)
    let before = try daemon.status("u1")
    try daemon.restart()
    let after = try daemon.status("u1")
    #expect(before == after)
    #expect(after.flag("entitled") == true)
    let current = after.list("subscriptions").first?["transaction"]
    #expect(current?["purchaseDate"]?.int64Value == time("2025-02-28T10:00"))
  }

  @Test("A year of months from 31 January renews on each month's last day or the 31st")
  func yearOfMonths() throws {
    let daemon = try TestDaemon()
    try daemon.buy("u1", "monthly")
    #expect(try daemon.advance(to: time("2026-01-31T10:00")).int("events") == 12)
    let wanted = [
      "2025-01-31", "2025-02-28", "2025-03-31", "2025-04-30", "2025-05-31", "2025-06-30",
      "2025-07-31", "2025-08-31", "2025-09-30", "2025-10-31", "2025-11-30", "2025-12-31",
      "2026-01-31",
    ]
    #expect(try daemon.history("u1").purchaseDates == wanted.map { time("\($0)T10:00") })
  }

  @Test("A cancel, an expiry and a purchase ninety days later are one line with a gap")
  func resubscribes() throws {
    let daemon = try TestDaemon()
    let first = try daemon.buy("u1", "monthly")
    try daemon.call(
      "Store.SetAutoRenew", #"{"originalTransactionId":"\#(first)","enabled":false}"#)
    try daemon.advance(to: time("2025-02-28T10:00"))
    #expect(try daemon.isEntitled("u1") == false)
    try daemon.advance(to: time("2025-05-29T10:00"))
    try daemon.buy("u1", "monthly")
    let events = try daemon.log()
    #expect(events.last?["subtype"]?.stringValue == "RESUBSCRIBE")
    #expect(events.last?["originalTransactionId"]?.stringValue == first)
    let history = try daemon.history("u1")
    #expect(history.count == 2)
    #expect(history[0]["expiresDate"]?.int64Value == time("2025-02-28T10:00"))
    #expect(history[1]["purchaseDate"]?.int64Value == time("2025-05-29T10:00"))
    #expect(try daemon.isEntitled("u1") == true)
  }

  @Test("Introductory offers run their length and are sold once")
  func introductoryOffers() throws {
    let daemon = try TestDaemon()
    try daemon.buy("free", "trial")
    try daemon.buy("slow", "instalments")
    try daemon.buy("ahead", "upfront")
    try daemon.advance(to: time("2025-07-31T10:00"))
    func prices(_ account: String) throws -> [Int64] {
      try daemon.history(account).compactMap { $0["price"]?.int64Value }
    }
    #expect(try prices("free") == [0] + [Int64](repeating: 9_990, count: 6))
    #expect(
      try prices("slow") == [1_990, 1_990, 1_990] + [Int64](repeating: 9_990, count: 4))
    #expect(try prices("ahead") == [4_990] + [Int64](repeating: 9_990, count: 5))
    // After the trial the paid periods count from its end.
    let dates = try daemon.history("free").purchaseDates
    #expect(dates[1] == time("2025-02-07T10:00") && dates[2] == time("2025-03-07T10:00"))
    // A second time there is no offer.
    let original = try daemon.status("free").list("subscriptions")[0]["originalTransactionId"]
    try daemon.call("Testing.Expire", #"{"account":"free"}"#)
    #expect(original?.stringValue != nil)
    let again = try daemon.call("Store.Purchase", #"{"account":"free","productId":"trial"}"#)
    #expect(again["transaction"]?["price"]?.int64Value == 9_990)
    #expect(
      try daemon.error(
        "Store.Purchase",
        #"{"account":"free","productId":"lifetime","offer":{"type":"introductory"}}"#)
        == "IneligibleForOffer")
  }

  @Test("Things that are bought once for all, by the piece, and for a season")
  func otherPurchases() throws {
    let daemon = try TestDaemon()
    let lifetime = try daemon.buy("u1", "lifetime")
    #expect(try daemon.buy("u1", "lifetime") == lifetime, "it is owned already")
    let coins = try daemon.buy("u1", "coins", #","quantity":3"#)
    #expect(try daemon.buy("u1", "coins") != coins)
    try daemon.buy("u2", "season", #","quantity":2"#)
    #expect(try daemon.isEntitled("u1") == true)
    #expect(try daemon.isEntitled("u2") == false, "a season is listed and entitles nobody")
    #expect(try daemon.status("u2").list("purchases").count == 1)
    let history = try daemon.history("u1")
    #expect(history.count == 3)
    #expect(history[1]["price"]?.int64Value == 2_970)
    #expect(try daemon.status("u1").list("purchases").count == 1, "consumables are no status")
  }

  @Test("What was bought is unfinished until the app says so, whatever came since")
  func finishes() throws {
    let daemon = try TestDaemon()
    let first = try daemon.buy("u1", "monthly")
    try daemon.buy("u1", "coins")
    try daemon.advance(to: time("2025-04-30T10:00"))
    func unfinished() throws -> [String] {
      try daemon.call("Store.Unfinished", #"{"account":"u1"}"#).list("transactions")
        .compactMap { $0["transaction"]?["transactionId"]?.stringValue }
    }
    #expect(try unfinished().count == 5)
    try daemon.call("Store.Finish", #"{"transactionId":"\#(first)"}"#)
    #expect(try unfinished().count == 4)
    #expect(try unfinished().contains(first) == false)
    try daemon.restart()
    #expect(try unfinished().count == 4)
    let sequence = try daemon.call("Store.Finish", #"{"transactionId":"\#(first)"}"#)
    #expect(try daemon.log().count == Int(sequence.int("sequence") ?? 0), "nothing happened")
  }

  @Test("A refund takes access away, a reversal gives it back, an older one touches neither")
  func refunds() throws {
    let daemon = try TestDaemon()
    let first = try daemon.buy("u1", "monthly")
    try daemon.advance(to: time("2025-03-31T10:00"))
    let older = try daemon.call(
      "Testing.Refund", #"{"transactionId":"\#(first)","percentage":50,"reason":1}"#)
    #expect(older["transaction"]?["revocationType"]?.stringValue == "REFUND_PRORATED")
    #expect(older["transaction"]?["revocationPercentage"]?.int64Value == 50_000)
    #expect(try daemon.isEntitled("u1") == true)
    #expect(try daemon.history("u1")[0]["revocationReason"]?.int64Value == 1)
    try daemon.call("Testing.Refund", #"{"account":"u1"}"#)
    #expect(try daemon.isEntitled("u1") == false)
    #expect(try daemon.status("u1").list("subscriptions")[0]["status"]?.int64Value == 5)
    let reversed = try daemon.call("Testing.ReverseRefund", #"{"account":"u1"}"#)
    #expect(reversed["transaction"]?["revocationDate"] == nil)
    #expect(try daemon.isEntitled("u1") == true)
    try daemon.advance(to: time("2025-04-30T10:00"))
    #expect(try daemon.history("u1").count == 4, "it renews as if nothing had been")
  }

  @Test("Nothing renews after a refund, and a reversal after the end leaves it expired")
  func refundedNeverRenews() throws {
    let daemon = try TestDaemon()
    try daemon.buy("u1", "monthly")
    try daemon.call("Testing.Refund", #"{"account":"u1"}"#)
    #expect(try daemon.advance(to: time("2025-06-30T10:00")).int("events") == 0)
    try daemon.call("Testing.ReverseRefund", #"{"account":"u1"}"#)
    let line = try daemon.status("u1").list("subscriptions")[0]
    #expect(line["status"]?.int64Value == 2)
    #expect(try daemon.advance(to: time("2026-06-30T10:00")).int("events") == 0)
    try daemon.buy("u1", "monthly")
    #expect(try daemon.isEntitled("u1") == true)
  }
}
