/// A second, slower statement of the rules, written from the design pages alone (Domain.md 1.2 to
/// 1.5, 1.7 to 1.11, 2.2): lists of periods in dictionaries of names, recomputed from the list of
/// commands that were acknowledged. Its answers must be the daemon's, for every account at any
/// instant.
struct ReferenceModel {
  /// A command that did something.
  private struct Step {
    var command: ModelCommand
    /// Its time on its account's clock, or on the system's.
    var at: Int64
    /// For a command that is about everybody: the times of all accounts.
    var times: [String: Int64] = [:]
    /// The clock on which an account was opened that named none.
    var clock: String
  }

  /// How the store decides, and what it sold at first.
  let rules: ModelRules
  /// What happened, in its order.
  private var list: [Step] = []
  /// Test clocks and the system's by their names.
  private(set) var clocks: [String: Int64]
  private(set) var store: ModelStore
  /// A test clock's times: from 2000 to the end of 2099.
  private static let times: ClosedRange<Int64> = 946_684_800_000...4_102_444_799_999
  /// Times that a call may name at all: the year after it too.
  private static let outsideTimes: ClosedRange<Int64> = 946_684_800_000...4_133_980_799_999
  /// Where in the list the last reset stands, and what was left then: what is sold and switched.
  private var firstLive = 0
  private var firstStore: ModelStore

  init(rules: ModelRules, system: Int64) {
    self.rules = rules
    store = ModelStore(rules: rules)
    firstStore = store
    clocks = ["system": system]
  }

  var accounts: [String: ModelAccount] { store.accounts }

  /// The clock on which an account is opened that names none.
  var clockForNewAccounts: String { clocks["default"] == nil ? "system" : "default" }

  var clockNames: [String] { clocks.keys.sorted() }

  func now(of account: String) -> Int64 {
    clocks[accounts[account]?.clock ?? clockForNewAccounts] ?? 0
  }

  /// The system's time has come to `time`; what falls due is done.
  mutating func passSystem(to time: Int64) {
    clocks["system"] = max(clocks["system"] ?? time, time)
    store.rollAll(on: "system", to: clocks["system"] ?? 0)
  }

  /// What a command makes now: the time of its event, and for an advance how many things fall
  /// due; or the error. No time where nothing happens.
  struct Outcome: Equatable {
    var error: String?
    var at: Int64?
    var due = 0
    /// Lines that a command for everybody reached, and those that it could not.
    var counts: [Int64]?
    /// A purchase that is put off.
    var isWaiting = false

    static func refused(_ name: String) -> Outcome { Outcome(error: "org.renewd.\(name)") }
    static let nothing = Outcome()
    static func done(at time: Int64) -> Outcome { Outcome(at: time) }
  }

  /// Carries a command out where the rules allow it.
  mutating func perform(_ command: ModelCommand) -> Outcome {
    var outcome: Outcome
    var times: [String: Int64] = [:]
    switch command {
    case .createClock(let name, let time):
      guard clocks[name] == nil, Self.outsideTimes.contains(time) else {
        return .refused("InvalidParameter")
      }
      guard Self.times.contains(time) else { return .refused("InvalidTime") }
      clocks[name] = time
      outcome = .done(at: time)
    case .advance(let name, let target):
      guard let now = clocks[name] else { return .refused("ClockNotFound") }
      guard Self.outsideTimes.contains(target) else { return .refused("InvalidParameter") }
      guard name != "system" else { return .refused("NotPossible") }
      guard Self.times.contains(target) else { return .refused("InvalidTime") }
      guard target >= now else { return .refused("InvalidTime") }
      guard target > now else { return .nothing }
      clocks[name] = target
      outcome = .done(at: target)
      outcome.due = store.rollAll(on: name, to: target)
    case .reset:
      store.reset()
      outcome = .done(at: clocks["system"] ?? 0)
    case .attach(let name, let clock):
      guard let now = clocks[clock] else { return .refused("ClockNotFound") }
      outcome = store.attach(name, to: clock, now: now, from: self.now(of: name))
    case .raisePrice, .remove, .restock, .extendAll, .setError, .setSwitch(_, nil, _):
      if let obstacle = store.obstacle(to: command) { return obstacle }
      outcome = .done(at: clocks["system"] ?? 0)
      for clock in clockNames { store.rollAll(on: clock, to: clocks[clock] ?? 0) }
      times = store.accounts.mapValues { clocks[$0.clock] ?? 0 }
      outcome.counts = store.performOnAll(command, times: times)
    case .buy, .setAutoRenew, .refund, .reverseRefund, .requestRefund, .declineRefund, .finish,
      .expire, .forceRenewal, .extend, .setBilling, .resolveBilling, .share, .unshare,
      .answerIncrease, .setSwitch, .makeWaiting, .declineWaiting:
      outcome = perform(onAccount: command)
    }
    if let at = outcome.at {
      list.append(Step(command: command, at: at, times: times, clock: clockForNewAccounts))
    }
    if command == .reset {
      firstLive = list.count
      firstStore = store
    }
    return outcome
  }

  private mutating func perform(onAccount command: ModelCommand) -> Outcome {
    if store.fails(command) { return .refused("SimulatedError") }
    guard let name = command.account else { return .nothing }
    var clock = clockForNewAccounts
    if case .buy(_, _, _, let wanted?, _, _) = command {
      if let error = ModelAccount.refusal(command, rules: store.rules) { return .refused(error) }
      guard clocks[wanted] != nil else { return .refused("ClockNotFound") }
      if let account = accounts[name], account.clock != wanted {
        return .refused("ClockMismatch")
      }
      clock = wanted
    }
    clock = accounts[name]?.clock ?? clock
    return store.perform(command, clock: clock, now: clocks[clock] ?? 0)
  }

  // MARK: Other times

  /// An account at another moment, computed from the list: in the past what had happened by then,
  /// in the future what will if nothing else does. Nil where nothing was known of it.
  func account(_ name: String, at time: Int64) -> ModelAccount? {
    let kin = kin(of: name)
    var past = firstStore
    for step in list[firstLive...] {
      if step.command.isForAll {
        for (name, now) in step.times { past.roll(name, to: min(now, time)) }
        // What comes later changes no line; but a purchase that is dated back knows of it.
        _ = past.performOnAll(step.command, times: step.times.filter { $0.value <= time })
        continue
      }
      guard let other = step.command.account, kin.contains(other), step.at <= time else {
        continue
      }
      if case .attach(_, let clock) = step.command {
        _ = past.attach(other, to: clock, now: step.at, from: step.at)
      } else {
        let clock = past.accounts[other]?.clock ?? clock(of: step)
        _ = past.perform(step.command, clock: clock, now: step.at)
      }
    }
    past.roll(name, to: time)
    return past.accounts[name]
  }

  /// The clock on which a command opens an account.
  private func clock(of step: Step) -> String {
    if case .buy(_, _, _, let wanted?, _, _) = step.command { return wanted }
    return step.clock
  }

  /// Everybody with whom an account has ever been in a family, and they in turn.
  private func kin(of name: String) -> Set<String> {
    var kin: Set = [name]
    var count = 0
    while count != kin.count {
      count = kin.count
      for step in list[firstLive...] {
        guard case .share(let account, let member) = step.command else { continue }
        if kin.contains(account) || kin.contains(member) { kin.formUnion([account, member]) }
      }
    }
    return kin
  }
}
