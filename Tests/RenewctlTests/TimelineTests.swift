import Client
import Testing

@testable import renewctl

@Suite("Timeline", .timeLimit(.minutes(10)))
struct TimelineTests {
  /// A purchase, a renewal, a refund of it; and one forecast renewal.
  private static func story(
    events: [JSONValue], ledger: [JSONValue] = [entry(7, "refund", -9990)]
  ) throws -> Harness {
    let last = events.last!["sequence"]!.int64Value!
    return try Harness([
      "Status": Samples.status(asOf: Samples.february, sequence: 99).always,
      "Explain": JSONValue.members([
        (
          "lines",
          .array(
            [events.first!, events[1]].map {
              .members([("sequence", $0["sequence"]!), ("at", $0["at"]!), ("text", .string("x"))])
            })
        )
      ]).always,
      "Watch": { call in
        guard let since = call.parameters["since"]?.int64Value else {
          let present = JSONValue.members([
            ("sequence", .int(last)), ("subscription", Samples.subscription()),
          ])
          return [
            .reply(present, continues: true),
            .reply(.members([("sequence", .int(last + 90))]), continues: true),
          ]
        }
        // Heartbeats and the events of later need not be waited for.
        return events.filter { $0["sequence"]!.int64Value! > since }
          .map { .reply(Samples.watched($0), continues: true) }
          + [.reply(.members([("sequence", .int(last + 90))]), continues: true)]
      },
      "Ledger": { call in
        // A page of one entry each.
        let from = Int(call.parameters["from"]?.int64Value ?? 0)
        var page = [("entries", JSONValue.array(ledger.dropFirst(from).prefix(1).map { $0 }))]
        if from + 1 < ledger.count { page.append(("next", .int(Int64(from + 1)))) }
        return [.reply(.members(page))]
      },
      "History": JSONValue.members([
        (
          "transactions",
          .array([
            Samples.transaction(),
            Samples.transaction(
              id: "3", purchased: march, expires: april, forecast: true),
          ])
        )
      ]).always,
    ])
  }

  private static func entry(
    _ sequence: Int64, _ kind: String, _ amount: Int64, of product: String = "pro.monthly"
  ) -> JSONValue {
    .members([
      ("sequence", .int(sequence)), ("at", .int(Samples.february.milliseconds)),
      ("kind", .string(kind)), ("amount", .int(amount)), ("currency", .string("USD")),
      ("productId", .string(product)), ("transactionId", .string("1")), ("balance", .int(0)),
      ("forecast", .bool(false)),
    ])
  }

  private static let march = Timestamp(milliseconds: 1_743_415_200_000)
  private static let april = Timestamp(milliseconds: 1_746_007_200_000)
  private static let events = [
    Samples.event(2, "accountOpened"),
    Samples.event(5, "purchased", also: [("transaction", Samples.transaction())]),
    Samples.event(
      6, "renewed", at: Samples.february,
      also: [("transaction", Samples.transaction(purchased: Samples.february, expires: march))]),
    Samples.event(
      7, "refunded", at: Samples.february,
      also: [("transaction", Samples.transaction(purchased: Samples.february, expires: march))]),
  ]

