import Subscriptions

/// The end of the story: where things stand, why, and what comes next.
struct AccountStanding {
  let state: State
  let now: Instant
  let environment: String
  let rate: RenewalRate

  func sentences(of account: AccountNumber, history: AccountHistory) -> [String] {
    let view = AccountView(state: state, account: account, wanted: nil, home: environment)
    var sentences = [summary(of: account, view)]
    if let family = family(of: account) { sentences.append(family) }
    sentences += waiting(of: account)
    for (_, line) in view.lines { sentences += self.sentences(of: line) }
    for purchase in view.purchases { sentences.append(sentence(of: purchase)) }
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

  private func sentences(of line: Line) -> [String] {
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
        next(of: line, product: product),
      ]
    case .expired:
      guard let intent = line.renewal.expirationIntent else {
        if line.isPending(at: now, state.terms) {
          return ["\(pendingHead(of: line, product))", next(of: line, product: product)]
        }
        return [
          "\(head): its period was over on \(end), and what is due then is about to be recorded."
        ]
      }
      // In billing trouble a subscription outlives the last period that was paid.
      let cause =
        intent == .billingError
        ? "its last period was over on \(end), and it expired \(intent.phrase)"
        : "it expired on \(end) \(intent.phrase)"
      return ["\(head): \(cause).", over(line, product) + winBack(line)]
    case .revoked:
      guard let revocation = line.transaction.revocation else { return [head + "."] }
      return [
        "\(head): its newest period, from \(line.transaction.purchaseDate.rfc3339) to \(end), was"
          + " \(taken(revocation)) \(state.refundPhrase(revocation, of: line.transaction)) on"
          + " \(revocation.date.rfc3339).",
        over(line, product),
      ]
    case .gracePeriod:
      return [
        "\(head): its period was over on \(end) and the renewal could not be paid; the grace"
          + " period lasts until \(line.renewal.gracePeriodExpiresDate.rfc3339).",
        next(of: line, product: product),
      ]
    case .billingRetry:
      return [
        "\(head): its period was over on \(end) and the renewal could not be paid; the payment"
          + " is being tried again.",
        next(of: line, product: product),
      ]
    }
  }

  /// The period is over, and its renewal is dealt with late.
  private func pendingHead(of line: Line, _ product: String) -> String {
    let leeway =
      line.entitles(at: now, state.terms)
      ? "it still entitles, by the leeway that is configured" : "it does not entitle meanwhile"
    return "\(product) (original transaction \(line.transaction.originalID)) is at"
      + " \(Status.expired.phrase): its period was over on"
      + " \(line.transaction.expiresDate.rfc3339), and its renewal is still to be dealt with;"
      + " \(leeway)."
  }

  private func next(of line: Line, product: String) -> String {
    guard let deadline = line.upcoming(state.terms) else {
      return "Nothing is due on \(product) by itself."
    }
    let time = deadline.time.rfc3339
    switch deadline.kind {
    case .expire where line.renewal.autoRenews:
      return "The next date of \(product) is \(time): it has renewed as often as this store lets"
        + " it (\(line.renewals) times), so it will expire then, and access by it will end."
    case .expire:
      return "The next date of \(product) is \(time): its renewal is turned off, so it will"
        + " expire then, and access by it will end, unless renewal is turned on again before."
    case .endGrace:
      return "The next date of \(product) is \(time): its grace period will end then, and access"
        + " by it with it, unless the payment succeeds before."
    case .passStatus:
      return "The next date of \(product) is \(time)."
    case .endRetry:
      return "The next date of \(product) is \(time): the payment will not be tried any more then,"
        + " and it will expire, unless the payment succeeds before."
    case .renew:
      let money = state.moneyText(
        line.renewal.renewalPrice, storefront: line.transaction.storefront)
      let price =
        line.transaction.ownership == .purchased ? "for \(money)" : "with the purchaser's"
      let renewed = state.products[Int(line.renewal.autoRenewProduct)].entry
      if state.products[Int(line.renewal.autoRenewProduct)].isWithdrawn {
        return "The next date of \(product) is \(time): it will expire then, since"
          + " \(renewed.id) is not on sale any more, unless it is put on sale again before."
      }
      if line.renewal.priceIncreaseStatus == PriceIncreaseStatus.pending {
        return "The next date of \(product) is \(time): it will expire then, unless the account"
          + " agrees to the new price of \(money) before."
      }
      let target = renewed.id == product ? "" : " as \(renewed.id)"
      let isRunning = line.renewal.offer == line.transaction.offer
      let offer =
        line.renewal.offer.map {
          isRunning ? " (still the \($0.kind.phrase) price)" : " (\(state.name(of: $0)))"
        } ?? ""
      let ahead =
        deadline.time < line.transaction.expiresDate
        ? " ahead of the end of its period" : ""
      return "The next date of \(product) is \(time): it will renew then\(ahead)\(target)"
        + " \(price)\(offer), for \(state.nextPeriod(of: line).phrase) more."
    }
  }

  private func had(_ transaction: Transaction) -> String {
    transaction.ownership == .purchased ? "bought" : "had"
  }

  private func taken(_ revocation: Revocation) -> String {
    revocation.type == .familyRevoke ? "taken away" : "refunded"
  }

  private func over(_ line: Line, _ product: String) -> String {
    guard line.transaction.ownership == .purchased else {
      return "There is no next date for \(product): it comes back when its purchaser subscribes"
        + " again and shares."
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
    return " The account is eligible for the win-back offers \(ids.joined(separator: ", "))."
  }

  private func sentence(of purchase: Transaction) -> String {
    let entry = state.products[Int(purchase.product)].entry
    let head =
      "\(entry.id) (transaction \(purchase.id)), \(entry.type.phrase) \(had(purchase)) on"
      + " \(purchase.purchaseDate.rfc3339) \(state.pricePhrase(of: purchase)),"
    if let revocation = purchase.revocation, revocation.date <= now {
      return "\(head) does not entitle: it was \(taken(revocation))"
        + " \(state.refundPhrase(revocation, of: purchase)) on \(revocation.date.rfc3339)."
    }
    if entry.type == .nonConsumable { return "\(head) entitles for ever: it is not refunded." }
    return "\(head) is listed for ever and does not by itself entitle: how long it lasts is for"
      + " the app to say."
  }

  private func consumables(in history: AccountHistory) -> String? {
    let bought = history.entries.filter {
      state.products[Int($0.transaction.product)].entry.type == .consumable
    }
    guard !bought.isEmpty else { return nil }
    let unfinished = bought.lazy.filter { !$0.transaction.isFinished }.count
    return "Purchases of consumables: \(bought.count), of which \(unfinished) wait to be finished"
      + " by the app; consumables never entitle."
  }
}
