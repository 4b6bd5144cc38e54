/// What became of a signed fact.
public enum IngestDecision: Sendable {
  /// The events say all; the last is the fact.
  case taken
  /// It was here before, or tells the store of its own sale: nothing is new but, where an account
  /// was given, whose it is. `sequence` is the event that took it in first, 0 for the store's own.
  case duplicate(sequence: UInt64)
}

extension State {
  /// Decides a verified signed fact (Domain.md 9.1): appends the events to `events`, or refuses
  /// and leaves them alone. Nothing of it depends on the order in which facts come.
  ///
  /// - Parameter home: the daemon's own environment. What its store log sold there is known.
  func decideIngest(
    _ command: IngestCommand, home: StoreEnvironment, policies: Policies,
    into events: inout [Event]
  ) throws(Rejection) -> IngestDecision {
    if let sequence = facts.apple.sequence(of: command.identity) {
      if let key = chainKey(of: command), command.account != nil {
        try relink(key, command, policies: policies, into: &events)
      }
      return .duplicate(sequence: sequence)
    }
    if facts.role == .store, command.environment == home, let id = command.originalID, isOwn(id) {
      return .duplicate(sequence: 0)
    }
    var draft = IngestDraft(state: self)
    var fact = draft.fact(of: command, policies: policies)
    let account = try accountToBe(of: command, chain: fact.key.flatMap { facts.apple.chain($0) })
    let time = time(of: account)
    if !draft.names.isEmpty {
      events.append(
        Event(at: time.now, clock: time.clock, fact: .appStore(.namesReported(draft.names))))
    }
    fact.account = open(account, token: command.transaction?.token, time, into: &events)
    if let key = fact.key, let chain = facts.apple.chain(key) {
      fact.movedFrom = link(
        chain, to: fact.account, time, policies: policies, into: &events)
    }
    settle(&fact, at: time.now)
    events.append(Event(at: time.now, clock: time.clock, fact: .appStore(.ingested(fact))))
    return .taken
  }

  /// Decides that a chain belongs to an account. Nothing happens where it does already.
  ///
  /// - Parameter home: the daemon's own environment, whose chain comes before another's of the
  ///   same number.
  func decideLink(
    account key: [UInt8], originalID: UInt64, home: StoreEnvironment, policies: Policies,
    into events: inout [Event]
  ) throws(Rejection) {
    let order = [home] + StoreEnvironment.allCases.filter { $0 != home }
    let found = order.lazy.compactMap {
      self.facts.apple.chain(ChainKey(environment: $0, originalID: originalID))
    }.first
    guard let found else {
      guard line(originalID: originalID) == nil else {
        throw .notPossible(
          status: nil, reason: "the store sold this line itself, and it stays with its buyer")
      }
      throw .subscriptionNotFound
    }
    let account = facts.accounts.find(key).map { AccountToBe.known($0) } ?? .new(key)
    let time = time(of: account)
    let number = open(account, token: nil, time, into: &events)
    link(found, to: number, time, policies: policies, into: &events)
  }

  // MARK: Whose it is

  /// The account that a fact will belong to.
  private enum AccountToBe {
    case known(AccountNumber)
    case new([UInt8])
    case nobody
  }

  /// The one given, else the line's, else the one that holds its token, else the token itself.
  private func accountToBe(
    of command: IngestCommand, chain: AppleChain?
  ) throws(Rejection) -> AccountToBe {
    if let key = command.account { return facts.accounts.find(key).map { .known($0) } ?? .new(key) }
    if let chain, chain.account != noNumber { return .known(chain.account) }
    let tokens = [command.transaction?.token, command.renewal?.token, chain?.token]
    guard let token = tokens.lazy.compactMap({ $0 }).first else { return .nobody }
    if let holder = account(holding: token) { return .known(holder) }
    let key = Array(token.text.utf8)
    return facts.accounts.find(key).map { .known($0) } ?? .new(key)
  }

