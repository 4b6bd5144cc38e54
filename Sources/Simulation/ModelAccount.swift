/// A purchase or a period of a subscription, as the model has it. Times are milliseconds.
struct ModelPeriod {
  var product: String
  var start: Int64
  /// The end of the period; nil for what is no subscription.
  var end: Int64?
  var price: Int64
  var quantity: Int64 = 1
  var isRenewal = false
  /// FREE_TRIAL, PAY_AS_YOU_GO or PAY_UP_FRONT.
  var offer: String?
  var revoked: Int64?
  var isFinished = false
}

/// A subscription of the model: the list of its periods, and what is to come.
struct ModelLine {
  var group: String
  var periods: [ModelPeriod]
  var renews = true
  /// 1 for a cancelled one that is over; nil while something is to come.
  var intent: Int64?
  /// Where the calendar is counted from, and the length sold from there on.
  var anchor: Int64
  var sold: ModelLength
  /// Discounted periods still to come.
  var discountsLeft: Int64 = 0
  var discount: Int64 = 0
  var renewalDate: Int64
  var chainStart: Int64

  var last: ModelPeriod { periods[periods.count - 1] }

  /// When the daemon has to do something by itself.
  var due: Int64? {
    last.revoked == nil && intent == nil ? last.end : nil
  }

  func status(at now: Int64) -> Int64 {
    if let revoked = last.revoked, revoked <= now { return 5 }
    return now < last.end ?? now ? 1 : 2
  }

  mutating func renew(_ ware: Shop.Ware, length: ModelLength) {
    let start = last.end ?? 0
    let before = last
    if before.offer == "FREE_TRIAL" || sold.isMonths != length.isMonths {
      anchor = start
      sold = length
    } else {
      sold = sold + length
    }
    append(ware, start: start, end: sold.after(anchor))
  }

  /// A renewal out of its time: the calendar begins anew.
  mutating func forceRenewal(_ ware: Shop.Ware, length: ModelLength, at now: Int64) {
    periods[periods.count - 1].end = now
    anchor = now
    sold = length
    renews = true
    append(ware, start: now, end: length.after(now))
  }

  private mutating func append(_ ware: Shop.Ware, start: Int64, end: Int64) {
    let isDiscounted = discountsLeft > 0
    if isDiscounted { discountsLeft -= 1 }
    periods.append(
      ModelPeriod(
        product: ware.id, start: start, end: end, price: isDiscounted ? discount : ware.price,
        isRenewal: true, offer: isDiscounted ? "PAY_AS_YOU_GO" : nil))
    renewalDate = end
  }
}

/// An account of the model.
struct ModelAccount {
  var clock: String
  var lines: [ModelLine] = []
  /// Everything bought outside a subscription.
  var purchases: [ModelPeriod] = []
  /// Groups whose introductory offer is used up.
  var introductions: [String] = []
  var lastTime: Int64

  init(clock: String, at time: Int64) {
    self.clock = clock
    lastTime = time
  }

  func line(_ group: String?) -> Int? { lines.firstIndex { $0.group == group } }

  /// Does all that falls due up to and including `time`, and says how much that was.
  @discardableResult
  mutating func roll(to time: Int64, shop: Shop) -> Int {
    var count = 0
    for index in lines.indices {
      while let due = lines[index].due, due <= time {
        count += 1
        lastTime = max(lastTime, due)
        if lines[index].renews, let ware = shop[lines[index].last.product] {
          lines[index].renew(ware, length: ModelLength(ware.period ?? ""))
        } else {
          lines[index].renews = false
          lines[index].intent = 1
        }
      }
    }
    return count
  }

  func isEntitled(at now: Int64, shop: Shop) -> Bool {
    if lines.contains(where: { $0.status(at: now) == 1 }) { return true }
    return purchases.contains {
      shop[$0.product]?.kind == .nonConsumable && !($0.revoked.map { $0 <= now } ?? false)
    }
  }
}
