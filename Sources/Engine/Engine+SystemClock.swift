import Subscriptions

/// The system's clock: never back, never past what is due, and held after a long jump forward.
extension Engine {
  /// The machine's time as the state takes it: without the part that is held. A clock that shows
  /// what no clock may show moves nothing.
  var machineTime: Instant {
    isMachineClockInRange
      ? Instant(milliseconds: reading.realtime - state.heldMilliseconds) : state.clocks[0].now
  }

  /// Moves the effective time on, up to the first deadline not dealt with.
  func moveSystemClock() {
    // What reaches many lines reaches them all at one time.
    guard state.sweeps.isEmpty else { return }
    // A new log on a machine that does not know the time begins before all times.
    guard state.sequence > 0 || isMachineClockInRange else {
      state.setSystemTime(Instant(milliseconds: 0), earliestDeadline: .never)
      return
    }
    let earliest = books.nextDue(on: Clock.system)?.time
    state.setSystemTime(machineTime, earliestDeadline: earliest ?? .never)
  }

  /// Looks at the drift of realtime against boottime, which a step of the clock changes and
  /// nothing else does. A new boot is no step: what fell due meanwhile is caught up with.
  func observeClocks() {
    observeRange()
    let seen = reading.realtime - reading.boottime
    let isFirst = drift == nil
    let known = drift ?? (state.boot?.id == boot ? state.boot?.realMinusBoot : nil) ?? seen
    // What is written from here on comes of a boot whose clock showed this, until the step is told.
    drift = known
    defer { drift = seen }
    let step = seen - known
    guard state.sequence > 0 else { return }
    guard abs(step) >= Limits.clockStepMilliseconds else {
      if isFirst { tellIfBehind() }
      return
    }
    // Where the machine's clock would be without the step: nobody was told more.
    let unmoved = reading.boottime + known - state.heldMilliseconds
    if step < 0 { catchUp(to: unmoved) }
    if isMachineClockInRange, isLeap(from: known) {
      hold(from: max(unmoved, state.clocks[0].now.milliseconds), step)
    } else if step < 0, state.heldMilliseconds > 0 {
      release(-step)
    } else {
      tell(step)
    }
    note(drift: seen)
  }

  /// Whether the clock would now carry the effective time by more than 48 hours beyond where it
  /// was, or would be had the clock shown all the while what it once showed in this boot. The way
  /// back from a wrong past is none; nor is the first time that a new log learns.
  private func isLeap(from known: Int64) -> Bool {
    guard state.clocks[0].now >= Subscriptions.Limits.timeMin else { return false }
    let held = state.heldMilliseconds
    let best =
      state.boot?.id == boot ? max(state.effectiveDriftMax, known - held) : known - held
    let reached = max(state.clocks[0].now.milliseconds, reading.boottime + best)
    return machineTime.milliseconds - reached > Limits.clockHoldMilliseconds
  }

  /// A daemon that was down goes on from the time that it may have told before it, where the
  /// clock was set back meanwhile.
  private func catchUp(to time: Int64) {
    let instant = Instant(milliseconds: time)
    guard instant >= Subscriptions.Limits.timeMin, instant <= Subscriptions.Limits.timeMax else {
      return
    }
    let earliest = books.nextDue(on: Clock.system)?.time
    state.setSystemTime(instant, earliestDeadline: earliest ?? .never)
  }

  private func tell(_ step: Int64) {
    let hours = abs(step) / 3_600_000
    let minutes = abs(step) / 60_000 % 60
    let isBehind = machineTime < state.clocks[0].now
    outputs.append(
      .notice(
        Notice(
          .clockStepped, .warning,
          "the machine's clock stepped \(step > 0 ? "forward" : "back") by \(hours) h "
            + "\(minutes) min; "
            + (isBehind ? "the clock stands until it is passed" : "what is due is done now"))))
  }

  /// A machine may boot with a clock that is behind what the log knows.
  private func tellIfBehind() {
    let now = state.clocks[0].now
    let gap = now.milliseconds - machineTime.milliseconds
    guard gap >= Limits.clockStepMilliseconds else { return }
    outputs.append(
      .notice(
        Notice(
          .clockStepped, .warning,
          "the machine's clock is \(gap / 3_600_000) h \(gap / 60_000 % 60) min behind what the "
            + "log knows; the clock stands at \(now.rfc3339) until that is passed")))
  }

  private func hold(from start: Int64, _ step: Int64) {
    commit(
      Event(
        at: state.clocks[0].now, clock: Clock.system,
        fact: .clock(.clockHeld(behindMilliseconds: reading.realtime - start))))
    outputs.append(
      .notice(
        Notice(
          .clockHeld, .error,
          "holding renewals: the clock jumped \(step / 3_600_000) h forward; "
            + "see renewctl clock accept")))
  }

  private func release(_ step: Int64) {
    let rest = max(0, state.heldMilliseconds - step)
    commit(
      Event(
        at: state.clocks[0].now, clock: Clock.system,
        fact: .clock(rest == 0 ? .clockAccepted : .clockHeld(behindMilliseconds: rest))))
  }

  /// The drift has changed for good; the next start in this boot compares with the new one.
  private func note(drift: Int64) {
    observeBootIfNew()
    commit(
      Event(
        at: state.clocks[0].now, clock: Clock.system,
        fact: .log(.bootObserved(boot: boot, realMinusBoot: drift))))
  }

  /// The moment at which the shell must wake the engine, on the machine's realtime clock.
  func outputWake() {
    var wake: Int64?
    func sooner(_ time: Int64) { wake = min(wake ?? time, time) }
    if isMachineClockInRange, let entry = books.nextDue(on: Clock.system) {
      // A held clock goes on too, only behind the machine's.
      sooner(entry.time.milliseconds + state.heldMilliseconds)
    }
    if let deferred { sooner(deferred.at) }
    if dueBlockedUntil > reading.realtime { sooner(dueBlockedUntil) }
    if status.isBehind { sooner(status.at + Limits.statusMilliseconds) }
    if isStopping { sooner(reading.realtime + Limits.stopTickMilliseconds) }
    if let time = nextCheck { sooner(time) }
    if let beat = nextHeartbeat { sooner(beat) }
    let instant = wake.map { Instant(milliseconds: $0) }
    guard instant != lastWake else { return }
    lastWake = instant
    outputs.append(.wake(instant))
  }
}
