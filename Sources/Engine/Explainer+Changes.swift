import Subscriptions

/// Sentences for billing trouble and changes of plan.
extension AccountStory {
  /// What an account has came again, under another id.
  func restored(_ transaction: Transaction?, at: String) -> String {
    guard let transaction else { return "On \(at) a subscription was restored." }
    let end = transaction.expiresDate.ifEver.map { ", for the period until \($0.rfc3339)" } ?? ""
    return "On \(at) the account restored \(name(of: transaction)): it is transaction"
      + " \(transaction.id) from now on, of the original transaction \(transaction.originalID)"
      + "\(end); nothing was charged."
  }

  func billing(_ kind: LineKind, _ fact: LineFact, at: String, held: Line?) -> String {
    if kind == .recovered, let transaction = fact.transaction {
      let old = name(of: held?.transaction)
      let target = name(of: transaction)
      let change = held == nil || old == target ? target : "the change from \(old) to \(target)"
      return "On \(at) the payment for \(change) succeeded"
        + " \(state.pricePhrase(of: transaction)): its period runs from"
        + " \(transaction.purchaseDate.rfc3339) to \(transaction.expiresDate.rfc3339)"
        + " (transaction \(transaction.id))."
    }
    let product = name(of: held?.transaction)
    if kind == .chargeFailed {
      let end = held.map { " on \($0.transaction.expiresDate.rfc3339)" } ?? ""
      return "On \(at) the next period of \(product) could not be paid ahead of its time; the"
        + " payment will be tried again when the present period ends\(end)."
    }
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

  func planChange(_ kind: LineKind, _ fact: LineFact, at: Instant, held: Line?) -> String {
    let old = name(of: held?.transaction)
    guard kind == .upgraded, let transaction = fact.transaction else {
      return scheduled(fact, at: at.rfc3339, product: old, held: held)
    }
    let unused = held.map { $0.transaction.proratedRefund(at: at) } ?? 0
    let refund =
      unused == 0
      ? "nothing of it is given back"
      : "\(state.moneyText(unused, storefront: transaction.storefront)) of it, the unused part,"
        + " is given back"
    return "On \(at.rfc3339) the account changed from \(old) to \(name(of: transaction)) at once"
      + " \(state.pricePhrase(of: transaction)), until \(transaction.expiresDate.rfc3339)"
      + " (transaction \(transaction.id)); the period of \(old) is replaced, and \(refund)"
      + "\(givenUp(fact, held))."
  }

  /// A higher price: told, asked about, or agreed to.
  func price(_ kind: LineKind, _ fact: LineFact, at: String, held: Line?) -> String {
    guard let renewal = fact.renewal else { return "On \(at) a price rose." }
    let storefront = held?.transaction.storefront ?? 0
    let price = state.moneyText(renewal.renewalPrice, storefront: storefront)
    let product = state.products[Int(renewal.autoRenewProduct)].entry.id
    if kind == .priceIncreaseAccepted {
      return "On \(at) the account agreed to pay \(price) for \(product) from the next renewal on"
        + " \(renewal.renewalDate.rfc3339)."
    }
    let old = held.map {
      " from \(state.moneyText($0.renewal.renewalPrice, storefront: storefront))"
    }
    guard renewal.priceIncreaseStatus == PriceIncreaseStatus.pending else {
      return "On \(at) the account was told that the price of \(product) rises\(old ?? "") to"
        + " \(price) with the next renewal on \(renewal.renewalDate.rfc3339)."
    }
    return "On \(at) the account was asked to agree that the price of \(product) rises\(old ?? "")"
      + " to \(price) with the next renewal on \(renewal.renewalDate.rfc3339)."
  }

  /// A period that ends later, or could not be made to.
  func extended(_ fact: LineFact, at: String, held: Line?) -> String {
    guard let transaction = fact.transaction else {
      return "On \(at) all subscriptions to \(name(of: held?.transaction)) were extended; this one"
        + " could not be, and stayed as it was."
    }
    let old = held.map { ", which was to end on \($0.transaction.expiresDate.rfc3339)," }
    return "On \(at) the period of \(name(of: transaction))\(old ?? "") was extended until"
      + " \(transaction.expiresDate.rfc3339), and the renewal with it."
  }

  /// A refund that is asked for, or declined, and not given.
  func refundAsked(_ kind: LineKind, _ transaction: Transaction?, at: String) -> String {
    let what = "\(name(of: transaction)) (transaction \(transaction?.id ?? 0))"
    guard kind == .refundDeclined else {
      return "On \(at) a refund of \(what) was asked for; it was not decided then."
    }
    return "On \(at) the refund of \(what) was declined: nothing was given back."
  }

  private func scheduled(
    _ fact: LineFact, at: String, product: String, held: Line?
  ) -> String {
    guard let renewal = fact.renewal else { return "On \(at) the plan of \(product) changed." }
    let next = state.products[Int(renewal.autoRenewProduct)].entry.id
    let consequences = givenUp(fact, held) + turnedOn(fact, held)
    let terms = offerPhrase(fact)
    guard next != product else {
      let price = state.moneyText(
        renewal.renewalPrice, storefront: fact.transaction?.storefront ?? state.defaultStorefront)
      return "On \(at) the account chose to stay with \(product) after all: it renews"
        + " \(terms ?? "for \(price)") on \(renewal.renewalDate.rfc3339)\(consequences)."
    }
    return "On \(at) the account chose \(next) instead of \(product), from the next renewal on"
      + " \(renewal.renewalDate.rfc3339)\(terms.map { ", \($0)" } ?? "")\(consequences)."
  }

  /// An offer that waited for the next renewal, and applies no more. One that is running already
  /// is not waiting: it comes back where the plan is kept.
  private func givenUp(_ fact: LineFact, _ held: Line?) -> String {
    guard let held, let offer = held.renewal.offer, offer != held.transaction.offer,
      let renewal = fact.renewal, renewal.offer != offer
    else { return "" }
    return "; the \(state.name(of: offer)) that waited for the next renewal is given up"
  }

  /// Who chooses a plan or an offer means to go on.
  private func turnedOn(_ fact: LineFact, _ held: Line?) -> String {
    guard let held, !held.renewal.autoRenews, fact.renewal?.autoRenews == true else { return "" }
    return "; its renewal, which was turned off, is on again"
  }

  // MARK: Offers

  func offerRedeemed(_ fact: LineFact, at: String, held: Line?) -> String {
    let product = name(of: fact.transaction)
    guard let renewal = fact.renewal, let offer = offerPhrase(fact) else {
      return "On \(at) an offer of \(product) was redeemed."
    }
    return "On \(at) the account redeemed an offer of \(product): from the next renewal on"
      + " \(renewal.renewalDate.rfc3339) it is sold \(offer)"
      + "\(givenUp(fact, held))\(turnedOn(fact, held)). Until then nothing changes."
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
