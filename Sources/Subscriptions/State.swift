/// Everything that the log says, folded: `fold(log)` is the state, always. It holds one small
/// record per line with its newest facts; what is older is read back from the log.
///
/// `apply` never fails and decides nothing; the `decide…` functions decide and change nothing.
/// One thread owns it. It is a class because it may be a gigabyte: nothing may copy it by chance.
public final class State {
  public internal(set) var role: Role = .store
  public internal(set) var seed = UUIDBits(high: 0, low: 0)
  /// What a store signs as; nil in a record, and in logs older than this.
  public internal(set) var identity: StoreIdentity?
  /// The sequence of the newest event applied.
  public internal(set) var sequence: UInt64 = 0
  public internal(set) var accounts = AccountTable()
  public internal(set) var lines: [Line] = []
  public internal(set) var purchases: [LastingPurchase] = []
  public internal(set) var clocks: [Clock]
  public internal(set) var products: [Product] = []
  /// The groups of all catalogues, in the order in which they came.
  public internal(set) var groups: [CatalogueGroup] = []
  /// Each appAccountToken, by the number under which transactions carry it.
  public internal(set) var tokens: [UUIDBits] = []
  /// Of accounts that came with tokens after their opening: those, oldest first.
  var laterTokens: [AccountNumber: [LaterToken]] = [:]
  /// Group and offer identifiers, by number.
  public internal(set) var texts: [String] = []
  public internal(set) var sources: [CatalogueSource] = []
  public internal(set) var defaultStorefront: UInt16 = Storefront.unitedStates
  public internal(set) var nextTransactionID = Limits.firstTransactionID
  /// When renewals happen. This is configuration and not folded: whoever owns the state tells it,
  /// before asking what is due.
  public var terms = RenewalTerms()
  /// The rate that a tester set, in place of the policies'; nil where none has.
  public internal(set) var rateSwitch: RenewalRate?
  /// The keys that sign promotional offers, by the source whose file brought them.
  public internal(set) var offerKeys: [(source: String, keys: [OfferKey])] = []
  /// The nonces of signed offers that were redeemed, or were to be.
  public internal(set) var usedNonces: Set<UUIDBits> = []
  /// Offer codes that begin when their line's introductory offer is over: rare, so beside the
  /// lines.
  public internal(set) var stackedOffers: [LineNumber: StackedOffer] = [:]
  /// How far the system's clock is held back behind the machine's, milliseconds.
  public internal(set) var heldMilliseconds: Int64 = 0
  /// The newest boot seen and realtime − boottime in it, milliseconds.
  public internal(set) var boot: (id: UUIDBits, realMinusBoot: Int64)?
  /// The greatest realtime − boottime of that boot, without what was held, milliseconds: how far
  /// ahead the clock has been right before.
  public internal(set) var effectiveDriftMax: Int64 = 0
  public internal(set) var families = Families()
  public internal(set) var switches = StoreSwitches()
  /// Accounts with a line or lasting purchase that entitles.
  public internal(set) var members = 0
  /// Lines and purchases below these were emptied by a reset.
  public internal(set) var firstLiveLine: LineNumber = 0
  public internal(set) var firstLivePurchase: UInt32 = 0
  /// Changes under way that reach many lines, in the order in which they are carried out.
  public internal(set) var sweeps: [Sweep] = []
  /// Mass extensions that are done, by their request's identifier.
  public internal(set) var massExtensions: [String: MassExtensionResult] = [:]
  /// When a line was extended, the newest two times, newest last.
  public internal(set) var extensions: [LineNumber: [Instant]] = [:]
  /// Transactions whose refund was asked for and not decided yet, by the id that they were sold
  /// under, with the time of the request.
  public internal(set) var refundRequests: [UInt64: Instant] = [:]
  /// Signed facts of the App Store's.
  public internal(set) var apple = AppleRecord()
  /// What each group's win-back offers were, oldest first: what was once told of them stands.
  var winBackOffers: [UInt32: [WinBackOffers]] = [:]
  var productNumbers: [String: ProductNumber] = [:]
  var textNumbers: [String: UInt32] = [:]

