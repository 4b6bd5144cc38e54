/// The records of a tester's switches, of purchases that wait and of families.
extension EventFormat {
  static func switchFact(
    _ kind: EventKind, at: Instant, from reader: inout ByteReader, base: Base
  ) -> Fact? {
    if kind == .purchasePending {
      return pendingPurchase(at: at, from: &reader, base: base).map { .purchasePending($0) }
    }
    if kind == .simulatedErrorChanged {
      guard let api = reader.value(SimulatedAPI.self), let isSet = flag(from: &reader) else {
        return nil
      }
      return .simulatedErrorChanged(api, isSet ? reader.value(SimulatedError.self) : nil)
    }
    if kind == .rateChanged {
      guard let isSet = flag(from: &reader) else { return nil }
      return .rateChanged(isSet ? reader.value(RenewalRate.self) : nil)
    }
    let account = reader.varint32()
    if kind == .sharingStarted {
      return .sharingStarted(purchaser: account, member: reader.varint32())
    }
    if kind == .sharingEnded {
      let member = reader.varint32()
      guard let cause = reader.value(SharingEnd.self) else { return nil }
      return .sharingEnded(purchaser: account, member: member, cause: cause)
    }
    if kind == .pendingEnded {
      let id = base.transactionID &+ UInt64(bitPattern: reader.zigzag())
      guard let end = reader.value(PendingEnd.self) else { return nil }
      return .pendingEnded(account: account, id: id, end: end)
    }
    guard let isOn = flag(from: &reader) else { return nil }
    guard kind != .billingChanged else { return .billingChanged(account: account, fails: isOn) }
    return .switched(
      kind == .askToBuyChanged ? .askToBuy : .interrupted, account: account, isOn: isOn)
  }

  static func encodeSwitch(
    _ fact: borrowing Fact, into writer: inout ByteWriter, base: Base
  ) {
    switch copy fact {
    case .billingChanged(let account, let isOn), .switched(_, let account, let isOn):
      writer.varint(account)
      writer.byte(isOn ? 1 : 0)
    case .rateChanged(let rate):
      writer.byte(rate == nil ? 0 : 1)
      if let rate { writer.byte(rate.rawValue) }
    case .purchasePending(let purchase):
      encode(purchase, into: &writer, base: base)
    case .pendingEnded(let account, let id, let end):
      writer.varint(account)
      writer.zigzag(Int64(bitPattern: id &- base.transactionID))
      writer.byte(end.rawValue)
    case .simulatedErrorChanged(let api, let error):
      writer.byte(api.rawValue)
      writer.byte(error == nil ? 0 : 1)
      if let error { writer.byte(error.rawValue) }
    case .sharingStarted(let purchaser, let member):
      writer.varint(purchaser)
      writer.varint(member)
    case .sharingEnded(let purchaser, let member, let cause):
      writer.varint(purchaser)
      writer.varint(member)
      writer.byte(cause.rawValue)
    default:
      preconditionFailure("encoded by the caller")
    }
  }

  /// A byte that is 0 or 1; nil where it is neither.
  private static func flag(from reader: inout ByteReader) -> Bool? {
    let byte = reader.byte()
    return byte <= 1 ? byte == 1 : nil
  }
}
