import AppStore
import Subscriptions

/// The log of a life, in memory, with what is wrong with it on purpose.
struct LifeLog: EventSink {
  let plant: LifePlant?
  let isThorough: Bool
  fileprivate(set) var events: [Event] = []
  /// How each event came about.
  fileprivate(set) var causes: [EventCause] = []
  /// Each account's history, by its number.
  fileprivate(set) var histories: [AccountHistory] = []
  /// What the world itself saw that must never happen.
  var violation: Violation?

  init(plant: LifePlant?, isThorough: Bool) {
    self.plant = plant
    self.isThorough = isThorough
    events.reserveCapacity(Limits.lifeEventsUsual)
    causes.reserveCapacity(Limits.lifeEventsUsual)
  }

  var isReady: Bool { violation == nil }

  mutating func write(_ event: Event, _ cause: EventCause) -> UInt64 {
    events.append(event)
    causes.append(cause)
    return UInt64(events.count - 1)
  }

  mutating func write(_ event: LineEvent, _ cause: EventCause) -> UInt64 {
    write(Event(event), cause)
  }

  mutating func folded(_ event: Event, sequence: UInt64) {
    let account = event.fact.account
    guard account != noNumber else { return }
    while histories.count <= Int(account) { histories.append(AccountHistory()) }
    histories[Int(account)].apply(event)
  }

  mutating func folded(_ event: LineEvent, sequence: UInt64) {
    folded(Event(event), sequence: sequence)
  }

  mutating func note(_ description: String) {
    violation = violation ?? Violation(description)
  }

  mutating func spoil(_ event: inout LineEvent, in state: State, _ terms: RenewalTerms) {
    if isThorough { checkOrder(event, state, terms) }
    event = spoilt(event, state)
  }

  mutating func spoil(_ following: inout [Event], behind event: LineEvent) {
    if plant == .deafMembers, event.kind == .graceEnded { following = [] }
  }

  /// What falls due is what is due first of all on its clock, by looking at every line.
  private mutating func checkOrder(_ event: LineEvent, _ state: State, _ terms: RenewalTerms) {
    let swept: [LineKind] = [.priceIncreased, .renewalExtended, .extensionFailed]
    guard !swept.contains(event.kind) else { return }
    let own = state.deadline(of: event.fact.line, terms)
    let mine = own.map { DeadlineQueue.Entry($0.deadline, line: event.fact.line) }
    if own == nil || Self.first(on: event.clock, of: state, terms) != mine {
      note("deadlines: the queue has others than the lines")
    }
  }

  /// The entry that is first in the total order (time, kind, line) on a clock.
  fileprivate static func first(
    on clock: ClockNumber, of state: State, _ terms: RenewalTerms
  ) -> DeadlineQueue.Entry? {
    var best: DeadlineQueue.Entry?
    for number in state.lines.indices {
      guard let (deadline, own) = state.deadline(of: LineNumber(number), terms), own == clock else {
        continue
      }
      let entry = DeadlineQueue.Entry(deadline, line: LineNumber(number))
      if let known = best, known < entry { continue }
      best = entry
    }
    return best
  }
  /// The event with the planted bug, where there is one and it concerns the event.
  private func spoilt(_ decided: LineEvent, _ state: State) -> LineEvent {
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

/// A store without a daemon: the rules and their books, over a log in memory.
struct LifeWorld {
  let policies: Policies
  private let books: Books
  private var journal: LifeLog

  var plant: LifePlant? { journal.plant }
  var isThorough: Bool { journal.isThorough }
  var state: State { books.state }
  var log: [Event] { journal.events }
  var causes: [EventCause] { journal.causes }
  var histories: [AccountHistory] { journal.histories }
  var violation: Violation? { journal.violation }

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
    journal = LifeLog(plant: plant, isThorough: life.isThorough)
    books = Books(State(), policies: policies, linesPerStep: Limits.sweptLinesPerStep)
    let past = Instant(milliseconds: .min)
    append(
      Event(
        at: past, clock: Clock.system,
        fact: .log(.logCreated(role: .store, seed: UUIDBits(high: 1, low: 2)))))
    let clocks = Life.clockNames.map { Command.createClock(name: $0, at: life.start) }
    let catalogue = Command.importCatalogue(
      Self.catalogues[0], source: Self.source, digest: 1, isAsked: false)
    for command in [catalogue] + clocks {
      for event in try state.decide(command, Moment(policies)).events { append(event) }
    }
  }

  /// The name that the catalogue is kept under.
  static let source = "lives.storekit"

  /// The same world once more, to live on by itself.
  func copy() -> LifeWorld { LifeWorld(policies: policies, books: books.copy(), journal: journal) }

  private init(policies: Policies, books: Books, journal: LifeLog) {
    self.policies = policies
    self.books = books
    self.journal = journal
  }

  mutating func append(_ event: Event) {
    books.commit(event, into: &journal)
  }

  mutating func note(_ description: String) { journal.note(description) }

  /// Moves a test clock on, dealing with what is due on the way.
  mutating func advance(_ clock: ClockNumber, to target: Instant) throws(Rejection) {
    try books.advance(clock, to: target, into: &journal)
    guard isThorough, violation == nil,
      let first = LifeLog.first(on: clock, of: state, policies.terms)
    else {
      return
    }
    if first.time <= target { note("deadlines: something was due and did not happen") }
  }

  // MARK: Commands

  /// Takes in what a command decided, and what follows of it: members' lines, lines that a sweep
  /// reaches, and what is due on the account already.
  mutating func commit(_ events: [Event]) {
    books.commit(events, into: &journal)
    var count = Int.max
    while !state.sweeps.isEmpty, books.sweep(atMost: &count, into: &journal) != nil {}
    guard let account = events.lazy.map(\.fact.account).first(where: { $0 != noNumber }) else {
      return
    }
    books.catchUp(account, into: &journal)
  }

  /// What a leaky refusal does.
  func leak(_ account: AccountNumber) {
    let clock = state.accounts[account].clock
    let now = state.clocks[Int(clock)].now
    state.setTestTime(now.advanced(byMilliseconds: 1), clock: clock)
  }
}
