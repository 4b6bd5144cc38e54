/// A moment: whole milliseconds since 1970-01-01T00:00:00Z, as on the wire (Domain.md 0.2).
public struct Instant: Comparable, Hashable, Sendable {
  public var milliseconds: Int64

  public init(milliseconds: Int64) {
    self.milliseconds = milliseconds
  }

  /// A moment that never comes; it stands for "no deadline" and "no date" in dense records.
  public static let never = Instant(milliseconds: .max)

  public static func < (left: Instant, right: Instant) -> Bool {
    left.milliseconds < right.milliseconds
  }

  /// The same moment, or nil for `never`: the form in which answers carry it.
  public var ifEver: Instant? {
    self == .never ? nil : self
  }

  public func advanced(byMilliseconds milliseconds: Int64) -> Instant {
    Instant(milliseconds: self.milliseconds + milliseconds)
  }

  public func advanced(byDays days: Int64) -> Instant {
    advanced(byMilliseconds: days * Instant.millisecondsPerDay)
  }

  public static let millisecondsPerDay: Int64 = 86_400_000
}
