import Subscriptions

/// Goes through a life event by event and holds each to what the rules say of it (Domain.md 1 and
/// 2), with knowledge of its own: what the events before it said, the catalogue as it was imported
/// and changed, and a calendar that shares nothing with the product's.
struct LifeAudit {
  let policies: Policies
  /// Which transitions happened, by their place.
  private(set) var seen = [Bool](repeating: false, count: LifeTransitions.count)
  var lines: [LifeLine] = []
  /// By the product's number.
  var goods: [LifeGood] = []
  /// By the account's number.
  var customers: [LifeCustomer] = []
  /// By the transaction's id, from the first that there was.
  var payments: [LifePayment] = []
  /// Where what was sold under an id has its payment: a restore gives it another id.
  private var places: [Int] = []
  var firstID: UInt64 = 0
  var rate: RenewalRate
  private var failsForAll = false
  private var asksForAll = false
  private var isInterruptedForAll = false
  /// The change under way that reaches many lines: what it is, and whom it has yet to reach.
  private(set) var sweep: (fact: ProductFact, lines: Set<LineNumber>, count: Int)?
  private var lastID: UInt64 = 0
  private var taken = 0
  /// Of the events that came together: accounts that something was sold to, and whether a purchase
  /// that waited was made.
  private var soldTo: AccountNumber?
  private var isApproved = false

  init(policies: Policies) {
    self.policies = policies
    rate = policies.renewalRate
  }

  /// Takes in what has been appended since the last time.
  mutating func take(_ world: borrowing LifeWorld) throws(Violation) {
    soldTo = nil
    isApproved = false
    while taken < world.log.count {
      let cause = world.causes[taken]
      let event = world.log[taken]
      if case .line(let kind, let fact) = event.fact {
        try take(kind, fact, cause, at: event.at, world.state)
      } else if case .purchase(let kind, let fact) = event.fact {
        try take(kind, fact.transaction, of: fact.account, at: event.at)
      } else if case .account(let fact) = event.fact {
        try take(fact, world.state)
      } else if case .tester(let fact) = event.fact {
        take(fact, at: event.at, world.state)
      } else if case .catalogue(.catalogueImported(_, _, let catalogue)) = event.fact {
        take(catalogue, world.state)
      } else if case .product(let kind, let fact) = event.fact {
        try take(kind, fact, world.state)
      }
      taken += 1
    }
    try checkWaiting()
  }

  /// Where purchases must be approved, or are interrupted, none is made at once (Domain.md 1.9).
  private func checkWaiting() throws(Violation) {
    guard let soldTo, !isApproved else { return }
    let customer = customers[Int(soldTo)]
    try Violation.unless(
      !(customer.asksToBuy ?? asksForAll) && !(customer.isInterrupted ?? isInterruptedForAll),
      "waiting: a purchase that had to wait was made")
  }

  mutating func noteSale(to account: AccountNumber) {
    soldTo = account
  }

  func paymentsFail(of account: AccountNumber) -> Bool {
    let customer = customers[Int(account)]
    return customer.fails || (failsForAll && !customer.pays)
  }

  // MARK: Lines

  private mutating func take(
    _ kind: LineKind, _ fact: LineFact, _ cause: EventCause, at: Instant, _ state: State
  ) throws(Violation) {
    let isFirst = Int(fact.line) >= lines.count
    let before = isFirst ? nil : lines[Int(fact.line)]
    try checkTransition(kind, fact, at: at, before)
    guard let transaction = fact.transaction ?? before?.transaction,
      let renewal = fact.renewal ?? before?.renewal
    else { throw Violation("facts: a line without a transaction or a renewal info") }
    try checkIDs(kind, fact, at: at, before)
    if transaction.ownership == .familyShared {
      try checkShared(kind, fact, cause, transaction, renewal, at: at, before)
    } else {
      try check(kind, fact, cause, at: at, before, state)
    }
    if cause == .sweep {
      try Violation.unless(
        sweep?.lines.remove(fact.line) != nil, "sweep: it reached a line that it does not concern")
    }
    if cause == .command, kind == .purchased || kind == .upgraded { soldTo = fact.account }
    follow(kind, fact, transaction, renewal, cause, at: at, before)
    let after = lines[Int(fact.line)]
    try Violation.unless(
      fact.statusAfter == after.status(at: at), "status: \(kind) at \(at.rfc3339) left another")
    if fact.statusAfter.entitles, before?.status.entitles != true {
      try checkAlone(fact.line, after)
    }
  }

