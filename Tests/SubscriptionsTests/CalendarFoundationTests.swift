import Foundation
import Subscriptions
import TestSizes
import Testing

/// The calendar against Foundation's, which is not ours.
@Suite("the calendar agrees with Foundation's")
struct CalendarFoundationTests {
  static let periods = [
    "P1W", "P1M", "P2M", "P3M", "P6M", "P1Y", "P3D", "P2W", "P7D", "P30D", "P1D",
  ]

  static func component(_ unit: Period.Unit) -> Calendar.Component {
    switch unit {
    case .day, .week: .day
    case .month: .month
    case .year: .year
    }
  }

  static func expected(
    _ period: Period, times: Int, to start: Instant, in calendar: Calendar
  ) throws -> Instant {
    let count = Int(period.count) * times * (period.unit == .week ? 7 : 1)
    // Whole seconds: a Double's fraction of a second is not exact.
    let (seconds, rest) = start.milliseconds.quotientAndRemainder(dividingBy: 1000)
    let date = Date(timeIntervalSince1970: Double(seconds))
    let end = try #require(
      calendar.date(byAdding: component(period.unit), value: count, to: date))
    return Instant(milliseconds: Int64(end.timeIntervalSince1970.rounded()) * 1000 + rest)
  }

  @Test(
    "10,000 seeded dates (quick: 2,000) of 2000 to 2099, every period, one to sixty steps",
    arguments: ["UTC", CalendarZones.losAngelesName])
  func randomDates(zone: String) throws {
    let ours = try CalendarZones.named(zone)
    let theirs = CalendarZones.foundation(zone)
    let periods = try Self.periods.map { try #require(Period(iso8601: $0)) }
    var chance = SeededGenerator(seed: 20_250_131)
    let range =
      Limits.timeMin.milliseconds...Limits.timeMax.milliseconds
    var differences: [String] = []
    for _ in 0..<TestSize.times(10_000, quick: 2_000) {
      let start = Instant(milliseconds: Int64.random(in: range, using: &chance))
      for period in periods {
        let times = Int.random(in: 1...60, using: &chance)
        let end = ours.adding(period, times: times, to: start)
        let expected = try Self.expected(period, times: times, to: start, in: theirs)
        if end != expected {
          differences.append("\(start) + \(times) × \(period.iso8601): \(end), not \(expected)")
        }
      }
    }
    #expect(differences.isEmpty, "\(differences.count): \(differences.prefix(5))")
  }

  @Test("a quarter of an hour apart through every change of the clocks, 2000 to 2040")
  func aroundClockChanges() throws {
    let ours = try CalendarZones.losAngeles()
    let theirs = CalendarZones.foundation(CalendarZones.losAngelesName)
    let steps: [(Period, Int)] = [
      (Period(unit: .day, count: 1), 1), (Period(unit: .week, count: 1), 1),
      (Period(unit: .month, count: 1), 1), (Period(unit: .month, count: 1), 9),
      (Period(unit: .year, count: 1), 1), (Period(unit: .day, count: 1), -1),
      (Period(unit: .month, count: 1), -1), (Period(unit: .month, count: 1), 0),
    ]
    var differences: [String] = []
    for year in Int32(2000)...2040 {
      for (month, firstDay) in [(2, 5), (3, 1), (4, 1), (10, 1), (11, 1), (12, 1)] {
        let first = try #require(CivilDate(year: year, month: month, day: firstDay))
        for quarter in 0..<(14 * 24 * 4) where quarter % 96 < 60 && quarter % 96 > 28 {
          let start = Instant(
            milliseconds: first.daysSince1970 * 86_400_000 + Int64(quarter) * 900_000)
          let (period, times) = steps[(quarter + Int(year)) % steps.count]
          let end = ours.adding(period, times: times, to: start)
          let expected = try Self.expected(period, times: times, to: start, in: theirs)
          if end != expected { differences.append("\(start) \(period) \(times): \(end)") }
        }
      }
    }
    #expect(differences.isEmpty, "\(differences.count): \(differences.prefix(5))")
  }

  @Test("offsets from UTC of zones of every kind, 1900 to 2200")
  func offsets() throws {
    let names = [
      CalendarZones.losAngelesName, "Europe/Berlin", "Asia/Kolkata", "Australia/Lord_Howe",
      "America/St_Johns", "Pacific/Chatham", "Europe/Dublin", "America/Sao_Paulo", "Asia/Tokyo",
    ]
    let earliest = try Instant.at("1900-01-01T00:00:00Z").milliseconds
    let latest = try Instant.at("2200-12-31T00:00:00Z").milliseconds
    for name in names {
      let rules = try TimeZoneRules(tzif: CalendarZones.bytes(name))
      let theirs = try #require(TimeZone(identifier: name))
      var chance = SeededGenerator(seed: 7)
      var differences: [String] = []
      for _ in 0..<4000 {
        let seconds = Int64.random(in: earliest...latest, using: &chance) / 1000
        let instant = Instant(milliseconds: seconds * 1000)
        let expected = theirs.secondsFromGMT(
          for: Date(timeIntervalSince1970: Double(seconds)))
        if Int(rules.offsetSeconds(at: instant)) != expected {
          differences.append("\(instant): \(rules.offsetSeconds(at: instant)), not \(expected)")
        }
      }
      #expect(differences.isEmpty, "\(name) \(differences.count): \(differences.prefix(5))")
    }
  }
}
