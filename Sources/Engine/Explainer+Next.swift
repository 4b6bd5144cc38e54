import Subscriptions

/// What comes next on a subscription by itself.
extension AccountStanding {
  /// A family member's line does what the purchaser's does, so that one is asked: what it costs,
  /// whether it is paid and whether a price is agreed to is written there alone.
  func next(of line: Line, _ number: LineNumber, product: String) -> String {
    let source =
      line.transaction.ownership == .familyShared ? state.families.source(of: number) : nil
    let followed = source.map { state.lines[Int($0)] } ?? line
    let purchaser = source.map { _ in state.name(of: followed.account) }
    guard let deadline = followed.upcoming(terms) else {
      return "Nothing is due on \(product) by itself."
    }
    let payment = purchaser.map { "\($0)'s payment" } ?? "the payment"
    let comes =
      switch deadline.kind {
      case .expire: expiry(of: followed, purchaser)
      case .retry: retry(of: followed, product, at: deadline.time, purchaser)
      case .endGrace:
        "its grace period will end then, and access by it with it, unless \(payment) succeeds"
          + " before"
      case .endRetry:
        "\(payment) will not be tried any more then, and it will expire, unless \(payment)"
          + " succeeds before"
      case .renew: renewal(of: followed, product, at: deadline.time, purchaser)
      case .passStatus: ""
      }
    let head = "The next date of \(product) is \(deadline.time.rfc3339)"
    return comes.isEmpty ? "\(head)." : "\(head): \(comes)."
  }

  /// A charge that failed, tried again with success.
  private func retry(
    of line: Line, _ product: String, at time: Instant, _ purchaser: String?
  ) -> String {
    let next = state.products[Int(line.renewal.autoRenewProduct)]
    if next.isWithdrawn {
      return "it will expire then, since \(next.entry.id) is not on sale any more, unless it is put"
        + " on sale again before"
    }
    let target = next.entry.id == product ? "" : " as \(next.entry.id)"
    let whose = purchaser.map { "\($0)'s payments are" } ?? "the account's payments are"
    let money = state.moneyText(line.renewal.renewalPrice, storefront: line.transaction.storefront)
    let terms = purchaser == nil ? " for \(money)\(offer(line))" : ""
    return "it is to be charged again then\(terms), and will renew\(target), unless \(whose) made"
      + " to fail again before"
  }

  private func expiry(of line: Line, _ purchaser: String?) -> String {
    guard line.renewal.autoRenews else {
      let whose = purchaser.map { "\($0)'s renewal of it" } ?? "its renewal"
      let again = purchaser.map { "\($0) turns it on" } ?? "renewal is turned on"
      return "\(whose) is turned off, so it will expire then, and access by it will end, unless"
        + " \(again) again before"
    }
    let often = Ending.often(
      purchaser.map { "\($0)'s has" } ?? "it has", Int(line.renewals), of: terms)
    return "\(often), so it will expire then, and access by it will end"
  }

  /// A renewal to come, or what stands in its way.
  private func renewal(
    of line: Line, _ product: String, at time: Instant, _ purchaser: String?
  ) -> String {
    let next = state.products[Int(line.renewal.autoRenewProduct)]
    let money = state.moneyText(line.renewal.renewalPrice, storefront: line.transaction.storefront)
    if next.isWithdrawn {
      return "it will expire then, since \(next.entry.id) is not on sale any more, unless it is put"
        + " on sale again before"
    }
    if line.renewal.priceIncreaseStatus == PriceIncreaseStatus.pending {
      return "it will expire then, unless \(purchaser ?? "the account") agrees to the new price of"
        + " \(money) before"
    }
    let ahead = time < line.transaction.expiresDate ? " ahead of the end of its period" : ""
    let target = next.entry.id == product ? "" : " as \(next.entry.id)"
    let terms = "\(ahead)\(target)" + (purchaser == nil ? " for \(money)\(offer(line))" : "")
    if state.paymentsFail(of: line.account) {
      let fails =
        purchaser.map { "with the purchaser's, and \($0)'s payment will fail then unless \($0)'s" }
        ?? "and that payment will fail unless the account's"
      return "it is to renew then\(terms)\(purchaser == nil ? "," : "") \(fails) payments are made"
        + " to succeed again before"
    }
    if let purchaser, !next.entry.isFamilyShareable {
      return "\(purchaser)'s will renew then\(target), which is not shared, so access by it will"
        + " end"
    }
    let pace = rate == .realTime ? "" : " at that rate"
    return "it will renew then\(terms)\(purchaser == nil ? "" : " with the purchaser's"), for"
      + " \(state.nextPeriod(of: line).phrase) more\(pace)"
  }

  /// The offer that a renewal is sold by.
  private func offer(_ line: Line) -> String {
    guard let offer = line.renewal.offer else { return "" }
    return offer == line.transaction.offer
      ? " (still the \(offer.kind.phrase) price)" : " (\(state.name(of: offer)))"
  }
}
