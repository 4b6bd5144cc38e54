import Client

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
}
