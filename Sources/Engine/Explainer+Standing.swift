import Subscriptions

/// The end of the story: where things stand, why, and what comes next.
struct AccountStanding {
  let state: State
  let terms: RenewalTerms
  let now: Instant
  let environment: String
  let rate: RenewalRate
  /// How lines ended, by what was told of them.
  let endings: [LineNumber: Ending]

  func sentences(of account: AccountNumber, history: AccountHistory) -> [String] {
    let view = AccountView(
      state: state, terms, account: account, wanted: nil, home: environment)
    var sentences = [summary(of: account, view)]
    if let family = family(of: account) { sentences.append(family) }
    sentences += waiting(of: account)
    for (number, line) in view.lines {
      sentences += self.sentences(of: line, number)
      if let asked = refundAsked(line.transaction) { sentences.append(asked) }
    }
    for purchase in view.purchases { sentences.append(sentence(of: purchase, account)) }
    if let consumed = consumables(in: history) { sentences.append(consumed) }
    return sentences
  }

  private func summary(of account: AccountNumber, _ view: AccountView) -> String {
    let clock = state.clocks[Int(state.accounts[account].clock)]
    let head =
      "It is now \(now.rfc3339) on the clock \(clock.name), in the environment \(environment)"
      + (rate == .realTime ? "" : ", where subscriptions run at the rate \(rate.name)")
    let advance = clock.target.map { ", and the clock is being advanced to \($0.rfc3339)" } ?? ""
    if view.lines.isEmpty, view.purchases.isEmpty {
      return "\(head)\(advance); the account is not entitled:"
        + " it has no subscription and no lasting purchase."
    }
    return view.isEntitled(at: now)
      ? "\(head)\(advance); the account is entitled."
      : "\(head)\(advance); the account is not entitled: nothing it has gives access now."
  }

  /// A refund that is asked for and not decided.
  private func refundAsked(_ transaction: Transaction) -> String? {
    guard let time = state.refundRequests[transaction.soldID] else { return nil }
    return "A refund of transaction \(transaction.id) is asked for since \(time.rfc3339): it is to"
      + " be granted or declined."
  }

  private func sentences(of line: Line, _ number: LineNumber) -> [String] {
    guard line.origin == .store else { return told(line) }
    let product = state.products[Int(line.transaction.product)].entry.id
    let status = line.status(at: now)
    let end = line.transaction.expiresDate.rfc3339
    let head =
      "\(product) (original transaction \(line.transaction.originalID)) is at"
      + " \(status.phrase) and \(status.entitles ? "entitles" : "does not entitle")"
    switch status {
    case .active:
      return [
        "\(head): its period from \(line.transaction.purchaseDate.rfc3339) to \(end),"
          + (now < line.transaction.purchaseDate ? " paid ahead of its time and" : "")
          + " \(had(line.transaction)) \(state.pricePhrase(of: line.transaction)), is not over.",
        next(of: line, number, product: product),
      ]
    case .expired:
      guard let intent = line.renewal.expirationIntent else {
        if line.isPending(at: now, terms) {
          return ["\(pendingHead(of: line, product))", next(of: line, number, product: product)]
        }
        return [
          "\(head): its period was over on \(end), and what is due then is about to be recorded."
        ]
      }
      return ["\(head): \(ended(line, number, intent)).", over(line, product) + winBack(line)]
    case .revoked:
      guard let revocation = line.transaction.revocation else { return [head + "."] }
      return [
        "\(head): its newest period, from \(line.transaction.purchaseDate.rfc3339) to \(end), was"
          + " \(taken(revocation, line.transaction, of: line.account)).",
        over(line, product),
      ]
    case .gracePeriod:
      return [
        "\(head): its period was over on \(end) and the renewal could not be paid; the grace"
          + " period lasts until \(line.renewal.gracePeriodExpiresDate.rfc3339).",
        next(of: line, number, product: product),
      ]
    case .billingRetry:
      return [
        "\(head): its period was over on \(end) and the renewal could not be paid; the payment"
          + " is being tried again.",
        next(of: line, number, product: product),
      ]
    }
  }

