import JSON

/// What an auditor knows of one subscription while its events go by.
struct AuditedLine {
  let id: String
  var group = ""
  var account = ""
  /// A second subscription of the group was begun while one was in billing retry.
  var wasBesideAnother = false
  /// The status after its last event; nil before the first.
  private(set) var status: Int64?
  /// Its first event was the last one.
  private(set) var isNew = false

  private var next = ""
  private(set) var end: Int64 = 0
  private var isTrial = false
  private var isCancelled = false
  private var isRevoked = false
  private var isOver = false
  private var graceEnd: Int64?
  private var transactionID: UInt64 = 0
  /// It is a family member's, and follows another account's.
  private(set) var isShared = false
  private(set) var product = ""
  /// What the next renewal costs, whether by an offer, and whether the customer has still to agree.
  private var price: Int64 = 0
  private var isOffered = false
  private var isAsked = false
  private var renewedPeriods: Set<Int64> = []

  init(id: String) {
    self.id = id
  }

  /// Which statuses an event may find and leave. Apple's numbers: 1 active, 2 expired, 3 billing
  /// retry, 4 grace, 5 revoked; 0 before the first event. Those that are not here keep it.
  private static let transitions: [String: [Int64: Set<Int64>]] = [
    "purchased": [0: [1], 2: [1], 5: [1]],
    "shared": [0: [1], 2: [1], 5: [1]],
    "revoked": [1: [5], 3: [5], 4: [5]],
    // Out of trouble only where a tester forces it.
    "renewed": [1: [1], 3: [1], 4: [1]],
    "renewalFailed": [1: [3, 4]],
    "graceEnded": [4: [3]],
    "recovered": [3: [1], 4: [1]],
    "expired": [1: [2], 3: [2], 4: [2]],
    "upgraded": [1: [1], 4: [1]],
    "planChangeScheduled": [1: [1], 4: [4]],
    "autoRenewChanged": [1: [1], 3: [2, 3], 4: [2, 4]],
    "refunded": [1: [1, 5], 2: [2, 5], 3: [3, 5], 4: [4, 5], 5: [5]],
    "renewalExtended": [1: [1]],
    "extensionFailed": [1: [1], 3: [3], 4: [4]],
    "priceIncreased": [1: [1]],
    "priceIncreaseAccepted": [1: [1]],
    "refundRequested": [1: [1], 2: [2], 3: [3], 4: [4], 5: [5]],
    "restored": [1: [1], 3: [3], 4: [4]],
    "refundDeclined": [1: [1], 2: [2], 3: [3], 4: [4], 5: [5]],
    "refundReversed": [1: [1], 2: [2], 3: [3], 4: [4], 5: [1, 2, 5]],
  ]

  /// What each kind of event is to a server of an app.
  private static let notifications: [String: Set<String>] = [
    "purchased": ["SUBSCRIBED/INITIAL_BUY", "SUBSCRIBED/RESUBSCRIBE"],
    "shared": ["SUBSCRIBED/INITIAL_BUY", "SUBSCRIBED/RESUBSCRIBE"],
    "revoked": ["REVOKE/-"],
    "renewed": ["DID_RENEW/-"],
    "renewalFailed": ["DID_FAIL_TO_RENEW/-", "DID_FAIL_TO_RENEW/GRACE_PERIOD"],
    "graceEnded": ["GRACE_PERIOD_EXPIRED/-"],
    "recovered": ["DID_RENEW/BILLING_RECOVERY"],
    "expired": [
      "EXPIRED/VOLUNTARY", "EXPIRED/BILLING_RETRY", "EXPIRED/PRICE_INCREASE",
      "EXPIRED/PRODUCT_NOT_FOR_SALE",
    ],
    "upgraded": ["DID_CHANGE_RENEWAL_PREF/UPGRADE"],
    "planChangeScheduled": ["DID_CHANGE_RENEWAL_PREF/DOWNGRADE", "DID_CHANGE_RENEWAL_PREF/-"],
    "autoRenewChanged": [
      "DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_ENABLED",
      "DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_DISABLED",
    ],
    "refunded": ["REFUND/-"],
    "refundReversed": ["REFUND_REVERSED/-"],
    "renewalExtended": ["RENEWAL_EXTENDED/-"],
    "extensionFailed": ["RENEWAL_EXTENSION/FAILURE"],
    "priceIncreased": ["PRICE_INCREASE/PENDING", "PRICE_INCREASE/ACCEPTED"],
    "priceIncreaseAccepted": ["PRICE_INCREASE/ACCEPTED"],
    "refundRequested": ["CONSUMPTION_REQUEST/-"],
    "refundDeclined": ["REFUND_DECLINED/-"],
    "restored": ["-/-"],
  ]

