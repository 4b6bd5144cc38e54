import JSON
import Subscriptions
import Varlink

/// `Membership.Ledger`: an account's money, from its own events.
extension Engine {
  func ledger(_ call: CallContext) throws(Refusal) -> Outcome {
    let key = try call.parameters.requiredAccount()
    guard let from = Int(exactly: call.parameters.int("from") ?? 0), from >= 0 else {
      throw .value("from", "say what next said, or nothing")
    }
    guard let account = state.accounts.find(key) else {
      answerLedger(call.session, [], from: 0, after: 0)
      return .answered
    }
    guard current(call.gathered, of: account) != nil else {
      return gatherHistory(of: account, for: call)
    }
    var ledger = Ledger()
    for stored in call.gathered.events {
      ledger.apply(stored.event, sequence: stored.sequence)
    }
    var entries = ledger.entries
    if let until = call.parameters.instant("until") {
      if until > state.now(of: account) {
        let forecast = try decided { () throws(Rejection) in
          try state.forecast(account: account, until: until, policies: configuration.policies)
        }
        for event in forecast.events { ledger.apply(event, sequence: nil) }
        entries = ledger.entries
      } else {
        entries.removeAll { $0.at > until }
      }
    }
    answerLedger(call.session, entries, from: from, after: sequence(of: account))
    return .answered
  }

  private func answerLedger(
    _ session: Session, _ entries: [Ledger.Entry], from: Int, after sequence: UInt64
  ) {
    let page = entries.dropFirst(from).prefix(Limits.ledgerEntriesPerPage)
    reply(to: session, after: sequence) { writer in
      VarlinkReply.begin(&writer)
      writer.key("entries")
      writer.beginArray()
      for entry in page { write(entry, into: &writer) }
      writer.endArray()
      if page.endIndex < entries.count { writer.member("next", int: Int64(page.endIndex)) }
      VarlinkReply.end(&writer)
    }
  }

  private func write(_ entry: Ledger.Entry, into writer: inout JSONWriter) {
    writer.beginObject()
    if let sequence = entry.sequence { writer.member("sequence", sequence: sequence) }
    writer.member("at", entry.at)
    writer.member("kind", "\(entry.kind)")
    writer.member("amount", int: entry.amount)
    writer.member("currency", Storefront.all[Int(entry.storefront)].currency)
    writer.member("productId", state.products[Int(entry.product)].entry.id)
    writer.member("transactionId", id: entry.transactionID)
    writer.member("balance", int: entry.balance)
    writer.member("forecast", flag: entry.sequence == nil)
    writer.endObject()
  }
}
