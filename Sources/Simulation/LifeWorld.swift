import AppStore
import Subscriptions

/// How an event of a life came about.
enum LifeCause: UInt8 {
  case command
  /// It fell due.
  case due
  /// A member's line followed the purchaser's.
  case following
  /// A change that reaches many lines reached one.
  case sweep
}

/// A store without a daemon: the rules, a log in memory, and what a daemon does with them.
struct LifeWorld {
  let policies: Policies
  let plant: LifePlant?
  let isThorough: Bool
  private(set) var state = State()
  private(set) var log: [Event] = []
  /// How each event of the log came about.
  private(set) var causes: [LifeCause] = []
  /// Each account's history, by its number.
  private(set) var histories: [AccountHistory] = []
  /// What is due on each clock, as a daemon keeps it.
  private var queues: [DeadlineQueue] = []
  /// What the world itself saw that must never happen.
  private(set) var violation: Violation?

  /// What the lives' store sells on each of its days, read from its files once.
  static let catalogues: [Catalogue] = [Shop.lives, .livesLater].map { shop in
    do throws(StoreKitConfigurationError) {
      return try StoreKitConfiguration.read(shop.storekitText).catalogue
    } catch {
      preconditionFailure("the lives' own file is wrong: \(error)")
    }
  }

  init(_ life: Life, plant: LifePlant?) throws(Rejection) {
    policies = life.policies
    isThorough = life.isThorough
    self.plant = plant
    state.terms = policies.terms
    log.reserveCapacity(Limits.lifeEventsUsual)
    causes.reserveCapacity(Limits.lifeEventsUsual)
    let past = Instant(milliseconds: .min)
    append(
      Event(
        at: past, clock: Clock.system,
        fact: .log(.logCreated(role: .store, seed: UUIDBits(high: 1, low: 2)))))
    if let fact = try state.decideImport(Self.catalogues[0], source: Self.source, digest: 1) {
      append(Event(at: past, clock: Clock.system, fact: fact))
    }
    for name in Life.clockNames { append(try state.decideClock(named: name, at: life.start)) }
  }

  /// The name that the catalogue is kept under.
  static let source = "lives.storekit"

  /// The same world once more, to live on by itself.
  func copy() -> LifeWorld {
    var other = self
    other.state = state.copy()
    return other
  }

  mutating func append(_ event: Event, _ cause: LifeCause = .command) {
    state.apply(event, position: UInt64(log.count))
    log.append(event)
    causes.append(cause)
    if case .line(_, let fact) = event.fact {
      note(fact.line)
    } else if case .clock(.clockCreated) = event.fact {
      queues = state.clocks.map { _ in DeadlineQueue() }
    } else if case .tester(.billingChanged(noNumber, _)) = event.fact {
      for line in state.lines.indices { note(LineNumber(line)) }
    } else if [.account(.clockAttached), .tester(.billingChanged)].contains(event.fact.kind) {
      var lines: [LineNumber] = []
      state.forEachLine(of: event.fact.account) { number, _ in lines.append(number) }
      for line in lines { note(line) }
    }
    let account = event.fact.account
    guard account != noNumber else { return }
    while histories.count <= Int(account) { histories.append(AccountHistory()) }
    histories[Int(account)].apply(event)
  }

  mutating func note(_ description: String) {
    violation = violation ?? Violation(description)
  }

  /// A line may have another deadline than before.
  private mutating func note(_ line: LineNumber) {
    guard let (deadline, clock) = state.deadline(of: line) else { return }
    queues[Int(clock)].insert(DeadlineQueue.Entry(deadline, line: line))
  }

  // MARK: Time

  /// Moves a test clock on, dealing with what is due on the way.
  mutating func advance(_ clock: ClockNumber, to target: Instant) throws(Rejection) {
    guard let start = try state.decideAdvance(clock: clock, to: target) else { return }
    append(start)
    let first = state.sequence + 1
    var count: UInt64 = 0
    while let line = earliest(on: clock, until: target) { count += fallDue(line) }
    append(
      Event(
        at: target, clock: clock,
        fact: .clock(.advanced(clock: clock, target: target, firstSequence: first, events: count))))
  }

  /// Deals with what is due on a line, and says how many events that made.
  private mutating func fallDue(_ line: LineNumber) -> UInt64 {
    guard let decided = state.decideDue(line: line, policies: policies) else {
      note("deadlines: nothing is due on line \(line) at its deadline")
      return 0
    }
    let event = spoilt(decided)
    append(Event(event), .due)
    var following = state.decideFollowing(event)
    if plant == .deafMembers, event.kind == .graceEnded { following = [] }
    for event in following { append(event, .following) }
    return UInt64(1 + following.count)
  }

