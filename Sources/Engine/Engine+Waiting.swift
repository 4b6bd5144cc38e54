import Contract
import Subscriptions

/// The part of `org.renewd.Testing` that makes purchases wait or fail.
extension Engine {
  // MARK: Switches

  func setAskToBuy(
    _ asked: TestingInterface.SetAskToBuy, _ call: CallContext
  ) throws(Refusal) -> Outcome {
    let key = try Checked.account(asked.account)
    return try changeSwitches(call, .setSwitch(.askToBuy, account: key, isOn: asked.enabled))
  }

  func setInterrupted(
    _ asked: TestingInterface.SetInterrupted, _ call: CallContext
  ) throws(Refusal) -> Outcome {
    let key = try Checked.account(asked.account)
    return try changeSwitches(call, .setSwitch(.interrupted, account: key, isOn: asked.enabled))
  }

  func setSimulatedError(
    _ asked: TestingInterface.SetSimulatedError, _ call: CallContext
  ) throws(Refusal) -> Outcome {
    guard let api = SimulatedAPI(name: asked.api.rawValue) else { throw .parameter("api") }
    var error: SimulatedError?
    if let name = asked.error {
      error = SimulatedError(name: name)
      guard error != nil else {
        let names = api.errors.map(\.name).joined(separator: ", ")
        throw .value("error", "\(api.name) fails with one of \(names)")
      }
    }
    return try changeSwitches(call, .setSimulatedError(api, error))
  }

  /// Carries out a change of switches; one that changes nothing is answered all the same.
  func changeSwitches(
    _ call: CallContext, _ command: Command
  ) throws(Refusal) -> Outcome {
    try change(call) { fingerprint throws(Refusal) in
      try claimSpace(from: .reserve)
      return try carryOut(command, call, fingerprint: fingerprint).change(orStanding: durable)
    }
  }

  /// Refuses a call whose part of StoreKit a tester made fail.
  func refuse(simulated apis: [Contract.SimulatedAPI]) throws(Refusal) {
    guard !state.switches.errors.isEmpty else { return }
    for api in apis.compactMap({ SimulatedAPI(name: $0.rawValue) }) {
      if let error = state.switches.errors[api] { throw .simulated(api, error) }
    }
  }

  func describeFaults(_ asked: TestingInterface.Faults, _ call: CallContext) -> Outcome {
    let switches = state.switches
    answer(
      call.session, after: state.sequence,
      FaultsAnswer {
        $0.asksToBuy = switches.askToBuy.isOnForAll
        $0.interruptsPurchases = switches.interrupted.isOnForAll
        $0.failsBilling = switches.paymentsFailForAll
        $0.errors = switches.described
      })
    return .answered
  }

  // MARK: Purchases that wait

  func listPending(
    _ asked: TestingInterface.Pending, _ call: CallContext
  ) throws(Refusal) -> Outcome {
    let key = try Checked.account(asked.account)
    let account = key.map { state.accounts.find($0) }
    let all = state.switches.pending.filter { account == nil || account == $0.account }
    let purchases = all.prefix(Limits.transactionsPerPage).map(described)
    answer(call.session, after: state.sequence, PendingAnswer { $0.purchases = purchases })
    return .answered
  }

  private func described(_ purchase: PendingPurchase) -> Contract.PendingPurchase {
    Contract.PendingPurchase {
      $0.id = String(purchase.id)
      $0.account = state.name(of: purchase.account)
      $0.productID = state.products[Int(purchase.product)].entry.id
      $0.quantity = Int64(purchase.quantity)
      $0.reason = Contract.PendingReason(rawValue: "\(purchase.reason)")
      $0.requestDate = purchase.requestDate
    }
  }

  func approveAskToBuy(
    _ asked: TestingInterface.ApproveAskToBuy, _ call: CallContext
  ) throws(Refusal) -> Outcome {
    try complete(asked.target, .askToBuy, call)
  }

  func resolveInterrupted(
    _ asked: TestingInterface.ResolveInterrupted, _ call: CallContext
  ) throws(Refusal) -> Outcome {
    try complete(asked.target, .interrupted, call)
  }

  /// Makes a purchase that waits: approved, or resolved.
  private func complete(
    _ target: PendingTarget, _ reason: PendingReason, _ call: CallContext
  ) throws(Refusal) -> Outcome {
    try change(
      call, answer: { change throws(Refusal) in try answerBought(call, change) }
    ) { fingerprint throws(Refusal) in
      let purchase = try pending(target, reason)
      try prepare(purchase.account, from: .ordinary)
      return try carryOut(
        .completePending(id: purchase.id, reason), call, fingerprint: fingerprint
      ).change(orStanding: sequence(of: purchase.account))
    }
  }

  func declineAskToBuy(
    _ asked: TestingInterface.DeclineAskToBuy, _ call: CallContext
  ) throws(Refusal) -> Outcome {
    try change(call) { fingerprint throws(Refusal) in
      let purchase = try pending(asked.target, .askToBuy)
      try claimSpace(from: .reserve)
      return try carryOut(
        .declinePending(id: purchase.id, .askToBuy), call, fingerprint: fingerprint
      ).change(orStanding: sequence(of: purchase.account))
    }
  }

  /// The purchase a call means: by its id, or an account's only one.
  private func pending(
    _ target: PendingTarget, _ reason: PendingReason
  ) throws(Refusal) -> PendingPurchase {
    let key = try Checked.account(target.account)
    let id = try Checked.transactionID(target.id, "pendingId")
    guard (key == nil) != (id == nil) else {
      throw .value("account", "name exactly one of account and pendingId")
    }
    if let id {
      guard let purchase = state.switches.pending(id: id), purchase.reason == reason else {
        throw .rule(.transactionNotFound)
      }
      return purchase
    }
    let account = key.flatMap { state.accounts.find($0) }
    let found = state.switches.pending.filter { $0.account == account && $0.reason == reason }
    guard let only = found.first else { throw .rule(.transactionNotFound) }
    guard found.count == 1 else { throw .rule(.ambiguous(candidates: found.map(\.id))) }
    return only
  }
}

extension StoreSwitches {
  /// What a tester makes fail, in the order of the parts of StoreKit.
  var described: [SimulatedFault] {
    SimulatedAPI.allCases.compactMap { api in
      errors[api].map { error in
        SimulatedFault {
          $0.api = Contract.SimulatedAPI(rawValue: api.name)
          $0.error = error.name
        }
      }
    }
  }
}
