import Subscriptions

/// What must hold of a whole world: of what stands, of its folds, of its future.
enum LifeChecks {
  /// Nothing is left undone, who counts as a member has something that entitles, and families have
  /// what they share.
  static func checkStanding(
    _ world: borrowing LifeWorld, _ audit: borrowing LifeAudit
  ) throws(Violation) {
    let state = world.state
    var members = 0
    for number in 0..<AccountNumber(state.accounts.count) {
      let now = state.now(of: number)
      var grants: UInt32 = 0
      var problem: Violation?
      state.forEachLine(of: number) { place, line in
        let known = audit.lines[Int(place)]
        if let due = line.deadline(world.policies.terms), due.time <= now {
          problem = Violation("due: left undone on line \(line.transaction.originalID)")
        }
        if known.status.entitles { grants += 1 }
        // Entitled is who is active or in grace; for so long also whose renewal is to come late.
        let terms = world.policies.terms
        let end = known.transaction.expiresDate.advanced(byMilliseconds: terms.expiryLeeway)
        let isEntitled =
          known.status(at: now).entitles || (known.isPending(at: now, world.policies) && now < end)
        if line.entitles(at: now, terms) != isEntitled {
          problem = Violation("entitled: line \(line.transaction.originalID) at \(now.rfc3339)")
        }
        if known.renewal.isInBillingRetry, !known.renewal.autoRenews {
          problem = Violation("cancel: what is owed is tried for still")
        }
        if line.status(at: now) != known.status(at: now) {
          problem = Violation("status: line \(line.transaction.originalID) has another")
        }
      }
      if let problem { throw problem }
      for transaction in audit.customers[Int(number)].owned where transaction.revocation == nil {
        grants += 1
      }
      try Violation.unless(
        state.accounts[number].grants == grants, "members: an account's grants are miscounted")
      if grants > 0 { members += 1 }
    }
    try Violation.unless(state.members == members, "members: \(state.members), not \(members)")
    try audit.checkFamilies(state)
  }

  /// Folding the log again gives the same state, and so does the snapshot of a moment with the rest
  /// of the log; each account's history and the audit end in what the state has.
  static func checkFolds(
    _ world: borrowing LifeWorld, _ audit: borrowing LifeAudit, snapshot: LifeSnapshot
  ) throws(Violation) {
    let wanted = world.snapshot()
    let folded = State()
    for index in world.log.indices { folded.apply(world.log[index], position: UInt64(index)) }
    var found: [UInt8] = []
    folded.encodeSnapshot(into: &found)
    try Violation.unless(found == wanted, "fold: the log makes another state")
    guard let restored = snapshot.bytes.withUnsafeBytes({ State(snapshot: $0) }) else {
      throw Violation("snapshot: it cannot be read back")
    }
    for index in snapshot.eventCount..<world.log.count {
      restored.apply(world.log[index], position: UInt64(index))
    }
    found.removeAll(keepingCapacity: true)
    restored.encodeSnapshot(into: &found)
    try Violation.unless(found == wanted, "snapshot: with the rest it makes another state")
    try checkHistories(world, audit)
    try checkMoney(world, audit)
  }

  private static func checkHistories(
    _ world: borrowing LifeWorld, _ audit: borrowing LifeAudit
  ) throws(Violation) {
    for number in world.histories.indices {
      for (place, known) in world.histories[number].lines {
        let own = world.state.lines[Int(place)]
        try Violation.unless(
          known.transaction == own.transaction && known.renewal == own.renewal,
          "history: it ends elsewhere than the state")
        var told = audit.lines[Int(place)].transaction
        told.isFinished = own.transaction.isFinished
        try Violation.unless(
          told == own.transaction && audit.lines[Int(place)].renewal == own.renewal
            && audit.lines[Int(place)].stacked == world.state.stackedOffers[place],
          "fold: a line is not as its events told it")
      }
      for entry in world.histories[number].entries
      where entry.transaction.ownership == .purchased {
        let payment = audit.payments[audit.place(ofPaymentFor: entry.transaction.id)]
        try Violation.unless(
          entry.transaction.price == payment.price
            && entry.transaction.isUpgraded == payment.isReplaced
            && (entry.transaction.revocation != nil) == payment.isGivenBack,
          "history: \(entry.transaction.id) is not what was sold, replaced and given back")
      }
    }
  }

  /// Money adds up: the ledger ends where the audit's own sums do, and nobody is given back more
  /// than was paid.
  private static func checkMoney(
    _ world: borrowing LifeWorld, _ audit: borrowing LifeAudit
  ) throws(Violation) {
    var ledgers = audit.customers.map { _ in Ledger() }
    for event in world.log {
      let account = event.fact.account
      guard account != noNumber else { continue }
      ledgers[Int(account)].apply(event, sequence: nil)
    }
    for (number, ledger) in ledgers.enumerated() {
      try Violation.unless(
        (ledger.entries.last?.balance ?? 0) == audit.customers[number].balance,
        "money: the balance is not \(audit.customers[number].balance)")
      try Violation.unless(
        ledger.entries.allSatisfy { $0.balance >= 0 }, "money: more was given back than was paid")
    }
    for payment in audit.payments {
      try Violation.unless(
        payment.price >= payment.prorated + payment.refunded,
        "money: more was given back of a transaction than it cost")
    }
  }

