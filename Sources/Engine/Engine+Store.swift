import Contract
import JSON
import Subscriptions
import Varlink

/// `org.renewd.Store`: the counter at which things are bought.
extension Engine {
  // MARK: Products

  func products(_ asked: StoreInterface.Products, _ call: CallContext) throws(Refusal) -> Outcome {
    let storefront = try storefront(asked.storefront)
    let ids = asked.productIDs
    var unknown: [String] = []
    var numbers: [ProductNumber] = []
    if let ids {
      for id in ids {
        guard let number = state.product(id: id), state.products[Int(number)].isOnSale else {
          unknown.append(id)
          continue
        }
        numbers.append(number)
      }
    } else {
      numbers = state.products.indices.filter { state.products[$0].isOnSale }
        .map { ProductNumber($0) }
    }
    let products = numbers.map { state.described(product: $0, storefront: storefront) }
    answer(
      call.session, after: state.clocks[0].lastSequence,
      ProductList {
        $0.products = products
        $0.unknown = unknown
        $0.storefront = Contract.Storefront(Storefront.all[Int(storefront)])
      })
    return .answered
  }

  private func storefront(_ country: String?) throws(Refusal) -> UInt16 {
    guard let country else { return state.defaultStorefront }
    guard let number = Storefront.number(country: country) else {
      throw .value("storefront", "no storefront is called \(country); say three letters (USA)")
    }
    return number
  }

  // MARK: Purchase

  func purchase(_ asked: StoreInterface.Purchase, _ call: CallContext) throws(Refusal) -> Outcome {
    let command = try purchaseCommand(asked)
    switch try repeated(call) {
    case .waiting:
      return .waiting
    case .replay(let events):
      return try replayPurchase(asked, call, events)
    case .new(let fingerprint):
      return try purchase(command, asked.offer, call, fingerprint: fingerprint)
    }
  }

  private func purchaseCommand(
    _ asked: StoreInterface.Purchase
  ) throws(Refusal) -> PurchaseCommand {
    var command = PurchaseCommand(
      account: try Checked.account(asked.account), productID: asked.productID,
      quantity: asked.quantity ?? 1, token: try Checked.token(asked.appAccountToken),
      storefront: asked.storefront, clock: asked.clock,
      purchaseDate: try Checked.time(asked.purchaseDate, "purchaseDate"))
    if asked.renewalBehavior == .cancelImmediately {
      command.renewalBehavior = .cancelImmediately
    }
    if let offer = asked.offer {
      command.offer = OfferKind(wireName: offer.type.rawValue).map {
        OfferRequest(kind: $0, id: offer.id)
      }
    }
    return command
  }

  private func purchase(
    _ command: PurchaseCommand, _ offer: Offer?, _ call: CallContext, fingerprint: UInt64
  ) throws(Refusal) -> Outcome {
    try prepare(state.accounts.find(command.account), from: .ordinary)
    let proof = try checkOfferProof(command, offer)
    guard try isProven(proof, of: command, call) else {
      return gatherHistory(of: state.accounts.find(command.account) ?? noNumber, for: call)
    }
    var decision: Decision
    do throws(Refusal) {
      decision = try decide(.purchase(command))
    } catch {
      if let nonce = proof.nonce {
        // A nonce is used up even if the purchase fails.
        try commit(
          [nonceEvent(nonce, of: command)], from: call, main: 1, fingerprint: fingerprint)
      }
      throw error
    }
    if let nonce = proof.nonce {
      decision.events.insert(nonceEvent(nonce, of: command), at: 0)
      decision.main = decision.events.firstIndex { !$0.isPreliminary } ?? 0
    }
    let change = try commit(decision, from: call, fingerprint: fingerprint)
      .change(orStanding: sequence(ofKey: command.account))
    switch decision.purchase {
    case .standing(let transaction, let account, let line)?:
      answerPurchase(
        call, transaction, line: line, account: account, sequence: change.sequence,
        after: change.last)
    case .pending(let purchase)?:
      answerPending(call.session, purchase, sequence: change.sequence, after: change.last)
    case .bought?, nil:
      try answerBought(call, change)
      if command.purchaseDate != nil, let account = change.event?.fact.account {
        catchUp(account)
      }
    }
    return .answered
  }

  /// The customer's app gets no transaction yet (Domain.md 1.9). What it gets of an interrupted
  /// purchase is not known for certain: here it is as if the customer had gone back.
  private func answerPending(
    _ session: Session, _ purchase: PendingPurchase, sequence: UInt64, after last: UInt64
  ) {
    answer(
      session, after: last,
      PurchaseAnswer {
        $0.outcome = purchase.reason == .askToBuy ? .pending : .userCancelled
        $0.pendingID = String(purchase.id)
        $0.sequence = Int64(sequence)
      })
  }

  func answerBought(_ call: CallContext, _ change: Change) throws(Refusal) {
    guard let sold = change.event?.fact.sold else { throw .requestIDReused }
    answerPurchase(
      call, sold.transaction, line: sold.line, account: sold.account, sequence: change.sequence,
      after: change.last)
  }

