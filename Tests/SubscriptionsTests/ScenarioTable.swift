import Subscriptions
import Testing

/// What a row of a scenario does once its clock has come to its time. Transactions are named by
/// the order in which the store gave their ids out: 1 is the first.
enum ScenarioCommand {
  /// Nothing but what is due.
  case wait
  case buy(String, quantity: Int64 = 1, account: String = "u1")
  /// Buys with an offer of that kind and id.
  case redeem(String, OfferKind, String? = nil, account: String = "u1")
  case buyDated(String, at: String, RenewalBehavior = .renewUntilNow, account: String = "u1")
  /// Turns the renewal of the account's newest line off, or on.
  case off(account: String = "u1")
  case on(account: String = "u1")
  case refund(Int, percentage: Int64? = nil, reason: Int64? = nil, account: String = "u1")
  case reverse(Int, account: String = "u1")
  /// A refund asked for; declined.
  case ask(Int, account: String = "u1")
  case decline(Int, account: String = "u1")
  case finish(Int, account: String = "u1")
  /// Ends the newest line's period now, and begins the next.
  case renew(account: String = "u1")
  case expire(account: String = "u1")
  /// Lets the account's charges fail from now on, or succeed again.
  case fail(account: String = "u1")
  case succeed(account: String = "u1")
  /// Pays what the account's line of that place (0 is its first) owes.
  case resolve(line: Int = 0, account: String = "u1")
  /// A product's price or sale, or its lines' extension.
  case product(ProductCommand, account: String = "u1")
  /// Sets the rate from now on; nil for the policies' own.
  case rate(RenewalRate?)
  case tester(ScenarioTesterCommand, account: String)

  var account: String {
    switch self {
    case .wait, .rate: ""
    case .buy(_, _, let account), .redeem(_, _, _, let account),
      .buyDated(_, _, _, let account), .off(let account), .on(let account),
      .refund(_, _, _, let account), .reverse(_, let account), .finish(_, let account),
      .ask(_, let account), .decline(_, let account), .renew(let account), .expire(let account),
      .fail(let account), .succeed(let account), .resolve(_, let account),
      .tester(_, let account), .product(_, let account):
      account
    }
  }
}

/// One row of a scenario: the clock comes to `time`, then the command is given. `expected` are
/// the events of both, in their order; of a refused command, the refusal.
struct ScenarioRow {
  var time: String
  var command: ScenarioCommand
  var expected: [String]

  init(_ time: String, _ command: ScenarioCommand, _ expected: String...) {
    self.time = time
    self.command = command
    self.expected = expected
  }
}

