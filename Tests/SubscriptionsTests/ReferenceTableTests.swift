import Subscriptions
import Testing

/// The rules against the reference table, everywhere that six commands lead, each given at once,
/// within the period, at a period's very end or sixty days later.
@Suite("One subscription, explored whole")
struct ReferenceTableTests {
  static let depth = 6
  static let waits = [0, 3, 7, 60]

  private struct Place {
    var table: ReferenceTable
    var world: ScenarioWorld
  }

  private static let catalogue = Catalogue(
    groups: [CatalogueGroup(id: "G", name: "Weeks")],
    products: [("high", Int32(1), Int64(2990)), ("low", 2, 1990)].map { id, level, price in
      CatalogueProduct(
        id: id, type: .autoRenewable, price: price, groupID: "G", level: level,
        period: Period(iso8601: "P1W")!)
    })

  @Test("Six commands deep, the rules and the table agree", arguments: [0, 3])
  func explore(graceDays: Int) throws {
    var policies = Policies()
    policies.graceDays = Int64(graceDays)
    let start = try Instant.at("2025-01-10T12:00:00Z")
    var world = try ScenarioWorld(policies: policies, catalogue: Self.catalogue)
    try world.makeClock(Clock.defaultName, at: start)
    var layer = [Place(table: ReferenceTable(graceDays: graceDays), world: world)]
    var known: Set<[Int64]> = []
    var phases: Set<ReferenceTable.Phase> = []
    var steps = 0
    for _ in 1...Self.depth {
      var found: [Place] = []
      for place in layer {
        for days in Self.waits {
          var waited = place
          waited.table.wait(days)
          waited.world = place.world.copy()
          let now = start.advanced(byDays: Int64(waited.table.day))
          try waited.world.advance(to: now)
          try agree(waited, start)
          for command in ReferenceTable.Command.allCases {
            steps += 1
            guard let next = try step(command, from: waited, start) else { continue }
            phases.insert(next.table.phase)
            if known.insert(key(next, start)).inserted { found.append(next) }
          }
        }
      }
      layer = found
    }
    #expect(steps > 5_000)
    #expect(phases.count == (graceDays == 0 ? 4 : 5))
    #expect(known.count > 100)
  }

  /// One command given to both; nil where it leads off the table or to nobody.
  private func step(
    _ command: ReferenceTable.Command, from place: Place, _ start: Instant
  ) throws -> Place? {
    var next = place
    let isDone = next.table.perform(command)
    guard let isDone else { return nil }
    if place.table.phase == .none, command != .buyHigh, command != .buyLow { return nil }
    next.world = place.world.copy()
    var isAccepted = true
    do throws(Rejection) { try next.world.perform(scenario(command, next.world)) } catch {
      isAccepted = false
    }
    #expect(isAccepted == isDone, "\(command) in \(place.table)")
    try agree(next, start)
    return next
  }

  private func scenario(
    _ command: ReferenceTable.Command, _ world: ScenarioWorld
  ) -> ScenarioCommand {
    switch command {
    case .buyHigh: .buy("high")
    case .buyLow: .buy("low")
    case .turnOff: .off()
    case .turnOn: .on()
    case .chargesFail: .fail()
    case .chargesSucceed: .succeed()
    case .resolve: .resolve()
    case .refund: .refund(newest(world))
    case .reverse: .reverse(newest(world))
    case .expire: .expire()
    }
  }

  private func newest(_ world: ScenarioWorld) -> Int {
    Int(world.newest().transaction.id - Limits.firstTransactionID) + 1
  }

  private func agree(_ place: Place, _ start: Instant) throws {
    let table = place.table
    guard table.phase != .none else {
      #expect(place.world.state.lines.isEmpty)
      return
    }
    try #require(place.world.state.lines.count == 1)
    let line = place.world.state.lines[0]
    let now = start.advanced(byDays: Int64(table.day))
    let statuses: [ReferenceTable.Phase: Status] = [
      .active: .active, .grace: .gracePeriod, .retry: .billingRetry, .expired: .expired,
      .revoked: .revoked,
    ]
    let products = place.world.state.products.map(\.entry.id)
    // One comparison, so that a hundred thousand of them take little time.
    let agrees =
      line.status(at: now) == statuses[table.phase]
      && line.transaction.purchaseDate == start.advanced(byDays: Int64(table.start))
      && line.transaction.expiresDate == start.advanced(byDays: Int64(table.end))
      && line.renewal.autoRenews == table.renews
      && products[Int(line.transaction.product)] == "\(table.plan)"
      && products[Int(line.renewal.autoRenewProduct)] == "\(table.next)"
      && place.world.state.accounts[0].billingFails == table.fails
      && (table.phase == .revoked
        || line.renewal.isInBillingRetry == (table.phase == .grace || table.phase == .retry))
    if !agrees { Issue.record("\(table) is not \(line) of \(place.world.log)") }
  }

  /// What the future of a place depends on, in days from its present: places with the same are
  /// gone on from once. A period that is over for good has no days.
  private func key(_ place: Place, _ start: Instant) -> [Int64] {
    let table = place.table
    let line = place.world.state.lines[0]
    let now = start.advanced(byDays: Int64(table.day))
    func days(_ time: Instant) -> Int64 {
      time == .never
        ? -1000 : (time.milliseconds - now.milliseconds) / Instant.millisecondsPerDay
    }
    let isOver = table.phase == .expired || (table.phase == .revoked && table.end <= table.day)
    let status = Int64(line.status(at: now).rawValue)
    var key: [Int64] = [
      status, Int64(line.transaction.product), Int64(line.renewal.autoRenewProduct),
      table.renews ? 1 : 0, table.fails ? 1 : 0,
      Int64(line.renewal.expirationIntent?.rawValue ?? 0), line.renewal.renewalPrice,
      line.renewal.isInBillingRetry ? 1 : 0,
    ]
    guard !isOver else { return key }
    key += [
      days(line.transaction.expiresDate), days(line.anchor) + Int64(line.anchorLength),
      days(line.renewal.gracePeriodExpiresDate),
      line.lastGraceEnd == line.renewal.gracePeriodExpiresDate ? 1 : 0,
    ]
    return key
  }
}
