/// A tester's switches, and the purchases that wait because of them (Domain.md 1.9, 6.1).
extension State {
  /// Whether an account's charges fail: by its own switch, or by the one for all.
  public func paymentsFail(of account: AccountNumber) -> Bool {
    facts.accounts[account].billingFails
      || (facts.switches.paymentsFailForAll && !facts.switches.paying.contains(account))
  }

  /// Decides a switch: for one account, which is opened where nobody knows it, or for all where
  /// none is named. Nothing happens where it stands so already.
  func decideSwitch(
    _ kind: TesterSwitch, account key: [UInt8]?, isOn: Bool, into events: inout [Event]
  ) throws(Rejection) {
    guard facts.role == .store else { throw .notInThisRole }
    var account = noNumber
    var clock = Clock.system
    if let key {
      let known = facts.accounts.find(key)
      account = known ?? AccountNumber(facts.accounts.count)
      clock = known.map { facts.accounts[$0].clock } ?? clockForNewAccounts
      if known == nil {
        events.append(
          Event(
            at: facts.clocks[Int(clock)].now, clock: clock,
            fact: .account(.accountOpened(account: account, key: key, token: nil, clock: clock))))
      }
    }
    guard !facts.switches[kind].isSet(isOn, for: account) else { return }
    events.append(
      Event(
        at: facts.clocks[Int(clock)].now, clock: clock,
        fact: .tester(.switched(kind, account: account, isOn: isOn))))
  }

  /// Decides whether the charges of all accounts fail from now on but of those that were told to
  /// succeed.
  func decideBillingOfAll(
    fails: Bool, into events: inout [Event]
  ) throws(Rejection) {
    guard facts.role == .store else { throw .notInThisRole }
    guard facts.switches.paymentsFailForAll != fails else { return }
    events.append(
      Event(
        at: facts.clocks[0].now, clock: Clock.system,
        fact: .tester(.billingChanged(account: noNumber, fails: fails))))
  }

  /// Decides which error a part of StoreKit fails with from now on; none where it is nil.
  func decideSimulatedError(
    _ error: SimulatedError?, of api: SimulatedAPI, into events: inout [Event]
  ) throws(Rejection) {
    guard facts.role == .store else { throw .notInThisRole }
    if let error, !api.errors.contains(error) {
      throw .invalidParameter(
        name: "error",
        reason: "\(api) fails with one of " + api.errors.map(\.name).joined(separator: ", "))
    }
    guard facts.switches.errors[api] != error else { return }
    events.append(
      Event(
        at: facts.clocks[0].now, clock: Clock.system,
        fact: .tester(.simulatedErrorChanged(api, error))))
  }

  // MARK: Purchases that wait

  /// Why a purchase that is about to be made must wait; nil where it need not.
  func reasonToWait(_ command: PurchaseCommand) -> PendingReason? {
    guard !command.isApproved else { return nil }
    let account = facts.accounts.find(command.account)
    if facts.switches.interrupted.isOn(for: account) { return .interrupted }
    return facts.switches.askToBuy.isOn(for: account) ? .askToBuy : nil
  }

  /// Puts a purchase off that has been decided already: of its events only those stay that open
  /// the account.
  func putOff(
    _ command: PurchaseCommand, _ reason: PendingReason, from start: Int,
    into events: inout [Event]
  ) throws(Rejection) -> PurchaseDecision {
    guard command.purchaseDate == nil else {
      throw .invalidParameter(
        name: "purchaseDate", reason: "a purchase that waits cannot be dated back")
    }
    let decided = events[start...]
    guard let sale = decided.first(where: { $0.fact.sold != nil }),
      let transaction = sale.fact.sold?.transaction
    else { preconditionFailure("a sale has a transaction") }
    let account = sale.fact.account
    let waiting = facts.switches.pending.lazy.filter { $0.account == account }.count
    guard waiting < Limits.pendingPurchasesMax else {
      throw .notPossible(
        status: nil, reason: "\(Limits.pendingPurchasesMax) purchases of the account wait already")
    }
    let opening = decided.filter {
      $0.fact.kind == .account(.accountOpened) || $0.fact.kind == .account(.tokenGiven)
    }
    let purchase = PendingPurchase(
      id: facts.nextTransactionID, reason: reason, account: account, product: transaction.product,
      quantity: transaction.quantity, storefront: transaction.storefront,
      offer: command.offer?.kind,
      offerIdentifier: command.offer?.id.flatMap { facts.textNumbers[$0] } ?? noNumber,
      token: reference(to: command.token, of: facts.accounts.find(command.account)),
      requestDate: sale.at)
    events.removeSubrange(start...)
    events += opening
    events.append(Event(at: sale.at, clock: sale.clock, fact: .account(.purchasePending(purchase))))
    return .pending(purchase)
  }

  /// Decides that a purchase that waits is made now, by the rules of now: approved, or what
  /// interrupted it settled.
  func decideApproval(
    of id: UInt64, _ reason: PendingReason, policies: Policies, into events: inout [Event]
  ) throws(Rejection) -> PurchaseDecision {
    let purchase = try pending(id, reason)
    if reason == .interrupted, facts.switches.interrupted.isOn(for: purchase.account) {
      throw .notPossible(
        status: nil, reason: "the account's purchases are interrupted still; turn that off first")
    }
    var command = PurchaseCommand(
      account: facts.accounts.key(purchase.account),
      productID: facts.products[Int(purchase.product)].entry.id, quantity: Int64(purchase.quantity),
      token: token(purchase.token, of: purchase.account),
      storefront: Storefront.all[Int(purchase.storefront)].country)
    command.offer = purchase.offer.map { kind in
      let id = purchase.offerIdentifier
      return OfferRequest(kind: kind, id: id == noNumber ? nil : facts.texts[Int(id)])
    }
    command.isApproved = true
    let start = events.count
    let decision = try decidePurchase(command, policies: policies, into: &events)
    guard events.count > start else {
      throw .notPossible(
        status: nil,
        reason: reason == .askToBuy
          ? "the account has the product by now; decline the purchase"
          : "the account has the product by now, and nothing is left to buy")
    }
    let clock = facts.accounts[purchase.account].clock
    events.append(
      Event(
        at: facts.clocks[Int(clock)].now, clock: clock,
        fact: .account(.pendingEnded(account: purchase.account, id: id, end: .bought))))
    return decision
  }

  /// Decides that a purchase that waits is not made.
  func decideRefusal(
    of id: UInt64, _ reason: PendingReason, into events: inout [Event]
  ) throws(Rejection) {
    let purchase = try pending(id, reason)
    let clock = facts.accounts[purchase.account].clock
    events.append(
      Event(
        at: facts.clocks[Int(clock)].now, clock: clock,
        fact: .account(.pendingEnded(account: purchase.account, id: id, end: .declined))))
  }

  private func pending(
    _ id: UInt64, _ reason: PendingReason
  ) throws(Rejection) -> PendingPurchase {
    guard facts.role == .store else { throw .notInThisRole }
    guard let purchase = facts.switches.pending(id: id), purchase.reason == reason else {
      throw .transactionNotFound
    }
    return purchase
  }

  // MARK: The fold

  /// Folds what a tester switched.
  func applyTester(_ fact: TesterFact, at: Instant) {
    switch fact {
    case .billingChanged(let account, let fails):
      applyBilling(account: account, fails: fails, at: at)
    case .switched(let kind, let account, let isOn):
      facts.switches[kind].set(isOn, for: account)
    case .simulatedErrorChanged(let api, let error):
      facts.switches.errors[api] = error
    case .rateChanged(let rate):
      facts.rateSwitch = rate
    }
  }
}
