import Client

/// `restore`: what an account has, once more.
enum Restore: Verb {
  static let description = VerbDescription(
    name: "restore", summary: "Give an account what it has once more, under new ids",
    operands: "ACCOUNT", operandCount: 1...1,
    options: [Option("signed", nil, "print the signed forms alone, a compact JWS (ES256) a line")],
    example: "renewctl restore u1",
    notes: [
      "As a customer does on another device: subscriptions that live and lasting purchases get new"
        + " transaction ids and keep all else, their original ids too. Nothing is charged."
    ])

  static func run(_ invocation: Invocation) throws(Failure) -> ExitCode {
    let account = invocation.operand(0)
    let isSigned = invocation.arguments.has("signed")
    let answer = try invocation.fetch(
      .restore(
        account: account, signed: isSigned ? true : nil, requestID: invocation.requestID))
    guard invocation.isForPeople else { return .done }
    guard !isSigned else {
      invocation.console.lines(answer.transactions.compactMap(\.signedTransactionInfo))
      return .done
    }
    guard !answer.transactions.isEmpty else {
      invocation.console.line("\(account) has nothing to restore")
      return .done
    }
    invocation.console.table(TransactionTable.of(answer.transactions))
    let count = Words.count(Int64(answer.transactions.count), "transaction")
    invocation.console.line("restored \(count) of \(account), #\(answer.sequence)")
    return .done
  }
}
