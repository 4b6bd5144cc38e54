import JSON
import Simulation
import Testing

@Suite("A watch is ordered, complete, and exact at its seam")
struct WatchTests {
  @Test("The present state, the seam, and then each event as it happens")
  func presentThenEvents() throws {
    let daemon = try TestDaemon()
    try daemon.buy("a", "monthly")
    try daemon.buy("a", "weekly")
    try daemon.buy("b", "monthly")
    let (client, replies) = daemon.watch()
    #expect(replies.count == 4)
    #expect(replies.dropLast().allSatisfy { $0["subscription"] != nil })
    let seam = try #require(replies.last)
    #expect(seam["subscription"] == nil && seam["event"] == nil)
    #expect(try seam.int("sequence") == Int64(daemon.log().count))
    #expect(replies.allSatisfy { $0.continues })
    try daemon.buy("c", "monthly")
    let first = client.takeReplies()
    #expect(first.kinds == ["accountOpened", "purchased"])
    #expect(first.eventSequences == [1, 2].map { $0 + seam.int("sequence")! })
    for reply in replies + first {
      TestDaemon.validate(reply, of: "org.renewd.Membership.Watch")
    }
  }

  @Test("A seam in the middle of commands that are not durable yet loses and repeats nothing")
  func seamUnderWrites() throws {
    let daemon = try TestDaemon { $0.isChaotic = true }
    var auditors: [(SimulatedClient, first: Int64)] = []
    for round in 0..<30 {
      daemon.world.send(
        "org.renewd.Store.Purchase", json(#"{"account":"a\#(round)","productId":"monthly"}"#),
        from: daemon.root)
      let client = daemon.world.connect(uid: 1001)
      daemon.world.send("org.renewd.Membership.Watch", more: true, from: client)
      for _ in 0..<(round % 4) { daemon.world.turn() }
      auditors.append((client, 0))
    }
    daemon.world.settleNew()
    _ = daemon.root.takeReplies()
    let last = Int64(try daemon.log().count)
    for (client, _) in auditors {
      let replies = client.takeReplies()
      let seam = try #require(replies.first { $0["subscription"] == nil })
      let seen = replies.eventSequences
      #expect(seen == Array((seam.int("sequence")! + 1)..<(last + 1)))
      // Each subscription is in the present state or comes as an event, and the state shows
      // nothing that an event before the seam would have told otherwise.
      var accounts = replies.compactMap { $0["subscription"]?["account"]?.stringValue }
      #expect(Set(accounts).count == accounts.count)
      accounts += replies.filter { $0.kinds == "purchased" }
        .compactMap { $0["event"]?["account"]?.stringValue }
      #expect(Set(accounts).count == 30)
    }
  }

  @Test("A present state longer than a turn: who came since the seam comes as an event alone")
  func longPresent() throws {
    let daemon = try TestDaemon()
    func buy(_ accounts: Range<Int>) {
      for account in accounts {
        daemon.world.send(
          "org.renewd.Store.Purchase",
          json(#"{"account":"a\#(account)","productId":"monthly"}"#), from: daemon.root)
      }
    }
    buy(0..<600)
    daemon.world.settleNew()
    let client = daemon.world.connect(uid: 1001)
    client.takenPerTurn = 20_000
    daemon.world.send("org.renewd.Membership.Watch", more: true, from: client)
    for _ in 0..<3 { daemon.world.turn() }
    buy(600..<700)
    daemon.world.settleNew()
    let replies = client.takeReplies()
    let present = replies.compactMap { $0["subscription"]?["account"]?.stringValue }
    let bought = replies.filter { $0.kinds == "purchased" }
      .compactMap { $0["event"]?["account"]?.stringValue }
    #expect(present == (0..<600).map { "a\($0)" })
    #expect(bought == (600..<700).map { "a\($0)" })
  }

  @Test("A reset in the middle of a present state is no trap, and ends it")
  func resetDuringPresent() throws {
    for text in ["{}", #"{"account":"a1"}"#] {
      let daemon = try TestDaemon()
      for account in 0..<400 {
        daemon.world.send(
          "org.renewd.Store.Purchase",
          json(#"{"account":"a\#(account)","productId":"monthly"}"#), from: daemon.root)
      }
      daemon.world.settleNew()
      let client = daemon.world.connect(uid: 1001)
      client.takenPerTurn = 1_000
      daemon.world.send("org.renewd.Membership.Watch", json(text), more: true, from: client)
      for _ in 0..<2 { daemon.world.turn() }
      daemon.world.send("org.renewd.Testing.Reset", from: daemon.root)
      client.takenPerTurn = nil
      daemon.world.settleNew()
      let replies = client.takeReplies()
      let seam = replies.firstIndex { $0["subscription"] == nil }
      #expect(seam != nil)
      #expect(replies.dropFirst((seam ?? 0) + 1).allSatisfy { $0["event"] != nil })
    }
  }

  @Test("A cursor resumes after it, across a restart, without a gap or a repeat")
  func resumes() throws {
    let daemon = try TestDaemon()
    try daemon.buy("a", "monthly")
    let all = try daemon.log().count
    let (_, replies) = daemon.watch(#"{"since":0}"#)
    #expect(replies.eventSequences == Array(1...Int64(all)))
    try daemon.restart()
    let (client, rest) = daemon.watch(#"{"since":\#(all - 1)}"#)
    #expect(rest.eventSequences == [Int64(all)])
    try daemon.buy("b", "monthly")
    #expect(client.takeReplies().kinds == ["bootObserved", "accountOpened", "purchased"].suffix(2))
  }

  @Test("B76: a saved cursor is the last event delivered, and resuming gives exactly the next one")
  func savedCursor() throws {
    let daemon = try TestDaemon()
    try daemon.buy("a", "monthly")
    let (client, replies) = daemon.watch(#"{"since":0}"#)
    let cursor = try #require(replies.last?.int("sequence"))
    daemon.world.disconnect(client)
    try daemon.buy("a", "coins")
    let (_, next) = daemon.watch(#"{"since":\#(cursor)}"#)
    #expect(next.count == 1)
    #expect(next.kinds == ["purchased"])
  }

  @Test("A cursor ahead of the log is refused with the log's end")
  func cursorAhead() throws {
    let daemon = try TestDaemon()
    let head = try daemon.log().count
    let (client, replies) = daemon.watch(#"{"since":\#(head + 1)}"#)
    #expect(replies.first?.error == "org.renewd.CursorAhead")
    #expect(replies.first?.int("head") == Int64(head))
    #expect(client.isConnected)
    let (_, none) = daemon.watch(#"{"since":\#(head)}"#)
    #expect(none.isEmpty)
    #expect(daemon.watch(#"{"since":-1}"#).replies.first?.error == "org.renewd.InvalidParameter")
  }

  @Test("An account's watch hears of that account alone, and its cursor goes on all the same")
  func accountFilter() throws {
    let daemon = try TestDaemon()
    try daemon.buy("a", "monthly")
    let (client, replies) = daemon.watch(#"{"account":"a"}"#)
    #expect(replies.count == 2)
    try daemon.buy("b", "monthly")
    try daemon.buy("a", "coins")
    let seen = client.takeReplies()
    #expect(seen.kinds == ["purchased"])
    #expect(seen[0]["event"]?["account"]?.stringValue == "a")
    try daemon.buy("b", "coins")
    daemon.world.pass(15_000)
    let beat = client.takeReplies()
    #expect(beat.count == 1)
    #expect(beat[0]["event"] == nil)
    #expect(try beat[0].int("sequence") == Int64(daemon.log().count))
    let (_, since) = daemon.watch(#"{"account":"a","since":0}"#)
    #expect(since.kinds == ["accountOpened", "purchased", "purchased"])
    let (later, _) = daemon.watch(#"{"account":"nobody"}"#)
    try daemon.buy("nobody", "coins")
    #expect(later.takeReplies().kinds == ["accountOpened", "purchased"])
  }

  @Test("A watch with nothing to say is heard of every fifteen seconds, not sooner")
  func heartbeat() throws {
    let daemon = try TestDaemon()
    let (client, _) = daemon.watch()
    daemon.world.pass(14_999)
    #expect(client.takeReplies().isEmpty)
    daemon.world.pass(1)
    #expect(client.takeReplies().count == 1)
    daemon.world.pass(60_000)
    #expect(client.takeReplies().count == 4)
  }

  @Test("A watch owns its connection: another call is refused, and the watch goes on")
  func connectionBusy() throws {
    let daemon = try TestDaemon()
    let (client, _) = daemon.watch()
    daemon.world.send("org.renewd.Membership.Check", json(#"{"account":"a"}"#), from: client)
    daemon.world.settleNew()
    #expect(client.takeReplies().map(\.error) == ["org.renewd.ConnectionBusy"])
    try daemon.buy("a", "monthly")
    #expect(client.takeReplies().kinds == ["accountOpened", "purchased"])
  }

  @Test("A reader that lags behind what is in memory is fed from the log, and loses nothing")
  func laggingReader() throws {
    let daemon = try TestDaemon()
    let (slow, _) = daemon.watch()
    let (one, _) = daemon.watch(#"{"account":"a7"}"#)
    slow.takenPerTurn = 0
    one.takenPerTurn = 0
    let seam = Int64(try daemon.log().count)
    for account in 0..<8 { try daemon.buy("a\(account)", "weekly") }
    // More events than are kept in memory, and of one account more than are read at once.
    try daemon.call("Clocks.Advance", #"{"by":"P25Y"}"#)
    let last = try #require(try daemon.call("Log.Describe").int("sequence"))
    #expect(last > 9_000)
    slow.takenPerTurn = 40_000
    one.takenPerTurn = 40_000
    daemon.world.settleNew()
    #expect(slow.takeReplies().eventSequences == Array((seam + 1)...last))
    let mine = one.takeReplies().filter { $0["event"] != nil }
    // 9131 days are 1304 whole weeks.
    #expect(mine.count == 2 + 1304)
    #expect(mine.eventSequences == mine.eventSequences.sorted())
    #expect(mine.allSatisfy { $0["event"]?["account"]?.stringValue == "a7" })
  }

  @Test("A hundred stalled watches hold a bounded number of bytes each, and slow nobody")
  func stalledWatches() throws {
    let daemon = try TestDaemon()
    let stalled = (0..<100).map { number in
      let client = daemon.world.connect(uid: 1001)
      client.takenPerTurn = 0
      daemon.world.send(
        "org.renewd.Membership.Watch", json(number % 2 == 0 ? #"{"since":0}"# : "{}"),
        more: true, from: client)
      return client
    }
    for account in 0..<10 { try daemon.buy("a\(account)", "weekly") }
    let turns = daemon.world.turnCount
    try daemon.call("Clocks.Advance", #"{"by":"P2Y"}"#)
    #expect(daemon.world.turnCount - turns < 60)
    for client in stalled {
      let count = daemon.world.waitingByteCount(for: client)
      #expect(count > 0 && count < 132 << 10, "\(count) bytes wait")
    }
    try daemon.buy("b", "monthly")
    // One of them wakes up and has missed nothing.
    stalled[0].takenPerTurn = nil
    daemon.world.settleNew()
    let last = try #require(try daemon.call("Log.Describe").int("sequence"))
    #expect(stalled[0].takeReplies().eventSequences == Array(1...last))
  }

  @Test("At a stop each watch has a last reply without continues, at its cursor")
  func endsAtStop() throws {
    let daemon = try TestDaemon()
    try daemon.buy("a", "monthly")
    let (client, replies) = daemon.watch(#"{"since":0}"#)
    let (slow, _) = daemon.watch(#"{"since":0}"#)
    slow.takenPerTurn = 0
    daemon.world.stop()
    #expect(daemon.world.exitStatus == 0)
    let last = client.takeReplies()
    #expect(last.count == 1)
    #expect(last.first?.continues == false)
    #expect(last.first?.int("sequence") == replies.last?.int("sequence"))
    #expect(!client.isConnected)
  }

  @Test("A stop while the log is being read for a watch and a call is no trap")
  func stopsWhileReading() throws {
    for delay in 0..<12 {
      let daemon = try TestDaemon {
        $0.isChaotic = true
        $0.seed = UInt64(delay)
      }
      try daemon.buy("a", "monthly")
      let watcher = daemon.world.connect(uid: 1001)
      let reader = daemon.world.connect(uid: 1001)
      daemon.world.send(
        "org.renewd.Membership.Watch", json(#"{"since":0}"#), more: true, from: watcher)
      daemon.world.send(
        "org.renewd.Membership.History", json(#"{"account":"a"}"#), from: reader)
      for _ in 0..<(1 + delay % 4) { daemon.world.turn() }
      daemon.world.stop()
      #expect(daemon.world.exitStatus == 0)
      try daemon.restart()
      #expect(try daemon.isEntitled("a") == true)
    }
  }

  @Test("B74: eight writers at once; a watch from 0 sees every number once")
  func eightWriters() throws {
    let daemon = try TestDaemon { $0.isChaotic = true }
    let writers = (0..<8).map { _ in daemon.world.connect(uid: 1000) }
    let (client, _) = daemon.watch(#"{"since":0}"#)
    for round in 0..<50 {
      for (number, writer) in writers.enumerated() {
        daemon.world.send(
          "org.renewd.Store.Purchase",
          json(#"{"account":"w\#(number)","productId":"coins","quantity":\#(round % 10 + 1)}"#),
          from: writer)
      }
      daemon.world.turn()
    }
    daemon.world.settleNew()
    let log = try daemon.log()
    let (_, replies) = daemon.watch(#"{"since":0}"#)
    #expect(replies.eventSequences == Array(1...Int64(log.count)))
    #expect(log.kinds.count { $0 == "purchased" } == 400)
    let again = client.takeReplies().eventSequences
    #expect(again == Array(again[0]...Int64(log.count)))
    #expect(replies.compactMap { $0["event"]?.compactText } == log.map(\.compactText))
    for writer in writers {
      #expect(writer.takeReplies().allSatisfy { $0.error == nil })
    }
  }

  @Test("A reset is an event; a watch of the account's text goes on with whoever comes next")
  func reset() throws {
    let daemon = try TestDaemon()
    try daemon.buy("a", "monthly")
    let (client, _) = daemon.watch(#"{"account":"a"}"#)
    let (all, _) = daemon.watch()
    try daemon.call("Testing.Reset")
    #expect(all.takeReplies().kinds == ["reset"])
    #expect(try daemon.isEntitled("a") == false)
    #expect(try daemon.history("a").isEmpty)
    let old = "2000000000000001"
    let id = try daemon.buy("a", "monthly")
    #expect(client.takeReplies().kinds == ["accountOpened", "purchased"])
    #expect(UInt64(id)! > UInt64(old)!, "ids go on")
    for method in ["Testing.Refund", "Store.Finish"] {
      #expect(
        try daemon.error(method, #"{"transactionId":"\#(old)"}"#) == "TransactionNotFound")
    }
    #expect(
      try daemon.error(
        "Store.SetAutoRenew", #"{"originalTransactionId":"\#(old)","enabled":false}"#)
        == "SubscriptionNotFound")
    #expect(try daemon.history("a").count == 1)
  }
}
