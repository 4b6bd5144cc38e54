import Subscriptions

/// Sentences for what the App Store's signed facts told, and for lines read off them.
extension AccountStory {
  /// What names a line of the App Store's.
  func chain(_ key: ChainKey) -> String {
    "the subscription or purchase with the original transaction \(key.originalID)"
      + " (\(key.environment.wireName))"
  }

  func told(_ fact: IngestedFact, at: String) -> String {
    let signed = [
      fact.transaction?.transaction.signedDate, fact.renewal?.renewal.signedDate,
      fact.notification?.signedDate,
    ].compactMap { $0 }.max()
    let date = signed.map { ", signed on \($0.rfc3339)" } ?? ""
    let head = "On \(at) \(name(of: fact)) came (\(fact.environment.wireName)\(date))"
    let late =
      fact.isLate ? " It came late: what was signed after it was here already, and stands." : ""
    guard let key = fact.key else {
      return "\(head); it is about no purchase of an account's.\(late)"
    }
    var parts: [String] = []
    if let transaction = fact.transaction?.transaction { parts.append(told(transaction)) }
    if let renewal = fact.renewal { parts.append(told(renewal)) }
    if let status = fact.notification?.status { parts.append("it says \(status.phrase)") }
    if let status = fact.notification?.otherStatus {
      parts.append("it says status \(status), which this version does not know")
    }
    if let status = fact.statusAfter { parts.append("the subscription is at \(status.phrase)") }
    if let end = fact.assumedGraceEnd {
      parts.append("no end of grace was told, so it is assumed to last until \(end.rfc3339)")
    }
    if parts.isEmpty { parts.append("it is about \(chain(key))") }
    return "\(head): \(parts.joined(separator: "; ")).\(late)"
  }

  private func name(of fact: IngestedFact) -> String {
    switch fact.kind {
    case .transaction: return "a signed transaction"
    case .renewalInfo: return "a signed renewal info"
    case .notification:
      guard let notification = fact.notification else { return "a notification" }
      let subtype = notification.subtype.map { "/\($0)" } ?? ""
      guard !notification.type.isEmpty else { return "a notification without a type\(subtype)" }
      let unknown = notification.isKnown ? "" : ", which this version does not know,"
      return "the notification \(notification.type)\(subtype)\(unknown)"
    }
  }

  private func told(_ transaction: Transaction) -> String {
    let product = state.products[Int(transaction.product)]
    let note = product.isCatalogued ? "" : " (in no catalogue)"
    var text = "transaction \(transaction.id) of \(product.entry.id)\(note)"
    if let end = transaction.expiresDate.ifEver {
      text += " from \(transaction.purchaseDate.rfc3339) to \(end.rfc3339)"
    } else {
      text += " bought on \(transaction.purchaseDate.rfc3339)"
    }
    if transaction.isUpgraded { text += ", replaced by an upgrade" }
    if let revocation = transaction.revocation {
      text += ", taken back on \(revocation.date.rfc3339)"
    }
    return text
  }

  private func told(_ version: RenewalVersion) -> String {
    let renewal = version.renewal
    if renewal.isInBillingRetry {
      guard let grace = renewal.gracePeriodExpiresDate.ifEver else {
        return "the payment is being tried again"
      }
      let assumed = version.isGraceAssumed ? " (assumed, since no end of it was told)" : ""
      return "the payment is being tried again, with grace until \(grace.rfc3339)\(assumed)"
    }
    return version.renews.phrase
  }

  func passed(_ fact: LineFact, at: Instant, held: Line?) -> String {
    let product = name(of: held?.transaction)
    let pending =
      held?.isPending(at: at) == true
      ? "; \(held?.renews.phrase ?? "") and no news has come, so access is kept for now" : ""
    return "On \(at.rfc3339) \(product) came to \(fact.statusAfter.phrase) by time alone\(pending)."
  }
}

extension AccountStanding {
  /// Where a line of the App Store's stands: what it says is what was told.
  func told(_ line: Line) -> [String] {
    let entry = state.products[Int(line.transaction.product)]
    let product = entry.entry.id
    let status = line.status(at: now)
    let note = entry.isCatalogued ? "" : ", in no catalogue"
    let head =
      "\(product) (original transaction \(line.transaction.originalID), as the App Store"
      + " tells\(note)) is at \(status.phrase) and"
      + " \(line.isEntitling(at: now) ? "entitles" : "does not entitle")"
    return ["\(head): \(reason(line, status)).", next(of: line, product)]
  }

  private func reason(_ line: Line, _ status: Status) -> String {
    let end = line.transaction.expiresDate.rfc3339
    switch status {
    case .active:
      return "its period from \(line.transaction.purchaseDate.rfc3339) to \(end) is not over"
    case .gracePeriod:
      return "its period was over on \(end) and the renewal could not be paid; the grace period"
        + " lasts until \(line.renewal.gracePeriodExpiresDate.rfc3339)"
        + (line.isGraceAssumed ? " by the policy, since no end of it was told" : "")
    case .billingRetry:
      return "its period was over on \(end) and the renewal could not be paid; the payment is"
        + " being tried again"
    case .revoked:
      let date = line.transaction.revocation?.date.rfc3339 ?? end
      return "its newest period, to \(end), was taken back on \(date)"
    case .expired:
      if line.isPending(at: now) {
        return "its period was over on \(end), \(line.renews.phrase) and no news has come yet;"
          + " access is kept until \(line.accessEnd(at: now).rfc3339)"
      }
      return expired(line, end)
    }
  }

  private func expired(_ line: Line, _ end: String) -> String {
    guard let intent = line.renewal.expirationIntent else {
      guard line.transaction.expiresDate > now else {
        return "its period was over on \(end), and no renewal was told"
      }
      return "its period lasts to \(end), but a notification said that it is over"
    }
    let key = ChainKey(environment: line.environment, originalID: line.transaction.originalID)
    let number = state.toldIntent(line, state.apple.chain(key))
    guard let number, number != Int64(intent.rawValue) else {
      return "it expired on \(end) \(intent.phrase)"
    }
    return "it expired on \(end) for the reason \(number), which this version does not know"
  }

  private func next(of line: Line, _ product: String) -> String {
    guard let deadline = line.deadline(terms) else {
      return "There is no next date for \(product): nothing will happen to it by time alone, the"
        + " App Store says what comes."
    }
    let renewal = line.renews.phrase
    let entitles = line.isEntitling(at: deadline.time) ? "still entitles" : "does not entitle then"
    let status = line.status(at: deadline.time).phrase
    return "The next date of \(product) is \(deadline.time.rfc3339): \(renewal), and unless the App"
      + " Store tells something else before, it comes to \(status) and \(entitles)."
  }
}

extension Optional where Wrapped == Bool {
  /// Whether a line renews, as a part of a sentence; nil where nothing told it.
  fileprivate var phrase: String {
    map { "its renewal is turned \($0 ? "on" : "off")" } ?? "whether it renews was not told"
  }
}
