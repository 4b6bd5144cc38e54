extension State {
  /// Decides that a subscription costs more from now on (Domain.md 1.3, E23 and E23c): for who
  /// buys it, and, told one by one (`Sweep`), for the lines that renew to it. The same price again
  /// asks those again who have not answered.
  func decidePriceIncrease(
    productID: String, price: Int64, needsConsent: Bool
  ) throws(Rejection) -> Event {
    guard facts.role == .store else { throw .notInThisRole }
    guard let product = facts.productNumbers[productID], facts.products[Int(product)].isOnSale
    else {
      throw .productNotFound(productID: productID, nearest: nearestProducts(to: productID))
    }
    let entry = facts.products[Int(product)].entry
    guard entry.type == .autoRenewable else {
      throw .invalidParameter(
        name: "productId", reason: "\(productID) does not renew; only a subscription's price does")
    }
    guard price >= entry.price else {
      throw .invalidParameter(
        name: "price",
        reason: "\(productID) costs \(entry.price) milliunits now (9990 is 9.99), and an increase"
          + " is not below that")
    }
    guard price <= Limits.priceMax else {
      throw .invalidParameter(name: "price", reason: "say at most \(Limits.priceMax) milliunits")
    }
    return Event(
      at: facts.clocks[Int(Clock.system)].now, clock: Clock.system,
      fact: .product(
        .priceIncreaseAnnounced,
        ProductFact(product: product, price: price, needsConsent: needsConsent)))
  }

  /// What an increase is to one line; nil where it does not reach it: what does not renew by
  /// itself to the product, is in billing trouble and owes what it owes, renews by an offer, or
  /// costs as much already.
  func increase(
    _ fact: ProductFact, of number: LineNumber, policies: Policies
  ) -> LineEvent? {
    let line = facts.lines[Int(number)]
    guard line.renewal.autoRenewProduct == fact.product, line.renewal.autoRenews,
      line.renewal.offer == nil, line.transaction.ownership == .purchased, line.origin == .store
    else { return nil }
    let isPending = line.renewal.priceIncreaseStatus == PriceIncreaseStatus.pending
    guard line.renewal.renewalPrice < fact.price || (isPending && fact.needsConsent) else {
      return nil
    }
    let now = now(of: line.account)
    guard status(of: line, policies.terms) == .active, line.renewal.expirationIntent == nil else {
      return nil
    }
    var renewal = line.renewal
    renewal.renewalPrice = fact.price
    // Who has yet to agree to one increase has to agree to both.
    let isAsked = fact.needsConsent || isPending
    renewal.priceIncreaseStatus =
      isAsked ? PriceIncreaseStatus.pending : PriceIncreaseStatus.accepted
    renewal.signedDate = now
    return LineEvent(
      at: now, clock: facts.accounts[line.account].clock, kind: .priceIncreased,
      fact: LineFact(
        line: number, account: line.account, group: line.group, statusAfter: .active,
        notification: isAsked ? .priceIncreasePending : .priceIncreaseAccepted,
        transaction: line.carriedTransaction, renewal: renewal))
  }

  /// Decides that a customer agrees to a higher price (Domain.md 1.3, E23b).
  func decideConsent(
    line number: LineNumber, into events: inout [Event]
  ) throws(Rejection) {
    let (line, now) = try pendingIncrease(of: number)
    var renewal = line.renewal
    renewal.priceIncreaseStatus = PriceIncreaseStatus.accepted
    renewal.signedDate = now
    let fact = LineFact(
      line: number, account: line.account, group: line.group, statusAfter: .active,
      notification: .priceIncreaseAccepted, transaction: line.transaction,
      renewal: renewal)
    events.append(
      Event(
        at: now, clock: facts.accounts[line.account].clock,
        fact: .line(.priceIncreaseAccepted, fact)))
  }

  /// Decides that a customer does not agree (Domain.md 1.3, E23e): renewal is turned off, and
  /// nothing is asked any more.
  func decideNoConsent(
    line number: LineNumber, into events: inout [Event]
  ) throws(Rejection) {
    let line = try pendingIncrease(of: number).line
    try decideAutoRenew(line: number, enabled: false, into: &events)
    carryTransaction(of: line, in: &events)
  }

  private func pendingIncrease(
    of number: LineNumber
  ) throws(Rejection) -> (line: Line, now: Instant) {
    let (line, now) = try line(number, else: "no price increase waits for an answer") {
      $0 == .active
    }
    guard line.renewal.priceIncreaseStatus == PriceIncreaseStatus.pending else {
      throw .notPossible(status: .active, reason: "no price increase waits for an answer")
    }
    return (line, now)
  }
}
