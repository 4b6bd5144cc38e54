import Engine
import JSON
import Simulation
import Testing

@Suite("The system's clock")
struct SystemClockTests {
  /// A daemon without a test clock, with one monthly subscription from `january` on.
  private func daemon() throws -> TestDaemon {
    let daemon = try TestDaemon(clock: nil)
    try daemon.buy("u1", "monthly")
    return daemon
  }

  private let firstRenewal = time("2025-02-28T10:00")

  @Test("A renewal is done when it is due, and carries its deadline")
  func renewsInTime() throws {
    let daemon = try daemon()
    daemon.world.pass(1_000)
    #expect(daemon.world.wake == firstRenewal)
    daemon.world.pass(firstRenewal - january - 1_001)
    #expect(try daemon.history("u1").count == 1)
    daemon.world.pass(1)
    #expect(try daemon.history("u1").count == 2)
    #expect(try daemon.log().last?["at"]?.int64Value == firstRenewal)
    #expect(daemon.world.wake == time("2025-03-31T10:00"))
  }

  @Test("B15: a machine that slept over a deadline renews when it wakes, as of its due time")
  func suspended() throws {
    let daemon = try daemon()
    daemon.world.suspend(firstRenewal - january - 23 * hour)
    #expect(try daemon.history("u1").count == 1)
    daemon.world.suspend(24 * hour)
    let renewal = try #require(try daemon.log().last)
    #expect(renewal["kind"]?.stringValue == "renewed")
    #expect(renewal["at"]?.int64Value == firstRenewal)
    #expect(renewal["recorded"]?.int64Value == firstRenewal + hour)
  }

  @Test("B15: a clock set 24 hours on renews what fell due in 23, as of its due time")
  func steppedOver() throws {
    let daemon = try daemon()
    daemon.world.pass(firstRenewal - january - 23 * hour)
    daemon.world.stepClock(24 * hour)
    let renewals = try daemon.log().filter { $0["kind"]?.stringValue == "renewed" }
    #expect(renewals.map { $0["at"]?.int64Value } == [firstRenewal])
    #expect(daemon.world.notices.contains { $0.kind == .clockStepped })
  }

