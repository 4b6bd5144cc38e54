import Subscriptions

/// A number for a row of numbers: the same for the same, and by chance never for others.
struct ReferenceIdentity {
  private(set) var value: UInt64 = 0x9e37_79b9_7f4a_7c15

  mutating func add(_ number: Int) {
    var mixed = (value ^ UInt64(bitPattern: Int64(number))) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
    value = (mixed ^ (mixed >> 31)) &+ 0x9e37_79b9_7f4a_7c15
  }

  mutating func add(_ isSo: Bool) {
    add(isSo ? 1 : 0)
  }
}

extension ReferencePlace {
  /// What the future depends on, in days from the present, as the table and as the rules have it:
  /// places with the same are gone on from once.
  var identity: UInt64 {
    var identity = ReferenceIdentity()
    addTable(to: &identity)
    for product in world.state.products {
      identity.add(Int(product.entry.price))
      identity.add(product.isWithdrawn)
    }
    for line in world.state.lines { add(line, to: &identity) }
    return identity.value
  }

  private func addTable(to identity: inout ReferenceIdentity) {
    let isOver = table.phase == .expired || table.phase == .revoked
    let isPast = isOver && table.end <= table.day
    identity.add(table.phase.rawValue)
    identity.add(table.plan.rawValue)
    // A month's days are counted from its beginning, so that its length makes no difference.
    let origin = table.plan == .long && table.phase == .active ? table.start : table.end
    identity.add(isPast ? -1 : origin - table.day)
    identity.add(table.next.rawValue)
    identity.add(table.renews)
    identity.add(table.nextOffer?.rawValue ?? -1)
    identity.add(table.left)
    identity.add(table.rest)
    identity.add(table.consent ?? -1)
    identity.add(table.fails)
    identity.add(table.hadTrial)
    if !isOver {
      identity.add(table.nextPrice)
      identity.add(table.offer?.rawValue ?? -1)
    }
    identity.add(table.isRequested)
    if table.phase == .none { identity.add(table.isKnown) }
    // To a hundred days or so: they matter for a year.
    for day in table.extensions where day > table.day - 365 {
      identity.add((table.day - day) / 100)
    }
    identity.add(table.asksToBuy)
    identity.add(table.interrupts)
    identity.add(table.waiting.count)
    for wish in table.waiting {
      identity.add(wish.plan.rawValue)
      identity.add(wish.offer?.rawValue ?? -1)
      identity.add(wish.isInterrupted)
    }
    identity.add(table.shares)
    identity.add(table.member.phase.rawValue)
  }

  private func add(_ line: Line, to identity: inout ReferenceIdentity) {
    let now = self.now.milliseconds
    func add(_ time: Instant) {
      identity.add(
        time == .never ? .min : Int((time.milliseconds - now) / Instant.millisecondsPerDay))
    }
    let status = line.status(at: self.now)
    identity.add(Int(status.rawValue))
    identity.add(Int(line.transaction.product))
    identity.add(Int(line.transaction.offer?.identifier ?? 9))
    identity.add(line.hadIntroductoryOffer)
    identity.add(Int(line.renewal.autoRenewProduct))
    identity.add(line.renewal.autoRenews)
    identity.add(Int(line.renewal.expirationIntent?.rawValue ?? 0))
    identity.add(line.renewal.isInBillingRetry)
    identity.add(Int(line.renewal.priceIncreaseStatus ?? 9))
    identity.add(Int(line.renewal.offer?.identifier ?? 9))
    identity.add(Int(line.sold.offerPeriods))
    identity.add(line.sold.isOfferAnew)
    // What is over for good has no days any more.
    let isPast = line.transaction.expiresDate.milliseconds <= now
    guard !isPast || status == .gracePeriod || status == .billingRetry else { return }
    let isMonthly = line.transaction.period.isCountedInMonths
    add(isMonthly && !isPast ? line.transaction.purchaseDate : line.transaction.expiresDate)
    let anchor = Int((line.sold.anchor.milliseconds - now) / Instant.millisecondsPerDay) + table.day
    if isMonthly {
      // How the months go on, and whether some of them lack the day of billing.
      let (month, date) = ReferenceTable.date(of: anchor)
      identity.add(max(date, 27))
      identity.add(month + Int(line.sold.anchorLength) - ReferenceTable.date(of: table.day).month)
    } else {
      identity.add(anchor + Int(line.sold.anchorLength) - table.day)
    }
    add(line.renewal.gracePeriodExpiresDate)
    identity.add(Int(line.renewal.renewalPrice))
  }
}
