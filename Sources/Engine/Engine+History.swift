import Contract
import JSON
import Subscriptions
import Varlink

/// The parts of `org.renewd.Membership` that read an account's older events.
extension Engine {
  // MARK: History

  func history(
    _ asked: MembershipInterface.History, _ call: CallContext
  ) throws(Refusal) -> Outcome {
    let key = try Checked.account(asked.account)
    let from = try Checked.transactionID(asked.from, "from") ?? 0
    let until = try Checked.time(asked.until, "until")
    let environment = try environment(named: asked.environment)
    guard let account = state.accounts.find(key) else {
      answerHistory(call.session, account: noNumber, [], from: from)
      return .answered
    }
    guard let history = current(call.gathered, of: account) else {
      return gatherHistory(of: account, for: call)
    }
    let now = state.now(of: account)
    let signed = signedForms(call, date: now)
    var rows = history.entries.filter {
      ($0.environment?.wireName ?? configuration.environment) == environment
    }.map { HistoryRow(entry: $0, isForecast: false) }
    if let until {
      guard until > now else {
        rows.removeAll { $0.entry.transaction.purchaseDate > until }
        return answer(call, account: account, rows, from: from, signed: signed)
      }
      if environment == configuration.environment {
        try forecast(&rows, of: account, until: until)
      }
    }
    // A restore between two pages renames what the second begins with.
    return answer(
      call, account: account, rows, from: history.entry(id: from)?.transaction.id ?? from,
      signed: signed)
  }

  /// Answers with a page, once the App Store's own texts that it gives have been read: those of the
  /// account's own events, and of those that came before its lines were its.
  private func answer(
    _ call: CallContext, account: AccountNumber, _ rows: [HistoryRow], from: UInt64,
    signed: SignedForms?
  ) -> Outcome {
    guard var signed else {
      answerHistory(call.session, account: account, rows, from: from)
      return .answered
    }
    signed.texts = SignedTexts(call.gathered.events + call.gathered.texts)
    let versions = Self.rows(rows, from: from).prefix(Limits.signedTransactionsPerPage)
      .compactMap { told($0) }
    let missing = Set(
      versions.filter { signed.texts.text(of: $0) == nil }.map(\.sequence)
        + call.gathered.texts.map(\.sequence))
    if let waiting = gatherTexts(missing.sorted(), for: call) { return waiting }
    answerHistory(call.session, account: account, rows, from: from, signed: signed)
    return .answered
  }

  /// The version of a signed fact that a row shows; nil for what the store sold itself.
  private func told(_ row: HistoryRow) -> TransactionVersion? {
    row.entry.environment.flatMap {
      state.apple.chain(ChainKey(environment: $0, originalID: row.entry.transaction.originalID))
    }?.version(id: row.entry.transaction.id)
  }

  /// The rows from one on.
  private static func rows(_ rows: [HistoryRow], from: UInt64) -> ArraySlice<HistoryRow> {
    // Ids of the App Store's lines are in no order with those of others.
    let place = rows.firstIndex { $0.entry.transaction.id == from }
    return place.map { rows[$0...] } ?? rows.drop { $0.entry.transaction.id < from }
  }

  /// As many rows as a reply has room for, the first at least.
  private func page(
    _ rows: ArraySlice<HistoryRow>, _ signed: SignedForms?
  ) -> ArraySlice<HistoryRow> {
    guard let signed else { return rows.prefix(Limits.transactionsPerPage) }
    var bytes = 0
    let count = rows.prefix(Limits.signedTransactionsPerPage).prefix { row in
      bytes += max(Limits.signedEventBytes, signed.texts.text(of: told(row))?.count ?? 0)
      return bytes <= Limits.signedPageBytesMax
    }.count
    return rows.prefix(max(1, count))
  }

  private struct HistoryRow {
    var entry: AccountHistory.Entry
    var isForecast: Bool
  }

  /// Adds the transactions to come; a family member may also lose one that is there.
  private func forecast(
    _ rows: inout [HistoryRow], of account: AccountNumber, until: Instant
  ) throws(Refusal) {
    let forecast = try decided { () throws(Rejection) in
      try state.forecast(account: account, until: until, policies: configuration.policies)
    }
    for event in forecast.events {
      guard case .line(let kind, let fact) = event.fact, let transaction = fact.transaction
      else { continue }
      let row = HistoryRow(
        entry: AccountHistory.Entry(transaction: transaction, line: fact.line),
        isForecast: true)
      let known = rows.lastIndex { $0.entry.transaction.id == transaction.id }
      guard let known else {
        rows.append(row)
        continue
      }
      // Other events may carry the transaction that was there before.
      if kind == .revoked { rows[known] = row }
    }
  }

  private func answerHistory(
    _ session: Session, account: AccountNumber, _ rows: [HistoryRow], from: UInt64,
    signed: SignedForms? = nil
  ) {
    let wanted = Self.rows(rows, from: from)
    let page = page(wanted, signed)
    let sequence = account == noNumber ? 0 : self.sequence(of: account)
    reply(to: session, after: sequence) { writer in
      VarlinkReply.begin(&writer)
      writer.key("transactions")
      writer.beginArray()
      for row in page {
        state.write(
          row.entry.transaction, line: row.entry.line, account: account,
          forecast: row.isForecast,
          environment: row.entry.environment?.wireName ?? configuration.environment,
          // What has not happened yet cannot be signed for.
          signed: row.isForecast ? nil : signed, into: &writer)
      }
      writer.endArray()
      if let next = wanted.dropFirst(page.count).first {
        writer.member("next", id: next.entry.transaction.id)
      }
      VarlinkReply.end(&writer)
    }
  }

  // MARK: Explain

  func explain(
    _ asked: MembershipInterface.Explain, _ call: CallContext
  ) throws(Refusal) -> Outcome {
    let key = try Checked.account(asked.account)
    guard let account = state.accounts.find(key) else {
      let clock = state.clocks[Int(state.clockForNewAccounts)]
      let nobody = ExplainLine(
        sequence: nil, at: clock.now,
        text: "This account has never bought anything here, so it is not entitled.")
      answerExplain(call.session, [nobody], after: 0)
      return .answered
    }
    guard current(call.gathered, of: account) != nil else {
      return gatherHistory(of: account, for: call)
    }
    let lines = Explainer.lines(
      events: call.gathered.events, state: state, terms: books.terms, account: account,
      now: state.now(of: account), environment: configuration.environment,
      rate: state.rate(configuration.policies))
    answerExplain(call.session, lines, after: sequence(of: account))
    return .answered
  }

  private func answerExplain(
    _ session: Session, _ lines: [ExplainLine], after sequence: UInt64
  ) {
    answer(
      session, after: sequence,
      Explanation {
        $0.lines = lines.map { line in
          Contract.ExplainLine {
            $0.sequence = line.sequence.map { Int64($0) }
            $0.time = line.at
            $0.text = line.text
          }
        }
      })
  }
}
