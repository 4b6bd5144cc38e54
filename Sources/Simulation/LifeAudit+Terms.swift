import Subscriptions

/// Offers, plans, prices and extensions: what befalls a line between its periods.
extension LifeAudit {
  // MARK: Offers

  /// The product's offer that stands on a transaction or a renewal info.
  func catalogued(
    _ offer: AppliedOffer, of product: ProductNumber, _ state: State
  ) -> CatalogueOffer? {
    let id = offer.identifier == noNumber ? nil : state.texts[Int(offer.identifier)]
    return goods[Int(product)].entry.offers.first { $0.kind == offer.kind && $0.id == id }
  }

  /// The same, with its terms as the catalogue has them.
  func offered(
    _ offer: AppliedOffer, of product: ProductNumber, _ state: State
  ) throws(Violation) -> CatalogueOffer {
    guard let known = catalogued(offer, of: product, state) else {
      throw Violation("offer: \(offer.kind) is none of the product")
    }
    let unit =
      known.paymentMode == .payAsYouGo ? goods[Int(product)].entry.period : known.period
    try Violation.unless(
      offer.paymentMode == known.paymentMode
        && offer.period.length == known.periodCount * (unit?.length ?? 0),
      "offer: \(offer.kind) has other terms")
    return known
  }

  /// What a purchase is sold by, and to whom (Domain.md 1.7).
  func checkOffer(
    of sold: Transaction, _ fact: LineFact, at: Instant, _ before: LifeLine?, _ state: State
  ) throws(Violation) {
    let good = goods[Int(sold.product)]
    let own = lines.filter { $0.account == fact.account && !$0.isShared }
    let ofGroup = own.filter { $0.group == fact.group }
    let wasIntroduced = ofGroup.contains { $0.hadIntroduction }
    let hasIntroduction = good.entry.offers.contains { $0.kind == .introductory }
    guard let offer = sold.offer else {
      try Violation.unless(
        !hasIntroduction || wasIntroduced, "introduction: who may have one did not get it")
      return try Violation.unless(
        sold.price == good.price, "price: \(good.entry.id) was sold for \(sold.price)")
    }
    let known = try offered(offer, of: sold.product, state)
    try Violation.unless(
      sold.price == known.price, "price: \(good.entry.id) was sold for \(sold.price)")
    switch offer.kind {
    case .introductory:
      try Violation.unless(
        !wasIntroduced, "introduction: a second one for an account and group")
    case .promotional:
      try Violation.unless(!own.isEmpty, "offer: a promotional one for a new customer")
    case .code:
      let lives = ofGroup.contains {
        let status = $0.status(at: at)
        return status != .expired && status != .revoked
      }
      let audience: OfferAudience =
        ofGroup.isEmpty ? .new : lives ? .existing : .expired
      try Violation.unless(
        known.audience.contains(audience), "offer: a code for another audience")
      try Violation.unless(
        !known.isStackable || !hasIntroduction || wasIntroduced,
        "offer: a code that stacks took the introductory one's place")
    case .winBack:
      try Violation.unless(
        known.isEligible && before?.status(at: at) == .expired
          && before?.renewal.autoRenews == false,
        "offer: a win-back one for who has not left")
    }
  }

  // MARK: Plans

  /// What renews, and for how much, is as it was.
  func checkSameTerms(
    _ renewal: RenewalInfo, _ before: LifeLine, _ rule: String
  ) throws(Violation) {
    try Violation.unless(
      renewal.autoRenewProduct == before.renewal.autoRenewProduct
        && renewal.renewalPrice == before.renewal.renewalPrice
        && renewal.offer == before.renewal.offer
        && renewal.recentSubscriptionStartDate == before.renewal.recentSubscriptionStartDate
        && renewal.renewalDate == before.renewal.renewalDate,
      "\(rule): what renews has changed")
  }

