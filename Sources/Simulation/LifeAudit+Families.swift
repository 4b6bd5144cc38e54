import Subscriptions

/// Family Sharing (Domain.md 1.10), and purchases outside subscriptions (1.9, E26).
extension LifeAudit {
  /// A member's line: under the purchaser's kinds of event, with transactions of its own that cost
  /// nothing. That it stands as the purchaser's does is held when all is done (`checkFamilies`).
  func checkShared(
    _ kind: LineKind, _ fact: LineFact, _ cause: EventCause, _ transaction: Transaction,
    _ renewal: RenewalInfo, at: Instant, _ before: LifeLine?
  ) throws(Violation) {
    try Violation.unless(
      transaction.price == 0 && transaction.offer == nil && renewal.renewalPrice == 0
        && renewal.offer == nil && renewal.priceIncreaseStatus == nil,
      "family: a member pays, or knows prices")
    try Violation.unless(cause != .due, "family: something fell due on a member's line")
    if kind == .shared {
      try Violation.unless(
        (before == nil) == (fact.source != noNumber) && before?.isOver != false,
        "family: a member has it already")
      try Violation.unless(
        customers[Int(fact.account)].purchaser != nil, "family: shared with no member")
      try Violation.unless(
        transaction.purchaseDate == at && transaction.revocation == nil,
        "family: what is shared does not begin at once")
    } else if kind == .revoked {
      try Violation.unless(
        fact.notification == .revoke && transaction.revocation?.type == .familyRevoke
          && transaction.revocation?.date == at,
        "family: the facts are not of a loss")
    } else if kind == .restored {
      try Violation.unless(cause == .command, "family: a purchaser's restore befell a member's")
    } else {
      try Violation.unless(before != nil, "family: a member's line began by \(kind)")
      try Violation.unless(cause == .following, "family: \(kind) befell a member's line by itself")
    }
  }

  /// Members stand as their purchasers do, and have what these have; nobody else has anything by
  /// a family.
  func checkFamilies(_ state: State) throws(Violation) {
    for (number, line) in lines.enumerated() {
      if line.isShared {
        try checkFollows(line, state)
      } else if !customers[Int(line.account)].members.isEmpty {
        try checkFollowed(LineNumber(number), line, state)
      }
    }
    for (number, customer) in customers.enumerated() {
      for transaction in customer.owned where transaction.ownership == .familyShared {
        try checkOwned(transaction, by: customer)
      }
      for member in customer.members {
        try checkShared(customer, with: customers[Int(member)])
      }
      try Violation.unless(
        state.families.members(of: AccountNumber(number)) == customer.members,
        "family: the state has other members")
    }
  }

  private func checkFollows(_ line: LifeLine, _ state: State) throws(Violation) {
    guard !line.isOver, line.source != noNumber else { return }
    let source = lines[Int(line.source)]
    try Violation.unless(
      customers[Int(line.account)].purchaser == source.account,
      "family: what was shared stands and nobody shares it")
    let (own, other) = (line.transaction, source.transaction)
    let now = state.now(of: line.account)
    try Violation.unless(
      own.product == other.product && own.expiresDate == other.expiresDate
        && line.status(at: now) == source.status(at: now)
        && line.renewal.autoRenews == source.renewal.autoRenews
        && line.renewal.autoRenewProduct == source.renewal.autoRenewProduct
        && line.renewal.isInBillingRetry == source.renewal.isInBillingRetry
        && line.renewal.gracePeriodExpiresDate == source.renewal.gracePeriodExpiresDate
        && line.renewal.expirationIntent == source.renewal.expirationIntent
        && line.renewal.renewalDate == source.renewal.renewalDate,
      "family: a member's line does not stand as the purchaser's")
    try Violation.unless(
      goods[Int(other.product)].entry.isFamilyShareable, "family: of what is not shareable")
  }

