import Engine
import EventLog
import Simulation
import Testing

@Suite("Damage before the newest snapshot: what is found at a start, and what the check finds")
struct CheckTests {
  /// A daemon whose log has several segments and a snapshot near its end.
  private func longLog() throws -> TestDaemon {
    let daemon = try TestDaemon { $0.settings = LogSettings(segmentByteCount: 16 << 10) }
    try daemon.buy("first", "monthly")
    while segments(daemon).count < 5 { try daemon.buy("u1", "coins") }
    try daemon.call("Log.Snapshot")
    try daemon.buy("last", "monthly")
    return daemon
  }

  private func segments(_ daemon: TestDaemon) -> [String] {
    daemon.world.disk.names.filter { $0.hasSuffix(".log") }
  }

  /// Flips a bit in the first batches of a file.
  private func flip(_ file: String, of daemon: TestDaemon) throws {
    var bytes = try #require(daemon.world.disk.contents(of: file))
    bytes[600] ^= 1
    daemon.world.disk.setContents(of: file, bytes)
  }

  private func refusal(_ daemon: TestDaemon) -> LogError? {
    do throws(LogError) {
      try daemon.world.start()
      return nil
    } catch {
      return error
    }
  }

  @Test("After a start all segments are checked, and the result is told")
  func sound() throws {
    let daemon = try longLog()
    #expect(try daemon.call("Log.Describe")["checked"] == nil, "a log that begins has nothing")
    let sequence = try daemon.call("Log.Describe").int("sequence")
    try daemon.restart()
    daemon.world.pass(10_000)
    let described = try daemon.call("Log.Describe")
    #expect(described.int("checked") == sequence)
    #expect(described["damage"] == nil)
    let told = try #require(daemon.world.notices.last { $0.kind == .logChecked })
    #expect(told.priority == .info)
    #expect(told.message.hasPrefix("the log was checked and is sound: events to \(sequence!)"))
    #expect(daemon.world.wake == nil || daemon.world.wake! > daemon.world.machine.realtime + 1_000)
  }

