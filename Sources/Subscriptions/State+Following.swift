/// How a member's lines follow the purchaser's. Whatever befalls a purchaser's line is folded
/// first; then each member's line is held against it, in the order of the members, and what
/// differs becomes one event at the same instant. So a member's line has no deadline of its own,
/// and lines that nobody shares never come here.
extension State {
  /// What events mean for the families of their accounts, once they are folded. Several of one
  /// command are followed together.
  func decideFollowing(_ applied: [Event]) -> [Event] {
    guard !facts.families.isEmpty else { return [] }
    var following = FamilyEvents(self)
    for (index, event) in applied.enumerated() {
      guard !facts.families.members(of: event.fact.account).isEmpty else { continue }
      if case .line(let kind, let fact) = event.fact {
        let isLast = !applied[(index + 1)...].contains { $0.fact.line == fact.line }
        guard isLast else { continue }
        follow(fact.line, kind, fact.notification, at: event.at, &following)
      } else if case .purchase(let kind, let fact) = event.fact, kind != .restored {
        for member in facts.families.members(of: fact.account) {
          follow(
            purchase: fact.transaction, by: member, at: event.at, clock: event.clock, &following)
        }
      }
    }
    return following.events
  }

  /// The same for one event that fell due.
  func decideFollowing(_ applied: LineEvent) -> [Event] {
    guard !facts.families.isEmpty, !facts.families.members(of: applied.fact.account).isEmpty else {
      return []
    }
    var following = FamilyEvents(self)
    follow(
      applied.fact.line, applied.kind, applied.fact.notification, at: applied.at, &following)
    return following.events
  }

  private func follow(
    _ number: LineNumber, _ kind: LineKind, _ notification: Notification, at: Instant,
    _ following: inout FamilyEvents
  ) {
    let source = facts.lines[Int(number)]
    // What the App Store tells of a purchaser it tells of the members itself.
    guard source.origin == .store else { return }
    // A restore gives the purchaser's devices another id for what they have, and nobody anything.
    guard kind != .restored else { return }
    for member in facts.families.members(of: source.account) {
      let held = follower(of: number, for: member)
      let fact = counterpart(
        source, number, kind, notification, member: member, held: held, at: at,
        id: following.nextID, newLine: following.nextLine)
      if let fact {
        following.append(
          fact.kind, fact.fact, at: at, clock: facts.accounts[source.account].clock)
      }
    }
  }

  /// A member's line that follows or followed a purchaser's, with what it last came of.
  func follower(of source: LineNumber, for member: AccountNumber) -> Follower? {
    for number in facts.families.followers(of: source)
    where facts.lines[Int(number)].account == member {
      guard let link = facts.families.links[number] else { continue }
      return Follower(
        number: number, line: facts.lines[Int(number)], soldID: link.soldID)
    }
    return nil
  }

  /// What a member's line must do to stand as the purchaser's does; nil where it does already.
  func counterpart(
    _ source: Line, _ number: LineNumber, _ kind: LineKind, _ notification: Notification,
    member: AccountNumber, held: Follower?, at: Instant, id: UInt64, newLine: LineNumber
  ) -> (kind: LineKind, fact: LineFact)? {
    let isShareable = facts.products[Int(source.transaction.product)].entry.isFamilyShareable
    guard let held, !held.line.isOver else {
      guard isShareable, source.status(at: at) == .active else { return nil }
      return (
        .shared,
        gain(
          source, number, member: member, as: member, held: held, at: at, id: id,
          newLine: newLine)
      )
    }
    guard isShareable, source.transaction.revocation == nil else {
      return (.revoked, revocation(of: held.line, held.number, at: at))
    }
    guard let fact = mirror(source, held, kind, notification, at: at, id: id) else { return nil }
    return (kind, fact)
  }