  private func checkFollowed(
    _ number: LineNumber, _ line: LifeLine, _ state: State
  ) throws(Violation) {
    guard line.status(at: state.now(of: line.account)) == .active,
      goods[Int(line.transaction.product)].entry.isFamilyShareable
    else { return }
    for member in customers[Int(line.account)].members {
      let count = lines.reduce(0) {
        $0 + ($1.source == number && $1.account == member && !$1.isOver ? 1 : 0)
      }
      try Violation.unless(count == 1, "family: a member has \(count) of the purchaser's")
    }
  }

  private func checkOwned(
    _ transaction: Transaction, by customer: LifeCustomer
  ) throws(Violation) {
    guard transaction.revocation == nil else { return }
    let purchaser = customer.purchaser.map { customers[Int($0)] }
    let isHeld = purchaser?.owned.contains {
      $0.product == transaction.product && $0.revocation == nil && $0.ownership == .purchased
    }
    try Violation.unless(isHeld == true, "family: what was shared stands and nobody shares it")
  }

  private func checkShared(
    _ purchaser: LifeCustomer, with member: LifeCustomer
  ) throws(Violation) {
    for transaction in purchaser.owned
    where transaction.revocation == nil && transaction.ownership == .purchased
      && goods[Int(transaction.product)].entry.isFamilyShareable
    {
      let count = member.owned.count {
        $0.product == transaction.product && $0.revocation == nil
          && $0.ownership == .familyShared
      }
      try Violation.unless(count == 1, "family: a member has \(count) of what the purchaser has")
    }
  }

  // MARK: Outside subscriptions

  mutating func take(
    _ kind: PurchaseKind, _ transaction: Transaction, of account: AccountNumber, at: Instant
  ) throws(Violation) {
    let good = goods[Int(transaction.product)]
    try Violation.unless(
      transaction.expiresDate == .never && good.entry.type != .autoRenewable,
      "purchase: outside subscriptions it has an end")
    switch kind {
    case .purchased, .shared:
      try checkNew(transaction)
      try checkBought(kind, transaction, good, account, at: at)
      if kind == .purchased {
        pay(transaction, by: account)
        noteSale(to: account)
      }
    case .restored:
      let old = customers[Int(account)].owned.first { $0.originalID == transaction.originalID }
      guard let old else { throw Violation("restore: of what the account has not") }
      try takeRestored(transaction, of: old, at: at)
    case .refunded:
      try Violation.unless(
        transaction.revocation?.date == at, "refund: the facts are not of one")
    case .refundReversed:
      try Violation.unless(transaction.revocation == nil, "reversal: it is given back still")
    case .revoked:
      try Violation.unless(
        transaction.revocation?.type == .familyRevoke && transaction.ownership == .familyShared,
        "family: the facts are not of a loss")
    case .refundRequested, .refundDeclined:
      break
    }
    give(kind.ofLine, transaction, to: account)
    guard good.entry.type == .nonConsumable else { return }
    let own = customers[Int(account)].owned.firstIndex {
      $0.originalID == transaction.originalID
    }
    if let own {
      customers[Int(account)].owned[own] = transaction
    } else {
      customers[Int(account)].owned.append(transaction)
    }
  }

  private func checkBought(
    _ kind: PurchaseKind, _ transaction: Transaction, _ good: LifeGood, _ account: AccountNumber,
    at: Instant
  ) throws(Violation) {
    try Violation.unless(
      transaction.originalID == transaction.id && transaction.purchaseDate == at
        && transaction.offer == nil,
      "purchase: the facts are not of one")
    guard kind == .purchased else {
      return try Violation.unless(
        transaction.price == 0 && transaction.ownership == .familyShared,
        "family: a member pays")
    }
    let isCounted = good.entry.type != .nonConsumable
    try Violation.unless(
      good.isOnSale && transaction.price == good.price * Int64(transaction.quantity)
        && transaction.quantity >= 1 && transaction.quantity <= (isCounted ? 10 : 1),
      "price: \(good.entry.id) was sold for \(transaction.price)")
    try Violation.unless(
      isCounted
        || !customers[Int(account)].owned.contains {
          $0.product == transaction.product && $0.revocation == nil && $0.ownership == .purchased
        },
      "purchase: of what the account has for ever")
  }
}