  mutating func take(
    _ entry: LogEntry, rules: ModelRules, withdrawn: Set<String>
  ) throws(Violation) {
    let start = entry.transaction?["purchaseDate"]?.int64Value ?? 0
    if entry.transaction?["inAppOwnershipType"]?.stringValue == "familyShared" { isShared = true }
    switch entry.kind {
    // What a member's line does is the purchaser's to do, and held against that.
    case _ where isShared: try takeShared(entry)
    case "purchased":
      try Violation.unless(
        status == nil || isOver || isRevoked || end <= start,
        "\(id) was sold again while it was active, at \(entry.sequence)")
      try auditPurchase(entry)
    case "renewed":
      try Violation.unless(
        !withdrawn.contains(next), "\(id) was renewed to what is not sold, at \(entry.sequence)")
      try takeRenewal(entry, start)
    case "renewalFailed": try takeFailure(entry, rules)
    case "graceEnded":
      try Violation.unless(
        graceEnd == entry.at, "\(id)'s grace ended out of its time, at \(entry.sequence)")
    case "recovered": try takeRecovery(entry, start, rules)
    case "expired": try takeEnd(entry, withdrawn)
    case "priceIncreaseAccepted":
      try Violation.unless(isAsked, "\(id) agreed unasked, at \(entry.sequence)")
    case "upgraded":
      try Violation.unless(
        start == entry.at, "\(id) was upgraded at another time, at \(entry.sequence)")
    default: break
    }
    try auditTransition(entry)
    isNew = status == nil
    follow(entry)
  }

  // MARK: Kinds of events

  /// A member pays nothing, has no offer, and does nothing by itself.
  private func takeShared(_ entry: LogEntry) throws(Violation) {
    try Violation.unless(
      entry.requestID == nil, "\(id) of a family member was changed by itself, \(entry.sequence)")
    if let transaction = entry.transaction {
      try Violation.unless(
        transaction["price"]?.int64Value == 0 && transaction["offerType"] == nil,
        "\(id) of a family member was sold for money, at \(entry.sequence)")
    }
  }

  /// A member's line stands as one of the purchaser's does, or has just been taken away.
  func auditSources(
    _ sources: [AuditedLine], _ entry: LogEntry, rules: ModelRules
  ) throws(Violation) {
    let isMet = sources.contains { source in
      source.product == product && source.end == end && source.status == status
        && source.next == next && source.isCancelled == isCancelled
        && source.graceEnd == graceEnd && source.isOver == isOver
    }
    let isEnded = entry.kind == "revoked" || entry.kind == "finished"
    try Violation.unless(
      isMet || isEnded, "\(id) of \(account) is not as the purchaser's, at \(entry.sequence)")
  }

  private mutating func takeRenewal(_ entry: LogEntry, _ start: Int64) throws(Violation) {
    try Violation.unless(
      !isRevoked && !isOver, "\(id) was renewed after its end, at \(entry.sequence)")
    if entry.requestID == nil {
      try Violation.unless(!isCancelled, "\(id) was renewed after a cancel, at \(entry.sequence)")
      try Violation.unless(
        !isAsked, "\(id) was renewed without consent to its price, at \(entry.sequence)")
      try Violation.unless(start == end, "\(id)'s periods do not tile at \(entry.sequence)")
      try Violation.unless(
        renewedPeriods.insert(start).inserted,
        "\(id) was renewed twice for \(start), at \(entry.sequence)")
    }
    try Violation.unless(
      start == entry.at, "a renewal's time is not its deadline, at \(entry.sequence)")
    try auditProduct(entry)
  }

  /// A grace period has its whole length from the beginning.
  private func takeFailure(_ entry: LogEntry, _ rules: ModelRules) throws(Violation) {
    try Violation.unless(
      !isCancelled && !isRevoked && !isOver && entry.at == end,
      "\(id) failed to renew out of its time, at \(entry.sequence)")
    let grace = entry.renewal?["gracePeriodExpiresDate"]?.int64Value
    // What could not be renewed counts: its period must outlast its grace.
    let isWeekly = rules.shop[next]?.period == "P1W"
    var days = rules.policies.graceDays
    if isWeekly { days = min(6, days) }
    if rules.policies.gracesPaidOnly, isTrial { days = 0 }
    let wanted = days == 0 ? nil : end + days * ModelCalendar.dayMilliseconds
    try Violation.unless(
      grace == wanted,
      "\(id)'s grace ends at \(grace ?? -1), and not at \(wanted ?? -1), at \(entry.sequence)")
    try Violation.unless(
      entry.subtype == (days == 0 ? nil : "GRACE_PERIOD"),
      "\(id)'s failure has the subtype \(entry.subtype ?? "-"), at \(entry.sequence)")
  }

  /// In grace the cycle is kept, in retry a new one begins.
  private func takeRecovery(
    _ entry: LogEntry, _ start: Int64, _ rules: ModelRules
  ) throws(Violation) {
    let isOfWeek = rules.shop[next]?.period == "P1W"
    let isCycleOver = isOfWeek && entry.at >= end + 7 * ModelCalendar.dayMilliseconds
    try Violation.unless(
      entry.requestID != nil
        || (entry.at > end && (entry.at - end) % ModelCalendar.dayMilliseconds == 0),
      "\(id) was charged again out of its time, at \(entry.sequence)")
    let isCycleKept = status == 4 && !rules.policies.countsFromPayment && !isCycleOver
    try Violation.unless(
      start == (isCycleKept ? end : entry.at),
      "\(id)'s paid period begins at \(start), at \(entry.sequence)")
    try Violation.unless(
      entry.at <= end + 60 * ModelCalendar.dayMilliseconds,
      "\(id) was paid after sixty days, at \(entry.sequence)")
    try auditProduct(entry)
  }

