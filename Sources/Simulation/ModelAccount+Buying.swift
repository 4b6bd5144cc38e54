/// Buying: for the first time, again, or another plan of a group.
extension ModelAccount {
  /// What is wrong with a purchase whoever makes it.
  static func refusal(_ command: ModelCommand, rules: ModelRules) -> String? {
    guard case .buy(_, let product, let quantity, _, _, _) = command else { return nil }
    guard let ware = rules.shop[product], !rules.isWithdrawn(product) else {
      return "ProductNotFound"
    }
    let countMax: Int64 = ware.kind == .consumable || ware.kind == .nonRenewing ? 10 : 1
    return (1...countMax).contains(quantity) ? nil : "InvalidQuantity"
  }

  mutating func buy(
    _ product: String, quantity: Int64, date: Int64?, cancelled: Bool, now: Int64,
    isKnown: Bool, rules: ModelRules
  ) -> ReferenceModel.Outcome {
    guard let ware = rules.shop[product] else { return .nothing }
    if let date, date > now || (isKnown && date < lastTime) { return .refused("InvalidTime") }
    let at = date ?? now
    guard let group = ware.group else {
      let owned = purchases.contains {
        $0.product == product && $0.revoked == nil && !$0.isShared
      }
      if ware.kind == .nonConsumable, owned { return .nothing }
      purchases.append(
        ModelPeriod(
          product: product, start: at, end: nil, price: ware.price * quantity,
          quantity: quantity))
      lastTime = max(lastTime, at)
      return .done(at: at)
    }
    let mine = lines.indices.filter { lines[$0].group == group && lines[$0].source == nil }
    // A purchase is about the newest subscription that gives access, else about the newest.
    let meant = mine.last { [1, 4].contains(lines[$0].status(at: at)) } ?? mine.last
    switch meant.map({ lines[$0].status(at: at) }) {
    case 1:
      return changePlan(meant ?? 0, to: ware, at: at, now: now, rules: rules)
    case 3, 4:
      guard !fails, let line = meant else { return .refused("NotPossible") }
      let isInGrace = lines[line].status(at: at) == 4
      // The product waits for its payment; but in grace a change from it may be taken back.
      guard lines[line].last.product != product || isInGrace && lines[line].change != nil else {
        return .refused("NotPossible")
      }
      if isInGrace {
        return changePlan(line, to: ware, at: at, now: now, rules: rules)
      }
      subscribe(ware, group: group, again: nil, at: at)
    default:
      subscribe(ware, group: group, again: meant, at: at)
    }
    if date != nil, cancelled, let line = newest(in: group) {
      lines[line].setRenewal(false, rules: rules)
    }
    lastTime = max(lastTime, at)
    return .done(at: at)
  }

  private func newest(in group: String) -> Int? {
    lines.indices.filter { lines[$0].group == group && lines[$0].source == nil }.max {
      lines[$0].last.start < lines[$1].last.start
    }
  }

  /// Buying in a group whose subscription lives: at once for a higher level or for the same one
  /// and the same length, else with the next renewal. Choosing a plan turns renewal on.
  private mutating func changePlan(
    _ line: Int, to ware: Shop.Ware, at: Int64, now: Int64, rules: ModelRules
  ) -> ReferenceModel.Outcome {
    if lines[line].nextProduct == ware.id, lines[line].renews {
      // What is scheduled already is scheduled.
      return lines[line].change == nil ? .refused("AlreadySubscribed") : .nothing
    }
    if lines[line].nextProduct == ware.id, lines[line].change == nil {
      // Nothing is bought: renewal is turned on, and that is done now, whatever the date.
      lines[line].setRenewal(true, rules: rules)
      lastTime = max(lastTime, now)
      return .done(at: now)
    }
    lastTime = max(lastTime, at)
    let current = rules.shop[lines[line].last.product]
    if ware.id == current?.id {
      lines[line].plan(nil, rules: rules)
    } else if ware.level < current?.level ?? 0
      || ware.level == current?.level && ware.period == current?.period
    {
      lines[line].upgrade(to: ware, at: at)
    } else {
      lines[line].plan(ware.id, rules: rules)
    }
    return .done(at: at)
  }

  /// A new period that no renewal makes: of a subscription that is over (`again`), or a new one.
  private mutating func subscribe(
    _ ware: Shop.Ware, group: String, again: Int?, at: Int64
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
    var line = ModelLine(
      group: group, periods: again.map { lines[$0].periods } ?? [], anchor: at, sold: length,
      renewalDate: end, chainStart: at)
    line.discountsLeft = discounts
    line.discount = intro?.price ?? 0
    line.nextPrice = discounts > 0 ? line.discount : ware.price
    line.periods.append(sold)
    if let again {
      line.chainStart = chainStart(after: lines[again], at: at)
      line.extensions = lines[again].extensions
      lines[again] = line
    } else {
      lines.append(line)
    }
  }

  /// The chain of service goes on where the gap was at most sixty days (Domain.md 1.6).
  private func chainStart(after old: ModelLine, at: Int64) -> Int64 {
    let end = min(old.last.revoked ?? .max, old.last.end ?? 0)
    return at - end > 60 * ModelCalendar.dayMilliseconds ? at : old.chainStart
  }
}
