/// What each command does to an account of the model, and when it is refused.
extension ModelAccount {
  /// Carries a command out at `now`. The account has done what was due by then.
  mutating func perform(
    _ command: ModelCommand, now: Int64, isKnown: Bool, rules: ModelRules
  ) -> ReferenceModel.Outcome {
    if let error = Self.refusal(command, rules: rules) ?? hindrance(of: command) {
      return .refused(error)
    }
    switch command {
    case .buy(_, let product, let quantity, _, let date, let cancelled):
      return buy(
        product, quantity: quantity, date: date, cancelled: cancelled, now: now,
        isKnown: isKnown, rules: rules)
    case .setAutoRenew(_, let line, _, let enabled):
      return setAutoRenew(line, enabled: enabled, now: now, rules: rules)
    case .answerIncrease(_, let line, _, let agrees):
      return answerIncrease(line, agrees: agrees, now: now)
    case .expire(_, let line, _):
      guard line < lines.count else { return .refused("SubscriptionNotFound") }
      let status = lines[line].status(at: now)
      guard [1, 3, 4].contains(status) else { return .refused("NotPossible") }
      lines[line].end(at: now, intent: status == 1 ? 1 : 2)
    case .forceRenewal(_, let line, _):
      guard line < lines.count else { return .refused("SubscriptionNotFound") }
      let status = lines[line].status(at: now)
      guard [1, 3, 4].contains(status), !rules.isWithdrawn(lines[line].nextProduct) else {
        return .refused("NotPossible")
      }
      if status == 1 { lines[line].periods[lines[line].periods.count - 1].end = now }
      if !lines[line].renews { lines[line].setRenewal(true, rules: rules) }
      lines[line].renewAnew(at: now, rules: rules)
    case .extend(_, let line, _, let days):
      guard line < lines.count else { return .refused("SubscriptionNotFound") }
      guard (1...90).contains(days) else { return .refused("InvalidParameter") }
      guard lines[line].canBeExtended(at: now) else { return .refused("NotPossible") }
      lines[line].extend(days: days, at: now)
    case .setBilling(_, let isFailing):
      guard isKnown else { return .refused("SubscriptionNotFound") }
      guard fails != isFailing else { return .nothing }
      fails = isFailing
      for line in lines.indices where lines[line].source == nil {
        lines[line].setBilling(fails: isFailing, at: now)
      }
    case .resolveBilling(_, let line, _):
      return resolveBilling(line, now: now, rules: rules)
    case .finish(_, _, let line, let index):
      guard let period = period(line, index) else { return .refused("TransactionNotFound") }
      guard !period.isFinished else { return .nothing }
      change(line, index) { $0.isFinished = true }
    case .refund(_, _, let line, let index, _):
      guard let period = period(line, index) else { return .refused("TransactionNotFound") }
      guard period.revoked == nil else { return .refused("NotPossible") }
      change(line, index) {
        $0.revoked = now
        $0.isRefundAsked = false
      }
    case .requestRefund(_, _, let line, let index):
      return requestRefund(line, index, now: now, rules: rules)
    case .declineRefund(_, _, let line, let index):
      guard let period = period(line, index) else { return .refused("TransactionNotFound") }
      guard period.isRefundAsked else { return .refused("NotPossible") }
      change(line, index) { $0.isRefundAsked = false }
    case .reverseRefund(_, _, let line, let index):
      return reverse(line, index, now: now)
    case .attach, .createClock, .advance, .reset, .share, .unshare, .raisePrice, .remove,
      .restock, .extendAll, .setError, .makeWaiting:
      return .nothing
    case .setSwitch(let kind, _, let isOn):
      guard switches[kind] != isOn else { return .nothing }
      switches[kind] = isOn
    case .declineWaiting(_, _, let number):
      guard let index = indexOfWaiting(number, .askToBuy) else {
        return .refused("TransactionNotFound")
      }
      waiting.remove(at: index)
    }
    lastTime = max(lastTime, now)
    return .done(at: now)
  }

