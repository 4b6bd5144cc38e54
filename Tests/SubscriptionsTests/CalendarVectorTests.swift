import Subscriptions
import TestSizes
import Testing

/// The written expectations of Domain.md 2.3 and of the cases about month ends.
@Suite("period ends, as the domain page lists them")
struct CalendarVectorTests {
  struct Row: Sendable, CustomTestStringConvertible {
    var period: String
    var zone: String
    var start: String
    var anchored: [String]
    var chained: [String]

    var testDescription: String { "\(period) \(zone) \(start)" }
  }

  static let losAngeles = CalendarZones.losAngelesName

  static let rows: [Row] = [
    Row(
      period: "P1M", zone: "UTC", start: "2025-01-31T18:00:00Z",
      anchored: [
        "2025-02-28T18:00:00Z", "2025-03-31T18:00:00Z", "2025-04-30T18:00:00Z",
        "2025-05-31T18:00:00Z", "2025-06-30T18:00:00Z",
      ],
      chained: [
        "2025-02-28T18:00:00Z", "2025-03-28T18:00:00Z", "2025-04-28T18:00:00Z",
        "2025-05-28T18:00:00Z", "2025-06-28T18:00:00Z",
      ]),
    Row(
      period: "P1M", zone: losAngeles, start: "2025-01-31T18:00:00Z",
      anchored: [
        "2025-02-28T18:00:00Z", "2025-03-31T17:00:00Z", "2025-04-30T17:00:00Z",
        "2025-05-31T17:00:00Z",
      ],
      chained: ["2025-02-28T18:00:00Z", "2025-03-28T17:00:00Z", "2025-04-28T17:00:00Z"]),
    Row(
      period: "P1M", zone: "UTC", start: "2024-01-30T18:00:00Z",
      anchored: ["2024-02-29T18:00:00Z", "2024-03-30T18:00:00Z", "2024-04-30T18:00:00Z"],
      chained: ["2024-02-29T18:00:00Z", "2024-03-29T18:00:00Z", "2024-04-29T18:00:00Z"]),
    Row(
      period: "P1M", zone: "UTC", start: "2025-01-31T02:00:00Z",
      anchored: ["2025-02-28T02:00:00Z", "2025-03-31T02:00:00Z", "2025-04-30T02:00:00Z"],
      chained: ["2025-02-28T02:00:00Z", "2025-03-28T02:00:00Z"]),
    Row(
      period: "P1M", zone: losAngeles, start: "2025-01-31T02:00:00Z",
      anchored: ["2025-03-01T02:00:00Z", "2025-03-31T01:00:00Z", "2025-05-01T01:00:00Z"],
      chained: ["2025-03-01T02:00:00Z", "2025-03-29T01:00:00Z", "2025-04-29T01:00:00Z"]),
    Row(
      period: "P1M", zone: losAngeles, start: "2025-10-20T16:00:00Z",
      anchored: ["2025-11-20T17:00:00Z", "2025-12-20T17:00:00Z"],
      chained: ["2025-11-20T17:00:00Z", "2025-12-20T17:00:00Z"]),
    Row(
      period: "P2M", zone: "UTC", start: "2024-12-31T18:00:00Z",
      anchored: [
        "2025-02-28T18:00:00Z", "2025-04-30T18:00:00Z", "2025-06-30T18:00:00Z",
        "2025-08-31T18:00:00Z",
      ],
      chained: [
        "2025-02-28T18:00:00Z", "2025-04-28T18:00:00Z", "2025-06-28T18:00:00Z",
        "2025-08-28T18:00:00Z",
      ]),
    Row(
      period: "P3M", zone: "UTC", start: "2024-11-30T18:00:00Z",
      anchored: [
        "2025-02-28T18:00:00Z", "2025-05-30T18:00:00Z", "2025-08-30T18:00:00Z",
        "2025-11-30T18:00:00Z",
      ],
      chained: [
        "2025-02-28T18:00:00Z", "2025-05-28T18:00:00Z", "2025-08-28T18:00:00Z",
        "2025-11-28T18:00:00Z",
      ]),
    Row(
      period: "P6M", zone: "UTC", start: "2024-08-31T18:00:00Z",
      anchored: ["2025-02-28T18:00:00Z", "2025-08-31T18:00:00Z", "2026-02-28T18:00:00Z"],
      chained: ["2025-02-28T18:00:00Z", "2025-08-28T18:00:00Z", "2026-02-28T18:00:00Z"]),
    Row(
      period: "P1Y", zone: "UTC", start: "2024-02-29T18:00:00Z",
      anchored: [
        "2025-02-28T18:00:00Z", "2026-02-28T18:00:00Z", "2027-02-28T18:00:00Z",
        "2028-02-29T18:00:00Z",
      ],
      chained: [
        "2025-02-28T18:00:00Z", "2026-02-28T18:00:00Z", "2027-02-28T18:00:00Z",
        "2028-02-28T18:00:00Z",
      ]),
    Row(
      period: "P1W", zone: "UTC", start: "2025-03-05T18:00:00Z",
      anchored: ["2025-03-12T18:00:00Z", "2025-03-19T18:00:00Z", "2025-03-26T18:00:00Z"],
      chained: ["2025-03-12T18:00:00Z", "2025-03-19T18:00:00Z", "2025-03-26T18:00:00Z"]),
    Row(
      period: "P6D", zone: losAngeles, start: "2022-11-01T09:15:38Z",
      anchored: ["2022-11-07T10:15:38Z"], chained: ["2022-11-07T10:15:38Z"]),
  ]

