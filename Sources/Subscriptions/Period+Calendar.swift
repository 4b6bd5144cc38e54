import Time

extension BillingCalendar {
  /// `anchor` + `n` × `period`, in one step: clamping happens once, from the anchor's own day.
  /// Saturates as the calendar does.
  public func adding(_ period: Period, times n: Int, to anchor: Instant) -> Instant {
    // No product of two numbers of 32 bits overflows, nor its seven- or twelvefold.
    let count = Int64(Int32(clamping: n)) * Int64(period.count)
    let factor = max(-Limits.periodFactorMax, min(Limits.periodFactorMax, count))
    switch period.unit {
    case .day: return adding(days: factor, to: anchor)
    case .week: return adding(days: factor * 7, to: anchor)
    case .month: return adding(months: factor, to: anchor)
    case .year: return adding(months: factor * 12, to: anchor)
    }
  }
}
