/// How the store of a run decides where Apple's own rule is not known, in the model's words.
struct ModelPolicies: Equatable {
  /// Days of grace after a failed renewal; 0 for none.
  var graceDays: Int64 = 0
  /// No grace for the first payment after a free trial.
  var gracesPaidOnly = false
  /// A renewal paid in grace counts from the payment, and not from the end of the last period.
  var countsFromPayment = false
  /// A period ends one length after the last one did, and not counted from the anchor.
  var chainsMonths = false

  /// The end of the grace period after a failure at `time`; nil where there is none. A week is
  /// never given more than six days (Domain.md 1.5).
  func graceEnd(failedAt time: Int64, period: ModelPeriod, length: ModelLength) -> Int64? {
    guard graceDays > 0, !(gracesPaidOnly && period.offer == "FREE_TRIAL") else { return nil }
    let isWeekly = length == ModelLength("P1W")
    return time + (isWeekly ? min(graceDays, 6) : graceDays) * ModelCalendar.dayMilliseconds
  }
}

/// A renewal that could not be charged, until it is paid or given up.
struct ModelTrouble: Equatable {
  /// When it should have been paid: the end of the last period.
  var since: Int64
  var graceEnd: Int64?
  /// Whether the end of the grace period has been told.
  var isGraceOver = false

  /// Sixty days in all, the grace period being the first part of them.
  var end: Int64 { since + 60 * ModelCalendar.dayMilliseconds }

  /// When the daemon has to do something about it by itself.
  var due: Int64 {
    if let graceEnd, !isGraceOver { return graceEnd }
    return end
  }

  func isGrace(at now: Int64) -> Bool { now < graceEnd ?? now }
}
