import Client

/// `asktobuy`: purchases that somebody must approve.
enum AskToBuy: Verb {
  static let description = VerbDescription(
    name: "asktobuy", summary: "Make purchases wait for approval, or not any more",
    operands: "on|off [ACCOUNT]", operandCount: 1...2,
    example: "renewctl asktobuy on u1   # then: buy u1 pro.monthly; approve u1",
    notes: ["Without ACCOUNT it is for all; an account's own switch beats that."])

  static func run(_ invocation: Invocation) throws(Failure) -> ExitCode {
    try Switches.turn(
      invocation, description, on: "must be approved", off: "need no approval"
    ) { .setAskToBuy(account: $0, enabled: $1, requestID: invocation.requestID) }
  }
}

/// `interrupt`: purchases that stop half way.
enum InterruptPurchases: Verb {
  static let description = VerbDescription(
    name: "interrupt", summary: "Interrupt purchases, or not any more",
    operands: "on|off [ACCOUNT]", operandCount: 1...2,
    example: "renewctl interrupt on u1   # then: buy u1 pro.monthly; interrupt off u1; resolve u1",
    notes: [
      "A purchase that is interrupted fails for the app, as with new terms to agree to; resolve "
        + "completes it. Without ACCOUNT it is for all; an account's own switch beats that."
    ])

  static func run(_ invocation: Invocation) throws(Failure) -> ExitCode {
    try Switches.turn(
      invocation, description, on: "are interrupted", off: "are not interrupted"
    ) { .setInterrupted(account: $0, enabled: $1, requestID: invocation.requestID) }
  }
}

/// `approve`: a purchase that waited is made.
enum Approve: Verb {
  static let description = VerbDescription(
    name: "approve", summary: "Approve a purchase that waits for it", operands: "ACCOUNT|PENDING",
    operandCount: 1...1, example: "renewctl approve u1",
    notes: [
      "ACCOUNT may have one such purchase only; pending lists them with their ids. It is bought "
        + "now, and by the rules of now."
    ])

  static func run(_ invocation: Invocation) throws(Failure) -> ExitCode {
    try Waiting.make(invocation) { .approveAskToBuy($0, requestID: invocation.requestID) }
  }
}

/// `decline`: it is not.
enum Decline: Verb {
  static let description = VerbDescription(
    name: "decline", summary: "Decline a purchase that waits for approval",
    operands: "ACCOUNT|PENDING", operandCount: 1...1, example: "renewctl decline u1")

  static func run(_ invocation: Invocation) throws(Failure) -> ExitCode {
    let answer = try Waiting.end(invocation) {
      .declineAskToBuy($0, requestID: invocation.requestID)
    }
    guard invocation.isForPeople else { return .done }
    invocation.console.line("declined, #\(answer.sequence)")
    return .done
  }
}

/// `resolve`: an interrupted purchase is completed.
enum ResolvePurchase: Verb {
  static let description = VerbDescription(
    name: "resolve", summary: "Complete a purchase that was interrupted",
    operands: "ACCOUNT|PENDING", operandCount: 1...1, example: "renewctl resolve u1",
    notes: ["For a payment that is owed, see billing resolve."])

  static func run(_ invocation: Invocation) throws(Failure) -> ExitCode {
    try Waiting.make(invocation) { .resolveInterrupted($0, requestID: invocation.requestID) }
  }
}

/// `pending`: purchases that wait.
enum Pending: Verb {
  static let description = VerbDescription(
    name: "pending", summary: "List purchases that wait for approval, or were interrupted",
    operands: "[ACCOUNT]", operandCount: 0...1, example: "renewctl pending u1")

  static func run(_ invocation: Invocation) throws(Failure) -> ExitCode {
    let answer = try invocation.fetch(.pending(account: invocation.arguments.operand(0)))
    guard invocation.isForPeople else { return .done }
    guard !answer.purchases.isEmpty else {
      invocation.console.line("no purchase waits")
      return .done
    }
    var table = Table(["PENDING", "ACCOUNT", "PRODUCT", "SINCE", "WHY"])
    for purchase in answer.purchases {
      let quantity = purchase.quantity > 1 ? "\(purchase.quantity) × " : ""
      table.add([
        purchase.id, purchase.account, quantity + purchase.productID,
        purchase.requestDate.description,
        purchase.reason == .askToBuy ? "ask to buy" : purchase.reason.rawValue,
      ])
    }
    invocation.console.table(table)
    return .done
  }
}

