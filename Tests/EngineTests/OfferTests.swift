import JSON
import Simulation
import Testing

/// Offers through the socket. Every reply is held against the description of its method
/// (`TestDaemon`).
@Suite("Offers through the socket")
struct OfferTests {
  static let shop = Shop([
    Shop.Ware(
      "plus", .subscription, price: 9_990, group: "G", period: "P1M",
      intro: Shop.Intro("payAsYouGo", "P1M", count: 2, price: 990),
      deals: [
        Shop.Deal("promotional", "half", Shop.Intro("payAsYouGo", "P1M", count: 2, price: 4_990)),
        Shop.Deal("promotional", "gift", Shop.Intro("free", "P2W")),
        Shop.Deal(
          "code", "SPRING", Shop.Intro("payUpFront", "P3M", price: 7_990), isStackable: true),
        Shop.Deal(
          "code", "STAY", Shop.Intro("payAsYouGo", "P1M", price: 1_990), for: ["existing"]),
        Shop.Deal("winBack", "return", Shop.Intro("payAsYouGo", "P1M", count: 2, price: 1_990)),
        Shop.Deal("winBack", "closed", Shop.Intro("free", "P1W"), isEligible: false),
      ]),
    Shop.Ware(
      "base", .subscription, price: 4_990, group: "G", level: 2, period: "P1M",
      deals: [Shop.Deal("promotional", "low", Shop.Intro("payUpFront", "P2M", price: 5_990))]),
    Shop.Ware("lifetime", .nonConsumable, price: 49_990),
  ])

  static func daemon() throws -> TestDaemon {
    try TestDaemon { $0.shop = shop }
  }

  static func offer(_ type: String, _ id: String) -> String {
    #","offer":{"type":"\#(type)","id":"\#(id)"}"#
  }

  private static func info(_ daemon: TestDaemon, at time: Int64? = nil) throws -> JSONValue {
    try #require(try daemon.status("u1", at: time).list("subscriptions").last?["renewalInfo"])
  }

  private static func told(_ daemon: TestDaemon) throws -> [String] {
    try daemon.log().compactMap { event in
      guard let type = event["notificationType"]?.stringValue else { return nil }
      let subtype = event["subtype"]?.stringValue.map { "/\($0)" } ?? ""
      return "\(event["kind"]?.stringValue ?? "?") \(type)\(subtype)"
    }
  }

