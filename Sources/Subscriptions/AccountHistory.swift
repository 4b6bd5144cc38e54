/// All that happened to one account, folded from its own chain of events, oldest first: every
/// transaction it ever had, and its lines as they stood after the last event taken in.
public struct AccountHistory: Sendable {
  /// One transaction with the line it belongs to (`noNumber` outside a subscription).
  public struct Entry: Hashable, Sendable {
    public var transaction: Transaction
    public var line: LineNumber
    /// The environment that a signed fact told of it; nil for what the store sold itself.
    public var environment: StoreEnvironment?
    /// The appAccountToken that the fact carries.
    public var token: UUIDBits?

    public init(transaction: Transaction, line: LineNumber) {
      self.transaction = transaction
      self.line = line
    }
  }

  /// What the store sold itself.
  private var own: [Entry] = []
  /// What signed facts told.
  private var chains: [AppleChain] = []
  public private(set) var lines: [(number: LineNumber, line: Line)] = []
  private var indices: [UInt64: Int] = [:]

  public init() {}

  /// All of them, oldest first.
  public var entries: [Entry] {
    guard !chains.isEmpty else { return own }
    let told = chains.flatMap { chain in chain.periods.map { entry($0, of: chain) } }
    return (own + told).sorted {
      ($0.transaction.purchaseDate, $0.transaction.id)
        < ($1.transaction.purchaseDate, $1.transaction.id)
    }
  }

  /// The transaction of an id. Several ids of one period find the same, under its newest id.
  public func entry(id: UInt64) -> Entry? {
    if let index = indices[id] { return own[index] }
    for chain in chains {
      if let period = chain.period(id: id) { return entry(period, of: chain) }
    }
    return nil
  }

  /// What signed facts told of an original transaction.
  public func chain(_ key: ChainKey) -> AppleChain? {
    chains.first { $0.key == key }
  }

  private func entry(_ version: TransactionVersion, of chain: AppleChain) -> Entry {
    var transaction = version.transaction
    transaction.originalID = chain.key.originalID
    var entry = Entry(transaction: transaction, line: chain.line)
    entry.environment = chain.key.environment
    entry.token = version.token
    return entry
  }

  /// The transaction whose period runs at a moment. Where a renewal was paid ahead of its time,
  /// that is not the line's newest one (Domain.md 8, case 2).
  public func current(of line: LineNumber, at now: Instant) -> Transaction? {
    entries.last {
      $0.line == line && !$0.transaction.isUpgraded && $0.transaction.purchaseDate <= now
        && now < $0.transaction.expiresDate
    }?.transaction
  }

  /// Takes in the account's next event, completed (see `State.complete`).
  public mutating func apply(_ event: Event) {
    switch event.fact {
    case .line(let kind, let fact):
      apply(kind, fact, at: event.at)
    case .purchase(.restored, let fact):
      rename(fact.transaction.originalID, fact.transaction, line: noNumber)
    case .purchase(_, let fact):
      put(fact.transaction, line: noNumber)
    case .account(.finished(_, _, let transactionID)):
      finish(transactionID)
    case .appStore(.ingested(let fact)):
      apply(fact, at: event.at)
    case .appStore(.linked(let fact)):
      apply(fact, at: event.at)
    case .appStore(.unlinked(let fact)):
      chains.removeAll { $0.key == fact.key }
      lines.removeAll { $0.number == fact.line }
    case .tester(.billingChanged(_, let fails)):
      for index in lines.indices
      where lines[index].line.owes && lines[index].line.transaction.ownership == .purchased {
        lines[index].line.notePayments(fail: fails, at: event.at)
      }
    case .log, .account, .clock, .catalogue, .product, .tester, .appStore:
      break
    }
  }

  private mutating func apply(_ fact: IngestedFact, at: Instant) {
    guard let key = fact.key else { return }
    let place = place(of: key, account: fact.account)
    chains[place].take(fact)
    if fact.group != noNumber { chains[place].group = fact.group }
    if fact.line != noNumber { chains[place].line = fact.line }
    show(chains[place], at: at, leewaySeconds: fact.leewaySeconds)
  }

