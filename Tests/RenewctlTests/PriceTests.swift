import Client
import Testing

@testable import renewctl

/// Prices, sale and extensions, as `renewctl` says them.
@Suite("Prices and extensions", .timeLimit(.minutes(10)))
struct PriceTests {
  private static func last(_ harness: Harness) throws -> String {
    JSONValue.object(try #require(harness.server.calls.last?.parameters)).compactText
  }

  @Test("price announce names product and price, consent and decline an account")
  func prices() throws {
    let answer = JSONValue.members([
      ("transaction", Samples.transaction()), ("sequence", .int(9)),
    ])
    let harness = try Harness([
      "AnnouncePriceIncrease": JSONValue.members([
        ("subscriptions", .int(3)), ("sequence", .int(7)),
      ]).always,
      "ConsentToPriceIncrease": answer.always, "DeclinePriceIncrease": answer.always,
      "RemoveFromSale": JSONValue.members([("sequence", .int(8))]).always,
    ])
    defer { harness.server.stop() }
    let asked = harness.run("price", "announce", "pro.monthly", "12.99", "--consent")
    #expect(asked.output == "pro.monthly costs 12.99 from now on; 3 subscriptions asked, #7\n")
    #expect(
      try Self.last(harness) == #"{"productId":"pro.monthly","price":12990,"consent":true}"#)
    #expect(harness.run("price", "announce", "pro.monthly", "13").status == 0)
    #expect(
      try Self.last(harness) == #"{"productId":"pro.monthly","price":13000,"consent":false}"#)
    #expect(
      harness.run("price", "consent", "u1").output
        == "agreed: pro.monthly is to renew at the new price on 2025-02-28T10:00:00Z, #9\n")
    #expect(
      harness.run("price", "decline", "--subscription", "1").output
        == "not agreed: pro.monthly ends on 2025-02-28T10:00:00Z, #9\n")
    #expect(
      harness.run("remove-from-sale", "pro.monthly").output
        == "pro.monthly is not on sale any more, #8\n")
  }

  @Test(
    "What a person may type as a price",
    arguments: [
      ("12.99", Int64(12_990)), ("0", 0), ("900", 900_000), ("1.5", 1_500), ("1.234", 1_234),
    ])
  func amounts(text: String, milliunits: Int64) {
    #expect(Price.milliunits(text) == milliunits)
  }

  @Test(
    "What is no price, or no use of the verb, is status 2",
    arguments: [
      ["price", "announce", "p", "12,99"], ["price", "announce", "p", "-1"],
      ["price", "announce", "p", "1.2345"], ["price", "announce", "p", "."],
      ["price", "announce", "p", "1."], ["price", "announce", "p"], ["price", "raise", "p"],
      ["price", "consent"], ["price", "consent", "u1", "--consent"],
      ["extend", "u1", "1month"], ["extend", "10d"], ["extend", "u1", "10d", "--identifier", "x"],
      ["extend", "u1", "10d", "--all", "p"], ["extend", "u1", "ten"],
    ])
  func usage(words: [String]) throws {
    let harness = try Harness([:])
    defer { harness.server.stop() }
    #expect(Harness.run(words, ["RENEWD_SOCKET": harness.server.address.text]).status == 2)
    #expect(harness.server.calls.isEmpty)
  }

  @Test("extend takes an account and days, or a product with --all")
  func extensions() throws {
    let harness = try Harness([
      "Extend": JSONValue.members([
        ("transaction", Samples.transaction()), ("sequence", .int(9)),
      ]).always,
      "ExtendAll": JSONValue.members([
        ("requestIdentifier", .string("pro.monthly+10d")), ("productId", .string("pro.monthly")),
        ("succeeded", .int(2)), ("failed", .int(1)), ("sequence", .int(12)),
      ]).always,
    ])
    defer { harness.server.stop() }
    #expect(
      harness.run("extend", "u1", "10d").output
        == "extended pro.monthly by 10 days, until 2025-02-28T10:00:00Z, #9\n")
    #expect(try Self.last(harness) == #"{"account":"u1","days":10,"reason":0}"#)
    #expect(harness.run("extend", "--subscription", "1", "1", "--reason", "3").status == 0)
    #expect(
      try Self.last(harness) == #"{"originalTransactionId":"1","days":1,"reason":3}"#)
    let all = harness.run("extend", "--all", "pro.monthly", "10d", "--storefront", "USA")
    #expect(all.output == "pro.monthly+10d: 2 of pro.monthly extended, 1 could not be, #12\n")
    #expect(
      try Self.last(harness)
        == #"{"productId":"pro.monthly","days":10,"reason":0,"#
        + #""requestIdentifier":"pro.monthly+10d","storefronts":["USA"]}"#)
  }
}
