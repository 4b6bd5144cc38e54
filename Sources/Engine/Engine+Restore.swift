import Contract
import JSON
import Subscriptions
import Varlink

/// `Store.Restore`: what an account has, once more, under new transaction ids.
extension Engine {
  func restore(_ asked: StoreInterface.Restore, _ call: CallContext) throws(Refusal) -> Outcome {
    let key = try Checked.account(asked.account)
    switch try repeated(call) {
    case .waiting:
      return .waiting
    case .replay(let events):
      return replayRestore(call, events[0])
    case .new(let fingerprint):
      guard let account = state.accounts.find(key) else {
        answerRestored(call, [], of: noNumber, sequence: durable)
        return .answered
      }
      try prepare(account, from: .ordinary)
      let decision = try restored(account, call)
      let count = decision.events.count
      try claimSpace(
        Limits.commandBytesMax + count * Limits.dueEventBytesMax,
        records: Limits.commandEventsMax + count, from: .ordinary)
      let done = try commit(decision, from: call, fingerprint: fingerprint)
      answerRestored(
        call, done.events, of: account, sequence: count == 0 ? sequence(of: account) : done.last)
      return .answered
    }
  }

  /// Decides a restore whose answer fits a reply.
  private func restored(
    _ account: AccountNumber, _ call: CallContext
  ) throws(Refusal) -> Decision {
    let decision = try decide(.restore(account))
    let isSigned = call.parameters.asksForSignedForms
    let most = isSigned ? Limits.signedTransactionsPerPage : Limits.transactionsPerPage
    guard decision.events.count <= most else {
      throw .limit("more than \(most) transactions are to be restored")
    }
    return decision
  }

  /// The request's own events are the first one and those right behind it, up to where one would
  /// be restored again: that is another request's.
  private func replayRestore(_ call: CallContext, _ first: StoredEvent) -> Outcome {
    let account = first.event.fact.account
    guard current(call.gathered, of: account) != nil else {
      return gatherHistory(of: account, for: call)
    }
    var events: [Event] = []
    var sold: Set<UInt64> = []
    var last = first.sequence - 1
    for stored in call.gathered.events where stored.sequence > last {
      guard stored.sequence == last + 1, let found = stored.event.fact.restored,
        sold.insert(found.transaction.soldID).inserted
      else { break }
      events.append(stored.event)
      last = stored.sequence
    }
    answerRestored(call, events, of: account, sequence: last)
    return .answered
  }

  private func answerRestored(
    _ call: CallContext, _ events: [Event], of account: AccountNumber, sequence: UInt64
  ) {
    // Dated as the facts are: the same request asked again is answered with the same facts.
    let signed = signedForms(call, date: nil)
    reply(to: call.session, after: sequence) { writer in
      VarlinkReply.begin(&writer)
      writer.key("transactions")
      writer.beginArray()
      for (transaction, line) in events.compactMap(\.fact.restored) {
        state.write(
          transaction, line: line, account: account, environment: configuration.environment,
          signed: signed, into: &writer)
      }
      writer.endArray()
      writer.member("sequence", sequence: sequence)
      VarlinkReply.end(&writer)
    }
  }
}

extension Fact {
  /// What a restore gave another id, with its line; nil of any other event.
  var restored: (transaction: Transaction, line: LineNumber)? {
    if case .line(.restored, let fact) = self {
      return fact.transaction.map { ($0, fact.line) }
    }
    if case .purchase(.restored, let fact) = self { return (fact.transaction, noNumber) }
    return nil
  }
}
