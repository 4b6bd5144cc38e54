/// A length of time as people say it: months, days and milliseconds, which do not convert into
/// one another. Never negative when it comes from a text.
public struct TimeSpan: Hashable, Sendable {
  public var months: Int32
  public var days: Int32
  public var milliseconds: Int64

  public init(months: Int32 = 0, days: Int32 = 0, milliseconds: Int64 = 0) {
    self.months = months
    self.days = days
    self.milliseconds = milliseconds
  }
}

extension Instant {
  /// This instant and `span`, counted in UTC: first the months, clamped to the month's last day,
  /// then the days, then the milliseconds. Saturates far outside what a clock may show.
  public func adding(_ span: TimeSpan) -> Instant {
    let calendar = BillingCalendar.utc
    let date = calendar.adding(
      days: Int64(span.days), to: calendar.adding(months: Int64(span.months), to: self))
    let (sum, overflow) = date.milliseconds.addingReportingOverflow(span.milliseconds)
    let limit = CalendarLimits.millisecondsMax
    if overflow { return Instant(milliseconds: span.milliseconds < 0 ? -limit : limit) }
    return Instant(milliseconds: max(-limit, min(limit, sum)))
  }
}