/// `fault`: StoreKit's errors at will.
enum Fault: Verb {
  static let description = VerbDescription(
    name: "fault", summary: "Make a part of StoreKit fail with an error of its own",
    operands: "[API [ERROR|off]]", operandCount: 0...2,
    example: "renewctl fault purchase networkError   # off ends it; alone, fault lists them",
    notes: [
      "API: loadProducts, purchase, verification, appStoreSync, subscriptionStatus, "
        + "appTransaction, manageSubscriptions, refundRequest, offerCodeRedeem. The calls that "
        + "stand for it are refused until then."
    ])

  static func run(_ invocation: Invocation) throws(Failure) -> ExitCode {
    guard let api = invocation.arguments.operand(0) else { return try list(invocation) }
    guard let error = invocation.arguments.operand(1) else {
      throw .usage("fault takes an API and an error, or off", "example: \(description.example)")
    }
    let answer = try invocation.fetch(
      .setSimulatedError(
        error == "off" ? nil : error, api: SimulatedAPI(rawValue: api),
        requestID: invocation.requestID))
    guard invocation.isForPeople else { return .done }
    invocation.console.line(
      error == "off"
        ? "\(api) fails no more, #\(answer.sequence)"
        : "\(api) fails with \(error) from now on, #\(answer.sequence)")
    return .done
  }

  private static func list(_ invocation: Invocation) throws(Failure) -> ExitCode {
    let answer = try invocation.fetch(.faults())
    guard invocation.isForPeople else { return .done }
    var lines: [String] = []
    if answer.asksToBuy { lines.append("purchases of all accounts must be approved") }
    if answer.interruptsPurchases { lines.append("purchases of all accounts are interrupted") }
    if answer.failsBilling { lines.append("the payments of all renewals fail") }
    lines += answer.errors.map { "\($0.api.rawValue) fails with \($0.error)" }
    for line in lines.isEmpty ? ["nothing fails by itself"] : lines {
      invocation.console.line(line)
    }
    return .done
  }
}

/// What the verbs that switch something share.
enum Switches {
  /// Turns a switch on or off, of one account or of all, and says what purchases are then.
  static func turn(
    _ invocation: Invocation, _ description: VerbDescription, on: String, off: String,
    _ call: (String?, Bool) -> Call<SequenceAnswer>
  ) throws(Failure) -> ExitCode {
    let isOn = try isOn(invocation, description)
    let account = invocation.arguments.operand(1)
    let answer = try invocation.fetch(call(account, isOn))
    guard invocation.isForPeople else { return .done }
    invocation.console.line(
      "purchases of \(account ?? "all accounts") \(isOn ? on : off) from now on, "
        + "#\(answer.sequence)")
    return .done
  }

  private static func isOn(
    _ invocation: Invocation, _ description: VerbDescription
  ) throws(Failure) -> Bool {
    switch invocation.operand(0) {
    case "on": return true
    case "off": return false
    case let word:
      throw .usage(
        "\(description.name) takes on or off, not \(word)", "example: \(description.example)")
    }
  }
}

/// What the verbs that end a wait share.
enum Waiting {
  /// The operand is an account, or else a pending purchase's id.
  static func end<Result>(
    _ invocation: Invocation, _ make: (PendingTarget) -> Call<Result>
  ) throws(Failure) -> Result {
    let name = invocation.operand(0)
    do throws(Failure) {
      return try invocation.fetch(make(.account(name)))
    } catch {
      switch error.reason {
      case .transactionNotFound where TransactionIDs.isOne(name):
        return try invocation.fetch(make(.purchase(id: name)))
      case .transactionNotFound:
        var failure = error
        failure.sentence = "nothing that \(name) wants to buy waits for this"
        failure.details = ["renewctl pending lists what waits, and for what."]
        throw failure
      case .ambiguous(let candidates):
        var failure = error
        failure.sentence =
          "\(name) has \(candidates.count) purchases that wait; name one by its id"
        failure.details = candidates
        throw failure
      default: throw error
      }
    }
  }

  static func make(
    _ invocation: Invocation, _ call: (PendingTarget) -> Call<CompletionAnswer>
  ) throws(Failure) -> ExitCode {
    let answer = try end(invocation, call)
    guard invocation.isForPeople, let transaction = answer.transaction else { return .done }
    let price = transaction.money.map { " for \($0)" } ?? ""
    let end = transaction.expirationDate.map { ", until \($0)" } ?? ""
    invocation.console.line(
      "\(transaction.account ?? "the account") bought \(transaction.productID)\(price)\(end); "
        + "transaction \(transaction.id), #\(answer.sequence)")
    return .done
  }
}