  private func replayPurchase(
    _ asked: StoreInterface.Purchase, _ call: CallContext, _ events: [StoredEvent]
  ) throws(Refusal) -> Outcome {
    let first = events[0]
    if case .account(.purchasePending(let purchase)) = first.event.fact {
      answerPending(
        call.session, purchase, sequence: first.sequence, after: first.sequence)
      return .answered
    }
    let account = first.event.fact.account
    var isStanding = first.event.fact.kind == .account(.accountOpened)
    if case .line(.autoRenewChanged, _) = first.event.fact { isStanding = true }
    guard isStanding else {
      try answerBought(call, Change(first))
      return .answered
    }
    // The purchase turned the renewal on again, or (in older logs) brought a token alone: what the
    // account had then is the answer.
    guard current(call.gathered, of: account) != nil else {
      return gatherHistory(of: account, for: call)
    }
    var history = AccountHistory()
    for stored in call.gathered.events where stored.sequence <= first.sequence {
      history.apply(stored.event)
    }
    guard let standing = standing(after: first.event, asked.productID, history) else {
      throw .requestIDReused
    }
    answerPurchase(
      call, standing.transaction, line: standing.line, account: account,
      sequence: first.sequence, after: first.sequence)
    return .answered
  }

  /// What a purchase found that changed no more than its event says: the event's line, or else
  /// what the account had of the product.
  private func standing(
    after event: Event, _ productID: String, _ history: AccountHistory
  ) -> AccountHistory.Entry? {
    if case .line(_, let fact) = event.fact {
      return history.lines.first { $0.number == fact.line }.map {
        AccountHistory.Entry(transaction: $0.line.transaction, line: $0.number)
      }
    }
    guard let product = state.product(id: productID) else { return nil }
    let group = state.products[Int(product)].group
    guard group != noNumber else {
      return history.entries.last {
        $0.transaction.product == product && $0.transaction.revocation == nil
      }
    }
    let living = history.lines.last {
      $0.line.group == group && $0.line.status(at: event.at).entitles
    }
    return living.map {
      AccountHistory.Entry(transaction: $0.line.transaction, line: $0.number)
    }
  }

  private func answerPurchase(
    _ call: CallContext, _ transaction: Transaction, line: LineNumber, account: AccountNumber,
    sequence: UInt64, after last: UInt64
  ) {
    // Dated as the fact is: the same request asked again is answered with the same facts.
    let signed = signedForms(call, date: nil)
    reply(to: call.session, after: last) { writer in
      VarlinkReply.begin(&writer)
      writer.member("result", "success")
      writer.key("transaction")
      state.write(
        transaction, line: line, account: account, environment: configuration.environment,
        into: &writer)
      state.writeSigned(
        "signedTransactionInfo",
        signed?.transactionInfo(transaction, line: line, account: account), into: &writer)
      writer.member("sequence", sequence: sequence)
      VarlinkReply.end(&writer)
    }
  }

  // MARK: Finish, Unfinished

  func finish(_ asked: StoreInterface.Finish, _ call: CallContext) throws(Refusal) -> Outcome {
    let id = try Checked.transactionID(asked.transactionID, "transactionId")
    return try change(call) { fingerprint throws(Refusal) in
      try changeTransaction(id, call, fingerprint: fingerprint) { .finish($0) }
    }
  }

  func unfinished(
    _ asked: StoreInterface.Unfinished, _ call: CallContext
  ) throws(Refusal) -> Outcome {
    let key = try Checked.account(asked.account)
    guard let account = state.accounts.find(key) else {
      answerUnfinished(call.session, account: noNumber, [], signed: nil)
      return .answered
    }
    guard let history = current(call.gathered, of: account) else {
      return gatherHistory(of: account, for: call)
    }
    let entries = history.entries.filter { !$0.transaction.isFinished }
    let signed = signedForms(call, date: state.now(of: account))
    let most = signed == nil ? Limits.transactionsPerPage : Limits.signedTransactionsPerPage
    guard entries.count <= most else {
      throw .limit("more than \(most) transactions are not finished")
    }
    answerUnfinished(call.session, account: account, entries, signed: signed)
    return .answered
  }

  private func answerUnfinished(
    _ session: Session, account: AccountNumber, _ entries: [AccountHistory.Entry],
    signed: SignedForms?
  ) {
    reply(to: session, after: 0) { writer in
      VarlinkReply.begin(&writer)
      writer.key("transactions")
      writer.beginArray()
      for entry in entries {
        writer.beginObject()
        writer.key("transaction")
        state.write(
          entry.transaction, line: entry.line, account: account,
          environment: configuration.environment, into: &writer)
        let text = signed.map {
          $0.transactionInfo(entry.transaction, line: entry.line, account: account) ?? []
        }
        if text == nil { writer.member("signedTransactionInfo", "") }
        state.writeSigned("signedTransactionInfo", text, into: &writer)
        writer.endObject()
      }
      writer.endArray()
      VarlinkReply.end(&writer)
    }
  }

  /// The history that was gathered for a call, if nothing has happened to the account since.
  func current(_ gathered: Gathered, of account: AccountNumber) -> AccountHistory? {
    guard gathered.historySequence == state.accounts[account].lastSequence else { return nil }
    return gathered.history
  }

  // MARK: SetAutoRenew

  func setAutoRenew(
    _ asked: StoreInterface.SetAutoRenew, _ call: CallContext
  ) throws(Refusal) -> Outcome {
    let id = try Checked.transactionID(asked.originalID, "originalTransactionId")
    return try change(call) { fingerprint throws(Refusal) in
      guard let line = state.line(originalID: id) else { throw .rule(.subscriptionNotFound) }
      let account = state.lines[Int(line)].account
      try prepare(account, from: .reserve)
      return try carryOut(
        .setAutoRenew(line, isOn: asked.enabled), call, fingerprint: fingerprint
      ).change(orStanding: sequence(of: account))
    }
  }
}
