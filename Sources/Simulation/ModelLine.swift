/// A subscription of the model: the list of its periods, and what is to come.
struct ModelLine: Equatable {
  var group: String
  var periods: [ModelPeriod]
  var renews = true
  /// Why it is over, or in trouble; nil while the next period is to come.
  var intent: Int64?
  var trouble: ModelTrouble?
  /// Since when what is owed can be paid; nil while charges fail, and where nothing is owed.
  var payableSince: Int64?
  /// Another product that the next renewal is to be of.
  var change: String?
  /// Where the calendar is counted from, and the length sold from there on.
  var anchor: Int64
  var sold: ModelLength
  /// Discounted periods still to come.
  var discountsLeft: Int64 = 0
  var discount: Int64 = 0
  /// What the next renewal costs.
  var nextPrice: Int64 = 0
  /// A higher price: false while the customer is asked, true when told or agreed to.
  var consent: Bool?
  var renewalDate: Int64
  var chainStart: Int64
  /// When its end was moved, the newest two times.
  var extensions: [Int64] = []
  /// The purchaser's line that this one of a family member follows.
  var source: ModelSource?

  var last: ModelPeriod { periods[periods.count - 1] }

  var nextProduct: String { change ?? last.product }

  /// Whether the next renewal is one more at a discount.
  var isDiscounted: Bool { discountsLeft > 0 && change == nil }

  /// When the daemon has to do something by itself: never to a member's line, which follows.
  var due: Int64? { source == nil ? upcoming : nil }

  /// When something will happen to it, here or to the line that it follows.
  var upcoming: Int64? {
    guard last.revoked == nil else { return nil }
    if let trouble { return min(trouble.due, retry ?? .max) }
    return intent == nil ? last.end : nil
  }

  /// When what is owed is charged again with success: on the first whole day since the failure
  /// after charges came to succeed, the sixtieth being the last.
  var retry: Int64? {
    guard let trouble, let payableSince, payableSince < trouble.end else { return nil }
    let day = ModelCalendar.dayMilliseconds
    return trouble.since + ((payableSince - trouble.since) / day + 1) * day
  }

  /// What comes first of all that is due at one moment: renewals, charges tried again, expiries,
  /// ends of grace, ends of billing (Domain.md 9.2).
  var rank: Int {
    guard let trouble else { return renews ? 0 : 2 }
    if let retry, retry <= trouble.due { return 1 }
    return trouble.graceEnd != nil && !trouble.isGraceOver ? 3 : 4
  }

  func status(at now: Int64) -> Int64 {
    if let revoked = last.revoked, revoked <= now { return 5 }
    if now < last.end ?? now { return 1 }
    guard let trouble else { return 2 }
    return trouble.isGrace(at: now) ? 4 : 3
  }

  // MARK: What time does

  /// What falls due at `time` happens.
  mutating func fallDue(at time: Int64, fails: Bool, rules: ModelRules) {
    if let now = trouble {
      if retry == time {
        payAgain(at: time, rules: rules)
      } else if now.graceEnd == time, !now.isGraceOver {
        trouble?.isGraceOver = true
      } else {
        trouble = nil
        payableSince = nil
        renews = false
      }
    } else if !renews {
      intent = 1
    } else if rules.isWithdrawn(nextProduct) || consent == false {
      // Nothing is charged for what is not sold, nor at a price that nobody agreed to.
      renews = false
      intent = rules.isWithdrawn(nextProduct) ? 4 : 3
    } else if fails {
      let length = ModelLength(rules.shop[nextProduct]?.period ?? "")
      trouble = ModelTrouble(
        since: time,
        graceEnd: rules.policies.graceEnd(failedAt: time, period: last, length: length))
      intent = 2
    } else {
      renew(from: time, rules: rules)
    }
  }

  /// A charge that failed succeeds, unless what it is for is not sold any more. The very end of the
  /// grace period is within it still.
  private mutating func payAgain(at time: Int64, rules: ModelRules) {
    guard let now = trouble else { return }
    if rules.isWithdrawn(nextProduct) {
      trouble = nil
      payableSince = nil
      renews = false
      intent = 4
    } else if now.graceEnd != nil, !now.isGraceOver {
      recover(at: time, rules: rules)
    } else {
      renewAnew(at: time, rules: rules)
    }
  }

