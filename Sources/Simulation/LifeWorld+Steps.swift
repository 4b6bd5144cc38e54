import Subscriptions

/// Doing the steps of a life; each that did something has the words of `renewctl` that do the same.
extension LifeWorld {
  /// Does a step and gives its words; nil where it names nothing or changes nothing.
  mutating func perform(_ step: LifeStep) throws(Rejection) -> String? {
    let before = log.count
    let words = try carryOut(step)
    return log.count == before ? nil : words
  }

  private mutating func carryOut(_ step: LifeStep) throws(Rejection) -> String? {
    var events: [Event] = []
    switch step {
    case .advance(let clock, let days, let milliseconds):
      return try advance(clock, days, milliseconds)
    case .buy(let account, let product, let clock):
      return try buy(account, product, clock, nil, isCancelled: false)
    case .buyBack(let account, let product, let clock, let days, let isCancelled):
      return try buy(account, product, clock, days, isCancelled: isCancelled)
    case .attach(let account, let clock):
      let name = Life.name(ofAccount: account)
      try state.decideAttach(
        account: Array(name.utf8), to: ClockNumber(clock + 1), into: &events)
      commit(events)
      return "clock attach \(name) \(Life.clockNames[clock])"
    case .rate(let rate):
      try state.decideRate(rate, into: &events)
      for event in events { append(event) }
      return "rate \(rate?.name ?? "default")"
    case .billing(let account, let fails):
      guard let number = number(account) else { return nil }
      try state.decideBilling(account: number, fails: fails, into: &events)
      commit(events)
      return "billing \(fails ? "fail" : "ok") \(Life.name(ofAccount: account))"
    case .autoRenew(let account, let line, _), .renew(let account, let line),
      .expire(let account, let line), .resolve(let account, let line):
      return try changeLine(step, account, line)
    case .refund(let account, let transaction, _), .reverse(let account, let transaction),
      .requestRefund(let account, let transaction), .declineRefund(let account, let transaction),
      .finish(let account, let transaction):
      return try changeTransaction(step, account, transaction)
    }
  }

  private mutating func advance(
    _ clock: Int, _ days: Int64, _ milliseconds: Int64
  ) throws(Rejection) -> String {
    let number = ClockNumber(clock + 1)
    let target = state.clocks[Int(number)].now.advanced(byDays: days)
      .advanced(byMilliseconds: milliseconds)
    try advance(number, to: target)
    return "advance --clock \(Life.clockNames[clock]) --to \(target.rfc3339)"
  }

  private mutating func buy(
    _ account: Int, _ product: String, _ clock: Int, _ daysBack: Int64?, isCancelled: Bool
  ) throws(Rejection) -> String {
    let name = Life.name(ofAccount: account)
    var command = PurchaseCommand(account: Array(name.utf8), productID: product)
    var words = "buy \(name) \(product)"
    let known = number(account)
    if known == nil {
      command.clock = Life.clockNames[clock]
      words += " --clock \(Life.clockNames[clock])"
    }
    if let daysBack {
      let own = known.map { state.accounts[$0].clock } ?? ClockNumber(clock + 1)
      let date = state.clocks[Int(own)].now.advanced(byDays: -daysBack)
      command.purchaseDate = date
      command.renewalBehavior = isCancelled ? .cancelImmediately : .renewUntilNow
      words += " --date \(date.rfc3339)" + (isCancelled ? " --cancelled" : "")
    }
    var events: [Event] = []
    _ = try state.decidePurchase(command, policies: policies, into: &events)
    commit(events)
    return words
  }

  private mutating func changeLine(
    _ step: LifeStep, _ account: Int, _ place: Int
  ) throws(Rejection) -> String? {
    guard let number = number(account) else { return nil }
    var lines: [LineNumber] = []
    state.forEachLine(of: number) { line, _ in lines.append(line) }
    guard !lines.isEmpty else { return nil }
    let line = lines[place % lines.count]
    let id = state.lines[Int(line)].transaction.originalID
    var events: [Event] = []
    var words: String
    switch step {
    case .autoRenew(_, _, let enabled):
      try state.decideAutoRenew(line: line, enabled: enabled, into: &events)
      words = "\(enabled ? "resume" : "cancel") \(id)"
    case .renew:
      try state.decideForcedRenewal(line: line, policies: policies, into: &events)
      words = "renew --subscription \(id)"
    case .expire:
      try state.decideExpiry(line: line, into: &events)
      words = "expire --subscription \(id)"
    case .resolve:
      try state.decideRecovery(line: line, policies: policies, into: &events)
      words = "billing resolve --subscription \(id)"
    case .advance, .buy, .buyBack, .billing, .refund, .reverse, .requestRefund, .declineRefund,
      .finish, .attach, .rate:
      preconditionFailure("no step on a line")
    }
    commit(events)
    return words
  }

  private mutating func changeTransaction(
    _ step: LifeStep, _ account: Int, _ place: Int
  ) throws(Rejection) -> String? {
    guard let number = number(account), Int(number) < histories.count else { return nil }
    let history = histories[Int(number)]
    guard !history.entries.isEmpty else { return nil }
    // The newest first: much can be done with them alone.
    let entry = history.entries[history.entries.count - 1 - place % history.entries.count]
    let id = entry.transaction.id
    var events: [Event] = []
    var words: String
    switch step {
    case .refund(_, _, let percentage):
      try state.decideRefund(
        of: id, account: number, history: history, percentage: percentage, reason: nil,
        into: &events)
      words = "refund --transaction \(id)" + (percentage.map { " --percentage \($0)" } ?? "")
    case .reverse:
      try state.decideRefundReversal(of: id, account: number, history: history, into: &events)
      words = "unrefund --transaction \(id)"
    case .requestRefund:
      try state.decideRefundRequest(of: id, account: number, history: history, into: &events)
      words = "request-refund --transaction \(id)"
    case .declineRefund:
      try state.decideRefundRefusal(of: id, account: number, history: history, into: &events)
      words = "decline-refund --transaction \(id)"
    case .finish:
      try state.decideFinish(id, account: number, history: history, into: &events)
      words = "finish \(id)"
    case .advance, .buy, .buyBack, .billing, .autoRenew, .renew, .expire, .resolve, .attach,
      .rate:
      preconditionFailure("no step on a transaction")
    }
    commit(events)
    return words
  }

  private func number(_ account: Int) -> AccountNumber? {
    state.accounts.find(Array(Life.name(ofAccount: account).utf8))
  }
}
