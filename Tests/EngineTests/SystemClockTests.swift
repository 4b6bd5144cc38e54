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
