extension State {
  /// What choosing another product of a group means, by level and length (Domain.md 1.4).
  enum PlanChange {
    /// At once: a higher level, or the same level and length.
    case immediate
    /// At the next renewal: a lower level, or the same level and another length.
    case deferred
  }

  func planChange(from old: ProductNumber, to new: ProductNumber) -> PlanChange {
    let (old, new) = (facts.products[Int(old)].entry, facts.products[Int(new)].entry)
    if new.level != old.level { return new.level < old.level ? .immediate : .deferred }
    return new.period == old.period ? .immediate : .deferred
  }

  /// Whether a purchase concerns a line that lives: it changes that one, and begins none.
  func isChange(
    of number: LineNumber, to product: ProductNumber, at now: Instant
  ) throws(Rejection) -> Bool {
    switch facts.lines[Int(number)].status(at: now) {
    case .active: true
    case .gracePeriod, .billingRetry: try !isSecondLine(number, product: product, at: now)
    case .expired, .revoked: false
    }
  }

  /// Decides a purchase in a group whose line lives (Domain.md 1.3, E4, E14 to E16 and E25):
  /// renewal turned on again, an upgrade, a change at the next renewal, one taken back, or an
  /// offer for the next billing event.
  func decideChange(
    of number: LineNumber, to product: ProductNumber, _ command: PurchaseCommand,
    redeeming offer: Redemption?, at now: Instant, policies: Policies,
    into events: inout [Event]
  ) throws(Rejection) -> PurchaseDecision {
    let line = facts.lines[Int(number)]
    guard command.offer?.kind != .introductory else {
      throw .ineligibleForOffer(reason: "a living subscription gets no introductory offer")
    }
    if product == line.transaction.product {
      guard offer == nil else {
        let status = line.status(at: now)
        guard status == .active else {
          throw .notPossible(
            status: status,
            reason: "the subscription waits for its payment; an offer is for one that is active")
        }
        schedule(product, on: line, number, .offerRedeemed, offer, command, at: now, &events)
        return standing(line, number)
      }
      guard product != line.renewal.autoRenewProduct else {
        guard !line.renewal.autoRenews else { throw .alreadySubscribed }
        bringToken(of: command, to: line, at: now, &events)
        try decideAutoRenew(line: number, enabled: true, into: &events)
        carryTransaction(of: line, bearings(of: command, on: line), in: &events)
        return standing(line, number)
      }
      schedule(product, on: line, number, .planKept, nil, command, at: now, &events)
      return standing(line, number)
    }
    switch planChange(from: line.transaction.product, to: product) {
    case .immediate:
      upgrade(
        line, number, to: product, offer, command, at: now, policies: policies, into: &events)
      return .bought
    case .deferred:
      // Chosen once more by another of the app's users, it is theirs.
      let wanted = bearings(of: command, on: line).token
      let isToldAnew = command.token != nil && wanted != line.renewal.token
      if product != line.renewal.autoRenewProduct || !line.renewal.autoRenews || offer != nil
        || isToldAnew
      {
        schedule(
          product, on: line, number, offer == nil ? .planDowngrade : .offerDowngrade, offer,
          command, at: now, &events)
      }
      return standing(line, number)
    }
  }

  /// The transaction is in the event, so that the call is answered alike when it is asked again.
  /// What its purchase said of the next renewal, where it was one, is in it too.
  func carryTransaction(
    of line: Line, _ bearings: (storefront: UInt16, token: TokenReference)? = nil,
    in events: inout [Event]
  ) {
    guard case .line(let kind, var fact)? = events.last?.fact else { return }
    fact.transaction = line.transaction
    if let bearings {
      fact.renewal?.storefront = bearings.storefront
      fact.renewal?.token = bearings.token
    }
    events[events.count - 1].fact = .line(kind, fact)
  }

  private func standing(_ line: Line, _ number: LineNumber) -> PurchaseDecision {
    .standing(line.transaction, account: line.account, line: number)
  }

  /// A purchase while a line of the group is in billing trouble: the same product waits for the
  /// payment, unless it takes a change of plan back; another one, once billing is only retried,
  /// begins a line of its own (Domain.md 1.3, E13).
  func isSecondLine(
    _ number: LineNumber, product: ProductNumber, at now: Instant
  ) throws(Rejection) -> Bool {
    let line = facts.lines[Int(number)]
    let status = line.status(at: now)
    let takesBack = status == .gracePeriod && product != line.renewal.autoRenewProduct
    guard product != line.transaction.product || takesBack else {
      throw .notPossible(
        status: status,
        reason: "the subscription waits for its payment; settle what it owes (billing resolve)")
    }
    guard !paymentsFail(of: line.account) else {
      throw .notPossible(
        status: status,
        reason: "the account's payments fail; let them succeed first (billing ok), or settle what"
          + " it owes (billing resolve)")
    }
    return status == .billingRetry
  }

