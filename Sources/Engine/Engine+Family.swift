import Subscriptions

/// The part of `org.renewd.Testing` that is about Family Sharing.
extension Engine {
  func share(_ call: CallContext) throws(Refusal) -> Outcome {
    let purchaser = try call.parameters.requiredAccount()
    let member = try call.parameters.requiredAccount("to")
    return try changeFamily(of: purchaser, call) { (events) throws(Rejection) in
      try self.state.decideSharing(from: purchaser, to: member, into: &events)
    }
  }

  func unshare(_ call: CallContext) throws(Refusal) -> Outcome {
    let purchaser = try call.parameters.requiredAccount()
    let member = try call.parameters.account("to")
    let cause = call.parameters.text("cause").flatMap { SharingEnd(wireName: $0) }
    return try changeFamily(of: purchaser, call) { (events) throws(Rejection) in
      try self.state.decideSharingEnd(
        from: purchaser, with: member, cause ?? (member == nil ? .turnedOff : .memberLeft),
        into: &events)
    }
  }

  private func changeFamily(
    of purchaser: [UInt8], _ call: CallContext,
    decide: (inout [Event]) throws(Rejection) -> Void
  ) throws(Refusal) -> Outcome {
    switch try repeated(call) {
    case .waiting:
      return .waiting
    case .replay(let events):
      answerSequence(call.session, events[0].sequence)
      return .answered
    case .new(let fingerprint):
      try prepare(state.accounts.find(purchaser), from: .reserve)
      scratchEvents.removeAll(keepingCapacity: true)
      try decided { () throws(Rejection) in try decide(&scratchEvents) }
      let events = scratchEvents
      // What is shared or taken back has no bound of its own.
      try claimSpace(
        Limits.commandBytesMax + events.count * Limits.dueEventBytesMax,
        records: Limits.commandEventsMax + events.count, from: .reserve)
      let main = events.firstIndex { $0.fact.kind != .account(.accountOpened) } ?? 0
      let last = try commit(events, from: call, main: main, fingerprint: fingerprint)
      // The event that a repeated request will be answered from.
      answerSequence(call.session, last - UInt64(events.count - 1 - main), after: last)
      return .answered
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
