import Client

/// `verify`: is this transaction worth what a client says it is?
enum Verify: Verb {
  static let description = VerbDescription(
    name: "verify", summary: "Say whether a transaction is valid now for an account and a product",
    operands: "ACCOUNT TRANSACTION|JWS|FILE [PRODUCT]", operandCount: 2...3,
    example: "renewctl verify u1 2000000000000001 pro.monthly",
    notes: [
      "A transaction's id needs its product. A signed transaction, given as its text, in a file "
        + "or on standard input (-), must also be signed under a root that the daemon trusts, "
        + "for its app and environment.",
      "Exit status 0: valid, 1: not valid.",
    ])

  static func run(_ invocation: Invocation) throws(Failure) -> ExitCode {
    let arguments = invocation.arguments
    let account = invocation.operand(0)
    let name = invocation.operand(1)
    if TransactionIDs.isOne(name) {
      guard let product = arguments.operand(2) else {
        throw .usage("name the product as well", "example: \(description.example)")
      }
      return tell(
        try invocation.fetch(
          .verify(account: account, transactionID: name, productID: product)), invocation)
    }
    let text = try signedText(name)
    let most = ControlLimits.signedBytesMax
    guard text.utf8.count <= most else {
      return tellTooLong(text.utf8.count, most, invocation)
    }
    return tell(
      try invocation.fetch(
        .verify(
          account: account, signedTransactionInfo: text, productID: arguments.operand(2))),
      invocation)
  }

  /// The text itself where it has three parts, else what is in the file of that name.
  private static func signedText(_ name: String) throws(Failure) -> String {
    if name != "-", name.split(separator: ".", omittingEmptySubsequences: false).count == 3,
      !name.contains("/")
    {
      return name
    }
    let text = try TextFile.read(name, bytesMax: ControlLimits.signedFileBytesMax)
    return text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }

  private static func tell(
    _ answer: TransactionVerification, _ invocation: Invocation
  ) -> ExitCode {
    if invocation.isForPeople {
      let reason = answer.reason.map { ": \($0)" } ?? ""
      invocation.console.line(answer.isValid ? "valid" : "not valid\(reason)")
    }
    return answer.isValid ? .done : .negative
  }

  /// What no call can carry is not valid either.
  private static func tellTooLong(
    _ bytes: Int, _ most: Int, _ invocation: Invocation
  ) -> ExitCode {
    let reason = "the text is \(bytes) bytes long; at most \(most) are read"
    if invocation.isForPeople {
      invocation.console.line("not valid: \(reason)")
    } else {
      let answer = JSONValue.members([
        ("valid", .bool(false)), ("reason", .string(reason)), ("code", .string("tooLong")),
      ])
      invocation.console.line(answer.compactText)
    }
    return .negative
  }
}