  @Test("Missed time after a reboot is caught up with, and is no step of the clock")
  func rebootIsDowntime() throws {
    let daemon = try daemon()
    try daemon.world.reboot(after: 100 * day)
    daemon.world.reconnect(daemon.root)
    let renewals = try daemon.log().filter { $0["kind"]?.stringValue == "renewed" }
    #expect(
      renewals.map { $0["at"]?.int64Value } == [
        time("2025-02-28T10:00"), time("2025-03-31T10:00"), time("2025-04-30T10:00"),
      ])
    #expect(try daemon.call("Clocks.List").list("clocks")[0]["held"]?.boolValue == false)
    #expect(try daemon.isEntitled("u1") == true)
    #expect(daemon.world.notices.allSatisfy { $0.kind != .clockHeld && $0.kind != .clockStepped })
  }

  @Test("Case 5: a machine's clock set back a year changes no answer; time stands until then")
  func stepBack() throws {
    let daemon = try daemon()
    daemon.world.pass(10 * day)
    let before = try daemon.status("u1")
    daemon.world.stepClock(-365 * day)
    let after = try daemon.status("u1")
    #expect(after.int("asOf") == before.int("asOf"))
    #expect(after.list("subscriptions") == before.list("subscriptions"))
    #expect(daemon.world.notices.contains { $0.kind == .clockStepped })
    daemon.world.pass(364 * day)
    #expect(try daemon.status("u1").int("asOf") == before.int("asOf"))
    #expect(try daemon.history("u1").count == 1)
    daemon.world.pass(1 * day + hour)
    #expect(try daemon.status("u1").int("asOf") == january + 10 * day + hour)
  }

  @Test("A step of 47 hours is taken, one of 49 holds what is due until it is accepted")
  func hold() throws {
    for (hours, isHeld) in [(47, false), (48, false), (49, true), (24 * 3650, true)] {
      let daemon = try daemon()
      daemon.world.pass(firstRenewal - january - hour)
      let before = try #require(try daemon.status("u1").int("asOf"))
      daemon.world.stepClock(Int64(hours) * hour)
      let clock = try daemon.call("Clocks.List").list("clocks")[0]
      #expect(clock["held"]?.boolValue == isHeld)
      #expect(try daemon.history("u1").count == (isHeld ? 1 : 2))
      guard isHeld else { continue }
      #expect(clock["now"]?.int64Value == before, "time goes on from before the step")
      #expect(daemon.world.status.hasPrefix("holding renewals: the clock jumped \(hours) h"))
      #expect(daemon.world.notices.contains { $0.kind == .clockHeld })
      daemon.world.pass(hour / 2)
      #expect(try daemon.status("u1").int("asOf") == before + hour / 2)
      // It stays held over restarts of the daemon and of the machine.
      try daemon.restart()
      #expect(try daemon.history("u1").count == 1)
      let accepted = try daemon.call("Clocks.Accept", #"{"clock":"system"}"#)
      #expect(accepted["clock"]?["held"]?.boolValue == false)
      daemon.world.turn()
      daemon.world.settle()
      #expect(try daemon.history("u1").count > 1)
      #expect(
        try daemon.history("u1")[1]["purchaseDate"]?.int64Value == firstRenewal)
      #expect(
        try daemon.status("u1").int("asOf") == before + hour / 2 + Int64(hours) * hour)
    }
  }

  @Test("A renewal that falls due while the clock is held is done in the held clock's time")
  func renewsWhileHeld() throws {
    let daemon = try daemon()
    daemon.world.pass(firstRenewal - january - hour)
    daemon.world.stepClock(100 * hour)
    daemon.world.pass(hour - 1)
    #expect(try daemon.history("u1").count == 1)
    daemon.world.pass(1)
    #expect(try daemon.history("u1").count == 2)
    #expect(try daemon.history("u1")[1]["purchaseDate"]?.int64Value == firstRenewal)
  }

  @Test("A clock set back to where it was before a hold ends the hold")
  func stepBackReleases() throws {
    let daemon = try daemon()
    daemon.world.stepClock(1_000 * hour)
    daemon.world.stepClock(-1_000 * hour)
    let clock = try daemon.call("Clocks.List").list("clocks")[0]
    #expect(clock["held"]?.boolValue == false)
    #expect(clock["now"]?.int64Value == january)
    #expect(try daemon.error("Clocks.Accept", #"{"clock":"system"}"#) == "NotPossible")
  }

  @Test("A step made while the daemon was down is a step all the same")
  func stepWhileDown() throws {
    let daemon = try daemon()
    daemon.world.kill()
    daemon.world.stepClock(60 * day)
    try daemon.world.start()
    daemon.world.reconnect(daemon.root)
    let clock = try daemon.call("Clocks.List").list("clocks")[0]
    #expect(clock["held"]?.boolValue == true)
    #expect(try daemon.history("u1").count == 1)
  }

  @Test("A leap right after a boot of which nothing was written yet does not excuse the next")
  func leapAfterABoot() throws {
    let daemon = try daemon()
    try daemon.world.reboot(after: hour)
    daemon.world.reconnect(daemon.root)
    daemon.world.stepClock(30 * day)
    daemon.world.pass(hour)
    daemon.world.stepClock(49 * hour)
    let clock = try daemon.call("Clocks.List").list("clocks")[0]
    #expect(clock["held"]?.boolValue == true)
    #expect(try daemon.status("u1").int("asOf") == january + 2 * hour)
    #expect(try daemon.history("u1").count == 1)
    daemon.world.kill()
    try daemon.world.start()
    daemon.world.reconnect(daemon.root)
    #expect(try daemon.status("u1").int("asOf") == january + 2 * hour)
  }

  @Test("A board whose clock is far behind at start, then put right, goes on by itself")
  func wrongPastAtStart() throws {
    for (behind, carried, isHeld) in [
      (100 * hour, 0, false), (365 * day, 5 * hour, false), (9_000 * day, 48 * hour, false),
      (100 * hour, 48 * hour + 60_000, true), (365 * day, 60 * day, true),
    ] {
      let daemon = try daemon()
      daemon.world.pass(day)
      try daemon.buy("u2", "monthly")
      try daemon.world.reboot(after: -behind)
      daemon.world.reconnect(daemon.root)
      #expect(daemon.world.notices.contains { $0.message.contains("behind what the log knows") })
      #expect(try daemon.status("u1").int("asOf") == january + day)
      // What is bought meanwhile is dated by the time that the log knows, not years back.
      let reply = try daemon.call(
        "Store.Purchase", #"{"account":"u3","productId":"monthly"}"#)
      #expect(reply["transaction"]?["purchaseDate"]?.int64Value == january + day)
      daemon.world.stepClock(behind + carried)
      let clock = try daemon.call("Clocks.List").list("clocks")[0]
      #expect(clock["held"]?.boolValue == isHeld, "\(behind) \(carried)")
      #expect(clock["now"]?.int64Value == january + day + (isHeld ? 0 : carried))
      guard !isHeld else { continue }
      daemon.world.pass(60 * day)
      #expect(try daemon.history("u3").count == 3)
    }
  }

  @Test("A clock set back and put right days later is no leap, also over a restart in between")
  func wrongPastWhileRunning() throws {
    for isRestarted in [false, true] {
      let daemon = try daemon()
      daemon.world.stepClock(-365 * day)
      daemon.world.pass(10 * day)
      if isRestarted { try daemon.restart() }
      #expect(try daemon.status("u1").int("asOf") == january)
      daemon.world.stepClock(365 * day + 47 * hour)
      let clock = try daemon.call("Clocks.List").list("clocks")[0]
      #expect(clock["held"]?.boolValue == false)
      #expect(clock["now"]?.int64Value == january + 10 * day + 47 * hour)
      daemon.world.stepClock(-100 * hour)
      daemon.world.stepClock(100 * hour + 49 * hour)
      #expect(try daemon.call("Clocks.List").list("clocks")[0]["held"]?.boolValue == true)
    }
  }

  @Test("A step back while the daemon is down takes back nothing that was told before")
  func stepBackWhileDown() throws {
    let daemon = try daemon()
    daemon.world.pass(10 * day)
    let told = try #require(try daemon.status("u1").int("asOf"))
    #expect(told == january + 10 * day)
    daemon.world.kill()
    daemon.world.stepClock(-365 * day)
    try daemon.world.start()
    daemon.world.reconnect(daemon.root)
    #expect(try daemon.status("u1").int("asOf") == told)
  }

  @Test("A new log on a board in 2001 that sold something is held in 2026, until it is accepted")
  func newLogInThePast() throws {
    let daemon = try TestDaemon(clock: nil) { $0.realtime = time("2001-01-01") }
    try daemon.buy("u1", "monthly")
    daemon.world.stepClock(time("2026-01-01") - time("2001-01-01"))
    let clock = try daemon.call("Clocks.List").list("clocks")[0]
    #expect(clock["held"]?.boolValue == true)
    #expect(clock["now"]?.int64Value == time("2001-01-01"))
    #expect(daemon.world.notices.contains { $0.message.contains("renewctl clock accept") })
    #expect(try daemon.history("u1").count == 1)
    try daemon.call("Clocks.Accept", #"{"clock":"system"}"#)
    daemon.world.turn()
    daemon.world.settle()
    #expect(try daemon.history("u1").count == 301)
    #expect(try daemon.status("u1").int("asOf") == time("2026-01-01"))
  }

  @Test(
    "A machine's clock outside 2000 to 2099 sells and signs nothing by it, and says so",
    arguments: [0, time("1999-12-31T23:59"), time("2100-01-01"), time("2150-01-01")])
  func outsideTheBounds(realtime: Int64) throws {
    let daemon = try TestDaemon(clock: nil) { $0.realtime = realtime }
    for (method, parameters) in [
      ("Store.Purchase", #"{"account":"u1","productId":"monthly"}"#),
      ("Store.AppTransaction", #"{"account":"u1"}"#),
      ("Membership.Status", #"{"account":"u1","signed":true}"#),
    ] {
      let reply = try daemon.reply(method, parameters)
      #expect(reply.error == "org.renewd.InvalidTime", "\(method)")
      #expect(reply.text("reason")?.contains("2000-01-01 to 2099-12-31") == true)
    }
    #expect(daemon.world.notices.contains { $0.kind == .clockWrong })
    #expect(daemon.world.status.contains("nothing is sold or signed"))
    // Test clocks have a time of their own.
    try daemon.call("Clocks.Create", #"{"name":"A","at":\#(january)}"#)
    try daemon.buy("u2", "monthly", #","clock":"A""#)
    #expect(try daemon.call("Clocks.Advance", #"{"clock":"A","by":"P1M"}"#).int("events") == 1)
    // Once it is set it goes on by itself.
    daemon.world.stepClock(january - realtime)
    try daemon.buy("u1", "monthly")
    #expect(try daemon.status("u1").int("asOf") == january)
    #expect(daemon.world.status.contains("nothing is sold") == false)
  }

  @Test("A log that knows its time goes on selling by it on a board that wakes in 1970")
  func knownTimeIn1970() throws {
    let daemon = try daemon()
    try daemon.world.reboot(after: -january)
    daemon.world.reconnect(daemon.root)
    let reply = try daemon.call("Store.Purchase", #"{"account":"u2","productId":"monthly"}"#)
    #expect(reply["transaction"]?["purchaseDate"]?.int64Value == january)
    #expect(daemon.world.notices.contains { $0.kind == .clockWrong })
    daemon.world.stepClock(january + hour)
    #expect(try daemon.call("Clocks.List").list("clocks")[0]["held"]?.boolValue == false)
    #expect(try daemon.status("u2").int("asOf")! >= january + hour)
  }

  @Test("A machine that starts in 2150 renews nothing that would be due by then")
  func farFuture() throws {
    let daemon = try daemon()
    try daemon.world.reboot(after: time("2150-01-01") - january)
    daemon.world.reconnect(daemon.root)
    #expect(try daemon.history("u1").count == 1)
    let purchase = #"{"account":"u2","productId":"monthly"}"#
    #expect(try daemon.error("Store.Purchase", purchase) == "InvalidTime")
    #expect(try daemon.status("u1").int("asOf") == january)
  }

  @Test("B18: the daemon's clock decides; the answer carries the time that was used")
  func daemonDecides() throws {
    let daemon = try daemon()
    let present = try daemon.status("u1")
    #expect(present.flag("entitled") == true)
    #expect(present.int("asOf") == january)
    #expect(present.text("basis") == "present")
    let ahead = try daemon.status("u1", at: january + 2 * hour)
    #expect(ahead.flag("entitled") == true)
    #expect(ahead.text("basis") == "forecast")
    #expect(ahead.int("asOf") == january + 2 * hour)
  }

  @Test("The wake-up is the earliest of all that is due on the system's clock")
  func wakes() throws {
    let daemon = try daemon()
    try daemon.buy("u2", "weekly")
    // The status line, which is told now and then, wakes it too.
    daemon.world.pass(1_000)
    #expect(daemon.world.wake == january + 7 * day)
    try daemon.call("Testing.Refund", #"{"account":"u2"}"#)
    daemon.world.pass(1_000)
    #expect(daemon.world.wake == firstRenewal)
    _ = daemon.watch()
    #expect(daemon.world.wake == january + 17_000)
  }
}
