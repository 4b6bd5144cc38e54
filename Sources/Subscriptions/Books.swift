/// How an event came about.
public enum EventCause: UInt8, Sendable {
  case command
  /// It fell due.
  case due
  /// A member's line followed the purchaser's.
  case following
  /// A change that reaches many lines reached one.
  case sweep
}

/// Where the events of a store or a record are written: a log of segments, or an array.
public protocol EventSink {
  /// Writes an event, which is folded right behind; where it stands in the log.
  mutating func write(_ event: Event, _ cause: EventCause) -> UInt64
  /// The same for a line's event that nobody asked for.
  mutating func write(_ event: LineEvent, _ cause: EventCause) -> UInt64
  /// It has been folded, as the log's event of that number.
  mutating func folded(_ event: Event, sequence: UInt64)
  mutating func folded(_ event: LineEvent, sequence: UInt64)
  /// Whether more may fall due now; where not, it waits.
  var isReady: Bool { get }
  /// Makes room for so many events that fall due together; where there is none, they wait.
  mutating func hasRoom(for events: Int) -> Bool
  /// What a tester changes of what is about to fall due, and of what follows it.
  mutating func spoil(_ event: inout LineEvent, in state: State, _ terms: RenewalTerms)
  mutating func spoil(_ following: inout [Event], behind event: LineEvent)
}

extension EventSink {
  public var isReady: Bool { true }
  public mutating func hasRoom(for events: Int) -> Bool { true }
  public mutating func spoil(_ event: inout LineEvent, in state: State, _ terms: RenewalTerms) {}
  public mutating func spoil(_ following: inout [Event], behind event: LineEvent) {}
}

/// An advance of a test clock that is under way.
public struct Advance: Hashable, Sendable {
  public var clock: ClockNumber
  /// The first event after its start.
  public var firstSequence: UInt64
}

/// A slice of what was due.
public struct DueSlice {
  public var events: Int
  /// Whether nothing more is due until the limit.
  public var isOver: Bool
}

/// The one driver of a state: each event is written, folded, and the deadlines follow it; what a
/// command means for a family comes right behind; what falls due is dealt with in its order, in
/// slices, and so are changes that reach many lines. The daemon, the lives and the scenarios of
/// the tests all keep their books so.
public final class Books {
  public let state: State
  public private(set) var policies: Policies
  /// When renewals happen, as the policies say now.
  public var terms: RenewalTerms { policies.terms }
  private var queues: [DeadlineQueue] = []
  public private(set) var advances: [Advance] = []

  /// Lines that a sweep looks at in one step.
  private let linesPerStep: Int

  public init(_ state: State, policies: Policies, linesPerStep: Int? = nil) {
    self.state = state
    self.policies = policies
    self.linesPerStep = linesPerStep ?? Limits.sweepLinesPerStep
    rebuildQueues()
    for (number, clock) in state.clocks.enumerated() where clock.target != nil {
      advances.append(
        Advance(clock: ClockNumber(number), firstSequence: clock.advanceSequence + 1))
    }
  }

  /// The same books once more, to go on by themselves.
  public func copy() -> Books {
    let other = Books(state.copy(), policies: policies, linesPerStep: linesPerStep)
    other.queues = queues
    other.advances = advances
    return other
  }

  /// Other policies from now on; what is due when follows them.
  public func adopt(_ policies: Policies) {
    let isDueAsBefore = policies.terms == terms
    self.policies = policies
    if !isDueAsBefore { rebuildQueues() }
  }

  // MARK: Events

  /// Writes an event and folds it. Its number in the log.
  @discardableResult
  public func commit(
    _ event: Event, _ cause: EventCause = .command, into sink: inout some EventSink
  ) -> UInt64 {
    let position = sink.write(event, cause)
    state.apply(event, position: position)
    let sequence = state.sequence
    sink.folded(event, sequence: sequence)
    noteDeadlines(event)
    return sequence
  }

  /// The same for what falls due, the fast way.
  public func commit(
    _ event: LineEvent, _ cause: EventCause, into sink: inout some EventSink
  ) {
    let position = sink.write(event, cause)
    state.apply(event, position: position)
    sink.folded(event, sequence: state.sequence)
    schedule(event.fact.line)
  }

