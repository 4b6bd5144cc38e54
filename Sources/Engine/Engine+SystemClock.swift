import Subscriptions

/// The system's clock: never back, never past what is due, and held after a long jump forward
/// (reliability.md 11).
extension Engine {
  /// The machine's time as the state takes it: without the part that is held.
  var machineTime: Instant {
    Instant(milliseconds: reading.realtime - state.heldMilliseconds)
  }

  /// Moves the effective time on, up to the first deadline not dealt with.
  func moveSystemClock() {
    // What reaches many lines reaches them all at one time.
    guard state.sweeps.isEmpty else { return }
    let earliest = queues.isEmpty ? nil : nextDue(on: Clock.system)?.time
    state.setSystemTime(machineTime, earliestDeadline: earliest ?? .never)
  }

  /// Looks at the drift of realtime against boottime, which a step of the clock changes and
  /// nothing else does. A new boot is no step: what fell due meanwhile is caught up with.
  func observeClocks() {
    let seen = reading.realtime - reading.boottime
    let known = drift ?? (state.boot?.id == boot ? state.boot?.realMinusBoot : nil) ?? seen
    drift = seen
    let step = seen - known
    guard abs(step) >= Limits.clockStepMilliseconds, state.sequence > 0 else { return }
    if step > Limits.clockHoldMilliseconds {
      hold(step)
    } else if step < 0, state.heldMilliseconds > 0 {
      release(-step)
    } else {
      let hours = abs(step) / 3_600_000
      let minutes = abs(step) / 60_000 % 60
      outputs.append(
        .notice(
          Notice(
            .clockStepped, .warning,
            "the machine's clock stepped \(step > 0 ? "forward" : "back") by \(hours) h "
              + "\(minutes) min; "
              + (step > 0 ? "what is due is done now" : "the clock stands until it is passed"))))
    }
    note(drift: seen)
  }

  private func hold(_ step: Int64) {
    let total = state.heldMilliseconds + step
    commit(
      Event(
        at: state.clocks[0].now, clock: Clock.system,
        fact: .clockHeld(behindMilliseconds: total)))
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
        fact: rest == 0 ? .clockAccepted : .clockHeld(behindMilliseconds: rest)))
  }

  /// The drift has changed for good; the next start in this boot compares with the new one.
  private func note(drift: Int64) {
    commit(
      Event(
        at: state.clocks[0].now, clock: Clock.system,
        fact: .bootObserved(boot: boot, realMinusBoot: drift)))
  }

  /// The moment at which the shell must wake the engine, on the machine's realtime clock.
  func outputWake() {
    var wake: Int64?
    func sooner(_ time: Int64) { wake = min(wake ?? time, time) }
    if let entry = nextDue(on: Clock.system) {
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
