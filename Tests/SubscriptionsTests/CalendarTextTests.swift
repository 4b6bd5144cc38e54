import Foundation
import Subscriptions
import Testing

@Suite("times and spans as text")
struct CalendarTextTests {
  @Test("a time is written in UTC, with milliseconds only where there are any")
  func written() {
    #expect(Instant(milliseconds: 1_738_317_600_000).rfc3339 == "2025-01-31T10:00:00Z")
    #expect(Instant(milliseconds: 1_738_317_600_007).rfc3339 == "2025-01-31T10:00:00.007Z")
    #expect(Instant(milliseconds: 0).rfc3339 == "1970-01-01T00:00:00Z")
    #expect(Instant(milliseconds: -1).rfc3339 == "1969-12-31T23:59:59.999Z")
    #expect(Instant(milliseconds: 253_402_300_800_000).rfc3339 == "+10000-01-01T00:00:00Z")
    #expect(Instant.never.description == "never")
    #expect(Limits.timeMin.rfc3339 == "2000-01-01T00:00:00Z")
    #expect(Limits.timeMax.rfc3339 == "2099-12-31T23:59:59.999Z")
  }

  @Test(
    "the forms of RFC 3339",
    arguments: [
      ("2025-01-31T10:00:00Z", 1_738_317_600_000),
      ("2025-01-31t10:00:00z", 1_738_317_600_000),
      ("2025-01-31 10:00:00Z", 1_738_317_600_000),
      ("2025-01-31T02:00:00-08:00", 1_738_317_600_000),
      ("2025-01-31T15:30:00+05:30", 1_738_317_600_000),
      ("2025-01-31T10:00:00.5Z", 1_738_317_600_500),
      ("2025-01-31T10:00:00.123456789Z", 1_738_317_600_123),
      ("2025-01-31", 1_738_281_600_000),
      ("1969-12-31T23:59:59.999Z", -1),
      ("0000-01-01T00:00:00Z", -62_167_219_200_000),
      ("9999-12-31T23:59:59Z", 253_402_300_799_000),
    ])
  func read(text: String, milliseconds: Int64) throws {
    #expect(try Instant(rfc3339: text).milliseconds == milliseconds)
  }

  @Test("10,000 seeded times read back, and Foundation writes the same")
  func roundTrip() throws {
    let formatter = ISO8601DateFormatter()
    var chance = SeededGenerator(seed: 3)
    let range =
      Limits.timeMin.milliseconds...Limits.timeMax.milliseconds
    for _ in 0..<10_000 {
      let instant = Instant(milliseconds: Int64.random(in: range, using: &chance))
      #expect(try Instant(rfc3339: instant.rfc3339) == instant)
      let whole = Instant(milliseconds: instant.milliseconds / 1000 * 1000)
      let date = Date(timeIntervalSince1970: Double(whole.milliseconds / 1000))
      #expect(formatter.string(from: date) == whole.rfc3339)
    }
  }

  static let wrongTimes: [(String, TimeTextError)] = [
    ("", .empty),
    (String(repeating: "2", count: 97), .tooLong(bytes: 97)),
    ("tomorrow", .notATime(text: "tomorrow")),
    ("2025-1-31", .notATime(text: "2025-1-31")),
    ("2025-01-31T", .notATime(text: "2025-01-31T")),
    ("2025-01-31T10:00Z", .notATime(text: "2025-01-31T10:00Z")),
    ("2025-01-31T10:00:00.Z", .notATime(text: "2025-01-31T10:00:00.Z")),
    ("2025-01-31T10:00:00Z ", .notATime(text: "2025-01-31T10:00:00Z ")),
    ("2025-01-31T10:00:00+0100", .notATime(text: "2025-01-31T10:00:00+0100")),
    ("2025-01-31T10:00:00", .zoneMissing(text: "2025-01-31T10:00:00")),
    ("2025-13-01", .fieldOutOfRange(field: .month, text: "2025-13-01")),
    ("2025-02-29", .fieldOutOfRange(field: .day, text: "2025-02-29")),
    ("2025-01-31T24:00:00Z", .fieldOutOfRange(field: .hour, text: "2025-01-31T24:00:00Z")),
    ("2025-01-31T10:60:00Z", .fieldOutOfRange(field: .minute, text: "2025-01-31T10:60:00Z")),
    ("2025-01-31T23:59:60Z", .fieldOutOfRange(field: .second, text: "2025-01-31T23:59:60Z")),
    (
      "2025-01-31T10:00:00+24:00",
      .fieldOutOfRange(field: .offset, text: "2025-01-31T10:00:00+24:00")
    ),
  ]

  @Test("wrong times are refused by name", arguments: wrongTimes)
  func wrongTime(text: String, error: TimeTextError) {
    #expect(throws: error) { try Instant(rfc3339: text) }
    #expect(!error.description.isEmpty)
  }

