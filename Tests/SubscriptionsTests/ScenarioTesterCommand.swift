import Subscriptions

/// What a row of a scenario may also do: families, and moves between clocks.
enum ScenarioTesterCommand {
  case share(with: String)
  case unshare(with: String?, SharingEnd)
  case attach(to: String)
  /// For one account, or for all where the command names none.
  case switched(TesterSwitch, Bool)
  /// Ends the wait of the purchase with that number among the ids.
  case approve(Int, PendingReason)
  case refuse(Int)
  case failAll(Bool)
  case restore
}

extension ScenarioCommand {
  /// Family Sharing begins.
  static func share(with member: String, account: String = "u1") -> ScenarioCommand {
    .tester(.share(with: member), account: account)
  }

  /// It ends: with one member, or with all.
  static func unshare(
    with member: String? = nil, _ cause: SharingEnd = .memberLeft, account: String = "u1"
  ) -> ScenarioCommand {
    .tester(.unshare(with: member, cause), account: account)
  }

  static func askToBuy(_ isOn: Bool, account: String = "u1") -> ScenarioCommand {
    .tester(.switched(.askToBuy, isOn), account: account)
  }

  static func interrupt(_ isOn: Bool, account: String = "u1") -> ScenarioCommand {
    .tester(.switched(.interrupted, isOn), account: account)
  }

  static func approve(_ number: Int, _ reason: PendingReason = .askToBuy) -> ScenarioCommand {
    .tester(.approve(number, reason), account: "u1")
  }

  static func refuse(_ number: Int) -> ScenarioCommand {
    .tester(.refuse(number), account: "u1")
  }

  static func failAll(_ fails: Bool) -> ScenarioCommand {
    .tester(.failAll(fails), account: "")
  }

  static func restore(account: String = "u1") -> ScenarioCommand {
    .tester(.restore, account: account)
  }

  static func attach(to clock: String, account: String = "u1") -> ScenarioCommand {
    .tester(.attach(to: clock), account: account)
  }
}

extension ScenarioWorld {
  func command(_ command: ScenarioTesterCommand, of key: [UInt8]) -> Command {
    switch command {
    case .share(let member):
      .share(purchaser: key, member: Array(member.utf8))
    case .unshare(let member, let cause):
      .endSharing(purchaser: key, member: member.map { Array($0.utf8) }, cause)
    case .switched(let kind, let isOn):
      .setSwitch(kind, account: key.isEmpty ? nil : key, isOn: isOn)
    case .approve(let number, let reason):
      .completePending(id: Limits.firstTransactionID + UInt64(number) - 1, reason)
    case .refuse(let number):
      .declinePending(id: Limits.firstTransactionID + UInt64(number) - 1, .askToBuy)
    case .restore:
      .restore(account(key))
    case .failAll(let fails):
      .setBillingOfAll(fails: fails)
    case .attach(let clock):
      .attach(account: key, state.clock(named: clock)!)
    }
  }
}
