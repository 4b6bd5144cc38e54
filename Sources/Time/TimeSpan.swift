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

extension TimeSpan {
  /// The span as an ISO 8601 duration: `P1M3D`, `PT36H` as `PT129600S`.
  public var iso8601: String {
    var date = ""
    if months != 0 { date += "\(months)M" }
    if days != 0 { date += "\(days)D" }
    let fraction = milliseconds % 1000
    let digits = String(fraction + 1000).dropFirst()
    let seconds = String(milliseconds / 1000) + (fraction == 0 ? "" : ".\(digits)")
    return "P\(date)" + (milliseconds == 0 && !date.isEmpty ? "" : "T\(seconds)S")
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
