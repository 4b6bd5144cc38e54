import AppStore
import JSON
import Simulation
import Subscriptions
import Testing

/// The payload of a signed form, believed under the root of the test's daemon.
private func believed(_ text: String?, root: UInt64 = 1) throws -> JSONValue {
  let signed = try CompactJWS(#require(text))
  try SimulatedVerifier(roots: [root]).verify(signed, at: 0)
  return try JSONValue.parse(signed.payload, depthMax: 16)
}

@Suite("What the store signs")
struct SignedFormTests {
  @Test("a purchase's signed form is the transaction that Domain.md 3.1 describes")
  func purchase() throws {
    let daemon = try TestDaemon()
    let token = "7e3fb20b-4cdb-47cc-936d-99d65f608138"
    let reply = try daemon.call(
      "Store.Purchase",
      """
      {"account":"u1","productId":"trial","storefront":"DEU","appAccountToken":"\(token)",\
      "signed":true}
      """)
    let payload = try believed(reply.text("signedTransactionInfo"))
    #expect(
      payload
        == json(
          """
          {"transactionId":"2000000000000001","originalTransactionId":"2000000000000001",\
          "webOrderLineItemId":"2000900000000001","bundleId":"com.example.app",\
          "productId":"trial","subscriptionGroupIdentifier":"GF",\
          "purchaseDate":1738317600000,"originalPurchaseDate":1738317600000,\
          "expiresDate":1738922400000,"quantity":1,"type":"Auto-Renewable Subscription",\
          "appAccountToken":"\(token)","inAppOwnershipType":"PURCHASED",\
          "signedDate":1738317600000,"offerType":1,"offerDiscountType":"FREE_TRIAL",\
          "offerPeriod":"P1W","environment":"Sandbox","storefront":"DEU",\
          "storefrontId":"143443","transactionReason":"PURCHASE","price":0,"currency":"EUR",\
          "appTransactionId":"704000000000000001"}
          """))
    // Without being asked nothing is signed.
    let plain = try daemon.call("Store.Purchase", #"{"account":"u2","productId":"coins"}"#)
    #expect(plain.text("signedTransactionInfo") == nil)
  }

  @Test("what is outside a subscription has no period, group or line item")
  func oneTime() throws {
    let daemon = try TestDaemon()
    let reply = try daemon.call(
      "Store.Purchase", #"{"account":"u1","productId":"coins","quantity":3,"signed":true}"#)
    let payload = try believed(reply.text("signedTransactionInfo"))
    #expect(payload["type"]?.stringValue == "Consumable")
    #expect(payload["quantity"]?.int64Value == 3)
    #expect(payload["price"]?.int64Value == 2970)
    for name in ["expiresDate", "subscriptionGroupIdentifier", "webOrderLineItemId", "offerType"] {
      #expect(payload[name] == nil, "\(name)")
    }
  }

  @Test("status signs what stands now with the account's present time")
  func status() throws {
    let daemon = try TestDaemon()
    try daemon.buy("u1", "monthly")
    try daemon.buy("u1", "lifetime")
    try daemon.advance(to: january + 10 * day)
    let reply = try daemon.call("Membership.Status", #"{"account":"u1","signed":true}"#)
    let line = try #require(reply.list("subscriptions").first)
    let bought = try believed(line["transaction"]?["signedTransactionInfo"]?.stringValue)
    #expect(bought["signedDate"]?.int64Value == january + 10 * day)
    #expect(line["transaction"]?["signedDate"]?.int64Value == january)
    let renewal = try believed(line["renewalInfo"]?["signedRenewalInfo"]?.stringValue)
    #expect(
      renewal
        == json(
          """
          {"originalTransactionId":"2000000000000001","productId":"monthly",\
          "autoRenewProductId":"monthly","autoRenewStatus":1,\
          "renewalDate":\(time("2025-02-28T10:00")),\
          "recentSubscriptionStartDate":\(january),"renewalPrice":9990,"currency":"USD",\
          "appTransactionId":"704000000000000001","environment":"Sandbox",\
          "signedDate":\(january + 10 * day)}
          """))
    let lasting = try #require(reply.list("purchases").first)
    #expect(
      try believed(lasting["signedTransactionInfo"]?.stringValue)["type"]?.stringValue
        == "Non-Consumable")
    #expect(
      try daemon.call("Membership.Status", #"{"account":"u1"}"#)
        .list("subscriptions")[0]["transaction"]?["signedTransactionInfo"] == nil)
  }

  @Test("grace, retry, a cancellation and a refund are in the signed forms")
  func troubles() throws {
    let daemon = try TestDaemon {
      $0.configuration.policies.graceDays = 16
    }
    try daemon.buy("u1", "monthly")
    try daemon.call("Testing.SetBilling", #"{"account":"u1","outcome":"fail"}"#)
    try daemon.advance(to: time("2025-03-01T10:00"))
    let grace = try renewal(of: daemon)
    #expect(grace["isInBillingRetryPeriod"]?.boolValue == true)
    #expect(grace["expirationIntent"]?.int64Value == 2)
    #expect(grace["gracePeriodExpiresDate"]?.int64Value == time("2025-03-16T10:00"))
    try daemon.buy("u2", "monthly")
    let id = try #require(try daemon.history("u2").first?["transactionId"]?.stringValue)
    try daemon.call(
      "Store.SetAutoRenew", #"{"originalTransactionId":"\#(id)","enabled":false}"#)
    try daemon.call("Testing.Refund", #"{"transactionId":"\#(id)","percentage":50}"#)
    let history = try daemon.call("Membership.History", #"{"account":"u2","signed":true}"#)
    let taken = try believed(
      history.list("transactions")[0]["signedTransactionInfo"]?.stringValue)
    #expect(taken["revocationType"]?.stringValue == "REFUND_PRORATED")
    #expect(taken["revocationPercentage"]?.int64Value == 50000)
    #expect(taken["revocationReason"]?.int64Value == 0)
    #expect(taken["revocationDate"]?.int64Value == time("2025-03-01T10:00"))
  }

  private func renewal(of daemon: TestDaemon) throws -> JSONValue {
    let reply = try daemon.call("Membership.Status", #"{"account":"u1","signed":true}"#)
    return try believed(
      reply.list("subscriptions")[0]["renewalInfo"]?["signedRenewalInfo"]?.stringValue)
  }

  @Test("history signs what has come, not what is forecast, a hundred on a page")
  func history() throws {
    let daemon = try TestDaemon()
    try daemon.buy("u1", "weekly")
    try daemon.advance(to: january + 7 * day * 120)
    var from = ""
    var sizes: [Int] = []
    repeat {
      let page = try daemon.call(
        "Membership.History", #"{"account":"u1","signed":true\#(from)}"#)
      for row in page.list("transactions") {
        let payload = try believed(row["signedTransactionInfo"]?.stringValue)
        #expect(payload["transactionId"] == row["transactionId"])
        #expect(payload["signedDate"]?.int64Value == january + 7 * day * 120)
        #expect(
          payload["transactionReason"]?.stringValue
            == (row["transactionId"] == row["originalTransactionId"] ? "PURCHASE" : "RENEWAL"))
      }
      sizes.append(page.list("transactions").count)
      from = page.text("next").map { #","from":"\#($0)""# } ?? ""
    } while !from.isEmpty
    #expect(sizes == [100, 21])
    let ahead = try daemon.call(
      "Membership.History",
      """
      {"account":"u1","signed":true,"from":"2000000000000121",\
      "until":\(january + 7 * day * 122)}
      """)
    #expect(
      ahead.list("transactions").map { $0["signedTransactionInfo"] != nil }
        == [true, false, false])
  }

  @Test("an unfinished transaction comes signed where that is asked for")
  func unfinished() throws {
    let daemon = try TestDaemon()
    try daemon.buy("u1", "coins")
    let plain = try daemon.call("Store.Unfinished", #"{"account":"u1"}"#)
    #expect(plain.list("transactions")[0]["signedTransactionInfo"] == .string(""))
    let signed = try daemon.call("Store.Unfinished", #"{"account":"u1","signed":true}"#)
    let payload = try believed(
      signed.list("transactions")[0]["signedTransactionInfo"]?.stringValue)
    #expect(payload["productId"]?.stringValue == "coins")
  }

  @Test("a watch signs the present state as of now, and each event as of its own time")
  func watch() throws {
    let daemon = try TestDaemon()
    try daemon.buy("u1", "monthly")
    try daemon.advance(to: january + day)
    let (client, replies) = daemon.watch(#"{"signed":true}"#)
    let line = try #require(replies.first?["subscription"])
    let present = try believed(line["transaction"]?["signedTransactionInfo"]?.stringValue)
    #expect(present["signedDate"]?.int64Value == january + day)
    try daemon.advance(to: january + 40 * day)
    let renewed = try #require(client.takeReplies().first { $0.kinds == "renewed" })
    TestDaemon.validate(renewed, of: "org.renewd.Membership.Watch")
    let event = try #require(renewed["event"])
    let bought = try believed(event["transaction"]?["signedTransactionInfo"]?.stringValue)
    #expect(bought["signedDate"]?.int64Value == time("2025-02-28T10:00"))
    #expect(bought["transactionReason"]?.stringValue == "RENEWAL")
    let info = try believed(event["renewalInfo"]?["signedRenewalInfo"]?.stringValue)
    #expect(info["signedDate"]?.int64Value == time("2025-02-28T10:00"))
    // From the log, read again, the same.
    let (_, again) = daemon.watch(#"{"since":0,"account":"u1","signed":true}"#)
    let replayed = try #require(again.first { $0.kinds == "renewed" })
    #expect(replayed["event"]?["transaction"] == event["transaction"])
  }

  @Test("a request asked again has the same signed form, whatever happened since")
  func replay() throws {
    let daemon = try TestDaemon()
    let call = #"{"account":"u1","productId":"monthly","signed":true,"requestId":"r"}"#
    let first = try daemon.call("Store.Purchase", call)
    try daemon.advance(to: january + 40 * day)
    #expect(try daemon.call("Store.Purchase", call).parameters == first.parameters)
  }

  @Test("nothing is signed for another moment than now")
  func otherMoments() throws {
    let daemon = try TestDaemon()
    try daemon.buy("u1", "monthly")
    for moment in [january - 1, january + day] {
      #expect(
        try daemon.error(
          "Membership.Status", #"{"account":"u1","signed":true,"at":\#(moment)}"#)
          == "InvalidParameter")
    }
    try daemon.call("Membership.Status", #"{"account":"u1","signed":true,"at":\#(january)}"#)
  }

  @Test("the app transaction says since when the account is known; a stranger has one too")
  func appTransaction() throws {
    let daemon = try TestDaemon { $0.configuration.appAppleID = 41234 }
    try daemon.buy("u1", "monthly")
    try daemon.advance(to: january + day)
    let reply = try daemon.call("Store.AppTransaction", #"{"account":"u1"}"#)
    #expect(
      try believed(reply.text("signedAppTransactionInfo"))
        == json(
          """
          {"receiptType":"Sandbox","appAppleId":41234,"bundleId":"com.example.app",\
          "applicationVersion":"1.0","receiptCreationDate":\(january + day),\
          "originalPurchaseDate":\(january),"originalApplicationVersion":"1.0",\
          "appTransactionId":"704000000000000001","originalPlatform":"iOS"}
          """))
    let stranger = try daemon.call("Store.AppTransaction", #"{"account":"u9"}"#)
    let payload = try believed(stranger.text("signedAppTransactionInfo"))
    #expect(payload["appTransactionId"] == nil)
    #expect(payload["originalPurchaseDate"]?.int64Value == january + day)
  }

  @Test("Trust tells whose signatures count")
  func trust() throws {
    let daemon = try TestDaemon { $0.configuration.environment = "Production" }
    let reply = try daemon.call("Membership.Trust", by: daemon.world.connect(uid: 1001))
    #expect(reply.text("bundleId") == "com.example.app")
    #expect(reply.text("environment") == "Production")
    // The simulated root's name in base64.
    #expect(reply.list("rootCertificates") == [.string("cm9vdCAx")])
  }
}
