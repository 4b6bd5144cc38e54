import Subscriptions
import TestSizes
import Testing

@Suite("time zones from zone files")
struct CalendarZoneTests {
  static let day = Period(unit: .day, count: 1)
  static let month = Period(unit: .month, count: 1)

  @Test("a local time that the clocks skip comes out an hour later")
  func gap() throws {
    let calendar = try CalendarZones.losAngeles()
    // 02:30 local does not exist on 9 March 2025; it becomes 03:30.
    let byDay = calendar.adding(Self.day, times: 1, to: try .at("2025-03-08T10:30:00Z"))
    #expect(byDay.rfc3339 == "2025-03-09T10:30:00Z")
    let byMonth = calendar.adding(Self.month, times: 1, to: try .at("2025-02-09T10:30:00Z"))
    #expect(byMonth.rfc3339 == "2025-03-09T10:30:00Z")
    // And the month after that has its own 02:30 again.
    let next = calendar.adding(Self.month, times: 2, to: try .at("2025-02-09T10:30:00Z"))
    #expect(next.rfc3339 == "2025-04-09T09:30:00Z")
  }

  @Test("a local time that the clocks repeat is the first of the two, backwards the second")
  func overlap() throws {
    let calendar = try CalendarZones.losAngeles()
    // 01:30 local on 2 November 2025 is 08:30Z and again 09:30Z.
    let fromSummer = calendar.adding(Self.day, times: 1, to: try .at("2025-11-01T08:30:00Z"))
    #expect(fromSummer.rfc3339 == "2025-11-02T08:30:00Z")
    let fromWinter = calendar.adding(Self.month, times: 9, to: try .at("2025-02-02T09:30:00Z"))
    #expect(fromWinter.rfc3339 == "2025-11-02T08:30:00Z")
    let back = calendar.adding(Self.day, times: -1, to: try .at("2025-11-03T09:30:00Z"))
    #expect(back.rfc3339 == "2025-11-02T09:30:00Z")
  }

  @Test("what a wall clock in the zone shows")
  func civil() throws {
    let shown = try CalendarZones.losAngeles().civil(at: .at("2025-03-09T10:30:00Z"))
    #expect(shown.date == CivilDate(year: 2025, month: 3, day: 9))
    #expect(shown.millisecondOfDay == (3 * 60 + 30) * 60_000)
  }

  @Test("the rule of the file holds a thousand years from now")
  func farYears() throws {
    let zone = try CalendarZones.losAngeles().zone
    #expect(zone.offsetSeconds(at: try .at("2099-07-01T00:00:00Z")) == -7 * 3600)
    #expect(zone.offsetSeconds(at: try .at("2099-12-01T00:00:00Z")) == -8 * 3600)
    #expect(zone.offsetSeconds(at: try .at("3025-07-01T00:00:00Z")) == -7 * 3600)
    #expect(zone.offsetSeconds(at: try .at("3025-12-01T00:00:00Z")) == -8 * 3600)
  }

  /// A zone file without transitions: one type, one rule.
  static func file(rule: String, offset: Int32 = 0, version: Character = "2") -> [UInt8] {
    func header(types: UInt8, characters: UInt8) -> [UInt8] {
      Array("TZif\(version)".utf8) + [UInt8](repeating: 0, count: 15 + 16)
        + [0, 0, 0, types, 0, 0, 0, characters]
    }
    let type = (0..<4).reversed().map {
      UInt8(truncatingIfNeeded: UInt32(bitPattern: offset) >> UInt32($0 * 8))
    }
    return header(types: 0, characters: 0) + header(types: 1, characters: 4) + type + [0, 0]
      + Array("XXX\0".utf8) + Array("\n\(rule)\n".utf8)
  }

