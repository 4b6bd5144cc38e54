import Subscriptions

/// What must hold of a whole world: of what stands, of its folds, of its future.
enum LifeChecks {
  /// Nothing is left undone, and who counts as a member has something that entitles.
  static func checkStanding(_ world: borrowing LifeWorld) throws(Violation) {
    let state = world.state
    var members = 0
    for number in 0..<AccountNumber(state.accounts.count) {
      let now = state.now(of: number)
      var grants: UInt32 = 0
      var undone: Line?
      state.forEachLine(of: number) { _, line in
        if let due = line.deadline(state.terms), due.time <= now { undone = copy line }
        if line.isGranting { grants += 1 }
      }
      if let undone {
        throw Violation("due: left undone on line \(undone.transaction.originalID)")
      }
      state.forEachPurchase(of: number) { purchase in
        let type = state.products[Int(purchase.transaction.product)].entry.type
        if type == .nonConsumable, purchase.transaction.revocation == nil { grants += 1 }
      }
      try Violation.unless(
        state.accounts[number].grants == grants, "members: an account's grants are miscounted")
      if grants > 0 { members += 1 }
    }
    try Violation.unless(state.members == members, "members: \(state.members), not \(members)")
  }

  /// Folding the log again gives the same state, and so does a snapshot with the rest of the log;
  /// each account's history ends in what the state has.
  static func checkFolds(_ world: borrowing LifeWorld) throws(Violation) {
    var wanted: [UInt8] = []
    world.state.encodeSnapshot(into: &wanted)
    let middle = world.log.count / 2
    var folded = State()
    for (index, event) in world.log.enumerated() {
      if index == middle {
        var bytes: [UInt8] = []
        folded.encodeSnapshot(into: &bytes)
        guard let restored = bytes.withUnsafeBytes({ State(snapshot: $0) }) else {
          throw Violation("snapshot: it cannot be read back")
        }
        folded = restored
      }
      folded.apply(event, position: UInt64(index))
    }
    var found: [UInt8] = []
    folded.encodeSnapshot(into: &found)
    try Violation.unless(found == wanted, "fold: a snapshot and the rest make another state")
    try checkHistories(world)
  }

  private static func checkHistories(_ world: borrowing LifeWorld) throws(Violation) {
    for (number, history) in world.histories.enumerated() {
      var ledger = Ledger()
      for event in world.log where event.fact.account == AccountNumber(number) {
        ledger.apply(event, sequence: nil)
      }
      for (line, known) in history.lines {
        let own = world.state.lines[Int(line)]
        try Violation.unless(
          known.transaction == own.transaction && known.renewal == own.renewal,
          "history: it ends elsewhere than the state")
      }
      try check(ledger)
    }
  }

  /// Money adds up: nobody is given back more than was paid.
  private static func check(_ ledger: Ledger) throws(Violation) {
    var balance: Int64 = 0
    var paid: [UInt64: Int64] = [:]
    for entry in ledger.entries {
      balance += entry.amount
      paid[entry.transactionID, default: 0] += entry.amount
      try Violation.unless(
        balance == entry.balance && balance >= 0, "money: the balance is \(entry.balance)")
      try Violation.unless(
        (paid[entry.transactionID] ?? 0) >= 0, "money: more was given back than was paid")
    }
  }

  /// What a forecast says is what happens, and two hops of a clock are as good as one.
  static func checkFuture(
    _ world: borrowing LifeWorld, _ audit: inout LifeAudit
  ) throws(Violation) {
    let (once, twice) = (world.copy(), world.copy())
    try check(once, twice, &audit)
  }

  private static func check(
    _ first: consuming LifeWorld, _ second: consuming LifeWorld, _ audit: inout LifeAudit
  ) throws(Violation) {
    var (once, twice) = (first, second)
    for clock in 1...ClockNumber(Life.clockNames.count) {
      let start = once.state.clocks[Int(clock)].now
      // At a fast rate a year would be a million renewals.
      let isReal = once.state.rate(once.policies) == .realTime
      let length: Int64 = isReal ? 400 * 86_400_000 : 40 * 3_600_000
      let target = start.advanced(byMilliseconds: length)
      var told: [(AccountNumber, Forecast)] = []
      do {
        for account in 0..<AccountNumber(once.state.accounts.count)
        where once.state.accounts[account].clock == clock {
          told.append(
            (
              account,
              try once.state.forecast(account: account, until: target, policies: once.policies)
            ))
        }
        try once.advance(clock, to: target)
        try twice.advance(clock, to: start.advanced(byMilliseconds: length / 3))
        try twice.advance(clock, to: target)
      } catch {
        throw Violation("future: it is refused: \(error)")
      }
      for (_, forecast) in told {
        for (number, line) in forecast.lines {
          try same(line, once.state.lines[Int(number)], "forecast: it did not come true")
        }
      }
    }
    for number in once.state.lines.indices {
      try same(
        once.state.lines[number], twice.state.lines[number], "hops: two are not as good as one")
    }
    try audit.take(once)
  }

  /// Ids are given out in the order in which things fall due over all accounts, which a forecast
  /// of one does not know: they alone may differ.
  private static func same(_ left: Line, _ right: Line, _ rule: String) throws(Violation) {
    var (left, right) = (left.transaction, right.transaction)
    left.id = 0
    right.id = 0
    left.webOrderLineItemID = 0
    right.webOrderLineItemID = 0
    try Violation.unless(left == right, rule)
  }
}
