import Contract
import JSON
import Subscriptions
import Varlink

/// `org.renewd.Membership`: who is a member, now and at other moments.
extension Engine {
  // MARK: What is asked for

  /// The environment that a question is about: the daemon's own unless it names another.
  func environment(named name: String?) throws(Refusal) -> String {
    guard let name else { return configuration.environment }
    guard StoreEnvironment(wireName: name) != nil else {
      let names = StoreEnvironment.allCases.map(\.wireName).joined(separator: ", ")
      throw .value("environment", "no environment is called \(name); say one of \(names)")
    }
    return name
  }

  /// The products a question is about; nil for all.
  func wanted(
    productID: String?, entitlement: String?
  ) throws(Refusal) -> Set<ProductNumber>? {
    var wanted: Set<ProductNumber>?
    if let id = productID {
      guard let number = state.product(id: id) else {
        throw .rule(
          .productNotFound(productID: id, nearest: state.nearestProducts(to: id)))
      }
      wanted = [number]
    }
    if let entitlement {
      let granting = try products(granting: entitlement)
      wanted = wanted.map { $0.intersection(granting) } ?? granting
    }
    return wanted
  }

  /// An entitlement's products, by configuration; without one each product is its own.
  private func products(granting name: String) throws(Refusal) -> Set<ProductNumber> {
    if let entitlement = configuration.entitlements.first(where: { $0.name == name }) {
      return Set(entitlement.productIDs.compactMap { state.product(id: $0) })
    }
    guard let number = state.product(id: name) else {
      throw .value(
        "entitlement", "no entitlement and no product is called \(name); see renewd.conf")
    }
    return [number]
  }

  /// The sequence that an account's answer shows, and must be durable.
  func sequence(of account: AccountNumber) -> UInt64 {
    let record = state.accounts[account]
    let needed = max(record.lastSequence, state.clocks[Int(record.clock)].lastSequence)
    return max(needed, durable)
  }

  /// The same of an account by its name; of one never seen, what is durable.
  func sequence(ofKey key: [UInt8]) -> UInt64 {
    state.accounts.find(key).map { sequence(of: $0) } ?? durable
  }

  // MARK: Status

  func membershipStatus(
    _ asked: MembershipInterface.Status, _ call: CallContext
  ) throws(Refusal) -> Outcome {
    let key = try Checked.account(asked.account)
    let wanted = try wanted(productID: asked.productID, entitlement: asked.entitlement)
    let environment = try environment(named: asked.environment)
    let moment = try Checked.time(asked.at, "at")
    guard let account = state.accounts.find(key) else {
      let clock = state.clocks[Int(state.clockForNewAccounts)]
      reply(to: call.session, after: 0) { writer in
        writeNobody(key, at: moment, clock: clock, into: &writer)
      }
      return .answered
    }
    let now = state.now(of: account)
    try refuseSignedElsewhere(asked, now: now)
    guard let at = moment, at != now else {
      let view = AccountView(
        state: state, books.terms, account: account, wanted: wanted, environment: environment,
        home: configuration.environment)
      if asked.signed == true,
        let waiting = gatherTexts(
          textSequences(lines: view.lines.map { $0.number }, purchases: view.purchases), for: call)
      {
        return waiting
      }
      answerStatus(call, view, account: account, asOf: now, basis: "present")
      return .answered
    }
    guard at > now else {
      return try pastStatus(call, account, at: at, wanted: wanted, environment: environment)
    }
    let forecast: Forecast
    do throws(Rejection) {
      forecast = try state.forecast(
        account: account, until: at, policies: configuration.policies)
    } catch {
      throw .rule(error)
    }
    var view = AccountView(
      state: state, books.terms, account: account, wanted: wanted, environment: environment,
      home: configuration.environment)
    view.isPresent = false
    view.lines = forecast.lines.reversed().filter { view.isWanted($0.line) }
    answerStatus(call, view, account: account, asOf: at, basis: "forecast")
    return .answered
  }

  /// The fold of the account's events up to a moment in the past.
  private func pastStatus(
    _ call: CallContext, _ account: AccountNumber, at: Instant, wanted: Set<ProductNumber>?,
    environment: String
  ) throws(Refusal) -> Outcome {
    guard call.gathered.history != nil,
      call.gathered.historySequence == state.accounts[account].lastSequence
    else { return gatherHistory(of: account, for: call) }
    var history = AccountHistory()
    for stored in call.gathered.events where stored.event.at <= at { history.apply(stored.event) }
    let view = AccountView(
      state: state, books.terms, history: history, wanted: wanted, environment: environment,
      home: configuration.environment)
    answerStatus(call, view, account: account, asOf: at, basis: "past")
    return .answered
  }

