import Client
import Testing

@testable import renewctl

/// Billing trouble and changes of plan, as `renewctl` says them.
@Suite("Billing and plans", .timeLimit(.minutes(10)))
struct BillingTests {
  private static let march = Timestamp(milliseconds: 1_742_119_200_000)
  private static let april = Timestamp(milliseconds: 1_745_920_800_000)

  private static func text(_ parameters: JSONObject) -> String {
    JSONValue.object(parameters).compactText
  }

  @Test("billing fail and ok set how charges end, billing resolve pays")
  func billing() throws {
    let paid = Samples.transaction(id: "2", purchased: Samples.february, expires: Self.march)
    let harness = try Harness([
      "SetBilling": JSONValue.members([("sequence", .int(7))]).always,
      "ResolveBilling": JSONValue.members([("transaction", paid), ("sequence", .int(9))]).always,
    ])
    defer { harness.server.stop() }
    let failing = harness.run("billing", "fail", "u1", "--request-id", "r1")
    #expect(failing.output == "the payments of u1's renewals fail from now on, #7\n")
    #expect(
      Self.text(try #require(harness.server.calls.last?.parameters))
        == #"{"account":"u1","outcome":"fail","requestId":"r1"}"#)
    let ok = harness.run("billing", "ok", "u1")
    #expect(ok.output == "the payments of u1's renewals succeed from now on, #7\n")
    #expect(
      Self.text(try #require(harness.server.calls.last?.parameters))
        == #"{"account":"u1","outcome":"succeed"}"#)
    let resolved = harness.run("billing", "resolve", "u1")
    #expect(
      resolved.output == "paid 9.99 USD for pro.monthly, until 2025-03-16T10:00:00Z; "
        + "transaction 2, #9\n")
    #expect(
      Self.text(try #require(harness.server.calls.last?.parameters)) == #"{"account":"u1"}"#)
    #expect(harness.run("billing", "resolve", "--subscription", "1").status == 0)
    #expect(
      Self.text(try #require(harness.server.calls.last?.parameters))
        == #"{"originalTransactionId":"1"}"#)
    #expect(harness.run("billing", "fail", "u1", "--json").output == #"{"sequence":7}"# + "\n")
  }

  @Test("billing's help has an example and says how to have a grace period")
  func help() {
    let help = Harness.run(helpOf: "billing").output
    #expect(help.contains("example:\n  renewctl billing fail u1"))
    #expect(help.contains("--policy billingGracePeriod=16d"))
  }

  /// How the reply and the event of a purchase are told: the product wanted, the reply's
  /// transaction, the event's kind and what it says of the next renewal, and the sentence.
  private static let purchases: [(String, JSONValue, JSONValue, String)] = [
    (
      "pro.yearly",
      Samples.transaction(id: "2", product: "pro.yearly", expires: april),
      Samples.event(8, "upgraded"),
      "u1 changed to pro.yearly at once for 9.99 USD, until 2025-04-29T10:00:00Z; "
        + "transaction 2, #8\n"
    ),
    (
      "basic.monthly", Samples.transaction(),
      Samples.event(
        8, "planChangeScheduled",
        also: [("renewalInfo", Samples.renewalInfo(product: "basic.monthly"))]),
      "u1 keeps pro.monthly until 2025-02-28T10:00:00Z and is to change to basic.monthly "
        + "for 9.99 USD on 2025-02-28T10:00:00Z, #8\n"
    ),
    (
      "pro.monthly", Samples.transaction(),
      Samples.event(8, "planChangeScheduled", also: [("renewalInfo", Samples.renewalInfo())]),
      "u1 stays with pro.monthly, which is to renew on 2025-02-28T10:00:00Z, #8\n"
    ),
    (
      "pro.monthly", Samples.transaction(),
      Samples.event(8, "autoRenewChanged", also: [("renewalInfo", Samples.renewalInfo())]),
      "u1 has pro.monthly until 2025-02-28T10:00:00Z, and its renewal is on again, #8\n"
    ),
    (
      "basic.monthly", Samples.transaction(), Samples.event(8, "finished"),
      "u1 has pro.monthly until 2025-02-28T10:00:00Z and is to change to basic.monthly "
        + "then, as chosen before, #8\n"
    ),
  ]

  @Test("buy tells what became of a change of plan", arguments: purchases.indices)
  func plans(_ index: Int) throws {
    let (product, transaction, event, sentence) = Self.purchases[index]
    let answer = JSONValue.members([
      ("result", .string("success")), ("transaction", transaction), ("sequence", .int(8)),
    ])
    let harness = try Harness([
      "Purchase": answer.always,
      "Watch": { _ in [.reply(Samples.watched(event), continues: true)] },
    ])
    defer { harness.server.stop() }
    #expect(harness.run("buy", "u1", product).output == sentence)
    let asked = try #require(harness.server.calls.last?.parameters)
    #expect(Self.text(asked) == #"{"account":"u1","since":7}"#)
    // Programs get the reply alone.
    #expect(harness.run("buy", "u1", product, "--json").output == answer.compactText + "\n")
  }

  @Test(
    "a payment that is to be tried again with success is said with its time",
    arguments: [(4, true), (3, false)] as [(Int64, Bool)])
  func chargedAgain(status: Int64, isEntitled: Bool) throws {
    let owing = Samples.status(
      subscriptions: [Samples.subscription(status: status)], entitled: isEntitled)
    let paid = Samples.status(
      subscriptions: [
        Samples.subscription(transaction: Samples.transaction(id: "2"))
      ], basis: "forecast")
    let harness = try Harness([
      "Status": { call in
        guard let at = call.parameters["at"]?.int64Value else { return [.reply(owing)] }
        return [.reply(at == Samples.february.milliseconds ? paid : owing)]
      }
    ])
    defer { harness.server.stop() }
    let sentence = try #require(harness.run("status", "u1").lines.first)
    #expect(
      sentence.hasSuffix(
        "the payment has failed and is to be charged again on 2025-02-28T10:00:00Z"))
  }

  @Test("status shows how long a payment is retried, the grace that was, and the plan to come")
  func status() throws {
    var retried = try #require(Samples.subscription(status: 3).objectValue)
    retried["nextDue"] = .int(Self.april.milliseconds)
    retried["lastGraceStart"] = .int(Samples.february.milliseconds)
    retried["lastGraceEnd"] = .int(Self.march.milliseconds)
    var changing = try #require(
      Samples.subscription(
        id: "9", renewalInfo: Samples.renewalInfo(product: "basic.monthly")
      ).objectValue)
    changing["lastGraceStart"] = .int(Samples.january.milliseconds)
    changing["lastGraceEnd"] = .int(Samples.january.milliseconds)
    let harness = try Harness([
      "Status": Samples.status(
        subscriptions: [.object(retried), .object(changing)], entitled: true
      ).always
    ])
    defer { harness.server.stop() }
    let lines = harness.run("status", "u1").lines
    #expect(lines[0].hasSuffix("until 2025-02-28T10:00:00Z, then it becomes basic.monthly"))
    #expect(
      lines[1].split(separator: "  ").map { $0.trimmingSpaces } == [
        "PRODUCT", "STATUS", "UNTIL", "RETRIED UNTIL", "GRACE ENDED", "RENEWS", "PRICE",
        "TRANSACTION",
      ])
    #expect(
      lines[2].split(separator: "  ").map { $0.trimmingSpaces } == [
        "pro.monthly", "in billing retry", "2025-03-16T10:00:00Z", "2025-04-29T10:00:00Z",
        "-", "pro.monthly", "9.99 USD",
        "2000000000000001",
      ])
    #expect(lines[3].contains("  2025-01-31T10:00:00Z  basic.monthly  "))
  }

  @Test("history marks what an upgrade replaced")
  func replaced() throws {
    let old = Samples.transaction(also: [("isUpgraded", .bool(true))])
    let harness = try Harness([
      "History": JSONValue.members([
        ("transactions", .array([old, Samples.transaction(id: "2", product: "pro.yearly")]))
      ]).always
    ])
    defer { harness.server.stop() }
    let lines = harness.run("history", "u1").lines
    #expect(lines[0].contains("REPLACED"))
    #expect(lines[1].contains("by an upgrade"))
    #expect(!lines[2].contains("by an upgrade"))
  }

  /// A timeline of these events, whose account stands as told.
  private static func timeline(
    _ events: [JSONValue], _ subscription: JSONValue, asOf: Timestamp,
    coming: [JSONValue] = [], columns: Int = 100, environment: [String: String] = [:]
  ) throws -> [String] {
    let last = events.last!["sequence"]!.int64Value!
    let harness = try Harness([
      "Status": Samples.status(subscriptions: [subscription], asOf: asOf).always,
      "Explain": JSONValue.members([
        (
          "lines",
          .array(
            events.map {
              .members([("sequence", $0["sequence"]!), ("at", $0["at"]!), ("text", .string("x"))])
            })
        )
      ]).always,
      "Watch": { call in
        guard call.parameters["since"] != nil else {
          return [.reply(.members([("sequence", .int(last))]), continues: true)]
        }
        return events.map { .reply(Samples.watched($0), continues: true) }
      },
      "History": JSONValue.members([("transactions", .array(coming))]).always,
    ])
    defer { harness.server.stop() }
    return harness.run(
      "timeline", "u1", "--until", "2026-01-01", environment: environment, columns: columns
    ).lines
  }

  private static let bought = Samples.event(
    5, "purchased", also: [("transaction", Samples.transaction())])
  private static let failed = Samples.event(
    6, "renewalFailed", at: Samples.february,
    also: [
      ("statusAfter", .int(4)),
      (
        "renewalInfo",
        Samples.renewalInfo(also: [("gracePeriodExpiresDate", .int(march.milliseconds))])
      ),
    ])

  private static func count(_ symbol: Character, _ line: String?) -> Int {
    (line ?? "").count { $0 == symbol }
  }

  @Test("a timeline has bars for grace and retry, each up to where it ended")
  func trouble() throws {
    let ended = Samples.event(7, "graceEnded", at: Self.march, also: [("statusAfter", .int(3))])
    let paid = Samples.event(
      8, "recovered", at: Self.april,
      also: [
        (
          "transaction",
          Samples.transaction(
            id: "2", purchased: Self.april,
            expires: Timestamp(milliseconds: Self.april.milliseconds + 2_592_000_000))
        )
      ])
    let lines = try Self.timeline(
      [Self.bought, Self.failed, ended, paid], Samples.subscription(), asOf: Self.april)
    let grace = lines.first { $0.contains("payment of pro.monthly failed, in grace") }
    let retry = lines.first { $0.contains("grace ended, payment retried") }
    let recovered = lines.first { $0.contains("paid in the end: pro.monthly") }
    // Sixteen days of grace, forty-four of retry, thirty that were paid.
    #expect(Self.count("▒", grace) > 2)
    #expect(Self.count("░", retry) >= 2 * Self.count("▒", grace))
    #expect(Self.count("█", recovered) > Self.count("▒", grace))
    #expect(recovered?.contains("9.99 USD") == true)
    #expect(lines.last == "█ paid   ▒ grace   ░ retry")
  }

  @Test("grace that a payment ended is drawn up to the payment, and what is open says what ends it")
  func open() throws {
    let early = Timestamp(milliseconds: Samples.february.milliseconds + 86_400_000)
    let paid = Samples.event(
      7, "recovered", at: early,
      also: [
        (
          "transaction",
          Samples.transaction(id: "2", purchased: Samples.february, expires: Self.april)
        )
      ])
    let cut = try Self.timeline(
      [Self.bought, Self.failed, paid], Samples.subscription(), asOf: early)
    #expect(Self.count("▒", cut.first { $0.contains("in grace") }) == 1)
    var line = try #require(Samples.subscription(status: 4).objectValue)
    line["nextDue"] = .int(Self.march.milliseconds)
    let open = try Self.timeline(
      [Self.bought, Self.failed], .object(line), asOf: Samples.february)
    #expect(
      open.contains {
        $0.hasPrefix("2025-03-16T10:00:00Z  grace will end unless paid: pro.monthly")
      })
    line["status"] = .int(3)
    let retried = try Self.timeline(
      [Self.bought, Self.failed], .object(line), asOf: Self.march)
    #expect(
      retried.contains {
        $0.hasPrefix("2025-03-16T10:00:00Z  will expire unless paid: pro.monthly")
      })
  }

  @Test("an upgrade is marked, the period it replaced ends there, and a change to come is told")
  func upgrade() throws {
    let middle = Timestamp(milliseconds: Samples.january.milliseconds + 864_000_000)
    let yearly = Samples.transaction(
      id: "2", product: "pro.yearly", purchased: middle, expires: Self.march)
    let change = Samples.event(
      7, "planChangeScheduled", at: middle,
      also: [
        ("transaction", yearly), ("renewalInfo", Samples.renewalInfo(product: "basic.monthly")),
      ])
    let events = [
      Self.bought, Samples.event(6, "upgraded", at: middle, also: [("transaction", yearly)]),
      change,
    ]
    let coming = [
      Samples.transaction(
        id: "3", product: "basic.monthly", purchased: Self.march, expires: Self.april,
        forecast: true),
      Samples.transaction(
        id: "4", product: "basic.monthly", purchased: Self.april, expires: Self.april,
        forecast: true),
    ]
    let line = Samples.subscription(transaction: yearly)
    let lines = try Self.timeline(events, line, asOf: middle, coming: coming)
    let upgraded = try #require(lines.first { $0.contains("upgraded to pro.yearly") })
    #expect(Self.count("▲", upgraded) == 1)
    #expect(Self.count("█", upgraded) > Self.count("█", lines.first { $0.contains("bought") }))
    #expect(
      lines.contains {
        $0.contains("chose basic.monthly for the next renewal") && $0.hasSuffix("#7")
      })
    #expect(
      lines.contains { $0.hasPrefix("2025-03-16T10:00:00Z  will change to basic.monthly") })
    #expect(lines.contains { $0.hasPrefix("2025-04-29T10:00:00Z  will renew basic.monthly") })
    #expect(lines.last?.hasSuffix("▲ upgrade") == true)
    let ascii = try Self.timeline(
      events, line, asOf: middle, coming: coming, environment: ["LANG": "C"])
    #expect(ascii.allSatisfy { $0.utf8.allSatisfy { $0 < 0x80 } })
    #expect(ascii.contains { $0.contains("^=") })
  }
}

extension Substring {
  fileprivate var trimmingSpaces: String {
    var text = self
    while text.first == " " { text.removeFirst() }
    while text.last == " " { text.removeLast() }
    return String(text)
  }
}
