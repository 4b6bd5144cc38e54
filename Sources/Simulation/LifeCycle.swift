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
    let length = ModelLength(transaction.period.iso8601)
    if let lengths = RateLengths(rate) {
      end = start + lengths.length(of: transaction.period)
      anchor = end
      sold = ModelLength("P0D")
    } else if transaction.offer?.paymentMode == .freeTrial {
      end = length.after(start)
      anchor = end
      sold = ModelLength("P0D")
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
      next.anchor = next.end
      next.sold = ModelLength("P0D")
      return next
    }
    let length = ModelLength(transaction.period.iso8601)
    let isNew = sold == ModelLength("P0D") || sold.isMonths != length.isMonths
    if isNew {
      next.anchor = end
      next.sold = length
    } else {
      next.sold = sold + length
    }
    next.end =
      policies.monthEnd == .chained ? length.after(end) : next.sold.after(next.anchor)
    return next
  }
}