  @Test("Case 77: a promotional offer on an active subscription is told, and sold at the renewal")
  func promotional() throws {
    let daemon = try Self.daemon()
    let first = try daemon.buy("u1", "plus")
    let reply = try daemon.call(
      "Store.Purchase",
      #"{"account":"u1","productId":"plus"\#(Self.offer("promotional", "half"))}"#)
    #expect(reply["transaction"]?["transactionId"]?.stringValue == first)
    let info = try Self.info(daemon)
    #expect(info["renewalPrice"]?.int64Value == 4_990)
    #expect(info["offerType"]?.int64Value == 2)
    #expect(info["offerIdentifier"]?.stringValue == "half")
    #expect(info["offerDiscountType"]?.stringValue == "PAY_AS_YOU_GO")
    #expect(info["offerPeriod"]?.stringValue == "P2M")
    #expect(info["eligibleWinBackOfferIds"] == nil)
    #expect(
      try Self.told(daemon) == [
        "purchased SUBSCRIBED/INITIAL_BUY", "offerRedeemed OFFER_REDEEMED",
      ])
    // What will be, then what is: the second and third periods at the offer's price.
    let forecast = try daemon.history("u1", until: time("2025-05-15"))
    #expect(
      forecast.compactMap { $0["price"]?.int64Value } == [990, 4_990, 4_990, 9_990])
    try daemon.advance(to: time("2025-05-15"))
    let history = try daemon.history("u1")
    #expect(history.compactMap { $0["price"]?.int64Value } == [990, 4_990, 4_990, 9_990])
    #expect(history[1]["offerType"]?.int64Value == 2)
    #expect(history[1]["offerIdentifier"]?.stringValue == "half")
    #expect(history[1]["offerPeriod"]?.stringValue == "P2M")
    #expect(history[1]["transactionReason"]?.stringValue == "renewal")
    #expect(history[3]["offerType"] == nil)
  }

  @Test("A code on top of the introduction survives a kill, a snapshot's restart and the catalogue")
  func stackedCode() throws {
    let daemon = try Self.daemon()
    try daemon.buy("u1", "plus", Self.offer("code", "SPRING"))
    try daemon.restart()
    let forecast = try daemon.history("u1", until: time("2025-07-15"))
    #expect(forecast.compactMap { $0["price"]?.int64Value } == [990, 990, 7_990, 9_990])
    try daemon.advance(to: time("2025-07-15"))
    let history = try daemon.history("u1")
    #expect(history.compactMap { $0["price"]?.int64Value } == [990, 990, 7_990, 9_990])
    #expect(history.compactMap { $0["offerType"]?.int64Value } == [1, 1, 3])
    #expect(history[2]["purchaseDate"]?.int64Value == time("2025-03-31T10:00"))
    #expect(history[2]["expiresDate"]?.int64Value == time("2025-06-30T10:00"))
    #expect(try daemon.log().kinds.filter { $0 == "offerStacked" }.count == 1)
  }

  @Test("Case 79: who left sees the win-back offers in the renewal info, in the file's order")
  func winBack() throws {
    let daemon = try Self.daemon()
    let id = try daemon.buy("u1", "plus")
    try daemon.call(
      "Store.SetAutoRenew", #"{"originalTransactionId":"\#(id)","enabled":false}"#)
    #expect(try Self.info(daemon)["eligibleWinBackOfferIds"] == nil)
    // The forecast knows it, too.
    let coming = try Self.info(daemon, at: time("2025-03-01"))
    #expect(coming["eligibleWinBackOfferIds"]?.arrayValue?.compactMap(\.stringValue) == ["return"])
    try daemon.advance(to: time("2025-03-01"))
    let info = try Self.info(daemon)
    #expect(info["eligibleWinBackOfferIds"]?.arrayValue?.compactMap(\.stringValue) == ["return"])
    let last = try #require(try daemon.log().last { $0["kind"]?.stringValue == "expired" })
    #expect(
      last["renewalInfo"]?["eligibleWinBackOfferIds"]?.arrayValue?.compactMap(\.stringValue)
        == ["return"])
    try daemon.buy("u1", "plus", Self.offer("winBack", "return"))
    #expect(try Self.info(daemon)["eligibleWinBackOfferIds"] == nil)
    #expect(try Self.told(daemon).last == "purchased SUBSCRIBED/RESUBSCRIBE")
  }

  @Test(
    "An offer that is none of this customer's is refused with its reason, and nothing happens",
    arguments: [
      ("plus", "promotional", "half", "never had one"),
      ("plus", "code", "STAY", "is for existing subscribers, and this account is a new"),
      ("plus", "code", "SPRNIG", "it has SPRING, STAY"),
      ("plus", "winBack", "return", "never had one of the group"),
      ("lifetime", "promotional", "half", "no auto-renewable subscription"),
    ])
  func refused(product: String, type: String, id: String, reason: String) throws {
    let daemon = try Self.daemon()
    let before = try daemon.log().count
    let reply = try daemon.reply(
      "Store.Purchase",
      #"{"account":"u1","productId":"\#(product)"\#(Self.offer(type, id))}"#)
    #expect(reply.error == "org.renewd.IneligibleForOffer")
    #expect(reply.text("reason")?.contains(reason) == true, "\(reply.text("reason") ?? "")")
    #expect(try daemon.log().count == before)
  }

  @Test("Products say who may redeem what")
  func products() throws {
    let daemon = try Self.daemon()
    let offers = try #require(
      try daemon.call("Store.Products", #"{"productIds":["plus"]}"#).list("products").first?[
        "offers"]?.arrayValue)
    #expect(
      offers.map { $0["type"]?.stringValue } == [
        "introductory", "promotional", "promotional", "code", "code", "winBack", "winBack",
      ])
    #expect(offers[4]["eligibility"]?.arrayValue?.compactMap(\.stringValue) == ["existing"])
    #expect(offers[3]["stackable"]?.boolValue == true)
    #expect(offers[4]["stackable"]?.boolValue == false)
    #expect(offers[5]["eligible"]?.boolValue == true)
    #expect(offers[6]["eligible"]?.boolValue == false)
    #expect(offers[1]["eligible"] == nil && offers[1]["stackable"] == nil)
  }

  @Test("A token for a change that waits is recorded, and answered again; for what is owned not")
  func tokenAlone() throws {
    let daemon = try Self.daemon()
    let plus = try daemon.buy("u1", "plus")
    let lifetime = try daemon.buy("u1", "lifetime")
    let token = "00000000-0000-4000-8000-00000000000a"
    func call(_ product: String, _ requestID: String) throws -> Reply {
      try daemon.call(
        "Store.Purchase",
        #"{"account":"u1","productId":"\#(product)","appAccountToken":"\#(token)""#
          + #","requestId":"\#(requestID)"}"#)
    }
    #expect(try call("lifetime", "r1")["transaction"]?["transactionId"]?.stringValue == lifetime)
    // A change that waits already: the same choice again, with another token.
    try daemon.buy("u1", "base")
    let other = "00000000-0000-4000-8000-00000000000b"
    let again =
      #"{"account":"u1","productId":"base","appAccountToken":"\#(other)","requestId":"r2"}"#
    let reply = try daemon.call("Store.Purchase", again)
    #expect(reply["transaction"]?["transactionId"]?.stringValue == plus)
    // The period that runs was bought without one.
    #expect(reply["transaction"]?["appAccountToken"] == nil)
    let count = try daemon.log().count
    let repeated = try daemon.call("Store.Purchase", again)
    #expect(repeated["transaction"]?["transactionId"]?.stringValue == plus)
    #expect(repeated.int("sequence") == reply.int("sequence"))
    #expect(try call("lifetime", "r1")["transaction"]?["transactionId"]?.stringValue == lifetime)
    #expect(try daemon.log().count == count)
  }

  @Test("The story tells what was redeemed, what it costs, and who may come back by which offer")
  func story() throws {
    let daemon = try Self.daemon()
    let id = try daemon.buy("u1", "plus", Self.offer("code", "SPRING"))
    try daemon.buy("u1", "plus", Self.offer("promotional", "gift"))
    func lines() throws -> [String] {
      try daemon.call("Membership.Explain", #"{"account":"u1"}"#).list("lines")
        .compactMap { $0["text"]?.stringValue }
    }
    let told = try lines()
    #expect(
      told.contains(
        "On 2025-01-31T10:00:00Z the account redeemed a code of plus on top of its introductory"
          + " offer: when that is over, it is sold at the offer code price of 7.99 USD, paid up"
          + " front for 3 months (offer code SPRING)."))
    #expect(
      told.contains(
        "On 2025-01-31T10:00:00Z the account redeemed an offer of plus: from the next renewal on"
          + " 2025-02-28T10:00:00Z it is sold as a free trial of 2 weeks (promotional offer gift)."
          + " Until then nothing changes."))
    #expect(
      told.last
        == "The next date of plus is 2025-02-28T10:00:00Z: it will renew then for 0.00 USD"
        + " (promotional offer gift), for 2 weeks more.")
    try daemon.buy("u1", "base", Self.offer("promotional", "low"))
    #expect(
      try lines().contains(
        "On 2025-01-31T10:00:00Z the account chose base instead of plus, from the next renewal on"
          + " 2025-02-28T10:00:00Z, at the promotional price of 5.99 USD, paid up front for 2"
          + " months (promotional offer low); the promotional offer gift that waited for the next"
          + " renewal is given up."))
    try daemon.call(
      "Store.SetAutoRenew", #"{"originalTransactionId":"\#(id)","enabled":false}"#)
    try daemon.advance(to: time("2025-03-01"))
    #expect(
      try lines().last
        == "There is no next date for plus: nothing more will happen to it by itself, and buying"
        + " in its group again continues the same subscription. The account is eligible for the"
        + " win-back offer return.")
  }
}
