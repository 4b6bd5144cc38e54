import Contract
import JSON
import Subscriptions
import Varlink

/// `org.renewd.Testing`: what a tester does to a subscription.
extension Engine {
  // MARK: What is meant

  /// The thing a call names: exactly one of account, transaction, line.
  private enum Target {
    case account(AccountNumber)
    case transaction(UInt64)
    case line(LineNumber)
  }

  /// Finds it; what is not there is missing in the words of `missing`.
  private func target(
    _ asked: TestTarget, missing: Rejection = .subscriptionNotFound
  ) throws(Refusal) -> Target {
    let account = try Checked.account(asked.account)
    let transaction = try Checked.transactionID(asked.transactionID, "transactionId")
    let original = try Checked.transactionID(asked.originalID, "originalTransactionId")
    let named = [account != nil, transaction != nil, original != nil].count { $0 }
    guard named == 1 else {
      throw .value(
        "account", "name exactly one of account, transactionId and originalTransactionId")
    }
    if let account {
      guard let number = state.accounts.find(account) else { throw .rule(missing) }
      return .account(number)
    }
    if let transaction { return .transaction(transaction) }
    guard let original, let line = state.line(originalID: original) else {
      throw .rule(.subscriptionNotFound)
    }
    return .line(line)
  }

  /// The line a call means: the account's only one of a status that can be meant, or the only one
  /// it has. What an account has by Family Sharing is meant where it has nothing of its own. Nil
  /// while the reader is asked.
  private func line(
    of target: Target, for call: CallContext, preferring isMeant: (Line, Status) -> Bool
  ) throws(Refusal) -> LineNumber? {
    switch target {
    case .line(let line):
      return line
    case .transaction(let id):
      if let line = state.line(originalID: id) ?? lineWithCurrent(id) { return line }
      return try restoredLine(id, for: call)
    case .account(let account):
      let now = state.now(of: account)
      var meant: [LineNumber] = []
      var own: [LineNumber] = []
      var all: [LineNumber] = []
      state.forEachLine(of: account) { number, line in
        guard line.origin == .store else { return }
        all.append(number)
        guard line.transaction.ownership == .purchased else { return }
        own.append(number)
        if isMeant(copy line, line.status(at: now)) { meant.append(number) }
      }
      let candidates = !meant.isEmpty ? meant : own.isEmpty ? all : own
      guard let only = candidates.first else { throw .rule(.subscriptionNotFound) }
      guard candidates.count == 1 else { throw ambiguous(candidates) }
      return only
    }
  }

  private func lineWithCurrent(_ id: UInt64) -> LineNumber? {
    state.lines[Int(state.firstLiveLine)...].firstIndex { $0.transaction.id == id }
      .map { LineNumber($0) }
  }

  /// The line whose newest period had that id before it was restored; nil while the reader is
  /// asked.
  private func restoredLine(_ id: UInt64, for call: CallContext) throws(Refusal) -> LineNumber? {
    guard let account = try account(ofTransaction: id, for: call) else { return nil }
    guard let history = current(call.gathered, of: account) else {
      _ = gatherHistory(of: account, for: call)
      return nil
    }
    guard let entry = history.entry(id: id), entry.line != noNumber,
      state.lines[Int(entry.line)].transaction.id == entry.transaction.id
    else { throw .rule(.transactionNotFound) }
    return entry.line
  }

  private func ambiguous(_ lines: [LineNumber]) -> Refusal {
    .rule(
      .ambiguous(candidates: lines.reversed().map { state.lines[Int($0)].transaction.id }))
  }

  // MARK: Refunds

  func refund(_ asked: TestingInterface.Refund, _ call: CallContext) throws(Refusal) -> Outcome {
    let id = try transaction(meantBy: asked.target) { $0.revocation == nil }
    return try changeMeant(id, call) {
      .refund($0, percentage: asked.percentage, reason: asked.reason)
    }
  }

  func reverseRefund(
    _ asked: TestingInterface.ReverseRefund, _ call: CallContext
  ) throws(Refusal) -> Outcome {
    let id = try transaction(meantBy: asked.target) { $0.revocation != nil }
    return try changeMeant(id, call) { .reverseRefund($0) }
  }

  func requestRefund(
    _ asked: TestingInterface.RequestRefund, _ call: CallContext
  ) throws(Refusal) -> Outcome {
    let id = try transaction(meantBy: asked.target) {
      $0.revocation == nil && self.state.refundRequests[$0.soldID] == nil
    }
    return try changeMeant(id, call) { .requestRefund($0) }
  }

  func declineRefund(
    _ asked: TestingInterface.DeclineRefund, _ call: CallContext
  ) throws(Refusal) -> Outcome {
    let id = try transaction(meantBy: asked.target) { self.state.refundRequests[$0.soldID] != nil }
    return try changeMeant(id, call) { .declineRefund($0) }
  }

  /// The transaction a call means. Where it names an account: the current one of its lines and
  /// its lasting purchases, those that `isCandidate` says where there are any such, and its own
  /// rather than what it has by Family Sharing.
  private func transaction(
    meantBy asked: TestTarget, isCandidate: (Transaction) -> Bool
  ) throws(Refusal) -> UInt64 {
    switch try target(asked, missing: .transactionNotFound) {
    case .transaction(let id): return id
    case .line(let line): return state.lines[Int(line)].transaction.id
    case .account(let account):
      var all: [Transaction] = []
      // What signed facts told of is another store's to refund.
      state.forEachLine(of: account) { _, line in
        if line.origin == .store { all.append(line.transaction) }
      }
      state.forEachPurchase(of: account) {
        if $0.environment == nil { all.append($0.transaction) }
      }
      let own = all.filter { $0.ownership == .purchased }
      let fitting = own.filter(isCandidate)
      let candidates = (!fitting.isEmpty ? fitting : own.isEmpty ? all : own).map(\.id).sorted()
      guard let only = candidates.first else { throw .rule(.transactionNotFound) }
      guard candidates.count == 1 else {
        throw .rule(.ambiguous(candidates: candidates))
      }
      return only
    }
  }

