/// The ends of things: the one place where a length becomes a moment, on the calendar or at a
/// rate (Domain.md 2.2 and 2.5).
extension State {
  /// The rate in force: a tester's, or else the one that the policies begin with.
  public func rate(_ policies: Policies) -> RenewalRate {
    facts.rateSwitch ?? policies.renewalRate
  }

  /// The end of a period that begins anew at `start`.
  func end(of period: Period, from start: Instant, policies: Policies) -> Instant {
    if let lengths = RateLengths(rate(policies)) {
      return start.advanced(byMilliseconds: lengths.length(of: period))
    }
    return policies.calendar.adding(period, times: 1, to: start)
  }

  /// The end of the period that follows a line's current one: counted from the anchor, or from
  /// the last end, as the policy says (Domain.md 2.2). At a rate both are the same, and the fold
  /// begins the calendar anew behind each such period.
  func end(of period: Period, after line: Line, policies: Policies) -> Instant {
    let isSameCount =
      line.sold.anchorLength == 0
      || period.isCountedInMonths == line.transaction.period.isCountedInMonths
    guard policies.monthEnd == .anchored, isSameCount, rate(policies) == .realTime else {
      return end(of: period, from: line.transaction.expiresDate, policies: policies)
    }
    let length = Int64(line.sold.anchorLength + period.length)
    return period.isCountedInMonths
      ? policies.calendar.adding(months: length, to: line.sold.anchor)
      : policies.calendar.adding(days: length, to: line.sold.anchor)
  }

  /// The end of a period that is extended by so many days: on the calendar, or, at a rate, by what
  /// the rate makes of them (Domain.md B14).
  func end(extending transaction: Transaction, days: Int64, policies: Policies) -> Instant {
    guard let lengths = RateLengths(rate(policies)) else {
      return policies.calendar.adding(days: days, to: transaction.expiresDate)
    }
    return transaction.expiresDate.advanced(
      byMilliseconds: lengths.length(ofDays: days, in: transaction.period))
  }

  /// The end of the grace period of a line's next failed renewal; `.never` where it has none.
  func graceEnd(of line: Line, policies: Policies) -> Instant {
    let period = nextPeriod(of: line)
    let days = graceDays(of: line, period: period, policies: policies)
    let end = line.transaction.expiresDate
    guard days > 0 else { return .never }
    if let lengths = RateLengths(rate(policies)) {
      return end.advanced(
        byMilliseconds: lengths.graceLength(days: days, isWeekly: !period.isCountedInMonths))
    }
    return policies.calendar.adding(days: days, to: end)
  }

  /// Days of grace for a line's next failed renewal: none after a free trial where only paid
  /// periods have it (Domain.md 1.5). It ends before the period does that it waits for: a week has
  /// six days of it at most.
  private func graceDays(of line: Line, period: Period, policies: Policies) -> Int64 {
    let isAfterTrial = line.transaction.offer?.paymentMode == .freeTrial
    if isAfterTrial, policies.graceScope == .paidToPaid { return 0 }
    guard !period.isCountedInMonths else { return policies.graceDays }
    return min(policies.graceDays, Int64(period.length) - 1)
  }

  /// The start of the newest chain of service: the line's, unless the gap since its last period
  /// was longer than the policy allows (Domain.md 1.6).
  func recentStart(of line: Line, at purchaseDate: Instant, policies: Policies) -> Instant {
    let end = line.transaction.revocation?.date ?? line.transaction.expiresDate
    let last = min(end, line.transaction.expiresDate)
    return purchaseDate > last.advanced(byMilliseconds: policies.recentStartGap)
      ? purchaseDate : line.renewal.recentSubscriptionStartDate
  }
}

extension State {
  /// Decides the rate from now on; nil for the one that is configured. What has begun keeps its
  /// end. Nothing happens where it is so already.
  func decideRate(_ rate: RenewalRate?, into events: inout [Event]) throws(Rejection) {
    guard facts.role == .store else { throw .notInThisRole }
    // In the middle of an advance nobody could say from which moment it counts.
    if let busy = facts.clocks.lazy.compactMap(\.target).first { throw .clockBusy(target: busy) }
    guard rate != facts.rateSwitch else { return }
    events.append(
      Event(
        at: facts.clocks[Int(Clock.system)].now, clock: Clock.system,
        fact: .tester(.rateChanged(rate))))
  }
}
