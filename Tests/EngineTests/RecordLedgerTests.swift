import JSON
import Simulation
import Subscriptions
import Testing

/// A record's ledger: what the signed transactions say was paid, and no more.
@Suite("What a record's account paid")
struct RecordLedgerTests {
  private let record: TestDaemon

  init() throws {
    record = try TestDaemon { options in
      options.role = .record
      options.signing = SimulatedSigner.signing(root: 2, trusting: [1])
    }
  }

  private func submit(_ texts: String..., account: String = "u1") throws {
    for text in texts {
      try record.call("Store.Submit", #"{"signed":"\#(text)","account":"\#(account)"}"#)
    }
  }

  /// A signed transaction of a period of a month, other values in `changes`.
  private func period(
    _ id: Int, of original: Int = 7001, from: Int64 = january, signed: Int64 = january,
    without: [String] = [], _ changes: [(String, JSONValue)] = []
  ) -> String {
    var members: [(String, JSONValue)] = [
      ("transactionId", .string("\(id)")), ("originalTransactionId", .string("\(original)")),
      ("webOrderLineItemId", .string("\(id)9")), ("bundleId", .string("com.example.app")),
      ("productId", .string("apple.monthly")), ("subscriptionGroupIdentifier", .string("AG")),
      ("purchaseDate", .int(from)), ("originalPurchaseDate", .int(january)),
      ("expiresDate", .int(from + 31 * day)), ("quantity", .int(1)),
      ("type", .string("Auto-Renewable Subscription")),
      ("inAppOwnershipType", .string("PURCHASED")), ("signedDate", .int(signed)),
      ("environment", .string("Sandbox")), ("storefront", .string("USA")),
      ("transactionReason", .string("PURCHASE")), ("price", .int(9_990)),
      ("currency", .string("USD")),
    ]
    members.removeAll { without.contains($0.0) || changes.map(\.0).contains($0.0) }
    let text = JSONValue.object(JSONObject(members + changes)).compactText
    return String(decoding: SimulatedSigner(root: 1).sign(Array(text.utf8)), as: UTF8.self)
  }

  private func ledger(_ account: String = "u1", _ more: String = "") throws -> [String] {
    let reply = try record.call("Membership.Ledger", #"{"account":"\#(account)"\#(more)}"#)
    return reply.list("entries").map { entry in
      let amount = entry["amount"]?.int64Value.map(String.init) ?? "?"
      let balance = entry["balance"]?.int64Value.map(String.init) ?? "?"
      let currency = entry["currency"]?.stringValue ?? ""
      let days = ((entry["at"]?.int64Value ?? 0) - january) / day
      return "day \(days) \(entry["kind"]?.stringValue ?? "") \(amount) \(currency)"
        + " T\(entry["transactionId"]?.stringValue ?? "") = \(balance)"
    }
  }

  private func refund(_ days: Int64, _ percentage: Int64?) -> [(String, JSONValue)] {
    var members: [(String, JSONValue)] = [
      ("revocationDate", .int(january + days * day)), ("revocationReason", .int(0)),
    ]
    if let percentage {
      members.append(("revocationType", .string("REFUND_PRORATED")))
      members.append(("revocationPercentage", .int(percentage)))
    }
    return members
  }

  @Test("charges, a refund in part and its reversal, to the milliunit, in any order of arrival")
  func money() throws {
    let facts = [
      period(7001), period(7002, from: january + 31 * day, signed: january + 31 * day),
      period(7001, signed: january + 40 * day, refund(39, 33_333)),
      period(7001, signed: january + 50 * day),
    ]
    for order in [[0, 1, 2, 3], [3, 2, 1, 0], [2, 0, 3, 1]] {
      let other = try RecordLedgerTests()
      for index in order { try other.submit(facts[index]) }
      #expect(
        try other.ledger() == [
          "day 0 charge 9990 USD T7001 = 9990", "day 31 charge 9990 USD T7002 = 19980",
          "day 39 refund -3329 USD T7001 = 16651", "day 50 reversal 3329 USD T7001 = 19980",
        ], "\(order)")
    }
  }

  @Test("each currency has its balance, and a refund without a share is of the whole")
  func currencies() throws {
    try submit(
      period(7001),
      period(8001, of: 8001, [("price", .int(900_000)), ("currency", .string("JPY"))]),
      period(
        8001, of: 8001, signed: january + day,
        [("price", .int(900_000)), ("currency", .string("JPY"))] + refund(1, nil)))
    #expect(
      try ledger() == [
        "day 0 charge 9990 USD T7001 = 9990", "day 0 charge 900000 JPY T8001 = 900000",
        "day 1 refund -900000 JPY T8001 = 0",
      ])
  }

  @Test("B100: a price that was not told is not 0 and in no balance, and the answer counts it")
  func unknown() throws {
    try submit(
      period(7001, without: ["price", "currency"]),
      period(7002, from: january + 31 * day, signed: january + 31 * day))
    #expect(
      try ledger() == ["day 0 charge ?  T7001 = ?", "day 31 charge 9990 USD T7002 = 9990"])
    let reply = try record.call("Membership.Ledger", #"{"account":"u1"}"#)
    #expect(reply.int("untold") == 1)
    // An older version may have told it.
    try submit(period(7001, signed: january - day))
    #expect(try ledger().first == "day 0 charge 9990 USD T7001 = 9990")
    #expect(try record.call("Membership.Ledger", #"{"account":"u1"}"#).int("untold") == nil)
  }

  @Test("what an upgrade gave back is in no signed transaction, so it is not known")
  func upgrade() throws {
    try submit(
      period(7001, signed: january + 10 * day, [("isUpgraded", .bool(true))]),
      period(7002, from: january + 10 * day, signed: january + 10 * day, [("price", .int(19_990))]))
    #expect(
      try ledger() == [
        "day 0 charge 9990 USD T7001 = 9990", "day 10 proration ?  T7001 = ?",
        "day 10 charge 19990 USD T7002 = 29980",
      ])
  }

  @Test("a shared period costs its member nothing, and what moves away was another's money")
  func others() throws {
    try submit(period(7001, [("inAppOwnershipType", .string("FAMILY_SHARED"))]))
    try submit(period(8001, of: 8001))
    #expect(try ledger() == ["day 0 charge 9990 USD T8001 = 9990"])
    try submit(period(8001, of: 8001, signed: january + day), account: "u2")
    #expect(try ledger().isEmpty)
    #expect(try ledger("u2") == ["day 0 charge 9990 USD T8001 = 9990"])
    try record.advance(to: january + 2 * day)
    #expect(try ledger("u2", #","until":\#(january - day)"#).isEmpty)
  }
}
