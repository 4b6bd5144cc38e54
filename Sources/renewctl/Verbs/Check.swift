import Client

/// `check`: the poller's question, with the smallest answer.
enum Check: Verb {
  static let description = VerbDescription(
    name: "check", summary: "Say yes or no to an account, as fast as can be",
    operands: "ACCOUNT [PRODUCT|ENTITLEMENT]", operandCount: 1...2,
    example: "renewctl check u1 pro && echo welcome",
    notes: ["Exit status 0: entitled, 1: not entitled."])

  static func run(_ invocation: Invocation) throws(Failure) -> ExitCode {
    let account = invocation.operand(0)
    let (reply, check): (Reply, MembershipCheck)
    if let name = invocation.arguments.operand(1) {
      (reply, check) = try ProductOrEntitlement.resolve(name) {
        (product, entitlement) throws(Failure) in
        try invocation.session.ask(
          .check(account: account, productID: product, entitlement: entitlement))
      }
    } else {
      (reply, check) = try invocation.session.ask(.check(account: account))
    }
    invocation.show(reply)
    if invocation.isForPeople {
      let word = check.isEntitled ? "entitled" : "not entitled"
      let until = check.until.map { " until \($0)" } ?? ""
      let status = check.status.map { " (\($0.words))" } ?? ""
      invocation.console.line(word + (check.isEntitled ? until : "") + status)
    }
    return check.isEntitled ? .done : .negative
  }
}
