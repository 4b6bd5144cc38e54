import JSON

/// An account's answers as lines of text, so that the model's and the daemon's can be compared
/// and a difference can be shown. Both sides make the same words by themselves.
enum Portrait {
  // MARK: From the daemon

  /// A reply of `Status`.
  static func status(_ reply: Reply) -> [String] {
    var lines = ["entitled \(reply.flag("entitled") ?? false)"]
    lines += reply.list("subscriptions").map(subscription).sorted()
    lines += reply.list("purchases").map { transaction($0) }
    return lines
  }

  /// The transactions of replies of `History`, each subscription's in their order.
  static func history(_ transactions: [JSONValue]) -> [String] {
    lines(transactions).flatMap { line in
      line.items.map { item in
        "\(item["subscriptionGroupIdentifier"]?.stringValue ?? "-"): \(transaction(item))"
      }
    }
  }

  /// The transactions of each subscription, in the order in which the subscriptions were begun,
  /// and at the end, under no id, those outside of any.
  static func lines(_ transactions: [JSONValue]) -> [(id: UInt64, items: [JSONValue])] {
    var lines: [(id: UInt64, items: [JSONValue])] = []
    for item in transactions {
      let isLine = item["subscriptionGroupIdentifier"] != nil
      let id = item["originalTransactionId"]?.stringValue.flatMap { UInt64($0) } ?? 0
      let name = isLine ? id : UInt64.max
      let index = lines.firstIndex { $0.id == name } ?? lines.count
      if index == lines.count { lines.append((name, [])) }
      lines[index].items.append(item)
    }
    return lines.sorted { $0.id < $1.id }
  }

  private static func subscription(_ value: JSONValue) -> String {
    let renewal = value["renewalInfo"]
    return [
      "line \(text(value["subscriptionGroupIdentifier"])) status \(number(value["status"]))",
      "entitled \(value["entitled"]?.boolValue ?? false)",
      transaction(value["transaction"] ?? .null),
      "product \(text(renewal?["productId"])) then \(text(renewal?["autoRenewProductId"]))",
      "retry \(renewal?["isInBillingRetryPeriod"]?.boolValue ?? false)",
      "grace \(number(renewal?["gracePeriodExpiresDate"]))",
      "renews \(number(renewal?["autoRenewStatus"])) at \(number(renewal?["renewalDate"]))",
      "for \(number(renewal?["renewalPrice"])) intent \(number(renewal?["expirationIntent"]))",
      "increase \(number(renewal?["priceIncreaseStatus"]))",
      "offer \(number(renewal?["offerType"]))",
      "since \(number(renewal?["recentSubscriptionStartDate"]))",
      "due \(number(value["nextDue"]))",
    ].joined(separator: " | ")
  }

  private static func transaction(_ value: JSONValue) -> String {
    [
      text(value["productId"]), "\(number(value["purchaseDate"]))..\(number(value["expiresDate"]))",
      "\(number(value["quantity"])) for \(number(value["price"]))",
      text(value["transactionReason"]), text(value["offerDiscountType"]),
      "revoked \(number(value["revocationDate"]))",
      value["finished"]?.boolValue == true ? "finished" : "unfinished",
      value["isUpgraded"]?.boolValue == true ? "upgraded" : "kept",
      value["inAppOwnershipType"]?.stringValue == "familyShared" ? "shared" : "own",
    ].joined(separator: " ")
  }

  private static func text(_ value: JSONValue?) -> String { value?.stringValue ?? "-" }

  private static func number(_ value: JSONValue?) -> String {
    value?.int64Value.map { String($0) } ?? "-"
  }

  // MARK: From the model

  /// The model's answer to `Status` at a moment.
  static func status(_ account: ModelAccount?, at time: Int64, shop: Shop) -> [String] {
    guard let account else { return ["entitled false"] }
    var lines = ["entitled \(account.isEntitled(at: time, shop: shop))"]
    lines += account.lines.map { subscription($0, at: time) }.sorted()
    lines += account.purchases.filter { shop[$0.product]?.kind != .consumable }.map(transaction)
    return lines
  }

  /// The model's answer to `History`.
  static func history(_ account: ModelAccount?) -> [String] {
    guard let account else { return [] }
    var groups = account.lines.map { (name: $0.group, periods: $0.periods) }
    groups.append((name: "-", periods: account.purchases))
    return groups.flatMap { group in group.periods.map { "\(group.name): \(transaction($0))" } }
  }

  private static func subscription(_ line: ModelLine, at time: Int64) -> String {
    let status = line.status(at: time)
    return [
      "line \(line.group) status \(status)",
      "entitled \(status == 1 || status == 4)",
      transaction(line.last),
      "product \(line.last.product) then \(line.nextProduct)",
      "retry \(line.trouble != nil)",
      "grace \(number(line.trouble?.graceEnd))",
      "renews \(line.renews ? 1 : 0) at \(line.renewalDate)",
      "for \(line.nextPrice) intent \(number(line.intent))",
      "increase \(line.consent.map { $0 ? "1" : "0" } ?? "-")",
      "offer \(line.isDiscounted ? "1" : "-")",
      "since \(line.chainStart)",
      "due \(number(line.upcoming))",
    ].joined(separator: " | ")
  }

  private static func transaction(_ period: ModelPeriod) -> String {
    [
      period.product, "\(period.start)..\(number(period.end))",
      "\(period.quantity) for \(period.price)",
      period.isRenewal ? "renewal" : "purchase", period.offer ?? "-",
      "revoked \(number(period.revoked))",
      period.isFinished ? "finished" : "unfinished",
      period.isUpgraded ? "upgraded" : "kept",
      period.isShared ? "shared" : "own",
    ].joined(separator: " ")
  }

  private static func number(_ value: Int64?) -> String {
    value.map { String($0) } ?? "-"
  }

  /// The first difference between two portraits, in words; nil where they are equal.
  static func difference(daemon: [String], model: [String]) -> String? {
    guard daemon != model else { return nil }
    for index in 0..<max(daemon.count, model.count) {
      let left = index < daemon.count ? daemon[index] : "nothing"
      let right = index < model.count ? model[index] : "nothing"
      if left != right { return "the daemon says: \(left)\n  the model says:  \(right)" }
    }
    return nil
  }
}