  /// Commits the events of one command, and what they mean for the families of their accounts
  /// behind them, all in the name of `caller`. The number of the command's own last event.
  @discardableResult
  public func commit(
    _ events: [Event], by caller: Caller? = nil, into sink: inout some EventSink
  ) -> UInt64 {
    var last = state.sequence
    for event in events { last = commit(event, into: &sink) }
    for var event in state.decideFollowing(events) {
      event.caller = caller
      commit(event, .following, into: &sink)
    }
    return last
  }

  /// A line's event that was decided, and what follows it in a family.
  private func commitWithFamily(
    _ event: LineEvent, _ cause: EventCause, into sink: inout some EventSink
  ) {
    var event = event
    sink.spoil(&event, in: state, terms)
    commit(event, cause, into: &sink)
    var following = state.decideFollowing(event)
    sink.spoil(&following, behind: event)
    for event in following { commit(event, .following, into: &sink) }
  }

  // MARK: Deadlines

  private func rebuildQueues() {
    var entries = [[DeadlineQueue.Entry]](repeating: [], count: state.clocks.count)
    for line in Int(state.firstLiveLine)..<state.lines.count {
      guard let (deadline, clock) = state.deadline(of: LineNumber(line), terms) else { continue }
      entries[Int(clock)].append(DeadlineQueue.Entry(deadline, line: LineNumber(line)))
    }
    queues = entries.map { DeadlineQueue(entries: $0) }
  }

  /// Puts a line's deadline into its clock's queue; what stands there of it before is dropped
  /// when it comes up.
  private func schedule(_ line: LineNumber) {
    guard let (deadline, clock) = state.deadline(of: line, terms) else { return }
    queues[Int(clock)].insert(DeadlineQueue.Entry(deadline, line: line))
    let live = state.lines.count - Int(state.firstLiveLine)
    if queues[Int(clock)].count > 4 * live + Limits.staleDeadlinesMax { rebuildQueues() }
  }

  /// Which lines may have another deadline after an event.
  private func noteDeadlines(_ event: Event) {
    switch event.fact {
    case .line(_, let fact):
      schedule(fact.line)
    case .account(.clockAttached(let account, _)):
      state.forEachLine(of: account) { number, _ in schedule(number) }
    case .clock(.clockCreated(_, let name, _)):
      queues.append(DeadlineQueue())
      // Lines without an account live by the clock of accounts to come, which is another now.
      if name == Clock.defaultName, state.apple.unlinkedCount > 0 { rebuildQueues() }
    case .log(.reset), .tester(.billingChanged(noNumber, _)):
      rebuildQueues()
    case .tester(.billingChanged(let account, _)):
      // What is owed is tried again at another time, or not.
      state.forEachLine(of: account) { number, _ in schedule(number) }
    case .appStore(.ingested(let fact)):
      scheduleIfThere(fact.line)
    case .appStore(.linked(let fact)):
      scheduleIfThere(fact.line)
    case .appStore(.unlinked(let fact)):
      scheduleIfThere(fact.line)
    case .log, .account, .clock, .catalogue, .purchase, .product, .tester, .appStore:
      break
    }
  }

  /// A signed fact need not be about a line.
  private func scheduleIfThere(_ line: LineNumber) {
    if line != noNumber { schedule(line) }
  }

  /// The next entry of a clock that is still a line's deadline; others are dropped on the way.
  public func nextDue(on clock: ClockNumber) -> DeadlineQueue.Entry? {
    while let entry = queues[Int(clock)].first {
      if let (deadline, now) = state.deadline(of: entry.line, terms), now == clock,
        deadline.time == entry.time, deadline.kind == entry.kind
      {
        return entry
      }
      queues[Int(clock)].removeFirst()
    }
    return nil
  }

  /// Whether a clock's queue has an entry until `limit`, which need not be true any more.
  public func mayBeDue(on clock: ClockNumber, until limit: Instant) -> Bool {
    queues[Int(clock)].first.map { $0.time <= limit } ?? false
  }

  // MARK: What falls due

