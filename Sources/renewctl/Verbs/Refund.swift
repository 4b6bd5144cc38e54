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
    example: "renewctl refund u1",
    notes: [
      "It is given whether a customer asked for it (request-refund) or not, and also after it "
        + "was declined."
    ])

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

/// `request-refund`: a customer wants money back.
enum RequestRefund: Verb {
  static let description = VerbDescription(
    name: "request-refund", summary: "Ask for a refund as a customer does; renewal goes off",
    operands: TestTargets.operands, operandCount: 0...1, options: TestTargets.options,
    example: "renewctl request-refund u1   # then refund u1, or decline-refund u1",
    notes: [
      "Your server would get CONSUMPTION_REQUEST for a consumable or a subscription, and "
        + "DID_CHANGE_RENEWAL_STATUS where renewal was on. Access goes on until the refund is "
        + "given."
    ])

  static func run(_ invocation: Invocation) throws(Failure) -> ExitCode {
    let answer = try TestTargets.change(invocation) {
      .requestRefund($0, requestID: invocation.requestID)
    }
    guard invocation.isForPeople else { return .done }
    let price = answer.transaction.money.map { " (\($0))" } ?? ""
    invocation.console.line(
      "a refund of \(answer.transaction.id), \(answer.transaction.productID)\(price), is asked "
        + "for, #\(answer.sequence)")
    return .done
  }
}

/// `decline-refund`: no money back.
enum DeclineRefund: Verb {
  static let description = VerbDescription(
    name: "decline-refund", summary: "Decline a refund that was asked for",
    operands: TestTargets.operands, operandCount: 0...1, options: TestTargets.options,
    example: "renewctl decline-refund u1",
    notes: ["Access goes on; renewal stays off until it is turned on (renewctl resume)."])

  static func run(_ invocation: Invocation) throws(Failure) -> ExitCode {
    let answer = try TestTargets.change(invocation) {
      .declineRefund($0, requestID: invocation.requestID)
    }
    guard invocation.isForPeople else { return .done }
    invocation.console.line(
      "the refund of \(answer.transaction.id), \(answer.transaction.productID), is declined, "
        + "#\(answer.sequence)")
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
