extension State {
  /// Folds one event. It never fails: what an event says has happened. `position` is where the
  /// event stands in the log, for the account's chain.
  public func apply(_ event: borrowing Event, position: UInt64) {
    facts.sequence += 1
    let isSwept = event.caller == nil && noteSweep(event.fact)
    applyFact(event.fact, at: event.at)
    if case .clock(.advanceStarted(let clock, _)) = event.fact {
      facts.clocks[Int(clock)].advanceCaller = event.caller
    } else if case .product(_, let fact) = event.fact {
      noteCaller(event.caller, of: fact)
    } else if event.caller == nil, !isSwept, facts.clocks[Int(event.clock)].target != nil {
      facts.clocks[Int(event.clock)].advanceEvents += 1
    }
    if facts.clocks[Int(event.clock)].now < event.at {
      facts.clocks[Int(event.clock)].now = event.at
    }
    let account = event.fact.account
    guard account != noNumber else {
      facts.clocks[Int(event.clock)].lastSequence = facts.sequence
      return
    }
    note(account, at: event.at, position: position)
  }

  /// Folds one event of a line that nobody asked for.
  public func apply(_ event: borrowing LineEvent, position: UInt64) {
    facts.sequence += 1
    let isSwept = noteSweep(event.kind, event.fact)
    applyLine(event.kind, event.fact, at: event.at)
    let clock = Int(event.clock)
    if !isSwept, facts.clocks[clock].target != nil { facts.clocks[clock].advanceEvents += 1 }
    if facts.clocks[clock].now < event.at { facts.clocks[clock].now = event.at }
    if event.fact.account == noNumber { facts.clocks[clock].lastSequence = facts.sequence }
    note(event.fact.account, at: event.at, position: position)
  }

  private func note(_ account: AccountNumber, at: Instant, position: UInt64) {
    guard account != noNumber else { return }
    facts.accounts[account].lastPosition = position
    facts.accounts[account].lastSequence = facts.sequence
    if facts.accounts[account].lastTime < at { facts.accounts[account].lastTime = at }
  }

  private func applyFact(_ fact: borrowing Fact, at: Instant) {
    switch copy fact {
    case .line(let kind, let line):
      applyLine(kind, line, at: at)
    case .purchase(let kind, let fact):
      noteRefund(kind.ofLine, of: fact.transaction, at: at)
      applyPurchase(kind, fact.transaction, of: fact.account)
    case .product(let kind, let fact):
      applyProduct(kind, fact, at: at)
    case .account(let fact):
      applyAccount(fact)
    case .clock(let fact):
      applyClock(fact)
    case .log(let fact):
      applyLog(fact)
    case .catalogue(.catalogueImported(let source, let digest, let catalogue)):
      applyCatalogue(catalogue, source: source, digest: digest)
    case .catalogue(.offerKeysImported(let source, let keys)):
      applyOfferKeys(keys, source: source)
    case .tester(let fact):
      applyTester(fact, at: at)
    case .appStore(.ingested(let fact)):
      applyIngested(fact, at: at)
    case .appStore(.linked(let fact)):
      applyLinked(fact, at: at)
    case .appStore(.unlinked(let fact)):
      applyUnlinked(fact)
    case .appStore(.namesReported(let names)):
      applyNames(names)
    }
  }

  private func applyLog(_ fact: LogFact) {
    switch fact {
    case .logCreated(let role, let seed, let identity):
      facts.role = role
      facts.seed = seed
      facts.identity = identity
    case .bootObserved(let id, let realMinusBoot):
      noteBoot(id, realMinusBoot)
    case .reset:
      applyReset()
    }
  }

  private func applyClock(_ fact: ClockFact) {
    switch fact {
    case .clockCreated(_, let name, let time):
      facts.clocks.append(Clock(name: name, isTest: true, now: time))
    case .advanceStarted(let clock, let target):
      facts.clocks[Int(clock)].target = target
      facts.clocks[Int(clock)].advanceSequence = facts.sequence
      facts.clocks[Int(clock)].advanceEvents = 0
    case .advanced(let clock, _, _, _):
      facts.clocks[Int(clock)].target = nil
    case .clockHeld(let milliseconds):
      facts.heldMilliseconds = milliseconds
    case .clockAccepted:
      noteAccepted()
    }
  }

