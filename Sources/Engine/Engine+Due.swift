import Subscriptions

/// An advance of a test clock that is under way.
struct Advance {
  var clock: ClockNumber
  /// The first event after its start.
  var firstSequence: UInt64
  /// The connections that wait for its end.
  var waiting: [ConnectionID] = []
}

/// What falls due: renewals and expiries at their deadlines, on every clock, in slices.
extension Engine {
  func rebuildQueues() {
    var entries = [[DeadlineQueue.Entry]](repeating: [], count: state.clocks.count)
    for line in Int(state.firstLiveLine)..<state.lines.count {
      guard let (deadline, clock) = state.deadline(of: LineNumber(line)) else { continue }
      entries[Int(clock)].append(DeadlineQueue.Entry(deadline, line: LineNumber(line)))
    }
    queues = entries.map { DeadlineQueue(entries: $0) }
  }

  /// Puts a line's deadline into its clock's queue; what stands there of it before is dropped
  /// when it comes up.
  func schedule(_ line: LineNumber) {
    guard let (deadline, clock) = state.deadline(of: line) else { return }
    queues[Int(clock)].insert(DeadlineQueue.Entry(deadline, line: line))
    let live = state.lines.count - Int(state.firstLiveLine)
    if queues[Int(clock)].count > 4 * live + Limits.staleDeadlinesMax { rebuildQueues() }
  }

  /// The next entry of a clock that is still a line's deadline; others are dropped on the way.
  func nextDue(on clock: ClockNumber) -> DeadlineQueue.Entry? {
    while let entry = queues[Int(clock)].first {
      if let (deadline, now) = state.deadline(of: entry.line), now == clock,
        deadline.time == entry.time, deadline.kind == entry.kind
      {
        return entry
      }
      queues[Int(clock)].removeFirst()
    }
    return nil
  }

  /// How far a clock may go now: a test clock to its target, the system's to the machine's time.
  func limit(of clock: ClockNumber) -> Instant {
    clock == Clock.system
      ? machineTime
      : state.clocks[Int(clock)].target
        ?? state.clocks[Int(clock)].now
  }

  var hasDueWork: Bool {
    guard appender.sealedCount < Limits.sealedBatchesMax, deferred == nil,
      dueBlockedUntil <= reading.realtime
    else { return false }
    if !advances.isEmpty || !state.sweeps.isEmpty { return true }
    for clock in queues.indices {
      if let entry = queues[clock].first, entry.time <= limit(of: ClockNumber(clock)) {
        return true
      }
    }
    return false
  }

  /// One slice of what is due, the clocks in their order, each clock's in the total order of
  /// (time, kind, line). Waits while the writer is behind.
  func doDueWork() {
    guard dueBlockedUntil <= reading.realtime else { return }
    guard state.sweeps.isEmpty else { return doSweepWork() }
    var budget = Limits.dueEventsPerTurn
    for clock in queues.indices {
      let number = ClockNumber(clock)
      budget -= doDueWork(on: number, atMost: budget)
      guard budget > 0 else { return }
    }
  }

  private func doDueWork(on clock: ClockNumber, atMost budget: Int) -> Int {
    var done = 0
    let limit = limit(of: clock)
    let isAdvancing = advances.contains { $0.clock == clock }
    while done < budget, appender.sealedCount < Limits.sealedBatchesMax, deferred == nil {
      guard let entry = nextDue(on: clock), entry.time <= limit else {
        if isAdvancing { finishAdvance(of: clock) }
        if clock == Clock.system { moveSystemClock() }
        return done
      }
      guard let event = state.decideDue(line: entry.line, policies: configuration.policies)
      else { preconditionFailure("a deadline without anything due") }
      let events = 1 + state.families.members(of: event.fact.account).count
      guard hasReserve(for: events) else { return done }
      queues[Int(clock)].removeFirst()
      commit(event)
      for event in state.decideFollowing(event) { commit(event) }
      done += events
    }
    return done
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
    guard let index = advances.firstIndex(where: { $0.clock == clock }),
      let target = state.clocks[Int(clock)].target
    else { return }
    let advance = advances.remove(at: index)
    let events = state.clocks[Int(clock)].advanceEvents
    state.setTestTime(target, clock: clock)
    let caller = state.clocks[Int(clock)].advanceCaller
    let last = commit(
      Event(
        at: target, clock: clock, caller: caller,
        fact: .clock(
          .advanced(
            clock: clock, target: target, firstSequence: advance.firstSequence,
            events: events))))
    endStreams(
      of: clock, first: advance.firstSequence, events: events, sequence: last)
    for id in advance.waiting {
      guard let session = sessions[id], case .advancing(clock) = session.mode else { continue }
      session.mode = .serving
      answerAdvance(
        session, clock: clock, first: advance.firstSequence, events: events, last: last)
      session.isMute = false
      addBacklog(session)
    }
  }

  /// Does what is due on one account and its family at once, up to its clock's time: before it
  /// moves to another clock, and after a purchase dated back. Says whether anything was.
  @discardableResult
  func catchUp(_ account: AccountNumber) -> Bool {
    let now = state.now(of: account)
    let family = state.families.isEmpty ? [account] : state.family(of: account)
    var isAny = false
    while let line = earliestLine(of: family, until: now),
      let event = state.decideDue(line: line, policies: configuration.policies)
    {
      isAny = true
      let events = 1 + state.families.members(of: event.fact.account).count
      // One and what follows it lie in one batch, wherever there is room for that.
      if events > 1 { _ = hasReserve(for: events) }
      commit(event)
      for event in state.decideFollowing(event) { commit(event) }
    }
    return isAny
  }

  private func earliestLine(of family: [AccountNumber], until now: Instant) -> LineNumber? {
    var best: DeadlineQueue.Entry?
    for account in family {
      state.forEachLine(of: account) { number, line in
        guard let deadline = line.deadline(state.terms), deadline.time <= now else { return }
        let entry = DeadlineQueue.Entry(deadline, line: number)
        if let known = best, known < entry { return }
        best = entry
      }
    }
    return best?.line
  }
}
