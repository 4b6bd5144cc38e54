extension State {
  /// What is due on a line at its deadline: one event, which carries the deadline as its time,
  /// not the moment at which somebody looked. Nil where nothing is due.
  public func decideDue(line number: LineNumber, policies: Policies) -> LineEvent? {
    let line = facts.lines[Int(number)]
    guard let deadline = line.deadline(policies.terms) else { return nil }
    return due(
      deadline, line: line, number: number, id: facts.nextTransactionID, policies: policies)
  }

  /// The same for a line that need not be the state's own: a forecast goes on with a copy.
  func due(
    _ deadline: Deadline, line: Line, number: LineNumber, id: UInt64, policies: Policies
  ) -> LineEvent {
    var event = LineEvent(
      at: deadline.time, clock: clock(of: line), kind: .renewed,
      fact: LineFact(
        line: number, account: line.account, group: line.group, statusAfter: .active,
        notification: .didRenew, transaction: line.carriedTransaction))
    switch deadline.kind {
    case .renew:
      charge(&event, line: line, id: id, policies: policies)
    case .retry:
      retry(&event, line: line, id: id, policies: policies)
    case .expire:
      event.kind = .expired
      expire(&event.fact, of: line, .cancelled, .expiredVoluntary, at: deadline.time)
    case .endGrace:
      event.kind = .graceEnded
      event.fact.statusAfter = .billingRetry
      event.fact.notification = .gracePeriodExpired
      event.fact.renewal = line.renewal
      event.fact.renewal?.signedDate = deadline.time
    case .endRetry:
      event.kind = .expired
      expire(&event.fact, of: line, .billingError, .expiredBillingRetry, at: deadline.time)
    case .passStatus:
      event.kind = .statusPassed
      event.fact.statusAfter = line.status(at: deadline.time)
      event.fact.notification = .none
      event.fact.transaction = nil
    }
    return event
  }

  /// What keeps a line from renewing before anything is charged (Domain.md 1.3, E23d and E24).
  private func hindrance(of line: Line) -> (ExpirationIntent, Notification)? {
    if facts.products[Int(line.renewal.autoRenewProduct)].isWithdrawn {
      return (.productUnavailable, .expiredProductNotForSale)
    }
    return line.renewal.priceIncreaseStatus == PriceIncreaseStatus.pending
      ? (.noConsent, .expiredPriceIncrease) : nil
  }

  /// The charge for a line's next period, at the event's time: ahead of the present one's end, at
  /// it, or late (Domain.md 2.4).
  private func charge(_ event: inout LineEvent, line: Line, id: UInt64, policies: Policies) {
    let (now, end) = (event.at, line.transaction.expiresDate)
    if let (intent, notification) = hindrance(of: line), now >= end {
      event.kind = .expired
      expire(&event.fact, of: line, intent, notification, at: now)
      if policies.autoRenewAfterEnd == .unchanged { event.fact.renewal?.autoRenews = true }
      return
    }
    guard !paymentsFail(of: line.account), hindrance(of: line) == nil else {
      // Ahead of the end a failure changes nothing yet, and Apple says nothing of it.
      event.kind = now < end ? .chargeFailed : .renewalFailed
      event.fact.notification = .none
      if now >= end { fail(&event.fact, of: line, at: now, policies: policies) }
      return
    }
    var start = line
    // A late renewal is a period that begins when it is dealt with.
    if now > end { start.beginAnew(at: now) }
    var next = renewal(
      of: start, number: event.fact.line, id: id, policies: policies)
    next.transaction.signedDate = now
    next.renewal.signedDate = now
    if now > end {
      next.renewal.recentSubscriptionStartDate = recentStart(
        of: line, at: now, policies: policies)
    }
    if line.hasFailedCharge {
      event.kind = .recovered
      event.fact.notification = .billingRecovery
    }
    event.fact.transaction = next.transaction
    event.fact.renewal = next.renewal
  }

  /// The charge that failed is tried again at the event's time, and succeeds (Domain.md 1.3, E9
  /// and E10).
  private func retry(_ event: inout LineEvent, line: Line, id: UInt64, policies: Policies) {
    let now = event.at
    if let (intent, notification) = hindrance(of: line) {
      event.kind = .expired
      expire(&event.fact, of: line, intent, notification, at: now)
      if policies.autoRenewAfterEnd == .unchanged { event.fact.renewal?.autoRenews = true }
      return
    }
    let next = recovery(
      of: line, number: event.fact.line, id: id, at: now,
      keepsCycle: line.isPaidInGrace(at: now), policies: policies)
    event.kind = .recovered
    event.fact.notification = .billingRecovery
    event.fact.transaction = next.transaction
    event.fact.renewal = next.renewal
  }

  /// Makes a fact a line's end, for whatever reason (Domain.md 1.3, E5 and E11).
  func expire(
    _ fact: inout LineFact, of line: Line, _ intent: ExpirationIntent,
    _ notification: Notification, at now: Instant
  ) {
    var renewal = line.renewal
    renewal.autoRenews = false
    renewal.isInBillingRetry = false
    renewal.retryRate = .realTime
    renewal.gracePeriodExpiresDate = .never
    renewal.expirationIntent = intent
    renewal.signedDate = now
    fact.statusAfter = .expired
    fact.notification = notification
    fact.renewal = renewal
  }

  /// The next period of a line, from the end of the current one (Domain.md 1.3, E2).
  func renewal(
    of line: Line, number: LineNumber, id: UInt64, policies: Policies
  ) -> (transaction: Transaction, renewal: RenewalInfo) {
    let start = line.transaction.expiresDate
    let product = line.renewal.autoRenewProduct
    var next = line.transaction
    next.id = id
    next.webOrderLineItemID = id + Limits.webOrderLineItemOffset
    next.purchaseDate = start
    next.signedDate = start
    next.product = product
    next.token = line.renewal.token
    next.storefront = line.renewal.storefront
    next.price = line.renewal.renewalPrice
    next.offer = line.renewal.offer
    next.period = nextPeriod(of: line)
    next.expiresDate = end(of: next.period, after: line, policies: policies)
    next.reason = .renewal
    next.isFinished = false
    next.isUpgraded = false
    next.revocation = nil
    return (next, renewalInfo(after: next, of: line, number: number))
  }

  /// The renewal info that a new period of a line brings.
  func renewalInfo(
    after next: Transaction, of line: Line, number: LineNumber
  ) -> RenewalInfo {
    let goesOn =
      next.offer == line.transaction.offer && next.product == line.transaction.product
    let sold = goesOn ? line.sold.offerPeriodsCounted + 1 : 1
    var price = nextPrice(after: next, offerPeriodsSold: next.offer == nil ? 0 : sold)
    if price.offer == nil, next.offer?.kind == .introductory, !facts.stackedOffers.isEmpty,
      let stacked = facts.stackedOffers[number]
    {
      price = (stacked.price, stacked.offer)
    }
    var renewal = RenewalInfo(
      autoRenewProduct: next.product, renewalDate: next.expiresDate, renewalPrice: price.price,
      recentSubscriptionStartDate: line.renewal.recentSubscriptionStartDate,
      signedDate: next.signedDate, storefront: next.storefront, token: next.token)
    renewal.offer = price.offer
    return renewal
  }
}

extension Line {
  /// Lets the present period end at `now`, and the calendar be counted from there.
  mutating func beginAnew(at now: Instant) {
    transaction.expiresDate = now
    sold.anchor = now
    sold.anchorLength = 0
  }
}
