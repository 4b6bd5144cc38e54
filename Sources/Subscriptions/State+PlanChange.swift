extension State {
  /// What choosing another product of a group means, by level and length (domain.md 1.4).
  enum PlanChange {
    /// At once: a higher level, or the same level and length.
    case immediate
    /// At the next renewal: a lower level, or the same level and another length.
    case deferred
  }

  func planChange(from old: ProductNumber, to new: ProductNumber) -> PlanChange {
    let (old, new) = (products[Int(old)].entry, products[Int(new)].entry)
    if new.level != old.level { return new.level < old.level ? .immediate : .deferred }
    return new.period == old.period ? .immediate : .deferred
  }

  /// Decides a purchase in a group whose line lives (domain.md 1.3, E4 and E14 to E16): renewal
  /// turned on again, an upgrade, a change at the next renewal, or one taken back.
  func decideChange(
    of number: LineNumber, to product: ProductNumber, _ command: PurchaseCommand, at now: Instant,
    policies: Policies, into events: inout [Event]
  ) throws(Rejection) -> PurchaseDecision {
    let line = lines[Int(number)]
    guard command.offer == nil else {
      throw .ineligibleForOffer(reason: "a living subscription gets no introductory offer")
    }
    if product == line.transaction.product {
      guard product != line.renewal.autoRenewProduct else {
        guard !line.renewal.autoRenews else { throw .alreadySubscribed }
        try decideAutoRenew(line: number, enabled: true, into: &events)
        carryTransaction(of: line, in: &events)
        return standing(line, number)
      }
      schedule(product, on: line, number, .planKept, at: now, into: &events)
      return standing(line, number)
    }
    switch planChange(from: line.transaction.product, to: product) {
    case .immediate:
      upgrade(line, number, to: product, at: now, policies: policies, into: &events)
      return .bought
    case .deferred:
      if product != line.renewal.autoRenewProduct || !line.renewal.autoRenews {
        schedule(product, on: line, number, .planDowngrade, at: now, into: &events)
      }
      return standing(line, number)
    }
  }

  /// The transaction is in the event, so that the purchase is answered alike when it is asked
  /// again.
  private func carryTransaction(of line: Line, in events: inout [Event]) {
    guard case .line(let kind, var fact)? = events.last?.fact else { return }
    fact.transaction = line.transaction
    events[events.count - 1].fact = .line(kind, fact)
  }

  private func standing(_ line: Line, _ number: LineNumber) -> PurchaseDecision {
    .standing(line.transaction, account: line.account, line: number)
  }

  /// A purchase while a line of the group is in billing trouble: the same product waits for the
  /// payment, unless it takes a change of plan back; another one, once billing is only retried,
  /// begins a line of its own (domain.md 1.3, E13).
  func isSecondLine(
    _ number: LineNumber, product: ProductNumber, at now: Instant
  ) throws(Rejection) -> Bool {
    let line = lines[Int(number)]
    let status = line.status(at: now)
    guard !accounts[line.account].billingFails else {
      throw .notPossible(
        status: status, reason: "the account's payments fail; resolve its billing first")
    }
    let takesBack = status == .gracePeriod && product != line.renewal.autoRenewProduct
    guard product != line.transaction.product || takesBack else {
      throw .notPossible(
        status: status, reason: "the subscription waits for its payment; resolve its billing")
    }
    return status == .billingRetry
  }

  /// The plan that the next renewal is of. Choosing one means to go on: renewal is turned on.
  private func schedule(
    _ product: ProductNumber, on line: Line, _ number: LineNumber, _ notification: Notification,
    at now: Instant, into events: inout [Event]
  ) {
    var renewal = line.renewal
    renewal.autoRenewProduct = product
    renewal.autoRenews = true
    renewal.signedDate = now
    if product == line.transaction.product {
      let next = nextPrice(after: line.transaction, offerPeriodsSold: line.offerPeriodsSold)
      renewal.renewalPrice = next.price
      renewal.offer = next.offer
    } else {
      renewal.renewalPrice = products[Int(product)].entry.price
      renewal.offer = nil
    }
    events.append(
      Event(
        at: now, clock: accounts[line.account].clock,
        fact: .line(
          .planChangeScheduled,
          LineFact(
            line: number, account: line.account, group: line.group,
            statusAfter: line.status(at: now), notification: notification,
            transaction: line.transaction, renewal: renewal))))
  }

  /// A new period of another product, begun at once; the old one is replaced, and its unused part
  /// refunded (`proratedRefund`).
  private func upgrade(
    _ line: Line, _ number: LineNumber, to product: ProductNumber, at now: Instant,
    policies: Policies, into events: inout [Event]
  ) {
    let entry = products[Int(product)].entry
    var next = line.transaction
    next.id = nextTransactionID
    next.webOrderLineItemID = next.id + Limits.webOrderLineItemOffset
    next.purchaseDate = now
    next.signedDate = now
    next.product = product
    next.price = entry.price
    next.period = entry.period ?? line.transaction.period
    next.expiresDate = end(of: next.period, from: now, policies: policies)
    next.reason = .purchase
    next.offer = nil
    next.isFinished = false
    var renewal = RenewalInfo(
      autoRenewProduct: product, renewalDate: next.expiresDate, renewalPrice: entry.price,
      recentSubscriptionStartDate: recentStart(of: line, at: now, policies: policies),
      signedDate: now)
    renewal.offer = nil
    events.append(
      Event(
        at: now, clock: accounts[line.account].clock,
        fact: .line(
          .upgraded,
          LineFact(
            line: number, account: line.account, group: line.group, statusAfter: .active,
            notification: .planUpgrade, transaction: next, renewal: renewal))))
  }
}

extension Transaction {
  /// What is given back of a period that an upgrade replaces at `now`: the unused part of what
  /// was paid, milliunits, rounded down (domain.md 1.4).
  public func proratedRefund(at now: Instant) -> Int64 {
    guard expiresDate != .never, now < expiresDate, purchaseDate < expiresDate else { return 0 }
    let unused = expiresDate.milliseconds - max(now, purchaseDate).milliseconds
    let whole = expiresDate.milliseconds - purchaseDate.milliseconds
    let (high, low) = price.magnitude.multipliedFullWidth(by: UInt64(unused))
    return Int64(UInt64(whole).dividingFullWidth((high, low)).quotient)
  }
}