  private func applyAccount(_ fact: AccountFact) {
    switch fact {
    case .accountOpened(let account, let key, let token, let clock):
      applyOpened(account: account, key: key, token: token, clock: clock)
    case .tokenGiven(let account, let token):
      facts.laterTokens[account, default: []].append(
        LaterToken(sequence: facts.sequence, number: intern(token, of: account), isOpening: false))
    case .clockAttached(let account, let clock):
      facts.clocks[Int(facts.accounts[account].clock)].accounts -= 1
      facts.accounts[account].clock = clock
      facts.clocks[Int(clock)].accounts += 1
    case .finished(let account, let line, let transactionID):
      applyFinished(account: account, line: line, transactionID: transactionID)
    case .offerNonceUsed(_, let nonce):
      facts.usedNonces.insert(nonce)
    case .offerStacked(_, let line, let offer):
      facts.stackedOffers[line] = offer
    case .purchasePending(let purchase):
      facts.switches.pending.append(purchase)
      note(purchase.id)
    case .pendingEnded(_, let id, _):
      facts.switches.pending.removeAll { $0.id == id }
    case .sharingStarted(let purchaser, let member):
      facts.families.begin(purchaser, member)
    case .sharingEnded(let purchaser, let member, _):
      facts.families.end(purchaser, member)
    }
  }

  private func applyLine(_ kind: LineKind, _ fact: LineFact, at: Instant) {
    guard kind != .statusPassed else {
      applyPassed(fact.line, at: at)
      return
    }
    if let transaction = fact.transaction { noteRefund(kind, of: transaction, at: at) }
    if kind == .renewalExtended { noteExtension(of: fact.line, at: at) }
    if Int(fact.line) == facts.lines.count, let transaction = fact.transaction,
      let renewal = fact.renewal
    {
      facts.lines.append(
        Line(
          account: fact.account, group: fact.group,
          nextOfAccount: facts.accounts[fact.account].newestLine, transaction: transaction,
          renewal: renewal))
      facts.accounts[fact.account].newestLine = fact.line
    } else {
      facts.lines[Int(fact.line)].apply(kind, fact, at: at)
    }
    if !facts.stackedOffers.isEmpty { dropStackedOffer(kind, fact) }
    let grants = fact.statusAfter.entitles
    if facts.lines[Int(fact.line)].isGranting != grants {
      facts.lines[Int(fact.line)].isGranting = grants
      count(grants, for: fact.account)
    }
    if let transaction = fact.transaction {
      note(transaction.id)
      if transaction.ownership == .familyShared, kind != .restored { noteSource(of: fact) }
    }
  }

  /// A member's line stands as the purchaser's does now.
  private func noteSource(of fact: LineFact) {
    let source = fact.source == noNumber ? facts.families.source(of: fact.line) : fact.source
    guard let source else { return }
    facts.families.link(
      fact.line, to: source, soldID: facts.lines[Int(source)].transaction.soldID)
  }

  /// A stacked code waits as long as its line stays in the introductory offer: once the renewal
  /// info has the code, or something else was chosen, it waits no more.
  private func dropStackedOffer(_ kind: LineKind, _ fact: LineFact) {
    guard let renewal = fact.renewal else { return }
    let isChosenAnew =
      kind == .purchased || kind == .offerRedeemed || kind == .planChangeScheduled
      || kind == .upgraded || kind == .expired
    if isChosenAnew || renewal.offer?.kind != .introductory { facts.stackedOffers[fact.line] = nil }
  }

  private func applyPurchase(
    _ kind: PurchaseKind, _ transaction: Transaction, of account: AccountNumber
  ) {
    note(transaction.id)
    guard facts.products[Int(transaction.product)].entry.type != .consumable else { return }
    if kind == .purchased || kind == .shared {
      facts.purchases.append(
        LastingPurchase(
          account: account, nextOfAccount: facts.accounts[account].newestPurchase,
          transaction: transaction))
      facts.accounts[account].newestPurchase = UInt32(facts.purchases.count - 1)
      if grants(transaction) { count(true, for: account) }
      return
    }
    var before: Transaction?
    updatePurchase(transaction.originalID, of: account) {
      before = $0.transaction
      $0.transaction = transaction
    }
    guard let before, grants(before) != grants(transaction) else { return }
    count(grants(transaction), for: account)
  }

  /// Whether a purchase outside a subscription entitles: a non-consumable that is not given back.
  func grants(_ transaction: Transaction) -> Bool {
    transaction.revocation == nil
      && facts.products[Int(transaction.product)].entry.type == .nonConsumable
  }

  private func applyFinished(
    account: AccountNumber, line: LineNumber, transactionID: UInt64
  ) {
    if line != noNumber {
      if facts.lines[Int(line)].transaction.id == transactionID {
        facts.lines[Int(line)].transaction.isFinished = true
      }
      return
    }
    updatePurchase(transactionID, of: account) { $0.transaction.isFinished = true }
  }