  /// The account that holds a token.
  func account(holding token: UUIDBits) -> AccountNumber? {
    if facts.role == .record { return facts.apple.tokenAccounts[token] }
    return facts.accounts.records.indices.reversed().first { index in
      index >= facts.accounts.forgotten && holds(AccountNumber(index), token)
    }.map { AccountNumber($0) }
  }

  private typealias ClockTime = (clock: ClockNumber, now: Instant)

  private func time(of account: AccountToBe) -> ClockTime {
    let clock: ClockNumber
    switch account {
    case .known(let number): clock = facts.accounts[number].clock
    case .new, .nobody: clock = clockForNewAccounts
    }
    return (clock, facts.clocks[Int(clock)].now)
  }

  /// Opens the account where there is none yet, and lets it hold the token where nobody does.
  private func open(
    _ account: AccountToBe, token: UUIDBits?, _ time: ClockTime, into events: inout [Event]
  ) -> AccountNumber {
    let free = token.flatMap { self.account(holding: $0) == nil ? $0 : nil }
    let number: AccountNumber
    let fact: Fact
    switch account {
    case .nobody:
      return noNumber
    case .known(let known):
      guard let free, !hasToken(known) else { return known }
      number = known
      fact = .account(.tokenGiven(account: known, token: free))
    case .new(let key):
      number = AccountNumber(facts.accounts.count)
      fact = .account(.accountOpened(account: number, key: key, token: free, clock: time.clock))
    }
    events.append(Event(at: time.now, clock: time.clock, fact: fact))
    return number
  }

  /// Moves a chain to an account, where it is not there already. Returns the account that it
  /// leaves; `noNumber` where none.
  @discardableResult
  private func link(
    _ chain: AppleChain, to account: AccountNumber, _ time: ClockTime, policies: Policies,
    into events: inout [Event]
  ) -> AccountNumber {
    guard chain.account != account else { return noNumber }
    if chain.account != noNumber {
      let clock = facts.accounts[chain.account].clock
      events.append(
        Event(
          at: facts.clocks[Int(clock)].now, clock: clock,
          fact: .appStore(
            .unlinked(
              UnlinkedFact(key: chain.key, account: chain.account, line: chain.line)))))
    }
    guard account != noNumber else { return chain.account }
    let leeway = leewaySeconds(policies)
    events.append(
      Event(
        at: time.now, clock: time.clock,
        fact: .appStore(
          .linked(
            LinkedFact(
              chain: chain, account: account, statusAfter: chain.status(at: time.now),
              leewaySeconds: leeway)))))
    return chain.account
  }

  /// A repeat that names an account says whose the line is all the same.
  private func relink(
    _ key: ChainKey, _ command: IngestCommand, policies: Policies, into events: inout [Event]
  ) throws(Rejection) {
    guard let chain = facts.apple.chain(key) else { return }
    let account = try accountToBe(of: command, chain: chain)
    let time = time(of: account)
    let number = open(account, token: command.transaction?.token, time, into: &events)
    link(chain, to: number, time, policies: policies, into: &events)
  }

  // MARK: What it does

  private func chainKey(of command: IngestCommand) -> ChainKey? {
    command.originalID.map { ChainKey(environment: command.environment, originalID: $0) }
  }

  /// Whether a store's log gave an id out itself.
  private func isOwn(_ id: UInt64) -> Bool {
    id >= Limits.firstTransactionID && id < facts.nextTransactionID
  }

  /// Says what a fact will have done: the line it begins or changes, the status after it, whether
  /// it came late.
  private func settle(_ fact: inout IngestedFact, at now: Instant) {
    guard let key = fact.key else { return }
    var chain = facts.apple.chain(key) ?? AppleChain(key: key, account: fact.account)
    let signed = [fact.transaction?.transaction.signedDate, fact.renewal?.renewal.signedDate]
      .compactMap { $0 }.max()
    if let signed { fact.isLate = signed < chain.newestSignedDate }
    let isBegun = chain.line != noNumber
    chain.take(fact)
    guard let current = chain.current, current.transaction.expiresDate != .never else { return }
    fact.line = isBegun ? chain.line : LineNumber(facts.lines.count)
    fact.statusAfter = chain.status(at: now)
    let outlook = chain.outlook(beside: current.transaction)
    if outlook.isGraceAssumed, fact.standing?.status?.value.status == .gracePeriod {
      fact.assumedGraceEnd = outlook.renewal.gracePeriodExpiresDate
    }
  }

