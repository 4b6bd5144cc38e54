extension State {
  /// Decides that a line's period ends later, and all that follow it with it (Domain.md 1.11, E22).
  func decideExtension(
    line number: LineNumber, days: Int64, reason: Int64, policies: Policies,
    into events: inout [Event]
  ) throws(Rejection) {
    guard facts.role == .store else { throw .notInThisRole }
    _ = try extensionTerms(days: days, reason: reason)
    let line = facts.lines[Int(number)]
    let now = now(of: line.account)
    if let reason = extensionHindrance(of: line, number, at: now) {
      throw .notPossible(status: line.status(at: now), reason: reason)
    }
    events.append(Event(extended(line, number, days: days, at: now, policies: policies)))
  }

  /// Decides an extension for all that have a product (Domain.md 1.3, E22b): the event that begins
  /// it, or nil where its identifier is known.
  func decideMassExtension(
    productID: String, days: Int64, reason: Int64, identifier: String, storefronts: [String]?
  ) throws(Rejection) -> Event? {
    guard facts.role == .store else { throw .notInThisRole }
    guard let product = facts.productNumbers[productID] else {
      throw .productNotFound(productID: productID, nearest: nearestProducts(to: productID))
    }
    guard facts.products[Int(product)].entry.type == .autoRenewable else {
      throw .invalidParameter(
        name: "productId", reason: "\(productID) does not renew, so there is nothing to extend")
    }
    let terms = try extensionTerms(days: days, reason: reason)
    guard !identifier.isEmpty, identifier.utf8.count <= Limits.requestIdentifierBytesMax else {
      throw .invalidParameter(
        name: "requestIdentifier", reason: "say 1 to \(Limits.requestIdentifierBytesMax) bytes")
    }
    let isRunning = facts.sweeps.contains { $0.fact.extension?.identifier == identifier }
    guard facts.massExtensions[identifier] == nil, !isRunning else { return nil }
    var numbers: [UInt16] = []
    guard storefronts?.isEmpty != true else {
      throw .invalidParameter(name: "storefronts", reason: "name some, or leave it out for all")
    }
    for country in storefronts ?? [] {
      guard let number = Storefront.number(country: country) else {
        throw .invalidParameter(
          name: "storefronts",
          reason: "no storefront is called \(country); say three letters (USA)")
      }
      if !numbers.contains(number) { numbers.append(number) }
    }
    let asked = MassExtension(
      days: terms.days, reason: terms.reason, identifier: identifier, storefronts: numbers)
    return Event(
      at: facts.clocks[Int(Clock.system)].now, clock: Clock.system,
      fact: .product(.massExtensionStarted, ProductFact(product: product, extension: asked)))
  }

  private func extensionTerms(
    days: Int64, reason: Int64
  ) throws(Rejection) -> (days: Int32, reason: UInt8) {
    guard days >= 1, days <= Limits.extensionDaysMax else {
      throw .invalidParameter(name: "days", reason: "say 1 to \(Limits.extensionDaysMax)")
    }
    guard reason >= 0, reason <= Limits.extensionReasonMax else {
      throw .invalidParameter(
        name: "reason",
        reason: "say 0 (undeclared), 1 (customer satisfaction), 2 (other) or 3 (service issue)")
    }
    return (Int32(days), UInt8(reason))
  }

  /// What a mass extension is to one line; nil where it does not concern it: what has ended, or
  /// belongs to a family member, whose time goes with the purchaser's.
  func massExtension(
    _ fact: ProductFact, of number: LineNumber, policies: Policies
  ) -> LineEvent? {
    let line = facts.lines[Int(number)]
    guard line.transaction.product == fact.product, let asked = fact.extension,
      line.transaction.ownership == .purchased, line.origin == .store
    else { return nil }
    if !asked.storefronts.isEmpty, !asked.storefronts.contains(line.transaction.storefront) {
      return nil
    }
    let now = now(of: line.account)
    // What is due at this very moment has not happened yet.
    let status = status(of: line, policies.terms)
    guard status != .expired, status != .revoked else { return nil }
    guard extensionHindrance(of: line, number, at: present(for: line, policies.terms)) == nil else {
      return LineEvent(
        at: now, clock: facts.accounts[line.account].clock, kind: .extensionFailed,
        fact: LineFact(
          line: number, account: line.account, group: line.group, statusAfter: status,
          notification: .extensionFailure))
    }
    return extended(line, number, days: Int64(asked.days), at: now, policies: policies)
  }

  /// Why a line cannot be extended; nil where it can.
  private func extensionHindrance(of line: Line, _ number: LineNumber, at now: Instant) -> String? {
    guard line.transaction.ownership == .purchased else {
      return "a family member's subscription is extended with the purchaser's, and not by itself"
    }
    switch line.status(at: now) {
    case .active: break
    case .expired: return "the subscription is expired"
    case .revoked: return "the subscription is refunded"
    case .billingRetry: return "the subscription is in billing retry"
    case .gracePeriod: return "the subscription is in its grace period, and its own is over"
    }
    if line.transaction.offer?.paymentMode == .freeTrial {
      return "the subscription is in a free offer period"
    }
    let times = facts.extensions[number] ?? []
    if times.count == Limits.extensionsInWindow,
      now < times[0].advanced(byDays: Limits.extensionWindowDays)
    {
      return "the subscription was extended twice in the last \(Limits.extensionWindowDays) days"
    }
    return nil
  }

  /// The current transaction ends later, and so does its renewal come: both are rewritten, and
  /// later periods are counted from there.
  private func extended(
    _ line: Line, _ number: LineNumber, days: Int64, at now: Instant, policies: Policies
  ) -> LineEvent {
    var transaction = line.transaction
    transaction.expiresDate = end(extending: transaction, days: days, policies: policies)
    transaction.signedDate = now
    var renewal = line.renewal
    renewal.renewalDate = transaction.expiresDate
    renewal.signedDate = now
    return LineEvent(
      at: now, clock: facts.accounts[line.account].clock, kind: .renewalExtended,
      fact: LineFact(
        line: number, account: line.account, group: line.group, statusAfter: .active,
        notification: .renewalExtended, transaction: transaction, renewal: renewal))
  }
}
