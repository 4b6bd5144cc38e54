import Subscriptions

/// One sentence for each event of an account's chain.
extension AccountStory {
  /// The event in words; nil where it is nobody's. `before` is the account's history without it.
  func sentence(_ event: Event, before history: AccountHistory) -> String? {
    let at = event.at.rfc3339
    switch event.fact {
    case .line(let kind, let fact):
      return sentence(kind, fact, at: event.at, before: history)
    case .purchase(let kind, let fact):
      return sentence(kind, fact.transaction, at: at)
    case .account(let fact):
      return sentence(fact, at: at, before: history)
    case .tester(.billingChanged(_, let fails)):
      return "On \(at) a tester made the account's payments \(fails ? "fail" : "succeed again")."
    case .tester(.switched(let kind, _, let isOn)):
      return switched(kind, isOn: isOn, at: at)
    case .appStore(.ingested(let fact)):
      return told(fact, at: at)
    case .appStore(.linked(let fact)):
      return "On \(at) \(chain(fact.key)) became this account's, with"
        + " \(fact.versions.count == 1 ? "its one transaction" : "all its transactions")."
    case .appStore(.unlinked(let fact)):
      return "On \(at) \(chain(fact.key)) became another account's."
    case .log, .clock, .catalogue, .product, .tester, .appStore:
      return nil
    }
  }

  private func sentence(
    _ fact: AccountFact, at: String, before history: AccountHistory
  ) -> String {
    switch fact {
    case .accountOpened(_, _, let token, let clock):
      return opened(at: at, hasToken: token != nil, clock: clock)
    case .tokenGiven:
      return broughtToken(at: at)
    case .clockAttached(_, let clock):
      return "On \(at) the account moved to the clock \(state.clocks[Int(clock)].name)."
    case .finished(_, _, let id):
      guard let entry = history.entry(id: id) else {
        return "On \(at) the app finished transaction \(id)."
      }
      return "On \(at) the app finished transaction \(id) of \(name(of: entry.transaction)):"
        + " it has delivered what was bought."
    case .offerNonceUsed(_, let nonce):
      return "On \(at) the account came with a signed promotional offer, whose nonce \(nonce.text)"
        + " is used up by that."
    case .offerStacked(_, let line, let stacked):
      return self.stacked(stacked, line: line, at: at, before: history)
    case .purchasePending(let purchase):
      return pending(purchase, at: at)
    case .pendingEnded(_, let id, let end):
      return ended(id, end, at: at)
    case .sharingStarted(_, let member):
      return "On \(at) the account began to share its purchases with \(name(of: member)) by Family"
        + " Sharing."
    case .sharingEnded(_, let member, let cause):
      return "On \(at) the account stopped sharing with \(name(of: member)): \(cause.phrase)."
    }
  }

  private func broughtToken(at: String) -> String {
    "On \(at) an appAccountToken came that the account had not come with before."
  }

  private func opened(at: String, hasToken: Bool, clock: ClockNumber) -> String {
    guard !isOpen else { return broughtToken(at: at) }
    return "On \(at) the account was opened on the clock \(state.clocks[Int(clock)].name)"
      + (hasToken ? ", with an appAccountToken." : ".")
  }

  private func sentence(
    _ kind: LineKind, _ fact: LineFact, at: Instant, before history: AccountHistory
  ) -> String {
    let held = history.lines.first { $0.number == fact.line }?.line
    switch kind {
    case .purchased:
      return purchased(fact, at: at.rfc3339, isFirst: held == nil)
    case .renewed:
      return renewed(fact, at: at.rfc3339, before: history)
    case .expired:
      return expired(fact, at: at.rfc3339, held: held)
    case .autoRenewChanged:
      return autoRenewChanged(fact, at: at.rfc3339, held: held)
    case .refunded:
      return refunded(fact, at: at.rfc3339, held: held)
    case .refundReversed:
      return refundReversed(fact, at: at.rfc3339)
    case .refundRequested, .refundDeclined:
      return refundAsked(kind, fact.transaction, at: at.rfc3339)
    case .renewalFailed, .graceEnded, .recovered, .chargeFailed:
      return billing(kind, fact, at: at.rfc3339, held: held)
    case .offerRedeemed:
      return offerRedeemed(fact, at: at.rfc3339, held: held)
    case .planChangeScheduled, .upgraded:
      return planChange(kind, fact, at: at, held: held)
    case .shared, .revoked:
      return sharing(kind, fact, at: at.rfc3339)
    case .restored:
      return restored(fact.transaction, at: at.rfc3339)
    case .statusPassed:
      return passed(fact, at: at, held: held)
    case .priceIncreased, .priceIncreaseAccepted:
      return price(kind, fact, at: at.rfc3339, held: held)
    case .renewalExtended, .extensionFailed:
      return extended(fact, at: at.rfc3339, held: held)
    }
  }

  private func purchased(_ fact: LineFact, at: String, isFirst: Bool) -> String {
    guard let transaction = fact.transaction else { return "On \(at) a subscription was bought." }
    let verb = isFirst ? "subscribed to" : "subscribed again to"
    let again =
      isFirst
      ? ""
      : " It is the same subscription as before"
        + " (original transaction \(transaction.originalID))."
    return "On \(at) the account \(verb) \(name(of: transaction))"
      + " \(state.pricePhrase(of: transaction)), until \(transaction.expiresDate.rfc3339)"
      + " (transaction \(transaction.id)).\(offerToCome(fact, after: transaction))\(again)"
  }

