import Client

/// `cancel`: renewal off.
enum Cancel: Verb {
  static let description = VerbDescription(
    name: "cancel", summary: "Turn a subscription's renewal off; it goes on to its end",
    operands: "ACCOUNT|TRANSACTION", operandCount: 1...1, options: AutoRenew.options,
    example: "renewctl cancel u1", notes: AutoRenew.notes)

  static func run(_ invocation: Invocation) throws(Failure) -> ExitCode {
    try AutoRenew.set(false, invocation)
  }
}

/// `resume`: renewal on again.
enum Resume: Verb {
  static let description = VerbDescription(
    name: "resume", summary: "Turn a subscription's renewal on again",
    operands: "ACCOUNT|TRANSACTION", operandCount: 1...1, options: AutoRenew.options,
    example: "renewctl resume u1", notes: AutoRenew.notes)

  static func run(_ invocation: Invocation) throws(Failure) -> ExitCode {
    try AutoRenew.set(true, invocation)
  }
}

/// What turning renewal off and on have in common.
enum AutoRenew {
  static let options = [Option("product", "ID", "the account's subscription to this product")]
  static let notes = [
    "Names the account's only running subscription, or one by its original transaction id."
  ]

  static func set(_ enabled: Bool, _ invocation: Invocation) throws(Failure) -> ExitCode {
    let line = try resolve(enabled, invocation)
    let answer = try invocation.fetch(
      .setAutoRenew(
        originalID: line?.originalID ?? invocation.operand(0), enabled: enabled,
        requestID: invocation.requestID))
    guard invocation.isForPeople else { return .done }
    let name = line.map { "\(invocation.operand(0))'s \($0.transaction.productID)" }
    let end = line?.transaction.expirationDate.map { " on \($0)" } ?? ""
    let outcome = enabled ? "is to renew\(end)" : "ends\(end) and does not renew"
    invocation.console.line(
      "\(name ?? "subscription \(invocation.operand(0))") \(outcome), #\(answer.sequence)")
    return .done
  }

  /// The line that is meant; nil where the operand is an original transaction id.
  private static func resolve(
    _ enabled: Bool, _ invocation: Invocation
  ) throws(Failure) -> Subscription? {
    let name = invocation.operand(0)
    let status = try invocation.session.answer(.status(account: name))
    if status.subscriptions.isEmpty, TransactionIDs.isOne(name) { return nil }
    var lines = status.subscriptions.filter {
      [.active, .inGracePeriod, .inBillingRetryPeriod].contains($0.status)
    }
    if let product = invocation.arguments.value("product") {
      lines = lines.filter { $0.transaction.productID == product }
    }
    // Of several, only those where the call would change something can be meant.
    if lines.count > 1 {
      let changing = lines.filter { $0.willAutoRenew != enabled }
      if !changing.isEmpty { lines = changing }
    }
    guard lines.count <= 1 else { throw ambiguous(name, lines) }
    guard let line = lines.first else {
      let product = invocation.arguments.value("product").map { " to \($0)" } ?? ""
      throw .own(
        "SubscriptionNotFound", .notFound, "\(name) has no running subscription\(product)",
        ["renewctl status \(name) shows what there is."])
    }
    return line
  }

  private static func ambiguous(_ account: String, _ lines: [Subscription]) -> Failure {
    var table = Table(["SUBSCRIPTION", "PRODUCT", "STATUS", "UNTIL"])
    for line in lines {
      table.add([
        line.originalID, line.transaction.productID, line.status.words,
        line.accessEnd?.description,
      ])
    }
    var failure = Failure.own(
      "Ambiguous", .refused, "\(account) has \(lines.count) running subscriptions; name one",
      table.lines)
    failure.parameters = JSONObject([
      ("candidates", .array(lines.map { .string($0.originalID) }))
    ])
    return failure
  }
}

/// Transaction ids, which are decimal numbers.
enum TransactionIDs {
  static func isOne(_ text: String) -> Bool {
    !text.isEmpty && text.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
  }
}