  /// What a family member has is the purchaser's to change.
  private func hindrance(of command: ModelCommand) -> String? {
    switch command {
    case .setAutoRenew(_, let line, _, _), .expire(_, let line, _), .forceRenewal(_, let line, _),
      .resolveBilling(_, let line, _), .answerIncrease(_, let line, _, _):
      guard line < lines.count, lines[line].source != nil else { return nil }
    case .extend(_, let line, _, let days):
      guard line < lines.count, lines[line].source != nil else { return nil }
      guard (1...90).contains(days) else { return "InvalidParameter" }
    case .refund(_, _, let line, let index, _), .requestRefund(_, _, let line, let index),
      .reverseRefund(_, _, let line, let index):
      guard period(line, index)?.isShared == true else { return nil }
    case .buy, .declineRefund, .finish, .setBilling, .setSwitch, .attach, .createClock, .advance,
      .reset, .share, .unshare, .raisePrice, .remove, .restock, .extendAll, .setError,
      .makeWaiting, .declineWaiting:
      return nil
    }
    return "NotPossible"
  }

  /// A cancellation in grace or retry ends the subscription at once.
  private mutating func setAutoRenew(
    _ line: Int, enabled: Bool, now: Int64, rules: ModelRules
  ) -> ReferenceModel.Outcome {
    guard line < lines.count else { return .refused("SubscriptionNotFound") }
    let status = lines[line].status(at: now)
    guard [1, 3, 4].contains(status) else { return .refused("NotPossible") }
    guard lines[line].renews != enabled else { return .nothing }
    if status == 1 {
      lines[line].setRenewal(enabled, rules: rules)
    } else {
      lines[line].end(at: now, intent: 2)
    }
    lastTime = max(lastTime, now)
    return .done(at: now)
  }

  /// Within the grace period the cycle is kept, after it a new one begins.
  private mutating func resolveBilling(
    _ line: Int, now: Int64, rules: ModelRules
  ) -> ReferenceModel.Outcome {
    guard line < lines.count else { return .refused("SubscriptionNotFound") }
    switch lines[line].status(at: now) {
    case 4:
      lines[line].recover(at: now, rules: rules)
    case 3: lines[line].renewAnew(at: now, rules: rules)
    default: return .refused("NotPossible")
    }
    fails = false
    // What else the account owes can be paid again too.
    for line in lines.indices where lines[line].source == nil {
      lines[line].setBilling(fails: false, at: now)
    }
    lastTime = max(lastTime, now)
    return .done(at: now)
  }

  // MARK: Transactions

  private func period(_ line: Int?, _ index: Int) -> ModelPeriod? {
    let all = line.map { $0 < lines.count ? lines[$0].periods : [] } ?? purchases
    return index < all.count ? all[index] : nil
  }

  private mutating func change(
    _ line: Int?, _ index: Int, _ body: (inout ModelPeriod) -> Void
  ) {
    if let line { body(&lines[line].periods[index]) } else { body(&purchases[index]) }
  }

  /// Asking turns a subscription's renewal off.
  private mutating func requestRefund(
    _ line: Int?, _ index: Int, now: Int64, rules: ModelRules
  ) -> ReferenceModel.Outcome {
    guard let period = period(line, index) else { return .refused("TransactionNotFound") }
    guard period.revoked == nil, !period.isRefundAsked else { return .refused("NotPossible") }
    change(line, index) { $0.isRefundAsked = true }
    if let line, lines[line].renews {
      _ = setAutoRenew(line, enabled: false, now: now, rules: rules)
    }
    lastTime = max(lastTime, now)
    return .done(at: now)
  }

  private mutating func reverse(
    _ line: Int?, _ index: Int, now: Int64
  ) -> ReferenceModel.Outcome {
    guard let period = period(line, index) else { return .refused("TransactionNotFound") }
    guard period.revoked != nil else { return .refused("NotPossible") }
    change(line, index) { $0.revoked = nil }
    lastTime = max(lastTime, now)
    guard let line, index == lines[line].periods.count - 1, let end = period.end, end <= now,
      lines[line].intent == nil || lines[line].trouble != nil
    else { return .done(at: now) }
    // The period is over meanwhile: nothing renews that was refunded when it should have, and
    // nothing is owed any more.
    lines[line].end(at: now, intent: lines[line].intent ?? (lines[line].renews ? 5 : 1))
    return .done(at: now)
  }
}
