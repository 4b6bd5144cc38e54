import Contract
import Subscriptions

/// The part of `org.renewd.Testing` that is about Family Sharing.
extension Engine {
  func share(_ asked: TestingInterface.Share, _ call: CallContext) throws(Refusal) -> Outcome {
    let purchaser = try Checked.account(asked.account)
    let member = try Checked.account(asked.to, "to")
    return try changeFamily(
      of: purchaser, call, .share(purchaser: purchaser, member: member))
  }

  func unshare(
    _ asked: TestingInterface.Unshare, _ call: CallContext
  ) throws(Refusal) -> Outcome {
    let purchaser = try Checked.account(asked.account)
    let member = try Checked.account(asked.to, "to")
    let cause = asked.cause.flatMap { SharingEnd(wireName: $0.rawValue) }
    return try changeFamily(
      of: purchaser, call,
      .endSharing(
        purchaser: purchaser, member: member,
        cause ?? (member == nil ? .turnedOff : .memberLeft)))
  }

  private func changeFamily(
    of purchaser: [UInt8], _ call: CallContext, _ command: Command
  ) throws(Refusal) -> Outcome {
    try change(call) { fingerprint throws(Refusal) in
      try prepare(state.accounts.find(purchaser), from: .reserve)
      let decision = try decide(command)
      // What is shared or taken back has no bound of its own.
      try claimSpace(
        Limits.commandBytesMax + decision.events.count * Limits.dueEventBytesMax,
        records: Limits.commandEventsMax + decision.events.count, from: .reserve)
      return try commit(decision, from: call, fingerprint: fingerprint)
        .change(orStanding: durable)
    }
  }
}

extension SharingEnd {
  init?(wireName: String) {
    guard let cause = Self.allCases.first(where: { "\($0)" == wireName }) else { return nil }
    self = cause
  }

  /// The cause in words.
  var phrase: String {
    switch self {
    case .turnedOff: "Family Sharing was turned off"
    case .memberLeft: "the member left the family"
    case .purchaserLeft: "the purchaser left the family"
    }
  }
}