  @Test("a line per event with date, what happened, price, bar and number; forecast dotted")
  func drawing() throws {
    let harness = try Self.story(events: Self.events)
    defer { harness.server.stop() }
    let outcome = harness.run("timeline", "u1", "--until", "2025-05-01", columns: 92)
    #expect(outcome.status == 0)
    #expect(
      outcome.output == """
        u1 is entitled: pro.monthly is active until 2025-02-28T10:00:00Z, then it renews

                                                                          2025-01-31  2025-04-30
        2025-01-31T10:00:00Z  account opened on clock default                                     #2
        2025-01-31T10:00:00Z  bought pro.monthly                9.99 USD  ███████                 #5
        2025-02-28T10:00:00Z  renewed pro.monthly               9.99 USD         ████████         #6
        2025-02-28T10:00:00Z  refunded pro.monthly             -9.99 USD         ××××××××         #7
        2025-03-31T10:00:00Z  will renew pro.monthly            9.99 USD                 ·······

        █ paid   × refunded   · if nothing else happens

        """)
  }

  @Test("a restore is a line of its own, without a price and without a bar")
  func restored() throws {
    let again = Samples.transaction(
      id: "9", purchased: Samples.february, expires: Self.march, also: [("restored", .bool(true))])
    let harness = try Self.story(
      events: Self.events.dropLast() + [
        Samples.event(7, "restored", at: Samples.february, also: [("transaction", again)])
      ], ledger: [Self.entry(5, "charge", 9990), Self.entry(6, "charge", 9990)])
    defer { harness.server.stop() }
    let lines = harness.run("timeline", "u1", columns: 92).lines
    let line = try #require(lines.first { $0.contains("restored") })
    #expect(
      line.split(separator: " ") == ["2025-02-28T10:00:00Z", "restored", "pro.monthly", "#7"])
  }

  @Test("a refund that is reversed shows its month as paid again")
  func reversed() throws {
    let harness = try Self.story(
      events: Self.events + [
        Samples.event(
          8, "refundReversed", at: Samples.february,
          also: [
            ("transaction", Samples.transaction(purchased: Samples.february, expires: Self.march))
          ])
      ],
      ledger: [Self.entry(7, "refund", -9990), Self.entry(8, "reversal", 9990)])
    defer { harness.server.stop() }
    let lines = harness.run("timeline", "u1", "--until", "2025-05-01", columns: 92).lines
    let reversal = try #require(lines.first { $0.hasSuffix("#8") })
    #expect(reversal.contains(" 9.99 USD "))
    #expect(reversal.contains("███████"))
    #expect(!reversal.contains("×"))
  }

  @Test("an upgrade says what it gave back, and a refund gives back what that had left")
  func moneyOfAnUpgrade() throws {
    let period = Samples.transaction(purchased: Samples.february, expires: Self.march)
    let old = [("transaction", period)]
    let harness = try Self.story(
      events: [
        Samples.event(5, "purchased", also: [("transaction", Samples.transaction())]),
        Samples.event(6, "upgraded", at: Samples.february, also: old),
        Samples.event(7, "refunded", at: Samples.february, also: old),
        Samples.event(8, "refundReversed", at: Samples.february, also: old),
      ],
      ledger: [
        Self.entry(5, "charge", 4990), Self.entry(6, "proration", -3380, of: "silver"),
        Self.entry(6, "charge", 9990), Self.entry(7, "refund", -1610),
        Self.entry(8, "reversal", 1610),
      ])
    defer { harness.server.stop() }
    let lines = harness.run("timeline", "u1", columns: 140).lines
    func line(_ words: String) -> String { lines.first { $0.contains(words) } ?? "" }
    #expect(line("upgraded to").contains("upgraded to pro.monthly, 3.38 USD of silver given back"))
    #expect(line("upgraded to").contains("  9.99 USD  "))
    #expect(line("refunded").contains("  -1.61 USD  "))
    #expect(line("taken back").contains("   1.61 USD"))
  }

  @Test("where characters are ASCII, so are the bars")
  func ascii() throws {
    let harness = try Self.story(events: Self.events)
    defer { harness.server.stop() }
    let outcome = harness.run("timeline", "u1", environment: ["LANG": "C"])
    #expect(outcome.output.utf8.allSatisfy { $0 < 0x80 })
    #expect(outcome.output.contains("===="))
  }

  @Test("colours only on a terminal, and none where NO_COLOR is set")
  func colors() throws {
    let harness = try Self.story(events: Self.events)
    defer { harness.server.stop() }
    #expect(!harness.run("timeline", "u1").output.contains("\u{1B}"))
    #expect(harness.run("timeline", "u1", isTerminal: true).output.contains("\u{1B}[32m"))
    let without = harness.run(
      "timeline", "u1", environment: ["NO_COLOR": "1"], isTerminal: true)
    #expect(!without.output.contains("\u{1B}"))
  }

  @Test("a long run of renewals becomes one line, and --all shows each")
  func folding() throws {
    let renewals = (6...105).map { (number: Int64) -> JSONValue in
      let start = Timestamp(milliseconds: Samples.january.milliseconds + number * 604_800_000)
      let end = Timestamp(milliseconds: start.milliseconds + 604_800_000)
      return Samples.event(
        number, "renewed", at: start,
        also: [("transaction", Samples.transaction(purchased: start, expires: end))])
    }
    let harness = try Self.story(events: [Self.events[1]] + renewals)
    defer { harness.server.stop() }
    let folded = harness.run("timeline", "u1")
    #expect(folded.lines.count < 12)
    #expect(folded.output.contains("… 98 renewals"))
    #expect(folded.output.contains("#7 to #104"))
    #expect(harness.run("timeline", "u1", "--all").lines.count > 100)
  }

  @Test("a period that was cut short is drawn up to there")
  func cut() throws {
    let middle = Timestamp(milliseconds: 1_742_119_200_000)
    let harness = try Self.story(
      events: Self.events.dropLast() + [Samples.event(7, "expired", at: middle)])
    defer { harness.server.stop() }
    let lines = harness.run("timeline", "u1", "--until", "2025-02-01").lines
    func columns(_ line: String) -> Int { line.count { $0 == "█" } }
    let bought = lines.first { $0.contains("bought") }.map(columns) ?? 0
    let renewed = lines.first { $0.contains("renewed") }.map(columns) ?? 0
    #expect(bought > 0)
    #expect(renewed > 0)
    #expect(renewed < bought)
  }

  @Test("--json prints events and forecast as the daemon wrote them")
  func json() throws {
    let harness = try Self.story(events: Self.events)
    defer { harness.server.stop() }
    let text = harness.run("timeline", "u1", "--json", "--until", "2025-05-01").output
    let value = try JSONValue.parse(Array(text.utf8), depthMax: 16)
    #expect(value["events"] == .array(Self.events))
    #expect(value["forecast"]?.arrayValue?.count == 1)
  }

  @Test("explain prints sentences with the numbers of their events")
  func explain() throws {
    let lines = JSONValue.members([
      (
        "lines",
        .array([
          .members([
            ("sequence", .int(5)), ("at", .int(Samples.january.milliseconds)),
            ("text", .string("bought pro.monthly")),
          ]),
          .members([
            ("sequence", .int(6)), ("at", .int(Samples.february.milliseconds)),
            ("text", .string("renewed twice (#6 to #7)")),
          ]),
          .members([
            ("at", .int(Samples.february.milliseconds)), ("text", .string("will renew")),
          ]),
        ])
      )
    ])
    let harness = try Harness(["Explain": lines.always])
    defer { harness.server.stop() }
    #expect(
      harness.run("explain", "u1").lines == [
        "bought pro.monthly  #5", "renewed twice (#6 to #7)", "will renew",
      ])
  }
}