  /// E3, E4 and E12.
  func checkAutoRenew(
    _ fact: LineFact, at: Instant, _ before: LifeLine
  ) throws(Violation) {
    guard let renewal = fact.renewal else { throw Violation("renewal: without renewal info") }
    try Violation.unless(
      renewal.autoRenews != before.renewal.autoRenews && !before.isOver,
      "cancel: it is as it was, or over")
    try Violation.unless(
      fact.notification == (renewal.autoRenews ? .autoRenewEnabled : .autoRenewDisabled),
      "cancel: told as \(fact.notification)")
    var told = renewal
    if renewal.autoRenews, renewal.offer == nil {
      try Violation.unless(
        renewal.renewalPrice == goods[Int(renewal.autoRenewProduct)].price,
        "price: renewal was turned on at another one")
      told.renewalPrice = before.renewal.renewalPrice
    }
    try checkSameTerms(told, before, "cancel")
    try Violation.unless(
      renewal.autoRenews || renewal.priceIncreaseStatus != PriceIncreaseStatus.pending,
      "cancel: an answer is waited for still")
  }

  /// E15, E16, E25 and E25c: another plan or offer for the next renewal.
  func checkPlan(
    _ kind: LineKind, _ fact: LineFact, at: Instant, _ before: LifeLine, _ state: State
  ) throws(Violation) {
    guard let renewal = fact.renewal else { throw Violation("plan: without renewal info") }
    let product = renewal.autoRenewProduct
    let present = before.transaction.product
    let isSame = product == present
    try Violation.unless(
      renewal.autoRenews && renewal.priceIncreaseStatus == nil && !before.isOver,
      "plan: renewal is off, or over")
    let wanted: Notification =
      isSame
      ? (kind == .offerRedeemed ? .offerRedeemed : .planKept)
      : renewal.offer == nil ? .planDowngrade : .offerDowngrade
    try Violation.unless(
      fact.notification == wanted && (kind == .offerRedeemed) == (wanted == .offerRedeemed),
      "plan: told as \(fact.notification)")
    try Violation.unless(
      isSame || !isImmediate(from: present, to: product),
      "plan: of a level and length that begins at once")
    let goesOn =
      before.transaction.offer?.paymentMode == .payAsYouGo
      && before.offerPeriodsLeft > 0
    if wanted == .planKept {
      let price = goesOn ? before.transaction.price : goods[Int(product)].price
      return try Violation.unless(
        renewal.renewalPrice == price
          && renewal.offer == (goesOn ? before.transaction.offer : nil),
        "price: the plan that is kept renews at another")
    }
    guard let offer = renewal.offer else {
      return try Violation.unless(
        renewal.renewalPrice == goods[Int(product)].price, "price: the next plan has another")
    }
    let known = try offered(offer, of: product, state)
    let isLower = goods[Int(product)].entry.level > goods[Int(present)].entry.level
    try Violation.unless(
      renewal.renewalPrice == known.price && offer.kind != .introductory
        && offer.kind != .winBack && !(offer.kind == .code && isLower),
      "offer: \(offer.kind) is none for who subscribes, or at another price")
    try Violation.unless(
      offer.kind != .code || known.audience.contains(.existing),
      "offer: a code for another audience")
    try Violation.unless(
      !isSame || before.status(at: at) == .active, "offer: of a line that owes")
  }

  // MARK: Prices

  /// Whom an increase reaches: what renews by itself to the product, at less, without an offer, and
  /// owes nothing (E23, E23c); and again who has not answered.
  func reached(byIncrease fact: ProductFact, _ state: State) -> Set<LineNumber> {
    var reached: Set<LineNumber> = []
    for (number, line) in lines.enumerated()
    where !line.isShared && !line.isOver && line.renewal.autoRenewProduct == fact.product
      && line.renewal.autoRenews && line.renewal.offer == nil
    {
      let isAsked = line.renewal.priceIncreaseStatus == PriceIncreaseStatus.pending
      guard line.renewal.renewalPrice < fact.price || (isAsked && fact.needsConsent),
        line.status(at: state.now(of: line.account)) == .active
      else { continue }
      reached.insert(LineNumber(number))
    }
    return reached
  }

