extension State {
  /// Decides a new test clock, standing at `time`.
  func decideClock(named name: String, at time: Instant) throws(Rejection) -> Event {
    let bytes = name.utf8
    guard !bytes.isEmpty, bytes.count <= Limits.clockNameBytesMax,
      bytes.allSatisfy({ $0 > 0x20 && $0 != 0x7f })
    else {
      throw .invalidParameter(
        name: "name", reason: "say 1 to \(Limits.clockNameBytesMax) bytes without spaces")
    }
    guard clock(named: name) == nil else {
      throw .invalidParameter(name: "name", reason: "there is a clock called \(name) already")
    }
    guard facts.clocks.count < Limits.clocksMax else {
      throw .invalidParameter(name: "name", reason: "there are \(Limits.clocksMax) clocks already")
    }
    try check(time)
    let number = ClockNumber(facts.clocks.count)
    return Event(
      at: time, clock: number, fact: .clock(.clockCreated(clock: number, name: name, time: time)))
  }

  /// Decides the start of an advance; nil where the clock stands there already. To a time before
  /// that nothing can be moved.
  func decideAdvance(
    clock number: ClockNumber, to target: Instant
  ) throws(Rejection) -> Event? {
    let clock = facts.clocks[Int(number)]
    guard clock.isTest else {
      throw .notPossible(
        status: nil,
        reason: "the system's clock cannot be moved; make a test clock, or start with --clock")
    }
    if let running = clock.target { throw .clockBusy(target: running) }
    try check(target)
    guard target >= clock.now else {
      throw .invalidTime(
        reason: "the clock \(clock.name) stands at \(clock.now.rfc3339) and never goes back")
    }
    guard target > clock.now else { return nil }
    return Event(
      at: clock.now, clock: number, fact: .clock(.advanceStarted(clock: number, target: target)))
  }

  /// Decides that an account, and its family with it, lives on another clock from now on; nothing
  /// where it does already. The account's own event is the first. One that nobody knows is opened
  /// there.
  func decideAttach(
    account key: [UInt8], to number: ClockNumber, into events: inout [Event]
  ) throws(Rejection) {
    let now = facts.clocks[Int(number)].now
    if let running = facts.clocks[Int(number)].target { throw .clockBusy(target: running) }
    guard let account = facts.accounts.find(key) else {
      events.append(
        Event(
          at: now, clock: number,
          fact: .account(
            .accountOpened(
              account: AccountNumber(facts.accounts.count), key: key, token: nil, clock: number))))
      return
    }
    let old = facts.accounts[account].clock
    guard old != number else { return }
    if let running = facts.clocks[Int(old)].target { throw .clockBusy(target: running) }
    let family = family(of: account)
    guard family.allSatisfy({ now >= facts.accounts[$0].lastTime }) else { throw .clockBehind }
    for account in family {
      events.append(
        Event(
          at: now, clock: number, fact: .account(.clockAttached(account: account, clock: number))))
    }
  }

  /// Decides that the system's clock, which is held behind the machine's, goes on with it.
  func decideAcceptance(of clock: ClockNumber) throws(Rejection) -> Event {
    guard clock == Clock.system, facts.heldMilliseconds > 0 else {
      throw .notPossible(status: nil, reason: "the clock is not held")
    }
    return Event(at: facts.clocks[0].now, clock: Clock.system, fact: .clock(.clockAccepted))
  }

  /// Decides that accounts, lines and purchases are emptied; not while a clock is being advanced.
  func decideReset() throws(Rejection) -> Event {
    if let busy = facts.clocks.lazy.compactMap(\.target).first { throw .clockBusy(target: busy) }
    return Event(at: facts.clocks[0].now, clock: Clock.system, fact: .log(.reset))
  }

  /// The clock goes on from where the machine's has leapt to: it is right there from here on.
  func noteAccepted() {
    facts.heldMilliseconds = 0
    if let boot = facts.boot { noteBoot(boot.id, boot.realMinusBoot) }
  }

  /// Keeps a boot's newest drift, and how far ahead its clock has been.
  func noteBoot(_ id: UUIDBits, _ realMinusBoot: Int64) {
    // Wraps only in a log of no store: a machine's clock has fewer bits.
    let effective = realMinusBoot &- facts.heldMilliseconds
    facts.effectiveDriftMax =
      facts.boot?.id == id ? max(facts.effectiveDriftMax, effective) : effective
    facts.boot = (id, realMinusBoot)
  }

  private func check(_ time: Instant) throws(Rejection) {
    guard time >= Limits.timeMin, time <= Limits.timeMax else {
      throw .invalidTime(reason: "a test clock runs from 2000-01-01 to the end of 2099")
    }
  }

  /// Moves the system's clock as far as the machine's says, never back and never past
  /// `earliest`, the first deadline not dealt with. Time alone is no event.
  public func setSystemTime(_ now: Instant, earliestDeadline earliest: Instant) {
    let bounded = min(now, earliest)
    if facts.clocks[0].now < bounded { facts.clocks[0].now = bounded }
  }

  /// Moves a test clock that is being advanced on to `time`, its next hop.
  public func setTestTime(_ time: Instant, clock: ClockNumber) {
    if facts.clocks[Int(clock)].now < time { facts.clocks[Int(clock)].now = time }
  }
}
