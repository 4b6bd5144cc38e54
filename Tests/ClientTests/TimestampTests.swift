import Foundation
import Testing

@testable import Client
@testable import Contract

@Suite("Timestamp")
struct TimestampTests {
  @Test("a moment is written in RFC 3339 with its zone, milliseconds only where there are")
  func writing() {
    #expect(Timestamp(milliseconds: 1_738_317_600_000).description == "2025-01-31T10:00:00Z")
    #expect(Timestamp(milliseconds: 1_738_317_600_007).description == "2025-01-31T10:00:00.007Z")
    #expect(Timestamp(milliseconds: 0).description == "1970-01-01T00:00:00Z")
    #expect(Timestamp(milliseconds: -1).description == "1969-12-31T23:59:59.999Z")
    #expect(Timestamp(milliseconds: 951_782_400_000).date == "2000-02-29")
  }

  @Test(
    "times are read as people write them",
    arguments: [
      ("2025-01-31T10:00:00Z", 1_738_317_600_000), ("2025-01-31T11:00:00+01:00", 1_738_317_600_000),
      ("2025-01-31t10:00:00.5z", 1_738_317_600_500), ("2025-01-31 10:00:00Z", 1_738_317_600_000),
      ("2025-01-31", 1_738_281_600_000), ("@1738317600", 1_738_317_600_000),
      ("@1738317600.25", 1_738_317_600_250), ("@0", 0), ("2024-02-29", 1_709_164_800_000),
      ("9999-12-31T23:59:59.999Z", 253_402_300_799_999),
    ] as [(String, Int64)])
  func reading(text: String, milliseconds: Int64) throws {
    #expect(try Timestamp(text).milliseconds == milliseconds)
  }

  @Test(
    "what is no time is refused with what would be one",
    arguments: [
      "", "yesterday", "2025-02-29", "2025-13-01", "2025-00-10", "2025-1-1", "2025-01-31T10:00:00",
      "2025-01-31T24:00:00Z", "2025-01-31T10:60:00Z", "2025-01-31T10:00:00Zulu", "@", "@x", "@1.",
      "2025-01-31T10:00:00+0100", "@99999999999999",
    ])
  func refusing(text: String) {
    #expect(throws: TimeTextError.self) { try Timestamp(text) }
    do {
      _ = try Timestamp(text)
    } catch {
      #expect(error.description.contains("2025-01-31T10:00:00Z"))
    }
  }

  @Test(
    "no time before 1970 or past the year 9999 comes in, in whatever form it is written",
    arguments: [
      "1969-12-31T23:59:59.999Z", "1970-01-01T00:00:00+00:01", "0001-01-01", "@-1", "@-0.001",
      "9999-12-31T23:59:59-00:01", "@253402300800", "@999999999999",
    ])
  func bounds(text: String) {
    #expect(throws: TimeTextError.range(text)) { try Timestamp(text) }
    #expect(TimeTextError.range(text).description.contains("1970 to 9999"))
  }

  @Test("ten thousand moments read and written agree with Foundation")
  func foundation() throws {
    var generator = SplitMix(state: 7)
    let formatter = ISO8601DateFormatter()
    for _ in 0..<10_000 {
      let seconds = Int64.random(in: -62_000_000_000...250_000_000_000, using: &generator)
      let text = formatter.string(from: Date(timeIntervalSince1970: Double(seconds)))
      // Before 1582 Foundation counts by another calendar.
      guard seconds > -12_219_292_800 else { continue }
      #expect(Timestamp(milliseconds: seconds * 1000).description == text)
      guard seconds >= 0 else { continue }
      #expect(try Timestamp(text).milliseconds == seconds * 1000)
    }
  }
}

/// A generator whose numbers are the same in every run.
struct SplitMix: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