  /// The line that is due first on a clock, by the queue: entries that are not true any more are
  /// dropped.
  private mutating func earliest(on clock: ClockNumber, until limit: Instant) -> LineNumber? {
    guard violation == nil else { return nil }
    var found: LineNumber?
    while let first = queues[Int(clock)].first, first.time <= limit {
      if let (deadline, own) = state.deadline(of: first.line), own == clock,
        DeadlineQueue.Entry(deadline, line: first.line) == first
      {
        found = first.line
        break
      }
      queues[Int(clock)].removeFirst()
    }
    if isThorough, found != scan(on: clock, families: nil, until: limit) {
      note("deadlines: the queue has others than the lines")
    }
    return found
  }

  /// The line that is due first in the total order (time, kind, line), by looking at every one: of
  /// all on a clock, or of some accounts.
  private func scan(
    on clock: ClockNumber, families: [AccountNumber]?, until limit: Instant
  ) -> LineNumber? {
    var best: DeadlineQueue.Entry?
    for number in state.lines.indices {
      guard let (deadline, own) = state.deadline(of: LineNumber(number)), own == clock,
        deadline.time <= limit, families?.contains(state.lines[number].account) ?? true
      else { continue }
      let entry = DeadlineQueue.Entry(deadline, line: LineNumber(number))
      if let known = best, known < entry { continue }
      best = entry
    }
    return best?.line
  }

  // MARK: Commands

  /// Takes in what a command decided, and what follows of it: members' lines, lines that a sweep
  /// reaches, and what is due on the account already.
  mutating func commit(_ events: [Event]) {
    for event in events { append(event) }
    for event in state.decideFollowing(events) { append(event, .following) }
    if !state.sweeps.isEmpty { sweep() }
    guard let account = events.lazy.map(\.fact.account).first(where: { $0 != noNumber }) else {
      return
    }
    let clock = state.accounts[account].clock
    let family = state.family(of: account)
    while violation == nil,
      let line = scan(on: clock, families: family, until: state.clocks[Int(clock)].now)
    {
      _ = fallDue(line)
    }
  }

  private mutating func sweep() {
    while let step = state.decideSweepStep(
      atMost: Limits.sweptLinesPerStep, policies: policies)
    {
      if let decided = step.event {
        let event = spoilt(decided)
        append(Event(event), .sweep)
        for event in state.decideFollowing(event) { append(event, .following) }
      } else {
        state.moveSweep(to: step.next)
        if state.isSweepDone { append(state.decideSweepEnd()) }
      }
    }
  }

  /// What a leaky refusal does.
  func leak(_ account: AccountNumber) {
    let clock = state.accounts[account].clock
    let now = state.clocks[Int(clock)].now
    state.setTestTime(now.advanced(byMilliseconds: 1), clock: clock)
  }

  /// The event with the planted bug, where there is one and it concerns the event.
  private func spoilt(_ decided: LineEvent) -> LineEvent {
    var event = decided
    let line = state.lines[Int(event.fact.line)]
    switch plant {
    case nil, .deafMembers, .leakyRefusal:
      break
    case .shortChange:
      guard event.kind == .renewed, var next = event.fact.transaction,
        next.product != line.transaction.product
      else { break }
      next.expiresDate = next.expiresDate.advanced(byDays: -1)
      event.fact.transaction = next
      event.fact.renewal?.renewalDate = next.expiresDate
    case .lostGrace:
      guard event.kind == .renewalFailed,
        histories[Int(line.account)].entries.contains(where: { $0.transaction.revocation != nil })
      else { break }
      event.fact.renewal?.gracePeriodExpiresDate = .never
      event.fact.statusAfter = .billingRetry
      event.fact.notification = .didFailToRenew
    case .idleIncrease:
      guard event.kind == .priceIncreased, event.fact.notification == .priceIncreaseAccepted
      else { break }
      event.fact.renewal?.renewalPrice = line.renewal.renewalPrice
    case .forgottenExtension:
      guard event.kind == .renewed, let times = state.extensions[event.fact.line],
        let last = times.last, last > line.transaction.purchaseDate,
        let next = event.fact.transaction
      else { break }
      event.fact.transaction?.expiresDate = next.expiresDate.advanced(byDays: -1)
      event.fact.renewal?.renewalDate = next.expiresDate.advanced(byDays: -1)
    }
    return event
  }
}
