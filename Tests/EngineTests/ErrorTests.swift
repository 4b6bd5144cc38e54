import JSON
import Simulation
import Testing

@Suite("Each refusal has its name, and changes nothing")
struct ErrorTests {
  /// A call and the error it must come to. `$1` is the id of u1's monthly subscription, `$2` of
  /// u1's lifetime purchase.
  static let refusals: [(method: String, parameters: String, error: String)] = [
    ("Store.Purchase", #"{"account":"","productId":"monthly"}"#, "InvalidParameter"),
    ("Store.Purchase", #"{"account":"a\u0007","productId":"monthly"}"#, "InvalidParameter"),
    ("Store.Purchase", #"{"account":"u9","productId":"montly"}"#, "ProductNotFound"),
    ("Store.Purchase", #"{"account":"u1","productId":"monthly"}"#, "AlreadySubscribed"),
    ("Store.Purchase", #"{"account":"u9","productId":"monthly","quantity":2}"#, "InvalidQuantity"),
    ("Store.Purchase", #"{"account":"u9","productId":"coins","quantity":0}"#, "InvalidQuantity"),
    ("Store.Purchase", #"{"account":"u9","productId":"coins","quantity":11}"#, "InvalidQuantity"),
    (
      "Store.Purchase", #"{"account":"u9","productId":"coins","storefront":"XXX"}"#,
      "InvalidParameter"
    ),
    (
      "Store.Purchase", #"{"account":"u9","productId":"coins","appAccountToken":"7"}"#,
      "InvalidParameter"
    ),
    ("Store.Purchase", #"{"account":"u9","productId":"coins","clock":"none"}"#, "ClockNotFound"),
    ("Store.Purchase", #"{"account":"u1","productId":"coins","clock":"system"}"#, "ClockMismatch"),
    (
      "Store.Purchase", #"{"account":"u9","productId":"coins","purchaseDate":4102444799999}"#,
      "InvalidTime"
    ),
    (
      "Store.Purchase", #"{"account":"u1","productId":"coins","purchaseDate":1738317599999}"#,
      "InvalidTime"
    ),
    (
      "Store.Purchase",
      #"{"account":"u9","productId":"monthly","offer":{"type":"promotional","id":"x"}}"#,
      "IneligibleForOffer"
    ),
    ("Testing.ResolveBilling", #"{"account":"u2"}"#, "NotPossible"),
    ("Store.Finish", #"{"transactionId":"12"}"#, "TransactionNotFound"),
    ("Store.Finish", #"{"transactionId":"2000000000000999"}"#, "TransactionNotFound"),
    ("Store.Finish", #"{"transactionId":"twelve"}"#, "InvalidParameter"),
    (
      "Store.SetAutoRenew", #"{"originalTransactionId":"$2","enabled":false}"#,
      "SubscriptionNotFound"
    ),
    ("Store.Products", #"{"storefront":"US"}"#, "InvalidParameter"),
    ("Membership.Status", #"{"account":"u1","productId":"none"}"#, "ProductNotFound"),
    ("Membership.Check", #"{"account":"u1","entitlement":"none"}"#, "InvalidParameter"),
    ("Membership.Status", #"{"account":"u3","at":4102444799999}"#, "ok"),
    ("Clocks.Create", #"{"name":"default","at":1738317600000}"#, "InvalidParameter"),
    ("Clocks.Create", #"{"name":"","at":1738317600000}"#, "InvalidParameter"),
    ("Clocks.Create", #"{"name":"early","at":946684799999}"#, "InvalidParameter"),
    ("Clocks.Create", #"{"name":"late","at":4102444800000}"#, "InvalidTime"),
    ("Clocks.Advance", #"{"clock":"none","to":1738317600001}"#, "ClockNotFound"),
    ("Clocks.Advance", #"{"clock":"system","to":1938317600001}"#, "NotPossible"),
    ("Clocks.Advance", #"{"to":4102444800000}"#, "InvalidTime"),
    ("Clocks.Advance", #"{"by":"1 banana"}"#, "InvalidParameter"),
    ("Clocks.Advance", #"{"by":"P1M","to":1738317600001}"#, "InvalidParameter"),
    ("Clocks.Advance", "{}", "InvalidParameter"),
    ("Clocks.Attach", #"{"account":"u1","clock":"none"}"#, "ClockNotFound"),
    ("Clocks.Attach", #"{"account":"u1","clock":"behind"}"#, "ClockBehind"),
    ("Clocks.Accept", #"{"clock":"system"}"#, "NotPossible"),
    ("Clocks.Accept", #"{"clock":"none"}"#, "ClockNotFound"),
    ("Testing.Refund", #"{"account":"nobody"}"#, "TransactionNotFound"),
    ("Testing.Expire", #"{"account":"nobody"}"#, "SubscriptionNotFound"),
    ("Testing.Refund", #"{"account":"u1"}"#, "Ambiguous"),
    ("Testing.Refund", "{}", "InvalidParameter"),
    ("Testing.Refund", #"{"account":"u1","transactionId":"$1"}"#, "InvalidParameter"),
    ("Testing.Refund", #"{"transactionId":"$1","percentage":0}"#, "InvalidParameter"),
    ("Testing.Refund", #"{"transactionId":"$1","percentage":101}"#, "InvalidParameter"),
    ("Testing.Refund", #"{"transactionId":"$1","reason":2}"#, "InvalidParameter"),
    ("Testing.Refund", #"{"transactionId":"2000000000000999"}"#, "TransactionNotFound"),
    ("Testing.ReverseRefund", #"{"transactionId":"$1"}"#, "NotPossible"),
    ("Testing.DeclineRefund", #"{"transactionId":"$1"}"#, "NotPossible"),
    ("Testing.RequestRefund", #"{"account":"u1"}"#, "Ambiguous"),
    ("Testing.RequestRefund", #"{"transactionId":"2000000000000999"}"#, "TransactionNotFound"),
    ("Testing.Expire", #"{"transactionId":"$2"}"#, "TransactionNotFound"),
    ("Testing.ForceRenewal", #"{"originalTransactionId":"$2"}"#, "SubscriptionNotFound"),
    ("Log.Read", #"{"from":0}"#, "InvalidParameter"),
    ("Log.Read", #"{"from":1,"count":0}"#, "InvalidParameter"),
    ("Log.Read", #"{"from":1,"count":501}"#, "InvalidParameter"),
    ("Log.Read", #"{"from":99999}"#, "CursorAhead"),
    ("Catalog.Import", #"{"text":"{\"products\":1}"}"#, "CatalogueInvalid"),
    ("Catalog.Import", #"{"text":"no"}"#, "CatalogueInvalid"),
  ]

  @Test("A refused call changes nothing")
  func refusesAndChangesNothing() throws {
    let daemon = try TestDaemon()
    let first = try daemon.buy("u1", "monthly")
    let second = try daemon.buy("u1", "lifetime")
    try daemon.buy("u2", "two.months")
    try daemon.call("Clocks.Create", #"{"name":"behind","at":1738317599999}"#)
    let before = Self.bytes(of: daemon)
    for (method, parameters, error) in Self.refusals {
      let text = parameters.replacing("$1", with: first).replacing("$2", with: second)
      let reply = try daemon.reply(method, text)
      let name = reply.error.map { String($0.dropFirst("org.renewd.".count)) } ?? "ok"
      #expect(name == error, "\(method) \(text)")
      #expect(Self.bytes(of: daemon) == before, "\(method) \(text) changed something")
    }
  }

  private static func bytes(of daemon: TestDaemon) -> [UInt8] {
    var bytes: [UInt8] = []
    daemon.world.engine?.state.encodeSnapshot(into: &bytes)
    return bytes
  }

  @Test("A misspelt product is answered with what was likely meant")
  func suggests() throws {
    let daemon = try TestDaemon()
    let reply = try daemon.reply(
      "Store.Purchase", #"{"account":"u1","productId":"montly"}"#)
    #expect(reply.error == "org.renewd.ProductNotFound")
    #expect(reply.text("productId") == "montly")
    #expect(reply.list("nearest").first?.stringValue == "monthly")
  }

  @Test("An ambiguous refund lists the transactions to choose from")
  func listsCandidates() throws {
    let daemon = try TestDaemon()
    let ids = [try daemon.buy("u1", "monthly"), try daemon.buy("u1", "lifetime")]
    let reply = try daemon.reply("Testing.Refund", #"{"account":"u1"}"#)
    #expect(reply.list("candidates").compactMap(\.stringValue) == ids)
    try daemon.call("Testing.Refund", #"{"transactionId":"\#(ids[1])"}"#)
    let only = try daemon.call("Testing.Refund", #"{"account":"u1"}"#)
    #expect(only["transaction"]?["transactionId"]?.stringValue == ids[0])
  }

  @Test("A forecast past ten thousand steps is refused, one just before is not")
  func forecastTooFar() throws {
    let daemon = try TestDaemon(clock: time("2000-01-01"))
    try daemon.call("Testing.SetRate", #"{"rate":"oneRenewalEveryTenSeconds"}"#)
    try daemon.buy("u1", "weekly")
    let period: Int64 = 10_000
    let start = time("2000-01-01")
    #expect(try daemon.isEntitled("u1", at: start + 10_000 * period - 1) == true)
    #expect(try daemon.isEntitled("u1", at: start + 10_000 * period) == true)
    let at = start + 10_001 * period
    #expect(
      try daemon.error("Membership.Status", #"{"account":"u1","at":\#(at)}"#)
        == "ForecastTooFar")
    #expect(
      try daemon.error("Membership.History", #"{"account":"u1","until":\#(at)}"#)
        == "ForecastTooFar")
  }
}