  /// Carries out a change of one transaction, wherever in the log it is: finds its account, reads
  /// the account's history, decides on the state of that moment. Nil while the reader is asked.
  func changeTransaction(
    _ id: UInt64, _ call: CallContext, fingerprint: UInt64,
    command: (OwnedTransaction) -> Command
  ) throws(Refusal) -> Change? {
    guard let account = try account(ofTransaction: id, for: call) else { return nil }
    catchUp(account)
    guard let history = current(call.gathered, of: account) else {
      _ = gatherHistory(of: account, for: call)
      return nil
    }
    try prepare(account, from: .reserve)
    return try carryOut(
      command(OwnedTransaction(id, of: account)), call, history: history, fingerprint: fingerprint
    ).change(orStanding: sequence(of: account))
  }

  /// The same, answered with the transaction as it is then.
  private func changeMeant(
    _ id: UInt64, _ call: CallContext, command: (OwnedTransaction) -> Command
  ) throws(Refusal) -> Outcome {
    try change(call, answer: { self.answerChanged(call.session, $0) }) {
      fingerprint throws(Refusal) in
      try changeTransaction(id, call, fingerprint: fingerprint, command: command)
    }
  }

  /// The account of a transaction: known where it is a line's current or first one, else looked
  /// up in the log. Nil while the reader is asked.
  private func account(
    ofTransaction id: UInt64, for call: CallContext
  ) throws(Refusal) -> AccountNumber? {
    if let account = call.gathered.account {
      guard account >= AccountNumber(state.accounts.forgotten) else {
        throw .rule(.transactionNotFound)
      }
      return account
    }
    if let line = state.line(originalID: id) { return state.lines[Int(line)].account }
    guard !call.gathered.hasSearched, id >= Subscriptions.Limits.firstTransactionID,
      id < state.nextTransactionID
    else { throw .rule(.transactionNotFound) }
    var gathered = call.gathered
    gathered.wish = .search(id)
    suspend(
      call, gathered, .block(mark: id, last: state.sequence), after: state.sequence)
    return nil
  }

  private func answerChanged(_ session: Session, _ change: Change) {
    reply(to: session, after: change.last) { writer in
      VarlinkReply.begin(&writer)
      writer.key("transaction")
      if case .line(_, let fact)? = change.event?.fact {
        let transaction = fact.transaction ?? state.lines[Int(fact.line)].transaction
        state.write(
          transaction, line: fact.line, account: fact.account,
          environment: configuration.environment, into: &writer)
      } else if case .purchase(_, let fact)? = change.event?.fact {
        state.write(
          fact.transaction, line: noNumber, account: fact.account,
          environment: configuration.environment, into: &writer)
      } else {
        preconditionFailure("a changed transaction comes from an event about one")
      }
      writer.member("sequence", sequence: change.sequence)
      VarlinkReply.end(&writer)
    }
  }

  // MARK: Renewal and expiry by hand

  func forceRenewal(
    _ asked: TestingInterface.ForceRenewal, _ call: CallContext
  ) throws(Refusal) -> Outcome {
    try changeLine(asked.target, call) { .forceRenewal($0) }
  }

  func expire(_ asked: TestingInterface.Expire, _ call: CallContext) throws(Refusal) -> Outcome {
    try changeLine(asked.target, call) { .expire($0) }
  }

  func resolveBilling(
    _ asked: TestingInterface.ResolveBilling, _ call: CallContext
  ) throws(Refusal) -> Outcome {
    try changeLine(asked.target, call, preferring: { $1 == .gracePeriod || $1 == .billingRetry }) {
      .resolveBilling($0)
    }
  }

  func setBilling(
    _ asked: TestingInterface.SetBilling, _ call: CallContext
  ) throws(Refusal) -> Outcome {
    let fails = asked.outcome == .fail
    guard let key = try Checked.account(asked.account) else {
      return try changeSwitches(call, .setBillingOfAll(fails: fails))
    }
    return try change(call) { fingerprint throws(Refusal) in
      guard let account = state.accounts.find(key) else { throw .rule(.subscriptionNotFound) }
      try prepare(account, from: .reserve)
      return try carryOut(.setBilling(account, fails: fails), call, fingerprint: fingerprint)
        .change(orStanding: sequence(of: account))
    }
  }

  func changeLine(
    _ asked: TestTarget, _ call: CallContext,
    preferring isMeant: (Line, Status) -> Bool = { $1.entitles },
    command: (LineNumber) -> Command
  ) throws(Refusal) -> Outcome {
    try change(call, answer: { self.answerChanged(call.session, $0) }) {
      fingerprint throws(Refusal) in
      guard let line = try line(of: target(asked), for: call, preferring: isMeant) else {
        return nil
      }
      let account = state.lines[Int(line)].account
      try prepare(account, from: .reserve)
      return try carryOut(command(line), call, fingerprint: fingerprint)
        .change(orStanding: sequence(of: account))
    }
  }

  func reset(_ asked: TestingInterface.Reset, _ call: CallContext) throws(Refusal) -> Outcome {
    try change(call) { fingerprint throws(Refusal) in
      let decision = try decide(.reset)
      try claimSpace(from: .reserve)
      return try commit(decision, from: call, fingerprint: fingerprint)
        .change(orStanding: durable)
    }
  }
}