  @Test("a rule alone, in each form that POSIX has")
  func rules() throws {
    func offset(_ rule: String, _ time: String) throws -> Int32 {
      try TimeZoneRules(tzif: Self.file(rule: rule)).offsetSeconds(at: .at(time))
    }
    #expect(try offset("UTC0", "2025-01-01T00:00:00Z") == 0)
    #expect(try offset("IST-5:30", "2025-01-01T00:00:00Z") == 19_800)
    #expect(try offset("<+0330>-3:30", "2025-01-01T00:00:00Z") == 12_600)
    let berlin = "CET-1CEST,M3.5.0,M10.5.0/3"
    #expect(try offset(berlin, "2025-03-30T00:59:59Z") == 3600)
    #expect(try offset(berlin, "2025-03-30T01:00:00Z") == 7200)
    #expect(try offset(berlin, "2025-10-26T00:59:59Z") == 7200)
    #expect(try offset(berlin, "2025-10-26T01:00:00Z") == 3600)
    // Day 60 without leap days is 1 March in every year; day 59 counted from 0 is 29 February.
    #expect(try offset("AAA0BBB,J60/0,J300/0", "2024-02-29T23:59:59Z") == 0)
    #expect(try offset("AAA0BBB,J60/0,J300/0", "2024-03-01T00:00:00Z") == 3600)
    #expect(try offset("AAA0BBB,59/0,300/0", "2024-02-28T23:59:59Z") == 0)
    #expect(try offset("AAA0BBB,59/0,300/0", "2024-02-29T00:00:00Z") == 3600)
    // Summer time all the year round.
    #expect(try offset("AAA3BBB2,0/0,J365/25", "2024-12-31T23:30:00Z") == -7200)
    #expect(try offset("AAA3BBB2,0/0,J365/25", "2025-06-30T00:00:00Z") == -7200)
    // South of the equator summer begins late in the year.
    let sydney = "AEST-10AEDT,M10.1.0,M4.1.0/3"
    #expect(try offset(sydney, "2025-01-01T00:00:00Z") == 39_600)
    #expect(try offset(sydney, "2025-07-01T00:00:00Z") == 36_000)
    // Negative times of day and hours beyond a day.
    #expect(try offset("AAA2BBB1,M3.5.0/-1,M10.5.0/-1", "2025-03-30T00:59:59Z") == -7200)
    #expect(try offset("AAA2BBB1,M3.5.0/-1,M10.5.0/-1", "2025-03-30T01:00:00Z") == -3600)
  }

  @Test(
    "rules that are not understood are refused",
    arguments: [
      "PST", "PS8", "PST8PDT", "PST8PDT,M3.2.0", "PST8PDT,M13.2.0,M11.1.0",
      "PST8PDT,M3.6.0,M11.1.0", "PST8PDT,M3.2.7,M11.1.0", "PST8PDT,J0,J365", "PST8PDT,0,366",
      "PST25", "PST8PDT,M3.2.0/168,M11.1.0", "<PST8", "PST8PDT,M3.2.0,M11.1.0x", "PST8:60",
    ])
  func ruleRefused(rule: String) {
    #expect(throws: TimeZoneError.ruleInvalid(text: rule)) {
      try TimeZoneRules(tzif: Self.file(rule: rule))
    }
  }

  @Test("files that are not version 2 zone files are refused by name")
  func refused() throws {
    #expect(throws: TimeZoneError.notAZoneFile) { try TimeZoneRules(tzif: []) }
    #expect(throws: TimeZoneError.notAZoneFile) {
      try TimeZoneRules(tzif: Array("not a zone file at all".utf8))
    }
    #expect(throws: TimeZoneError.versionTooOld) {
      try TimeZoneRules(tzif: Self.file(rule: "UTC0", version: "\0"))
    }
    #expect(throws: TimeZoneError.offsetOutOfRange(seconds: 100_000)) {
      try TimeZoneRules(tzif: Self.file(rule: "UTC0", offset: 100_000))
    }
  }

  @Test("a file cut anywhere is refused and never traps")
  func cutAnywhere() throws {
    let whole = try CalendarZones.bytes(CalendarZones.losAngelesName)
    for length in 0..<whole.count {
      #expect(throws: TimeZoneError.self) {
        try TimeZoneRules(tzif: Array(whole[..<length]))
      }
    }
  }

  @Test("5,000 damaged zone files (quick: 1,000), none of which traps")
  func damaged() throws {
    let whole = try CalendarZones.bytes(CalendarZones.losAngelesName)
    let probe = try Instant.at("2050-01-01T00:00:00Z")
    var chance = SeededGenerator(seed: 11)
    var refused = 0
    for _ in 0..<TestSize.times(5_000, quick: 1_000) {
      var bytes = whole
      for _ in 0..<Int.random(in: 1...4, using: &chance) {
        bytes[Int.random(in: 0..<bytes.count, using: &chance)] = UInt8.random(
          in: 0...255, using: &chance)
      }
      do {
        let rules = try TimeZoneRules(tzif: bytes)
        let offset = Int(rules.offsetSeconds(at: probe))
        #expect(abs(offset) <= 200_000)
      } catch {
        refused += 1
      }
    }
    #expect(refused > TestSize.times(25, quick: 5))
  }
}
