/// Family Sharing in the model (Domain.md 1.10, E21 and E21b): a member's line says what the
/// purchaser's says, from when it gains access until it loses it.
extension ModelStore {
  /// From one purchaser to at most five members, who share with nobody themselves.
  mutating func share(
    _ name: String, with member: String, now: Int64
  ) -> ReferenceModel.Outcome {
    guard name != member else { return .refused("InvalidParameter") }
    guard let account = accounts[name] else { return .refused("SubscriptionNotFound") }
    guard purchaser(of: name) == nil, purchaser(of: member) == nil, members[member] == nil else {
      return .refused("NotPossible")
    }
    if let other = accounts[member], other.clock != account.clock {
      return .refused("ClockMismatch")
    }
    guard members[name]?.count ?? 0 < 5 else { return .refused("NotPossible") }
    let before = self
    members[name, default: []].append(member)
    if accounts[member] == nil {
      accounts[member] = ModelAccount(clock: account.clock, at: now)
    }
    var count = 0
    for line in account.lines.indices where follow(member, behind: name, line: line, at: now) {
      count += 1
    }
    count += followPurchases(name, at: now)
    guard count > 0 else {
      self = before
      return .refused("NotPossible")
    }
    accounts[name]?.lastTime = max(account.lastTime, now)
    return .done(at: now)
  }

  /// Whatever the cause, a member loses all that it has by the family.
  mutating func unshare(
    _ name: String, with member: String?, now: Int64
  ) -> ReferenceModel.Outcome {
    guard let account = accounts[name] else { return .refused("SubscriptionNotFound") }
    guard let all = members[name] else { return .refused("NotPossible") }
    guard member.map({ all.contains($0) }) ?? true else { return .refused("NotPossible") }
    let leaving = member.map { [$0] } ?? all
    let staying = all.filter { !leaving.contains($0) }
    members[name] = staying.isEmpty ? nil : staying
    for member in leaving { accounts[member]?.loseShared(at: now) }
    accounts[name]?.lastTime = max(account.lastTime, now)
    return .done(at: now)
  }

  /// Holds every member's line against the purchaser's; says how many changed.
  @discardableResult
  mutating func follow(_ name: String, line: Int, at: Int64) -> Int {
    var count = 0
    for member in members[name] ?? [] where follow(member, behind: name, line: line, at: at) {
      count += 1
    }
    return count
  }

  private mutating func follow(
    _ member: String, behind name: String, line number: Int, at: Int64
  ) -> Bool {
    guard let line = accounts[name]?.lines[number], line.source == nil else { return false }
    let isShared = rules.shop[line.last.product]?.isShareable ?? false
    let source = ModelSource(account: name, line: number)
    return accounts[member]?.follow(line, source, isShared: isShared, at: at) ?? false
  }

  /// Lasting purchases: a member has what the purchaser has. Says how many changed hands.
  @discardableResult
  mutating func followPurchases(_ name: String, at: Int64) -> Int {
    guard let all = members[name], let account = accounts[name] else { return 0 }
    var owned: [String] = []
    for purchase in account.purchases where !purchase.isShared && purchase.revoked == nil {
      guard let ware = rules.shop[purchase.product], ware.kind == .nonConsumable,
        ware.isShareable, !owned.contains(ware.id)
      else { continue }
      owned.append(ware.id)
    }
    return all.reduce(0) { count, member in
      count + (accounts[member]?.own(owned, at: at) ?? 0)
    }
  }
}

/// The line that a member's follows.
struct ModelSource: Equatable {
  var account: String
  var line: Int
  /// Which of its periods the member's newest one came of.
  var period = 0
}

extension ModelAccount {
  /// The line that follows `source` becomes what the purchaser's line is; whether that changed it.
  mutating func follow(
    _ line: ModelLine, _ wanted: ModelSource, isShared: Bool, at: Int64
  ) -> Bool {
    let held = lines.firstIndex {
      $0.source?.account == wanted.account && $0.source?.line == wanted.line
    }
    guard let held, !lines[held].isOver else {
      guard isShared, line.status(at: at) == 1 else { return false }
      gain(line, wanted, held: held, at: at)
      lastTime = max(lastTime, at)
      return true
    }
    var before = lines[held]
    if !isShared || line.last.revoked != nil {
      lines[held].periods[before.periods.count - 1].revoked = at
    } else {
      lines[held].copy(line)
    }
    // When the purchaser's payment can be tried again is no fact of the member's.
    before.payableSince = lines[held].payableSince
    guard lines[held] != before else { return false }
    lastTime = max(lastTime, at)
    return true
  }

  /// Access begins now, whenever the purchaser's period did.
  private mutating func gain(
    _ line: ModelLine, _ wanted: ModelSource, held: Int?, at: Int64
  ) {
    var source = wanted
    source.period = line.periods.count - 1
    var period = line.sharedPeriod
    period.start = at
    if at != line.last.start { period.isRenewal = false }
    var mine = line
    mine.source = source
    mine.periods = (held.map { lines[$0].periods } ?? []) + [period]
    mine.nextPrice = 0
    mine.discountsLeft = 0
    mine.consent = nil
    mine.extensions = []
    mine.chainStart = held.map { max(lines[$0].chainStart, line.chainStart) } ?? at
    if let held { lines[held] = mine } else { lines.append(mine) }
  }

  /// The family is no more, for this member.
  mutating func loseShared(at: Int64) {
    for line in lines.indices where lines[line].source != nil && !lines[line].isOver {
      lines[line].periods[lines[line].periods.count - 1].revoked = at
      lastTime = max(lastTime, at)
    }
    _ = own([], at: at)
  }

  /// Has exactly these lasting purchases by the family; says how many came and went.
  mutating func own(_ products: [String], at: Int64) -> Int {
    var count = 0
    for index in purchases.indices where purchases[index].isShared {
      guard purchases[index].revoked == nil, !products.contains(purchases[index].product)
      else { continue }
      purchases[index].revoked = at
      count += 1
    }
    for product in products {
      let isHeld = purchases.contains {
        $0.isShared && $0.revoked == nil && $0.product == product
      }
      guard !isHeld else { continue }
      var purchase = ModelPeriod(product: product, start: at, end: nil, price: 0)
      purchase.isShared = true
      purchases.append(purchase)
      count += 1
    }
    if count > 0 { lastTime = max(lastTime, at) }
    return count
  }
}

extension ModelLine {
  /// Taken back, or at an end.
  var isOver: Bool { last.revoked != nil || (intent != nil && trouble == nil) }

  /// The newest period as a member has it: nothing paid, no offer.
  var sharedPeriod: ModelPeriod {
    var period = last
    period.price = 0
    period.offer = nil
    period.isShared = true
    period.isFinished = false
    period.isRefundAsked = false
    return period
  }

  /// Becomes what a purchaser's living line is; what things cost is the purchaser's alone.
  mutating func copy(_ line: ModelLine) {
    if let known = source?.period, known != line.periods.count - 1 {
      source?.period = line.periods.count - 1
      if line.periods[line.periods.count - 2].isUpgraded {
        periods[periods.count - 1].isUpgraded = true
      } else if let end = last.end, line.last.start < end {
        periods[periods.count - 1].end = line.last.start
      }
      periods.append(line.sharedPeriod)
    }
    periods[periods.count - 1].end = line.last.end
    renews = line.renews
    intent = line.intent
    trouble = line.trouble
    payableSince = line.payableSince
    change = line.change
    renewalDate = line.renewalDate
    chainStart = max(chainStart, line.chainStart)
  }
}
