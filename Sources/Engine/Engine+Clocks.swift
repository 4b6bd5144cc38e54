import JSON
import Subscriptions
import Varlink

/// `org.renewd.Clocks`.
extension Engine {
  /// What the test clock named `default` shows, in milliseconds since 1970; nil where there is
  /// none.
  public var defaultClockTime: Int64? {
    state.clock(named: Clock.defaultName).map { state.clocks[Int($0)].now.milliseconds }
  }

  func performClocks(_ call: CallContext) throws(Refusal) -> Outcome {
    switch call.member {
    case "List": listClocks(call)
    case "Create": try createClock(call)
    case "Advance": try advance(call)
    case "Attach": try attach(call)
    case "Accept": try acceptClock(call)
    default: preconditionFailure("\(call.method) is described but not answered")
    }
  }

  private func listClocks(_ call: CallContext) -> Outcome {
    let sequence = state.clocks.map(\.lastSequence).max() ?? 0
    reply(to: call.session, after: sequence) { writer in
      VarlinkReply.begin(&writer)
      writer.key("clocks")
      writer.beginArray()
      for number in state.clocks.indices { write(clock: ClockNumber(number), into: &writer) }
      writer.endArray()
      VarlinkReply.end(&writer)
    }
    return .answered
  }

  /// Writes a clock as it stands; `now` where an earlier answer is given again.
  func write(clock number: ClockNumber, now: Instant? = nil, into writer: inout JSONWriter) {
    let clock = state.clocks[Int(number)]
    writer.beginObject()
    writer.member("name", clock.name)
    writer.member("now", now ?? clock.now)
    writer.member("kind", clock.isTest ? "test" : "system")
    writer.member("accounts", int: Int64(clock.accounts))
    if let due = books.nextDue(on: number) { writer.member("nextDue", due.time) }
    writer.member("held", flag: number == Clock.system && state.heldMilliseconds > 0)
    if let target = clock.target { writer.member("target", target) }
    writer.endObject()
  }

  private func answer(
    _ call: CallContext, clock: ClockNumber, now: Instant? = nil, after sequence: UInt64
  ) {
    reply(to: call.session, after: sequence) { writer in
      VarlinkReply.begin(&writer)
      writer.key("clock")
      write(clock: clock, now: now, into: &writer)
      VarlinkReply.end(&writer)
    }
  }

  private func createClock(_ call: CallContext) throws(Refusal) -> Outcome {
    guard let name = call.parameters.text("name"), let time = try call.parameters.instant("at")
    else { throw .parameter("name") }
    switch try repeated(call) {
    case .waiting: return .waiting
    case .replay(let events):
      guard case .clock(.clockCreated(let clock, _, let time))? = events.first?.event.fact else {
        throw .requestIDReused
      }
      answer(call, clock: clock, now: time, after: events[0].sequence)
      return .answered
    case .new(let fingerprint):
      try claimSpace(from: .ordinary)
      let done = try carryOut(
        .createClock(name: name, at: time), call, fingerprint: fingerprint)
      answer(call, clock: done.events[0].clock, after: done.sequence)
      return .answered
    }
  }

  // MARK: Advance

  private func advance(_ call: CallContext) throws(Refusal) -> Outcome {
    let number = try clockToAdvance(call)
    switch try repeated(call) {
    case .waiting: return .waiting
    case .replay(let events): return try replayAdvance(call, events, clock: number)
    case .new(let fingerprint):
      let target = try target(of: call, clock: number)
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

  private func clockToAdvance(_ call: CallContext) throws(Refusal) -> ClockNumber {
    guard let name = call.parameters.text("clock") else {
      guard let number = state.clock(named: Clock.defaultName) else {
        throw .rule(.clockNotFound)
      }
      return number
    }
    guard let number = state.clock(named: name) else { throw .rule(.clockNotFound) }
    return number
  }

  private func target(of call: CallContext, clock: ClockNumber) throws(Refusal) -> Instant {
    let to = try call.parameters.instant("to")
    guard let by = call.parameters.text("by") else {
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
    reply(to: session, after: last) { writer in
      VarlinkReply.begin(&writer)
      writer.key("clock")
      write(clock: clock, now: now, into: &writer)
      writer.member("firstSequence", sequence: first)
      writer.member("lastSequence", sequence: events == 0 ? first - 1 : last - 1)
      writer.member("events", sequence: events)
      VarlinkReply.end(&writer)
    }
  }

  // MARK: Attach, Accept

  private func attach(_ call: CallContext) throws(Refusal) -> Outcome {
    let key = try call.parameters.requiredAccount()
    guard let name = call.parameters.text("clock"), let clock = state.clock(named: name) else {
      throw .rule(.clockNotFound)
    }
    switch try repeated(call) {
    case .waiting: return .waiting
    case .replay(let events):
      answerSequence(call.session, events.last?.sequence ?? durable)
      return .answered
    case .new(let fingerprint):
      try prepare(state.accounts.find(key), from: .ordinary)
      let decision = try decide(.attach(account: key, clock))
      guard let event = decision.events.first else {
        let sequence = state.accounts.find(key).map { self.sequence(of: $0) }
        answerSequence(call.session, sequence ?? durable)
        return .answered
      }
      _ = try commit(decision, from: call, fingerprint: fingerprint)
      let account = event.fact.account
      let sequence = state.accounts[account].lastSequence
      // The new clock may be ahead of what is due on the account.
      catchUp(account)
      answerSequence(call.session, sequence, after: self.sequence(of: account))
      return .answered
    }
  }

  private func acceptClock(_ call: CallContext) throws(Refusal) -> Outcome {
    guard let name = call.parameters.text("clock"), let clock = state.clock(named: name) else {
      throw .rule(.clockNotFound)
    }
    let decision = try decide(.acceptClock(clock))
    try claimSpace(from: .reserve)
    let done = try commit(decision, from: call, fingerprint: 0)
    answer(call, clock: clock, after: done.sequence)
    return .answered
  }

  /// Answers with an event's sequence, once it and what came with it are durable.
  func answerSequence(_ session: Session, _ sequence: UInt64, after last: UInt64? = nil) {
    reply(to: session, after: last ?? sequence) { writer in
      VarlinkReply.begin(&writer)
      writer.member("sequence", sequence: sequence)
      VarlinkReply.end(&writer)
    }
  }
}
