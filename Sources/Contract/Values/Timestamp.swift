import Time

/// A moment: milliseconds since 1970-01-01T00:00:00Z, as the wire has it.
public typealias Timestamp = Instant

extension Timestamp {
  /// 1970-01-01T00:00:00Z: what a field is before it is read.
  public static let zero = Timestamp(milliseconds: 0)

  /// The last millisecond of the year 9999, which RFC 3339 can write; texts are of 1970 and later.
  private static let textMax = Timestamp(milliseconds: 253_402_300_799_999)

  /// The day in UTC: `2025-01-31`.
  public var date: String { String(rfc3339.prefix { $0 != "T" }) }
}

/// Why a text is no time or span; the sentence says what would be one.
public struct TimeTextError: Error, Equatable, Sendable, CustomStringConvertible {
  /// One sentence for a person, without a full stop.
  public let description: String

  static func time(_ text: String) -> TimeTextError {
    TimeTextError(
      description: "\"\(text)\" is no time; write 2025-01-31T10:00:00Z, 2025-01-31 or @1738317600")
  }

  static func range(_ text: String) -> TimeTextError {
    TimeTextError(description: "\"\(text)\" is outside the years 1970 to 9999")
  }

  static func span(_ text: String) -> TimeTextError {
    TimeTextError(
      description: "\"\(text)\" is no span of time; write P1Y, PT36H, 1y, \"1month 3d\" or 36h")
  }
}

extension Timestamp {
  /// Reads a time as people write it: RFC 3339 with its zone, a date (midnight UTC), or `@` with
  /// seconds since 1970, in the years 1970 to 9999. Digits finer than a millisecond are dropped.
  public init(_ text: String) throws(TimeTextError) {
    let instant: Instant
    do {
      instant = try TimeText.moment(text)
    } catch {
      throw .time(text)
    }
    guard instant >= .zero, instant <= Self.textMax else { throw .range(text) }
    self = instant
  }
}
