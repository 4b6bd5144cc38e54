/// Adds months and days to instants in one declared zone (Domain.md 2.2).
///
/// Months and years are calendar months: the time of day in the zone is kept, and a day the
/// target month does not have becomes its last. Weeks and days are calendar days of the zone, so
/// that 30 days over a change to summer time are not 720 hours. A local time that a clock change
/// skips moves later by the change; one that it repeats is the first of the two (the second when
/// counting backwards), as Foundation's `Calendar.date(byAdding:to:)` has it. The zone of the
/// process never matters.
///
/// Results saturate a few hundred thousand years away from 1970; no input traps.
public struct BillingCalendar: Sendable {
  public var zone: TimeZoneRules

  public init(zone: TimeZoneRules) {
    self.zone = zone
  }

  public static let utc = BillingCalendar(zone: .utc)

  /// `anchor` + `months` calendar months; negative ones go back.
  public func adding(months: Int64, to anchor: Instant) -> Instant {
    guard months != 0 else { return anchor }
    let step = Self.clamp(months, to: CalendarLimits.stepMonthsMax)
    let local = localMilliseconds(of: anchor)
    let (days, rest) = CivilDateTime.split(local)
    let date = CivilDate(daysSince1970: days).adding(months: step)
    let target = date.daysSince1970 * CivilDateTime.millisecondsInDay + rest
    return instant(localMilliseconds: target, preferLast: step < 0)
  }

  /// `anchor` + `days` calendar days; negative ones go back.
  public func adding(days: Int64, to anchor: Instant) -> Instant {
    guard days != 0 else { return anchor }
    let step = Self.clamp(days, to: CalendarLimits.stepDaysMax)
    let target = localMilliseconds(of: anchor) + step * CivilDateTime.millisecondsInDay
    return instant(localMilliseconds: target, preferLast: step < 0)
  }

  /// What a wall clock in the zone shows at `instant`.
  public func civil(at instant: Instant) -> CivilDateTime {
    CivilDateTime(localMilliseconds: localMilliseconds(of: instant))
  }

  @inline(__always)
  private func localMilliseconds(of instant: Instant) -> Int64 {
    let milliseconds = Self.clamp(instant.milliseconds, to: CalendarLimits.millisecondsMax)
    if zone.isUTC { return milliseconds }
    return milliseconds + Int64(zone.offsetSeconds(at: instant)) * 1000
  }

  @inline(__always)
  private func instant(localMilliseconds local: Int64, preferLast: Bool) -> Instant {
    if zone.isUTC {
      return Instant(milliseconds: Self.clamp(local, to: CalendarLimits.millisecondsMax))
    }
    return zone.instant(localMilliseconds: local, preferLast: preferLast)
  }

  @inline(__always)
  private static func clamp(_ value: Int64, to limit: Int64) -> Int64 {
    max(-limit, min(limit, value))
  }
}
