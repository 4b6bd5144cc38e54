import Subscriptions

/// A log in memory: an event's position is its index.
struct ScenarioLog: EventSink {
  private(set) var events: [Event] = []
  /// Where in the log each account's events are.
  private(set) var positions: [AccountNumber: [Int]] = [:]

  mutating func write(_ event: Event, _ cause: EventCause) -> UInt64 {
    positions[event.fact.account, default: []].append(events.count)
    events.append(event)
    return UInt64(events.count - 1)
  }

  mutating func write(_ event: LineEvent, _ cause: EventCause) -> UInt64 {
    write(Event(event), cause)
  }

  mutating func folded(_ event: Event, sequence: UInt64) {}
  mutating func folded(_ event: LineEvent, sequence: UInt64) {}

  /// What falls due is what is due first on its clock, found by looking at every line, so that no
  /// scenario rests on the queue alone.
  mutating func spoil(_ event: inout LineEvent, in state: State, _ terms: RenewalTerms) {
    let swept: [LineKind] = [.priceIncreased, .renewalExtended, .extensionFailed]
    guard !swept.contains(event.kind) else { return }
    let own = state.deadline(of: event.fact.line, terms)!.deadline
    precondition(
      Self.first(on: event.clock, of: state, terms)
        == DeadlineQueue.Entry(own, line: event.fact.line),
      "the queue has others than the lines")
  }

  /// The entry that is first in the total order (time, kind, line) on a clock.
  static func first(
    on clock: ClockNumber, of state: State, _ terms: RenewalTerms
  ) -> DeadlineQueue.Entry? {
    var best: DeadlineQueue.Entry?
    for number in Int(state.firstLiveLine)..<state.lines.count {
      guard let (deadline, own) = state.deadline(of: LineNumber(number), terms), own == clock else {
        continue
      }
      let entry = DeadlineQueue.Entry(deadline, line: LineNumber(number))
      if best == nil || entry < best! { best = entry }
    }
    return best
  }
}

/// A store without a daemon: the rules and their books, over a log in memory.
struct ScenarioWorld {
  private var books: Books
  private var journal = ScenarioLog()
  var state: State { books.state }
  var policies: Policies {
    get { books.policies }
    nonmutating set { books.adopt(newValue) }
  }
  /// Every event so far; an event's position in the log is its index here.
  var log: [Event] { journal.events }

  init(policies: Policies = Policies(), catalogue: Catalogue = ScenarioCatalogue.all) throws {
    books = Books(State(), policies: policies, linesPerStep: 3)
    append(
      Event(
        at: Instant(milliseconds: .min), clock: Clock.system,
        fact: .log(.logCreated(role: .store, seed: UUIDBits(high: 1, low: 2)))))
    try importCatalogue(catalogue)
  }

  /// The same world once more, to live on by itself.
  func copy() -> ScenarioWorld {
    var other = self
    other.books = books.copy()
    return other
  }

  mutating func append(_ event: Event) {
    books.commit(event, into: &journal)
  }

  mutating func importCatalogue(_ catalogue: Catalogue, digest: UInt64 = 1) throws {
    try take(
      .importCatalogue(catalogue, source: "test.storekit", digest: digest, isAsked: false))
  }

  mutating func makeClock(_ name: String, at time: Instant) throws {
    try take(.createClock(name: name, at: time))
  }

  /// Takes in what a command comes to that is no account's.
  mutating func take(_ command: Command) throws(Rejection) {
    for event in try state.decide(command, Moment(policies)).events { append(event) }
  }

  /// Moves a test clock on, dealing with what is due on the way.
  mutating func advance(_ name: String = Clock.defaultName, to target: Instant) throws {
    let clock = state.clock(named: name)!
    try books.advance(clock, to: target, into: &journal)
    let left = ScenarioLog.first(on: clock, of: state, policies.terms)
    precondition(left.map { $0.time > target } ?? true, "something was due and did not happen")
  }

  /// Takes in what a command decided, then what is due on the account already: a purchase dated
  /// back renews up to now.
  mutating func commit(_ events: [Event], account key: [UInt8]) {
    books.commit(events, into: &journal)
    var count = Int.max
    while !state.sweeps.isEmpty, books.sweep(atMost: &count, into: &journal) != nil {}
    guard let account = state.accounts.find(key) else { return }
    books.catchUp(account, into: &journal)
  }

  /// All that happened to an account, from its own events.
  func history(of account: AccountNumber) -> AccountHistory {
    var history = AccountHistory()
    for position in journal.positions[account] ?? [] { history.apply(log[position]) }
    return history
  }
}