  private func answerStatus(
    _ call: CallContext, _ view: AccountView, account: AccountNumber, asOf: Instant,
    basis: String
  ) {
    let sequence = self.sequence(of: account)
    let environment = configuration.environment
    var signed = signedForms(call, date: asOf)
    signed?.texts = SignedTexts(call.gathered.texts)
    reply(to: call.session, after: sequence) { writer in
      VarlinkReply.begin(&writer)
      writer.key("account")
      state.accounts.withKey(account) { writer.string(utf8: Span(_unsafeElements: $0)) }
      writer.member("entitled", flag: view.isEntitled(at: asOf))
      writer.key("subscriptions")
      writer.beginArray()
      for (number, line) in view.lines {
        state.writeSubscription(
          number, line, books.terms, told: view.chain(of: line), at: view.moment(of: line, asOf),
          forecast: basis == "forecast", environment: environment, signed: signed, into: &writer)
      }
      writer.endArray()
      writer.key("purchases")
      writer.beginArray()
      for transaction in view.purchases {
        state.write(
          transaction, line: noNumber, account: account, environment: view.environment,
          told: view.version(of: transaction), signed: signed, into: &writer)
      }
      writer.endArray()
      writer.member("sequence", sequence: sequence)
      writer.member("asOf", asOf)
      writer.member("clock", state.clocks[Int(state.accounts[account].clock)].name)
      writer.member("basis", basis)
      VarlinkReply.end(&writer)
    }
  }

  /// The answer about an account that was never seen.
  private func writeNobody(
    _ key: [UInt8], at: Instant?, clock: Clock, into writer: inout JSONWriter
  ) {
    let asOf = at ?? clock.now
    VarlinkReply.begin(&writer)
    writer.key("account")
    writer.string(utf8: key.span)
    writer.member("entitled", flag: false)
    writer.key("subscriptions")
    writer.beginArray()
    writer.endArray()
    writer.key("purchases")
    writer.beginArray()
    writer.endArray()
    writer.member("sequence", sequence: durable)
    writer.member("asOf", asOf)
    writer.member("clock", clock.name)
    writer.member(
      "basis", asOf == clock.now ? "present" : asOf < clock.now ? "past" : "forecast")
    VarlinkReply.end(&writer)
  }

  // MARK: Check

  func check(_ asked: MembershipInterface.Check, _ call: CallContext) throws(Refusal) -> Outcome {
    let key = try Checked.account(asked.account)
    let wanted = try wanted(productID: asked.productID, entitlement: asked.entitlement)
    writeCheck(state.accounts.find(key), wanted: wanted, to: call.session)
    return .answered
  }

  /// The poller's call, straight from its bytes: nil names, escapes and anything unusual go the
  /// long way round, which says what is wrong.
  func answerCheck(
    _ call: VarlinkCall, _ message: Span<UInt8>, _ session: Session
  ) throws(Refusal) -> Bool {
    guard let range = call.parameters else { return false }
    let parameters = message.extracting(range)
    guard let account = onlyAccount(parameters) else { return false }
    let key = parameters.extracting(account)
    guard !key.isEmpty, key.count <= Subscriptions.Limits.accountBytesMax else { return false }
    for index in 0..<key.count where key[index] >= 0x7f { return false }
    writeCheck(state.accounts.find(key), wanted: nil, to: session)
    return true
  }

  /// The range of the account in parameters that hold nothing else.
  private func onlyAccount(_ parameters: Span<UInt8>) -> Range<Int>? {
    do throws(JSONError) {
      var scanner = JSONScanner(parameters, depthMax: VarlinkLimits.depthMax)
      try scanner.beginObject()
      guard try scanner.nextKey() != nil, scanner.keyEquals("account"),
        let range = try scanner.stringRange(), try scanner.nextKey() == nil
      else { return nil }
      return range
    } catch {
      return nil
    }
  }

  private func writeCheck(
    _ account: AccountNumber?, wanted: Set<ProductNumber>?, to session: Session
  ) {
    let found = account.map { access(of: $0, wanted: wanted) } ?? Access()
    let sequence = account.map { self.sequence(of: $0) } ?? durable
    reply(to: session, after: sequence) { writer in
      VarlinkReply.begin(&writer)
      writer.member("entitled", flag: found.isEntitled)
      if let status = found.status { writer.member("status", int: Int64(status.rawValue)) }
      if let until = found.until { writer.member("until", until) }
      writer.member("sequence", sequence: sequence)
      VarlinkReply.end(&writer)
    }
  }
}
