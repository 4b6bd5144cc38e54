import Subscriptions

/// The system's clock has the bounds of test clocks. Outside them nobody knows what time it is:
/// time stands, the daemon says so, and on that clock nothing is sold and nothing signed.
extension Engine {
  /// Whether the machine's clock shows what a clock may show.
  var isMachineClockInRange: Bool {
    Self.isInRange(Instant(milliseconds: reading.realtime))
  }

  /// Whether the system's clock has a time to sell and sign by. A machine's clock from before the
  /// year 2000 takes nothing away from what the log knows: its time stands, and is still right
  /// enough; one from after 2099 says that nothing on the machine can be.
  private var isSystemTimeKnown: Bool {
    Self.isInRange(state.clocks[0].now)
      && reading.realtime <= Subscriptions.Limits.timeMax.milliseconds
  }

  private static func isInRange(_ time: Instant) -> Bool {
    time >= Subscriptions.Limits.timeMin && time <= Subscriptions.Limits.timeMax
  }

  /// What is wrong with the machine's clock, in words; nil where nothing is.
  var clockFault: String? {
    guard !isMachineClockInRange || !isSystemTimeKnown else { return nil }
    let shown = Instant(milliseconds: reading.realtime).rfc3339
    let rest =
      isSystemTimeKnown
      ? "time stands at \(state.clocks[0].now.rfc3339)"
      : "nothing is sold or signed on the clock system"
    return "the machine's clock shows \(shown), and no time from 2000-01-01 to 2099-12-31;"
      + " \(rest) until it is set"
  }

  /// Says once that the clock is wrong.
  func observeRange() {
    guard isMachineClockInRange == isClockWrong else { return }
    isClockWrong = !isMachineClockInRange
    if let clockFault {
      outputs.append(.notice(Notice(.clockWrong, .error, clockFault)))
    }
  }

  /// Refuses what would be dated by the system's clock while it has no time.
  func refuseWithoutTime(on clock: ClockNumber) throws(Refusal) {
    guard clock == Clock.system, !isSystemTimeKnown, let clockFault else { return }
    throw .rule(.invalidTime(reason: clockFault))
  }

  /// Refuses to sign by it.
  func refuseToSignWithoutTime(_ call: CallContext) throws(Refusal) {
    let account = try Checked.account(call.parameters.account).flatMap { state.accounts.find($0) }
    try refuseWithoutTime(
      on: account.map { state.accounts[$0].clock } ?? state.clockForNewAccounts)
  }
}
