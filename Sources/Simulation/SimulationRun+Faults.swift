import EventLog
import JSON

/// What goes wrong: power, processes, disks, clocks; and how the daemon comes back.
extension SimulationRun {
  var wasFull: Bool { fullUntilStep >= step }

  /// The power goes, or the process is killed.
  func crash() throws(Violation) {
    crashCount += 1
    if chance(2, in: 3) {
      say("the power goes")
      world.losePower()
    } else {
      say("killed")
      world.kill()
    }
    try start(mayFail: chance(1, in: 5))
  }

  /// The daemon has left by itself, or does not run.
  func recover() throws(Violation) {
    say("the daemon left with \(world.exitStatus.map { "\($0)" } ?? "a crash")")
    crashCount += 1
    world.disk.faults.failures.removeAll()
    if chance(1, in: 2) { world.losePower() } else { world.kill() }
    try start(mayFail: false)
  }

  /// Starts the daemon and holds what it recovered against what was known before.
  func start(mayFail: Bool) throws(Violation) {
    let durable = world.durableSequence
    let inDoubt = world.lastInDoubt
    if mayFail {
      let operation = world.disk.operationCount + Int.random(in: 0..<20, using: &random)
      world.disk.faults.failures[operation] = DiskError.codeInputOutput
      say("a start with a failing disk")
      if (try? world.start()) == nil || world.exitStatus != nil {
        world.disk.faults.failures.removeAll()
        if chance(1, in: 2) { world.losePower() } else { world.kill() }
        return try startForGood(durable, nil)
      }
      world.disk.faults.failures.removeAll()
      return try auditRecovered(durable, nil)
    }
    try startForGood(durable, inDoubt)
  }

  private func startForGood(_ durable: UInt64, _ inDoubt: UInt64?) throws(Violation) {
    world.disk.faults.failures.removeAll()
    isDiskFailing = false
    do throws(LogError) {
      try world.start()
    } catch {
      throw Violation("the log cannot be opened: \(error)")
    }
    try auditRecovered(durable, inDoubt)
  }

  /// What was acknowledged is there, and the log ends where a batch ended.
  private func auditRecovered(_ durable: UInt64, _ inDoubt: UInt64?) throws(Violation) {
    let recovered = world.recoveredSequence
    try Violation.unless(
      recovered >= acknowledged, "\(acknowledged) was acknowledged, \(recovered) recovered")
    if let inDoubt {
      try Violation.unless(
        recovered == durable || recovered == inDoubt,
        "the log ends at \(recovered); batches ended at \(durable) and \(inDoubt)")
    }
    reconnectAll()
    try catchUpWithClock()
  }

  /// Brings a caller back whose connection has ended; what was still coming does not count.
  func attach(_ caller: SimulatedClient) {
    guard !caller.isConnected else { return }
    _ = caller.takeReplies()
    world.reconnect(caller)
  }

  func reconnectAll() {
    for index in watches.indices where !watches[index].client.isConnected { beginWatch(index) }
    if !poller.isConnected { polled = nil }
    attach(poller)
  }

  /// The disk fails once, soon: the daemon must leave and come back.
  func failDisk() {
    say("the disk will fail")
    isDiskFailing = true
    let operation = world.disk.operationCount + Int.random(in: 0..<12, using: &random)
    world.disk.faults.failures[operation] = DiskError.codeInputOutput
  }

  /// A call came to `LogFailed`: the disk has failed, and either the daemon leaves or it was
  /// only read.
  func auditFailure(of caller: SimulatedClient, _ what: String) throws(Violation) {
    try Violation.unless(
      isDiskFailing, "\(what) came to LogFailed, and the disk has not failed")
    world.settle()
  }

  /// The disk is full for some steps.
  func fillDisk() {
    say("the disk is full")
    world.disk.faults.byteCountMax = world.disk.byteCount + UInt64(chance(1, in: 2) ? 0 : 20_000)
    fullUntilStep = step + 8
  }

  // MARK: Time

  /// The model's system clock goes on to where the rule says the daemon's is.
  func catchUpWithClock() throws(Violation) {
    model.passSystem(to: world.machine.realtime - held)
  }

  func passTime(_ milliseconds: Int64) throws(Violation) {
    say("\(milliseconds / 60_000) minutes pass")
    world.pass(milliseconds, wakesMax: Limits.wakesMax)
    try catchUpWithClock()
  }

  func suspend(_ milliseconds: Int64) throws(Violation) {
    say("\(milliseconds / 60_000) minutes asleep")
    world.suspend(milliseconds)
    try catchUpWithClock()
  }

  /// Somebody sets the machine's clock: a step back changes nothing; one forward is held where it
  /// would carry the effective time by more than 48 hours beyond where it was, or would be had the
  /// clock never been set back.
  func stepClock(_ milliseconds: Int64) throws(Violation) {
    say("the clock is set \(milliseconds / 60_000) minutes on")
    noteDrift()
    let unmoved = world.machine.realtime - held
    let reached = max(model.clocks["system"] ?? unmoved, unmoved)
    let beyond = max(reached, world.machine.boottime + driftMax)
    world.stepClock(milliseconds)
    if world.machine.realtime - held > beyond + 48 * 3_600_000 {
      held = world.machine.realtime - reached
    } else if milliseconds < 0, held > 0 {
      held = max(0, held + milliseconds)
    }
    noteDrift()
    try catchUpWithClock()
  }

  private func noteDrift() {
    driftMax = max(driftMax, world.machine.realtime - world.machine.boottime - held)
  }

  func acceptClock() throws(Violation) {
    say("the clock is accepted")
    let caller = callers[0]
    if world.exitStatus != nil { try recover() }
    attach(caller)
    let reply = world.call(
      caller, "org.renewd.Clocks.Accept", .members([("clock", .string("system"))]))
    if reply?.error == "org.renewd.DiskFull" { return }
    if reply == nil || reply?.error == "org.renewd.LogFailed", isDiskFailing {
      // It may have been accepted or not: asked again, a clock not held says so.
      try recover()
      let list = try ask("org.renewd.Clocks.List").list("clocks")
      guard list.first?["held"]?.boolValue == true else {
        held = 0
        return try catchUpWithClock()
      }
      return try acceptClock()
    }
    try Violation.unless(
      reply?.error == nil && reply != nil,
      "a held clock was not accepted: \(reply?.error ?? "no answer")")
    held = 0
    world.turn()
    world.settle()
    try catchUpWithClock()
  }

  func reboot() throws(Violation) {
    let downtime = Int64.random(in: 1..<4_000, using: &random) * 60_000
    say("a reboot after \(downtime / 60_000) minutes")
    crashCount += 1
    let durable = world.durableSequence
    world.losePower()
    world.machine.reboot(after: downtime)
    driftMax = .min
    noteDrift()
    try startForGood(durable, world.lastInDoubt)
  }
}