  /// Where a changed line goes on, and with whose token: as the app says, or else as before. A
  /// change of plan without a token keeps the line's, as Apple says of its endpoint for tokens.
  private func bearings(
    of command: PurchaseCommand, on line: Line
  ) -> (storefront: UInt16, token: TokenReference) {
    (
      command.storefront.flatMap { Storefront.number(country: $0) }
        ?? line.transaction.storefront,
      command.token == nil
        ? line.transaction.token : reference(to: command.token, of: line.account)
    )
  }

  /// The token that comes with a change of plan, where the account has not come with it before.
  private func bringToken(
    of command: PurchaseCommand, to line: Line, at now: Instant, _ events: inout [Event]
  ) {
    let clock = facts.accounts[line.account].clock
    if let event = tokenEvent(command.token, of: line.account, at: now, clock: clock) {
      events.append(event)
    }
  }

  /// The plan that the next renewal is of, and the offer that it is sold by. Choosing one means to
  /// go on: renewal is turned on. What was to apply to the next renewal before is dropped.
  private func schedule(
    _ product: ProductNumber, on line: Line, _ number: LineNumber, _ notification: Notification,
    _ offer: Redemption?, _ command: PurchaseCommand, at now: Instant, _ events: inout [Event]
  ) {
    bringToken(of: command, to: line, at: now, &events)
    var renewal = line.renewal
    (renewal.storefront, renewal.token) = bearings(of: command, on: line)
    renewal.autoRenewProduct = product
    renewal.autoRenews = true
    renewal.priceIncreaseStatus = nil
    renewal.signedDate = now
    if let offer {
      renewal.renewalPrice = offer.price
      renewal.offer = offer.terms
    } else if product == line.transaction.product {
      let next = nextPrice(
        after: line.transaction, offerPeriodsSold: line.sold.offerPeriods)
      renewal.renewalPrice = next.price
      renewal.offer = next.offer
    } else {
      renewal.renewalPrice = facts.products[Int(product)].entry.price
      renewal.offer = nil
    }
    events.append(
      Event(
        at: now, clock: facts.accounts[line.account].clock,
        fact: .line(
          notification == .offerRedeemed ? .offerRedeemed : .planChangeScheduled,
          LineFact(
            line: number, account: line.account, group: line.group,
            statusAfter: line.status(at: now), notification: notification,
            transaction: line.transaction, renewal: renewal))))
  }

  /// A new period of another product, begun at once; the old one is replaced, and its unused part
  /// refunded (`proratedRefund`).
  private func upgrade(
    _ line: Line, _ number: LineNumber, to product: ProductNumber, _ offer: Redemption?,
    _ command: PurchaseCommand, at now: Instant, policies: Policies, into events: inout [Event]
  ) {
    bringToken(of: command, to: line, at: now, &events)
    let entry = facts.products[Int(product)].entry
    var next = line.transaction
    (next.storefront, next.token) = bearings(of: command, on: line)
    next.id = facts.nextTransactionID
    next.webOrderLineItemID = next.id + Limits.webOrderLineItemOffset
    next.purchaseDate = now
    next.signedDate = now
    next.product = product
    next.price = entry.price
    apply(offer, period: entry.period ?? next.period, to: &next, policies: policies)
    next.reason = .purchase
    next.isFinished = false
    let price = nextPrice(after: next, offerPeriodsSold: offer == nil ? 0 : 1)
    var renewal = RenewalInfo(
      autoRenewProduct: product, renewalDate: next.expiresDate, renewalPrice: price.price,
      recentSubscriptionStartDate: recentStart(of: line, at: now, policies: policies),
      signedDate: now, storefront: next.storefront, token: next.token)
    renewal.offer = price.offer
    events.append(
      Event(
        at: now, clock: facts.accounts[line.account].clock,
        fact: .line(
          .upgraded,
          LineFact(
            line: number, account: line.account, group: line.group, statusAfter: .active,
            notification: offer == nil ? .planUpgrade : .offerUpgrade, transaction: next,
            renewal: renewal))))
  }
}

extension Transaction {
  /// What is given back of a period that an upgrade replaces at `now`: the unused part of what
  /// was paid, milliunits, rounded down (Domain.md 1.4).
  public func proratedRefund(at now: Instant) -> Int64 {
    guard expiresDate != .never, now < expiresDate, purchaseDate < expiresDate else { return 0 }
    let unused = expiresDate.milliseconds - max(now, purchaseDate).milliseconds
    let whole = expiresDate.milliseconds - purchaseDate.milliseconds
    let (high, low) = price.magnitude.multipliedFullWidth(by: UInt64(unused))
    return Int64(UInt64(whole).dividingFullWidth((high, low)).quotient)
  }
}
