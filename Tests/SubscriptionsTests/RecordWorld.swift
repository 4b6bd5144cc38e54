import Subscriptions

/// A record log without a daemon: the rules and their books, fed with signed facts.
struct RecordWorld {
  private let books: Books
  private var journal = ScenarioLog()
  var state: State { books.state }
  var log: [Event] { journal.events }
  var policies: Policies {
    get { books.policies }
    nonmutating set { books.adopt(newValue) }
  }
  var home = StoreEnvironment.sandbox

  init(role: Role = .record, leewayMilliseconds: Int64? = 0) {
    var policies = Policies()
    policies.expiryLeewayMilliseconds = leewayMilliseconds
    books = Books(State(), policies: policies)
    append(
      Event(
        at: Instant(milliseconds: .min), clock: Clock.system,
        fact: .log(.logCreated(role: role, seed: UUIDBits(high: 1, low: 2)))))
  }

  mutating func makeClock(_ name: String = Clock.defaultName, at time: Instant) throws {
    try take(.createClock(name: name, at: time))
  }

  private mutating func append(_ event: Event) {
    precondition(state.accepts(event), "the state does not take \(event)")
    books.commit(event, into: &journal)
  }

  /// Takes a fact in; what it came to.
  @discardableResult
  mutating func submit(_ command: IngestCommand) throws -> IngestDecision {
    guard let came = try take(.ingest(command)).ingest else {
      preconditionFailure("a signed fact comes to something")
    }
    return came
  }

  mutating func link(_ account: String, _ originalID: UInt64) throws {
    try take(.link(account: Array(account.utf8), originalID: originalID))
  }

  @discardableResult
  private mutating func take(_ command: Command) throws(Rejection) -> Decision {
    let decision = try state.decide(command, Moment(policies, home: home))
    for event in decision.events { append(event) }
    return decision
  }

  /// Moves the clock on; returns what time did on the way.
  @discardableResult
  mutating func advance(_ name: String = Clock.defaultName, to target: Instant) throws -> [Event] {
    let clock = state.clock(named: name)!
    let count = log.count
    try books.advance(clock, to: target, into: &journal)
    let left = ScenarioLog.first(on: clock, of: state, policies.terms)
    precondition(left.map { $0.time > target } ?? true, "something was due and did not happen")
    // Between its start and its end.
    return log.count > count ? Array(log[(count + 1)..<(log.count - 1)]) : []
  }

  func account(_ name: String) -> AccountNumber? {
    state.accounts.find(Array(name.utf8).span)
  }

  /// An account's lines of an environment, its first before its newest.
  func lines(of name: String, in environment: StoreEnvironment? = nil) -> [Line] {
    guard let account = account(name) else { return [] }
    var found: [Line] = []
    state.forEachLine(of: account) { _, line in
      if line.environment == environment ?? home { found.append(copy line) }
    }
    return found.reversed()
  }

  func line(_ originalID: UInt64, in environment: StoreEnvironment? = nil) -> Line? {
    let key = ChainKey(environment: environment ?? home, originalID: originalID)
    guard let chain = state.apple.chain(key), chain.line != noNumber else { return nil }
    return state.lines[Int(chain.line)]
  }

  func history(of name: String) -> AccountHistory {
    var history = AccountHistory()
    guard let account = account(name) else { return history }
    for event in log where event.fact.account == account { history.apply(event) }
    return history
  }

  /// Whether the account has access at a moment, by anything of the daemon's own environment.
  func isEntitled(_ name: String, at now: Instant) -> Bool {
    lines(of: name).contains { $0.isEntitling(at: now) }
  }
}

/// Facts as tests write them.
enum Told {
  /// A digest that follows from the numbers, so that equal facts have equal ones.
  static func digest(_ numbers: Int64...) -> PayloadDigest {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for number in numbers {
      hash = (hash ^ UInt64(bitPattern: number)) &* 0x100_0000_01b3
      hash ^= hash >> 29
    }
    return PayloadDigest(hash, hash &* 3, hash &* 5, hash &* 7)
  }

  static func transaction(
    _ id: UInt64, of original: UInt64, _ product: String = "silver.m", from purchase: String,
    until expires: String?, signed: String
  ) throws -> ReportedTransaction {
    var fact = ReportedTransaction(
      id: id, originalID: original, productID: product,
      type: expires == nil ? .nonConsumable : .autoRenewable, purchaseDate: try .at(purchase),
      signedDate: try .at(signed),
      digest: digest(Int64(id), try Instant.at(signed).milliseconds))
    fact.groupID = expires == nil ? nil : "G1"
    fact.expiresDate = try expires.map { try .at($0) } ?? .never
    fact.webOrderLineItemID = expires == nil ? 0 : id + 900
    fact.price = 4990
    fact.currency = "USD"
    fact.storefront = "USA"
    return fact
  }

  static func renewal(
    of original: UInt64, _ product: String = "silver.m", on: Bool = true, signed: String
  ) throws -> ReportedRenewal {
    ReportedRenewal(
      originalID: original, autoRenewProductID: product, autoRenews: on,
      signedDate: try .at(signed),
      digest: digest(Int64(original), try Instant.at(signed).milliseconds, on ? 1 : 0))
  }

  /// What is submitted: a notification where `type` says one, else the one fact by itself.
  static func command(
    _ type: String? = nil, _ subtype: String? = nil, number: UInt64,
    transaction: ReportedTransaction? = nil, renewal: ReportedRenewal? = nil,
    status: Status? = nil, account: String? = nil, environment: StoreEnvironment = .sandbox,
    isKnown: Bool = true, signed: Instant? = nil
  ) -> IngestCommand {
    var command = IngestCommand(
      account: account.map { Array($0.utf8) }, environment: environment,
      kind: type != nil ? .notification : transaction != nil ? .transaction : .renewalInfo,
      identity: UUIDBits(high: 0xfac7, low: number),
      notification: type.map {
        ReportedNotification(type: $0, subtype: subtype, isKnown: isKnown, status: status)
      }, transaction: transaction, renewal: renewal, signed: Array("signed \(number)".utf8))
    command.notification?.signedDate = signed
    return command
  }
}
