/// A day and a time of day to the millisecond, as a wall clock shows them; without a zone.
public struct CivilDateTime: Hashable, Sendable {
  public var date: CivilDate
  /// 0 up to `millisecondsInDay`, that excluded.
  public var millisecondOfDay: Int32

  public init(date: CivilDate, millisecondOfDay: Int32) {
    self.date = date
    self.millisecondOfDay = millisecondOfDay
  }

  /// What a wall clock that is `milliseconds` past 1970-01-01T00:00 shows.
  init(localMilliseconds milliseconds: Int64) {
    let (days, rest) = Self.split(milliseconds)
    date = CivilDate(daysSince1970: days)
    millisecondOfDay = Int32(truncatingIfNeeded: rest)
  }

  /// The date and time of `instant` in UTC.
  public init(utc instant: Instant) {
    self.init(localMilliseconds: instant.milliseconds)
  }

  /// Milliseconds past 1970-01-01T00:00 on the same wall clock.
  var localMilliseconds: Int64 {
    date.daysSince1970 * Self.millisecondsInDay + Int64(millisecondOfDay)
  }

  public static let millisecondsInDay: Int64 = 86_400_000

  /// Whole days, rounded down, and the milliseconds left over.
  @inline(__always)
  static func split(_ milliseconds: Int64) -> (days: Int64, rest: Int64) {
    var days = milliseconds / millisecondsInDay
    var rest = milliseconds - days * millisecondsInDay
    if rest < 0 {
      days -= 1
      rest += millisecondsInDay
    }
    return (days, rest)
  }
}