  func leewaySeconds(_ policies: Policies) -> Int32 {
    Int32(clamping: policies.expiryLeeway(in: facts.role) / 1_000)
  }
}

extension AppleChain {
  /// The status of the line that shows the chain; nil where there is none.
  func status(at now: Instant) -> Status? {
    guard let current, current.transaction.expiresDate != .never else { return nil }
    return Line(showing: self, current, at: now, leewaySeconds: 0).status(at: now)
  }

  /// A token that the chain has heard of, its oldest transaction's first.
  var token: UUIDBits? {
    versions.lazy.compactMap(\.token).first ?? renewal?.token
  }
}

/// Turns what was read into what the log keeps: names become numbers, and those that have none
/// yet are collected.
private struct IngestDraft {
  let state: State
  var names = ReportedNames()

  init(state: State) {
    self.state = state
  }

  mutating func fact(of command: IngestCommand, policies: Policies) -> IngestedFact {
    var fact = IngestedFact(
      environment: command.environment, kind: command.kind, identity: command.identity)
    fact.partIdentities = command.partIdentities
    fact.originalID = command.originalID ?? 0
    fact.notification = command.notification
    fact.leewaySeconds = state.leewaySeconds(policies)
    fact.signed = command.signed
    let signed = [
      command.notification?.signedDate, command.transaction?.signedDate,
      command.renewal?.signedDate,
    ].compactMap { $0 }.max()
    if let notification = command.notification, let signed {
      let standing = notification.standing(
        beside: command.renewal, hasTransaction: command.transaction != nil, at: signed,
        graceDays: policies.graceDays > 0 ? policies.graceDays : Limits.assumedGraceDays)
      fact.standing = standing.isEmpty ? nil : standing
    }
    if let reported = command.transaction {
      fact.group = reported.groupID.map { text($0) } ?? noNumber
      var version = version(of: reported)
      if let signed, command.notification?.takesBack ?? false { version.takeBack(at: signed) }
      fact.transaction = version
    }
    if let reported = command.renewal {
      fact.renewal = version(of: reported, beside: command.transaction)
    }
    return fact
  }

  private mutating func version(of reported: ReportedTransaction) -> TransactionVersion {
    let product = product(reported.productID, type: reported.type, groupID: reported.groupID)
    var transaction = Transaction(
      id: reported.id, originalID: reported.originalID,
      webOrderLineItemID: reported.webOrderLineItemID, purchaseDate: reported.purchaseDate,
      expiresDate: reported.expiresDate, signedDate: reported.signedDate,
      price: reported.price ?? 0, product: product, quantity: reported.quantity,
      storefront: storefront(reported.storefront ?? "", currency: reported.currency ?? ""),
      reason: reported.reason, ownership: reported.ownership,
      offer: reported.offer.map { applied($0) })
    transaction.isUpgraded = reported.isUpgraded
    transaction.revocation = reported.revocation
    // What the device has delivered is not in the fact, and nobody is to deliver it again.
    transaction.isFinished = true
    var fields = reported.fields
    if fields?.isPlain(.type) ?? false, type(of: product) != reported.type {
      fields?.put(.type, .number(Int64(reported.type.rawValue)))
    }
    return TransactionVersion(
      transaction: transaction, originalPurchaseDate: reported.originalPurchaseDate,
      token: reported.token, digest: reported.digest, fields: fields)
  }