  public init() {
    clocks = [
      Clock(name: Clock.systemName, isTest: false, now: Instant(milliseconds: .min))
    ]
  }

  /// A second, equal state, to try something on.
  public func copy() -> State {
    let other = State()
    other.role = role
    other.seed = seed
    other.identity = identity
    other.sequence = sequence
    other.accounts = accounts
    other.lines = lines
    other.purchases = purchases
    other.clocks = clocks
    other.products = products
    other.groups = groups
    other.tokens = tokens
    other.laterTokens = laterTokens
    other.texts = texts
    other.sources = sources
    other.defaultStorefront = defaultStorefront
    other.nextTransactionID = nextTransactionID
    other.terms = terms
    other.rateSwitch = rateSwitch
    other.stackedOffers = stackedOffers
    other.offerKeys = offerKeys
    other.usedNonces = usedNonces
    other.heldMilliseconds = heldMilliseconds
    other.boot = boot
    other.effectiveDriftMax = effectiveDriftMax
    other.families = families
    other.switches = switches
    other.members = members
    other.firstLiveLine = firstLiveLine
    other.firstLivePurchase = firstLivePurchase
    other.refundRequests = refundRequests
    other.apple = apple
    other.sweeps = sweeps
    other.massExtensions = massExtensions
    other.extensions = extensions
    other.winBackOffers = winBackOffers
    other.productNumbers = productNumbers
    other.textNumbers = textNumbers
    return other
  }

  public func product(id: String) -> ProductNumber? {
    productNumbers[id]
  }

  public func clock(named name: String) -> ClockNumber? {
    clocks.firstIndex { $0.name == name }.map { ClockNumber($0) }
  }

  /// The clock on which an account is opened that names none.
  public var clockForNewAccounts: ClockNumber {
    clock(named: Clock.defaultName) ?? Clock.system
  }

  /// The store's own line that an `originalTransactionId` names. These begin in the order of
  /// their ids; lines of the App Store's may lie between and are passed over.
  public func line(originalID: UInt64) -> LineNumber? {
    var low = Int(firstLiveLine)
    var high = lines.count
    while low < high {
      let middle = (low + high) / 2
      var probe = middle
      while probe < high, lines[probe].origin == .apple { probe += 1 }
      if probe == high {
        high = middle
      } else if lines[probe].transaction.originalID < originalID {
        low = probe + 1
      } else if lines[probe].transaction.originalID > originalID {
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
    var number = accounts[account].newestLine
    while number != noNumber {
      body(number, lines[Int(number)])
      number = lines[Int(number)].nextOfAccount
    }
  }

  /// Calls `body` with each of the account's lasting purchases, newest first.
  public func forEachPurchase(of account: AccountNumber, _ body: (LastingPurchase) -> Void) {
    var number = accounts[account].newestPurchase
    while number != noNumber {
      body(purchases[Int(number)])
      number = purchases[Int(number)].nextOfAccount
    }
  }

  /// A line's status now. A deadline of its that has come but has not been dealt with yet has not
  /// happened: until then the line stands as just before.
  public func status(of line: borrowing Line) -> Status {
    line.status(at: present(for: line))
  }

  /// The moment at which a line is to be looked at now.
  public func present(for line: borrowing Line) -> Instant {
    let now = clocks[Int(clock(of: line))].now
    guard let deadline = line.upcoming(terms), deadline.time <= now else { return now }
    return deadline.time.advanced(byMilliseconds: -1)
  }

  /// The clock that a line lives by: its account's, or, while it has none, that of accounts to
  /// come.
  public func clock(of line: borrowing Line) -> ClockNumber {
    line.account == noNumber ? clockForNewAccounts : accounts[line.account].clock
  }

  /// The time on an account's clock.
  public func now(of account: AccountNumber) -> Instant {
    clocks[Int(accounts[account].clock)].now
  }

  /// The line's deadline and clock, or nil where nothing is due on it or a reset emptied it.
  public func deadline(of line: LineNumber) -> (deadline: Deadline, clock: ClockNumber)? {
    guard line >= firstLiveLine, let deadline = lines[Int(line)].deadline(terms) else { return nil }
    return (deadline, clock(of: lines[Int(line)]))
  }
}
