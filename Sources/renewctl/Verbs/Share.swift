import Client

/// `share`: Family Sharing with another account begins.
enum Share: Verb {
  static let description = VerbDescription(
    name: "share", summary: "Share an account's purchases with another by Family Sharing",
    operands: "ACCOUNT MEMBER", operandCount: 2...2,
    example: "renewctl share u1 u2   # u2 has what u1 has of shareable products",
    notes: [
      "The member gets transactions of its own that follow the purchaser's, for every active "
        + "subscription and lasting purchase of a product with familyShareable, and for those that "
        + "are bought from now on. A purchaser shares with five at most, all on its own clock; an "
        + "account is in one family at most."
    ])

  static func run(_ invocation: Invocation) throws(Failure) -> ExitCode {
    let (account, member) = (invocation.operand(0), invocation.operand(1))
    let answer = try invocation.fetch(
      .share(account: account, with: member, requestID: invocation.requestID))
    guard invocation.isForPeople else { return .done }
    invocation.console.line("\(account) shares with \(member) from now on, #\(answer.sequence)")
    return .done
  }
}

/// `unshare`: it ends.
enum Unshare: Verb {
  static let description = VerbDescription(
    name: "unshare", summary: "End Family Sharing with one member, or with all",
    operands: "ACCOUNT [MEMBER]", operandCount: 1...2,
    options: [
      Option("cause", "WORD", "turnedOff, memberLeft or purchaserLeft, for the story")
    ],
    example: "renewctl unshare u1 u2   # u2 loses what it had by u1",
    notes: ["ACCOUNT is the purchaser. What a member bought by itself stays."])

  private static let causes: [SharingEnd] = [.turnedOff, .memberLeft, .purchaserLeft]

  static func run(_ invocation: Invocation) throws(Failure) -> ExitCode {
    let account = invocation.operand(0)
    let member = invocation.arguments.operand(1)
    let cause = invocation.arguments.value("cause").map { SharingEnd(rawValue: $0) }
    guard cause.map(causes.contains) ?? true else {
      throw .usage("--cause takes \(causes.map(\.rawValue).joined(separator: ", "))")
    }
    let answer = try invocation.fetch(
      .unshare(
        account: account, with: member, cause: cause, requestID: invocation.requestID))
    guard invocation.isForPeople else { return .done }
    invocation.console.line(
      "\(account) does not share with \(member ?? "anyone") any more, #\(answer.sequence)")
    return .done
  }
}