  func checkIncrease(
    _ kind: LineKind, _ fact: LineFact, _ cause: EventCause, at: Instant, _ before: LifeLine
  ) throws(Violation) {
    guard var renewal = fact.renewal else { throw Violation("price: without renewal info") }
    let wasAsked = before.renewal.priceIncreaseStatus == PriceIncreaseStatus.pending
    guard kind == .priceIncreased else {
      try Violation.unless(
        wasAsked && renewal.priceIncreaseStatus == PriceIncreaseStatus.accepted
          && renewal.autoRenews && fact.notification == .priceIncreaseAccepted,
        "consent: nothing waited for it")
      return try checkSameTerms(renewal, before, "consent")
    }
    let isAsked = sweep?.fact.needsConsent == true || wasAsked
    try Violation.unless(
      cause == .sweep && renewal.renewalPrice == sweep?.fact.price,
      "price: the increase is not what was announced")
    try Violation.unless(
      renewal.priceIncreaseStatus
        == (isAsked ? PriceIncreaseStatus.pending : PriceIncreaseStatus.accepted)
        && fact.notification == (isAsked ? .priceIncreasePending : .priceIncreaseAccepted),
      "price: the increase is told as \(fact.notification)")
    renewal.renewalPrice = before.renewal.renewalPrice
    try checkSameTerms(renewal, before, "price")
  }

  // MARK: Extensions

  /// Whom a mass extension concerns: who has the product and has not ended (E22b).
  func reached(byExtension fact: ProductFact, _ state: State) -> Set<LineNumber> {
    var reached: Set<LineNumber> = []
    for (number, line) in lines.enumerated()
    where !line.isShared && !line.isOver && line.transaction.product == fact.product {
      let status = line.status(at: state.now(of: line.account))
      if status != .expired, status != .revoked { reached.insert(LineNumber(number)) }
    }
    return reached
  }

  /// E22: not while free, not over, twice within 365 days, by 1 to 90 days.
  func checkExtension(
    _ fact: LineFact, at: Instant, _ before: LifeLine
  ) throws(Violation) {
    guard let transaction = fact.transaction, let renewal = fact.renewal else {
      throw Violation("extension: without its facts")
    }
    let added =
      transaction.expiresDate.milliseconds - before.transaction.expiresDate.milliseconds
    try Violation.unless(
      (1...90).contains { added == extensionLength(days: $0, of: transaction.period) },
      "extension: not by 1 to 90 days")
    try Violation.unless(
      before.status(at: at) == .active
        && before.transaction.offer?.paymentMode != .freeTrial,
      "extension: of a line that is free or not active")
    try Violation.unless(
      before.extendedBefore == .never || at >= before.extendedBefore.advanced(byDays: 365),
      "extension: a third one in a year")
    try Violation.unless(
      renewal.renewalDate == transaction.expiresDate
        && renewal.renewalPrice == before.renewal.renewalPrice
        && renewal.offer == before.renewal.offer
        && renewal.autoRenewProduct == before.renewal.autoRenewProduct,
      "extension: what renews has changed")
  }

  /// What days are worth, milliseconds: on the calendar themselves; at a rate their share of its
  /// month or week, or of the one length of all its periods, and a second at least.
  private func extensionLength(days: Int64, of period: Period) -> Int64 {
    guard let lengths = RateLengths(rate) else { return days * 86_400_000 }
    let length = Int64(period.length)
    let (whole, of): (Int64, Int64) =
      switch (lengths.isFixed, period.isCountedInMonths) {
      case (true, true): (lengths.week, 30 * length)
      case (true, false): (lengths.week, length)
      case (false, true): (lengths.month, 30)
      case (false, false): (lengths.week, 7)
      }
    return max(1000, whole * days / of)
  }
}
