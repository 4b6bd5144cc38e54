import Client

/// `buy`: a purchase, an upgrade, a downgrade, or buying again.
enum Buy: Verb {
  static let description = VerbDescription(
    name: "buy", summary: "Buy a product for an account",
    operands: "ACCOUNT PRODUCT", operandCount: 2...2,
    options: [
      Option("quantity", "NUMBER", "so many at once (1)"),
      Option("storefront", "COUNTRY", "three letters, such as USA"),
      Option("clock", "NAME", "the clock that a new account will live by"),
      Option("date", "TIME", "date the purchase back"),
      Option("cancelled", nil, "with --date: renewal was turned off at once"),
      Option("token", "UUID", "the appAccountToken of this purchase and its renewals"),
      Option(
        "offer", "OFFER",
        "redeem an offer by its id, as promotional:ID, code:ID or win-back:ID, or intro"),
      Option(
        "signature", "JWS|KEY,NONCE,TIMESTAMP,SIGNATURE",
        "with --offer: how the app's server signed it"),
      SignedLines.option,
    ],
    example: "renewctl buy u1 pro.monthly",
    notes: [
      "Another product of the account's subscription group is an upgrade, downgrade or "
        + "crossgrade: a higher level changes at once, a lower one at the next renewal.",
      "renewctl products shows the offers; one of the product that an account has begins at the "
        + "next renewal.",
    ])

  static func run(_ invocation: Invocation) throws(Failure) -> ExitCode {
    let answer = try invocation.fetch(
      .purchase(
        account: invocation.operand(0), productID: invocation.operand(1),
        options: try options(invocation), requestID: invocation.requestID))
    if invocation.isForPeople {
      invocation.console.line(
        try PlanChange.sentence(answer, invocation) ?? sentence(answer, invocation))
      invocation.console.lines(
        SignedLines.line("signedTransactionInfo", answer.signedTransactionInfo))
    }
    return .done
  }

  private static func options(_ invocation: Invocation) throws(Failure) -> PurchaseOptions {
    let arguments = invocation.arguments
    var options = PurchaseOptions()
    options.quantity = try arguments.integer("quantity", least: 1).map { Int($0) }
    options.storefront = arguments.value("storefront")
    options.clock = arguments.value("clock")
    options.purchaseDate = try arguments.time("date")
    options.appAccountToken = arguments.value("token")
    options.signed = arguments.has("signed") ? true : nil
    if arguments.has("cancelled") {
      guard arguments.has("date") else { throw .usage("--cancelled goes with --date") }
      options.renewalBehavior = .cancelImmediately
    } else if arguments.has("date") {
      options.renewalBehavior = .renewUntilNow
    }
    if let name = arguments.value("offer") {
      options.offer = try OfferName.resolve(
        name, of: invocation.operand(1), invocation.session)
      if let text = arguments.value("signature") {
        options.offer = try OfferName.signed(options.offer, text)
      }
    } else if arguments.has("signature") {
      throw .usage("--signature goes with --offer")
    }
    return options
  }

  private static func sentence(_ answer: PurchaseAnswer, _ invocation: Invocation) -> String {
    let account = invocation.operand(0)
    guard answer.outcome == .success, let transaction = answer.transaction else {
      let product = invocation.operand(1)
      let outcome =
        answer.outcome == .pending
        ? "is pending until it is approved or declined" : "was not made: \(answer.outcome)"
      return "the purchase of \(product) by \(account) \(outcome), #\(answer.sequence)"
    }
    let quantity = transaction.purchasedQuantity.map { $0 > 1 ? "\($0) × " : "" } ?? ""
    let price = transaction.money.map { " for \($0)" } ?? ""
    return "\(account) bought \(quantity)\(transaction.productID)\(price)"
      + "\(Words.until(transaction)); transaction \(transaction.id), #\(answer.sequence)"
  }
}