  @Test("a time for a clock: seconds after @, and only what a clock may show")
  func clockTimes() throws {
    #expect(try TimeText.instant("@1738317600").rfc3339 == "2025-01-31T10:00:00Z")
    #expect(try TimeText.instant("@1738317600.25").rfc3339 == "2025-01-31T10:00:00.250Z")
    #expect(try TimeText.instant("2025-01-31").rfc3339 == "2025-01-31T00:00:00Z")
    #expect(try TimeText.instant("2000-01-01") == Limits.timeMin)
    #expect(throws: TimeTextError.outsideClockRange(try .at("1999-12-31T23:59:59Z"))) {
      try TimeText.instant("1999-12-31T23:59:59Z")
    }
    #expect(throws: TimeTextError.outsideClockRange(try .at("2100-01-01T00:00:00Z"))) {
      try TimeText.instant("2100-01-01")
    }
    #expect(throws: TimeTextError.outsideClockRange(Instant(milliseconds: -1000))) {
      try TimeText.instant("@-1")
    }
    for text in ["@", "@x", "@1x", "@1.", "@9999999999999"] {
      #expect(throws: TimeTextError.notATime(text: text)) { try TimeText.instant(text) }
    }
  }

  static let spans: [(String, TimeSpan)] = [
    ("P1Y2M", TimeSpan(months: 14)),
    ("P1Y", TimeSpan(months: 12)),
    ("P2W", TimeSpan(days: 14)),
    ("P1M3D", TimeSpan(months: 1, days: 3)),
    ("PT36H", TimeSpan(milliseconds: 129_600_000)),
    ("PT1M", TimeSpan(milliseconds: 60_000)),
    ("P1DT0.5S", TimeSpan(days: 1, milliseconds: 500)),
    ("PT1.5H", TimeSpan(milliseconds: 5_400_000)),
    ("1y", TimeSpan(months: 12)),
    ("1month 3d", TimeSpan(months: 1, days: 3)),
    ("3d 1month", TimeSpan(months: 1, days: 3)),
    ("1 month", TimeSpan(months: 1)),
    ("2 years 1 week", TimeSpan(months: 24, days: 7)),
    ("36h", TimeSpan(milliseconds: 129_600_000)),
    ("2w", TimeSpan(days: 14)),
    ("90s", TimeSpan(milliseconds: 90_000)),
    ("90", TimeSpan(milliseconds: 90_000)),
    ("1m", TimeSpan(milliseconds: 60_000)),
    ("1M", TimeSpan(months: 1)),
    ("1d12h", TimeSpan(days: 1, milliseconds: 43_200_000)),
    ("1.5h", TimeSpan(milliseconds: 5_400_000)),
    ("250ms", TimeSpan(milliseconds: 250)),
    ("0s", TimeSpan()),
  ]

  @Test("spans, in ISO 8601's form and in systemd's", arguments: spans)
  func span(text: String, span: TimeSpan) throws {
    #expect(try TimeText.span(text) == span)
  }

  static let wrongSpans: [(String, TimeTextError)] = [
    ("", .empty),
    ("P", .notASpan(text: "P")),
    ("PT", .notASpan(text: "PT")),
    ("P1DT", .notASpan(text: "P1DT")),
    ("P1", .notASpan(text: "P1")),
    ("abc", .notASpan(text: "abc")),
    ("1h,", .notASpan(text: "1h,")),
    ("P1H", .unitUnknown(unit: "H")),
    ("PT1D", .unitUnknown(unit: "D")),
    ("1fortnight", .unitUnknown(unit: "fortnight")),
    ("1us", .unitUnknown(unit: "us")),
    ("P1M1Y", .unitOutOfOrder(unit: "year")),
    ("P1M1M", .unitOutOfOrder(unit: "month")),
    ("1h 1h", .unitOutOfOrder(unit: "hour")),
    ("1.5d", .fractionNotAllowed(unit: "day")),
    ("P1.5M", .fractionNotAllowed(unit: "month")),
    ("1.5ms", .fractionNotAllowed(unit: "millisecond")),
    ("-1d", .spanNegative(text: "-1d")),
    ("1d -1h", .spanNegative(text: "1d -1h")),
    ("P-1D", .spanNegative(text: "P-1D")),
    ("999999999999y", .spanTooLong(text: "999999999999y")),
    ("999999999999999h", .spanTooLong(text: "999999999999999h")),
    ("99999999999999999999s", .spanTooLong(text: "99999999999999999999s")),
  ]

  @Test("wrong spans are refused by name", arguments: wrongSpans)
  func wrongSpan(text: String, error: TimeTextError) {
    #expect(throws: error) { try TimeText.span(text) }
    #expect(!error.description.isEmpty)
  }

  @Test("a span adds its months first, clamped, then its days, then its time")
  func adding() throws {
    let start = try Instant.at("2025-01-31T23:00:00Z")
    #expect(start.adding(TimeSpan(months: 1)).rfc3339 == "2025-02-28T23:00:00Z")
    #expect(
      start.adding(TimeSpan(months: 1, days: 1, milliseconds: 3_600_000)).rfc3339
        == "2025-03-02T00:00:00Z")
    #expect(start.adding(TimeSpan()) == start)
    let far = TimeSpan(months: .max, days: .max, milliseconds: .max)
    #expect(start.adding(far) > start)
  }
}
