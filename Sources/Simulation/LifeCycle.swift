import Subscriptions

/// A line's billing days as the audit counts them: with the reference model's calendar, one day
/// after another from 1970.
struct LifeCycle {
  /// Where the calendar is counted from, and how much was sold since: months, or days.
  private var anchor: Int64
  private var sold: ModelLength
  /// The end of the newest period.
  private(set) var end: Int64

  /// The cycle of a period that begins by itself, at its own length.
  init(beginning transaction: Transaction, rate: RenewalRate) {
    let start = transaction.purchaseDate.milliseconds
    let length = ModelLength(transaction.period)
    if let lengths = RateLengths(rate) {
      end = start + lengths.length(of: transaction.period)
      anchor = end
      sold = ModelLength.none
    } else if transaction.offer?.paymentMode == .freeTrial {
      end = length.after(start)
      anchor = end
      sold = ModelLength.none
    } else {
      end = length.after(start)
      anchor = start
      sold = length
    }
  }

  /// The cycle after the next period, which follows gaplessly and has the transaction's length.
  func next(_ transaction: Transaction, at rate: RenewalRate, _ policies: Policies) -> LifeCycle {
    var next = self
    if let lengths = RateLengths(rate) {
      next.end = end + lengths.length(of: transaction.period)
      next.begin(at: next.end)
      return next
    }
    let length = ModelLength(transaction.period)
    let isNew = sold == ModelLength.none || sold.isMonths != length.isMonths
    if isNew {
      next.anchor = end
      next.sold = length
    } else {
      next.sold = sold + length
    }
    next.end =
      policies.monthEnd == .chained ? length.after(end) : next.sold.after(next.anchor)
    // What follows on a trial is counted from its end.
    if transaction.offer?.paymentMode == .freeTrial { next.begin(at: next.end) }
    return next
  }

  /// The newest period ends at another time, and what follows is counted from there.
  mutating func end(at time: Instant) {
    end = time.milliseconds
    begin(at: end)
  }

  private mutating func begin(at time: Int64) {
    anchor = time
    sold = ModelLength.none
  }
}
