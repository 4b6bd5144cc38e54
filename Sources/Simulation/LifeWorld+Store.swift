import Subscriptions

/// What is done to accounts and to the whole store.
extension LifeWorld {
  func decide(
    _ step: LifeAccountStep, _ account: Int, _ words: inout String, into events: inout [Event]
  ) throws(Rejection) {
    var name = Life.name(ofAccount: account)
    var key = Array(name.utf8)
    switch step {
    case .billing(let fails):
      guard let number = number(account) else { return }
      words = "billing \(fails ? "fail" : "ok") \(name)"
      try state.decideBilling(account: number, fails: fails, into: &events)
    case .attach(let clock):
      words = "clock attach \(name) \(Life.clockNames[clock])"
      try state.decideAttach(account: key, to: ClockNumber(clock + 1), into: &events)
    case .share(let member):
      let other = Life.name(ofAccount: member)
      if let sharer = accounts(from: account).first(where: { mayShare($0, with: other) }) {
        key = state.accounts.key(sharer)
        name = String(decoding: key, as: UTF8.self)
      }
      words = "share \(name) \(other)"
      try state.decideSharing(from: key, to: Array(other.utf8), into: &events)
    case .unshare(let member, let cause):
      let sharers = accounts(from: account).filter { !state.families.members(of: $0).isEmpty }
      if let sharer = sharers.first {
        key = state.accounts.key(sharer)
        name = String(decoding: key, as: UTF8.self)
      }
      let other = member.map { Life.name(ofAccount: $0) }
      words = "unshare \(name)" + (other.map { " \($0)" } ?? "") + " --cause \(cause)"
      try state.decideSharingEnd(
        from: key, with: other.map { Array($0.utf8) }, cause, into: &events)
    case .askToBuy(let isOn):
      words = "asktobuy \(isOn ? "on" : "off") \(name)"
      try state.decideSwitch(.askToBuy, account: key, isOn: isOn, into: &events)
    case .interrupt(let isOn):
      if !isOn, let other = accounts(from: account).first(where: isInterrupted) {
        key = state.accounts.key(other)
        name = String(decoding: key, as: UTF8.self)
      }
      words = "interrupt \(isOn ? "on" : "off") \(name)"
      try state.decideSwitch(.interrupted, account: key, isOn: isOn, into: &events)
    case .approve(let place):
      guard let id = pending(.askToBuy, account, place) else { return }
      words = "approve \(id)"
      _ = try state.decideApproval(of: id, .askToBuy, policies: policies, into: &events)
    case .declinePurchase(let place):
      guard let id = pending(.askToBuy, account, place) else { return }
      words = "decline \(id)"
      try state.decideRefusal(of: id, .askToBuy, into: &events)
    case .resolvePurchase(let place):
      guard let id = pending(.interrupted, account, place) else { return }
      words = "resolve \(id)"
      _ = try state.decideApproval(of: id, .interrupted, policies: policies, into: &events)
    case .restore:
      try decideRestore(account, &words, into: &events)
    }
  }

  private func decideRestore(
    _ account: Int, _ words: inout String, into events: inout [Event]
  ) throws(Rejection) {
    guard let number = number(account) else { return }
    words = "restore \(Life.name(ofAccount: account))"
    try state.decideRestore(number, into: &events)
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

  func decide(
    _ step: LifeStoreStep, _ words: inout String, into events: inout [Event]
  ) throws(Rejection) {
    switch step {
    case .rate(let rate):
      words = "rate \(rate?.name ?? "default")"
      try state.decideRate(rate, into: &events)
    case .billing(let fails):
      words = "billing \(fails ? "fail" : "ok") --all"
      try state.decideBillingOfAll(fails: fails, into: &events)
    case .askToBuy(let isOn):
      words = "asktobuy \(isOn ? "on" : "off")"
      try state.decideSwitch(.askToBuy, account: nil, isOn: isOn, into: &events)
    case .interrupt(let isOn):
      words = "interrupt \(isOn ? "on" : "off")"
      try state.decideSwitch(.interrupted, account: nil, isOn: isOn, into: &events)
    case .raisePrice(let product, let amount, let needsConsent):
      let product = name(product)
      let price = (state.product(id: product).map { state.products[Int($0)].entry.price } ?? 1_000)
      let raised = max(0, price + amount)
      words = "price announce \(product) \(Self.money(raised))"
      if needsConsent { words += " --consent" }
      events.append(
        try state.decidePriceIncrease(
          productID: product, price: raised, needsConsent: needsConsent))
    case .remove(let product):
      let product = name(product)
      words = "remove-from-sale \(product)"
      if let event = try state.decideRemoval(productID: product) { events.append(event) }
    case .extendAll(let product, let days, let identifier):
      let product = name(product)
      words = "extend --all \(product) \(days)d --identifier id\(identifier)"
      let event = try state.decideMassExtension(
        productID: product, days: days, reason: 0, identifier: "id\(identifier)",
        storefronts: nil)
      if let event { events.append(event) }
    case .catalogue(let day):
      words = "catalog import \(LifeScript.files[day]) --source \(Self.source)"
      let fact = try state.decideImport(
        Self.catalogues[day], source: Self.source, digest: UInt64(day + 1), isAsked: true)
      if let fact {
        events.append(Event(at: state.clocks[0].now, clock: Clock.system, fact: fact))
      }
    case .fault(let api, let error):
      words = "fault \(api.name) \(error?.name ?? "off")"
      try state.decideSimulatedError(error, of: api, into: &events)
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
