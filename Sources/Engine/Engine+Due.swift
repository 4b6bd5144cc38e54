import Subscriptions

/// What falls due: renewals and expiries at their deadlines, on every clock, in slices.
extension Engine {
  /// How far a clock may go now: a test clock to its target, the system's to the machine's time.
  func limit(of clock: ClockNumber) -> Instant {
    clock == Clock.system
      ? machineTime
      : state.clocks[Int(clock)].target
        ?? state.clocks[Int(clock)].now
  }

  /// Whether the writer keeps up with what falls due.
  var isWriterReady: Bool {
    appender.sealedCount < Limits.sealedBatchesMax && deferred == nil
  }

  var hasDueWork: Bool {
    guard isWriterReady, dueBlockedUntil <= reading.realtime else { return false }
    if !books.advances.isEmpty || !state.sweeps.isEmpty { return true }
    return state.clocks.indices.contains { clock in
      books.mayBeDue(on: ClockNumber(clock), until: limit(of: ClockNumber(clock)))
    }
  }

  /// One slice of what is due, the clocks in their order, each clock's in the total order of
  /// (time, kind, line). Waits while the writer is behind.
  func doDueWork() {
    guard dueBlockedUntil <= reading.realtime else { return }
    guard state.sweeps.isEmpty else { return doSweepWork() }
    var budget = Limits.dueEventsPerTurn
    for clock in state.clocks.indices {
      let number = ClockNumber(clock)
      budget -= doDueWork(on: number, atMost: budget)
      guard budget > 0 else { return }
    }
  }

  private func doDueWork(on clock: ClockNumber, atMost budget: Int) -> Int {
    let isAdvancing = books.advances.contains { $0.clock == clock }
    var sink = EngineSink(engine: self)
    let slice = books.fallDue(
      on: clock, until: limit(of: clock), atMost: budget, into: &sink)
    if slice.isOver {
      if isAdvancing { finishAdvance(of: clock) }
      if clock == Clock.system { moveSystemClock() }
    }
    return slice.events
  }

  /// Renewals use the reserve; where even that is gone they wait, and lose nothing by it. One and
  /// what follows it in a family lie in one batch.
  func hasReserve(for events: Int) -> Bool {
    do throws(Refusal) {
      try claimSpace(Limits.dueEventBytesMax * events, records: events, from: .reserve)
      return true
    } catch {
      dueBlockedUntil = reading.realtime + Limits.spaceRetryMilliseconds
      return false
    }
  }

  private func finishAdvance(of clock: ClockNumber) {
    var sink = EngineSink(engine: self)
    guard let end = books.endAdvance(of: clock, into: &sink) else { return }
    let first = end.advance.firstSequence
    endStreams(of: clock, first: first, events: end.events, sequence: end.sequence)
    for id in advanceWaiters.removeValue(forKey: clock) ?? [] {
      guard let session = sessions[id], case .advancing(clock) = session.mode else { continue }
      session.mode = .serving
      answerAdvance(session, clock: clock, first: first, events: end.events, last: end.sequence)
      session.isMute = false
      addBacklog(session)
    }
  }

  /// Does what is due on one account and its family at once (see `Books.catchUp`).
  @discardableResult
  func catchUp(_ account: AccountNumber) -> Bool {
    var sink = EngineSink(engine: self)
    return books.catchUp(account, into: &sink)
  }
}
