import Subscriptions
import Testing

/// The table and the rules side by side: the same commands given to both, and compared.
struct ReferencePlace {
  private(set) var table: ReferenceTable
  private(set) var world: ScenarioWorld
  private let first: Instant
  /// How it was reached, for whoever has to look into a difference.
  private(set) var path: [Move] = []

  enum Move {
    case wait(Int)
    case give(ReferenceTable.Command)
  }

  static let key = Array("u1".utf8)
  static let member = Array("m1".utf8)
  static let clocks = [Clock.defaultName, "other"]

  init(graceDays: Int) throws {
    var policies = Policies()
    policies.graceDays = Int64(graceDays)
    table = ReferenceTable(graceDays: graceDays)
    world = try ScenarioWorld(policies: policies, catalogue: Self.catalogue)
    first = try Instant.at("2025-01-10T12:00:00Z")
    for clock in Self.clocks { try world.makeClock(clock, at: first) }
  }

  static let catalogue = Catalogue(
    groups: [CatalogueGroup(id: "G", name: "Plans")],
    products: ReferenceTable.Plan.allCases.map { plan in
      let price = Int64(ReferenceTable.Plan.prices[plan.rawValue])
      var product = CatalogueProduct(
        id: plan.name, type: .autoRenewable, price: price, groupID: "G", level: Int32(plan.level),
        period: Period(iso8601: plan == .long ? "P1M" : "P1W")!)
      product.isFamilyShareable = plan.isShareable
      product.offers = offers[plan] ?? []
      return product
    })

  private static let offers: [ReferenceTable.Plan: [CatalogueOffer]] = [
    .gold: [offer(.promotional, "half", .payAsYouGo, "P1W", count: 2, 1490)],
    .plain: [
      offer(.introductory, nil, .freeTrial, "P2W"),
      offer(.promotional, "half", .payAsYouGo, "P1W", count: 2, 990),
      offer(.code, "CODE", .payUpFront, "P3W", 4490),
      offer(.winBack, "back", .payAsYouGo, "P1W", 490),
    ],
  ]

  private static func offer(
    _ kind: OfferKind, _ id: String?, _ mode: PaymentMode, _ period: String, count: Int32 = 1,
    _ price: Int64 = 0
  ) -> CatalogueOffer {
    CatalogueOffer(
      kind: kind, id: id, paymentMode: mode, period: Period(iso8601: period)!,
      periodCount: count, price: price, audience: [.new, .existing, .expired])
  }

  var now: Instant { instant(table.day) }

  private func instant(_ day: Int) -> Instant { first.advanced(byDays: Int64(day)) }

  /// Begins a step anew: what is said from here on is compared with what the log gets.
  mutating func begin() {
    table.said = []
    table.memberSaid = []
  }

  /// So many days later, with all that falls due on the way.
  func waited(_ days: Int) throws -> ReferencePlace {
    guard days > 0 else { return self }
    var next = self
    next.table.wait(days)
    next.path.append(.wait(days))
    next.world = world.copy()
    for clock in Self.clocks { try next.world.advance(clock, to: next.now) }
    return next
  }

  enum Step {
    /// It leads off the table, or is about an account that is not there.
    case none
    /// Both refuse it, and nothing is changed.
    case refused
    case done(ReferencePlace)
    case differs
  }

  /// One command given to both.
  func step(_ command: ReferenceTable.Command) -> Step {
    if table.phase == .none, !Self.beginners.contains(command) { return .none }
    var next = self
    guard let isDone = next.table.perform(command) else { return .none }
    // What is refused changes nothing, so that it needs no world of its own.
    if isDone { next.world = world.copy() }
    next.path.append(.give(command))
    let count = world.log.count
    do throws(Rejection) { try next.perform(command) } catch {
      guard isDone || next.world.log.count > count else { return .refused }
      Issue.record("\(error), but not by the table: \(next.path) \(table)")
      return .differs
    }
    if isDone { return .done(next) }
    Issue.record("refused by the table alone: \(next.path) \(table)")
    return .differs
  }