  /// The ends of a subscription's periods, as a store counts them: what is bought at `start` and
  /// renews `count` times.
  private func ends(
    of period: Period, from start: Instant, in calendar: BillingCalendar,
    _ policy: MonthEndPolicy, count: Int
  ) throws -> [Instant] {
    var policies = Policies()
    policies.monthEnd = policy
    policies.calendar = calendar
    let product = CatalogueProduct(
      id: "p", type: .autoRenewable, price: 990, groupID: "G", period: period)
    var world = try ScenarioWorld(
      policies: policies,
      catalogue: Catalogue(groups: [CatalogueGroup(id: "G", name: "G")], products: [product]))
    try world.makeClock(Clock.defaultName, at: start)
    try world.perform(.buy("p"))
    while world.transactions().count < count {
      try world.advance(to: world.newest().transaction.expiresDate)
    }
    return world.transactions().map(\.expiresDate)
  }

  @Test("each row, under both policies, as a store's periods end", arguments: rows)
  func row(_ row: Row) throws {
    let calendar = try CalendarZones.named(row.zone)
    let period = try #require(Period(iso8601: row.period))
    for (policy, expected) in [
      (MonthEndPolicy.anchored, row.anchored), (.chained, row.chained),
    ] {
      let found = try ends(
        of: period, from: .at(row.start), in: calendar, policy, count: expected.count)
      #expect(found.map(\.rfc3339) == expected)
    }
  }

  @Test("a month bought on the 31st goes on after February and keeps the 31st (B01)")
  func anchorKeepsItsDay() throws {
    let month = Period(unit: .month, count: 1)
    let anchor = try Instant.at("2017-01-31T10:00:00Z")
    let ends = (1...4).map { BillingCalendar.utc.adding(month, times: $0, to: anchor).rfc3339 }
    #expect(
      ends == [
        "2017-02-28T10:00:00Z", "2017-03-31T10:00:00Z", "2017-04-30T10:00:00Z",
        "2017-05-31T10:00:00Z",
      ])
  }

  @Test("a missing day clamps and never rolls over into the next month (B05)")
  func clampsNeverRolls() throws {
    let month = Period(unit: .month, count: 1)
    let end = BillingCalendar.utc.adding(
      month, times: 1, to: try Instant.at("2025-01-31T00:00:00Z"))
    #expect(end.rfc3339 == "2025-02-28T00:00:00Z")
  }

  @Test("a 30-day trial over the start of summer time, in both zones (B06)")
  func trialOverSummerTime() throws {
    let trial = Period(unit: .day, count: 30)
    let start = try Instant.at("2017-03-02T07:30:00Z")
    #expect(
      BillingCalendar.utc.adding(trial, times: 1, to: start).rfc3339 == "2017-04-01T07:30:00Z")
    let losAngeles = try CalendarZones.losAngeles()
    #expect(losAngeles.adding(trial, times: 1, to: start).rfc3339 == "2017-04-01T06:30:00Z")
  }

  @Test("three intro months then standard ones keep their time of day and have no stub (B08)")
  func introBoundaryIsAPeriodBoundary() throws {
    let month = Period(unit: .month, count: 1)
    let anchor = try Instant.at("2023-03-01T03:47:56Z")
    let introEnd = BillingCalendar.utc.adding(month.multiplied(by: 3), times: 1, to: anchor)
    #expect(introEnd.rfc3339 == "2023-06-01T03:47:56Z")
    #expect(BillingCalendar.utc.adding(month, times: 3, to: anchor) == introEnd)
    #expect(
      BillingCalendar.utc.adding(month, times: 4, to: anchor).rfc3339 == "2023-07-01T03:47:56Z")
  }

  @Test("periods tile, whatever the day they began on (B02)")
  func periodsTile() throws {
    let month = Period(unit: .month, count: 1)
    let first = try Instant.at("2023-01-01T00:00:00Z")
    for calendar in [BillingCalendar.utc, try CalendarZones.losAngeles()] {
      for day in stride(from: 0, to: 366, by: TestSize.isQuick ? 30 : 5) {
        let anchor = first.advanced(byDays: Int64(day))
        for policy in MonthEndPolicy.allCases {
          var previous = anchor
          for end in try ends(of: month, from: anchor, in: calendar, policy, count: 24) {
            let days = Double(end.milliseconds - previous.milliseconds) / 86_400_000
            #expect(days > 27.9 && days < 31.1, "\(anchor) \(policy) \(end)")
            previous = end
          }
        }
      }
    }
  }
}
