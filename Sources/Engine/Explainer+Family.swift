import Subscriptions

/// Sentences for Family Sharing.
extension AccountStory {
  func sharing(_ kind: LineKind, _ fact: LineFact, at: String) -> String {
    guard let transaction = fact.transaction else { return "On \(at) Family Sharing changed." }
    guard kind == .shared else {
      return "On \(at) access to \(name(of: transaction)) by Family Sharing was taken away"
        + " (transaction \(transaction.id))."
    }
    return "On \(at) the account got \(name(of: transaction)) by Family Sharing, until"
      + " \(transaction.expiresDate.rfc3339) (transaction \(transaction.id))."
  }

  /// The same for a purchase outside a subscription.
  func sharing(_ kind: PurchaseKind, _ transaction: Transaction, at: String) -> String {
    let product = state.products[Int(transaction.product)].entry
    guard kind == .shared else {
      return "On \(at) \(product.id), had by Family Sharing, was taken away (transaction"
        + " \(transaction.id))."
    }
    return "On \(at) the account got \(product.id), \(product.type.phrase), by Family Sharing"
      + " (transaction \(transaction.id))."
  }

  func name(of account: AccountNumber) -> String {
    state.name(of: account)
  }
}

extension AccountStanding {
  /// Who is in the account's family.
  func family(of account: AccountNumber) -> String? {
    if let purchaser = state.families.purchaser(of: account) {
      return "The account is a member of the family of \(state.name(of: purchaser)), whose"
        + " subscriptions its shared ones follow."
    }
    let members = state.families.members(of: account)
    guard !members.isEmpty else { return nil }
    let names = members.map { state.name(of: $0) }.joined(separator: ", ")
    return "The account shares what it has of shareable products with \(names)."
  }
}

extension State {
  func name(of account: AccountNumber) -> String {
    facts.accounts.withKey(account) { String(decoding: $0, as: UTF8.self) }
  }
}
