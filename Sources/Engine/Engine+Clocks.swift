import Contract
import Subscriptions

/// `org.renewd.Clocks`.
extension Engine {
  /// What the test clock named `default` shows, in milliseconds since 1970; nil where there is
  /// none.
  public var defaultClockTime: Int64? {
    state.clock(named: Clock.defaultName).map { state.clocks[Int($0)].now.milliseconds }
  }

  func listClocks(_ asked: ClocksInterface.List, _ call: CallContext) -> Outcome {
    let sequence = state.clocks.map(\.lastSequence).max() ?? 0
    let clocks = state.clocks.indices.map { described(ClockNumber($0)) }
    answer(call.session, after: sequence, ClockList { $0.clocks = clocks })
    return .answered
  }

  /// A clock as it stands; `now` where an earlier answer is given again.
  func described(_ number: ClockNumber, now: Instant? = nil) -> Contract.Clock {
    let clock = state.clocks[Int(number)]
    return Contract.Clock {
      $0.name = clock.name
      $0.now = now ?? clock.now
      $0.kind = clock.isTest ? .test : .system
      $0.accounts = Int64(clock.accounts)
      $0.nextDue = books.nextDue(on: number)?.time
      $0.isHeld = number == Clock.system && state.heldMilliseconds > 0
      $0.target = clock.target
    }
  }

  private func answer(
    _ call: CallContext, clock: ClockNumber, now: Instant? = nil, after sequence: UInt64
  ) {
    answer(
      call.session, after: sequence, ClockAnswer { $0.clock = described(clock, now: now) })
  }

  func createClock(
    _ asked: ClocksInterface.Create, _ call: CallContext
  ) throws(Refusal) -> Outcome {
    let time = try Checked.time(asked.at, "at")
    return try change(
      call, answer: { change throws(Refusal) in try answerCreated(call, change) }
    ) { fingerprint throws(Refusal) in
      try claimSpace(from: .ordinary)
      return try carryOut(
        .createClock(name: asked.name, at: time), call, fingerprint: fingerprint
      ).change(orStanding: durable)
    }
  }

  private func answerCreated(_ call: CallContext, _ change: Change) throws(Refusal) {
    guard case .clock(.clockCreated(let clock, _, let time))? = change.event?.fact else {
      throw .requestIDReused
    }
    answer(call, clock: clock, now: time, after: change.last)
  }

  // MARK: Advance

  func advance(
    _ asked: ClocksInterface.Advance, _ call: CallContext
  ) throws(Refusal) -> Outcome {
    let number = try clockToAdvance(asked)
    switch try repeated(call) {
    case .waiting: return .waiting
    case .replay(let events): return try replayAdvance(call, events, clock: number)
    case .new(let fingerprint):
      let target = try target(of: asked, clock: number)
      try claimSpace(from: .reserve)
      let decision = try decide(.advance(number, to: target))
      guard !decision.events.isEmpty else {
        answerAdvance(
          call.session, clock: number, first: state.sequence + 1, events: 0,
          last: state.sequence)
        return .answered
      }
      let done = try commit(decision, from: call, fingerprint: fingerprint)
      books.beginAdvance(of: number, at: done.sequence)
      follow(advanceOf: number, since: done.sequence, call)
      return .waiting
    }
  }

  /// Waits for an advance's end: silently, or as a watch of its clock's events.
  private func follow(advanceOf clock: ClockNumber, since: UInt64, _ call: CallContext) {
    if call.more, !call.session.isMute {
      startWatch(call.session, WatchState(cursor: since, filter: .advance(clock)))
      return
    }
    call.session.mode = .advancing(clock)
    advanceWaiters[clock, default: []].append(call.session.id)
  }

  private func clockToAdvance(
    _ asked: ClocksInterface.Advance
  ) throws(Refusal) -> ClockNumber {
    guard let name = asked.clock else {
      guard let number = state.clock(named: Clock.defaultName) else {
        throw .rule(.clockNotFound)
      }
      return number
    }
    guard let number = state.clock(named: name) else { throw .rule(.clockNotFound) }
    return number
  }

  private func target(
    of asked: ClocksInterface.Advance, clock: ClockNumber
  ) throws(Refusal) -> Instant {
    let to = try Checked.time(asked.to, "to")
    guard let by = asked.by else {
      guard let to else { throw .value("to", "say to (a time) or by (a duration)") }
      return to
    }
    guard to == nil else { throw .value("by", "say to or by, not both") }
    guard by.hasPrefix("P") else {
      throw .value("by", "say an ISO 8601 duration, such as P1M or PT36H")
    }
    do throws(TimeTextError) {
      let span = try TimeText.span(by)
      return state.clocks[Int(clock)].now.adding(span)
    } catch {
      throw .value("by", "\(error)")
    }
  }

  private func replayAdvance(
    _ call: CallContext, _ events: [StoredEvent], clock: ClockNumber
  ) throws(Refusal) -> Outcome {
    guard case .clock(let fact)? = events.first?.event.fact else { throw .requestIDReused }
    if case .advanced(_, let target, let first, let count) = fact {
      answerAdvance(
        call.session, clock: clock, now: target, first: first, events: count,
        last: events[0].sequence)
      return .answered
    }
    guard case .advanceStarted = fact else { throw .requestIDReused }
    follow(advanceOf: clock, since: events[0].sequence, call)
    return .waiting
  }

  func answerAdvance(
    _ session: Session, clock: ClockNumber, now: Instant? = nil, first: UInt64, events: UInt64,
    last: UInt64
  ) {
    answer(
      session, after: last,
      AdvanceAnswer {
        $0.clock = described(clock, now: now)
        $0.firstSequence = Int64(first)
        $0.lastSequence = Int64(events == 0 ? first - 1 : last - 1)
        $0.events = Int64(events)
      })
  }

  // MARK: Attach, Accept

  func attach(_ asked: ClocksInterface.Attach, _ call: CallContext) throws(Refusal) -> Outcome {
    let key = try Checked.account(asked.account)
    guard let clock = state.clock(named: asked.clock) else { throw .rule(.clockNotFound) }
    return try change(call) { fingerprint throws(Refusal) in
      try prepare(state.accounts.find(key), from: .ordinary)
      var change = try carryOut(.attach(account: key, clock), call, fingerprint: fingerprint)
        .change(orStanding: sequence(ofKey: key))
      if let account = change.event?.fact.account {
        // The new clock may be ahead of what is due on the account.
        catchUp(account)
        change.last = sequence(of: account)
      }
      return change
    }
  }

  func acceptClock(
    _ asked: ClocksInterface.Accept, _ call: CallContext
  ) throws(Refusal) -> Outcome {
    guard let clock = state.clock(named: asked.clock) else { throw .rule(.clockNotFound) }
    let decision = try decide(.acceptClock(clock))
    try claimSpace(from: .reserve)
    let done = try commit(decision, from: call, fingerprint: 0)
    answer(call, clock: clock, after: done.sequence)
    return .answered
  }

  /// Answers with an event's sequence, once it and what came with it are durable.
  func answerSequence(_ session: Session, _ sequence: UInt64, after last: UInt64? = nil) {
    answer(session, after: last ?? sequence, SequenceAnswer { $0.sequence = Int64(sequence) })
  }
}
