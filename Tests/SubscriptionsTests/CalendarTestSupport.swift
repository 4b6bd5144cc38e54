import Foundation
import Subscriptions

/// The zones of the two calendar profiles, and what the calendar tests share.
enum CalendarZones {
  static let losAngelesName = "America/Los_Angeles"

  static func bytes(_ name: String) throws -> [UInt8] {
    [UInt8](try Data(contentsOf: URL(fileURLWithPath: "/usr/share/zoneinfo/\(name)")))
  }

  static func losAngeles() throws -> BillingCalendar {
    BillingCalendar(zone: try TimeZoneRules(tzif: bytes(losAngelesName)))
  }

  static func named(_ name: String) throws -> BillingCalendar {
    name == "UTC" ? .utc : BillingCalendar(zone: try TimeZoneRules(tzif: bytes(name)))
  }

  /// Foundation's calendar in the same zone.
  static func foundation(_ name: String) -> Calendar {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = TimeZone(identifier: name)!
    return calendar
  }
}

extension Instant {
  /// A time written in a test.
  static func at(_ text: String) throws -> Instant {
    try Instant(rfc3339: text)
  }
}

/// Chance that a test can repeat.
struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) {
    state = seed
  }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var value = state
    value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
    value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
    return value ^ (value >> 31)
  }
}
