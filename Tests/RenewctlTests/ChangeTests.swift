import Client
import Testing

@testable import renewctl

@Suite("Changes", .timeLimit(.minutes(10)))
struct ChangeTests {
  private static let changed = JSONValue.members([("sequence", .int(7))])

  @Test("buy says what was bought, and hands its options on")
  func buy() throws {
    let answer = JSONValue.members([
      ("result", .string("success")), ("transaction", Samples.transaction()),
      ("sequence", .int(5)),
    ])
    let harness = try Harness([
      "Purchase": answer.always, "Watch": Samples.watched(Samples.event(5, "purchased")).always,
    ])
    defer { harness.server.stop() }
    let outcome = harness.run(
      "buy", "u1", "pro.monthly", "--date", "2025-01-31", "--cancelled", "--clock", "c",
      "--storefront=DEU", "--request-id", "r1")
    #expect(
      outcome.output == "u1 bought pro.monthly for 9.99 USD, until 2025-02-28T10:00:00Z, and "
        + "turned its renewal off at once; transaction 2000000000000001, #5\n")
    let parameters = try #require(harness.server.calls.first?.parameters)
    #expect(
      JSONValue.object(parameters).compactText
        == #"{"account":"u1","productId":"pro.monthly","storefront":"DEU","clock":"c","#
        + #""purchaseDate":1738281600000,"renewalBehavior":"cancelImmediately","requestId":"r1"}"#)
  }

  @Test("cancel finds the account's only running subscription")
  func cancel() throws {
    let ended = Samples.subscription(status: 2, id: "9")
    let harness = try Harness([
      "Status": Samples.status(subscriptions: [ended, Samples.subscription()]).always,
      "SetAutoRenew": Self.changed.always,
    ])
    defer { harness.server.stop() }
    let outcome = harness.run("cancel", "u1")
    #expect(
      outcome.output
        == "u1's pro.monthly ends on 2025-02-28T10:00:00Z and does not renew, #7\n")
    #expect(
      harness.server.calls.last?.parameters
        == JSONObject([
          ("originalTransactionId", .string("2000000000000001")), ("enabled", .bool(false)),
        ]))
    #expect(harness.run("resume", "u1", "--json").output == #"{"sequence":7}"# + "\n")
  }

  @Test("of several running subscriptions none is guessed: they are listed, exit status 4")
  func ambiguous() throws {
    let lines = [Samples.subscription(id: "1"), Samples.subscription(id: "2")]
    let harness = try Harness(["Status": Samples.status(subscriptions: lines).always])
    defer { harness.server.stop() }
    let outcome = harness.run("cancel", "u1")
    #expect(outcome.status == 4)
    #expect(outcome.errors.contains("u1 has 2 running subscriptions; name one"))
    #expect(outcome.errors.contains("1             pro.monthly  active"))
    let json = harness.run("cancel", "u1", "--json")
    #expect(
      json.errors == #"{"error":"renewctl.Ambiguous","parameters":{"candidates":["1","2"]}}"#
        + "\n")
    #expect(harness.server.calls.allSatisfy { $0.method.hasSuffix("Status") })
  }

  @Test("where several run but one can be meant, that is taken")
  func oneLeft() throws {
    let lines = [
      Samples.subscription(id: "1", renewalInfo: Samples.renewalInfo(renews: false)),
      Samples.subscription(id: "2"),
    ]
    let harness = try Harness([
      "Status": Samples.status(subscriptions: lines).always,
      "SetAutoRenew": Self.changed.always,
    ])
    defer { harness.server.stop() }
    #expect(harness.run("cancel", "u1").status == 0)
    #expect(harness.server.calls.last?.parameters["originalTransactionId"] == .string("2"))
    #expect(harness.run("resume", "u1").status == 0)
    #expect(harness.server.calls.last?.parameters["originalTransactionId"] == .string("1"))
  }

  @Test("nothing to cancel is status 3; an id of an unknown account is taken for a subscription's")
  func nothing() throws {
    let harness = try Harness([
      "Status": Samples.status(subscriptions: [], entitled: false).always,
      "SetAutoRenew": Self.changed.always,
    ])
    defer { harness.server.stop() }
    #expect(harness.run("cancel", "u1").status == 3)
    #expect(harness.run("cancel", "2000000000000001").status == 0)
  }

  @Test("refund names the account; several candidates are listed, exit status 4")
  func refund() throws {
    let revoked = Samples.transaction(also: [("revocationPercentage", .int(50_000))])
    let harness = try Harness([
      "Refund": { call in
        call.parameters["account"] == .string("u1")
          ? [
            .error(
              "org.renewd.Ambiguous",
              .members([("candidates", .array([.string("2000000000000001"), .string("8")]))])
            )
          ] : [.reply(.members([("transaction", revoked), ("sequence", .int(9))]))]
      },
      "History": JSONValue.members([("transactions", .array([Samples.transaction()]))]).always,
    ])
    defer { harness.server.stop() }
    let several = harness.run("refund", "u1")
    #expect(several.status == 4)
    #expect(several.errors.contains("u1 has 2 candidates; name one with --transaction"))
    #expect(several.errors.contains("pro.monthly"))
    #expect(several.errors.contains("\n8\n"))
    let one = harness.run("refund", "--transaction", "2000000000000001", "--percentage", "50")
    #expect(
      one.output == "refunded 50 % of 2000000000000001, pro.monthly of 2025-01-31T10:00:00Z "
        + "(9.99 USD), #9\n")
    #expect(harness.server.calls.last?.parameters["percentage"] == .int(50))
  }

  @Test("request-refund and decline-refund say which transaction, and name the account")
  func requests() throws {
    let answer = JSONValue.members([
      ("transaction", Samples.transaction()), ("sequence", .int(9)),
    ])
    let harness = try Harness(["RequestRefund": answer.always, "DeclineRefund": answer.always])
    defer { harness.server.stop() }
    let asked = harness.run("request-refund", "u1", "--request-id", "r1")
    #expect(
      asked.output == "a refund of 2000000000000001, pro.monthly (9.99 USD), is asked for, #9\n")
    #expect(
      JSONValue.object(try #require(harness.server.calls.last?.parameters)).compactText
        == #"{"account":"u1","requestId":"r1"}"#)
    let declined = harness.run("decline-refund", "--transaction", "2000000000000001")
    #expect(declined.output == "the refund of 2000000000000001, pro.monthly, is declined, #9\n")
    #expect(harness.run("decline-refund").status == 2)
  }

  @Test(
    "advance takes spans and times as people write them, and sums up",
    arguments: [
      (["1y"], #"{"by":"P12M"}"#), (["1month", "3d"], #"{"by":"P1M3D"}"#),
      (["--to", "2026-01-01"], #"{"to":1767225600000}"#),
      (["2026-01-01", "--clock", "c"], #"{"clock":"c","to":1767225600000}"#),
    ])
  func advance(words: [String], parameters: String) throws {
    let answer = JSONValue.members([
      (
        "clock",
        Samples.clock(nextDue: Timestamp(milliseconds: 1_743_415_200_000))
      ), ("firstSequence", .int(5)), ("lastSequence", .int(16)), ("events", .int(12)),
    ])
    let harness = try Harness(["Advance": answer.always])
    defer { harness.server.stop() }
    let outcome = Harness.run(
      ["advance"] + words, ["RENEWD_SOCKET": harness.server.address.text])
    #expect(
      outcome.output
        == "12 events, #5 to #16; the clock default is at 2025-02-28T10:00:00Z; "
        + "next due 2025-03-31T10:00:00Z\n")
    let call = try #require(harness.server.calls.first)
    #expect(JSONValue.object(call.parameters).compactText == parameters)
    #expect(!call.more)
  }

  @Test("advance --events prints each event as it comes, then the totals")
  func events() throws {
    @Sendable func answer(_ events: Int64, _ event: JSONValue?) -> JSONValue {
      var object = JSONObject([
        ("clock", Samples.clock()), ("firstSequence", .int(6)),
        ("lastSequence", .int(5 + events)), ("events", .int(events)),
      ])
      object["event"] = event
      return .object(object)
    }
    let renewed = Samples.event(
      6, "renewed", at: Samples.february,
      also: [("transaction", Samples.transaction(purchased: Samples.february))])
    let harness = try Harness([
      "Advance": { _ in
        [.reply(answer(1, renewed), continues: true), .reply(answer(1, nil))]
      }
    ])
    defer { harness.server.stop() }
    let outcome = harness.run("advance", "1month", "--events")
    #expect(
      outcome.lines == [
        "2025-02-28T10:00:00Z  #6  u1  renewed pro.monthly for 9.99 USD, until "
          + "2025-02-28T10:00:00Z",
        "1 event, #6; the clock default is at 2025-02-28T10:00:00Z; nothing else is due",
      ])
    #expect(harness.server.calls[0].more)
    #expect(harness.run("advance", "1month", "--jsonl").lines.count == 2)
  }

  @Test("watch prints an event a line and ends after as many as asked for")
  func watch() throws {
    let harness = try Harness([
      "Watch": { _ in
        (5...9).map {
          .reply(Samples.watched(Samples.event($0, "autoRenewChanged")), continues: true)
        }
      }
    ])
    defer { harness.server.stop() }
    let outcome = harness.run("watch", "u1", "--since", "4", "--count", "3")
    #expect(outcome.status == 0)
    #expect(outcome.lines.count == 3)
    #expect(outcome.lines[0] == "2025-01-31T10:00:00Z  #5  u1  renewal turned off")
    #expect(harness.server.calls[0].parameters["since"] == .int(4))
  }

  @Test("restore lists what came again under which id, and says so where there is nothing")
  func restore() throws {
    let restored = Samples.transaction(
      id: "2000000000000009", also: [("signedTransactionInfo", .string("a.b.c"))])
    func answer(_ rows: JSONValue...) -> Harness.Handler {
      JSONValue.members([("transactions", .array(rows)), ("sequence", .int(12))]).always
    }
    let some = try Harness(["Restore": answer(restored)])
    defer { some.server.stop() }
    let lines = some.run("restore", "u1", "--request-id", "r").lines
    #expect(lines.count == 3)
    #expect(lines[1].hasSuffix(" 2000000000000009") && lines[1].contains("pro.monthly"))
    #expect(lines[2] == "restored 1 transaction of u1, #12")
    let parameters = some.server.calls[0].parameters
    #expect(parameters["account"] == .string("u1") && parameters["requestId"] == .string("r"))
    #expect(parameters["signed"] == nil)
    #expect(some.run("restore", "u1", "--signed").lines == ["a.b.c"])
    #expect(some.run("restore", "u1", "--json").output.contains(#""sequence":12"#))
    #expect(some.run("restore").status == 2)
    let none = try Harness(["Restore": answer()])
    defer { none.server.stop() }
    let outcome = none.run("restore", "u1")
    #expect(outcome.status == 0 && outcome.lines == ["u1 has nothing to restore"])
  }

  @Test("finish takes an account's only open transaction, and lists several")
  func finish() throws {
    func open(_ ids: String...) -> Harness.Handler {
      let signed = ids.map { id in
        JSONValue.members([
          ("transaction", Samples.transaction(id: id)), ("signedTransactionInfo", .string("")),
        ])
      }
      return JSONValue.members([("transactions", .array(signed))]).always
    }
    let one = try Harness(["Unfinished": open("1"), "Finish": Self.changed.always])
    defer { one.server.stop() }
    #expect(one.run("finish", "u1").output == "finished 1, #7\n")
    let two = try Harness(["Unfinished": open("1", "2"), "Finish": Self.changed.always])
    defer { two.server.stop() }
    #expect(two.run("finish", "u1").status == 4)
    #expect(two.run("finish", "u1", "--all").lines.count == 2)
  }
}
