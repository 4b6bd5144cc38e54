extension State {
  /// Whether an event of the log fits the state before it: its numbers name what exists, or are
  /// the next to be given. A log that passes its checksums always does, unless another program
  /// wrote it.
  public func accepts(_ event: Event) -> Bool {
    guard isClock(event.clock, orNext: event.fact.kind == .clock(.clockCreated)) else {
      return false
    }
    switch event.fact {
    case .line(.statusPassed, let fact):
      return Int(fact.line) < facts.lines.count && isAccountOrNobody(fact.account)
    case .line(_, let fact):
      return acceptsLine(fact)
    case .purchase(_, let fact):
      return isAccount(fact.account) && isProduct(fact.transaction.product)
        && isToken(fact.transaction.token)
    case .product(_, let fact):
      return isProduct(fact.product)
    case .account(let fact):
      return acceptsAccount(fact)
    case .tester(let fact):
      return isAccountOrNobody(fact.account)
    case .clock(let fact):
      return acceptsClock(fact)
    case .log(.logCreated):
      return facts.sequence == 0
    case .appStore(let fact):
      return acceptsAppStore(fact)
    case .log, .catalogue:
      return true
    }
  }

  private func acceptsAccount(_ fact: AccountFact) -> Bool {
    switch fact {
    case .accountOpened(let account, _, _, let clock):
      return Int(account) <= facts.accounts.count && isClock(clock, orNext: false)
    case .tokenGiven(let account, _):
      return isAccount(account)
    case .clockAttached(let account, let clock):
      return isAccount(account) && isClock(clock, orNext: false)
    case .finished(let account, let line, _):
      return isAccount(account) && (line == noNumber || Int(line) < facts.lines.count)
    case .offerNonceUsed(let account, _):
      return isAccountOrNobody(account)
    case .offerStacked(let account, let line, let stacked):
      return isAccount(account) && Int(line) < facts.lines.count && acceptsOffer(stacked.offer)
    case .purchasePending(let purchase):
      return isAccount(purchase.account) && isProduct(purchase.product) && isToken(purchase.token)
        && Int(purchase.storefront) < Storefront.all.count
        && (purchase.offerIdentifier == noNumber
          || Int(purchase.offerIdentifier) < facts.texts.count)
    case .pendingEnded(let account, let id, _):
      return isAccount(account) && facts.switches.pending(id: id)?.account == account
    case .sharingStarted(let purchaser, let member), .sharingEnded(let purchaser, let member, _):
      return isAccount(purchaser) && isAccount(member)
    }
  }

  private func acceptsClock(_ fact: ClockFact) -> Bool {
    switch fact {
    case .clockCreated(let clock, _, _): Int(clock) == facts.clocks.count
    case .advanceStarted(let clock, _), .advanced(let clock, _, _, _):
      isClock(clock, orNext: false)
    case .clockHeld, .clockAccepted: true
    }
  }

  private func acceptsAppStore(_ fact: AppStoreFact) -> Bool {
    switch fact {
    case .ingested(let fact):
      isAccountOrNobody(fact.account) && accepts(fact.group, fact.transaction)
        && accepts(fact.renewal) && (fact.line == noNumber || Int(fact.line) <= facts.lines.count)
    case .linked(let fact):
      isAccount(fact.account) && facts.apple.numbers[fact.key] != nil
    case .unlinked(let fact):
      isAccount(fact.account) && facts.apple.numbers[fact.key] != nil
    case .namesReported: true
    }
  }

  private func accepts(_ group: UInt32, _ version: TransactionVersion?) -> Bool {
    guard let transaction = version?.transaction else { return true }
    guard isProduct(transaction.product), isStorefront(transaction.storefront),
      group == noNumber || Int(group) < facts.texts.count
    else { return false }
    return accepts(transaction.offer)
  }

  private func accepts(_ version: RenewalVersion?) -> Bool {
    guard let renewal = version?.renewal else { return true }
    // Which product is to renew need not have been told.
    return (renewal.autoRenewProduct == noNumber || isProduct(renewal.autoRenewProduct))
      && accepts(renewal.offer)
  }

  private func accepts(_ offer: AppliedOffer?) -> Bool {
    guard let identifier = offer?.identifier else { return true }
    return identifier == noNumber || Int(identifier) < facts.texts.count
  }

  private func isAccountOrNobody(_ number: AccountNumber) -> Bool {
    number == noNumber || isAccount(number)
  }

  /// The same for a line's event alone.
  public func accepts(_ event: LineEvent) -> Bool {
    isClock(event.clock, orNext: false) && acceptsLine(event.fact)
  }

  private func acceptsLine(_ fact: LineFact) -> Bool {
    guard isAccount(fact.account), Int(fact.line) <= facts.lines.count else { return false }
    if Int(fact.line) == facts.lines.count {
      guard fact.transaction != nil, fact.renewal != nil, Int(fact.group) < facts.texts.count else {
        return false
      }
    }
    if let offer = fact.transaction?.offer, !acceptsOffer(offer) { return false }
    if let offer = fact.renewal?.offer, !acceptsOffer(offer) { return false }
    guard fact.source == noNumber || Int(fact.source) < facts.lines.count else { return false }
    if let product = fact.transaction?.product, !isProduct(product) { return false }
    if let product = fact.renewal?.autoRenewProduct, !isProduct(product) { return false }
    if let token = fact.transaction?.token, !isToken(token) { return false }
    if let token = fact.renewal?.token, !isToken(token) { return false }
    if let storefront = fact.renewal?.storefront, storefront != noStorefront,
      !isStorefront(storefront)
    {
      return false
    }
    return true
  }

  private func isToken(_ token: TokenReference) -> Bool {
    token.number.map { Int($0) < facts.tokens.count } ?? true
  }

  private func acceptsOffer(_ offer: AppliedOffer) -> Bool {
    offer.identifier == noNumber || Int(offer.identifier) < facts.texts.count
  }

  private func isAccount(_ number: AccountNumber) -> Bool {
    Int(number) < facts.accounts.count
  }

  private func isProduct(_ number: ProductNumber) -> Bool {
    Int(number) < facts.products.count
  }

  private func isClock(_ number: ClockNumber, orNext: Bool) -> Bool {
    Int(number) < facts.clocks.count || (orNext && Int(number) == facts.clocks.count)
  }
}
