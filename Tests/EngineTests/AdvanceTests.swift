import JSON
import Simulation
import Testing

@Suite("Time travel")
struct AdvanceTests {
  @Test("B23: ten years of weeks in one call, in order; the same call again does nothing")
  func tenYears() throws {
    let daemon = try TestDaemon(clock: time("2025-01-01"))
    try daemon.buy("u1", "weekly")
    let reply = try daemon.advance(to: time("2035-01-01"))
    #expect(reply.int("events") == 521)
    #expect(reply.int("lastSequence")! - reply.int("firstSequence")! == 520)
    let renewals = try daemon.log().filter { $0["kind"]?.stringValue == "renewed" }
    #expect(renewals.count == 521)
    #expect(
      renewals.map { $0["at"]!.int64Value! } == (1...521).map { time("2025-01-01") + $0 * 7 * day })
    let again = try daemon.advance(to: time("2035-01-01"))
    #expect(again.int("events") == 0)
    #expect(again["clock"]?["now"]?.int64Value == time("2035-01-01"))
  }

  @Test("With more each event comes in a reply of its own, and the last has the totals")
  func streams() throws {
    let daemon = try TestDaemon()
    try daemon.buy("u1", "monthly")
    try daemon.buy("u2", "weekly")
    daemon.world.send(
      "org.renewd.Clocks.Advance", json(#"{"by":"P2M"}"#), more: true, from: daemon.root)
    daemon.world.settleNew()
    let replies = daemon.root.takeReplies()
    let events = replies.dropLast()
    #expect(events.count == 2 + 8)
    #expect(events.allSatisfy { $0.continues && $0["event"] != nil })
    let last = try #require(replies.last)
    #expect(!last.continues && last["event"] == nil)
    #expect(last.int("events") == 10)
    #expect(events.first?["event"]?["sequence"]?.int64Value == last.int("firstSequence"))
    #expect(events.last?["event"]?["sequence"]?.int64Value == last.int("lastSequence"))
    for reply in replies { TestDaemon.validate(reply, of: "org.renewd.Clocks.Advance") }
    // The connection serves again.
    #expect(try daemon.isEntitled("u1") == true)
  }

  @Test("A stream whose reader lags is fed from the log; its totals are what it streamed")
  func slowStream() throws {
    let daemon = try crowd()
    let caller = daemon.world.connect(uid: 0)
    caller.takenPerTurn = 50_000
    daemon.world.send(
      "org.renewd.Clocks.Advance", json(#"{"by":"P3Y"}"#), more: true, from: caller)
    for round in 0..<4 {
      daemon.world.turn()
      // Others' commands on the same clock are no part of it.
      daemon.world.send(
        "org.renewd.Store.Purchase", json(#"{"account":"b\#(round)","productId":"coins"}"#),
        from: daemon.root)
      daemon.world.send(
        "org.renewd.Store.Purchase",
        json(
          #"{"account":"c\#(round)","productId":"monthly","purchaseDate":\#(january - 99 * day)}"#),
        from: daemon.root)
    }
    daemon.world.settle()
    #expect(daemon.root.takeReplies().allSatisfy { $0.error == nil })
    let replies = caller.takeReplies()
    let last = try #require(replies.last)
    #expect(!last.continues)
    let streamed = replies.eventSequences
    #expect(streamed == streamed.sorted() && Set(streamed).count == streamed.count)
    #expect(last.int("events") == Int64(streamed.count))
    let renewals = replies.filter { $0.kinds == "renewed" }
      .filter { $0["event"]?["account"]?.stringValue?.hasPrefix("a") == true }
    #expect(renewals.count == 60 * 156)
  }

  /// What a year of the crowd's weeks is.
  private static let crowdRenewals: Int64 = 60 * 52

  /// A daemon with sixty weekly subscribers, whose advance by a year takes several turns.
  private func crowd(_ change: (inout World.Options) -> Void = { _ in }) throws -> TestDaemon {
    let daemon = try TestDaemon(change)
    for account in 0..<60 {
      daemon.world.send(
        "org.renewd.Store.Purchase",
        json(#"{"account":"a\#(account)","productId":"weekly"}"#), from: daemon.root)
    }
    daemon.world.settleNew()
    #expect(daemon.root.takeReplies().count == 60)
    return daemon
  }

  @Test("While a clock advances others are served at the present hop, and nobody is turned away")
  func pollsDuringAdvance() throws {
    let daemon = try crowd()
    let poller = daemon.world.connect(uid: 1001)
    daemon.world.send("org.renewd.Clocks.Advance", json(#"{"by":"P1Y"}"#), from: daemon.root)
    var polls = 0
    var last: Int64 = 0
    while daemon.root.replies.isEmpty {
      daemon.world.send(
        "org.renewd.Membership.Status", json(#"{"account":"a\#(polls % 60)"}"#), from: poller)
      daemon.world.turn()
      for reply in poller.takeReplies() {
        polls += 1
        #expect(reply.flag("entitled") == true)
        #expect(reply.text("basis") == "present")
        #expect(reply.int("asOf")! >= last)
        last = reply.int("asOf")!
      }
    }
    #expect(polls > 3)
    let reply = try #require(daemon.root.takeReply())
    #expect(reply.int("events") == Self.crowdRenewals)
  }

  @Test("A second advance of the clock meanwhile is told where the first is going")
  func clockBusy() throws {
    let daemon = try crowd()
    let second = daemon.world.connect(uid: 0)
    daemon.world.send("org.renewd.Clocks.Advance", json(#"{"by":"P1Y"}"#), from: daemon.root)
    daemon.world.turn()
    daemon.world.turn()
    for text in [
      #"{"by":"P1M"}"#, #"{"by":"P5Y"}"#, #"{"to":\#(time("2025-02-01"))}"#,
    ] {
      daemon.world.send("org.renewd.Clocks.Advance", json(text), from: second)
    }
    daemon.world.send(
      "org.renewd.Clocks.Attach", json(#"{"account":"a1","clock":"system"}"#), from: second)
    daemon.world.send("org.renewd.Testing.Reset", from: second)
    daemon.world.turn()
    daemon.world.turn()
    let replies = second.takeReplies()
    #expect(replies.map(\.error) == [String?](repeating: "org.renewd.ClockBusy", count: 5))
    #expect(replies.first?.int("target") == time("2026-01-31T10:00"))
    #expect(daemon.root.replies.isEmpty)
    let clock = try #require(try daemon.call("Clocks.List", by: second).list("clocks").last)
    #expect(clock["target"]?.int64Value == time("2026-01-31T10:00"))
    daemon.world.settleNew()
    let last = try #require(daemon.root.takeReply())
    #expect(last.int("events") == Self.crowdRenewals)
  }

  @Test("A caller that leaves in the middle stops nothing")
  func callerLeaves() throws {
    for isStreaming in [false, true] {
      let daemon = try crowd()
      let caller = daemon.world.connect(uid: 0)
      daemon.world.send(
        "org.renewd.Clocks.Advance", json(#"{"by":"P1Y"}"#), more: isStreaming, from: caller)
      for _ in 0..<3 { daemon.world.turn() }
      daemon.world.disconnect(caller)
      daemon.world.settle()
      let clock = try #require(try daemon.call("Clocks.List").list("clocks").last)
      #expect(clock["now"]?.int64Value == time("2026-01-31T10:00"))
      #expect(clock["target"] == nil)
    }
  }

  @Test("A restart in the middle finishes the advance, and the request's answer is the whole's")
  func restartFinishes() throws {
    for turns in [1, 3, 6] {
      let daemon = try crowd { $0.seed = UInt64(turns) }
      let parameters = #"{"by":"P1Y","requestId":"go"}"#
      daemon.world.send("org.renewd.Clocks.Advance", json(parameters), from: daemon.root)
      for _ in 0..<turns { daemon.world.turn() }
      daemon.world.losePower()
      _ = daemon.root.takeReplies()
      try daemon.world.start()
      daemon.world.reconnect(daemon.root)
      let reply = try daemon.call("Clocks.Advance", parameters)
      #expect(reply.int("events") == Self.crowdRenewals)
      let again = try daemon.call("Clocks.Advance", parameters)
      #expect(again.int("events") == reply.int("events"))
      #expect(again.int("firstSequence") == reply.int("firstSequence"))
      #expect(again.int("lastSequence") == reply.int("lastSequence"))
      let renewals = try Int64(daemon.log().count { $0["kind"]?.stringValue == "renewed" })
      #expect(renewals == Self.crowdRenewals)
    }
  }

  @Test("advance(a); advance(b) is advance(a + b)")
  func splitsAlike() throws {
    func run(_ targets: [Int64]) throws -> [[JSONValue]] {
      let daemon = try TestDaemon()
      for (account, product) in ["monthly", "weekly", "trial", "instalments", "yearly"].enumerated()
      {
        try daemon.buy("a\(account)", product)
      }
      let id = try daemon.buy("b", "quarterly")
      try daemon.call(
        "Store.SetAutoRenew", #"{"originalTransactionId":"\#(id)","enabled":false}"#)
      for target in targets { try daemon.advance(to: target) }
      return try ["a0", "a1", "a2", "a3", "a4", "b"].map { account in
        try daemon.history(account)
          + daemon.status(account).list("subscriptions")
      }
    }
    let end = time("2026-03-01")
    let whole = try run([end])
    #expect(try run([time("2025-04-30T10:00"), end]) == whole)
    #expect(try run([january + 1, time("2025-02-28T10:00"), time("2025-12-31"), end]) == whole)
  }

  @Test("B21: two clocks, two accounts; a year on one leaves the other and the system alone")
  func namedClocks() throws {
    let daemon = try TestDaemon(clock: nil)
    try daemon.call("Clocks.Create", #"{"name":"A","at":\#(january)}"#)
    try daemon.call("Clocks.Create", #"{"name":"B","at":\#(january)}"#)
    try daemon.buy("u1", "monthly", #","clock":"A""#)
    try daemon.buy("u2", "monthly", #","clock":"B""#)
    try daemon.buy("u3", "monthly")
    #expect(try daemon.call("Clocks.Advance", #"{"clock":"A","by":"P1Y"}"#).int("events") == 12)
    #expect(try daemon.history("u1").count == 13)
    #expect(try daemon.history("u2").count == 1)
    #expect(try daemon.history("u3").count == 1)
    #expect(try daemon.status("u3").text("clock") == "system")
  }

  @Test("B20: a clock's time is in the log; a restart repeats and skips nothing")
  func clockSurvivesRestart() throws {
    let daemon = try TestDaemon()
    try daemon.buy("u1", "monthly")
    try daemon.call("Clocks.Advance", #"{"by":"P2M"}"#)
    let before = try daemon.call("Clocks.List").list("clocks")
    try daemon.restart()
    #expect(try daemon.call("Clocks.List").list("clocks")[1] == before[1])
    #expect(before[1]["now"]?.int64Value == time("2025-03-31T10:00"))
    #expect(try daemon.history("u1").count == 3)
  }

  @Test("B22: an account that lives on the system's clock moves to a test clock, and it shows")
  func attaches() throws {
    let daemon = try TestDaemon(clock: nil)
    try daemon.buy("u1", "monthly")
    let now = try #require(try daemon.status("u1").int("asOf"))
    try daemon.call("Clocks.Create", #"{"name":"A","at":\#(now)}"#)
    try daemon.call("Clocks.Attach", #"{"account":"u1","clock":"A"}"#)
    #expect(try daemon.call("Clocks.Advance", #"{"clock":"A","by":"P1M"}"#).int("events") == 1)
    #expect(try daemon.log().kinds.contains("clockAttached"))
    #expect(try daemon.history("u1").count == 2)
    #expect(try daemon.status("u1").text("clock") == "A")
    // The system's time goes on without it.
    daemon.world.pass(90 * day)
    #expect(try daemon.history("u1").count == 2)
  }

  @Test("B25: a thousand renewals by hand are a thousand events in order, every time")
  func forcedRenewals() throws {
    func run() throws -> [JSONValue] {
      let daemon = try TestDaemon()
      let id = try daemon.buy("u1", "monthly")
      for _ in 0..<1_000 {
        daemon.world.send(
          "org.renewd.Testing.ForceRenewal", json(#"{"originalTransactionId":"\#(id)"}"#),
          from: daemon.root)
      }
      daemon.world.settleNew()
      #expect(daemon.root.takeReplies().allSatisfy { $0.error == nil })
      return try daemon.log().filter { $0["notificationType"]?.stringValue == "DID_RENEW" }
    }
    let renewals = try run()
    #expect(renewals.count == 1_000)
    let ids = renewals.compactMap { $0["transaction"]?["transactionId"]?.stringValue }
    #expect(ids == ids.sorted() && Set(ids).count == 1_000)
    #expect(try run() == renewals)
  }

  @Test("A clock is never moved back: a time before its own is refused, its own changes nothing")
  func neverBack() throws {
    let daemon = try TestDaemon()
    try daemon.buy("u1", "monthly")
    try daemon.advance(to: time("2025-03-31T10:00"))
    let before = try daemon.log().count
    for (text, reason) in [
      (#"{"to":\#(time("2025-03-31T10:00") - 1)}"#, "stands at 2025-03-31T10:00:00Z"),
      (#"{"to":\#(january)}"#, "stands at 2025-03-31T10:00:00Z"),
    ] {
      let reply = try daemon.reply("Clocks.Advance", text)
      #expect(reply.error == "org.renewd.InvalidTime")
      #expect(reply.text("reason")?.contains(reason) == true)
    }
    for text in [#"{"to":\#(time("2025-03-31T10:00"))}"#, #"{"by":"PT0S"}"#] {
      let same = try daemon.call("Clocks.Advance", text)
      #expect(same.int("events") == 0)
      #expect(same["clock"]?["now"]?.int64Value == time("2025-03-31T10:00"))
    }
    #expect(try daemon.log().count == before)
  }

  @Test("What an advance answers says when something is due next, and nothing where nothing is")
  func saysWhatIsNext() throws {
    let daemon = try TestDaemon()
    let id = try daemon.buy("u1", "monthly")
    let first = try daemon.advance(to: time("2025-03-31T10:00"))
    #expect(first["clock"]?["nextDue"]?.int64Value == time("2025-04-30T10:00"))
    try daemon.call(
      "Store.SetAutoRenew", #"{"originalTransactionId":"\#(id)","enabled":false}"#)
    let last = try daemon.advance(to: time("2025-05-01"))
    #expect(last["clock"]?["nextDue"] == nil)
  }

  @Test("A time before 1970 or past the year 9999 is refused by its field's name, anywhere")
  func timesHaveBounds() throws {
    let daemon = try TestDaemon()
    try daemon.buy("u1", "monthly")
    let before = try daemon.log().count
    for time in [-1, Int64.min, 253_402_300_800_000, 1_738_317_600_000_000, Int64.max] {
      for (method, field, rest) in [
        ("Membership.Status", "at", #""account":"u1","#),
        ("Membership.Status", "at", #""account":"nobody","#),
        ("Membership.Status", "at", #""account":"u1","signed":true,"#),
        ("Membership.History", "until", #""account":"u1","#),
        ("Membership.History", "until", #""account":"nobody","#),
        ("Membership.Ledger", "until", #""account":"u1","#),
        ("Membership.Ledger", "until", #""account":"nobody","#),
        ("Store.Purchase", "purchaseDate", #""account":"u2","productId":"monthly","#),
        ("Clocks.Create", "at", #""name":"far","#), ("Clocks.Advance", "to", ""),
      ] {
        let reply = try daemon.reply(method, #"{\#(rest)"\#(field)":\#(time)}"#)
        #expect(reply.error == "org.renewd.InvalidParameter", "\(method) \(time)")
        #expect(reply.text("parameter") == field, "\(method) \(time)")
      }
    }
    for span in ["P9999Y", "P99999999999Y", "PT9999999999999999H", "P999999999M"] {
      let error = try daemon.error("Clocks.Advance", #"{"by":"\#(span)"}"#)
      #expect(["InvalidTime", "InvalidParameter"].contains(error), "\(span)")
    }
    #expect(try daemon.log().count == before)
  }

  @Test("A span is calendar arithmetic with clamping")
  func spans() throws {
    let daemon = try TestDaemon()
    for (span, wanted) in [
      ("P1M", "2025-02-28T10:00"), ("PT36H", "2025-03-01T22:00"), ("P1Y", "2026-03-01T22:00"),
      ("P2W", "2026-03-15T22:00"),
    ] {
      let reply = try daemon.call("Clocks.Advance", #"{"by":"\#(span)"}"#)
      #expect(reply["clock"]?["now"]?.int64Value == time(wanted))
    }
  }
}
