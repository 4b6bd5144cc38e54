import Contract
import Subscriptions

/// `Membership.Ledger`: an account's money, from its own events.
extension Engine {
  /// An entry as it is answered.
  private struct LedgerRow {
    var sequence: UInt64?
    var at: Instant
    var kind: Ledger.Kind
    /// Nil where the App Store's facts do not say it.
    var amount: Int64?
    var currency: String
    var product: ProductNumber
    var transactionID: UInt64
    /// Nil where the amount is.
    var balance: Int64?
    var isForecast = false
  }

  func ledger(
    _ asked: MembershipInterface.Ledger, _ call: CallContext
  ) throws(Refusal) -> Outcome {
    let key = try Checked.account(asked.account)
    guard let from = Int(exactly: asked.from ?? 0), from >= 0 else {
      throw .value("from", "say what next said, or nothing")
    }
    let until = try Checked.time(asked.until, "until")
    guard let account = state.accounts.find(key) else {
      answerLedger(call.session, [], from: 0, after: 0)
      return .answered
    }
    guard current(call.gathered, of: account) != nil else {
      return gatherHistory(of: account, for: call)
    }
    var ledger = Ledger()
    var told = ToldLedger()
    for stored in call.gathered.events {
      ledger.apply(stored.event, sequence: stored.sequence)
      told.apply(stored.event, sequence: stored.sequence)
    }
    var isFuture = false
    if let until {
      if until > state.now(of: account) {
        let forecast = try decided { () throws(Rejection) in
          try state.forecast(account: account, until: until, policies: configuration.policies)
        }
        for event in forecast.events { ledger.apply(event, sequence: nil) }
        isFuture = true
      }
    }
    var rows = rows(ledger.entries, and: told)
    if let until, !isFuture { rows.removeAll { $0.at > until } }
    answerLedger(call.session, rows, from: from, after: sequence(of: account))
    return .answered
  }

  /// What the store sold itself and what signed facts told, oldest first.
  private func rows(_ own: [Ledger.Entry], and told: ToldLedger) -> [LedgerRow] {
    var rows = own.map { entry in
      LedgerRow(
        sequence: entry.sequence, at: entry.at, kind: entry.kind, amount: entry.amount,
        currency: state.storefront(entry.storefront).currency, product: entry.product,
        transactionID: entry.transactionID, balance: entry.balance,
        isForecast: entry.sequence == nil)
    }
    guard !told.isEmpty else { return rows }
    rows += told.entries(of: home) { version in
      // A price counts where it was told, and in a currency.
      version.fields?.isPlain(.price) ?? true
        && !state.storefront(version.transaction.storefront).currency.isEmpty
    }
    .map { entry in
      LedgerRow(
        sequence: entry.sequence, at: entry.at, kind: entry.kind, amount: entry.amount,
        currency: state.storefront(entry.storefront).currency, product: entry.product,
        transactionID: entry.transactionID)
    }
    // Of one moment, in the order in which they are here.
    rows = rows.enumerated().sorted { ($0.element.at, $0.offset) < ($1.element.at, $1.offset) }
      .map(\.element)
    var balances: [String: Int64] = [:]
    for index in rows.indices {
      guard let amount = rows[index].amount else { continue }
      balances[rows[index].currency, default: 0] &+= amount
      rows[index].balance = balances[rows[index].currency]
    }
    return rows
  }

  private func answerLedger(
    _ session: Session, _ entries: [LedgerRow], from: Int, after sequence: UInt64
  ) {
    let page = entries.dropFirst(from).prefix(Limits.ledgerEntriesPerPage)
    let untold = entries.count { $0.amount == nil }
    answer(
      session, after: sequence,
      LedgerPage {
        $0.entries = page.map(described)
        $0.untold = untold > 0 ? Int64(untold) : nil
        $0.next = page.endIndex < entries.count ? Int64(page.endIndex) : nil
      })
  }

  private func described(_ row: LedgerRow) -> LedgerEntry {
    LedgerEntry {
      $0.sequence = row.sequence.map { Int64($0) }
      $0.time = row.at
      $0.kind = LedgerKind(rawValue: "\(row.kind)")
      $0.milliunits = row.amount
      if row.amount != nil { $0.currency = row.currency }
      $0.productID = state.products[Int(row.product)].entry.id
      $0.transactionID = String(row.transactionID)
      $0.balanceMilliunits = row.balance
      $0.isForecast = row.isForecast
    }
  }
}
