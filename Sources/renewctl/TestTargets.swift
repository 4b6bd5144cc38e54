import Client

/// Whom a verb of testing means: an account's only candidate, or what an id names.
enum TestTargets {
  static let operands = "[ACCOUNT|TRANSACTION]"
  static let options = [
    Option("transaction", "ID", "this transaction"),
    Option("subscription", "ID", "the subscription with this original transaction id"),
  ]

  /// Sends the call that `make` makes of the target; prints the reply for programs. The account
  /// is the operand at `place`.
  static func change(
    _ invocation: Invocation, account place: Int = 0,
    _ make: (TestTarget) -> Call<TestAnswer>
  ) throws(Failure) -> TestAnswer {
    let target = try named(invocation.arguments, account: place)
    do throws(Failure) {
      return try invocation.fetch(make(target))
    } catch {
      guard let name = target.account else { throw error }
      switch error.reason {
      case .transactionNotFound where TransactionIDs.isOne(name),
        .subscriptionNotFound where TransactionIDs.isOne(name):
        return try invocation.fetch(make(.transaction(id: name)))
      case .ambiguous(let candidates):
        throw try described(error, candidates, name, invocation)
      default: throw error
      }
    }
  }

  private static func named(
    _ arguments: Arguments, account place: Int
  ) throws(Failure) -> TestTarget {
    let targets: [TestTarget?] = [
      arguments.operand(place).map { .account($0) },
      arguments.value("transaction").map { .transaction(id: $0) },
      arguments.value("subscription").map { .subscription(originalID: $0) },
    ]
    let given = targets.compactMap { $0 }
    guard given.count == 1 else {
      throw .usage("name one of an account, --transaction ID and --subscription ID")
    }
    return given[0]
  }

  /// The refusal with a line for each candidate.
  private static func described(
    _ failure: Failure, _ candidates: [String], _ account: String, _ invocation: Invocation
  ) throws(Failure) -> Failure {
    var failure = failure
    failure.sentence = "\(account) has \(candidates.count) candidates; name one with --transaction"
    var found: [Transaction] = []
    var from: String?
    repeat {
      let page = try invocation.session.answer(.history(account: account, from: from))
      found += page.transactions.filter { candidates.contains($0.id) }
      from = page.next
    } while from != nil
    let unknown = candidates.filter { id in !found.contains { $0.id == id } }
    failure.details = (found.isEmpty ? [] : TransactionTable.of(found).lines) + unknown
    return failure
  }
}
