import Subscriptions

/// Doing the steps of a life.
extension LifeWorld {
  /// Does a step; nil where it names nothing. What must never happen is the world's `violation`.
  mutating func perform(_ step: LifeStep) -> LifeDeed? {
    let count = log.count
    let before = isThorough ? snapshot() : []
    let look = LifeLook(state)
    var deed = LifeDeed(words: "")
    do throws(Rejection) {
      let events = try decide(step, &deed.words)?.events ?? []
      if case .advance(let clock, let days, let milliseconds) = step {
        try advance(clock, days, milliseconds)
      } else {
        commit(events)
      }
    } catch {
      deed.rejection = error
      if plant == .leakyRefusal, case .line(_, let account, _) = step,
        let number = number(account)
      {
        leak(number)
      }
    }
    deed.hasChanged = log.count > count
    if !deed.hasChanged {
      if look != LifeLook(state) { note("refusal: a command that did nothing did something") }
      if isThorough, before != snapshot() {
        note("refusal: a command that did nothing changed the state's bytes")
      }
    }
    deed.isSuspect = violation != nil
    return deed.words.isEmpty ? nil : deed
  }

  /// The state's bytes.
  func snapshot() -> [UInt8] {
    var bytes: [UInt8] = []
    state.encodeSnapshot(into: &bytes)
    return bytes
  }

  private mutating func advance(
    _ clock: Int, _ days: Int64, _ milliseconds: Int64
  ) throws(Rejection) {
    let number = ClockNumber(clock + 1)
    let target = state.clocks[Int(number)].now.advanced(byDays: days)
      .advanced(byMilliseconds: milliseconds)
    try advance(number, to: target)
  }

  /// What a step comes to by the rules, with its words; nil where it is about nothing.
  private func decide(_ step: LifeStep, _ words: inout String) throws(Rejection) -> Decision? {
    guard let command = command(step, &words) else { return nil }
    var moment = Moment(policies)
    if case .transaction(let step, let account, let place) = step,
      let (number, _) = transaction(step, account, place)
    {
      moment.history = histories[Int(number)]
    }
    return try state.decide(command, moment)
  }

  private func command(_ step: LifeStep, _ words: inout String) -> Command? {
    switch step {
    case .advance(let clock, let days, let milliseconds):
      let target = state.clocks[clock + 1].now.advanced(byDays: days)
        .advanced(byMilliseconds: milliseconds)
      words = "advance --clock \(Life.clockNames[clock]) --to \(target.rfc3339)"
      return nil
    case .buy(let purchase):
      return command(purchase, &words)
    case .line(let step, let account, let place):
      return command(step, account, place, &words)
    case .transaction(let step, let account, let place):
      return command(step, account, place, &words)
    case .account(let step, let account):
      return command(step, account, &words)
    case .store(let step):
      return command(step, &words)
    }
  }

  private func command(_ purchase: LifePurchase, _ words: inout String) -> Command {
    let name = Life.name(ofAccount: purchase.account)
    var command = PurchaseCommand(
      account: Array(name.utf8), productID: purchase.product, quantity: purchase.quantity)
    words = "buy \(name) \(purchase.product)"
    let known = number(purchase.account)
    if known == nil {
      command.clock = Life.clockNames[purchase.clock]
      words += " --clock \(Life.clockNames[purchase.clock])"
    }
    if purchase.quantity != 1 { words += " --quantity \(purchase.quantity)" }
    if let offer = purchase.offer {
      command.offer = OfferRequest(kind: offer.kind, id: offer.id)
      words += " --offer \(offer.words)"
    }
    if let daysBack = purchase.daysBack {
      let own = known.map { state.accounts[$0].clock } ?? ClockNumber(purchase.clock + 1)
      let date = state.clocks[Int(own)].now.advanced(byDays: -daysBack)
      command.purchaseDate = date
      command.renewalBehavior = purchase.isCancelled ? .cancelImmediately : .renewUntilNow
      words += " --date \(date.rfc3339)" + (purchase.isCancelled ? " --cancelled" : "")
    }
    return .purchase(command)
  }

