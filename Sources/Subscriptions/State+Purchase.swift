extension State {
  /// Decides a purchase (Domain.md 1.3, E1, E4, E13, E25, E26): appends the events to `events`, or
  /// refuses and leaves them alone.
  /// Where the account's purchases must be approved, or are interrupted, it waits instead.
  func decidePurchase(
    _ command: PurchaseCommand, policies: Policies, into events: inout [Event]
  ) throws(Rejection) -> PurchaseDecision {
    let start = events.count
    let decision = try decideSale(command, policies: policies, into: &events)
    guard case .bought = decision, let reason = reasonToWait(command) else { return decision }
    return try putOff(command, reason, from: start, into: &events)
  }

  private func decideSale(
    _ command: PurchaseCommand, policies: Policies, into events: inout [Event]
  ) throws(Rejection) -> PurchaseDecision {
    guard facts.role == .store else { throw .notInThisRole }
    let (product, entry) = try productOnSale(command.productID)
    try check(quantity: command.quantity, of: entry)
    let storefront = try storefrontNumber(command.storefront)
    let known = try account(for: command)
    let clock: ClockNumber
    if let known {
      clock = facts.accounts[known].clock
    } else {
      clock = try clockNumber(command.clock)
    }
    let now = facts.clocks[Int(clock)].now
    let at = try purchaseTime(command, account: known, now: now)
    let account = known ?? AccountNumber(facts.accounts.count)

    var held = known.flatMap { line(of: $0, group: facts.products[Int(product)].group, at: at) }
    let redeemed = try redemption(for: command, of: product, account: known, held: held, at: at)
    if let living = held, try isChange(of: living, to: product, at: at) {
      return try decideChange(
        of: living, to: product, command, redeeming: redeemed, at: at, policies: policies,
        into: &events)
    }
    if let living = held, facts.lines[Int(living)].status(at: at) == .billingRetry { held = nil }
    if entry.type == .nonConsumable, let known, let owned = owned(product, by: known) {
      return .standing(owned, account: known, line: noNumber)
    }
    var sold = Transaction(
      id: facts.nextTransactionID, originalID: facts.nextTransactionID, purchaseDate: at,
      signedDate: at, price: entry.price * command.quantity, product: product,
      quantity: Int32(command.quantity), storefront: storefront,
      token: reference(to: command.token, of: known))
    let introduced = try introductoryOffer(
      of: entry, for: known, group: facts.products[Int(product)].group, asked: command.offer)
    // A code takes the introductory offer's place, or follows it where it says so.
    let isStacked = redeemed?.isStackable ?? false
    let offer = redeemed == nil || isStacked ? introduced ?? redeemed : redeemed
    openIfNeeded(command, known: known, at: at, clock: clock, into: &events)
    guard let period = entry.period else {
      events.append(
        Event(
          at: at, clock: clock,
          fact: .purchase(
            .purchased,
            PurchaseFact(account: account, notification: .oneTimeCharge, transaction: sold))))
      return .bought
    }
    sold.webOrderLineItemID = sold.id + Limits.webOrderLineItemOffset
    apply(offer, period: period, to: &sold, policies: policies)
    appendSubscription(
      sold, then: offer?.kind == .introductory ? redeemed : nil, held: held, account: account,
      group: facts.products[Int(product)].group, clock: clock,
      cancelled: command.purchaseDate != nil && command.renewalBehavior == .cancelImmediately,
      policies: policies, into: &events)
    let isFirst = known.map { facts.accounts[$0].newestLine == noNumber } ?? true
    if policies.renewalsFail, isFirst { events.append(failing(account, at: at, clock: clock)) }
    return .bought
  }

  /// Whom the store's own start lets fail is a fact of the account's, which a tester can change.
  private func failing(_ account: AccountNumber, at: Instant, clock: ClockNumber) -> Event {
    Event(at: at, clock: clock, fact: .tester(.billingChanged(account: account, fails: true)))
  }

  /// The account's own line in a group that a purchase at `now` concerns, if it has one: the
  /// newest that entitles, or else the newest. There are several only after a purchase in billing
  /// retry.
  private func line(of account: AccountNumber, group: UInt32, at now: Instant) -> LineNumber? {
    guard group != noNumber else { return nil }
    var newest: LineNumber?
    var number = facts.accounts[account].newestLine
    while number != noNumber {
      let line = facts.lines[Int(number)]
      if line.group == group, line.origin == .store, line.transaction.ownership == .purchased {
        if line.status(at: now).entitles { return number }
        newest = newest ?? number
      }
      number = line.nextOfAccount
    }
    return newest
  }

  private func productOnSale(
    _ id: String
  ) throws(Rejection) -> (ProductNumber, CatalogueProduct) {
    guard let number = facts.productNumbers[id], facts.products[Int(number)].isOnSale else {
      throw .productNotFound(productID: id, nearest: nearestProducts(to: id))
    }
    return (number, facts.products[Int(number)].entry)
  }

  private func check(quantity: Int64, of entry: CatalogueProduct) throws(Rejection) {
    let isCounted = entry.type == .consumable || entry.type == .nonRenewing
    guard quantity >= 1, quantity <= (isCounted ? Int64(Limits.quantityMax) : 1) else {
      throw .invalidQuantity
    }
  }

  private func storefrontNumber(_ country: String?) throws(Rejection) -> UInt16 {
    guard let country else { return facts.defaultStorefront }
    guard let number = Storefront.number(country: country) else {
      throw .invalidParameter(
        name: "storefront", reason: "no storefront is called \(country); say three letters (USA)")
    }
    return number
  }

  private func account(for command: PurchaseCommand) throws(Rejection) -> AccountNumber? {
    guard let number = facts.accounts.find(command.account) else { return nil }
    if let name = command.clock, try clockNumber(name) != facts.accounts[number].clock {
      throw .clockMismatch
    }
    return number
  }

  func clockNumber(_ name: String?) throws(Rejection) -> ClockNumber {
    guard let name else { return clockForNewAccounts }
    guard let number = clock(named: name) else { throw .clockNotFound }
    return number
  }

  private func purchaseTime(
    _ command: PurchaseCommand, account: AccountNumber?, now: Instant
  ) throws(Rejection) -> Instant {
    guard let date = command.purchaseDate else { return now }
    guard date <= now else {
      throw .invalidTime(reason: "a purchase cannot be dated later than its clock's time")
    }
    guard date >= Limits.timeMin else {
      throw .invalidTime(reason: "no purchase is dated before 2000-01-01")
    }
    if let account, date < facts.accounts[account].lastTime {
      throw .invalidTime(reason: "the account has a later event already")
    }
    if let account,
      facts.families.members(of: account).contains(where: { date < facts.accounts[$0].lastTime })
    {
      throw .invalidTime(reason: "a member of the account's family has a later event already")
    }
    return date
  }

  /// What an account has bought of a product itself, and has still.
  func owned(_ product: ProductNumber, by account: AccountNumber) -> Transaction? {
    var found: Transaction?
    forEachPurchase(of: account) { purchase in
      let transaction = purchase.transaction
      if found == nil, transaction.product == product, transaction.revocation == nil,
        transaction.ownership == .purchased, purchase.environment == nil
      {
        found = transaction
      }
    }
    return found
  }

  /// The introductory offer that the customer gets: once per account and group, and never on top
  /// of a living subscription (Domain.md 1.7).
  private func introductoryOffer(
    of entry: CatalogueProduct, for account: AccountNumber?, group: UInt32,
    asked: OfferRequest?
  ) throws(Rejection) -> Redemption? {
    let used = account.map { hadIntroductoryOffer($0, group: group) } ?? false
    guard let offer = entry.introductoryOffer, !used else {
      guard asked?.kind != .introductory else {
        throw .ineligibleForOffer(
          reason: used
            ? "the account had an introductory offer of this group before"
            : "the product has no introductory offer")
      }
      return nil
    }
    return redemption(of: offer, on: entry)
  }

  private func hadIntroductoryOffer(_ account: AccountNumber, group: UInt32) -> Bool {
    var used = false
    forEachLine(of: account) { _, line in
      if line.group == group, line.hadIntroductoryOffer { used = true }
    }
    return used
  }

  /// The account's opening, or, of a known one, the token that it has not come with before.
  private func openIfNeeded(
    _ command: PurchaseCommand, known: AccountNumber?, at: Instant, clock: ClockNumber,
    into events: inout [Event]
  ) {
    if let known {
      if let event = tokenEvent(command.token, of: known, at: at, clock: clock) {
        events.append(event)
      }
      return
    }
    events.append(
      Event(
        at: at, clock: clock,
        fact: .account(
          .accountOpened(
            account: AccountNumber(facts.accounts.count), key: command.account,
            token: command.token,
            clock: clock))))
  }

  /// Prices and dates a first period, with the offer that applies to it.
  func apply(
    _ offer: Redemption?, period: Period, to sold: inout Transaction, policies: Policies
  ) {
    sold.period = period
    sold.offer = offer?.terms
    if let offer {
      sold.price = offer.price
      if offer.terms.paymentMode != .payAsYouGo { sold.period = offer.terms.period }
    }
    sold.expiresDate = end(of: sold.period, from: sold.purchaseDate, policies: policies)
  }

  /// `then` is a code that begins when the purchase's introductory offer is over.
  private func appendSubscription(
    _ transaction: Transaction, then code: Redemption?, held: LineNumber?,
    account: AccountNumber, group: UInt32, clock: ClockNumber, cancelled: Bool,
    policies: Policies, into events: inout [Event]
  ) {
    var sold = transaction
    if let held { sold.originalID = facts.lines[Int(held)].transaction.originalID }
    let number = held ?? LineNumber(facts.lines.count)
    let next = nextPrice(after: sold, offerPeriodsSold: sold.offer == nil ? 0 : 1)
    var renewal = RenewalInfo(
      autoRenewProduct: sold.product, renewalDate: sold.expiresDate, renewalPrice: next.price,
      recentSubscriptionStartDate: held.map {
        recentStart(of: facts.lines[Int($0)], at: sold.purchaseDate, policies: policies)
      } ?? sold.purchaseDate,
      signedDate: sold.purchaseDate, storefront: sold.storefront, token: sold.token)
    renewal.offer = next.offer
    if let code, next.offer == nil {
      renewal.offer = code.terms
      renewal.renewalPrice = code.price
    }
    var fact = LineFact(
      line: number, account: account, group: group, statusAfter: .active,
      notification: held == nil ? .subscribedInitialBuy : .subscribedResubscribe,
      transaction: sold, renewal: renewal)
    events.append(Event(at: sold.purchaseDate, clock: clock, fact: .line(.purchased, fact)))
    if let code, next.offer != nil {
      events.append(
        Event(
          at: sold.purchaseDate, clock: clock,
          fact: .account(
            .offerStacked(
              account: account, line: number,
              offer: StackedOffer(offer: code.terms, price: code.price)))))
    }
    guard cancelled else { return }
    renewal.autoRenews = false
    fact.transaction = nil
    fact.renewal = renewal
    fact.notification = .autoRenewDisabled
    events.append(
      Event(at: sold.purchaseDate, clock: clock, fact: .line(.autoRenewChanged, fact)))
  }

  /// What the renewal after a transaction costs, and the offer that goes on into it: pay as you
  /// go goes on until all its periods are sold (Domain.md 1.7).
  func nextPrice(
    after transaction: Transaction, offerPeriodsSold: Int32
  ) -> (price: Int64, offer: AppliedOffer?) {
    if let offer = transaction.offer, offer.paymentMode == .payAsYouGo,
      transaction.period.length * offerPeriodsSold < offer.period.length
    {
      return (transaction.price, offer)
    }
    return (facts.products[Int(transaction.product)].entry.price, nil)
  }
}
