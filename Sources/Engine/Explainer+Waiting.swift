import Subscriptions

/// Sentences for purchases that wait.
extension AccountStory {
  func switched(_ kind: TesterSwitch, isOn: Bool, at: String) -> String {
    switch kind {
    case .askToBuy:
      isOn
        ? "On \(at) a tester made the account's purchases wait for approval."
        : "On \(at) the account's purchases need no approval any more, by a tester's command."
    case .interrupted:
      "On \(at) a tester \(isOn ? "began" : "ceased") to interrupt the account's purchases."
    }
  }

  func pending(_ purchase: PendingPurchase, at: String) -> String {
    let product = state.products[Int(purchase.product)].entry.id
    switch purchase.reason {
    case .askToBuy:
      return "On \(at) the account asked to buy \(product): it waits for approval, and nothing is"
        + " charged or given until then (pending \(purchase.id))."
    case .interrupted:
      return "On \(at) the purchase of \(product) was interrupted: nothing is charged or given"
        + " until that is settled (pending \(purchase.id))."
    }
  }

  func ended(_ id: UInt64, _ end: PendingEnd, at: String) -> String {
    let product = waited[id].map { " of \(state.products[Int($0)].entry.id)" } ?? ""
    switch end {
    case .bought: return "On \(at) the purchase\(product) that waited (pending \(id)) was made."
    case .declined:
      return "On \(at) the purchase\(product) that waited (pending \(id)) was declined, and nothing"
        + " was charged or given."
    }
  }
}

extension AccountStanding {
  /// The account's purchases that wait.
  func waiting(of account: AccountNumber) -> [String] {
    state.switches.pending.filter { $0.account == account }.map { purchase in
      let product = state.products[Int(purchase.product)].entry.id
      let (cause, answer) =
        purchase.reason == .askToBuy
        ? ("waits for approval", "approved or declined")
        : ("was interrupted and waits", "resolved")
      return "A purchase of \(product) \(cause) since \(purchase.requestDate.rfc3339) (pending"
        + " \(purchase.id)); there is no next date for it: it waits until it is \(answer)."
    }
  }
}
