import Subscriptions

/// The status line as it was last put out.
struct StatusLine {
  var text = ""
  /// When, on the machine's clock.
  var at: Int64 = 0
  /// What it was made from.
  var sequence: UInt64?
  var isDiskFull = false
  var lacksSpace = false
  var damage: String?
  var heldMilliseconds: Int64 = 0
  var isClockWrong = false
  /// Something has changed since, and it is not time yet to say so.
  var isBehind = false
}

/// The status line says what matters.
extension Engine {
  func outputStatus() {
    let isUnchanged =
      status.sequence == durable && status.isDiskFull == isDiskFull
      && status.lacksSpace == (spaceLack != nil) && status.damage == damage
      && status.heldMilliseconds == state.heldMilliseconds
      && status.isClockWrong == isClockWrong
    guard !isUnchanged else {
      status.isBehind = false
      return
    }
    // A clock that was set back must not keep the line from being told again.
    let age = reading.realtime - status.at
    guard status.sequence == nil || age >= Limits.statusMilliseconds || age < 0 else {
      status.isBehind = true
      return
    }
    status = StatusLine(
      text: statusText, at: reading.realtime, sequence: durable, isDiskFull: isDiskFull,
      lacksSpace: spaceLack != nil, damage: damage, heldMilliseconds: state.heldMilliseconds,
      isClockWrong: isClockWrong)
    outputs.append(.status(status.text))
  }

  /// What a person should see to, the most pressing first.
  private var troubles: [String] {
    var troubles: [String] = []
    if let damage { troubles.append("log damaged: \(damage)") }
    if state.heldMilliseconds > 0 {
      troubles.append(
        "holding renewals: the clock jumped \(state.heldMilliseconds / 3_600_000) h forward;"
          + " see renewctl clock accept")
    }
    if let clockFault { troubles.append(clockFault) }
    if isDiskFull {
      troubles.append("disk full: reads only")
    } else if spaceLack != nil {
      troubles.append("disk nearly full: no space for a reserve segment")
    }
    return troubles
  }

  var statusText: String {
    let troubles = self.troubles
    guard troubles.isEmpty else { return troubles.joined(separator: " · ") }
    var parts = [state.members == 1 ? "1 member" : "\(state.members) members"]
    let next = state.clocks.indices.compactMap { books.nextDue(on: ClockNumber($0))?.time }.min()
    if let next { parts.append("next \(next.rfc3339)") }
    parts.append("sequence \(durable)")
    return parts.joined(separator: " · ")
  }
}