  /// Charges fail from now on, or succeed.
  mutating func setBilling(fails: Bool, at now: Int64) {
    guard trouble != nil, last.revoked == nil else { return }
    payableSince = fails ? nil : payableSince ?? now
  }

  /// A renewal is paid within its grace period: the cycle stays, unless it is over already, as
  /// that of a week may be that was chosen for a month's renewal.
  mutating func recover(at now: Int64, rules: ModelRules) {
    var kept = self
    kept.renew(from: rules.policies.countsFromPayment ? now : last.end ?? now, rules: rules)
    if now < kept.last.end ?? now { self = kept } else { renewAnew(at: now, rules: rules) }
  }

  /// The next period, gapless after the last one.
  private mutating func renew(from start: Int64, rules: ModelRules) {
    guard let ware = rules.shop[nextProduct] else { return }
    let length = ModelLength(ware.period ?? "")
    let cycle = last.end ?? 0
    if last.offer == "FREE_TRIAL" || sold.isMonths != length.isMonths {
      anchor = cycle
      sold = length
    } else {
      sold = sold + length
    }
    let end = rules.policies.chainsMonths ? length.after(cycle) : sold.after(anchor)
    append(ware, start: start, end: end)
  }

  /// A renewal out of its time: the calendar begins anew.
  mutating func renewAnew(at now: Int64, rules: ModelRules) {
    guard let ware = rules.shop[nextProduct] else { return }
    anchor = now
    sold = ModelLength(ware.period ?? "")
    append(ware, start: now, end: sold.after(now))
  }

  private mutating func append(_ ware: Shop.Ware, start: Int64, end: Int64) {
    let isDiscounted = isDiscounted
    discountsLeft = isDiscounted ? discountsLeft - 1 : 0
    periods.append(
      ModelPeriod(
        product: ware.id, start: start, end: end, price: nextPrice, isRenewal: true,
        offer: isDiscounted ? "PAY_AS_YOU_GO" : nil))
    begin(ware, end: end)
  }

  /// Another plan at once: a new cycle, at the full price.
  mutating func upgrade(to ware: Shop.Ware, at now: Int64) {
    periods[periods.count - 1].isUpgraded = true
    anchor = now
    sold = ModelLength(ware.period ?? "")
    discountsLeft = 0
    let end = sold.after(now)
    periods.append(ModelPeriod(product: ware.id, start: now, end: end, price: ware.price))
    begin(ware, end: end)
  }

  /// A period is paid: nothing is wrong any more.
  private mutating func begin(_ ware: Shop.Ware, end: Int64) {
    change = nil
    consent = nil
    trouble = nil
    payableSince = nil
    intent = nil
    renews = true
    renewalDate = end
    nextPrice = isDiscounted ? discount : ware.price
  }

  /// Another plan from the next renewal on, or nil for the present one: whoever chooses one means
  /// to go on, at the price of that day.
  mutating func plan(_ product: String?, rules: ModelRules) {
    change = product
    renews = true
    consent = nil
    nextPrice = isDiscounted ? discount : rules.shop[nextProduct]?.price ?? 0
  }

  /// Renewal is turned on, at the price of that day, or off, and then no question is open.
  mutating func setRenewal(_ enabled: Bool, rules: ModelRules) {
    renews = enabled
    if enabled, !isDiscounted {
      nextPrice = rules.shop[nextProduct]?.price ?? 0
    } else if consent == false {
      consent = nil
    }
  }

  /// Whether its end may be moved: paid for, running, and not moved twice within 365 days.
  func canBeExtended(at now: Int64) -> Bool {
    guard status(at: now) == 1, last.offer != "FREE_TRIAL" else { return false }
    return extensions.count < 2 || now >= extensions[0] + 365 * ModelCalendar.dayMilliseconds
  }

  /// It ends later, and the calendar goes on from there.
  mutating func extend(days: Int64, at now: Int64) {
    let end = (last.end ?? now) + days * ModelCalendar.dayMilliseconds
    periods[periods.count - 1].end = end
    renewalDate = end
    anchor = end
    sold = ModelLength("")
    extensions = extensions.suffix(1) + [now]
  }

  /// It is over from now on.
  mutating func end(at now: Int64, intent reason: Int64) {
    renews = false
    trouble = nil
    payableSince = nil
    intent = reason
    if now < last.end ?? now {
      periods[periods.count - 1].end = now
      renewalDate = now
    }
  }
}
