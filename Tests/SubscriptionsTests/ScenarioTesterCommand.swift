import Subscriptions

/// What a row of a scenario may also do: families, and moves between clocks.
enum ScenarioTesterCommand {
  case share(with: String)
  case unshare(with: String?, SharingEnd)
  case attach(to: String)
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

  static func attach(to clock: String, account: String = "u1") -> ScenarioCommand {
    .tester(.attach(to: clock), account: account)
  }
}

extension ScenarioWorld {
  func decide(
    _ command: ScenarioTesterCommand, account key: [UInt8], into events: inout [Event]
  ) throws(Rejection) {
    switch command {
    case .share(let member):
      try state.decideSharing(from: key, to: Array(member.utf8), into: &events)
    case .unshare(let member, let cause):
      try state.decideSharingEnd(
        from: key, with: member.map { Array($0.utf8) }, cause, into: &events)
    case .attach(let clock):
      try state.decideAttach(account: key, to: state.clock(named: clock)!, into: &events)
    }
  }
}
