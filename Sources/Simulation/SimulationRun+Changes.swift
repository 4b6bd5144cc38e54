/// Changes of something that an account has, by the seed.
extension SimulationRun {
  /// Another product of a group in which the account has a subscription: a change of plan, or its
  /// being taken back.
  func choosePlan(_ account: String) -> ModelCommand? {
    guard let line = model.accounts[account]?.lines.last(where: { _ in chance(1, in: 2) }) else {
      return .buy(
        account: account, product: pick(shop.wares(of: "GX")).id, quantity: 1, clock: nil,
        date: nil, cancelled: false)
    }
    let isDated = chance(1, in: 10)
    let age = Int64.random(in: 0...20, using: &random) * ModelCalendar.dayMilliseconds
    return .buy(
      account: account, product: pick(shop.wares(of: line.group)).id, quantity: 1, clock: nil,
      date: isDated ? model.now(of: account) - age : nil, cancelled: isDated && chance(1, in: 2))
  }

  /// Somebody shares with somebody else, or stops.
  func chooseSharing(_ account: String) -> ModelCommand? {
    let families = model.store.members.keys.sorted()
    guard families.isEmpty || chance(2, in: 3) else {
      let purchaser = chance(1, in: 6) ? account : pick(families)
      let member = (model.store.members[purchaser] ?? [account]).randomly(using: &random)
      return .unshare(
        account: purchaser, to: chance(2, in: 3) ? member : nil,
        cause: pick([nil, "turnedOff", "memberLeft", "purchaserLeft"]))
    }
    // Mostly by who has something to share, with somebody on the same clock.
    let able = accounts.filter { name in
      let known = model.accounts[name]
      let products =
        (known?.lines.map(\.last) ?? []) + (known?.purchases ?? [])
      return products.contains { shop[$0.product]?.isShareable == true && !$0.isShared }
    }
    guard let purchaser = able.randomly(using: &random), chance(7, in: 8) else {
      return chance(1, in: 3)
        ? .share(account: account, to: pick(accounts))
        : .buy(
          account: account,
          product: pick(shop.wares.filter(\.isShareable)).id, quantity: 1, clock: nil, date: nil,
          cancelled: false)
    }
    return .share(account: purchaser, to: pick(accounts))
  }

  /// A switch that makes purchases wait or fail, or the end of a purchase's waiting.
  func chooseWaiting(_ account: String) -> ModelCommand {
    let isOn = chance(1, in: 3)
    switch Int.random(in: 0..<10, using: &random) {
    case 0:
      return .setError(
        api: pick(["purchase", "manageSubscriptions", "refundRequest"]),
        error: isOn && chance(1, in: 2) ? "networkError" : nil)
    case 1:
      return .setSwitch(
        pick([.askToBuy, .interrupted]), account: nil, isOn: isOn && chance(1, in: 2))
    case 2..<5: return .setSwitch(pick([.askToBuy, .interrupted]), account: account, isOn: isOn)
    default: break
    }
    let able = model.accounts.keys.sorted().filter { model.accounts[$0]?.waiting != [] }
    guard let name = able.randomly(using: &random) else {
      return .setSwitch(.askToBuy, account: account, isOn: chance(1, in: 2))
    }
    let ids = waitingIDs(of: name)
    guard let index = Array(ids.indices).randomly(using: &random) else {
      return .setSwitch(.interrupted, account: name, isOn: false)
    }
    guard let put = model.accounts[name]?.waiting[index] else {
      return .setSwitch(.interrupted, account: name, isOn: false)
    }
    let number = put.number
    let interrupted = ModelSwitch.interrupted
    if put.reason == interrupted {
      // First what interrupts it must end, of the account or of all.
      let own = model.accounts[name]?.switches[interrupted]
      if own ?? model.store.switches[interrupted] ?? false, chance(7, in: 8) {
        return .setSwitch(interrupted, account: name, isOn: false)
      }
    }
    switch Int.random(in: 0..<8, using: &random) {
    case 0: return .makeWaiting(.askToBuy, account: name, id: ids[index], number: number)
    case 1, 2: return .declineWaiting(account: name, id: ids[index], number: number)
    default: return .makeWaiting(put.reason, account: name, id: ids[index], number: number)
    }
  }

