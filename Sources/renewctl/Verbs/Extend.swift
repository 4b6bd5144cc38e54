import Client

/// `extend`: days for free.
enum Extend: Verb {
  static let description = VerbDescription(
    name: "extend", summary: "Let a subscription end later, or all of a product",
    operands: "[ACCOUNT|TRANSACTION] DAYS", operandCount: 1...2,
    options: TestTargets.options + [
      Option("all", "PRODUCT", "every subscription to this product"),
      Option("reason", "NUMBER", "0 undeclared, 1 satisfaction, 2 other, 3 service issue"),
      Option("identifier", "TEXT", "of --all: the same again changes nothing"),
      Option("storefront", "CODE", "of --all: only these, such as USA", isRepeated: true),
    ],
    example: "renewctl extend u1 10d   # or extend --all pro.monthly 10d",
    notes: [
      "1 to 90 days, twice within 365 days; not in a free offer period, in grace or billing "
        + "retry, or after the end. What cannot be extended is told so with --all, and refused "
        + "without it.",
      "At an accelerated rate the days are as much shorter as the period is, a second at least.",
      "--identifier is the product and the days if absent, such as pro.monthly+10d.",
    ])

  static func run(_ invocation: Invocation) throws(Failure) -> ExitCode {
    let arguments = invocation.arguments
    let text = arguments.operands[arguments.operands.count - 1]
    let days = try days(text)
    let reason = try arguments.integer("reason") ?? 0
    if let product = arguments.value("all") {
      guard arguments.operands.count == 1, !arguments.has("transaction"),
        !arguments.has("subscription")
      else { throw .usage("--all means every subscription: name no account beside it") }
      let storefronts = arguments.all("storefront")
      let answer = try invocation.fetch(
        .extendAll(
          productID: product, days: days, reason: reason,
          requestIdentifier: arguments.value("identifier") ?? "\(product)+\(days)d",
          storefronts: storefronts.isEmpty ? nil : storefronts,
          requestID: invocation.requestID))
      if invocation.isForPeople {
        invocation.console.line(
          "\(answer.requestIdentifier): \(answer.succeeded) of \(answer.productID) extended,"
            + " \(answer.failed) could not be, #\(answer.sequence)")
      }
      return .done
    }
    guard !arguments.has("identifier"), !arguments.has("storefront") else {
      throw .usage("--identifier and --storefront go with --all")
    }
    // The days are the last operand; before them may stand an account.
    let answer = try TestTargets.change(
      invocation, account: arguments.operands.count == 2 ? 0 : 1
    ) {
      .extend($0, days: days, reason: reason, requestID: invocation.requestID)
    }
    guard invocation.isForPeople else { return .done }
    invocation.console.line(
      "extended \(answer.transaction.productID) by \(Words.count(days, "day"))"
        + "\(Words.until(answer.transaction)), #\(answer.sequence)")
    return .done
  }

  /// Whole days: `10d`, `P10D`, or `10` alone.
  private static func days(_ text: String) throws(Failure) -> Int64 {
    if let days = Int64(text) { return days }
    guard let span = try? CalendarSpan(text), span.months == 0, span.milliseconds == 0 else {
      throw .usage("extend takes whole days last, such as 10d, not \(text)")
    }
    return span.days
  }
}
