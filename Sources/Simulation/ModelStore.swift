/// The accounts of the model, who shares with whom, and what is sold: what commands change, and
/// what time does to it.
struct ModelStore {
  var rules: ModelRules
  var accounts: [String: ModelAccount] = [:]
  /// Each purchaser's members, in the order in which they came (Domain.md 1.10).
  var members: [String: [String]] = [:]
  /// Mass extensions by their identifiers, with how many lines each moved and could not.
  var extensions: [String: (succeeded: Int64, failed: Int64)] = [:]

  /// What a tester has switched for all, and made to fail.
  var switches: [ModelSwitch: Bool] = [:]
  var errors: [String: String] = [:]

  init(rules: ModelRules) {
    self.rules = rules
  }

  /// Empties the accounts; what is sold stays as it is.
  mutating func reset() {
    let (switches, errors) = (switches, errors)
    self = ModelStore(rules: rules)
    self.switches = switches
    self.errors = errors
  }

  func purchaser(of name: String) -> String? {
    members.first { $0.value.contains(name) }?.key
  }

  /// An account and its family: the purchaser first, then the members.
  func family(of name: String) -> [String] {
    let purchaser = purchaser(of: name) ?? name
    return [purchaser] + (members[purchaser] ?? [])
  }

  // MARK: What time does

  /// Does all that falls due in an account and its family up to and including `time`, each at its
  /// time, and says how much that was.
  @discardableResult
  mutating func roll(_ name: String, to time: Int64) -> Int {
    let family = family(of: name)
    var count = 0
    while let (name, line, due) = earliest(of: family), due <= time {
      accounts[name]?.fallDue(line, at: due, rules: rules)
      count += 1 + follow(name, line: line, at: due)
    }
    return count
  }

  /// The line that is due first: where two are at the same moment, renewals and expiries come
  /// before the ends of grace and of billing, and an older line before a newer one.
  private func earliest(of family: [String]) -> (String, Int, Int64)? {
    var best: (String, Int, Int64)?
    var bestRank = 0
    for name in family {
      guard let account = accounts[name] else { continue }
      for line in account.lines.indices {
        guard let due = account.lines[line].due else { continue }
        let rank = account.lines[line].rank
        if let known = best, (known.2, bestRank) <= (due, rank) { continue }
        best = (name, line, due)
        bestRank = rank
      }
    }
    return best
  }

  /// The same for all accounts of a clock.
  @discardableResult
  mutating func rollAll(on clock: String, to time: Int64) -> Int {
    let all = accounts.keys.sorted().filter {
      accounts[$0]?.clock == clock && purchaser(of: $0) == nil
    }
    return all.reduce(0) { $0 + roll($1, to: time) }
  }

  // MARK: What commands do

  /// Carries out a command on an account that is on `clock`, or will be, at that clock's `now`.
  mutating func perform(
    _ command: ModelCommand, clock: String, now: Int64
  ) -> ReferenceModel.Outcome {
    guard let name = command.account else { return .nothing }
    let isKnown = accounts[name] != nil
    if isKnown { roll(name, to: now) }
    if case .share(_, let member) = command { return share(name, with: member, now: now) }
    if case .unshare(_, let member, _) = command { return unshare(name, with: member, now: now) }
    var account = accounts[name] ?? ModelAccount(clock: clock, at: .min)
    if case .buy(_, _, _, _, let date?, _) = command, let members = members[name],
      members.contains(where: { date < accounts[$0]?.lastTime ?? date }),
      ModelAccount.refusal(command, rules: rules) == nil
    {
      return .refused("InvalidTime")
    }
    let outcome = perform(command, on: &account, now: now, isKnown: isKnown)
    guard let at = outcome.at else { return outcome }
    accounts[name] = account
    for line in account.lines.indices { follow(name, line: line, at: at) }
    followPurchases(name, at: at)
    roll(name, to: now)
    return outcome
  }

  /// An account goes to another clock, and its family with it.
  mutating func attach(
    _ name: String, to clock: String, now: Int64, from old: Int64
  ) -> ReferenceModel.Outcome {
    guard let account = accounts[name] else {
      accounts[name] = ModelAccount(clock: clock, at: now)
      return .done(at: now)
    }
    guard account.clock != clock else { return .nothing }
    roll(name, to: old)
    let family = family(of: name)
    guard family.allSatisfy({ now >= accounts[$0]?.lastTime ?? now }) else {
      return .refused("ClockBehind")
    }
    for name in family {
      accounts[name]?.clock = clock
      accounts[name]?.lastTime = now
    }
    roll(name, to: now)
    return .done(at: now)
  }
}
