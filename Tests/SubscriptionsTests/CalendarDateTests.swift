import Subscriptions
import Testing

@Suite("dates of the Gregorian calendar")
struct CalendarDateTests {
  @Test("every day of 1900 to 2200 counts one more than the day before and reads back")
  func everyDay() throws {
    var expected = try #require(CivilDate(year: 1900, month: 1, day: 1)).daysSince1970
    #expect(expected == -25_567)
    for year in Int32(1900)...2200 {
      for month in 1...12 {
        for day in 1...31 {
          guard let date = CivilDate(year: year, month: month, day: day) else {
            #expect(day > 28)
            continue
          }
          guard date.daysSince1970 == expected, CivilDate(daysSince1970: expected) == date else {
            Issue.record("\(year)-\(month)-\(day)")
            return
          }
          expected += 1
        }
      }
    }
    #expect(expected == CivilDate(year: 2201, month: 1, day: 1)?.daysSince1970)
  }

  @Test("leap years", arguments: [(1900, false), (2000, true), (2023, false), (2024, true)])
  func leapYears(year: Int, isLeap: Bool) {
    #expect(CivilDate.isLeap(Int32(year)) == isLeap)
    #expect((CivilDate(year: Int32(year), month: 2, day: 29) != nil) == isLeap)
  }

  @Test("days that do not exist are no dates")
  func noSuchDay() {
    #expect(CivilDate(year: 2025, month: 0, day: 1) == nil)
    #expect(CivilDate(year: 2025, month: 13, day: 1) == nil)
    #expect(CivilDate(year: 2025, month: 4, day: 31) == nil)
    #expect(CivilDate(year: 2025, month: 1, day: 0) == nil)
  }

  @Test("weekdays, before and after 1970")
  func weekdays() {
    #expect(CivilDate(year: 1970, month: 1, day: 1)?.weekday == 4)
    #expect(CivilDate(year: 1969, month: 12, day: 31)?.weekday == 3)
    #expect(CivilDate(year: 2025, month: 3, day: 9)?.weekday == 0)
    #expect(CivilDate(year: 1900, month: 1, day: 1)?.weekday == 1)
  }

  @Test("adding no period changes nothing, and counting back undoes counting on")
  func zeroAndBack() throws {
    let start = try Instant.at("2025-06-15T10:00:00.123Z")
    for unit in Period.Unit.allCases {
      let period = Period(unit: unit, count: 3)
      #expect(BillingCalendar.utc.adding(period, times: 0, to: start) == start)
      let later = BillingCalendar.utc.adding(period, times: 5, to: start)
      #expect(later > start)
      #expect(BillingCalendar.utc.adding(period, times: -5, to: later) == start)
    }
  }

  @Test("the most extreme numbers saturate and do not trap")
  func extremes() throws {
    let losAngeles = try CalendarZones.losAngeles()
    let numbers: [Int64] = [.min, -1, 0, 1, .max]
    for calendar in [BillingCalendar.utc, losAngeles] {
      for milliseconds in numbers {
        for times in [Int.min, -1, 1, Int.max] {
          for unit in Period.Unit.allCases {
            for count in [Int32.min, 1, .max] {
              let end = calendar.adding(
                Period(unit: unit, count: count), times: times,
                to: Instant(milliseconds: milliseconds))
              #expect(end.rfc3339.hasSuffix("Z"))
            }
          }
        }
      }
    }
  }
}
