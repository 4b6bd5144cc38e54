import Client

/// `verify`: is this transaction worth what a client says it is?
enum Verify: Verb {
  static let description = VerbDescription(
    name: "verify", summary: "Say whether a transaction is valid now for an account and a product",
    operands: "ACCOUNT TRANSACTION PRODUCT", operandCount: 3...3,
    example: "renewctl verify u1 2000000000000001 pro.monthly",
    notes: ["Exit status 0: valid, 1: not valid."])

  static func run(_ invocation: Invocation) throws(Failure) -> ExitCode {
    let answer = try invocation.fetch(
      .verify(
        account: invocation.operand(0), transactionID: invocation.operand(1),
        productID: invocation.operand(2)))
    if invocation.isForPeople {
      let reason = answer.reason.map { ": \($0)" } ?? ""
      invocation.console.line(answer.isValid ? "valid" : "not valid\(reason)")
    }
    return answer.isValid ? .done : .negative
  }
}