  private mutating func apply(_ fact: LinkedFact, at: Instant) {
    let place = place(of: fact.key, account: fact.account)
    for version in fact.versions { chains[place].take(version) }
    if let version = fact.renewal { chains[place].take(version) }
    chains[place].take(fact.standing)
    chains[place].group = fact.group
    chains[place].line = fact.line
    show(chains[place], at: at, leewaySeconds: fact.leewaySeconds)
  }

  private mutating func place(of key: ChainKey, account: AccountNumber) -> Int {
    if let place = chains.firstIndex(where: { $0.key == key }) { return place }
    chains.append(AppleChain(key: key, account: account))
    return chains.count - 1
  }

  private mutating func show(_ chain: AppleChain, at: Instant, leewaySeconds: Int32) {
    guard chain.line != noNumber, let current = chain.current else { return }
    let line = Line(showing: chain, current, at: at, leewaySeconds: leewaySeconds)
    if let known = lines.firstIndex(where: { $0.number == chain.line }) {
      lines[known].line = line
    } else {
      lines.append((chain.line, line))
    }
  }

  private mutating func finish(_ transactionID: UInt64) {
    guard let index = indices[transactionID] else { return }
    own[index].transaction.isFinished = true
    let newest = own[index].transaction.id
    for line in lines.indices where lines[line].line.transaction.id == newest {
      lines[line].line.transaction.isFinished = true
    }
  }

  private mutating func apply(_ kind: LineKind, _ fact: LineFact, at: Instant) {
    let known = lines.firstIndex { $0.number == fact.line }
    if kind == .restored, let known, let transaction = fact.transaction {
      rename(lines[known].line.transaction.id, transaction, line: fact.line)
      lines[known].line.apply(kind, fact, at: at)
      return
    }
    if let known {
      let old = lines[known].line.transaction
      if let new = fact.transaction, new.id > old.id, let index = indices[old.id] {
        if kind == .upgraded {
          own[index].transaction.isUpgraded = true
        } else if kind == .renewed, new.purchaseDate < old.expiresDate {
          own[index].transaction.expiresDate = new.purchaseDate
        }
      }
      lines[known].line.apply(kind, fact, at: at)
    } else if let transaction = fact.transaction, let renewal = fact.renewal {
      let line = Line(
        account: fact.account, group: fact.group, nextOfAccount: noNumber,
        transaction: transaction, renewal: renewal)
      lines.append((fact.line, line))
    }
    if let transaction = fact.transaction { put(transaction, line: fact.line) }
  }

  /// What was restored has another id, and keeps those it had as its names.
  private mutating func rename(_ old: UInt64, _ transaction: Transaction, line: LineNumber) {
    if let index = indices[old] { indices[transaction.id] = index }
    put(transaction, line: line)
  }

  private mutating func put(_ transaction: Transaction, line: LineNumber) {
    if let index = indices[transaction.id] {
      own[index].transaction = transaction
    } else {
      indices[transaction.id] = own.count
      own.append(Entry(transaction: transaction, line: line))
    }
  }
}

extension State {
  /// Fills in what an event's record leaves out because the line already says it: the account,
  /// the group, the original id. Events come from the log without them.
  ///
  /// - Parameter sequence: the event's.
  public func complete(_ event: inout Event, at sequence: UInt64) {
    completeTokens(&event, at: sequence)
    // A line of the App Store's may change hands: its events say whose it was.
    guard case .line(let kind, var fact) = event.fact, kind != .statusPassed else { return }
    complete(&fact, at: sequence)
    event.fact = .line(kind, fact)
  }

  /// The same for a line's fact alone.
  public func complete(_ fact: inout LineFact, at sequence: UInt64) {
    if Int(fact.line) < facts.lines.count {
      let line = facts.lines[Int(fact.line)]
      fact.account = line.account
      fact.group = line.group
      fact.transaction?.originalID = line.transaction.originalID
      // Older records do not say it; all that renews had that of its newest transaction.
      if fact.renewal?.storefront == noStorefront {
        fact.renewal?.storefront = line.transaction.storefront
      }
    }
    completeTokens(&fact, at: sequence)
  }
}