  private func takeEnd(_ entry: LogEntry, _ withdrawn: Set<String>) throws(Violation) {
    try Violation.unless(!isRevoked, "\(id) expired after a refund, at \(entry.sequence)")
    if entry.subtype == "PRICE_INCREASE" || entry.subtype == "PRODUCT_NOT_FOR_SALE" {
      let isDue = entry.subtype == "PRICE_INCREASE" ? isAsked : withdrawn.contains(next)
      // What is owed is charged again on whole days, and may be sold no more by then.
      let isRetry =
        entry.subtype == "PRODUCT_NOT_FOR_SALE" && (status == 3 || status == 4)
        && entry.at > end && (entry.at - end) % ModelCalendar.dayMilliseconds == 0
      try Violation.unless(
        isDue && (entry.at == end && status == 1 || isRetry),
        "\(id) expired for \(entry.subtype ?? "") for no reason, at \(entry.sequence)")
    }
    guard entry.subtype == "BILLING_RETRY" else { return }
    try Violation.unless(
      entry.at == end + 60 * ModelCalendar.dayMilliseconds,
      "\(id)'s billing retry is not of sixty days, at \(entry.sequence)")
  }

  private func auditPurchase(_ entry: LogEntry) throws(Violation) {
    let wanted = status == nil ? "INITIAL_BUY" : "RESUBSCRIBE"
    try Violation.unless(
      entry.subtype == wanted,
      "\(id)'s purchase has the subtype \(entry.subtype ?? "-"), at \(entry.sequence)")
  }

  /// What renews is the product that was to: of a scheduled change the new one.
  private func auditProduct(_ entry: LogEntry) throws(Violation) {
    let sold = entry.transaction?["productId"]?.stringValue ?? ""
    try Violation.unless(
      sold == next, "\(id) renewed as \(sold), and not as \(next), at \(entry.sequence)")
    let paid = entry.transaction?["price"]?.int64Value ?? -1
    // One forced while renewal is off costs what it costs by then: the model knows how much.
    let isOfToday = entry.kind == "renewed" && isCancelled && !isOffered
    try Violation.unless(
      paid == price || isOfToday,
      "\(id) renewed for \(paid), and not for \(price), at \(entry.sequence)")
  }

  private func auditTransition(_ entry: LogEntry) throws(Violation) {
    let after = entry.statusAfter ?? 0
    guard let allowed = Self.transitions[entry.kind] else {
      throw Violation("\(entry.kind) is no event of a subscription, at \(entry.sequence)")
    }
    try Violation.unless(
      allowed[status ?? 0]?.contains(after) ?? false,
      "\(entry.kind) took \(id) from status \(status ?? 0) to \(after), at \(entry.sequence)")
    let told = "\(entry.notification ?? "-")/\(entry.subtype ?? "-")"
    try Violation.unless(
      Self.notifications[entry.kind]?.contains(told) ?? false,
      "\(entry.kind) would be told as \(told), at \(entry.sequence)")
  }

  // MARK: Sweeps

  /// Whether a mass extension is for this line: one that has not ended.
  func isExtended(_ entry: LogEntry) -> Bool {
    !isShared && product == entry.product && [1, 3, 4].contains(status)
  }

  /// Whether a price increase is for this line: active, renewing to the product for less, and not
  /// by an offer; or asked before and asked again.
  func isDearer(_ entry: LogEntry) -> Bool {
    guard !isShared, status == 1, !isCancelled, !isOver, !isOffered, next == entry.product else {
      return false
    }
    return price < entry.price ?? 0 || isAsked && entry.needsConsent == true
  }

  // MARK: Following

  private mutating func follow(_ entry: LogEntry) {
    if let account = entry.account { self.account = account }
    status = entry.statusAfter
    if let transaction = entry.transaction,
      let id = transaction["transactionId"]?.stringValue.flatMap({ UInt64($0) }),
      id >= transactionID
    {
      transactionID = id
      end = transaction["expiresDate"]?.int64Value ?? 0
      group = transaction["subscriptionGroupIdentifier"]?.stringValue ?? ""
      isRevoked = transaction["revocationDate"] != nil
      isTrial = transaction["offerDiscountType"]?.stringValue == "FREE_TRIAL"
      product = transaction["productId"]?.stringValue ?? ""
    }
    if let renewal = entry.renewal {
      isCancelled = renewal["autoRenewStatus"]?.int64Value == 0
      next = renewal["autoRenewProductId"]?.stringValue ?? ""
      price = renewal["renewalPrice"]?.int64Value ?? 0
      isOffered = renewal["offerType"] != nil
      isAsked = renewal["priceIncreaseStatus"]?.int64Value == 0
      graceEnd = renewal["gracePeriodExpiresDate"]?.int64Value
      isOver =
        renewal["expirationIntent"] != nil
        && renewal["isInBillingRetryPeriod"]?.boolValue != true
    }
  }
}