  private func renewed(_ fact: LineFact, at: String, before history: AccountHistory) -> String {
    guard let transaction = fact.transaction else { return "On \(at) a subscription renewed." }
    let isForced = isForced(transaction, line: fact.line, before: history)
    let held = history.lines.first { $0.number == fact.line }?.line
    let isOwed = held?.renewal.isInBillingRetry
    let forced =
      isOwed == true ? "was renewed at once" : "was renewed at once, before its period was over,"
    var verb = isForced ? forced : "renewed"
    var product = name(of: transaction)
    if let old = held?.transaction.product, old != transaction.product {
      // The plan that was chosen before begins with this renewal.
      let comma = verb.hasSuffix(",") ? "" : ","
      verb = isForced ? "\(verb)\(comma) and changed to \(product)" : "changed to \(product)"
      product = name(of: held?.transaction)
    }
    let start = transaction.purchaseDate.rfc3339
    let from = start == at ? "" : " from \(start)"
    return "On \(at) \(product) \(verb) \(state.pricePhrase(of: transaction)),"
      + "\(from) until \(transaction.expiresDate.rfc3339) (transaction \(transaction.id))."
  }

  private func expired(_ fact: LineFact, at: String, held: Line?) -> String {
    let product = name(of: fact.transaction ?? held?.transaction)
    if let transaction = fact.transaction, transaction.expiresDate != held?.transaction.expiresDate
    {
      return "On \(at) \(product) was made to expire at once: its renewal was turned off and its"
        + " period cut short."
    }
    return "On \(at) \(product) expired \(cause(fact, held: held).phrase)."
  }

  private func autoRenewChanged(_ fact: LineFact, at: String, held: Line?) -> String {
    let product = name(of: held?.transaction)
    guard let renewal = fact.renewal else { return "On \(at) the renewal of \(product) changed." }
    let end = renewal.renewalDate.rfc3339
    guard renewal.autoRenews else {
      guard held?.renewal.isInBillingRetry != true else {
        return "On \(at) the renewal of \(product) was turned off while its payment was being"
          + " tried again, so it is not tried any more."
      }
      let isDeclined =
        held?.renewal.priceIncreaseStatus == PriceIncreaseStatus.pending
        && renewal.priceIncreaseStatus == nil
      let refusal = isDeclined ? ", its higher price not agreed to" : ""
      return "On \(at) the renewal of \(product) was turned off\(refusal); its period lasts until"
        + " \(end)."
    }
    return "On \(at) the renewal of \(product) was turned on again; its period lasts until \(end)."
  }

  private func refunded(_ fact: LineFact, at: String, held: Line?) -> String {
    guard let transaction = fact.transaction, let revocation = transaction.revocation else {
      return "On \(at) a subscription was refunded."
    }
    let consequence =
      fact.statusAfter == .revoked
      ? "that is its newest period, so access ended at once"
      : "that is not its newest period, so the subscription stayed at \(fact.statusAfter.phrase)"
    return "On \(at) the period of \(name(of: transaction)) from"
      + " \(transaction.purchaseDate.rfc3339) to \(transaction.expiresDate.rfc3339)"
      + " (transaction \(transaction.id)) was refunded"
      + " \(refundPhrase(revocation, of: transaction)); \(consequence)."
  }

  private func refundReversed(_ fact: LineFact, at: String) -> String {
    guard let transaction = fact.transaction else { return "On \(at) a refund was reversed." }
    let consequence =
      fact.renewal == nil
      ? "the subscription was then at \(fact.statusAfter.phrase)"
      : "but it was over by then, so the subscription expired"
    return "On \(at) the refund of transaction \(transaction.id) of \(name(of: transaction))"
      + " was reversed: the period until \(transaction.expiresDate.rfc3339) stands again;"
      + " \(consequence)."
  }

  private func sentence(_ kind: PurchaseKind, _ transaction: Transaction, at: String) -> String {
    let product = state.products[Int(transaction.product)].entry
    let many = transaction.quantity == 1 ? "" : "\(transaction.quantity) of "
    switch kind {
    case .shared, .revoked:
      return sharing(kind, transaction, at: at)
    case .restored:
      return restored(transaction, at: at)
    case .refunded:
      guard let revocation = transaction.revocation else { break }
      return "On \(at) the purchase of \(many)\(product.id) (transaction \(transaction.id)) was"
        + " refunded \(refundPhrase(revocation, of: transaction))."
    case .refundReversed:
      return "On \(at) the refund of \(many)\(product.id) (transaction \(transaction.id)) was"
        + " reversed: the purchase stands again."
    case .refundRequested, .refundDeclined:
      return refundAsked(kind.ofLine, transaction, at: at)
    case .purchased:
      break
    }
    return "On \(at) the account bought \(many)\(product.id), \(product.type.phrase),"
      + " \(state.pricePhrase(of: transaction)) (transaction \(transaction.id))."
  }

  /// How much of a transaction is given back, and why: what a proration left of it.
  private func refundPhrase(_ revocation: Revocation, of transaction: Transaction) -> String {
    state.refundPhrase(
      revocation, of: transaction,
      amount: ledger.refund(of: transaction, percentage: revocation.percentage))
  }

  func name(of transaction: Transaction?) -> String {
    guard let transaction else { return "the subscription" }
    return state.products[Int(transaction.product)].entry.id
  }
}
