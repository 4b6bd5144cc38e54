import Client

/// `finish`: the app has delivered what was bought.
enum Finish: Verb {
  static let description = VerbDescription(
    name: "finish", summary: "Say that the app has delivered what was bought",
    operands: "ACCOUNT|TRANSACTION", operandCount: 1...1,
    options: [Option("all", nil, "everything the account has not finished")],
    example: "renewctl finish u1 --all")

  static func run(_ invocation: Invocation) throws(Failure) -> ExitCode {
    let name = invocation.operand(0)
    let open = try invocation.session.answer(.unfinished(account: name)).transactions
    var ids = open.map(\.transaction.id)
    if ids.isEmpty, TransactionIDs.isOne(name) { ids = [name] }
    guard !ids.isEmpty else {
      throw .own("TransactionNotFound", .notFound, "\(name) has nothing unfinished")
    }
    guard ids.count == 1 || invocation.arguments.has("all") else {
      var failure = Failure.own(
        "Ambiguous", .refused,
        "\(name) has \(ids.count) unfinished transactions; name one, or --all",
        TransactionTable.of(open.map(\.transaction)).lines)
      failure.parameters = JSONObject([("candidates", .array(ids.map { .string($0) }))])
      throw failure
    }
    guard ids.count == 1 || invocation.requestID == nil else {
      throw .usage("--request-id is for one transaction; \(name) has \(ids.count)")
    }
    for id in ids {
      let answer = try invocation.fetch(
        .finish(transactionID: id, requestID: invocation.requestID))
      if invocation.isForPeople { invocation.console.line("finished \(id), #\(answer.sequence)") }
    }
    return .done
  }
}

/// `unfinished`: what was bought and not delivered.
enum Unfinished: Verb {
  static let description = VerbDescription(
    name: "unfinished", summary: "List what an account bought and the app has not delivered",
    operands: "ACCOUNT", operandCount: 1...1,
    options: [Option("signed", nil, "print the signed forms alone, a compact JWS (ES256) a line")],
    example: "renewctl unfinished u1")

  static func run(_ invocation: Invocation) throws(Failure) -> ExitCode {
    let isSigned = invocation.arguments.has("signed")
    let answer = try invocation.fetch(
      .unfinished(account: invocation.operand(0), signed: isSigned ? true : nil))
    guard invocation.isForPeople else { return .done }
    guard !isSigned else {
      invocation.console.lines(answer.transactions.map(\.signedTransactionInfo))
      return .done
    }
    if answer.transactions.isEmpty {
      invocation.console.line("\(invocation.operand(0)) has nothing unfinished")
    }
    invocation.console.table(TransactionTable.of(answer.transactions.map(\.transaction)))
    return .done
  }
}