  private func updatePurchase(
    _ originalID: UInt64, of account: AccountNumber, _ body: (inout LastingPurchase) -> Void
  ) {
    var number = facts.accounts[account].newestPurchase
    while number != noNumber {
      let purchase = facts.purchases[Int(number)]
      if purchase.transaction.originalID == originalID, purchase.environment == nil {
        body(&facts.purchases[Int(number)])
        return
      }
      number = facts.purchases[Int(number)].nextOfAccount
    }
  }

  private func applyOpened(
    account: AccountNumber, key: [UInt8], token: UUIDBits?, clock: ClockNumber
  ) {
    let number = token.map { intern($0, of: account) } ?? noNumber
    if Int(account) == facts.accounts.count {
      facts.accounts.append(key: key, clock: clock, token: number)
      facts.clocks[Int(clock)].accounts += 1
    } else {
      reopen(account, with: number)
    }
  }

  /// One grant more or less for an account, which makes or ends a member.
  func count(_ grants: Bool, for account: AccountNumber) {
    guard account != noNumber else { return }
    if grants {
      if facts.accounts[account].grants == 0 { facts.members += 1 }
      facts.accounts[account].grants += 1
    } else {
      facts.accounts[account].grants -= 1
      if facts.accounts[account].grants == 0 { facts.members -= 1 }
    }
  }

  /// Keeps which refunds are asked for and not decided, by what was sold: a restore changes
  /// nothing of it.
  private func noteRefund(_ kind: LineKind, of transaction: Transaction, at: Instant) {
    if kind == .refundRequested {
      facts.refundRequests[transaction.soldID] = at
    } else if kind == .refundDeclined || kind == .refunded {
      facts.refundRequests[transaction.soldID] = nil
    }
  }

  private func note(_ transactionID: UInt64) {
    facts.nextTransactionID = max(facts.nextTransactionID, transactionID &+ 1)
  }

  /// Empties accounts, lines and purchases; catalogue and clocks stay, ids and sequence go on.
  private func applyReset() {
    facts.accounts.forgetKeys()
    facts.firstLiveLine = LineNumber(facts.lines.count)
    facts.firstLivePurchase = UInt32(facts.purchases.count)
    facts.stackedOffers = [:]
    facts.laterTokens = [:]
    facts.usedNonces = []
    for clock in facts.clocks.indices { facts.clocks[clock].accounts = 0 }
    facts.members = 0
    facts.refundRequests.removeAll()
    facts.apple.firstLive = facts.apple.chains.count
    facts.apple.numbers.removeAll()
    facts.apple.lineChains.removeAll()
    facts.apple.purchaseChains.removeAll()
    facts.apple.known.removeAll()
    facts.apple.tokenAccounts.removeAll()
    facts.families.removeAll()
    facts.massExtensions.removeAll()
    facts.extensions.removeAll()
    facts.switches.forgetAccounts()
  }
}

extension Line {
  /// A line as its first event begins it.
  init(
    account: AccountNumber, group: UInt32, nextOfAccount: LineNumber, transaction: Transaction,
    renewal: RenewalInfo
  ) {
    self.account = account
    self.group = group
    self.nextOfAccount = nextOfAccount
    self.hadIntroductoryOffer = transaction.offer?.kind == .introductory
    self.environment = .sandbox
    self.isGranting = false
    var sold = SoldCourse()
    sold.offerPeriods = transaction.offer == nil ? 0 : 1
    self.course = .store(sold)
    self.originalPurchaseDate = transaction.purchaseDate
    self.lastGraceStart = .never
    self.lastGraceEnd = .never
    self.transaction = transaction
    self.renewal = renewal
    self.reanchor()
    if isAccelerated(since: transaction.purchaseDate) { anchorBehind() }
  }

