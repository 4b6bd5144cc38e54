/// A second, slower statement of the rules, written from the design pages alone (domain.md 1.2 to
/// 1.5, 1.7, 2.2): lists of periods in dictionaries of names, recomputed from the list of commands
/// that were acknowledged. Its answers must be the daemon's, for every account at any instant.
struct ReferenceModel {
  let rules: ModelRules
  /// What happened, in its order, each at its time on its clock.
  private(set) var list: [(command: ModelCommand, at: Int64)] = []
  /// Test clocks and the system's by their names.
  private(set) var clocks: [String: Int64]
  private(set) var accounts: [String: ModelAccount] = [:]
  /// A test clock's times: from 2000 to the end of 2099 (architecture.md, Time).
  private static let times: ClosedRange<Int64> = 946_684_800_000...4_102_444_799_999
  /// Where in the list the last reset stands.
  private var firstLive = 0

  init(rules: ModelRules, system: Int64) {
    self.rules = rules
    clocks = ["system": system]
  }

  /// The clock on which an account is opened that names none.
  var clockForNewAccounts: String { clocks["default"] == nil ? "system" : "default" }

  var accountNames: [String] { accounts.keys.sorted() }
  var clockNames: [String] { clocks.keys.sorted() }

  func now(of account: String) -> Int64 {
    clocks[accounts[account]?.clock ?? clockForNewAccounts] ?? 0
  }

  /// The system's time has come to `time`; what falls due is done.
  mutating func passSystem(to time: Int64) {
    clocks["system"] = max(clocks["system"] ?? time, time)
    roll("system")
  }

  /// Does all that is due on a clock and says how much.
  @discardableResult
  private mutating func roll(_ clock: String) -> Int {
    var count = 0
    for name in accountNames where accounts[name]?.clock == clock {
      count += accounts[name]?.roll(to: clocks[clock] ?? 0, rules: rules) ?? 0
    }
    return count
  }

  /// What a command makes now: the time of its event, and for an advance how many things fall
  /// due; or the error. Nil events where nothing happens.
  struct Outcome: Equatable {
    var error: String?
    var at: Int64?
    var due = 0

    static func refused(_ name: String) -> Outcome { Outcome(error: "org.renewd.\(name)") }
    static let nothing = Outcome()
    static func done(at time: Int64) -> Outcome { Outcome(at: time) }
  }

  /// Carries a command out where the rules allow it.
  mutating func perform(_ command: ModelCommand) -> Outcome {
    var outcome: Outcome
    switch command {
    case .createClock(let name, let time):
      guard clocks[name] == nil else { return .refused("InvalidParameter") }
      guard Self.times.contains(time) else { return .refused("InvalidTime") }
      clocks[name] = time
      outcome = .done(at: time)
    case .advance(let name, let target):
      guard let now = clocks[name] else { return .refused("ClockNotFound") }
      guard name != "system" else { return .refused("NotPossible") }
      guard Self.times.contains(target) else { return .refused("InvalidTime") }
      guard target > now else { return .nothing }
      clocks[name] = target
      outcome = .done(at: target)
      outcome.due = roll(name)
    case .reset:
      accounts.removeAll()
      outcome = .done(at: clocks["system"] ?? 0)
    case .attach(let name, let clock):
      outcome = attach(name, to: clock)
    case .buy, .setAutoRenew, .refund, .reverseRefund, .requestRefund, .declineRefund, .finish,
      .expire, .forceRenewal, .extend,
      .setBilling, .resolveBilling:
      outcome = perform(onAccount: command)
    }
    if let at = outcome.at { list.append((command, at)) }
    if command == .reset { firstLive = list.count }
    return outcome
  }

  private mutating func attach(_ name: String, to clock: String) -> Outcome {
    guard let now = clocks[clock] else { return .refused("ClockNotFound") }
    guard var account = accounts[name] else {
      accounts[name] = ModelAccount(clock: clock, at: now)
      return .done(at: now)
    }
    guard account.clock != clock else { return .nothing }
    account.roll(to: clocks[account.clock] ?? 0, rules: rules)
    guard now >= account.lastTime else { return .refused("ClockBehind") }
    account.clock = clock
    account.lastTime = now
    account.roll(to: now, rules: rules)
    accounts[name] = account
    return .done(at: now)
  }

  private mutating func perform(onAccount command: ModelCommand) -> Outcome {
    guard let name = command.account else { return .nothing }
    var clock = clockForNewAccounts
    if case .buy(_, let product, let quantity, let wanted?, _, _) = command {
      if let error = ModelAccount.refusal(product, quantity: quantity, shop: rules.shop) {
        return .refused(error)
      }
      guard clocks[wanted] != nil else { return .refused("ClockNotFound") }
      if let account = accounts[name], account.clock != wanted {
        return .refused("ClockMismatch")
      }
      clock = wanted
    }
    let known = accounts[name]
    if let known { clock = known.clock }
    let now = clocks[clock] ?? 0
    var account = known ?? ModelAccount(clock: clock, at: .min)
    account.roll(to: now, rules: rules)
    let outcome = account.perform(command, now: now, isKnown: known != nil, rules: rules)
    guard outcome.error == nil else { return outcome }
    account.roll(to: now, rules: rules)
    if outcome.at != nil { accounts[name] = account }
    return outcome
  }

  // MARK: Other times

  /// An account at another moment, computed from the list: in the past what had happened by then,
  /// in the future what will if nothing else does. Nil where nothing was known of it.
  func account(_ name: String, at time: Int64) -> ModelAccount? {
    var account: ModelAccount?
    for (command, at) in list[firstLive...] where command.account == name && at <= time {
      if case .attach(_, let clock) = command {
        account?.roll(to: at, rules: rules)
        account = account ?? ModelAccount(clock: clock, at: at)
        account?.clock = clock
        account?.lastTime = at
        continue
      }
      var next = account ?? ModelAccount(clock: clockForNewAccounts, at: at)
      next.roll(to: at, rules: rules)
      _ = next.perform(command, now: at, isKnown: account != nil, rules: rules)
      account = next
    }
    account?.roll(to: time, rules: rules)
    return account
  }
}
