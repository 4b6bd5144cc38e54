import Subscriptions

/// Repeated requests: the same id with the same parameters gets the first answer again, rebuilt
/// from its event.
extension Engine {
  /// What a call's request id says.
  enum Repeated {
    /// The call is new; its fingerprint goes into its event.
    case new(fingerprint: UInt64)
    /// An event answered it already: that one first, and those after it.
    case replay([StoredEvent])
    /// The log is being asked.
    case waiting
  }

  func repeated(_ call: CallContext) throws(Refusal) -> Repeated {
    guard let requestID = try call.parameters.requestID() else { return .new(fingerprint: 0) }
    let fingerprint = call.parameters.fingerprint(method: call.method)
    let uid = call.session.peer.uid
    let hash = RequestTable.hash(uid: uid, requestID: requestID)
    guard let sequence = requests[hash] else { return .new(fingerprint: fingerprint) }
    guard let events = call.gathered.replay, events.first?.sequence == sequence else {
      var gathered = call.gathered
      gathered.wish = .replay
      suspend(
        call, gathered, .records(from: sequence, last: sequence, countMax: 1), after: sequence)
      return .waiting
    }
    guard let caller = events[0].event.caller, caller.uid == uid, caller.requestID == requestID
    else { return .new(fingerprint: fingerprint) }
    guard caller.fingerprint == fingerprint else { throw .requestIDReused }
    return .replay(events)
  }

  /// Carries the rules' refusals into the calls'.
  func decided<Value>(
    _ decide: () throws(Rejection) -> Value
  ) throws(Refusal) -> Value {
    do throws(Rejection) {
      return try decide()
    } catch {
      throw .rule(error)
    }
  }
}