  /// Folds one fact of the line. The greater transaction id is the newer period; a fact about an
  /// older one (a refund, say) leaves the current period alone.
  mutating func apply(_ kind: LineKind, _ fact: LineFact, at: Instant) {
    guard kind != .statusPassed else {
      notePassed(until: at)
      return
    }
    let isEarly = kind == .recovered && !renewal.isInBillingRetry
    let keepsCycle = kind == .recovered && isPaidInGrace(at: at)
    let wasInTrouble = renewal.isInBillingRetry
    if kind == .chargeFailed { sold.hasFailedCharge = true }
    noteGrace(kind, fact, at: at)
    if let renewal = fact.renewal { self.renewal = renewal }
    if kind == .renewalFailed || !renewal.isInBillingRetry { payableSince = .never }
    noteRedemption(kind)
    guard let new = fact.transaction, new.id >= transaction.id else { return }
    let old = transaction
    transaction = new
    if kind == .renewalExtended { anchorBehind() }
    // A restored period is the same one under another id.
    guard new.id != old.id, kind != .restored else { return }
    sold.count(new.reason)
    if new.offer?.kind == .introductory { hadIntroductoryOffer = true }
    let goesOn =
      new.reason == .renewal && old.offer == new.offer && old.product == new.product
    sold.offerPeriods = new.offer == nil ? 0 : goesOn ? sold.offerPeriodsCounted + 1 : 1
    sold.isOfferAnew = false
    let isShort = kind == .recovered && renewal.retryRate != .realTime
    if isShort || isAccelerated(since: keepsCycle ? old.expiresDate : new.purchaseDate) {
      anchorBehind()
      return
    }
    // Outside grace a recovery begins the cycle anew, even at the very end of the last period; so
    // does a renewal forced out of billing trouble.
    let follows = new.purchaseDate == old.expiresDate && !wasInTrouble
    let isGapless =
      new.reason == .renewal && (kind == .recovered ? keepsCycle || isEarly : follows)
    if isGapless, new.period.isCountedInMonths == old.period.isCountedInMonths,
      !isTrial(old), !isTrial(new)
    {
      // Wraps only in a log of no store: a store's clocks end long before.
      sold.anchorLength &+= new.period.length
    } else {
      reanchor()
      if keepsCycle, !isTrial(new), !Self.beginsAnew(new, after: old) {
        sold.anchor = old.expiresDate
      }
    }
  }

  /// The running offer redeemed once more is counted anew from the next renewal on, unless another
  /// plan or offer is chosen before.
  private mutating func noteRedemption(_ kind: LineKind) {
    guard kind == .offerRedeemed || kind == .planChangeScheduled else { return }
    sold.isOfferAnew =
      kind == .offerRedeemed && renewal.offer == transaction.offer && sold.offerPeriods != 0
  }

  /// Whether a renewal paid within the grace period began a cycle of its own, since that of a week
  /// was over (see `decideRecovery`): its end is two weeks after the last one then, or later. The
  /// hour that a clock change takes or gives makes no difference.
  private static func beginsAnew(_ new: Transaction, after old: Transaction) -> Bool {
    guard !new.period.isCountedInMonths else { return false }
    let halfDays = 3 * Int64(new.period.length)
    let length = new.expiresDate.milliseconds &- old.expiresDate.milliseconds
    return length >= halfDays * Instant.millisecondsPerDay / 2
  }

  /// Keeps the last grace period apart from the present facts, which lose it on recovery.
  private mutating func noteGrace(_ kind: LineKind, _ fact: LineFact, at: Instant) {
    if kind == .renewalFailed {
      guard let grace = fact.renewal?.gracePeriodExpiresDate, grace != .never else { return }
      lastGraceStart = at
      lastGraceEnd = .never
    } else if kind == .graceEnded {
      lastGraceEnd = renewal.gracePeriodExpiresDate
    } else if lastGraceStart != .never, lastGraceEnd == .never,
      fact.statusAfter != .gracePeriod
    {
      lastGraceEnd = at
    }
  }

  /// Counts the calendar anew from the current transaction: from its purchase, or from its end
  /// where it is a free trial (Domain.md 2.2).
  private mutating func reanchor() {
    sold.anchor = isTrial(transaction) ? transaction.expiresDate : transaction.purchaseDate
    sold.anchorLength = isTrial(transaction) ? 0 : transaction.period.length
  }

  /// Whether the current period ran at a rate, and not on the calendar: it is of less than half
  /// the days that its length has. Rates are much faster, and nothing else makes one as short.
  private func isAccelerated(since start: Instant) -> Bool {
    let period = transaction.period
    let days = Int64(period.isCountedInMonths ? period.length &* 28 : period.length)
    let length = transaction.expiresDate.milliseconds &- start.milliseconds
    return length < days * (Instant.millisecondsPerDay / 2)
  }

  /// The calendar begins where the current period ends.
  private mutating func anchorBehind() {
    sold.anchor = transaction.expiresDate
    sold.anchorLength = 0
  }

  private func isTrial(_ transaction: Transaction) -> Bool {
    transaction.offer?.paymentMode == .freeTrial
  }
}
