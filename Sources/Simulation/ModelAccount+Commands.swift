/// What each command does to an account of the model, and when it is refused.
extension ModelAccount {
  /// Carries a command out at `now`. The account has done what was due by then.
  mutating func perform(
    _ command: ModelCommand, now: Int64, isKnown: Bool, shop: Shop
  ) -> ReferenceModel.Outcome {
    switch command {
    case .buy(_, let product, let quantity, _, let date, let cancelled):
      return buy(
        product, quantity: quantity, date: date, cancelled: cancelled, now: now,
        isKnown: isKnown, shop: shop)
    case .setAutoRenew(_, let group, _, let enabled):
      guard let index = line(group) else { return .refused("SubscriptionNotFound") }
      guard lines[index].status(at: now) == 1 else { return .refused("NotPossible") }
      guard lines[index].renews != enabled else { return .nothing }
      lines[index].renews = enabled
    case .expire(_, let group, _):
      guard let index = line(group) else { return .refused("SubscriptionNotFound") }
      guard lines[index].status(at: now) == 1 else { return .refused("NotPossible") }
      lines[index].periods[lines[index].periods.count - 1].end = now
      lines[index].renews = false
      lines[index].intent = 1
      lines[index].renewalDate = now
    case .forceRenewal(_, let group, _):
      guard let index = line(group) else { return .refused("SubscriptionNotFound") }
      guard lines[index].status(at: now) == 1, let ware = shop[lines[index].last.product]
      else { return .refused("NotPossible") }
      lines[index].forceRenewal(ware, length: ModelLength(ware.period ?? ""), at: now)
    case .finish(_, _, let group, let index):
      guard let period = period(group, index) else { return .refused("TransactionNotFound") }
      guard !period.isFinished else { return .nothing }
      change(group, index) { $0.isFinished = true }
    case .refund(_, _, let group, let index, _):
      guard let period = period(group, index) else { return .refused("TransactionNotFound") }
      guard period.revoked == nil else { return .refused("NotPossible") }
      change(group, index) { $0.revoked = now }
    case .reverseRefund(_, _, let group, let index):
      return reverse(group, index, now: now)
    case .attach, .createClock, .advance, .reset: return .nothing
    }
    lastTime = max(lastTime, now)
    return .done(at: now)
  }

  private func period(_ group: String?, _ index: Int) -> ModelPeriod? {
    let all = group == nil ? purchases : line(group).map { lines[$0].periods } ?? []
    return index < all.count ? all[index] : nil
  }

  private mutating func change(
    _ group: String?, _ index: Int, _ body: (inout ModelPeriod) -> Void
  ) {
    if group == nil {
      body(&purchases[index])
    } else if let line = line(group) {
      body(&lines[line].periods[index])
    }
  }

  private mutating func reverse(
    _ group: String?, _ index: Int, now: Int64
  ) -> ReferenceModel.Outcome {
    guard let period = period(group, index) else { return .refused("TransactionNotFound") }
    guard period.revoked != nil else { return .refused("NotPossible") }
    change(group, index) { $0.revoked = nil }
    lastTime = max(lastTime, now)
    guard let number = line(group), index == lines[number].periods.count - 1,
      let end = period.end, end <= now, lines[number].intent == nil
    else { return .done(at: now) }
    // The period is over meanwhile: nothing renews that was refunded when it should have.
    lines[number].intent = lines[number].renews ? 5 : 1
    lines[number].renews = false
    return .done(at: now)
  }

  // MARK: Buying

  /// What is wrong with a purchase whoever makes it.
  static func refusal(_ product: String, quantity: Int64, shop: Shop) -> String? {
    guard let ware = shop[product] else { return "ProductNotFound" }
    let countMax: Int64 = ware.kind == .consumable || ware.kind == .nonRenewing ? 10 : 1
    return (1...countMax).contains(quantity) ? nil : "InvalidQuantity"
  }

  private mutating func buy(
    _ product: String, quantity: Int64, date: Int64?, cancelled: Bool, now: Int64,
    isKnown: Bool, shop: Shop
  ) -> ReferenceModel.Outcome {
    if let error = Self.refusal(product, quantity: quantity, shop: shop) {
      return .refused(error)
    }
    guard let ware = shop[product] else { return .nothing }
    if let date, date > now || (isKnown && date < lastTime) { return .refused("InvalidTime") }
    let at = date ?? now
    guard let group = ware.group else {
      let owned = purchases.contains { $0.product == product && $0.revoked == nil }
      if ware.kind == .nonConsumable, owned { return .nothing }
      purchases.append(
        ModelPeriod(
          product: product, start: at, end: nil, price: ware.price * quantity,
          quantity: quantity))
      lastTime = max(lastTime, at)
      return .done(at: at)
    }
    if let index = line(group), lines[index].status(at: at) == 1 {
      guard lines[index].last.product == product else { return .refused("NotPossible") }
      guard !lines[index].renews else { return .refused("AlreadySubscribed") }
      lines[index].renews = true
      lastTime = max(lastTime, now)
      return .done(at: now)
    }
    subscribe(ware, group: group, at: at, renews: !(date != nil && cancelled))
    lastTime = max(lastTime, at)
    return .done(at: at)
  }

  private mutating func subscribe(
    _ ware: Shop.Ware, group: String, at: Int64, renews: Bool
  ) {
    var length = ModelLength(ware.period ?? "")
    var sold = ModelPeriod(product: ware.id, start: at, end: nil, price: ware.price)
    var discounts: Int64 = 0
    let intro = introductions.contains(group) ? nil : ware.intro
    if let intro {
      introductions.append(group)
      sold.price = intro.price
      switch intro.mode {
      case "free":
        sold.offer = "FREE_TRIAL"
        length = ModelLength(intro.period)
      case "payUpFront":
        sold.offer = "PAY_UP_FRONT"
        length = ModelLength(intro.period)
      default:
        sold.offer = "PAY_AS_YOU_GO"
        discounts = intro.count - 1
      }
    }
    let end = length.after(at)
    sold.end = end
    let old = line(group)
    var line = ModelLine(
      group: group, periods: old.map { lines[$0].periods } ?? [], anchor: at, sold: length,
      renewalDate: end, chainStart: at)
    line.renews = renews
    line.discountsLeft = discounts
    line.discount = intro?.price ?? 0
    if let old { line.chainStart = chainStart(after: lines[old], at: at) }
    line.periods.append(sold)
    if let old { lines[old] = line } else { lines.append(line) }
  }

  /// The chain of service goes on where the gap was at most sixty days (domain.md 1.6).
  private func chainStart(after old: ModelLine, at: Int64) -> Int64 {
    let end = min(old.last.revoked ?? .max, old.last.end ?? 0)
    return at - end > 60 * ModelCalendar.dayMilliseconds ? at : old.chainStart
  }
}
