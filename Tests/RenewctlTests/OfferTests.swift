import Client
import Testing

@testable import renewctl

/// Offers, as `renewctl` takes and shows them.
@Suite("Offers", .timeLimit(.minutes(10)))
struct OfferTests {
  private static func offer(
    _ type: String, _ id: String?, _ mode: String, _ period: String, count: Int64 = 1,
    price: Int64 = 0, also: [(String, JSONValue)] = []
  ) -> JSONValue {
    var object = JSONObject([
      ("type", .string(type)), ("paymentMode", .string(mode)), ("period", .string(period)),
      ("periodCount", .int(count)), ("price", .int(price)),
    ])
    object["id"] = id.map { .string($0) }
    for (key, value) in also { object[key] = value }
    return .object(object)
  }

  private static let plus = JSONValue.members([
    ("productId", .string("plus")), ("type", .string("autoRenewable")),
    ("displayName", .string("Plus")), ("description", .string("")), ("price", .int(9990)),
    ("currency", .string("USD")), ("displayPrice", .string("9.99 USD")),
    ("familyShareable", .bool(false)), ("period", .string("P1M")),
    (
      "offers",
      .array([
        offer("introductory", nil, "freeTrial", "P1W"),
        offer("promotional", "half", "payAsYouGo", "P1M", count: 3, price: 4990),
        offer("promotional", "twice", "payUpFront", "P3M", price: 9990),
        offer(
          "code", "twice", "payUpFront", "P2M", price: 7990,
          also: [
            ("eligibility", .array([.string("new"), .string("expired")])),
            ("stackable", .bool(true)),
          ]),
        offer(
          "winBack", "return", "payAsYouGo", "P1M", price: 1990,
          also: [("eligible", .bool(false))]),
      ])
    ),
  ])

  private static func harness() throws -> Harness {
    try Harness([
      "Products": JSONValue.members([
        ("products", .array([plus])), ("unknown", .array([])),
        (
          "storefront",
          .members([
            ("country", .string("USA")), ("id", .string("143441")), ("currency", .string("USD")),
          ])
        ),
      ]).always,
      "Purchase": JSONValue.members([
        ("result", .string("success")), ("transaction", Samples.transaction(product: "plus")),
        ("sequence", .int(8)),
      ]).always,
      "Watch": { _ in
        let info = Samples.renewalInfo(
          product: "plus",
          also: [("renewalPrice", .int(4990)), ("offerIdentifier", .string("half"))])
        let event = Samples.event(8, "offerRedeemed", also: [("renewalInfo", info)])
        return [.reply(Samples.watched(event), continues: true)]
      },
    ])
  }

  @Test(
    "An offer is named by its id, by its kind and id, or as the introductory one",
    arguments: [
      ("half", #"{"type":"promotional","id":"half"}"#),
      ("return", #"{"type":"winBack","id":"return"}"#),
      ("promotional:half", #"{"type":"promotional","id":"half"}"#),
      ("code:twice", #"{"type":"code","id":"twice"}"#),
      ("win-back:any", #"{"type":"winBack","id":"any"}"#),
      ("intro", #"{"type":"introductory"}"#),
    ])
  func named(name: String, sent: String) throws {
    let harness = try Self.harness()
    defer { harness.server.stop() }
    let outcome = harness.run("buy", "u1", "plus", "--offer", name)
    #expect(outcome.status == 0)
    #expect(
      outcome.output
        == "u1 keeps plus until 2025-02-28T10:00:00Z and is to renew then with the offer half "
        + "for 4.99 USD, #8\n")
    let purchase = try #require(harness.server.calls.last { $0.method.hasSuffix("Purchase") })
    #expect(
      JSONValue.object(purchase.parameters).compactText
        == #"{"account":"u1","productId":"plus","offer":\#(sent)}"#)
  }

  @Test("An id that several offers have, or none, is not guessed; nothing is bought")
  func notGuessed() throws {
    let harness = try Self.harness()
    defer { harness.server.stop() }
    let several = harness.run("buy", "u1", "plus", "--offer", "twice")
    #expect(several.status == 4)
    #expect(several.errors.contains("plus has several offers called twice; say which"))
    #expect(several.errors.contains("--offer promotional:twice"))
    #expect(several.errors.contains("--offer code:twice"))
    let none = harness.run("buy", "u1", "plus", "--offer", "hlaf")
    #expect(none.status == 4)
    #expect(none.errors.contains("plus has no offer called hlaf; did you mean half?"))
    #expect(harness.run("buy", "u1", "plus", "--offer", "code:").status == 2)
    #expect(!harness.server.calls.contains { $0.method.hasSuffix("Purchase") })
  }

  @Test("products lists each offer with its terms and who may have it")
  func products() throws {
    let harness = try Self.harness()
    defer { harness.server.stop() }
    let lines = harness.run("products").lines
    #expect(
      lines.suffix(6) == [
        "OFFER              OF    TERMS                          FOR",
        "intro              plus  free for P1W                   who had none in the group",
        "promotional:half   plus  4.99 USD a period for 3 × P1M  who have or had a subscription",
        "promotional:twice  plus  9.99 USD up front for P3M      who have or had a subscription",
        "code:twice         plus  7.99 USD up front for P2M      new, expired subscribers, after "
          + "the introductory offer",
        "win-back:return    plus  1.99 USD a period for P1M      nobody: switched off",
      ])
  }
}