  /// Deals with what is due on a clock until `limit`, in the total order of (time, kind, line):
  /// about as many events as `count`, while the sink is ready and has room.
  public func fallDue(
    on clock: ClockNumber, until limit: Instant, atMost count: Int = .max,
    into sink: inout some EventSink
  ) -> DueSlice {
    var done = 0
    while done < count, sink.isReady {
      guard let entry = nextDue(on: clock), entry.time <= limit else {
        return DueSlice(events: done, isOver: true)
      }
      guard let event = state.decideDue(line: entry.line, policies: policies) else {
        preconditionFailure("a deadline without anything due")
      }
      let events = 1 + state.families.members(of: event.fact.account).count
      guard sink.hasRoom(for: events) else { break }
      queues[Int(clock)].removeFirst()
      commitWithFamily(event, .due, into: &sink)
      done += events
    }
    return DueSlice(events: done, isOver: false)
  }

  /// Does what is due on one account and its family at once, up to its clock's time: before it
  /// moves to another clock, and after a purchase dated back. Says whether anything was.
  @discardableResult
  public func catchUp(_ account: AccountNumber, into sink: inout some EventSink) -> Bool {
    let now = state.now(of: account)
    let family = state.families.isEmpty ? [account] : state.family(of: account)
    var isAny = false
    while let line = earliestLine(of: family, until: now),
      let event = state.decideDue(line: line, policies: policies)
    {
      isAny = true
      let events = 1 + state.families.members(of: event.fact.account).count
      // One and what follows it lie in one batch, wherever there is room for that.
      if events > 1 { _ = sink.hasRoom(for: events) }
      commitWithFamily(event, .due, into: &sink)
    }
    return isAny
  }

  private func earliestLine(of family: [AccountNumber], until now: Instant) -> LineNumber? {
    var best: DeadlineQueue.Entry?
    for account in family {
      state.forEachLine(of: account) { number, line in
        guard let deadline = line.deadline(terms), deadline.time <= now else { return }
        let entry = DeadlineQueue.Entry(deadline, line: number)
        if let known = best, known < entry { return }
        best = entry
      }
    }
    return best?.line
  }

  // MARK: Advances

  /// An advance has begun by the event of that number.
  public func beginAdvance(of clock: ClockNumber, at sequence: UInt64) {
    advances.append(Advance(clock: clock, firstSequence: sequence + 1))
  }

  /// Ends the advance of a clock on which all is done until its target; nil where there is none.
  public func endAdvance(
    of clock: ClockNumber, into sink: inout some EventSink
  ) -> (advance: Advance, events: UInt64, sequence: UInt64)? {
    guard let index = advances.firstIndex(where: { $0.clock == clock }),
      let target = state.clocks[Int(clock)].target
    else { return nil }
    let advance = advances.remove(at: index)
    let events = state.clocks[Int(clock)].advanceEvents
    state.setTestTime(target, clock: clock)
    let end = Event(
      at: target, clock: clock, caller: state.clocks[Int(clock)].advanceCaller,
      fact: .clock(
        .advanced(
          clock: clock, target: target, firstSequence: advance.firstSequence, events: events)))
    return (advance, events, commit(end, into: &sink))
  }

  /// Moves a test clock on, dealing with all that is due on the way.
  public func advance(
    _ clock: ClockNumber, to target: Instant, into sink: inout some EventSink
  ) throws(Rejection) {
    guard let start = try state.decideAdvance(clock: clock, to: target) else { return }
    beginAdvance(of: clock, at: commit(start, into: &sink))
    _ = fallDue(on: clock, until: target, into: &sink)
    _ = endAdvance(of: clock, into: &sink)
  }

  // MARK: Sweeps

  /// A slice of the sweep under way: about `count` events, lines passed over counted as a share of
  /// one. Its end, where that came; nil where the count is used up, or the sink waits.
  public func sweep(
    atMost count: inout Int, into sink: inout some EventSink
  ) -> (start: UInt64, event: Event, sequence: UInt64)? {
    while count > 0, sink.isReady,
      let step = state.decideSweepStep(atMost: linesPerStep, policies: policies)
    {
      let account = step.event?.fact.account
      let events = 1 + (account.map { state.families.members(of: $0).count } ?? 0)
      guard sink.hasRoom(for: events) else {
        count = 0
        return nil
      }
      if let event = step.event {
        commitWithFamily(event, .sweep, into: &sink)
        count -= events
        continue
      }
      state.moveSweep(to: step.next)
      count -= Limits.sweepStepCost
      guard state.isSweepDone else { continue }
      let start = state.sweeps[0].sequence
      let end = state.decideSweepEnd()
      return (start, end, commit(end, into: &sink))
    }
    return nil
  }
}
