import Subscriptions

/// What is done to accounts and to the whole store.
extension LifeWorld {
  func command(
    _ step: LifeAccountStep, _ account: Int, _ words: inout String
  ) -> Command? {
    var name = Life.name(ofAccount: account)
    var key = Array(name.utf8)
    switch step {
    case .billing(let fails):
      guard let number = number(account) else { return nil }
      words = "billing \(fails ? "fail" : "ok") \(name)"
      return .setBilling(number, fails: fails)
    case .attach(let clock):
      words = "clock attach \(name) \(Life.clockNames[clock])"
      return .attach(account: key, ClockNumber(clock + 1))
    case .share(let member):
      let other = Life.name(ofAccount: member)
      if let sharer = accounts(from: account).first(where: { mayShare($0, with: other) }) {
        key = state.accounts.key(sharer)
        name = String(decoding: key, as: UTF8.self)
      }
      words = "share \(name) \(other)"
      return .share(purchaser: key, member: Array(other.utf8))
    case .unshare(let member, let cause):
      let sharers = accounts(from: account).filter { !state.families.members(of: $0).isEmpty }
      if let sharer = sharers.first {
        key = state.accounts.key(sharer)
        name = String(decoding: key, as: UTF8.self)
      }
      let other = member.map { Life.name(ofAccount: $0) }
      words = "unshare \(name)" + (other.map { " \($0)" } ?? "") + " --cause \(cause)"
      return .endSharing(purchaser: key, member: other.map { Array($0.utf8) }, cause)
    case .askToBuy(let isOn):
      words = "asktobuy \(isOn ? "on" : "off") \(name)"
      return .setSwitch(.askToBuy, account: key, isOn: isOn)
    case .interrupt(let isOn):
      if !isOn, let other = accounts(from: account).first(where: isInterrupted) {
        key = state.accounts.key(other)
        name = String(decoding: key, as: UTF8.self)
      }
      words = "interrupt \(isOn ? "on" : "off") \(name)"
      return .setSwitch(.interrupted, account: key, isOn: isOn)
    case .approve(let place):
      guard let id = pending(.askToBuy, account, place) else { return nil }
      words = "approve \(id)"
      return .completePending(id: id, .askToBuy)
    case .declinePurchase(let place):
      guard let id = pending(.askToBuy, account, place) else { return nil }
      words = "decline \(id)"
      return .declinePending(id: id, .askToBuy)
    case .resolvePurchase(let place):
      guard let id = pending(.interrupted, account, place) else { return nil }
      words = "resolve \(id)"
      return .completePending(id: id, .interrupted)
    case .restore:
      guard let number = number(account) else { return nil }
      words = "restore \(Life.name(ofAccount: account))"
      return .restore(number)
    }
  }

  /// One of the purchases that wait: for that reason and not in vain, or for any; the account's,
  /// or else anybody's.
  private func pending(_ reason: PendingReason, _ account: Int, _ place: Int) -> UInt64? {
    let number = number(account)
    let apt = state.switches.pending.filter {
      $0.reason == reason
        && (reason == .askToBuy || !state.switches.interrupted.isOn(for: $0.account))
    }
    let all = apt.isEmpty ? state.switches.pending : apt
    let own = all.filter { $0.account == number }
    let waiting = own.isEmpty ? all : own
    return waiting.isEmpty ? nil : waiting[place % waiting.count].id
  }

  private func isInterrupted(_ account: AccountNumber) -> Bool {
    state.switches.interrupted.isOn(for: account)
  }

  /// Whether an account has something to share and may do so with that one, as far as it matters
  /// for lives in which much is shared.
  private func mayShare(_ account: AccountNumber, with member: String) -> Bool {
    guard state.families.purchaser(of: account) == nil,
      state.accounts.key(account) != Array(member.utf8)
    else { return false }
    if let other = state.accounts.find(Array(member.utf8)),
      state.accounts[other].clock != state.accounts[account].clock
    {
      return false
    }
    var has = false
    state.forEachLine(of: account) { _, line in
      let entry = state.products[Int(line.transaction.product)].entry
      if line.isGranting, entry.isFamilyShareable, line.transaction.ownership == .purchased {
        has = true
      }
    }
    return has
  }

  func command(_ step: LifeStoreStep, _ words: inout String) -> Command {
    switch step {
    case .rate(let rate):
      words = "rate \(rate?.name ?? "default")"
      return .setRate(rate)
    case .billing(let fails):
      words = "billing \(fails ? "fail" : "ok") --all"
      return .setBillingOfAll(fails: fails)
    case .askToBuy(let isOn):
      words = "asktobuy \(isOn ? "on" : "off")"
      return .setSwitch(.askToBuy, account: nil, isOn: isOn)
    case .interrupt(let isOn):
      words = "interrupt \(isOn ? "on" : "off")"
      return .setSwitch(.interrupted, account: nil, isOn: isOn)
    case .raisePrice(let product, let amount, let needsConsent):
      let product = name(product)
      let price = (state.product(id: product).map { state.products[Int($0)].entry.price } ?? 1_000)
      let raised = max(0, price + amount)
      words = "price announce \(product) \(Self.money(raised))"
      if needsConsent { words += " --consent" }
      return .increasePrice(productID: product, price: raised, needsConsent: needsConsent)
    case .remove(let product):
      let product = name(product)
      words = "remove-from-sale \(product)"
      return .removeFromSale(productID: product)
    case .extendAll(let product, let days, let identifier):
      let product = name(product)
      words = "extend --all \(product) \(days)d --identifier id\(identifier)"
      return .extendAll(
        productID: product, days: days, reason: 0, identifier: "id\(identifier)",
        storefronts: nil)
    case .catalogue(let day):
      words = "catalog import \(LifeScript.files[day]) --source \(Self.source)"
      return .importCatalogue(
        Self.catalogues[day], source: Self.source, digest: UInt64(day + 1), isAsked: true)
    case .fault(let api, let error):
      words = "fault \(api.name) \(error?.name ?? "off")"
      return .setSimulatedError(api, error)
    }
  }

  private func name(_ product: LifeProduct) -> String {
    switch product {
    case .named(let id): id
    case .held(let place):
      state.lines.isEmpty
        ? "weekly"
        : state.products[Int(state.lines[place % state.lines.count].renewal.autoRenewProduct)]
          .entry.id
    }
  }

  private static func money(_ milliunits: Int64) -> String {
    let rest = String(milliunits % 1_000 + 1_000).dropFirst()
    return "\(milliunits / 1_000).\(rest)"
  }
}