/// What the tests sell.
enum ScenarioCatalogue {
  static let all = Catalogue(
    groups: [
      CatalogueGroup(id: "G1", name: "Levels"), CatalogueGroup(id: "GM", name: "Monthly"),
      CatalogueGroup(id: "GW", name: "Weekly"), CatalogueGroup(id: "GY", name: "Terms"),
      CatalogueGroup(id: "GT", name: "Trials"), CatalogueGroup(id: "GP", name: "Instalments"),
      CatalogueGroup(id: "GU", name: "Up front"), CatalogueGroup(id: "GD", name: "Days"),
      CatalogueGroup(id: "GO", name: "Offers"),
      CatalogueGroup(id: "GF", name: "Family"),
    ],
    products: [
      subscription("gold.m", "G1", level: 1, "P1M", 9990),
      subscription("gold.y", "G1", level: 1, "P1Y", 99_990),
      subscription("silver.m", "G1", level: 2, "P1M", 4990),
      subscription("silver.m2", "G1", level: 2, "P1M", 5990),
      subscription("monthly", "GM", "P1M", 9990),
      subscription("weekly", "GW", "P1W", 1990),
      subscription("two.months", "GY", "P2M", 17_990),
      subscription("trial.m", "GT", "P1M", 9990, offer(.freeTrial, "P1W")),
      subscription("trial.y", "GT", level: 2, "P1Y", 99_990, offer(.freeTrial, "P1M")),
      subscription("payg.m", "GP", "P1M", 9990, offer(.payAsYouGo, "P1M", count: 3, 1990)),
      subscription("upfront.m", "GU", "P1M", 9990, offer(.payUpFront, "P2M", 4990)),
      subscription("trial30d", "GD", "P1M", 9990, offer(.freeTrial, "P30D")),
      CatalogueProduct(id: "lifetime", type: .nonConsumable, price: 49_990),
      CatalogueProduct(id: "coins", type: .consumable, price: 990),
      CatalogueProduct(id: "pass", type: .nonRenewing, price: 19_990),
      subscription("silver.y", "G1", level: 2, "P1Y", 49_990),
      subscription("bronze.m", "G1", level: 3, "P1M", 2990),
      subscription("trial.w", "GW", level: 2, "P1W", 1990, offer(.freeTrial, "P1W")),
      subscription("six.months", "GY", level: 2, "P6M", 49_990),
      subscription("three.months", "GY", level: 3, "P3M", 26_990),
      subscription(
        "plus.m", "GO", "P1M", 9990, offer(.freeTrial, "P1W"),
        offer(.promotional, "half", .payAsYouGo, "P1M", count: 3, 4990),
        offer(.promotional, "gift", .freeTrial, "P1M"),
        offer(.promotional, "front", .payUpFront, "P3M", 9990),
        offer(.code, "SPRING", .payAsYouGo, "P1M", count: 2, 2990, isStackable: true),
        offer(.code, "NEW", .freeTrial, "P1M", for: [.new]),
        offer(.code, "STAY", .payUpFront, "P2M", 7990, for: [.existing]),
        offer(.code, "BACK", .payAsYouGo, "P1M", 990, for: [.expired]),
        offer(.winBack, "return", .payAsYouGo, "P1M", count: 2, 1990),
        offer(.winBack, "closed", .freeTrial, "P1W", isEligible: false)),
      subscription(
        "plus.y", "GO", "P1Y", 99_990,
        offer(.promotional, "half.y", .payUpFront, "P1Y", 49_990),
        offer(.code, "YEAR", .payUpFront, "P1Y", 59_990),
        offer(.winBack, "return.y", .payUpFront, "P1Y", 39_990)),
      subscription(
        "base.m", "GO", level: 2, "P1M", 4990, offer(.payAsYouGo, "P1M", count: 3, 990),
        offer(.promotional, "half", .payAsYouGo, "P1M", count: 3, 2490),
        offer(.code, "BASE", .payAsYouGo, "P1M", count: 2, 1490, isStackable: true),
        offer(.code, "INSTEAD", .payAsYouGo, "P1M", count: 2, 1990)),
      shareable(subscription("family.m", "GF", level: 1, "P1M", 14_990)),
      subscription("solo.m", "GF", level: 3, "P1M", 7_990),
      shareable(subscription("family.y", "GF", level: 1, "P1Y", 149_990)),
      shareable(subscription("duo.m", "GF", level: 2, "P1M", 11_990, offer(.freeTrial, "P1W"))),
      shareable(CatalogueProduct(id: "heirloom", type: .nonConsumable, price: 29_990)),
    ])

  private static func shareable(_ product: CatalogueProduct) -> CatalogueProduct {
    var product = product
    product.isFamilyShareable = true
    return product
  }

  private static func subscription(
    _ id: String, _ group: String, level: Int32 = 1, _ period: String, _ price: Int64,
    _ offers: CatalogueOffer...
  ) -> CatalogueProduct {
    CatalogueProduct(
      id: id, type: .autoRenewable, price: price, groupID: group, level: level,
      period: Period(iso8601: period)!, offers: offers)
  }

  private static func offer(
    _ mode: PaymentMode, _ period: String, count: Int32 = 1, _ price: Int64 = 0
  ) -> CatalogueOffer {
    CatalogueOffer(
      kind: .introductory, paymentMode: mode, period: Period(iso8601: period)!,
      periodCount: count, price: price)
  }

  private static func offer(
    _ kind: OfferKind, _ id: String, _ mode: PaymentMode, _ period: String, count: Int32 = 1,
    _ price: Int64 = 0, for audience: OfferAudience = [.new, .existing, .expired],
    isStackable: Bool = false, isEligible: Bool = true
  ) -> CatalogueOffer {
    CatalogueOffer(
      kind: kind, id: id, paymentMode: mode, period: Period(iso8601: period)!,
      periodCount: count, price: price, audience: audience, isStackable: isStackable,
      isEligible: isEligible)
  }
}

extension Line {
  /// The deadline in a store whose renewals happen at the very end of a period.
  var deadline: Deadline? { deadline(RenewalTerms()) }

  var upcoming: Deadline? { upcoming(RenewalTerms()) }
}
