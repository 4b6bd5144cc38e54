import Client

/// `history`: the transactions of an account.
enum History: Verb {
  static let description = VerbDescription(
    name: "history", summary: "List an account's transactions, oldest first",
    operands: "ACCOUNT", operandCount: 1...1,
    options: [
      Option("until", "TIME", "with those that will come by then if nothing else happens"),
      Option("signed", nil, "print the signed forms alone, a JWS a line, Apple's as they came"),
      Option("environment", "NAME", "those of this environment of Apple's"),
    ],
    example: "renewctl history u1 --until 2027-01-01",
    notes: ["--jsonl prints one transaction a line; --json all pages as one reply."])

  static func run(_ invocation: Invocation) throws(Failure) -> ExitCode {
    let account = invocation.operand(0)
    let until = try invocation.arguments.time("until")
    let isSigned = invocation.arguments.has("signed")
    var pages = Pages(member: "transactions", invocation)
    var transactions: [Transaction] = []
    var from: String?
    repeat {
      let (reply, page) = try invocation.session.ask(
        .history(
          account: account, from: from, until: until, signed: isSigned ? true : nil,
          environment: invocation.arguments.value("environment")))
      try pages.add(reply)
      transactions += invocation.isForPeople ? page.transactions : []
      from = page.next
    } while from != nil
    pages.finish()
    guard invocation.isForPeople else { return .done }
    guard !isSigned else {
      invocation.console.lines(transactions.compactMap(\.signedTransactionInfo))
      return .done
    }
    if transactions.isEmpty {
      invocation.console.line("\(account) has no transactions")
    }
    invocation.console.table(TransactionTable.of(transactions))
    return .done
  }
}

/// The table of transactions that several verbs print.
enum TransactionTable {
  static func of(_ transactions: [Transaction]) -> Table {
    var table = Table(
      [
        "PURCHASED", "EXPIRES", "PRODUCT", "CATALOGUE", "PRICE", "REASON", "OFFER", "REVOKED",
        "REPLACED", "TRANSACTION",
      ], right: ["PRICE"])
    for transaction in transactions {
      let product = transaction.productID
      table.add([
        transaction.purchaseDate.description, transaction.expirationDate?.description,
        transaction.purchasedQuantity.map { $0 > 1 ? "\($0) × \(product)" : product } ?? product,
        transaction.isUncatalogued ? "none" : nil,
        transaction.paid?.description,
        transaction.isForecast
          ? "forecast"
          : transaction.ownershipType == .familyShared ? "shared" : transaction.reason?.rawValue,
        Words.offer(transaction), Words.revocation(transaction),
        transaction.isUpgraded ? "by an upgrade" : nil,
        transaction.isForecast ? nil : transaction.id,
      ])
    }
    return table
  }
}
