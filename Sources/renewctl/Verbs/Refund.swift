import Client

/// `refund`: money back, access gone.
enum Refund: Verb {
  static let description = VerbDescription(
    name: "refund", summary: "Refund a transaction; an account's newest if it has one line",
    operands: TestTargets.operands, operandCount: 0...1,
    options: TestTargets.options + [
      Option("percentage", "NUMBER", "1 to 100; the whole if absent"),
      Option("reason", "NUMBER", "Apple's: 0 other, 1 an issue with the app"),
    ],
    example: "renewctl refund u1")

  static func run(_ invocation: Invocation) throws(Failure) -> ExitCode {
    let percentage = try invocation.arguments.integer("percentage", least: 1)
    let reason = try invocation.arguments.integer("reason")
    let answer = try TestTargets.change(invocation) {
      .refund(
        $0, percentage: percentage.map { Int($0) }, reason: reason.map { Int($0) },
        requestID: invocation.requestID)
    }
    guard invocation.isForPeople else { return .done }
    let transaction = answer.transaction
    let share = Words.part(transaction).map { "\($0) of " } ?? ""
    let price = transaction.money.map { " (\($0))" } ?? ""
    invocation.console.line(
      "refunded \(share)\(transaction.id), \(transaction.productID) of "
        + "\(transaction.purchaseDate)\(price), #\(answer.sequence)")
    return .done
  }
}

/// `unrefund`: a refund taken back.
enum Unrefund: Verb {
  static let description = VerbDescription(
    name: "unrefund", summary: "Take a refund back", operands: TestTargets.operands,
    operandCount: 0...1, options: TestTargets.options, example: "renewctl unrefund u1")

  static func run(_ invocation: Invocation) throws(Failure) -> ExitCode {
    let answer = try TestTargets.change(invocation) {
      .reverseRefund($0, requestID: invocation.requestID)
    }
    guard invocation.isForPeople else { return .done }
    invocation.console.line(
      "the refund of \(answer.transaction.id), \(answer.transaction.productID), is taken back, "
        + "#\(answer.sequence)")
    return .done
  }
}
