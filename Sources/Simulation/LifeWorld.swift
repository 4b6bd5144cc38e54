import AppStore
import Subscriptions

/// A bug that is put in on purpose, to see that the audit of lives finds it.
public enum LifePlant: String, CaseIterable, Sendable {
  /// A renewal as another product than before ends a day early.
  case shortChange = "short-change"
  /// A renewal that fails while an older refund stands gives no grace.
  case lostGrace = "lost-grace"
}

/// A store without a daemon: the rules, a log in memory, and what a daemon does with them.
struct LifeWorld {
  let policies: Policies
  let plant: LifePlant?
  private(set) var state = State()
  private(set) var log: [Event] = []
  /// Each account's history, by its number.
  private(set) var histories: [AccountHistory] = []

  /// What the lives' store sells, read from its file once.
  static let catalogue: Catalogue = {
    do throws(StoreKitConfigurationError) {
      return try StoreKitConfiguration.read(Shop.workload.storekitText).catalogue
    } catch {
      preconditionFailure("the workload's own file is wrong: \(error)")
    }
  }()

  init(_ life: Life, plant: LifePlant?) throws(Rejection) {
    policies = life.policies
    self.plant = plant
    state.terms = policies.terms
    let past = Instant(milliseconds: .min)
    append(
      Event(
        at: past, clock: Clock.system,
        fact: .logCreated(role: .store, seed: UUIDBits(high: 1, low: 2))))
    if let fact = try state.decideImport(Self.catalogue, source: "lives.storekit", digest: 1) {
      append(Event(at: past, clock: Clock.system, fact: fact))
    }
    for name in Life.clockNames { append(try state.decideClock(named: name, at: life.start)) }
  }

  /// The same world once more, to live on by itself.
  func copy() -> LifeWorld {
    var other = self
    other.state = state.copy()
    return other
  }

  mutating func append(_ event: Event) {
    state.apply(event, position: UInt64(log.count))
    log.append(event)
    let account = event.fact.account
    guard account != noNumber else { return }
    while histories.count <= Int(account) { histories.append(AccountHistory()) }
    histories[Int(account)].apply(event)
  }

  // MARK: Time

  /// Moves a test clock on, dealing with what is due on the way.
  mutating func advance(_ clock: ClockNumber, to target: Instant) throws(Rejection) {
    guard let start = try state.decideAdvance(clock: clock, to: target) else { return }
    append(start)
    let first = state.sequence + 1
    let count = doDue(on: clock, until: target)
    append(
      Event(
        at: target, clock: clock,
        fact: .advanced(clock: clock, target: target, firstSequence: first, events: count)))
  }

  /// What falls due on a clock, or on one account alone, in the total order (time, kind, line).
  @discardableResult
  mutating func doDue(
    on clock: ClockNumber, account: AccountNumber? = nil, until limit: Instant
  ) -> UInt64 {
    var count: UInt64 = 0
    while let line = earliest(on: clock, account: account, until: limit),
      let event = state.decideDue(line: line, policies: policies)
    {
      append(Event(spoilt(event)))
      count += 1
    }
    return count
  }

  private func earliest(
    on clock: ClockNumber, account: AccountNumber?, until limit: Instant
  ) -> LineNumber? {
    var best: DeadlineQueue.Entry?
    for number in state.lines.indices {
      guard let (deadline, own) = state.deadline(of: LineNumber(number)), own == clock,
        deadline.time <= limit, account == nil || state.lines[number].account == account
      else { continue }
      let entry = DeadlineQueue.Entry(deadline, line: LineNumber(number))
      if let known = best, known < entry { continue }
      best = entry
    }
    return best?.line
  }

  /// The event with the planted bug, where there is one and it concerns the event.
  private func spoilt(_ event: LineEvent) -> LineEvent {
    var event = event
    let line = state.lines[Int(event.fact.line)]
    switch plant {
    case nil:
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
    }
    return event
  }

  /// Takes in what a command decided, then what is due on the account already.
  mutating func commit(_ events: [Event]) {
    for event in events { append(event) }
    guard let account = events.lazy.map(\.fact.account).first(where: { $0 != noNumber }) else {
      return
    }
    let clock = state.accounts[account].clock
    doDue(on: clock, account: account, until: state.clocks[Int(clock)].now)
  }
}
