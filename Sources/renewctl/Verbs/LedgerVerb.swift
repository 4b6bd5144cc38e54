import Client

/// `ledger`: an account's money.
enum LedgerVerb: Verb {
  static let description = VerbDescription(
    name: "ledger", summary: "List what an account was charged and given back",
    operands: "ACCOUNT", operandCount: 1...1,
    options: [Option("until", "TIME", "with what will come by then if nothing else happens")],
    example: "renewctl ledger u1",
    notes: [
      "A charge of 0 is a free trial; a proration is the unused part of a period that an upgrade "
        + "replaced. The balance is what was paid and not given back.",
      "Of the App Store's own lines it lists what the signed transactions say was paid; where none "
        + "says it, the amount is not told, and no balance has it.",
      "--jsonl prints one entry a line; --json all pages as one reply.",
    ])

  static func run(_ invocation: Invocation) throws(Failure) -> ExitCode {
    let account = invocation.operand(0)
    let until = try invocation.arguments.time("until")
    var pages = Pages(member: "entries", invocation)
    var entries: [LedgerEntry] = []
    var untold: Int64 = 0
    var from: Int64?
    repeat {
      let (reply, page) = try invocation.session.ask(
        .ledger(account: account, from: from, until: until))
      try pages.add(reply)
      entries += invocation.isForPeople ? page.entries : []
      untold = page.untold ?? 0
      from = page.next
    } while from != nil
    pages.finish()
    guard invocation.isForPeople else { return .done }
    if entries.isEmpty { invocation.console.line("\(account) has paid nothing") }
    var table = Table(
      ["TIME", "WHAT", "AMOUNT", "BALANCE", "PRODUCT", "TRANSACTION", "EVENT"],
      right: ["AMOUNT", "BALANCE"])
    for entry in entries {
      table.add([
        entry.time.description, entry.isForecast ? "forecast" : entry.kind.rawValue,
        entry.amount?.description ?? "not told", entry.balance?.description, entry.productID,
        entry.isForecast ? nil : entry.transactionID, entry.sequence.map { "#\($0)" },
      ])
    }
    invocation.console.table(table)
    if untold > 0 {
      invocation.console.line(
        "what \(Words.count(untold, "entry", "entries")) came to cannot be known: no signed "
          + "transaction says it; the balances are without")
    }
    return .done
  }
}