  /// What may be done before there is a subscription.
  private static let beginners: Set<ReferenceTable.Command> = [
    .buyGold, .buyRose, .buyPlain, .buyLong, .promoteGold, .promotePlain, .enterCode, .winBack,
    .announceAsking, .announceTelling, .removePlain, .importAgain,
    .askOn, .askOff, .approve, .refuse, .interruptOn, .interruptOff, .complete,
    .buyDated, .buyDatedOnce,
  ]
}

extension ReferencePlace {
  private mutating func perform(_ command: ReferenceTable.Command) throws(Rejection) {
    switch command {
    case .buyGold: try world.perform(.buy("gold"))
    case .buyRose: try world.perform(.buy("rose"))
    case .buyPlain: try world.perform(.buy("plain"))
    case .buyLong: try world.perform(.buy("long"))
    case .promoteGold: try world.perform(.redeem("gold", .promotional, "half"))
    case .promotePlain: try world.perform(.redeem("plain", .promotional, "half"))
    case .enterCode: try world.perform(.redeem("plain", .code, "CODE"))
    case .winBack: try world.perform(.redeem("plain", .winBack, "back"))
    case .turnOff: try world.perform(.off())
    case .turnOn: try world.perform(.on())
    case .chargesFail: try world.perform(.fail())
    case .chargesSucceed: try world.perform(.succeed())
    case .resolve: try world.perform(.resolve())
    case .refund: try world.perform(.refund(newest))
    case .reverse: try world.perform(.reverse(newest))
    case .request: try world.perform(.ask(newest))
    case .decline: try world.perform(.decline(newest))
    case .expire: try world.perform(.expire())
    case .renew: try world.perform(.renew())
    case .extend:
      try world.perform(.product(.extend(Int64(ReferenceTable.extensionDays))))
    case .announceAsking, .announceTelling:
      try world.perform(
        .product(
          .announce(
            "plain", Int64(table.prices[ReferenceTable.Plan.plain.rawValue]),
            consent: command == .announceAsking)))
    case .agree: try world.perform(.product(.agree))
    case .disagree: try world.perform(.product(.refuse))
    case .removePlain: try world.perform(.product(.remove("plain")))
    case .importAgain: try importAgain()
    case .share: try world.perform(.share(with: "m1"))
    case .unshare: try world.perform(.unshare(with: "m1"))
    case .askOn, .askOff: try world.perform(.askToBuy(command == .askOn))
    case .interruptOn, .interruptOff: try world.perform(.interrupt(command == .interruptOn))
    case .approve: try end(.askToBuy) { .approve($0) }
    case .complete: try end(.interrupted) { .approve($0, .interrupted) }
    case .refuse: try end(.askToBuy) { .refuse($0) }
    case .restore: try world.perform(.restore())
    case .attach:
      let held = world.state.accounts[0].clock
      try world.perform(.attach(to: Self.clocks[held == 1 ? 1 : 0]))
    case .buyDated, .buyDatedOnce:
      let date = now.advanced(byDays: -30).rfc3339
      try world.perform(
        .buyDated("plain", at: date, command == .buyDated ? .renewUntilNow : .cancelImmediately))
    }
  }

  private var newest: Int { number(world.newest().transaction.id) }

  private func number(_ id: UInt64) -> Int { Int(id - Limits.firstTransactionID) + 1 }

  /// Ends the newest wait for that reason.
  private mutating func end(
    _ reason: PendingReason, _ command: (Int) -> ScenarioCommand
  ) throws(Rejection) {
    guard let purchase = world.state.switches.pending.last(where: { $0.reason == reason }) else {
      throw .transactionNotFound
    }
    try world.perform(command(number(purchase.id)))
  }

  private mutating func importAgain() throws(Rejection) {
    try world.ask(
      .importCatalogue(Self.catalogue, source: "test.storekit", digest: 1, isAsked: true),
      as: Self.key)
  }
}
