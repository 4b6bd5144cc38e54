import Client

/// `billing`: charges that fail, and the payment that ends the trouble.
enum Billing: Verb {
  static let description = VerbDescription(
    name: "billing", summary: "Let payments of renewals fail or succeed, or pay what is owed",
    operands: "fail|ok|resolve [ACCOUNT|TRANSACTION]", operandCount: 1...2,
    options: TestTargets.options + [Option("all", nil, "with fail or ok: of all accounts")],
    example: "renewctl billing fail u1   # the next renewal fails; billing resolve u1 pays it",
    notes: [
      "fail and ok say what becomes of the payments of the account's renewals from now on; "
        + "purchases are paid all the same. resolve pays what a "
        + "subscription in grace or in billing retry owes, and lets later charges succeed; the "
        + "first two options are of resolve. An account that was told to succeed beats --all.",
      "A failed renewal has a grace period where the daemon has one: renewd or renewctl run with "
        + "--policy billingGracePeriod=16d (off, 3d, 16d or 28d). It is retried for 60 days: "
        + "after ok the next try, within 24 hours on the account's clock, pays it "
        + "(--policy billingRetryInterval=24h).",
    ])

  static func run(_ invocation: Invocation) throws(Failure) -> ExitCode {
    switch invocation.operand(0) {
    case "fail": try set(.fail, invocation)
    case "ok": try set(.succeed, invocation)
    case "resolve": try resolve(invocation)
    case let word:
      throw .usage(
        "billing takes fail, ok or resolve, not \(word)", "example: \(description.example)")
    }
    return .done
  }

  private static func set(
    _ outcome: BillingOutcome, _ invocation: Invocation
  ) throws(Failure) {
    let arguments = invocation.arguments
    let account = arguments.operand(1)
    guard (account == nil) == arguments.has("all") else {
      throw .usage("billing \(invocation.operand(0)) takes an account, or --all")
    }
    guard !arguments.has("transaction"), !arguments.has("subscription") else {
      throw .usage("--transaction and --subscription go with billing resolve")
    }
    let answer = try invocation.fetch(
      .setBilling(account: account, outcome: outcome, requestID: invocation.requestID))
    guard invocation.isForPeople else { return }
    let verb = outcome == .fail ? "fail" : "succeed"
    let whose = account.map { "\($0)'s" } ?? "all"
    invocation.console.line(
      "the payments of \(whose) renewals \(verb) from now on, #\(answer.sequence)")
  }

  private static func resolve(_ invocation: Invocation) throws(Failure) {
    let answer = try TestTargets.change(invocation, account: 1) {
      .resolveBilling($0, requestID: invocation.requestID)
    }
    guard invocation.isForPeople else { return }
    let transaction = answer.transaction
    let price = transaction.money.map { " \($0)" } ?? ""
    invocation.console.line(
      "paid\(price) for \(transaction.productID)\(Words.until(transaction)); "
        + "transaction \(transaction.id), #\(answer.sequence)")
  }
}