  /// A member gains access (Domain.md 1.3, E21): for the first time, or again by the same line.
  /// `known` is nil for an account that is only being opened.
  func gain(
    _ source: Line, _ number: LineNumber, member known: AccountNumber?,
    as member: AccountNumber, held: Follower?, at: Instant, id: UInt64, newLine: LineNumber
  ) -> LineFact {
    let original = held?.line.transaction.originalID ?? id
    let transaction = shared(source.transaction, id: id, originalID: original, from: at, at: at)
    var had = false
    if let known {
      forEachLine(of: known) { _, line in
        if line.group == source.group, line.transaction.ownership == .familyShared { had = true }
      }
    }
    var renewal = shared(source.renewal, at: at)
    renewal.recentSubscriptionStartDate = held.map { chainStart(of: $0.line, source) } ?? at
    return LineFact(
      line: held?.number ?? newLine, account: member, group: source.group, statusAfter: .active,
      notification: had ? .subscribedResubscribe : .subscribedInitialBuy,
      transaction: transaction, renewal: renewal, source: held == nil ? number : noNumber)
  }

  /// A member loses access (E21b).
  func revocation(of line: Line, _ number: LineNumber, at: Instant) -> LineFact {
    LineFact(
      line: number, account: line.account, group: line.group, statusAfter: .revoked,
      notification: .revoke, transaction: revoked(line.transaction, at: at))
  }

  func revoked(_ transaction: Transaction, at: Instant) -> Transaction {
    var revoked = transaction
    revoked.signedDate = at
    revoked.revocation = Revocation(date: at, type: .familyRevoke, reason: 0, percentage: 0)
    return revoked
  }

  /// The member's line takes on what the purchaser's has become, under the purchaser's own kind
  /// of event. What a price is, and what it will be, is the purchaser's alone.
  private func mirror(
    _ source: Line, _ held: Follower, _ kind: LineKind, _ notification: Notification,
    at: Instant, id: UInt64
  ) -> LineFact? {
    var line = held.line
    var fact = LineFact(
      line: held.number, account: line.account, group: line.group, statusAfter: .active,
      notification: notification)
    var renewal = shared(source.renewal, at: at)
    renewal.recentSubscriptionStartDate = chainStart(of: line, source)
    if held.soldID != source.transaction.soldID {
      fact.transaction = shared(
        source.transaction, id: id, originalID: line.transaction.originalID,
        from: source.transaction.purchaseDate, at: at)
    } else if line.transaction.expiresDate != source.transaction.expiresDate {
      fact.transaction = line.transaction
      fact.transaction?.expiresDate = source.transaction.expiresDate
      fact.transaction?.signedDate = at
    }
    var unsigned = renewal
    unsigned.signedDate = line.renewal.signedDate
    guard fact.transaction != nil || unsigned != line.renewal || kind == .graceEnded else {
      return nil
    }
    let carries =
      kind == .planChangeScheduled || renewal.autoRenewProduct != line.transaction.product
    if fact.transaction == nil, carries { fact.transaction = line.transaction }
    fact.renewal = renewal
    line.apply(kind, fact, at: at)
    fact.statusAfter = line.status(at: at)
    return fact
  }

  /// The start of a member's newest chain of service: its own, unless the purchaser's is newer.
  private func chainStart(of line: Line, _ source: Line) -> Instant {
    max(
      line.renewal.recentSubscriptionStartDate, source.renewal.recentSubscriptionStartDate)
  }

  /// A purchaser's transaction as a member has it: an id of its own, nothing paid, no offer.
  private func shared(
    _ transaction: Transaction, id: UInt64, originalID: UInt64, from purchaseDate: Instant,
    at: Instant
  ) -> Transaction {
    var shared = transaction
    shared.id = id
    shared.originalID = originalID
    shared.webOrderLineItemID =
      transaction.expiresDate == .never ? 0 : id + Limits.webOrderLineItemOffset
    shared.purchaseDate = purchaseDate
    shared.signedDate = at
    shared.price = 0
    shared.offer = nil
    // A shared transaction was nobody's purchase with a token (Domain.md 8, case 58).
    shared.token = .opening
    shared.ownership = .familyShared
    shared.isFinished = false
    if purchaseDate != transaction.purchaseDate { shared.reason = .purchase }
    return shared
  }