extension ScenarioWorld {
  /// Plays a table and compares each row's events with what it expects.
  static func play(
    _ rows: [ScenarioRow], policies: Policies = Policies(),
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> ScenarioWorld {
    var world = try ScenarioWorld(policies: policies)
    try world.makeClock(Clock.defaultName, at: try .at(rows[0].time))
    for row in rows {
      let found = try world.play(row)
      #expect(found == row.expected, "at \(row.time)", sourceLocation: sourceLocation)
    }
    return world
  }

  /// Plays one row and returns its events as texts, those of accounts and clocks left out.
  mutating func play(_ row: ScenarioRow) throws -> [String] {
    let start = log.count
    try advance(to: try .at(row.time))
    do throws(Rejection) {
      try perform(row.command)
    } catch {
      return log[start...].compactMap(text) + ["refused: \(error)"]
    }
    return log[start...].compactMap(text)
  }

  mutating func perform(_ command: ScenarioCommand) throws(Rejection) {
    let key = Array(command.account.utf8)
    guard let asked = self.command(command, of: key) else { return }
    try ask(asked, as: key)
  }

  /// Takes in what a command of an account's comes to; the events that it was decided to be.
  @discardableResult
  mutating func ask(_ command: Command, as key: [UInt8]) throws(Rejection) -> [Event] {
    var moment = Moment(policies)
    if let account = state.accounts.find(key) { moment.history = history(of: account) }
    let events = try state.decide(command, moment).events
    commit(events, account: key)
    return events
  }

  /// What a row asks of the rules; nil where it only waits.
  private func command(_ command: ScenarioCommand, of key: [UInt8]) -> Command? {
    switch command {
    case .wait:
      return nil
    case .buy(let product, let quantity, _):
      return .purchase(PurchaseCommand(account: key, productID: product, quantity: quantity))
    case .redeem(let product, let kind, let id, _):
      let offer = OfferRequest(kind: kind, id: id)
      return .purchase(PurchaseCommand(account: key, productID: product, offer: offer))
    case .buyDated(let product, let date, let behavior, _):
      guard let time = try? Instant.at(date) else { preconditionFailure("no time: \(date)") }
      return .purchase(
        PurchaseCommand(
          account: key, productID: product, purchaseDate: time, renewalBehavior: behavior))
    case .rate(let rate):
      return .setRate(rate)
    case .off:
      return .setAutoRenew(newestLine(key), isOn: false)
    case .on:
      return .setAutoRenew(newestLine(key), isOn: true)
    case .refund(let number, let percentage, let reason, _):
      return .refund(sold(number, to: key), percentage: percentage, reason: reason)
    case .reverse(let number, _):
      return .reverseRefund(sold(number, to: key))
    case .ask(let number, _):
      return .requestRefund(sold(number, to: key))
    case .decline(let number, _):
      return .declineRefund(sold(number, to: key))
    case .finish(let number, _):
      return .finish(sold(number, to: key))
    case .renew:
      return .forceRenewal(newestLine(key))
    case .expire:
      return .expire(newestLine(key))
    case .fail:
      return .setBilling(account(key), fails: true)
    case .succeed:
      return .setBilling(account(key), fails: false)
    case .product(let command, _):
      return self.command(command, of: key)
    case .resolve(let place, _):
      return .resolveBilling(lineNumbers(of: command.account)[place])
    case .tester(let command, _):
      return self.command(command, of: key)
    }
  }

  private func sold(_ number: Int, to key: [UInt8]) -> OwnedTransaction {
    OwnedTransaction(Limits.firstTransactionID + UInt64(number) - 1, of: account(key))
  }

  func account(_ key: [UInt8]) -> AccountNumber {
    state.accounts.find(key)!
  }

  func newestLine(_ key: [UInt8]) -> LineNumber {
    state.accounts[account(key)].newestLine
  }
}

extension ScenarioWorld {
  /// An event as a scenario writes it:
  /// `2025-02-10T12:00:00Z renewed T2 silver.m 4990 until 2025-03-10T12:00:00Z; DID_RENEW; 1`.
  func text(_ event: Event) -> String? {
    let at = event.at.rfc3339
    switch event.fact {
    case .line(let kind, let fact):
      var text = "\(at) \(kind)"
      if let transaction = fact.transaction {
        text += " \(self.text(transaction)) until \(transaction.expiresDate.rfc3339)"
      }
      if kind == .autoRenewChanged { text += fact.renewal!.autoRenews ? " on" : " off" }
      if let renewal = fact.renewal {
        let next = state.products[Int(renewal.autoRenewProduct)].entry.id
        if kind == .priceIncreased || kind == .priceIncreaseAccepted {
          text += " \(renewal.renewalPrice) status \(renewal.priceIncreaseStatus ?? 9)"
        }
        if kind == .planChangeScheduled || kind == .offerRedeemed {
          text += " then \(next) \(renewal.renewalPrice)\(self.text(renewal.offer))"
        }
        let grace = renewal.gracePeriodExpiresDate
        if kind == .renewalFailed, grace != .never { text += " grace until \(grace.rfc3339)" }
      }
      if let intent = fact.renewal?.expirationIntent { text += " intent \(intent.rawValue)" }
      return "\(text); \(self.text(fact.notification)); \(fact.statusAfter.rawValue)"
    case .purchase(let kind, let fact):
      return "\(at) \(kind) \(self.text(fact.transaction)); \(self.text(fact.notification))"
    case .product(let kind, let fact):
      return self.text(kind, fact)
    case .account(.finished(_, _, let id)):
      return "\(at) finished T\(id - Limits.firstTransactionID + 1)"
    case .tester(.rateChanged(let rate)):
      return "rate \(rate?.name ?? "as configured")"
    case .tester(.billingChanged(noNumber, let fails)):
      return "billing of all \(fails ? "fails" : "succeeds")"
    case .tester(.billingChanged(_, let fails)):
      return "\(at) billing \(fails ? "fails" : "succeeds")"
    case .account(.offerNonceUsed(_, let nonce)):
      return "\(at) nonce \(nonce.text) used"
    case .account(.offerStacked(_, _, let stacked)):
      return "\(at) stacked \(stacked.price)\(text(stacked.offer))"
    case .tester(.switched(let kind, let account, let isOn)):
      let whose = account == noNumber ? "all" : name(of: account)
      return "\(kind) \(isOn ? "on" : "off") for \(whose)"
    case .account(.purchasePending(let purchase)):
      let product = state.products[Int(purchase.product)].entry.id
      return "\(at) pending T\(purchase.id - Limits.firstTransactionID + 1) \(product)"
        + " \(purchase.reason)"
    case .account(.pendingEnded(_, let id, let end)):
      return "\(at) T\(id - Limits.firstTransactionID + 1) \(end)"
    case .tester(.simulatedErrorChanged(let api, let error)):
      return "\(api.name) fails with \(error?.name ?? "nothing")"
    case .account(.sharingStarted(_, let member)):
      return "\(at) sharing with \(name(of: member))"
    case .account(.sharingEnded(_, let member, let cause)):
      return "\(at) sharing with \(name(of: member)) ended, \(cause)"
    case .log, .account, .clock, .catalogue, .appStore:
      return nil
    }
  }

