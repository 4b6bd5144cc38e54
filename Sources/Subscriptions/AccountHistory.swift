/// All that happened to one account, folded from its own chain of events, oldest first: every
/// transaction it ever had, and its lines as they stood after the last event taken in.
public struct AccountHistory: Sendable {
  /// One transaction with the line it belongs to (`noNumber` outside a subscription).
  public struct Entry: Hashable, Sendable {
    public var transaction: Transaction
    public var line: LineNumber

    public init(transaction: Transaction, line: LineNumber) {
      self.transaction = transaction
      self.line = line
    }
  }

  public private(set) var entries: [Entry] = []
  public private(set) var lines: [(number: LineNumber, line: Line)] = []
  private var indices: [UInt64: Int] = [:]

  public init() {}

  public func entry(id: UInt64) -> Entry? {
    indices[id].map { entries[$0] }
  }

  /// Takes in the account's next event, completed (see `State.complete`).
  public mutating func apply(_ event: Event) {
    switch event.fact {
    case .line(let kind, let fact):
      apply(kind, fact, at: event.at)
    case .purchase(_, _, _, let transaction):
      put(transaction, line: noNumber)
    case .finished(_, _, let transactionID):
      finish(transactionID)
    case .billingChanged, .logCreated, .accountOpened, .clockCreated, .advanceStarted, .advanced,
      .clockAttached, .catalogueImported, .clockHeld, .clockAccepted, .bootObserved, .reset,
      .rateChanged:
      break
    }
  }

  private mutating func finish(_ transactionID: UInt64) {
    guard let index = indices[transactionID] else { return }
    entries[index].transaction.isFinished = true
    for line in lines.indices where lines[line].line.transaction.id == transactionID {
      lines[line].line.transaction.isFinished = true
    }
  }

  private mutating func apply(_ kind: EventKind, _ fact: LineFact, at: Instant) {
    let known = lines.firstIndex { $0.number == fact.line }
    if let known {
      let old = lines[known].line.transaction
      if let new = fact.transaction, new.id > old.id, let index = indices[old.id] {
        if kind == .upgraded {
          entries[index].transaction.isUpgraded = true
        } else if kind == .renewed, new.purchaseDate < old.expiresDate {
          entries[index].transaction.expiresDate = new.purchaseDate
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

  private mutating func put(_ transaction: Transaction, line: LineNumber) {
    if let index = indices[transaction.id] {
      entries[index].transaction = transaction
    } else {
      indices[transaction.id] = entries.count
      entries.append(Entry(transaction: transaction, line: line))
    }
  }
}

extension State {
  /// Fills in what an event's record leaves out because the line already says it: the account,
  /// the group, the original id. Events come from the log without them.
  public func complete(_ event: inout Event) {
    guard case .line(let kind, var fact) = event.fact else { return }
    complete(&fact)
    event.fact = .line(kind, fact)
  }

  /// The same for a line's fact alone.
  public func complete(_ fact: inout LineFact) {
    guard Int(fact.line) < lines.count else { return }
    fact.account = lines[Int(fact.line)].account
    fact.group = lines[Int(fact.line)].group
    fact.transaction?.originalID = lines[Int(fact.line)].transaction.originalID
  }
}