  private func shared(_ renewal: RenewalInfo, at: Instant) -> RenewalInfo {
    var shared = renewal
    shared.renewalPrice = 0
    shared.offer = nil
    shared.token = .opening
    shared.priceIncreaseStatus = nil
    shared.signedDate = at
    return shared
  }

  // MARK: Lasting purchases

  /// A member has what the purchaser has, while the purchaser has it.
  private func follow(
    purchase transaction: Transaction, by member: AccountNumber, at: Instant,
    clock: ClockNumber, _ following: inout FamilyEvents
  ) {
    // Bought twice and given back once, it is the purchaser's still.
    let owned = facts.families.purchaser(of: member).flatMap {
      self.owned(transaction.product, by: $0)
    }
    let isKept = owned != nil && facts.products[Int(transaction.product)].entry.isFamilyShareable
    if isKept, let owned {
      gainPurchase(owned, of: member, as: member, at: at, clock: clock, &following)
    } else if let held = sharedPurchase(of: transaction.product, by: member) {
      following.append(
        .revoked, revoked(held, at: at), of: member, .revoke, at: at, clock: clock)
    }
  }

  /// A member gets a lasting purchase (E26), unless it has it so already. `known` is nil for an
  /// account that is only being opened.
  func gainPurchase(
    _ transaction: Transaction, of known: AccountNumber?, as member: AccountNumber, at: Instant,
    clock: ClockNumber, _ following: inout FamilyEvents
  ) {
    let entry = facts.products[Int(transaction.product)].entry
    guard entry.type == .nonConsumable, entry.isFamilyShareable, transaction.revocation == nil
    else { return }
    if let known, sharedPurchase(of: transaction.product, by: known) != nil { return }
    let id = following.nextID
    following.append(
      .shared, shared(transaction, id: id, originalID: id, from: at, at: at), of: member,
      .oneTimeCharge, at: at, clock: clock)
  }

  /// What a member has of a product by Family Sharing now.
  private func sharedPurchase(
    of product: ProductNumber, by member: AccountNumber
  ) -> Transaction? {
    var found: Transaction?
    forEachPurchase(of: member) { purchase in
      let transaction = purchase.transaction
      if transaction.product == product, transaction.ownership == .familyShared,
        transaction.revocation == nil, purchase.environment == nil
      {
        found = transaction
      }
    }
    return found
  }
}

/// A member's line beside the purchaser's that it follows.
struct Follower {
  var number: LineNumber
  var line: Line
  /// What the purchaser's period that the line's newest one came of was sold as.
  var soldID: UInt64
}

/// Events of members, with the numbers that each of them takes.
struct FamilyEvents {
  private(set) var events: [Event] = []
  private(set) var nextID: UInt64
  private(set) var nextLine: LineNumber

  init(_ state: State) {
    nextID = state.nextTransactionID
    nextLine = LineNumber(state.lines.count)
  }

  mutating func append(
    _ kind: LineKind, _ fact: LineFact, at: Instant, clock: ClockNumber
  ) {
    append(Event(at: at, clock: clock, fact: .line(kind, fact)))
    if fact.line == nextLine { nextLine += 1 }
    if let id = fact.transaction?.id { nextID = max(nextID, id + 1) }
  }

  mutating func append(
    _ kind: PurchaseKind, _ transaction: Transaction, of account: AccountNumber,
    _ notification: Notification, at: Instant, clock: ClockNumber
  ) {
    append(
      Event(
        at: at, clock: clock,
        fact: .purchase(
          kind, PurchaseFact(account: account, notification: notification, transaction: transaction)
        )))
    nextID = max(nextID, transaction.id + 1)
  }

  mutating func append(_ event: Event) {
    events.append(event)
  }
}

extension Line {
  /// Whether nothing more comes of the line by itself: it was taken back, or has ended.
  var isOver: Bool {
    transaction.revocation != nil
      || (renewal.expirationIntent != nil && !renewal.isInBillingRetry)
  }
}

extension Fact {
  /// The line that the event is about; nil where it is about none.
  var line: LineNumber? {
    if case .line(_, let fact) = self { fact.line } else { nil }
  }
}
