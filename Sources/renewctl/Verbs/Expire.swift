import Client

/// `expire`: the end, now.
enum Expire: Verb {
  static let description = VerbDescription(
    name: "expire", summary: "End a subscription now, without a renewal",
    operands: TestTargets.operands, operandCount: 0...1, options: TestTargets.options,
    example: "renewctl expire u1")

  static func run(_ invocation: Invocation) throws(Failure) -> ExitCode {
    let answer = try TestTargets.change(invocation) {
      .expire($0, requestID: invocation.requestID)
    }
    guard invocation.isForPeople else { return .done }
    let end = answer.transaction.expirationDate.map { " on \($0)" } ?? ""
    invocation.console.line("\(answer.transaction.productID) ended\(end), #\(answer.sequence)")
    return .done
  }
}

/// `renew`: the next period, now.
enum Renew: Verb {
  static let description = VerbDescription(
    name: "renew", summary: "End the period now and begin the next one",
    operands: TestTargets.operands, operandCount: 0...1, options: TestTargets.options,
    example: "renewctl renew u1")

  static func run(_ invocation: Invocation) throws(Failure) -> ExitCode {
    let answer = try TestTargets.change(invocation) {
      .forceRenewal($0, requestID: invocation.requestID)
    }
    guard invocation.isForPeople else { return .done }
    let end = answer.transaction.expirationDate.map { ", until \($0)" } ?? ""
    invocation.console.line(
      "renewed \(answer.transaction.productID)\(end); transaction \(answer.transaction.id), "
        + "#\(answer.sequence)")
    return .done
  }
}

/// `reset`: an empty shop.
enum Reset: Verb {
  static let description = VerbDescription(
    name: "reset", summary: "Forget all accounts and subscriptions; catalogue and clocks stay",
    example: "renewctl reset",
    notes: ["For tests: a log of the role record refuses it. Sequence and ids go on."])

  static func run(_ invocation: Invocation) throws(Failure) -> ExitCode {
    let answer = try invocation.fetch(.reset(requestID: invocation.requestID))
    if invocation.isForPeople { invocation.console.line("empty, #\(answer.sequence)") }
    return .done
  }
}
