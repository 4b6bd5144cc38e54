/// Everything that the log says, folded: `fold(log)` is the state, always. It holds one small
/// record per line with its newest facts; what is older is read back from the log.
///
/// `apply` never fails and decides nothing; the `decide…` functions decide and change nothing.
/// One thread owns it. It is a class because it may be a gigabyte: nothing may copy it by chance.
@dynamicMemberLookup
public final class State {
  /// All that it holds; readers elsewhere name its members as the state's own.
  public internal(set) var facts = Facts()
  public init() {}

  private init(_ facts: Facts) {
    self.facts = facts
  }

  /// A second, equal state, to try something on.
  public func copy() -> State {
    State(facts)
  }

  @inlinable
  public subscript<Value>(dynamicMember member: KeyPath<Facts, Value>) -> Value {
    _read { yield facts[keyPath: member] }
  }

  public func product(id: String) -> ProductNumber? {
    facts.productNumbers[id]
  }

  public func clock(named name: String) -> ClockNumber? {
    facts.clocks.firstIndex { $0.name == name }.map { ClockNumber($0) }
  }

  /// The clock on which an account is opened that names none.
  public var clockForNewAccounts: ClockNumber {
    clock(named: Clock.defaultName) ?? Clock.system
  }

  /// The store's own line that an `originalTransactionId` names. These begin in the order of
  /// their ids; lines of the App Store's may lie between and are passed over.
  public func line(originalID: UInt64) -> LineNumber? {
    var low = Int(facts.firstLiveLine)
    var high = facts.lines.count
    while low < high {
      let middle = (low + high) / 2
      var probe = middle
      while probe < high, facts.lines[probe].origin == .apple { probe += 1 }
      if probe == high {
        high = middle
      } else if facts.lines[probe].transaction.originalID < originalID {
        low = probe + 1
      } else if facts.lines[probe].transaction.originalID > originalID {
        high = middle
      } else {
        return LineNumber(probe)
      }
    }
    return nil
  }

  /// Calls `body` with each of the account's lines, newest first.
  @inline(__always)
  public func forEachLine(
    of account: AccountNumber, _ body: (LineNumber, borrowing Line) -> Void
  ) {
    var number = facts.accounts[account].newestLine
    while number != noNumber {
      body(number, facts.lines[Int(number)])
      number = facts.lines[Int(number)].nextOfAccount
    }
  }

  /// Calls `body` with each of the account's lasting purchases, newest first.
  public func forEachPurchase(of account: AccountNumber, _ body: (LastingPurchase) -> Void) {
    var number = facts.accounts[account].newestPurchase
    while number != noNumber {
      body(facts.purchases[Int(number)])
      number = facts.purchases[Int(number)].nextOfAccount
    }
  }

  /// A line's status now. A deadline of its that has come but has not been dealt with yet has not
  /// happened: until then the line stands as just before.
  func status(of line: borrowing Line, _ terms: RenewalTerms) -> Status {
    line.status(at: present(for: line, terms))
  }

  /// The moment at which a line is to be looked at now.
  public func present(for line: borrowing Line, _ terms: RenewalTerms) -> Instant {
    let now = facts.clocks[Int(clock(of: line))].now
    guard let deadline = line.upcoming(terms), deadline.time <= now else { return now }
    return deadline.time.advanced(byMilliseconds: -1)
  }

  /// The clock that a line lives by: its account's, or, while it has none, that of accounts to
  /// come.
  public func clock(of line: borrowing Line) -> ClockNumber {
    line.account == noNumber ? clockForNewAccounts : facts.accounts[line.account].clock
  }

  /// The time on an account's clock.
  public func now(of account: AccountNumber) -> Instant {
    facts.clocks[Int(facts.accounts[account].clock)].now
  }

  /// The line's deadline and clock, or nil where nothing is due on it or a reset emptied it.
  public func deadline(
    of line: LineNumber, _ terms: RenewalTerms
  ) -> (deadline: Deadline, clock: ClockNumber)? {
    guard line >= facts.firstLiveLine, let deadline = facts.lines[Int(line)].deadline(terms) else {
      return nil
    }
    return (deadline, clock(of: facts.lines[Int(line)]))
  }
}
