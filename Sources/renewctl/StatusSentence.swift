import Client

/// What an account's status means, in one sentence.
struct StatusSentence {
  private let status: MembershipStatus
  /// The product or entitlement that was asked for.
  private let name: String?
  private let outlook: Outlook

  init(_ status: MembershipStatus, to name: String? = nil, outlook: Outlook) {
    self.status = status
    self.name = name
    self.outlook = outlook
  }

  var text: String {
    let entitled = "\(status.isEntitled ? verb : negated) entitled"
    let to = name.map { " to \($0)" } ?? ""
    let moment =
      switch status.basis {
      case .past: " at \(status.asOf)"
      case .forecast: " at \(status.asOf) if nothing else happens"
      default: ""
      }
    return "\(status.account) \(entitled)\(to)\(moment): \(reason)"
  }

  private var verb: String {
    switch status.basis {
    case .past: "was"
    case .forecast: "will be"
    default: "is"
    }
  }

  private var negated: String {
    status.basis == .forecast ? "will not be" : "\(verb) not"
  }

  private var reason: String {
    if status.isEntitled {
      if let line = status.granting { return entitling(line) }
      if let purchase = status.purchases.last(where: {
        $0.productType == .nonConsumable && $0.revocationDate == nil
      }) {
        return "\(purchase.productID) was bought on \(purchase.purchaseDate)"
      }
      return "by a purchase"
    }
    if let line = status.subscriptions.latest { return ended(line) }
    if let purchase = status.purchases.last(where: { $0.revocationDate != nil }) {
      return "\(purchase.productID) was taken back on \(purchase.revocationDate!)"
    }
    let of = name == nil ? "" : " of it"
    return "no subscription and no lasting purchase\(of)"
  }

  private func entitling(_ line: Subscription) -> String {
    let product = line.transaction.productID
    let end = line.accessEnd.map { " until \($0)" } ?? ""
    guard line.status != .inGracePeriod else {
      let assumed = line.assumedGraceEnd == nil ? "" : " (assumed, its end was not told)"
      let again = outlook.retry(of: line).map { " and is to be charged again on \($0)" } ?? ""
      return "\(product) is in grace\(end)\(assumed), the payment has failed\(again)"
    }
    guard !line.isPending else {
      return "\(product) was paid\(end), \(awaited(line))"
    }
    let next = line.renewalInfo?.autoRenewPreference ?? product
    if status.basis == .past { return "\(product) was \(line.status.words), its period\(end)" }
    let after =
      if line.willAutoRenew == nil {
        Words.renewalUnknown
      } else if line.willAutoRenew == false {
        "then it ends"
      } else if let hindrance = outlook.hindrance(of: line) {
        hindrance
      } else if line.renewalInfo?.priceIncreaseStatus == 0 {
        Outlook.consent
      } else {
        next == product ? "then it renews" : "then it becomes \(next)"
      }
    return "\(product) is \(line.status.words)\(end), \(after)"
  }

  private func awaited(_ line: Subscription) -> String {
    line.willAutoRenew == nil
      ? "\(Words.renewalUnknown), news of it is awaited" : "its renewal is awaited"
  }

  private func ended(_ line: Subscription) -> String {
    let product = line.transaction.productID
    let end = line.accessEnd.map { " on \($0)" } ?? ""
    switch line.status {
    case .expired:
      guard let reason = line.expirationReason else {
        let isAwaited = line.isPending ? ", \(awaited(line))" : ""
        return "\(product) expired\(end)\(isAwaited)"
      }
      // Unpaid, it expires long after access by it ended.
      return "\(product) \(reason == 2 ? "ended" : "expired")\(end)"
        + " (\(outlook.uncancelledEnd(of: line) ?? Words.expirationReason(reason)))"
    case .inBillingRetryPeriod:
      let again =
        outlook.retry(of: line).map { "is to be charged again on \($0)" } ?? "is being retried"
      return "\(product) ended\(end), the payment has failed and \(again)"
    case .revoked: return "\(product) was taken back\(end)"
    default: return "\(product) is \(line.status.words)"
    }
  }
}
