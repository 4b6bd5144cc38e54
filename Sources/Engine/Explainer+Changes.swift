import Subscriptions

/// Sentences for billing trouble and changes of plan.
extension AccountStory {
  func billing(_ kind: EventKind, _ fact: LineFact, at: String, held: Line?) -> String {
    if kind == .recovered, let transaction = fact.transaction {
      return "On \(at) the payment for \(name(of: transaction)) succeeded"
        + " \(state.pricePhrase(of: transaction)): its period runs from"
        + " \(transaction.purchaseDate.rfc3339) to \(transaction.expiresDate.rfc3339)"
        + " (transaction \(transaction.id))."
    }
    let product = name(of: held?.transaction)
    guard kind == .renewalFailed else {
      return "On \(at) the grace period of \(product) ended unpaid, and access by it with it; the"
        + " payment is being tried again."
    }
    guard let grace = fact.renewal?.gracePeriodExpiresDate, grace != .never else {
      return "On \(at) the renewal of \(product) could not be paid, so access by it ended; the"
        + " payment is being tried again."
    }
    return "On \(at) the renewal of \(product) could not be paid; a grace period keeps access"
      + " until \(grace.rfc3339) while the payment is being tried again."
  }

  func planChange(_ kind: EventKind, _ fact: LineFact, at: Instant, held: Line?) -> String {
    let old = name(of: held?.transaction)
    guard kind == .upgraded, let transaction = fact.transaction else {
      return scheduled(fact, at: at.rfc3339, product: old)
    }
    let unused = held.map { $0.transaction.proratedRefund(at: at) } ?? 0
    let refund =
      unused == 0
      ? "nothing of it is given back"
      : "\(state.moneyText(unused, storefront: transaction.storefront)) of it, the unused part,"
        + " is given back"
    return "On \(at.rfc3339) the account changed from \(old) to \(name(of: transaction)) at once"
      + " \(state.pricePhrase(of: transaction)), until \(transaction.expiresDate.rfc3339)"
      + " (transaction \(transaction.id)); the period of \(old) is replaced, and \(refund)."
  }

  /// A refund that is asked for, or declined, and not given.
  func refundAsked(_ kind: EventKind, _ transaction: Transaction?, at: String) -> String {
    let what = "\(name(of: transaction)) (transaction \(transaction?.id ?? 0))"
    guard kind == .refundDeclined else {
      return "On \(at) a refund of \(what) was asked for; it was not decided then."
    }
    return "On \(at) the refund of \(what) was declined: nothing was given back."
  }

  private func scheduled(_ fact: LineFact, at: String, product: String) -> String {
    guard let renewal = fact.renewal else { return "On \(at) the plan of \(product) changed." }
    let next = state.products[Int(renewal.autoRenewProduct)].entry.id
    guard next != product else {
      return "On \(at) the account chose to stay with \(product) after all: it will renew as it is."
    }
    let offer = offerPhrase(fact).map { ", \($0)" } ?? ""
    return "On \(at) the account chose \(next) instead of \(product), from the next renewal on"
      + " \(renewal.renewalDate.rfc3339)\(offer)."
  }

  // MARK: Offers

  func offerRedeemed(_ fact: LineFact, at: String) -> String {
    let product = name(of: fact.transaction)
    guard let renewal = fact.renewal, let offer = offerPhrase(fact) else {
      return "On \(at) an offer of \(product) was redeemed."
    }
    return "On \(at) the account redeemed an offer of \(product): from the next renewal on"
      + " \(renewal.renewalDate.rfc3339) it is sold \(offer). Until then nothing changes."
  }

  func stacked(
    _ stacked: StackedOffer, line: LineNumber, at: String, before history: AccountHistory
  ) -> String {
    let held = history.lines.first { $0.number == line }?.line.transaction
    let product = name(of: held)
    let terms = state.phrase(
      stacked.offer, price: stacked.price, storefront: held?.storefront ?? state.defaultStorefront)
    return "On \(at) the account redeemed a code of \(product) on top of its introductory offer:"
      + " when that is over, it is sold \(terms)."
  }

  /// The offer that an event leaves for the next renewal, in words.
  private func offerPhrase(_ fact: LineFact) -> String? {
    guard let renewal = fact.renewal, let offer = renewal.offer else { return nil }
    return state.phrase(
      offer, price: renewal.renewalPrice,
      storefront: fact.transaction?.storefront ?? state.defaultStorefront)
  }

  /// What a purchase says of the offer that follows the one it was made with.
  func offerToCome(_ fact: LineFact, after transaction: Transaction) -> String {
    guard let renewal = fact.renewal, renewal.offer != transaction.offer,
      let offer = offerPhrase(fact)
    else { return "" }
    return " The renewal on \(renewal.renewalDate.rfc3339) will be sold \(offer)."
  }
}
