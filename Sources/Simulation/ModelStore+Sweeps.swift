/// What is done to everybody at once: prices, what is sold, mass extensions (Domain.md 1.3, E22b
/// to E24).
extension ModelStore {
  /// What is wrong with such a command, or that it does nothing; nil where it will do something.
  func obstacle(to command: ModelCommand) -> ReferenceModel.Outcome? {
    switch command {
    case .raisePrice(let product, let price, _):
      guard let ware = rules.shop[product], !rules.isWithdrawn(product) else {
        return .refused("ProductNotFound")
      }
      guard ware.kind == .subscription, price >= ware.price else {
        return .refused("InvalidParameter")
      }
    case .remove(let product):
      guard rules.shop[product] != nil else { return .refused("ProductNotFound") }
      if rules.isWithdrawn(product) { return .nothing }
    case .restock:
      if rules.withdrawn.isEmpty, rules.shop.wares == rules.catalogue { return .nothing }
    case .extendAll(let product, let days, let identifier):
      guard let ware = rules.shop[product] else { return .refused("ProductNotFound") }
      guard ware.kind == .subscription, (1...90).contains(days) else {
        return .refused("InvalidParameter")
      }
      if let known = extensions[identifier] {
        var again = ReferenceModel.Outcome.nothing
        again.counts = [known.succeeded, known.failed]
        return again
      }
    case .setSwitch(let kind, _, let isOn):
      if switches[kind] ?? false == isOn { return .nothing }
    case .setError(let api, let error):
      if errors[api] == error { return .nothing }
    case .buy, .setAutoRenew, .refund, .reverseRefund, .requestRefund, .declineRefund, .finish,
      .expire, .forceRenewal, .extend, .setBilling, .resolveBilling, .attach, .createClock,
      .advance, .reset, .share, .unshare, .answerIncrease, .makeWaiting, .declineWaiting:
      break
    }
    return nil
  }

  /// Carries one out for the accounts in `times`, which are rolled up to these, and says how many
  /// lines it moved, and how many it should have and could not.
  mutating func performOnAll(_ command: ModelCommand, times: [String: Int64]) -> [Int64] {
    changeShop(command)
    var counts: [Int64] = [0, 0]
    for name in accounts.keys.sorted() {
      guard let account = accounts[name], let now = times[name] else { continue }
      for line in account.lines.indices where account.lines[line].source == nil {
        guard let isMoved = accounts[name]?.reach(line, command, now: now, rules: rules)
        else { continue }
        counts[isMoved ? 0 : 1] += 1
        follow(name, line: line, at: now)
      }
    }
    if case .extendAll(_, _, let identifier) = command {
      extensions[identifier] = (counts[0], counts[1])
    }
    return counts
  }

  /// What is sold, and for how much, and what fails, from now on.
  mutating func changeShop(_ command: ModelCommand) {
    switch command {
    case .raisePrice(let product, let price, _):
      guard let index = rules.shop.wares.firstIndex(where: { $0.id == product }) else { return }
      rules.shop.wares[index].price = price
    case .remove(let product): rules.withdrawn.append(product)
    case .restock:
      rules.shop.wares = rules.catalogue
      rules.withdrawn = []
    case .setSwitch(let kind, _, let isOn): switches[kind] = isOn
    case .setError(let api, let error): errors[api] = error
    case .extendAll, .buy, .setAutoRenew, .refund, .reverseRefund, .requestRefund, .declineRefund,
      .finish,
      .expire, .forceRenewal, .extend, .setBilling, .resolveBilling, .attach, .createClock,
      .advance, .reset, .share, .unshare, .answerIncrease, .makeWaiting, .declineWaiting:
      break
    }
  }
}

extension ModelAccount {
  /// Whether a line is moved by a command for everybody, or should be and cannot; nil where it is
  /// not meant.
  fileprivate mutating func reach(
    _ line: Int, _ command: ModelCommand, now: Int64, rules: ModelRules
  ) -> Bool? {
    if case .raisePrice(let product, let price, let needsConsent) = command {
      guard lines[line].raise(product, to: price, needsConsent: needsConsent, now: now) else {
        return nil
      }
    } else if case .extendAll(let product, let days, _) = command {
      guard lines[line].last.product == product, [1, 3, 4].contains(lines[line].status(at: now))
      else { return nil }
      lastTime = max(lastTime, now)
      guard lines[line].canBeExtended(at: now) else { return false }
      lines[line].extend(days: days, at: now)
    } else {
      return nil
    }
    lastTime = max(lastTime, now)
    return true
  }

  /// A customer answers; silence is an answer too, given at the end of the period.
  mutating func answerIncrease(
    _ line: Int, agrees: Bool, now: Int64
  ) -> ReferenceModel.Outcome {
    guard line < lines.count else { return .refused("SubscriptionNotFound") }
    guard lines[line].source == nil, lines[line].status(at: now) == 1,
      lines[line].consent == false
    else { return .refused("NotPossible") }
    lines[line].consent = agrees ? true : nil
    if !agrees { lines[line].renews = false }
    lastTime = max(lastTime, now)
    return .done(at: now)
  }
}

extension ModelLine {
  /// A higher price reaches who is active and renews to the product for less; a pending question
  /// is asked again, and is not answered by another increase that asks nothing.
  fileprivate mutating func raise(
    _ product: String, to price: Int64, needsConsent: Bool, now: Int64
  ) -> Bool {
    guard nextProduct == product, renews, !isDiscounted, status(at: now) == 1, intent == nil
    else { return false }
    guard nextPrice < price || (consent == false && needsConsent) else { return false }
    nextPrice = price
    consent = !(needsConsent || consent == false)
    return true
  }
}
