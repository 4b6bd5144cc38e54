import Engine
import EventLog
import JSON
import Simulation
import Subscriptions
import TestSizes
import Testing

@Suite("When the disk is full, fails, or was tampered with")
struct DiskTests {
  /// Buys coins until the disk is full, and says how many times that went well.
  private func fill(_ daemon: TestDaemon) throws -> Int {
    for count in 0..<10_000 {
      let reply = try daemon.reply("Store.Purchase", #"{"account":"x","productId":"coins"}"#)
      if reply.error == "org.renewd.DiskFull" { return count }
      try #require(reply.error == nil)
    }
    return 10_000
  }

  @Test("A full disk refuses purchases; reads, watches, renewals and cancels go on; then it ends")
  func diskFull() throws {
    let daemon = try TestDaemon { $0.settings = LogSettings(segmentByteCount: 32 << 10) }
    let id = try daemon.buy("u1", "monthly")
    try daemon.buy("u2", "weekly")
    let (watcher, _) = daemon.watch()
    daemon.world.disk.faults.byteCountMax = daemon.world.disk.byteCount
    #expect(try fill(daemon) > 10, "the segments at hand are used first")
    daemon.world.pass(1_000)
    #expect(daemon.world.status == "disk full: reads only")
    #expect(daemon.world.notices.contains { $0.kind == .diskFull })
    _ = watcher.takeReplies()
    for method in ["Store.Purchase"] {
      #expect(
        try daemon.error(method, #"{"account":"u9","productId":"monthly"}"#) == "DiskFull")
    }
    #expect(try daemon.error("Clocks.Create", #"{"name":"c","at":\#(january)}"#) == "DiskFull")
    #expect(try daemon.isEntitled("u1") == true)
    #expect(try daemon.history("u1").count == 1)
    try daemon.advance(to: time("2025-03-01"))
    #expect(try daemon.history("u2").count == 5, "renewals go on")
    try daemon.call(
      "Store.SetAutoRenew", #"{"originalTransactionId":"\#(id)","enabled":false}"#)
    try daemon.call("Testing.Refund", #"{"transactionId":"\#(id)"}"#)
    #expect(watcher.takeReplies().kinds.contains("refunded"))
    daemon.world.disk.faults.byteCountMax = nil
    daemon.world.pass(2_000)
    try daemon.buy("u9", "monthly")
    #expect(daemon.world.notices.contains { $0.kind == .diskFreed })
    try daemon.restart()
    #expect(try daemon.isEntitled("u9") == true)
    #expect(try daemon.call("Log.Verify")["damage"] == nil)
  }

  @Test("A daemon that starts on a full disk says so before anybody has bought")
  func startsFull() throws {
    let daemon = try TestDaemon { $0.settings = LogSettings(segmentByteCount: 32 << 10) }
    daemon.world.disk.faults.byteCountMax = daemon.world.disk.byteCount
    _ = try fill(daemon)
    try daemon.restart()
    #expect(try daemon.call("Daemon.Describe").text("status") == "disk full: reads only")
    #expect(daemon.world.notices.last { $0.kind == .diskFull }?.priority == .error)
    daemon.world.disk.faults.byteCountMax = nil
    daemon.world.pass(2_000)
    try daemon.buy("u9", "monthly")
    #expect(try daemon.call("Daemon.Describe").text("status")?.hasPrefix("disk") == false)
  }

  @Test("A reserve that cannot be made is said while purchases still go on")
  func reserveMissing() throws {
    let daemon = try TestDaemon { $0.settings = LogSettings(segmentByteCount: 32 << 10) }
    daemon.world.disk.faults.byteCountMax = daemon.world.disk.byteCount
    let whole = try daemon.call("Log.Describe").int("segments")
    while try daemon.call("Log.Describe").int("segments") == whole { try daemon.buy("u1", "coins") }
    daemon.world.pass(1_000)
    let status = "disk nearly full: no space for a reserve segment"
    #expect(daemon.world.status == status)
    try daemon.buy("u1", "coins")
    try daemon.restart()
    #expect(try daemon.call("Daemon.Describe").text("status") == status)
    try daemon.buy("u1", "coins")
    daemon.world.disk.faults.byteCountMax = nil
    daemon.world.pass(2_000)
    #expect(daemon.world.notices.last { $0.kind == .diskFreed } != nil)
    #expect(try daemon.call("Daemon.Describe").text("status")?.hasPrefix("disk") == false)
  }

  @Test("A disk that is full to the last byte delays renewals, and loses none")
  func reserveUsedUp() throws {
    let daemon = try TestDaemon { $0.settings = LogSettings(segmentByteCount: 16 << 10) }
    for account in 0..<20 { try daemon.buy("a\(account)", "weekly") }
    daemon.world.disk.faults.byteCountMax = daemon.world.disk.byteCount
    daemon.world.send("org.renewd.Clocks.Advance", json(#"{"by":"P3Y"}"#), from: daemon.root)
    daemon.world.settleNew()
    daemon.world.pass(5_000)
    #expect(daemon.root.takeReplies().isEmpty, "the advance waits")
    let reader = daemon.world.connect(uid: 1001)
    let check = try daemon.call("Membership.Check", #"{"account":"a1"}"#, by: reader)
    #expect(check.flag("entitled") == true)
    daemon.world.disk.faults.byteCountMax = nil
    daemon.world.pass(5_000)
    let reply = try #require(daemon.root.takeReply())
    #expect(reply.int("events") == 3_120)
    #expect(try daemon.history("a1").count == 157)
  }

  @Test("A failed sync is final: who waits gets LogFailed, the daemon leaves with 74")
  func syncFails() throws {
    for offset in 0..<2 {
      let daemon = try TestDaemon()
      try daemon.buy("u1", "monthly")
      let reader = daemon.world.connect(uid: 1001)
      daemon.world.settleNew()
      let operation = daemon.world.disk.operationCount + offset
      daemon.world.disk.faults.failures[operation] = DiskError.codeInputOutput
      daemon.world.send(
        "org.renewd.Store.Purchase", json(#"{"account":"u2","productId":"monthly"}"#),
        from: daemon.root)
      daemon.world.send("org.renewd.Membership.Check", json(#"{"account":"u2"}"#), from: reader)
      daemon.world.settleNew()
      #expect(daemon.root.takeReplies().map(\.error) == ["org.renewd.LogFailed"])
      #expect(reader.takeReplies().map(\.error) == ["org.renewd.LogFailed"])
      #expect(daemon.world.exitStatus == 74)
      #expect(daemon.world.notices.contains { $0.kind == .logFailed })
      #expect(daemon.world.disk.syncsAfterFailure == 0)
      daemon.world.disk.faults.failures.removeAll()
      daemon.world.losePower()
      try daemon.world.start()
      daemon.world.reconnect(daemon.root)
      #expect(try daemon.isEntitled("u1") == true)
      #expect(daemon.world.disk.syncsAfterFailure == 0)
    }
  }

  @Test("A failure at every operation of a script loses nothing acknowledged and starts again")
  func failureEverywhere() throws {
    func script(failingAt operation: Int?) throws -> Int {
      let daemon = try TestDaemon { $0.settings = LogSettings(segmentByteCount: 16 << 10) }
      if let operation { daemon.world.disk.faults.failures[operation] = 5 }
      var bought = 0
      for number in 0..<40 {
        daemon.world.send(
          "org.renewd.Store.Purchase",
          json(#"{"account":"u\#(number % 3)","productId":"coins","requestId":"r\#(number)"}"#),
          from: daemon.root)
        daemon.world.settleNew()
        if daemon.root.takeReplies().first?.error == nil { bought += 1 }
        if daemon.world.exitStatus != nil {
          daemon.world.losePower()
          try daemon.world.start()
          daemon.world.reconnect(daemon.root)
          bought -= 1
          break
        }
      }
      let last = daemon.world.disk.operationCount
      let log = try daemon.log()
      #expect(log.kinds.count { $0 == "purchased" } >= bought)
      #expect(log.compactMap { $0["sequence"]?.int64Value } == Array(1...Int64(log.count)))
      #expect(daemon.world.disk.syncsAfterFailure == 0)
      return last
    }
    let last = try script(failingAt: nil)
    let first = last - 140
    for operation in stride(from: first, to: last, by: TestSize.times(1, quick: 7)) {
      _ = try script(failingAt: operation)
    }
  }

  @Test("B71: side files deleted or garbled give the same sequence and the same answers")
  func sideFiles() throws {
    let daemon = try TestDaemon()
    try daemon.buy("u1", "monthly")
    try daemon.advance(to: time("2026-01-31T10:00"))
    try daemon.call("Log.Snapshot")
    try daemon.buy("u2", "weekly")
    let before = try (daemon.status("u1"), daemon.status("u2"), daemon.log())
    let disk = daemon.world.disk
    let snapshot = try #require(disk.names.first { $0.hasPrefix("snapshot-") })
    let bytes = try #require(disk.contents(of: snapshot))
    let garbled = bytes.enumerated().map {
      $0.offset == bytes.count / 2 ? $0.element ^ 1 : $0.element
    }
    for contents in [nil, garbled, Array(bytes.prefix(bytes.count / 2)), [], bytes] {
      daemon.world.kill()
      if let contents {
        disk.setContents(of: snapshot, contents)
      } else {
        disk.discard(snapshot)
      }
      try daemon.world.start()
      daemon.world.reconnect(daemon.root)
      #expect(
        daemon.world.recoveryNotices.isEmpty == (contents == nil || contents == bytes),
        "a damaged side file is said to be so")
      #expect(try daemon.status("u1") == before.0)
      #expect(try daemon.status("u2") == before.1)
      #expect(try daemon.log() == before.2)
      #expect(try daemon.call("Log.Verify")["damage"] == nil)
    }
  }

  @Test("B77: a snapshot of another fold is dropped with a notice, and a new one can be written")
  func otherFold() throws {
    let daemon = try TestDaemon()
    try daemon.buy("u1", "monthly")
    try daemon.call("Log.Snapshot")
    let before = try daemon.status("u1")
    let disk = daemon.world.disk
    let recovered = try Recovery.open(
      disk.copy(seed: 1), settings: daemon.world.options.settings,
      newIdentity: LogIdentity(low: 0, high: 0))
    daemon.world.kill()
    for name in disk.names where name.hasPrefix("snapshot-") { disk.discard(name) }
    try SnapshotFile.write(
      disk, SnapshotStamp(foldVersion: State.foldVersion + 1, point: recovered.index.end),
      index: recovered.index, payload: [1, 2, 3])
    try daemon.world.start()
    daemon.world.reconnect(daemon.root)
    #expect(
      daemon.world.recoveryNotices.contains { $0.contains("version \(State.foldVersion + 1)") })
    #expect(try daemon.status("u1") == before)
    try daemon.call("Log.Snapshot")
    try daemon.restart()
    #expect(daemon.world.recoveryNotices.isEmpty)
  }
}
