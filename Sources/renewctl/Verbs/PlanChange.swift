import Client

/// What a purchase made of a subscription that was already there.
enum PlanChange {
  /// The sentence of a purchase that was no plain one; nil for those that were.
  static func sentence(
    _ answer: PurchaseAnswer, _ invocation: Invocation
  ) throws(Failure) -> String? {
    guard let transaction = answer.transaction, transaction.productType == .autoRenewable else {
      return nil
    }
    let (account, wanted) = (invocation.operand(0), invocation.operand(1))
    let event = try event(answer.sequence, of: account, invocation.session)
    let place = "#\(answer.sequence)"
    let end = transaction.expirationDate.map { " until \($0)" } ?? " for good"
    switch event?.kind {
    case .upgraded:
      let price = transaction.money.map { " for \($0)" } ?? ""
      return "\(account) changed to \(transaction.productID) at once\(price),\(end); "
        + "transaction \(transaction.id), \(place)"
    case .offerRedeemed:
      let info = event?.renewalInfo
      let offer = info?.offerID.map { "the offer \($0)" } ?? "the offer"
      let price = info?.renewalMoney.map { " for \($0)" } ?? ""
      return "\(account) keeps \(wanted)\(end) and is to renew then with \(offer)\(price), \(place)"
    case .planChangeScheduled where wanted == transaction.productID:
      return "\(account) stays with \(wanted), which is to renew on \(date(event)), \(place)"
    case .planChangeScheduled:
      let price = event?.renewalInfo?.renewalMoney.map { " for \($0)" } ?? ""
      return
        "\(account) keeps \(transaction.productID)\(end) and is to change to \(wanted)\(price) "
        + "on \(date(event)), \(place)"
    case .purchased where invocation.arguments.has("cancelled"):
      // Dated back, and cancelled at once.
      let price = transaction.money.map { " for \($0)" } ?? ""
      return "\(account) bought \(wanted)\(price),\(end), and turned its renewal off at once; "
        + "transaction \(transaction.id), \(place)"
    case .autoRenewChanged:
      return "\(account) has \(wanted)\(end), and its renewal is on again, \(place)"
    default:
      guard wanted != transaction.productID else { return nil }
      return "\(account) has \(transaction.productID)\(end) and is to change to \(wanted) then, "
        + "as chosen before, \(place)"
    }
  }

  private static func date(_ event: Event?) -> String {
    event?.renewalInfo?.renewalDate?.description ?? "its end"
  }

  /// The account's event at a place in the log, by a watch: anyone who may buy may watch.
  private static func event(
    _ sequence: Int64, of account: String, _ session: Session
  ) throws(Failure) -> Event? {
    var stream = try session.stream(.watch(account: account, since: sequence - 1))
    return try Failure.wrapping { () throws(ClientError) in try stream.next()?.event }
  }
}

extension RenewalInfo {
  /// What the next renewal costs, where it is known.
  var renewalMoney: Money? {
    guard let renewalPrice, let currency else { return nil }
    return Money(milliunits: renewalPrice, currency: currency)
  }
}
