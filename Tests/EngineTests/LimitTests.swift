import JSON
import Simulation
import Subscriptions
import Testing

@Suite("What a log or a reply cannot hold is refused by name")
struct LimitTests {
  @Test("A record log has no store: buying, testing and importing are not for it")
  func recordLog() throws {
    let daemon = try TestDaemon(clock: nil) {
      $0.role = .record
      $0.shop = nil
    }
    #expect(try daemon.call("Daemon.Describe").text("role") == "record")
    for (method, parameters) in [
      ("Testing.Reset", "{}"), ("Testing.Refund", #"{"account":"u"}"#),
      ("Testing.Expire", #"{"account":"u"}"#), ("Catalog.Import", #"{"text":"{}"}"#),
      ("Store.Purchase", #"{"account":"u","productId":"monthly"}"#),
    ] {
      #expect(try daemon.error(method, parameters) == "NotInThisRole", "\(method)")
    }
    #expect(try daemon.isEntitled("u") == false)
    // The role is the log's: a start that says otherwise does not change it.
    try daemon.restart()
    #expect(try daemon.call("Log.Describe").text("role") == "record")
  }

  @Test("More than a thousand unfinished transactions do not fit an answer, and say so")
  func tooManyUnfinished() throws {
    let daemon = try TestDaemon(clock: time("2000-01-01"))
    try daemon.buy("u", "weekly")
    try daemon.advance(to: time("2000-01-01") + 999 * 7 * day)
    let most = try daemon.call("Store.Unfinished", #"{"account":"u"}"#)
    #expect(most.list("transactions").count == 1_000)
    try daemon.advance(to: time("2000-01-01") + 1_000 * 7 * day)
    let reply = try daemon.reply("Store.Unfinished", #"{"account":"u"}"#)
    #expect(reply.error == "org.renewd.LimitReached")
  }

  @Test("A price in another storefront is in its currency, and an unknown one is refused")
  func storefronts() throws {
    let daemon = try TestDaemon()
    let products = try daemon.call("Store.Products", #"{"storefront":"DEU"}"#)
    #expect(
      products.list("products").allSatisfy { $0["currency"]?.stringValue == "EUR" })
    #expect(products.list("products").count == Shop.standard.wares.count)
    let reply = try daemon.call(
      "Store.Purchase", #"{"account":"u","productId":"monthly","storefront":"JPN"}"#)
    #expect(reply["transaction"]?["currency"]?.stringValue == "JPY")
    #expect(reply["transaction"]?["storefront"]?.stringValue == "JPN")
  }

  @Test("A new text of a catalogue takes the old one's place; what it lacks still renews")
  func newCatalogue() throws {
    let daemon = try TestDaemon()
    try daemon.buy("u", "weekly")
    var shop = Shop.standard
    shop.wares.removeAll { $0.id == "weekly" }
    let text = JSONValue.string(String(decoding: shop.storekitText, as: UTF8.self)).compactText
    let call = #"{"text":\#(text),"source":"shop.storekit"}"#
    let first = try daemon.call("Catalog.Import", call)
    #expect(first.flag("unchanged") == false)
    #expect(try daemon.call("Catalog.Import", call).flag("unchanged") == true)
    #expect(
      try daemon.error("Store.Purchase", #"{"account":"v","productId":"weekly"}"#)
        == "ProductNotFound")
    try daemon.advance(to: january + 14 * day)
    #expect(try daemon.history("u").count == 3)
    let check = try daemon.call("Membership.Check", #"{"account":"u","productId":"weekly"}"#)
    #expect(check.flag("entitled") == true)
    #expect(
      try daemon.call("Store.Products", #"{"productIds":["weekly"]}"#).list("unknown").count == 1)
  }
}