  /// Something for everybody who has a product.
  func chooseForAll() -> ModelCommand {
    let sold = model.accounts.keys.sorted().flatMap { name in
      model.accounts[name]?.lines.map(\.nextProduct) ?? []
    }
    let product =
      chance(1, in: 8) ? pick(shop.wares).id : sold.randomly(using: &random) ?? "monthly"
    let withdrawn = model.store.rules.withdrawn
    switch Int.random(in: 0..<16, using: &random) {
    case 0..<8:
      let price = model.store.rules.shop[product]?.price ?? 0
      let increase = chance(1, in: 8) ? pick([-10, 0]) : pick([10, 500, 2_000]) as Int64
      return .raisePrice(product: product, price: price + increase, consent: chance(1, in: 2))
    case 8 where withdrawn.isEmpty: return .remove(product: product)
    case 8..<11 where !withdrawn.isEmpty:
      return chance(1, in: 4) ? .remove(product: product) : .restock
    case 11: return chance(1, in: 4) ? .restock : .remove(product: "nothing")
    default:
      let known = model.store.extensions.keys.sorted()
      return .extendAll(
        product: product,
        days: chance(1, in: 12) ? 91 : Int64.random(in: 1...90, using: &random),
        identifier: chance(1, in: 6)
          ? known.randomly(using: &random) ?? "first" : "extension \(requestCount)")
    }
  }

  func chooseChange(_ account: String) -> ModelCommand? {
    guard let known = model.accounts[account] else { return nil }
    if chance(1, in: 8) { return .setBilling(account: account, fails: chance(1, in: 2)) }
    let ids = transactionIDs(of: account)
    let isPurchase = known.lines.isEmpty || (!known.purchases.isEmpty && chance(1, in: 4))
    guard !isPurchase else {
      return ids.purchases.isEmpty
        ? nil : chooseTransaction(account, line: nil, of: ids.purchases)
    }
    // Mostly one in trouble: it matters most.
    let inTrouble = known.lines.indices.filter { known.lines[$0].trouble != nil }
    let line =
      inTrouble.isEmpty || chance(1, in: 3)
      ? Int.random(in: 0..<known.lines.count, using: &random) : pick(inTrouble)
    guard line < ids.lines.count, let original = ids.lines[line].first else { return nil }
    if chance(1, in: known.lines[line].consent == false ? 3 : 24) {
      return .answerIncrease(
        account: account, line: line, originalID: original, agrees: chance(1, in: 2))
    }
    let isTroubled = known.lines[line].trouble != nil
    switch Int.random(in: 0..<10, using: &random) {
    case 0..<2:
      return .setAutoRenew(
        account: account, line: line, originalID: original, enabled: chance(1, in: 3))
    case 2: return .expire(account: account, line: line, originalID: original)
    case 3: return .forceRenewal(account: account, line: line, originalID: original)
    case 9:
      return .extend(
        account: account, line: line, originalID: original,
        days: chance(1, in: 8) ? pick([0, 91]) : Int64.random(in: 1...90, using: &random))
    case 4 where isTroubled || chance(1, in: 3), 5..<7 where isTroubled:
      return .resolveBilling(account: account, line: line, originalID: original)
    default: return chooseTransaction(account, line: line, of: ids.lines[line])
    }
  }

  private func chooseTransaction(
    _ account: String, line: Int?, of all: [String]
  ) -> ModelCommand {
    // Mostly the newest: it matters most.
    let index = chance(1, in: 2) ? all.count - 1 : Int.random(in: 0..<all.count, using: &random)
    let id = all[index]
    switch Int.random(in: 0..<6, using: &random) {
    case 4: return .requestRefund(account: account, id: id, line: line, index: index)
    case 5: return .declineRefund(account: account, id: id, line: line, index: index)
    case 0: return .finish(account: account, id: id, line: line, index: index)
    case 1, 2:
      let percentage = chance(1, in: 3) ? Int64.random(in: 1...100, using: &random) : nil
      return .refund(
        account: account, id: id, line: line, index: index, percentage: percentage)
    default: return .reverseRefund(account: account, id: id, line: line, index: index)
    }
  }
}
