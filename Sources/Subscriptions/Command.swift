/// A transaction that a command is about, and whose it is.
public struct OwnedTransaction: Hashable, Sendable {
  public var transactionID: UInt64
  public var account: AccountNumber

  public init(_ transactionID: UInt64, of account: AccountNumber) {
    self.transactionID = transactionID
    self.account = account
  }
}

/// Everything that may be asked of the rules: its texts resolved, its lines, transactions and
/// accounts found. `State.decide` says what it comes to.
public enum Command: Sendable {
  // What customers do.
  case purchase(PurchaseCommand)
  case setAutoRenew(LineNumber, isOn: Bool)
  case consent(LineNumber)
  case declineIncrease(LineNumber)
  case finish(OwnedTransaction)
  case requestRefund(OwnedTransaction)
  case restore(AccountNumber)
  // What the store does to a subscription or a purchase.
  case refund(OwnedTransaction, percentage: Int64?, reason: Int64?)
  case reverseRefund(OwnedTransaction)
  case declineRefund(OwnedTransaction)
  case forceRenewal(LineNumber)
  case expire(LineNumber)
  case resolveBilling(LineNumber)
  case extend(LineNumber, days: Int64, reason: Int64)
  // What reaches all who have a product.
  case increasePrice(productID: String, price: Int64, needsConsent: Bool)
  case extendAll(
    productID: String, days: Int64, reason: Int64, identifier: String, storefronts: [String]?)
  case removeFromSale(productID: String)
  // A tester's switches, and the purchases that wait because of them.
  case setBilling(AccountNumber, fails: Bool)
  case setBillingOfAll(fails: Bool)
  case setSwitch(TesterSwitch, account: [UInt8]?, isOn: Bool)
  case setSimulatedError(SimulatedAPI, SimulatedError?)
  case setRate(RenewalRate?)
  case completePending(id: UInt64, PendingReason)
  case declinePending(id: UInt64, PendingReason)
  case reset
  // Families.
  case share(purchaser: [UInt8], member: [UInt8])
  case endSharing(purchaser: [UInt8], member: [UInt8]?, SharingEnd)
  // Clocks.
  case createClock(name: String, at: Instant)
  case advance(ClockNumber, to: Instant)
  case attach(account: [UInt8], ClockNumber)
  case acceptClock(ClockNumber)
  // What is sold, and by whose keys offers are signed.
  case importCatalogue(Catalogue, source: String, digest: UInt64, isAsked: Bool)
  case importOfferKeys([OfferKey], source: String)
  // What the App Store signed, and whose it is.
  case ingest(IngestCommand)
  case link(account: [UInt8], originalID: UInt64)
}

/// What a decision goes by beside the state.
public struct Moment {
  public var policies: Policies
  /// The history of the account that a transaction is of; commands about one need it.
  public var history: AccountHistory?
  /// The daemon's own environment, of which signed facts without a word of it are.
  public var home: StoreEnvironment

  public init(
    _ policies: Policies, history: AccountHistory? = nil, home: StoreEnvironment = .sandbox
  ) {
    self.policies = policies
    self.history = history
    self.home = home
  }
}

/// What a command comes to.
public struct Decision {
  /// What happens, in its order; nothing where all is so already.
  public var events: [Event] = []
  /// Which of the events is the request's own: a repeated request is answered from it.
  public var main = 0
  /// What a purchase, or one that waited, found.
  public var purchase: PurchaseDecision?
  /// What became of a signed fact.
  public var ingest: IngestDecision?

  public init() {}
}

