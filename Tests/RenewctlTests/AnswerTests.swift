import Client
import Testing

@testable import renewctl

@Suite("Answers", .timeLimit(.minutes(10)))
struct AnswerTests {
  @Test("status says in a sentence who is entitled by what, then a table, exit status 0")
  func entitled() throws {
    let harness = try Harness(["Status": Samples.status().always])
    defer { harness.server.stop() }
    let outcome = harness.run("status", "u1")
    #expect(outcome.status == 0)
    #expect(
      outcome.lines == [
        "u1 is entitled: pro.monthly is active until 2025-02-28T10:00:00Z, then it renews",
        "PRODUCT      STATUS  UNTIL                 RENEWS          PRICE  TRANSACTION",
        "pro.monthly  active  2025-02-28T10:00:00Z  pro.monthly  9.99 USD  2000000000000001",
        "as of 2025-01-31T10:00:00Z on clock default, #5",
      ])
  }

  @Test(
    "the sentence fits the state",
    arguments: [
      (2, false, "u1 is not entitled: pro.monthly expired on 2025-02-28T10:00:00Z (cancelled)"),
      (
        3, false,
        "u1 is not entitled: pro.monthly ended on 2025-02-28T10:00:00Z, the payment has "
          + "failed and is being retried"
      ),
      (
        4, true,
        "u1 is entitled: pro.monthly is in grace until 2025-03-16T10:00:00Z, the payment "
          + "has failed"
      ),
      (5, false, "u1 is not entitled: pro.monthly was taken back on 2025-02-01T10:00:00Z"),
    ] as [(Int64, Bool, String)])
  func sentences(status: Int64, entitled: Bool, sentence: String) throws {
    let info = Samples.renewalInfo(
      renews: false,
      also: [
        ("expirationIntent", .int(1)), ("gracePeriodExpiresDate", .int(1_742_119_200_000)),
      ])
    let transaction = Samples.transaction(
      also: status == 5 ? [("revocationDate", .int(1_738_404_000_000))] : [])
    let line = Samples.subscription(status: status, transaction: transaction, renewalInfo: info)
    let answer = Samples.status(subscriptions: [line], entitled: entitled)
    let harness = try Harness(["Status": answer.always])
    defer { harness.server.stop() }
    let outcome = harness.run("status", "u1")
    #expect(outcome.lines[0] == sentence)
    #expect(outcome.status == (entitled ? 0 : 1))
  }

  @Test("an account never seen is not entitled")
  func unseen() throws {
    let answer = Samples.status(subscriptions: [], entitled: false)
    let harness = try Harness(["Status": answer.always])
    defer { harness.server.stop() }
    let outcome = harness.run("status", "nobody")
    #expect(outcome.status == 1)
    #expect(outcome.lines.count == 2)
    #expect(outcome.lines[0].hasSuffix("no subscription and no lasting purchase"))
  }

  @Test("the daemon's clock decides, and what was or will be is marked so")
  func time() throws {
    let harness = try Harness([
      "Status": { call in
        let at = call.parameters["at"]?.int64Value
        let time = Timestamp(milliseconds: at ?? Samples.january.milliseconds)
        let basis = at.map { $0 > Samples.january.milliseconds ? "forecast" : "past" }
        let isEntitled = time < Samples.february
        return [
          .reply(Samples.status(entitled: isEntitled, basis: basis ?? "present", asOf: time))
        ]
      }
    ])
    defer { harness.server.stop() }
    // No time of this machine's own goes with the call; how it will go on is asked behind it.
    #expect(harness.run("status", "u1").status == 0)
    #expect(
      harness.server.calls.map { $0.parameters["at"]?.int64Value }
        == [nil, Samples.february.milliseconds])
    let last = harness.run("status", "u1", "--at", "2025-02-28T09:59:59.999Z")
    #expect(last.status == 0)
    #expect(last.lines[0].hasPrefix("u1 will be entitled at 2025-02-28T09:59:59.999Z if nothing "))
    let end = harness.run("status", "u1", "--at", "2025-02-28T10:00:00Z")
    #expect(end.status == 1)
    #expect(end.lines[0].hasPrefix("u1 will not be entitled at 2025-02-28T10:00:00Z if nothing"))
    let before = harness.run("status", "u1", "--at", "2025-01-01")
    #expect(before.lines[0].hasPrefix("u1 was entitled at 2025-01-01T00:00:00Z: "))
  }

  @Test("--json prints exactly the reply's parameters, and keeps the exit status")
  func json() throws {
    var answer = Samples.status(entitled: false).objectValue!
    answer["fieldOfTomorrow"] = .number(JSONNumber(raw: "1.50e2")!)
    let text = JSONValue.object(answer)
    let harness = try Harness(["Status": text.always])
    defer { harness.server.stop() }
    let outcome = harness.run("status", "u1", "--json")
    #expect(outcome.output == text.compactText + "\n")
    #expect(outcome.status == 1)
  }

  @Test("a name is taken for a product first, then for an entitlement")
  func names() throws {
    let harness = try Harness([
      "Status": { call in
        guard let product = call.parameters["productId"] else {
          return call.parameters["entitlement"] == .string("pro") || call.parameters["at"] != nil
            ? [.reply(Samples.status())]
            : [
              .error(
                "org.renewd.InvalidParameter",
                .members([("parameter", .string("entitlement")), ("reason", .string("unknown"))]))
            ]
        }
        return [
          .error(
            "org.renewd.ProductNotFound",
            .members([("productId", product), ("nearest", .array([.string("pro.monthly")]))]))
        ]
      }
    ])
    defer { harness.server.stop() }
    let entitled = harness.run("status", "u1", "pro")
    #expect(entitled.status == 0)
    #expect(entitled.lines[0].hasPrefix("u1 is entitled to pro: pro.monthly is active"))
    let unknown = harness.run("status", "u1", "pro.montly")
    #expect(unknown.status == 3)
    #expect(unknown.errors.contains("did you mean pro.monthly?"))
    let json = harness.run("status", "u1", "pro.montly", "--json")
    #expect(
      json.errors == #"{"error":"org.renewd.ProductNotFound","parameters":{"productId":"#
        + #""pro.montly","nearest":["pro.monthly"]}}"# + "\n")
  }

  @Test("check prints a line and exits 0 or 1")
  func check() throws {
    let harness = try Harness([
      "Check": { [.reply(Samples.check(entitled: $0.parameters["account"] == .string("u1")))] }
    ])
    defer { harness.server.stop() }
    #expect(harness.run("check", "u1").output == "entitled until 2025-02-28T10:00:00Z (active)\n")
    let no = harness.run("check", "u2")
    #expect(no.output == "not entitled (expired)\n")
    #expect(no.status == 1)
  }

  @Test(
    "each refusal has its exit status",
    arguments: [
      ("PermissionDenied", 77), ("InvalidParameter", 2), ("ProductNotFound", 3),
      ("TransactionNotFound", 3), ("ClockNotFound", 3), ("SubscriptionNotFound", 3),
      ("AlreadySubscribed", 4), ("IneligibleForOffer", 4), ("InvalidQuantity", 2),
      ("InvalidTime", 2), ("NotPossible", 4), ("Ambiguous", 4), ("RequestIdReused", 4),
      ("ClockBusy", 75), ("ClockBehind", 4), ("ClockMismatch", 4), ("ConnectionBusy", 75),
      ("CursorAhead", 4), ("ForecastTooFar", 4), ("NotInThisRole", 4), ("NoTrustRoot", 4),
      ("VerificationFailed", 4), ("DiskFull", 75), ("LogFailed", 74), ("LimitReached", 75),
      ("CatalogueInvalid", 78), ("NobodyKnows", 70),
    ] as [(String, Int32)])
  func exits(name: String, status: Int32) throws {
    let harness = try Harness(["Purchase": { _ in [.error("org.renewd.\(name)")] }])
    defer { harness.server.stop() }
    #expect(harness.run("buy", "u1", "pro.monthly").status == status)
  }

  @Test("history lists transactions over all pages")
  func history() throws {
    let harness = try Harness([
      "History": { call in
        let isFirst = call.parameters["from"] == nil
        let transaction =
          isFirst
          ? Samples.transaction()
          : Samples.transaction(id: "2000000000000002", purchased: Samples.february)
        var page = JSONObject([("transactions", .array([transaction]))])
        page["next"] = isFirst ? .string("2000000000000002") : nil
        return [.reply(.object(page))]
      }
    ])
    defer { harness.server.stop() }
    let outcome = harness.run("history", "u1")
    #expect(outcome.lines.count == 3)
    #expect(outcome.lines[1].hasPrefix("2025-01-31T10:00:00Z  2025-02-28T10:00:00Z  pro.monthly"))
    #expect(outcome.lines[1].contains("9.99 USD  purchase"))
    #expect(outcome.lines[2].contains("renewal"))
    let json = harness.run("history", "u1", "--json")
    #expect(json.lines.count == 1)
    let whole = try JSONValue.parse(Array(json.lines[0].utf8), depthMax: 16)
    #expect(whole["transactions"]?.arrayValue?.count == 2)
    #expect(whole["next"] == nil)
    let lines = harness.run("history", "u1", "--jsonl").lines
    #expect(lines.count == 2)
    #expect(lines.allSatisfy { $0.hasPrefix(#"{"transactionId":"#) })
  }
}