  private func name(of account: AccountNumber) -> String {
    String(decoding: state.accounts.key(account), as: UTF8.self)
  }

  private func text(_ transaction: Transaction) -> String {
    let number = transaction.id - Limits.firstTransactionID + 1
    let product = state.products[Int(transaction.product)].entry.id
    var text = "T\(number) \(product) \(transaction.price)"
    if transaction.ownership == .familyShared { text += " shared" }
    if transaction.quantity != 1 { text += " x\(transaction.quantity)" }
    text += self.text(transaction.offer)
    if let revocation = transaction.revocation {
      text += " \(revocation.type) \(revocation.percentage) reason \(revocation.reason)"
    }
    return text
  }

  private func text(_ offer: AppliedOffer?) -> String {
    guard let offer else { return "" }
    let id = offer.identifier == noNumber ? "" : " \(state.texts[Int(offer.identifier)])"
    return " \(offer.paymentMode) \(offer.period.iso8601)\(id)"
  }

  func text(_ notification: Notification) -> String {
    guard let type = notification.type else { return "-" }
    guard let subtype = notification.subtype else { return type }
    return "\(type)/\(subtype)"
  }
}

extension ScenarioWorld {
  /// The status of an account's newest line at a moment.
  func status(of account: String = "u1", at text: String) throws -> Status {
    let line = state.accounts[self.account(Array(account.utf8))].newestLine
    return state.lines[Int(line)].status(at: try .at(text))
  }

  /// The numbers of an account's lines, its first before its newest.
  func lineNumbers(of account: String = "u1") -> [LineNumber] {
    var numbers: [LineNumber] = []
    state.forEachLine(of: self.account(Array(account.utf8))) { number, _ in numbers.append(number) }
    return numbers.reversed()
  }

  func newest(of account: String = "u1") -> Line {
    state.lines[Int(state.accounts[self.account(Array(account.utf8))].newestLine)]
  }

  /// An account's transactions by the order of their ids, as its history tells them.
  func transactions(of account: String = "u1") -> [Transaction] {
    history(of: self.account(Array(account.utf8))).entries.map(\.transaction)
      .sorted { $0.id < $1.id }
  }
}