  // MARK: The future

  /// What a forecast says is what happens, and two hops of a clock are as good as one.
  static func checkFuture(
    _ world: consuming LifeWorld, _ audit: inout LifeAudit
  ) throws(Violation) {
    var twice = world.copy()
    var once = world
    for clock in 1...ClockNumber(Life.clockNames.count) {
      let start = once.state.clocks[Int(clock)].now
      // At a fast rate a year would be a million renewals.
      let isReal = once.state.rate(once.policies) == .realTime
      let length: Int64 = isReal ? 400 * 86_400_000 : 20 * 3_600_000
      let target = start.advanced(byMilliseconds: length)
      let told = try forecasts(once, clock, until: target)
      let before = (events: once.log.count, lines: LineNumber(once.state.lines.count))
      do {
        try once.advance(clock, to: target)
        try twice.advance(clock, to: start.advanced(byMilliseconds: length / 3))
        try twice.advance(clock, to: target)
      } catch {
        throw Violation("future: it is refused: \(error)")
      }
      if let violation = once.violation ?? twice.violation { throw violation }
      try audit.take(once)
      for (account, forecast) in told { try check(forecast, of: account, once, since: before) }
    }
    try Violation.unless(
      once.state.lines == twice.state.lines, "hops: two are not as good as one")
    try checkStanding(once, audit)
  }

  private static func forecasts(
    _ world: borrowing LifeWorld, _ clock: ClockNumber, until target: Instant
  ) throws(Violation) -> [(AccountNumber, Forecast)] {
    let before = world.isThorough ? world.snapshot() : []
    let look = LifeLook(world.state)
    var told: [(AccountNumber, Forecast)] = []
    for account in 0..<AccountNumber(world.state.accounts.count)
    where world.state.accounts[account].clock == clock {
      do throws(Rejection) {
        told.append(
          (
            account,
            try world.state.forecast(account: account, until: target, policies: world.policies)
          ))
      } catch {
        throw Violation("forecast: it is refused: \(error)")
      }
    }
    try Violation.unless(
      look == LifeLook(world.state) && (!world.isThorough || before == world.snapshot()),
      "forecast: it changed something")
    return told
  }

  private static func check(
    _ forecast: Forecast, of account: AccountNumber, _ world: borrowing LifeWorld,
    since before: (events: Int, lines: LineNumber)
  ) throws(Violation) {
    var place = 0
    // Which number a line that begins came to have.
    var came: [LineNumber: LineNumber] = [:]
    for index in before.events..<world.log.count where world.log[index].fact.account == account {
      try Violation.unless(place < forecast.events.count, "forecast: it leaves events out")
      guard case .line(let kind, var told) = forecast.events[place].fact,
        case .line(kind, let fact) = world.log[index].fact
      else { throw Violation("forecast: another event came") }
      if told.line >= before.lines {
        if came[told.line] == nil { came[told.line] = fact.line }
        told.line = came[told.line]!
      }
      let isSame =
        forecast.events[place].at == world.log[index].at
        && forecast.events[place].clock == world.log[index].clock
        && withoutIDs(told) == withoutIDs(fact)
      try Violation.unless(isSame, "forecast: another event came")
      place += 1
    }
    try Violation.unless(place == forecast.events.count, "forecast: it makes events up")
    for (number, line) in forecast.lines {
      let found = world.state.lines[Int(came[number] ?? number)]
      try Violation.unless(
        withoutIDs(line.transaction) == withoutIDs(found.transaction)
          && line.renewal == found.renewal, "forecast: it did not come true")
    }
  }

  /// Ids and numbers are given out in the order in which things fall due over all accounts, which
  /// a forecast of one does not know: they alone may differ.
  private static func withoutIDs(_ fact: LineFact) -> LineFact {
    var fact = fact
    fact.transaction = fact.transaction.map(withoutIDs)
    return fact
  }

  private static func withoutIDs(_ transaction: Transaction) -> Transaction {
    var transaction = transaction
    transaction.id = 0
    transaction.originalID = 0
    transaction.webOrderLineItemID = 0
    return transaction
  }
}

/// The state's bytes at a moment of a life.
struct LifeSnapshot {
  var bytes: [UInt8]
  /// The events that were folded by then.
  var eventCount: Int

  init(_ world: borrowing LifeWorld) {
    bytes = world.snapshot()
    eventCount = world.log.count
  }
}