  private mutating func checkTransition(
    _ kind: LineKind, _ fact: LineFact, at: Instant, _ before: LifeLine?
  ) throws(Violation) {
    let place = LifeTransitions.place(before?.status, kind, fact.statusAfter)
    if LifeTransitions.isListed[place] {
      seen[place] = true
      return
    }
    // A period whose renewal is dealt with late is over all the same: it is left as expired by
    // what comes between, is bought anew as such, and may renew all the same.
    let isLate =
      before.map { at >= $0.transaction.expiresDate && policies.terms.lag > 0 } ?? false
    let isListed = [Status.active, .expired].contains {
      LifeTransitions.isListed[LifeTransitions.place($0, kind, fact.statusAfter)]
    }
    try Violation.unless(
      isLate && (isListed || kind == .restored),
      "transition: from \(before.map { "\($0.status)" } ?? "nothing") by \(kind) to"
        + " \(fact.statusAfter) is not listed")
  }

  /// Ids are given out once, in order; a line keeps its first (Domain.md 1.1).
  private mutating func checkIDs(
    _ kind: LineKind, _ fact: LineFact, at: Instant, _ before: LifeLine?
  ) throws(Violation) {
    guard let transaction = fact.transaction else { return }
    guard kind != .restored else {
      guard let before, !before.isOver, fact.renewal == nil, fact.notification == .none else {
        throw Violation("restore: of a line that is over, or told of")
      }
      return try takeRestored(transaction, of: before.transaction, at: at)
    }
    try Violation.unless(
      transaction.originalID == before?.transaction.originalID ?? transaction.id,
      "ids: a line has another original id")
    guard let old = before?.transaction, transaction.id <= old.id else {
      try checkNew(transaction)
      let brings: [LineKind] = [.purchased, .renewed, .recovered, .upgraded, .shared]
      // What befalls the purchaser's line may bring a period that a member had not.
      return try Violation.unless(
        brings.contains(kind) || transaction.ownership == .familyShared,
        "facts: \(kind) brought a transaction")
    }
    guard transaction.id == old.id else { return }
    let isSame =
      transaction.product == old.product && transaction.price == old.price
      && transaction.purchaseDate == old.purchaseDate && transaction.period == old.period
      && transaction.offer == old.offer && transaction.quantity == old.quantity
      && transaction.reason == old.reason && transaction.ownership == old.ownership
      && transaction.storefront == old.storefront
    try Violation.unless(isSame, "facts: \(kind) changed what was sold")
    guard transaction.expiresDate != old.expiresDate else { return }
    try Violation.unless(
      kind == .renewalExtended || kind == .expired || old.ownership == .familyShared,
      "facts: \(kind) moved an end")
  }

  /// Where the payment of a transaction is.
  func place(ofPaymentFor id: UInt64) -> Int {
    places[Int(id - firstID)]
  }

  /// What is restored is the same under another id, to be delivered again, and nothing else.
  mutating func takeRestored(
    _ transaction: Transaction, of old: Transaction, at: Instant
  ) throws(Violation) {
    try checkNew(transaction)
    var wanted = old
    wanted.id = transaction.id
    wanted.signedDate = at
    wanted.isFinished = false
    try Violation.unless(
      transaction == wanted && old.revocation == nil, "restore: it changed more than the id")
    places[Int(transaction.id - firstID)] = place(ofPaymentFor: old.id)
  }

  mutating func checkNew(_ transaction: Transaction) throws(Violation) {
    try Violation.unless(
      transaction.id > lastID, "ids: \(transaction.id) is not above those before")
    lastID = transaction.id
    if payments.isEmpty { firstID = transaction.id }
    while UInt64(payments.count) <= transaction.id - firstID {
      places.append(payments.count)
      payments.append(LifePayment())
    }
  }

  /// One living line of its own for an account and group, but where one was paid after another
  /// was bought.
  private func checkAlone(_ number: LineNumber, _ line: LifeLine) throws(Violation) {
    guard !line.isShared else { return }
    for (other, known) in lines.enumerated()
    where other != Int(number) && known.account == line.account && known.group == line.group
      && known.status.entitles && !known.isShared
    {
      try Violation.unless(
        known.wasRecovered || line.wasRecovered, "alone: two lines of one group live")
    }
  }