extension State {
  /// What a command comes to now, or why it is refused; nothing changes.
  public func decide(_ command: Command, _ moment: Moment) throws(Rejection) -> Decision {
    var decision = Decision()
    let policies = moment.policies
    switch command {
    case .purchase(let purchase):
      decision.purchase = try decidePurchase(
        purchase, policies: policies, into: &decision.events)
      decision.main = decision.events.firstIndex { !$0.isPreliminary } ?? 0
    case .setAutoRenew(let line, let isOn):
      try decideAutoRenew(line: line, enabled: isOn, into: &decision.events)
    case .consent(let line):
      try decideConsent(line: line, into: &decision.events)
      decision.noteSold()
    case .declineIncrease(let line):
      try decideNoConsent(line: line, into: &decision.events)
      decision.noteSold()
    case .finish(let sold):
      try decideFinish(
        sold.transactionID, account: sold.account, history: try moment.known(),
        into: &decision.events)
    case .requestRefund(let sold):
      try decideRefundRequest(
        of: sold.transactionID, account: sold.account, history: try moment.known(),
        into: &decision.events)
    case .restore(let account):
      try decideRestore(account, into: &decision.events)
    case .refund(let sold, let percentage, let reason):
      try decideRefund(
        of: sold.transactionID, account: sold.account, history: try moment.known(),
        percentage: percentage, reason: reason, into: &decision.events)
    case .reverseRefund(let sold):
      try decideRefundReversal(
        of: sold.transactionID, account: sold.account, history: try moment.known(),
        into: &decision.events)
    case .declineRefund(let sold):
      try decideRefundRefusal(
        of: sold.transactionID, account: sold.account, history: try moment.known(),
        into: &decision.events)
    case .forceRenewal(let line):
      try decideForcedRenewal(line: line, policies: policies, into: &decision.events)
      decision.noteSold()
    case .expire(let line):
      try decideExpiry(line: line, into: &decision.events)
      decision.noteSold()
    case .resolveBilling(let line):
      try decideRecovery(line: line, policies: policies, into: &decision.events)
      decision.noteSold()
    case .extend(let line, let days, let reason):
      try decideExtension(
        line: line, days: days, reason: reason, policies: policies, into: &decision.events)
      decision.noteSold()
    case .increasePrice(let productID, let price, let needsConsent):
      decision.events = [
        try decidePriceIncrease(productID: productID, price: price, needsConsent: needsConsent)
      ]
    case .extendAll(let productID, let days, let reason, let identifier, let storefronts):
      decision.add(
        try decideMassExtension(
          productID: productID, days: days, reason: reason, identifier: identifier,
          storefronts: storefronts))
    case .removeFromSale(let productID):
      decision.add(try decideRemoval(productID: productID))
    case .setBilling(let account, let fails):
      try decideBilling(account: account, fails: fails, into: &decision.events)
    case .setBillingOfAll(let fails):
      try decideBillingOfAll(fails: fails, into: &decision.events)
      decision.noteLast()
    case .setSwitch(let kind, let account, let isOn):
      try decideSwitch(kind, account: account, isOn: isOn, into: &decision.events)
      decision.noteLast()
    case .setSimulatedError(let api, let error):
      try decideSimulatedError(error, of: api, into: &decision.events)
      decision.noteLast()
    case .setRate(let rate):
      try decideRate(rate, into: &decision.events)
      decision.noteLast()
    case .completePending(let id, let reason):
      decision.purchase = try decideApproval(
        of: id, reason, policies: policies, into: &decision.events)
      decision.main = decision.events.firstIndex { $0.fact.sold != nil } ?? 0
    case .declinePending(let id, let reason):
      try decideRefusal(of: id, reason, into: &decision.events)
    case .reset:
      decision.events = [try decideReset()]
    case .share(let purchaser, let member):
      try decideSharing(from: purchaser, to: member, into: &decision.events)
      decision.main = decision.events.firstIndex { !$0.isPreliminary } ?? 0
    case .endSharing(let purchaser, let member, let cause):
      try decideSharingEnd(from: purchaser, with: member, cause, into: &decision.events)
      decision.main = decision.events.firstIndex { !$0.isPreliminary } ?? 0
    case .createClock(let name, let time):
      decision.events = [try decideClock(named: name, at: time)]
    case .advance(let clock, let target):
      decision.add(try decideAdvance(clock: clock, to: target))
    case .attach(let account, let clock):
      try decideAttach(account: account, to: clock, into: &decision.events)
    case .acceptClock(let clock):
      decision.events = [try decideAcceptance(of: clock)]
    case .importCatalogue(let catalogue, let source, let digest, let isAsked):
      decision.add(
        onSystemClock(
          try decideImport(catalogue, source: source, digest: digest, isAsked: isAsked)))
    case .importOfferKeys(let keys, let source):
      decision.add(onSystemClock(decideOfferKeys(keys, source: source)))
    case .ingest(let fact):
      decision.ingest = try decideIngest(
        fact, home: moment.home, policies: policies, into: &decision.events)
      decision.noteLast()
    case .link(let account, let originalID):
      try decideLink(
        account: account, originalID: originalID, home: moment.home, policies: policies,
        into: &decision.events)
      decision.noteLast()
    }
    return decision
  }

  private func onSystemClock(_ fact: Fact?) -> Event? {
    fact.map { Event(at: facts.clocks[Int(Clock.system)].now, clock: Clock.system, fact: $0) }
  }
}

extension Decision {
  fileprivate mutating func add(_ event: Event?) {
    if let event { events.append(event) }
  }

  /// The last event is the request's own.
  fileprivate mutating func noteLast() { main = max(0, events.count - 1) }

  /// The last event about something sold is the request's own.
  fileprivate mutating func noteSold() {
    main = events.lastIndex { $0.fact.sold != nil } ?? 0
  }
}

extension Moment {
  fileprivate func known() throws(Rejection) -> AccountHistory {
    guard let history else { throw .transactionNotFound }
    return history
  }
}

extension Event {
  /// Whether it only prepares the account for what a command is about.
  public var isPreliminary: Bool {
    let preliminary: [AccountKind] = [.accountOpened, .tokenGiven, .offerNonceUsed]
    return preliminary.contains { .account($0) == fact.kind }
  }
}
