import Client

/// `price`: a subscription that becomes dearer, and what a customer says to it.
enum Price: Verb {
  static let description = VerbDescription(
    name: "price", summary: "Raise a product's price; let a customer agree to it or not",
    operands: "announce PRODUCT PRICE | consent|decline [ACCOUNT|TRANSACTION]",
    operandCount: 1...3,
    options: TestTargets.options + [
      Option("consent", nil, "of announce: each subscriber has to agree")
    ],
    example: "renewctl price announce pro.monthly 12.99 --consent   # then price consent u1",
    notes: [
      "announce changes what the product costs from now on, and tells every subscription that "
        + "renews to it. With --consent it asks: who has not agreed by the end of the period "
        + "expires. Without it, they renew at the new price.",
      "Not reached are subscriptions with renewal off, in billing trouble, or with an offer for "
        + "the next renewal. The same price again asks again who has not answered.",
    ])

  static func run(_ invocation: Invocation) throws(Failure) -> ExitCode {
    switch invocation.operand(0) {
    case "announce": try announce(invocation)
    case "consent": try answer(invocation, agrees: true)
    case "decline": try answer(invocation, agrees: false)
    case let word:
      throw .usage(
        "price takes announce, consent or decline, not \(word)",
        "example: \(description.example)")
    }
    return .done
  }

  private static func announce(_ invocation: Invocation) throws(Failure) {
    let arguments = invocation.arguments
    guard let product = arguments.operand(1), let text = arguments.operand(2) else {
      throw .usage("price announce takes a product and a price, such as pro.monthly 12.99")
    }
    guard !arguments.has("transaction"), !arguments.has("subscription") else {
      throw .usage("--transaction and --subscription go with price consent and price decline")
    }
    guard let price = milliunits(text) else {
      throw .usage("\"\(text)\" is no price; say units and a fraction, such as 12.99")
    }
    let asks = arguments.has("consent")
    let answer = try invocation.fetch(
      .announcePriceIncrease(
        productID: product, price: price, needsConsent: asks, requestID: invocation.requestID))
    guard invocation.isForPeople else { return }
    let whom = Words.count(answer.subscriptions, "subscription")
    invocation.console.line(
      "\(product) costs \(text) from now on; \(whom) \(asks ? "asked" : "told"), "
        + "#\(answer.sequence)")
  }

  private static func answer(
    _ invocation: Invocation, agrees: Bool
  ) throws(Failure) {
    guard !invocation.arguments.has("consent") else {
      throw .usage("--consent goes with price announce")
    }
    guard invocation.arguments.operand(2) == nil else {
      throw .usage("price \(invocation.operand(0)) takes one account")
    }
    let answer = try TestTargets.change(invocation, account: 1) {
      agrees
        ? .consentToPriceIncrease($0, requestID: invocation.requestID)
        : .declinePriceIncrease($0, requestID: invocation.requestID)
    }
    guard invocation.isForPeople else { return }
    let end = answer.transaction.expirationDate?.description ?? "its end"
    invocation.console.line(
      agrees
        ? "agreed: \(answer.transaction.productID) is to renew at the new price on "
          + "\(end), #\(answer.sequence)"
        : "not agreed: \(answer.transaction.productID) ends on \(end), #\(answer.sequence)")
  }

  /// An amount in thousandths: `12.99` is 12990. At most three digits behind the point.
  static func milliunits(_ text: String) -> Int64? {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    let digits = parts.joined().utf8
    guard parts.count <= 2, !parts[0].isEmpty, parts.last?.isEmpty == false,
      digits.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
      digits.count <= 15
    else { return nil }
    let fraction = parts.count == 2 ? String(parts[1]) : ""
    guard fraction.utf8.count <= 3, let whole = Int64(parts[0]) else { return nil }
    let padded = fraction + String(repeating: "0", count: 3 - fraction.utf8.count)
    return whole * 1000 + (Int64(padded) ?? 0)
  }
}
