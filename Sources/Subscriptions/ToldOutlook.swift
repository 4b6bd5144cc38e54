/// How a line of the App Store's stands and what is to come of it, put together from all that its
/// chain knows: the newest renewal info as a whole, and what notifications said outright where that
/// does not say it and is not newer (Domain.md 9.1).
struct ToldOutlook {
  var renewal: RenewalInfo
  /// Whether renewal is on; nil where nothing told it.
  var renews: Bool?
  /// The end of access that was said outright.
  var status: Status?
  /// No end of grace was told, and the policy's takes its place.
  var isGraceAssumed = false
  /// When it was said to be active though its period was over: news of the next has not come.
  var activeAt: Instant?
}

extension AppleChain {
  /// The outlook of the line whose newest transaction is `current`.
  func outlook(beside current: Transaction) -> ToldOutlook {
    var outlook = ToldOutlook(
      renewal: knownRenewal(beside: current), renews: renewal?.renews,
      isGraceAssumed: renewal?.isGraceAssumed ?? false)
    if let said = standing.status { take(said, beside: current, into: &outlook) }
    if let said = standing.renews, current.purchaseDate <= said.at,
      !isRenewalInfoNewer(than: said.at),
      outlook.renews == nil || isRenewalInfoOlder(than: said.at)
    {
      outlook.renews = said.value
    }
    if let said = standing.intent, counts(said.at, beside: current), !isActive(since: said.at),
      outlook.renewal.expirationIntent == nil || isRenewalInfoOlder(than: said.at)
    {
      outlook.renewal.expirationIntent = said.value
    }
    outlook.renewal.autoRenews = outlook.renews ?? false
    return outlook
  }

  /// The newest renewal info, what it leaves out taken from the transaction; before any has come
  /// the transaction stands in for all of it.
  private func knownRenewal(beside current: Transaction) -> RenewalInfo {
    guard var info = renewal?.renewal else {
      return RenewalInfo(
        autoRenewProduct: current.product, autoRenews: false, renewalDate: current.expiresDate,
        renewalPrice: current.price, recentSubscriptionStartDate: current.purchaseDate,
        signedDate: current.signedDate)
    }
    // Who names an end of grace behind the period says that the payment is tried again.
    if renewal?.fields?.isPlain(.isInBillingRetryPeriod) == false,
      info.gracePeriodExpiresDate != .never, info.gracePeriodExpiresDate > current.expiresDate
    {
      info.isInBillingRetry = true
    }
    if info.autoRenewProduct == noNumber { info.autoRenewProduct = current.product }
    if info.renewalDate == .never { info.renewalDate = current.expiresDate }
    if info.recentSubscriptionStartDate == .never {
      info.recentSubscriptionStartDate = current.purchaseDate
    }
    return info
  }

  private func take(
    _ said: Said<SaidStatus>, beside current: Transaction, into outlook: inout ToldOutlook
  ) {
    let status = said.value.status
    // Whether a period is taken back is the transaction's matter, not the renewal info's.
    guard status != .revoked else {
      if current.signedDate <= said.at { outlook.status = .revoked }
      return
    }
    guard counts(said.at, beside: current) else { return }
    switch status {
    case .revoked, .expired:
      outlook.status = status
    case .billingRetry:
      outlook.renewal.isInBillingRetry = true
      guard said.value.isOutright else { return }
      outlook.status = status
      outlook.renewal.gracePeriodExpiresDate = .never
    case .gracePeriod:
      outlook.renewal.isInBillingRetry = true
      // One before this period's end is that of an earlier trouble.
      let known = outlook.renewal.gracePeriodExpiresDate
      guard known == .never || known <= current.expiresDate else { return }
      outlook.renewal.gracePeriodExpiresDate = current.expiresDate.advanced(
        byDays: said.value.graceDays)
      outlook.isGraceAssumed = true
    case .active:
      guard current.expiresDate <= said.at else { return }
      outlook.activeAt = said.at
      guard isRenewalInfoOlder(than: said.at) else { return }
      outlook.renewal.isInBillingRetry = false
      outlook.renewal.expirationIntent = nil
    }
  }

  /// Whether what was said then is not overtaken: by a newer renewal info, or by a newer version of
  /// a period that was not over then.
  private func counts(_ date: Instant, beside current: Transaction) -> Bool {
    !isRenewalInfoNewer(than: date)
      && (current.signedDate <= date || current.expiresDate <= date)
  }

  private func isRenewalInfoNewer(than date: Instant) -> Bool {
    renewal.map { $0.renewal.signedDate > date } ?? false
  }

  private func isRenewalInfoOlder(than date: Instant) -> Bool {
    renewal.map { $0.renewal.signedDate < date } ?? true
  }

  /// Whether it was said to be active later than a moment.
  private func isActive(since date: Instant) -> Bool {
    standing.status.map { $0.at > date && $0.value.status == .active } ?? false
  }
}