  private func command(
    _ step: LifeLineStep, _ account: Int, _ place: Int, _ words: inout String
  ) -> Command? {
    guard let line = line(step, account, place) else { return nil }
    let id = state.lines[Int(line)].transaction.originalID
    switch step {
    case .cancel:
      words = "cancel \(id)"
      return .setAutoRenew(line, isOn: false)
    case .resume:
      words = "resume \(id)"
      return .setAutoRenew(line, isOn: true)
    case .renew:
      words = "renew --subscription \(id)"
      return .forceRenewal(line)
    case .expire:
      words = "expire --subscription \(id)"
      return .expire(line)
    case .resolve:
      words = "billing resolve --subscription \(id)"
      return .resolveBilling(line)
    case .consent:
      words = "price consent --subscription \(id)"
      return .consent(line)
    case .decline:
      words = "price decline --subscription \(id)"
      return .declineIncrease(line)
    case .extend(let days):
      words = "extend --subscription \(id) \(days)d"
      return .extend(line, days: days, reason: 0)
    }
  }

  private func command(
    _ step: LifeTransactionStep, _ account: Int, _ place: Int, _ words: inout String
  ) -> Command? {
    guard let (number, id) = transaction(step, account, place) else { return nil }
    let sold = OwnedTransaction(id, of: number)
    switch step {
    case .refund(let percentage):
      words = "refund --transaction \(id)" + (percentage.map { " --percentage \($0)" } ?? "")
      return .refund(sold, percentage: percentage, reason: nil)
    case .reverse:
      words = "unrefund --transaction \(id)"
      return .reverseRefund(sold)
    case .requestRefund:
      words = "request-refund --transaction \(id)"
      return .requestRefund(sold)
    case .declineRefund:
      words = "decline-refund --transaction \(id)"
      return .declineRefund(sold)
    case .finish:
      words = "finish \(id)"
      return .finish(sold)
    }
  }

  /// The line that a step is about: where it makes sense for some alone, one of those, of the
  /// account or of the next that has one.
  private func line(_ step: LifeLineStep, _ account: Int, _ place: Int) -> LineNumber? {
    var other: LineNumber?
    for number in accounts(from: account) {
      var all: [LineNumber] = []
      var apt: [LineNumber] = []
      state.forEachLine(of: number) { place, line in
        all.append(place)
        if isApt(line, for: step) { apt.append(place) }
      }
      if !apt.isEmpty { return apt[place % apt.count] }
      if other == nil, !all.isEmpty { other = all[place % all.count] }
    }
    return other
  }

  private func isApt(_ line: borrowing Line, for step: LifeLineStep) -> Bool {
    let (isGranting, isOwed) = (line.isGranting, line.renewal.isInBillingRetry)
    let (renews, hasFailedCharge) = (line.renewal.autoRenews, line.hasFailedCharge)
    return switch step {
    case .resolve: isOwed || hasFailedCharge
    case .consent, .decline: line.renewal.priceIncreaseStatus == PriceIncreaseStatus.pending
    case .cancel: (isGranting || isOwed) && renews
    case .resume: isGranting && !renews
    case .renew, .expire, .extend: true
    }
  }

  /// The same of transactions, the newest first: much can be done with them alone.
  private func transaction(
    _ step: LifeTransactionStep, _ account: Int, _ place: Int
  ) -> (AccountNumber, UInt64)? {
    var other: (AccountNumber, UInt64)?
    for number in accounts(from: account) where Int(number) < histories.count {
      let all = histories[Int(number)].entries
      let apt = all.filter { isApt($0.transaction, for: step) }
      if !apt.isEmpty { return (number, apt[apt.count - 1 - place % apt.count].transaction.id) }
      if other == nil, !all.isEmpty {
        other = (number, all[all.count - 1 - place % all.count].transaction.id)
      }
    }
    return other
  }

  private func isApt(_ transaction: Transaction, for step: LifeTransactionStep) -> Bool {
    switch step {
    case .reverse: transaction.revocation != nil && transaction.ownership == .purchased
    case .declineRefund: state.refundRequests[transaction.id] != nil
    case .finish: !transaction.isFinished
    case .refund, .requestRefund: true
    }
  }

  /// The accounts that are there, from one on.
  func accounts(from first: Int) -> [AccountNumber] {
    (0..<Life.accountCount).compactMap { number((first + $0) % Life.accountCount) }
  }

  func number(_ account: Int) -> AccountNumber? {
    state.accounts.find(Array(Life.name(ofAccount: account).utf8))
  }
}

extension LifeOffer {
  /// As `renewctl buy --offer` has it.
  var words: String {
    let id = id ?? ""
    return switch kind {
    case .introductory: "intro"
    case .promotional: "promotional:\(id)"
    case .code: "code:\(id)"
    case .winBack: "win-back:\(id)"
    }
  }
}