  // MARK: Everything else

  private mutating func take(_ fact: TesterFact, at: Instant, _ state: State) {
    switch fact {
    case .billingChanged(let account, let fails):
      if account == noNumber {
        failsForAll = fails
      } else {
        customers[Int(account)].fails = fails
        customers[Int(account)].pays = !fails
      }
      for number in lines.indices where lines[number].renewal.isInBillingRetry {
        let payer = lines[number].account
        guard account == noNumber || account == payer else { continue }
        if paymentsFail(of: payer) {
          lines[number].payableSince = .never
        } else if lines[number].payableSince == .never {
          lines[number].payableSince = account == noNumber ? state.now(of: payer) : at
        }
      }
    case .switched(.askToBuy, let account, let isOn):
      if account == noNumber { asksForAll = isOn } else { customers[Int(account)].asksToBuy = isOn }
    case .switched(.interrupted, let account, let isOn):
      if account == noNumber {
        isInterruptedForAll = isOn
      } else {
        customers[Int(account)].isInterrupted = isOn
      }
    case .rateChanged(let new):
      rate = new ?? policies.renewalRate
    case .simulatedErrorChanged:
      break
    }
  }

  private mutating func take(_ fact: AccountFact, _ state: State) throws(Violation) {
    switch fact {
    case .accountOpened(let account, _, _, _):
      while customers.count <= Int(account) { customers.append(LifeCustomer()) }
    case .purchasePending(let purchase):
      try checkPending(purchase)
    case .pendingEnded(_, _, let end):
      isApproved = isApproved || end == .bought
    case .offerStacked(_, let line, let stacked):
      let known = try offered(stacked.offer, of: lines[Int(line)].transaction.product, state)
      try Violation.unless(
        known.isStackable && known.price == stacked.price
          && lines[Int(line)].transaction.offer?.kind == .introductory,
        "offer: a code waits that does not stack")
      lines[Int(line)].stacked = stacked
    case .sharingStarted(let purchaser, let member):
      customers[Int(purchaser)].members.append(member)
      customers[Int(member)].purchaser = purchaser
    case .sharingEnded(let purchaser, let member, _):
      customers[Int(purchaser)].members.removeAll { $0 == member }
      customers[Int(member)].purchaser = nil
    case .tokenGiven, .clockAttached, .finished, .offerNonceUsed:
      break
    }
  }

  private mutating func checkPending(_ purchase: PendingPurchase) throws(Violation) {
    try Violation.unless(purchase.id > lastID, "ids: a purchase that waits has an old one")
    lastID = purchase.id
    let customer = customers[Int(purchase.account)]
    let mustWait =
      purchase.reason == .askToBuy
      ? customer.asksToBuy ?? asksForAll : customer.isInterrupted ?? isInterruptedForAll
    try Violation.unless(mustWait, "waiting: a purchase waits that need not")
  }

  private mutating func take(_ catalogue: Catalogue, _ state: State) {
    for index in goods.indices { goods[index].isOnSale = false }
    for entry in catalogue.products {
      guard let number = state.product(id: entry.id) else { continue }
      let good = LifeGood(entry: entry, price: entry.price)
      if Int(number) < goods.count { goods[Int(number)] = good } else { goods.append(good) }
    }
  }

  private mutating func take(
    _ kind: ProductKind, _ fact: ProductFact, _ state: State
  ) throws(Violation) {
    switch kind {
    case .removedFromSale:
      goods[Int(fact.product)].isOnSale = false
      goods[Int(fact.product)].isWithdrawn = true
    case .priceIncreaseAnnounced:
      try Violation.unless(
        fact.price >= goods[Int(fact.product)].price, "price: an increase is none")
      goods[Int(fact.product)].price = fact.price
      let lines = reached(byIncrease: fact, state)
      sweep = (fact, lines, lines.count)
    case .massExtensionStarted:
      let lines = reached(byExtension: fact, state)
      sweep = (fact, lines, lines.count)
    case .priceIncreaseCompleted, .massExtensionCompleted:
      try Violation.unless(
        sweep?.lines.isEmpty == true && sweep?.count == Int(fact.succeeded + fact.failed),
        "sweep: \(kind) came before all were told")
      sweep = nil
    }
  }
}
