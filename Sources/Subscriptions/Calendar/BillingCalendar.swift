/// Adds periods to instants in one declared zone (Domain.md 2.2).
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

  /// `anchor` + `n` × `period`, in one step: clamping happens once, from the anchor's own day.
  public func adding(_ period: Period, times n: Int, to anchor: Instant) -> Instant {
    // Clamped before it is multiplied again, so that no product overflows.
    let factor = Self.clamp(
      Int64(Int32(clamping: n)) * Int64(period.count), to: CalendarLimits.stepDaysMax)
    switch period.unit {
    case .day: return adding(days: factor, to: anchor)
    case .week: return adding(days: factor * 7, to: anchor)
    case .month: return adding(months: factor, to: anchor)
    case .year: return adding(months: factor * 12, to: anchor)
    }
  }

  /// The end of the period that follows `previousEnd`, which is the end of period `n` - 1 (or
  /// the anchor, for `n` = 1). A constant amount of work under either policy.
  public func end(
    ofPeriod n: Int, of period: Period, anchor: Instant, previousEnd: Instant,
    policy: MonthEndPolicy
  ) -> Instant {
    switch policy {
    case .anchored: return adding(period, times: n, to: anchor)
    case .chained: return adding(period, times: 1, to: previousEnd)
    }
  }

  /// The end of the `n`-th period after `anchor`, counted from 1; the anchor itself for 0 and
  /// less. Chained, this is `n` steps of work.
  public func end(
    ofPeriod n: Int, of period: Period, anchor: Instant, policy: MonthEndPolicy
  ) -> Instant {
    guard n > 0 else { return anchor }
    switch policy {
    case .anchored:
      return adding(period, times: n, to: anchor)
    case .chained:
      var end = anchor
      for _ in 0..<n { end = adding(period, times: 1, to: end) }
      return end
    }
  }

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
