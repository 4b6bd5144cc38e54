import JSON
import Simulation
import Testing

/// Price increases, products removed from sale and extensions through the socket. Every reply is
/// held against the description of its method (`TestDaemon`).
@Suite("Prices, sale and extensions through the socket")
struct PriceTests {
  private static func told(_ daemon: TestDaemon) throws -> [String] {
    try daemon.log().compactMap { event in
      guard let type = event["notificationType"]?.stringValue else { return nil }
      let subtype = event["subtype"]?.stringValue.map { "/\($0)" } ?? ""
      let status = event["statusAfter"]?.int64Value.map { " \($0)" } ?? ""
      return "\(event["kind"]?.stringValue ?? "?") \(type)\(subtype)\(status)"
    }
  }

  private static func line(_ daemon: TestDaemon, _ account: String = "u1") throws -> JSONValue {
    try #require(try daemon.status(account).list("subscriptions").first)
  }

  private static let announcement =
    #"{"productId":"monthly","price":12990,"consent":true}"#

  @Test("Case 80: who does not answer expires, who agrees renews at the new price")
  func increase() throws {
    let daemon = try TestDaemon()
    for account in ["u1", "u2", "u3"] { try daemon.buy(account, "monthly") }
    try daemon.buy("u4", "weekly")
    let told = try daemon.call("Testing.AnnouncePriceIncrease", Self.announcement)
    #expect(told.int("subscriptions") == 3)
    let info = try #require(try Self.line(daemon)["renewalInfo"])
    #expect(info["priceIncreaseStatus"]?.int64Value == 0)
    #expect(info["renewalPrice"]?.int64Value == 12_990)
    try daemon.call("Testing.ConsentToPriceIncrease", #"{"account":"u2"}"#)
    try daemon.call("Testing.DeclinePriceIncrease", #"{"account":"u3"}"#)
    let forecast = try daemon.history("u1", until: time("2025-04-01"))
    #expect(forecast.count == 1)
    try daemon.restart()
    try daemon.advance(to: time("2025-03-01"))
    let intents = try ["u1", "u2", "u3"].map {
      try Self.line(daemon, $0)["renewalInfo"]?["expirationIntent"]?.int64Value
    }
    #expect(intents == [3, nil, 1])
    #expect(try daemon.history("u2").last?["price"]?.int64Value == 12_990)
    #expect(
      try daemon.call("Store.Products", #"{"productIds":["monthly"]}"#)
        .list("products").first?["price"]?.int64Value == 12_990)
    #expect(
      try Self.told(daemon).filter { $0.contains("PRICE_INCREASE") } == [
        "priceIncreased PRICE_INCREASE/PENDING 1", "priceIncreased PRICE_INCREASE/PENDING 1",
        "priceIncreased PRICE_INCREASE/PENDING 1",
        "priceIncreaseAccepted PRICE_INCREASE/ACCEPTED 1", "expired EXPIRED/PRICE_INCREASE 2",
      ])
  }

  @Test(
    "An answer to an increase is the same when it is asked again, whatever came between",
    arguments: ["ConsentToPriceIncrease", "DeclinePriceIncrease"])
  func answersAlike(method: String) throws {
    let daemon = try TestDaemon()
    try daemon.buy("u1", "monthly")
    try daemon.call("Testing.AnnouncePriceIncrease", Self.announcement)
    let request = #"{"account":"u1","requestId":"a"}"#
    let first = try daemon.call("Testing.\(method)", request)
    try daemon.call("Testing.Extend", #"{"account":"u1","days":5,"reason":0}"#)
    let again = try daemon.call("Testing.\(method)", request)
    #expect(first["transaction"]?["expiresDate"] != nil)
    #expect(again["transaction"] == first["transaction"])
    #expect(again.int("sequence") == first.int("sequence"))
  }

  @Test("The story says what is asked, and what will happen without an answer")
  func explained() throws {
    let daemon = try TestDaemon()
    try daemon.buy("u1", "monthly")
    try daemon.call("Testing.AnnouncePriceIncrease", Self.announcement)
    func told() throws -> String {
      try daemon.call("Membership.Explain", #"{"account":"u1"}"#).list("lines")
        .compactMap { $0["text"]?.stringValue }.joined(separator: "\n")
    }
    #expect(
      try told().contains(
        "On 2025-01-31T10:00:00Z the account was asked to agree that the price of monthly rises"
          + " from 9.99 USD to 12.99 USD with the next renewal on 2025-02-28T10:00:00Z."))
    #expect(
      try told().contains(
        "it will expire then, unless the account agrees to the new price of 12.99 USD before."))
    try daemon.call("Testing.ConsentToPriceIncrease", #"{"account":"u1"}"#)
    #expect(try told().contains("the account agreed to pay 12.99 USD for monthly"))
    try daemon.call("Testing.RemoveFromSale", #"{"productId":"monthly"}"#)
    #expect(try told().contains("it will expire then, since monthly is not on sale any more"))
    try daemon.call("Testing.Extend", #"{"account":"u1","days":3,"reason":1}"#)
    #expect(
      try told().contains(
        "the period of monthly, which was to end on 2025-02-28T10:00:00Z, was extended until"
          + " 2025-03-03T10:00:00Z"))
    try daemon.advance(to: time("2025-03-04"))
    #expect(try told().contains("because its product was no longer on sale"))
  }

  @Test("E24: an import of the same text brings a product back, a restart does not")
  func removed() throws {
    let daemon = try TestDaemon()
    try daemon.buy("u1", "monthly")
    try daemon.call("Testing.RemoveFromSale", #"{"productId":"monthly"}"#)
    let count = try daemon.log().count
    try daemon.call("Testing.RemoveFromSale", #"{"productId":"monthly"}"#)
    #expect(try daemon.log().count == count)
    try daemon.restart()
    let buy = #"{"account":"u2","productId":"monthly"}"#
    #expect(try daemon.error("Store.Purchase", buy) == "ProductNotFound")
    try daemon.advance(to: time("2025-03-01"))
    #expect(try Self.line(daemon)["renewalInfo"]?["expirationIntent"]?.int64Value == 4)
    #expect(try Self.told(daemon).last == "expired EXPIRED/PRODUCT_NOT_FOR_SALE 2")
    #expect(
      try daemon.error("Testing.RemoveFromSale", #"{"productId":"mothly"}"#) == "ProductNotFound")
  }

  @Test("Cases 82, 83: one is extended, then all, under a name that counts once")
  func extended() throws {
    let daemon = try TestDaemon()
    for account in ["u1", "u2"] { try daemon.buy(account, "monthly") }
    try daemon.buy("u3", "trial")
    let one = try daemon.call("Testing.Extend", #"{"account":"u1","days":10,"reason":0}"#)
    #expect(one["transaction"]?["expiresDate"]?.int64Value == time("2025-03-10T10:00"))
    #expect(
      try Self.line(daemon)["renewalInfo"]?["renewalDate"]?.int64Value
        == time("2025-03-10T10:00"))
    #expect(try Self.line(daemon)["nextDue"]?.int64Value == time("2025-03-10T10:00"))
    let all = #"{"productId":"monthly","days":5,"reason":3,"requestIdentifier":"outage"}"#
    let first = try daemon.call("Testing.ExtendAll", all)
    #expect(first.int("succeeded") == 2 && first.int("failed") == 0)
    let count = try daemon.log().count
    #expect(try daemon.call("Testing.ExtendAll", all) == first)
    try daemon.restart()
    #expect(try daemon.call("Testing.ExtendAll", all) == first)
    // Whatever is asked under that name, the answer is what it stands for.
    #expect(first.text("productId") == "monthly")
    let other = #"{"productId":"yearly","days":90,"reason":0,"requestIdentifier":"outage"}"#
    #expect(try daemon.call("Testing.ExtendAll", other) == first)
    #expect(try daemon.log().count == count)
    #expect(
      try Self.line(daemon, "u2")["transaction"]?["expiresDate"]?.int64Value
        == time("2025-03-05T10:00"))
    let second = try daemon.call(
      "Testing.ExtendAll",
      #"{"productId":"monthly","days":5,"reason":3,"requestIdentifier":"again"}"#)
    #expect(second.int("succeeded") == 1 && second.int("failed") == 1)
    #expect(
      try daemon.error("Testing.Extend", #"{"account":"u3","days":5,"reason":0}"#)
        == "NotPossible")
    let summary = try #require(try daemon.log().last)
    #expect(summary["notificationType"]?.stringValue == "RENEWAL_EXTENSION")
    #expect(summary["subtype"]?.stringValue == "SUMMARY")
    #expect(summary["requestIdentifier"]?.stringValue == "again")
    #expect(summary["failed"]?.int64Value == 1)
    #expect(
      try Self.told(daemon).suffix(3) == [
        "extensionFailed RENEWAL_EXTENSION/FAILURE 1", "renewalExtended RENEWAL_EXTENDED 1",
        "massExtensionCompleted RENEWAL_EXTENSION/SUMMARY",
      ])
    // At its new end it renews, for a whole month from there.
    try daemon.advance(to: time("2025-03-15T10:00"))
    #expect(try daemon.history("u1").last?["expiresDate"]?.int64Value == time("2025-04-15T10:00"))
  }

  @Test("Thousands are told in slices; reads go on, and nothing falls due before all are told")
  func many() throws {
    let daemon = try TestDaemon()
    for number in 0..<2_500 { try daemon.buy("u\(number)", "monthly") }
    let reader = daemon.world.connect(uid: 0)
    let reply = try daemon.call("Testing.AnnouncePriceIncrease", Self.announcement)
    #expect(reply.int("subscriptions") == 2_500)
    #expect(try daemon.status("u2499").flag("entitled") == true)
    let read = try daemon.reply("Membership.Status", #"{"account":"u1"}"#, by: reader)
    #expect(read.error == nil)
    try daemon.advance(to: time("2025-02-28T10:00"))
    let log = try daemon.log()
    #expect(log.kinds.count { $0 == "priceIncreased" } == 2_500)
    #expect(log.kinds.count { $0 == "expired" } == 2_500)
    let last = try #require(log.kinds.lastIndex(of: "priceIncreased"))
    #expect(log.kinds[last + 1] == "priceIncreaseCompleted")
  }

  @Test(
    "The same request again is the same answer and no new event, after a kill too",
    arguments: [
      ("AnnouncePriceIncrease", #""productId":"monthly","price":12990,"consent":false"#),
      ("RemoveFromSale", #""productId":"monthly""#),
      ("Extend", #""account":"u1","days":10,"reason":0"#),
      ("ExtendAll", #""productId":"monthly","days":1,"reason":0,"requestIdentifier":"e""#),
    ])
  func requestIDs(method: String, parameters: String) throws {
    let daemon = try TestDaemon()
    try daemon.buy("u1", "monthly")
    let once = #"{\#(parameters),"requestId":"r1"}"#
    let first = try daemon.call("Testing.\(method)", once)
    let count = try daemon.log().count
    #expect(try daemon.call("Testing.\(method)", once) == first)
    try daemon.restart()
    #expect(try daemon.call("Testing.\(method)", once) == first)
    #expect(try daemon.log().count == count)
  }

  @Test("What makes no sense is refused by name and changes nothing")
  func refusals() throws {
    let daemon = try TestDaemon()
    try daemon.buy("u1", "monthly")
    let before = try daemon.log().count
    let refused = [
      (
        "AnnouncePriceIncrease", #"{"productId":"mothly","price":99990,"consent":true}"#,
        "ProductNotFound"
      ),
      (
        "AnnouncePriceIncrease", #"{"productId":"monthly","price":1,"consent":true}"#,
        "InvalidParameter"
      ),
      (
        "AnnouncePriceIncrease", #"{"productId":"coins","price":99990,"consent":true}"#,
        "InvalidParameter"
      ),
      ("ConsentToPriceIncrease", #"{"account":"u1"}"#, "NotPossible"),
      ("DeclinePriceIncrease", #"{"account":"nobody"}"#, "SubscriptionNotFound"),
      ("Extend", #"{"account":"u1","days":91,"reason":0}"#, "InvalidParameter"),
      ("Extend", #"{"account":"u1","days":1,"reason":4}"#, "InvalidParameter"),
      (
        "ExtendAll", #"{"productId":"coins","days":1,"reason":0,"requestIdentifier":"e"}"#,
        "InvalidParameter"
      ),
      (
        "ExtendAll", #"{"productId":"monthly","days":1,"reason":0,"requestIdentifier":""}"#,
        "InvalidParameter"
      ),
      (
        "ExtendAll", #"{"productId":"monthly","days":1,"reason":0}"#,
        "org.varlink.service.InvalidParameter"
      ),
    ]
    for (method, parameters, error) in refused {
      #expect(try daemon.error("Testing.\(method)", parameters) == error, "\(parameters)")
    }
    let client = daemon.world.connect(uid: 1002)
    let reply = try daemon.reply("Testing.AnnouncePriceIncrease", Self.announcement, by: client)
    #expect(reply.error == "org.renewd.PermissionDenied")
    #expect(try daemon.log().count == before)
  }

  @Test("Forced in grace and in retry, it renews now; expired there, it is over")
  func forcedInTrouble() throws {
    for (graceDays, status) in [(Int64(16), Int64(4)), (0, 3)] {
      let daemon = try TestDaemon { $0.configuration.policies.graceDays = graceDays }
      for account in ["u1", "u2"] {
        try daemon.buy(account, "monthly")
        try daemon.call("Testing.SetBilling", #"{"account":"\#(account)","outcome":"fail"}"#)
      }
      try daemon.advance(to: time("2025-03-05T00:00"))
      #expect(try Self.line(daemon)["status"]?.int64Value == status)
      let renewed = try daemon.call("Testing.ForceRenewal", #"{"account":"u1"}"#)
      #expect(renewed["transaction"]?["purchaseDate"]?.int64Value == time("2025-03-05T00:00"))
      #expect(renewed["transaction"]?["expiresDate"]?.int64Value == time("2025-04-05T00:00"))
      let line = try Self.line(daemon)
      #expect(line["status"]?.int64Value == 1)
      #expect(line["renewalInfo"]?["isInBillingRetryPeriod"]?.boolValue == false)
      let expired = try daemon.call("Testing.Expire", #"{"account":"u2"}"#)
      #expect(expired["transaction"]?["expiresDate"]?.int64Value == time("2025-02-28T10:00"))
      #expect(try Self.line(daemon, "u2")["status"]?.int64Value == 2)
      #expect(try Self.line(daemon, "u2")["nextDue"] == nil)
      // Charges fail as before.
      try daemon.advance(to: time("2025-04-05T00:00"))
      #expect(try Self.line(daemon)["status"]?.int64Value == status)
    }
  }
}
