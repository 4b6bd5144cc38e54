/// What a tester can switch for one account or for all (Domain.md 1.9).
public enum ModelSwitch: String, Sendable {
  case askToBuy
  case interrupted
}

/// A purchase that waits: nothing is charged yet.
struct ModelWaiting: Equatable {
  /// Counts all that ever waited of the account.
  var number: Int
  var product: String
  var quantity: Int64
  var reason: ModelSwitch
}

/// Purchases that wait for approval or for what interrupted them, and errors on purpose.
extension ModelStore {
  /// Whether a command stands for a part of StoreKit that is made to fail (Domain.md 6.1).
  func fails(_ command: ModelCommand) -> Bool {
    if case .buy = command { return errors["purchase"] != nil }
    if case .setAutoRenew = command { return errors["manageSubscriptions"] != nil }
    if case .requestRefund = command { return errors["refundRequest"] != nil }
    return false
  }

  private func isOn(_ kind: ModelSwitch, for account: ModelAccount) -> Bool {
    account.switches[kind] ?? switches[kind] ?? false
  }

  /// Carries a command out on one account, whose purchases may have to wait.
  func perform(
    _ command: ModelCommand, on account: inout ModelAccount, now: Int64, isKnown: Bool
  ) -> ReferenceModel.Outcome {
    if case .buy(_, let product, let quantity, _, let date, _) = command {
      let before = account
      let outcome = account.perform(command, now: now, isKnown: isKnown, rules: rules)
      guard outcome.at != nil, account.boughtCount > before.boughtCount,
        let reason = [ModelSwitch.interrupted, .askToBuy].first(where: {
          isOn($0, for: before)
        })
      else { return outcome }
      // Only what is charged at once waits, and it waits from now on.
      account = before
      guard date == nil else { return .refused("InvalidParameter") }
      account.waiting.append(
        ModelWaiting(
          number: account.waitedCount, product: product, quantity: quantity, reason: reason))
      account.waitedCount += 1
      account.lastTime = max(account.lastTime, now)
      var put = ReferenceModel.Outcome.done(at: now)
      put.isWaiting = true
      return put
    }
    if case .makeWaiting(let reason, let name, _, let number) = command {
      guard let index = account.indexOfWaiting(number, reason) else {
        return .refused("TransactionNotFound")
      }
      if reason == .interrupted, isOn(.interrupted, for: account) {
        return .refused("NotPossible")
      }
      let put = account.waiting[index]
      let outcome = account.perform(
        .buy(
          account: name, product: put.product, quantity: put.quantity, clock: nil, date: nil,
          cancelled: false),
        now: now, isKnown: isKnown, rules: rules)
      guard outcome.error == nil else { return outcome }
      // What the account has by now cannot be bought any more.
      guard outcome.at != nil else { return .refused("NotPossible") }
      account.waiting.remove(at: index)
      return outcome
    }
    return account.perform(command, now: now, isKnown: isKnown, rules: rules)
  }
}

extension ModelAccount {
  /// Where a purchase that waits stands; nil where it does not wait, or for something else.
  func indexOfWaiting(_ number: Int, _ reason: ModelSwitch) -> Int? {
    waiting.firstIndex { $0.number == number && $0.reason == reason }
  }

  /// How much it has been charged for.
  fileprivate var boughtCount: Int {
    lines.reduce(purchases.count) { $0 + $1.periods.count }
  }
}