  private mutating func version(
    of reported: ReportedRenewal, beside transaction: ReportedTransaction?
  ) -> RenewalVersion {
    let type = transaction?.type ?? .autoRenewable
    let product = reported.autoRenewProductID.map {
      self.product($0, type: type, groupID: transaction?.groupID)
    }
    var renewal = RenewalInfo(
      autoRenewProduct: product ?? noNumber, autoRenews: reported.autoRenews ?? false,
      renewalDate: reported.renewalDate ?? .never, renewalPrice: reported.renewalPrice ?? 0,
      recentSubscriptionStartDate: reported.recentSubscriptionStartDate ?? .never,
      signedDate: reported.signedDate)
    renewal.isInBillingRetry = reported.isInBillingRetry ?? false
    renewal.expirationIntent = reported.expirationIntent
    renewal.gracePeriodExpiresDate = reported.gracePeriodExpiresDate
    renewal.priceIncreaseStatus = reported.priceIncreaseStatus
    renewal.offer = reported.offer.map { applied($0) }
    var fields = reported.fields
    if reported.autoRenews == nil, fields?.isPlain(.autoRenewStatus) ?? true {
      fields = fields ?? ToldFields()
      fields?.leaveOut(.autoRenewStatus)
    }
    return RenewalVersion(
      renewal: renewal, token: reported.token, digest: reported.digest, fields: fields)
  }

  private mutating func applied(_ offer: ReportedOffer) -> AppliedOffer {
    AppliedOffer(
      kind: offer.kind, paymentMode: offer.paymentMode, period: offer.period,
      identifier: offer.identifier.map { text($0) } ?? noNumber)
  }

  private mutating func text(_ text: String) -> UInt32 {
    if let number = state.textNumbers[text] { return number }
    if let place = names.texts.firstIndex(of: text) {
      return UInt32(state.texts.count + place)
    }
    names.texts.append(text)
    return UInt32(state.texts.count + names.texts.count - 1)
  }

  private mutating func product(
    _ id: String, type: ProductType, groupID: String?
  ) -> ProductNumber {
    if let number = state.productNumbers[id] { return number }
    if let place = names.products.firstIndex(where: { $0.id == id }) {
      return ProductNumber(state.products.count + place)
    }
    if let groupID { _ = text(groupID) }
    names.products.append(.init(id: id, type: type, groupID: groupID))
    return ProductNumber(state.products.count + names.products.count - 1)
  }

  /// The type that a product's number stands for, new numbers included.
  private func type(of product: ProductNumber) -> ProductType {
    Int(product) < state.products.count
      ? state.products[Int(product)].entry.type
      : names.products[Int(product) - state.products.count].type
  }

  private mutating func storefront(_ country: String, currency: String) -> UInt16 {
    if let number = Storefront.number(country: country),
      Storefront.all[Int(number)].currency == currency
    {
      return number
    }
    let wanted = ReportedNames.Storefront(country: country, currency: currency)
    let first = Int(AppleRecord.firstReportedStorefront)
    if let place = state.apple.storefronts.firstIndex(of: wanted) { return UInt16(first + place) }
    let known = first + state.apple.storefronts.count
    guard known + names.storefronts.count < Limits.storefrontNumberMax else {
      return Storefront.number(country: country) ?? state.defaultStorefront
    }
    if let place = names.storefronts.firstIndex(of: wanted) { return UInt16(known + place) }
    names.storefronts.append(wanted)
    return UInt16(known + names.storefronts.count - 1)
  }
}

extension TransactionVersion {
  /// A notification's type says that it was taken back: where it does not say when itself, at the
  /// latest when that was signed. What was not told stays so.
  fileprivate mutating func takeBack(at date: Instant) {
    guard transaction.revocation == nil else { return }
    transaction.revocation = Revocation(
      date: date, type: transaction.ownership == .familyShared ? .familyRevoke : .refundFull,
      reason: 0, percentage: Revocation.whole)
    var told = fields ?? ToldFields()
    for field in ToldField.ofRevocation where told.isPlain(field) { told.leaveOut(field) }
    fields = told
  }
}
