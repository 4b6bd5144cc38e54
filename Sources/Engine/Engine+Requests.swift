import Subscriptions

/// Repeated requests: the same id with the same parameters gets the first answer again, rebuilt
/// from its event.
extension Engine {
  /// What a call's request id says.
  enum Repeated {
    /// The call is new; its fingerprint goes into its event.
    case new(fingerprint: UInt64)
    /// An event answered it already: that one first, and those after it.
    case replay([StoredEvent])
    /// The log is being asked.
    case waiting
  }

  func repeated(_ call: CallContext) throws(Refusal) -> Repeated {
    guard let requestID = try call.parameters.requestID() else { return .new(fingerprint: 0) }
    let fingerprint = call.parameters.fingerprint(method: call.method)
    let uid = call.session.peer.uid
    let hash = RequestTable.hash(uid: uid, requestID: requestID)
    guard let sequence = requests[hash] else { return .new(fingerprint: fingerprint) }
    guard let events = call.gathered.replay, events.first?.sequence == sequence else {
      var gathered = call.gathered
      gathered.wish = .replay
      suspend(
        call, gathered, .records(from: sequence, last: sequence, countMax: 1), after: sequence)
      return .waiting
    }
    guard let caller = events[0].event.caller, caller.uid == uid, caller.requestID == requestID
    else { return .new(fingerprint: fingerprint) }
    guard caller.fingerprint == fingerprint else { throw .requestIDReused }
    return .replay(events)
  }

  /// Carries out a change unless it was already, and answers it: the first time and again by the
  /// same function of what answers for it. `make` gives nil where the call has to wait.
  func change(
    _ call: CallContext, answer: (Change) throws(Refusal) -> Void,
    make: (_ fingerprint: UInt64) throws(Refusal) -> Change?
  ) throws(Refusal) -> Outcome {
    switch try repeated(call) {
    case .waiting:
      return .waiting
    case .replay(let events):
      try answer(Change(events[0]))
    case .new(let fingerprint):
      guard let change = try make(fingerprint) else { return .waiting }
      try answer(change)
    }
    return .answered
  }

  /// The same for what has nothing to tell but its event.
  func change(
    _ call: CallContext, make: (_ fingerprint: UInt64) throws(Refusal) -> Change?
  ) throws(Refusal) -> Outcome {
    try change(
      call, answer: { self.answerSequence(call.session, $0.sequence, after: $0.last) },
      make: make)
  }

  /// What a command comes to, by the rules.
  func decide(
    _ command: Command, history: AccountHistory? = nil
  ) throws(Refusal) -> Decision {
    let moment = Moment(configuration.policies, history: history, home: home)
    return try decided { () throws(Rejection) in try state.decide(command, moment) }
  }

  /// Carries the rules' refusals into the calls'.
  func decided<Value>(
    _ decide: () throws(Rejection) -> Value
  ) throws(Refusal) -> Value {
    do throws(Rejection) {
      return try decide()
    } catch {
      throw .rule(error)
    }
  }

  /// A decision in the log.
  struct Committed {
    var events: [Event]
    /// Which of them a repeated request is answered from, and its sequence.
    var main: Int
    var sequence: UInt64
    /// The sequence of the last of them.
    var last: UInt64

    /// The change that it is; `standing` is the place of what stands where it is none.
    func change(orStanding standing: @autoclosure () -> UInt64) -> Change {
      guard !events.isEmpty else { return Change(standing: standing()) }
      return Change(event: events[main], sequence: sequence, last: last)
    }
  }

  /// Commits what a call's command came to; the request id stands on its main event.
  func commit(
    _ decision: Decision, from call: CallContext, fingerprint: UInt64
  ) throws(Refusal) -> Committed {
    let events = decision.events
    let last = try commit(
      events, from: call, main: decision.main, fingerprint: fingerprint)
    let behind = UInt64(max(0, events.count - 1 - decision.main))
    return Committed(events: events, main: decision.main, sequence: last - behind, last: last)
  }

  /// Decides a command and commits what it comes to.
  func carryOut(
    _ command: Command, _ call: CallContext, history: AccountHistory? = nil, fingerprint: UInt64
  ) throws(Refusal) -> Committed {
    try commit(try decide(command, history: history), from: call, fingerprint: fingerprint)
  }
}

/// What answers for a change: its own event, that event's place in the log, and the place of the
/// last event that came with it. Where nothing changed there is no event, and the place is that of
/// what stands.
struct Change {
  var event: Event?
  var sequence: UInt64
  var last: UInt64

  init(event: Event, sequence: UInt64, last: UInt64) {
    self.event = event
    self.sequence = sequence
    self.last = last
  }

  init(standing: UInt64) {
    sequence = standing
    last = standing
  }

  init(_ stored: StoredEvent) {
    self.init(event: stored.event, sequence: stored.sequence, last: stored.sequence)
  }
}