  /// The period is over, and its renewal is dealt with late.
  private func pendingHead(of line: Line, _ product: String) -> String {
    let entitles =
      line.entitles(at: now, terms)
      ? "entitles, by the leeway that is configured" : "does not entitle"
    return "\(product) (original transaction \(line.transaction.originalID)) is at"
      + " \(Status.expired.phrase) and \(entitles): its period was over on"
      + " \(line.transaction.expiresDate.rfc3339), and its renewal is still to be dealt with."
  }

  /// When and why a line expired. In billing trouble it outlives the last period that was paid.
  private func ended(_ line: Line, _ number: LineNumber, _ intent: ExpirationIntent) -> String {
    let end = line.transaction.expiresDate.rfc3339
    guard let ending = endings[number], ending.at != line.transaction.expiresDate else {
      return "it expired on \(end) \((endings[number]?.cause ?? .intent(intent)).phrase)"
    }
    return "its last period was over on \(end), and it expired on \(ending.at.rfc3339)"
      + " \(ending.cause.phrase)"
  }

  private func had(_ transaction: Transaction) -> String {
    transaction.ownership == .purchased ? "bought" : "had"
  }

  private func got(_ purchase: Transaction) -> String {
    purchase.ownership == .purchased ? "bought" : "got"
  }

  /// How a transaction was taken back, when, and why.
  private func taken(
    _ revocation: Revocation, _ transaction: Transaction, of account: AccountNumber
  ) -> String {
    let date = revocation.date.rfc3339
    guard revocation.type == .familyRevoke else {
      return "refunded \(state.refundPhrase(revocation, of: transaction)) on \(date)"
    }
    guard let purchaser = state.families.purchaser(of: account) else {
      return "taken away on \(date) because Family Sharing ended"
    }
    return "taken away on \(date) because \(state.name(of: purchaser)) had it no longer to share"
  }

  private func over(_ line: Line, _ product: String) -> String {
    guard line.transaction.ownership == .purchased else {
      let purchaser = state.families.purchaser(of: line.account).map(state.name(of:))
      let who = purchaser.map { "\($0) subscribes to it" } ?? "a purchaser of it shares"
      return "There is no next date for \(product): it comes back when \(who) again."
    }
    return
      "There is no next date for \(product): nothing more will happen to it by itself, and buying"
      + " in its group again continues the same subscription."
  }

  /// Which offers may bring back who left; nothing where there are none.
  private func winBack(_ line: Line) -> String {
    let ids = state.winBackOfferIDs(
      after: line.renewal, of: line.transaction.product, status: line.status(at: now))
    guard !ids.isEmpty else { return "" }
    let offers = ids.count == 1 ? "offer" : "offers"
    return " The account is eligible for the win-back \(offers) \(ids.joined(separator: ", "))."
  }

  private func sentence(of purchase: Transaction, _ account: AccountNumber) -> String {
    let entry = state.products[Int(purchase.product)].entry
    let head =
      "\(entry.id) (transaction \(purchase.id)), \(entry.type.phrase) \(got(purchase)) on"
      + " \(purchase.purchaseDate.rfc3339) \(state.pricePhrase(of: purchase)),"
    if let revocation = purchase.revocation, revocation.date <= now {
      return "\(head) does not entitle: it was \(taken(revocation, purchase, of: account))."
        + " There is no next date for it."
    }
    if entry.type == .nonConsumable {
      let reason = purchase.ownership == .purchased ? "refunded" : "taken away"
      return "\(head) entitles for ever: it is not \(reason), and there is no next date for it."
    }
    return "\(head) is listed for ever and does not by itself entitle: how long it lasts is for"
      + " the app to say."
  }

  private func consumables(in history: AccountHistory) -> String? {
    let bought = history.entries.filter {
      state.products[Int($0.transaction.product)].entry.type == .consumable
    }
    guard !bought.isEmpty else { return nil }
    let unfinished = bought.lazy.filter { !$0.transaction.isFinished }.count
    let waiting =
      switch unfinished {
      case 0: "all of them are finished by the app"
      case bought.count where unfinished == 1: "it waits to be finished by the app"
      case bought.count: "all of them wait to be finished by the app"
      case 1: "1 of them waits to be finished by the app"
      default: "\(unfinished) of them wait to be finished by the app"
      }
    return "Purchases of consumables: \(bought.count); \(waiting). Consumables never entitle."
  }
}