  @Test("A log longer than a slice is checked in several, and reads come in between")
  func slices() throws {
    let daemon = try TestDaemon { $0.settings = LogSettings(segmentByteCount: 64 << 10) }
    let text = String(repeating: "x", count: 100)
    var number = 0
    while try daemon.call("Log.Describe").int("bytes")! < 1_300_000 {
      for _ in 0..<200 {
        number += 1
        daemon.world.send(
          "org.renewd.Store.Purchase",
          json(#"{"account":"\#(number)\#(text)","productId":"coins"}"#), from: daemon.root)
      }
      daemon.world.settle()
      _ = daemon.root.takeReplies()
    }
    let start = try daemon.call("Log.Describe").int("sequence")
    try daemon.restart()
    #expect(try daemon.call("Log.Describe")["checked"] == nil, "one slice is not all")
    #expect(try daemon.history("1" + text).count == 1)
    daemon.world.pass(1_000)
    #expect(try daemon.call("Log.Describe").int("checked") == start)
  }

  @Test("A damaged old segment: the start goes on, and the check says so everywhere")
  func damaged() throws {
    let daemon = try longLog()
    let file = segments(daemon)[0]
    let whole = try #require(daemon.world.disk.contents(of: file))
    try flip(file, of: daemon)
    try daemon.restart()
    daemon.world.pass(1_000)
    let damage = try #require(daemon.call("Log.Describe").text("damage"))
    #expect(damage.hasPrefix("\(file) is damaged at offset "))
    #expect(try daemon.call("Daemon.Describe").text("status") == "log damaged: \(damage)")
    #expect(daemon.world.status == "log damaged: \(damage)")
    let told = try #require(daemon.world.notices.last { $0.kind == .logChecked })
    #expect(told.priority == .error && told.message.contains(damage))
    #expect(told.message.contains("the last good sequence before it is "))
    // What is in memory is served, and written on.
    #expect(try daemon.isEntitled("last") == true)
    try daemon.buy("later", "coins")
    // What cannot be read is said to be just that.
    let reply = try daemon.reply("Log.Read", #"{"from":1}"#)
    #expect(reply.error == "org.renewd.LogFailed")
    #expect(reply.text("reason")?.hasPrefix("the log cannot be read: \(file) is damaged") == true)
    #expect(!daemon.world.notices.contains { $0.kind == .logFailed })
    #expect(daemon.world.notices.contains { $0.kind == .logUnreadable })
    // Put back, and looked at again.
    daemon.world.disk.setContents(of: file, whole)
    #expect(try daemon.call("Log.Verify")["damage"] == nil)
    #expect(try daemon.call("Log.Describe")["damage"] == nil)
    #expect(try daemon.call("Daemon.Describe").text("status")?.contains("damaged") == false)
  }

  @Test("What verify finds while the daemon runs is known from then on")
  func verified() throws {
    let daemon = try longLog()
    try flip(segments(daemon)[1], of: daemon)
    #expect(try daemon.call("Log.Describe")["damage"] == nil)
    let found = try #require(daemon.call("Log.Verify").text("damage"))
    #expect(try daemon.call("Log.Describe").text("damage") == found)
    #expect(try daemon.call("Daemon.Describe").text("status") == "log damaged: \(found)")
  }

  @Test("A segment missing before the snapshot stops the start, by name")
  func missing() throws {
    let daemon = try longLog()
    let file = segments(daemon)[2]
    daemon.world.kill()
    daemon.world.disk.discard(file)
    let names = daemon.world.disk.names
    guard case .damaged(let damage)? = refusal(daemon) else {
      Issue.record("the start went on")
      return
    }
    #expect(damage.file == file && damage.what.hasPrefix("it is missing: "))
    #expect(daemon.world.disk.names == names)
  }

  @Test("A snapshot newer than the log stops the start, until the loss is accepted")
  func lost() throws {
    let daemon = try longLog()
    let files = segments(daemon)
    let first = try daemon.history("first")
    daemon.world.kill()
    for file in files[3...] { daemon.world.disk.discard(file) }
    guard case .lost(let loss)? = refusal(daemon) else {
      Issue.record("the start went on")
      return
    }
    #expect(loss.file == files[2] && loss.fileByteCount == 16 << 10)
    #expect(loss.witness.sequence > loss.lastSequence)
    #expect(refusal(daemon) == .lost(loss), "it is found at every start")
    let accepted = try LogRecovery.acceptLoss(daemon.world.disk, at: loss.lastSequence)
    #expect(accepted.aside == [loss.witness.sequence])
    try daemon.world.start()
    daemon.world.reconnect(daemon.root)
    let notice = try #require(daemon.world.recoveryNotices.first)
    let numbers = "\(loss.lastSequence + 1) to \(loss.witness.sequence)"
    #expect(notice.contains("events \(numbers) were lost"))
    #expect(try daemon.history("first") == first)
    #expect(try daemon.isEntitled("last") == false)
    try daemon.buy("u1", "coins")
    #expect(try daemon.call("Log.Verify")["damage"] == nil)
    try daemon.restart()
    #expect(daemon.world.recoveryNotices.count == 1, "it is said until the numbers are past")
  }

  @Test("A snapshot of other rules proves a loss too")
  func lostByOtherRules() throws {
    let daemon = try longLog()
    let disk = daemon.world.disk
    let recovered = try Recovery.open(
      disk.copy(seed: 1), settings: daemon.world.options.settings,
      newIdentity: LogIdentity(low: 0, high: 0))
    daemon.world.kill()
    for name in disk.names where name.hasPrefix("snapshot-") { disk.discard(name) }
    try SnapshotFile.write(
      disk, SnapshotStamp(foldVersion: 1, point: recovered.index.end), index: recovered.index,
      payload: [1])
    disk.discard(segments(daemon).last!)
    guard case .lost? = refusal(daemon) else {
      Issue.record("the start went on")
      return
    }
  }
}
