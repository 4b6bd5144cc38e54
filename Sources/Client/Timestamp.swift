import Time

/// A moment: milliseconds since 1970-01-01T00:00:00Z, as the wire has it.
public struct Timestamp: Hashable, Comparable, Sendable {
  /// Milliseconds since 1970 UTC.
  public var milliseconds: Int64

  public init(milliseconds: Int64) {
    self.milliseconds = milliseconds
  }

  public static func < (left: Timestamp, right: Timestamp) -> Bool {
    left.milliseconds < right.milliseconds
  }
}

extension Timestamp: CustomStringConvertible {
  /// RFC 3339 in UTC: `2025-01-31T10:00:00Z`, with `.123` where there are milliseconds.
  public var description: String { Instant(milliseconds: milliseconds).rfc3339 }

  /// The day in UTC: `2025-01-31`.
  public var date: String { String(description.prefix { $0 != "T" }) }
}
