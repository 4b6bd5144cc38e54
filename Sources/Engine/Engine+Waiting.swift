import JSON
import Subscriptions
import Varlink

/// The part of `org.renewd.Testing` that makes purchases wait or fail.
extension Engine {
  // MARK: Switches

  func setSwitch(_ kind: TesterSwitch, _ call: CallContext) throws(Refusal) -> Outcome {
    let key = try call.parameters.account()
    guard let isOn = call.parameters.flag("enabled") else { throw .parameter("enabled") }
    return try changeSwitches(call, .setSwitch(kind, account: key, isOn: isOn))
  }

  func setSimulatedError(_ call: CallContext) throws(Refusal) -> Outcome {
    guard let api = call.parameters.text("api").flatMap({ SimulatedAPI(name: $0) }) else {
      throw .parameter("api")
    }
    var error: SimulatedError?
    if let name = call.parameters.text("error") {
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
    switch try repeated(call) {
    case .waiting:
      return .waiting
    case .replay(let events):
      answerSequence(call.session, events[0].sequence)
      return .answered
    case .new(let fingerprint):
      try claimSpace(from: .reserve)
      let done = try carryOut(command, call, fingerprint: fingerprint)
      answerSequence(call.session, done.events.isEmpty ? durable : done.last)
      return .answered
    }
  }

  /// Refuses a call whose part of StoreKit a tester made fail.
  func refuseSimulated(_ call: CallContext) throws(Refusal) {
    guard !state.switches.errors.isEmpty else { return }
    for api in Self.simulated(by: call) {
      if let error = state.switches.errors[api] { throw .simulated(api, error) }
    }
  }

  /// What of StoreKit a call stands for.
  private static func simulated(by call: CallContext) -> [SimulatedAPI] {
    switch call.method {
    case "org.renewd.Store.Products": [.loadProducts]
    case "org.renewd.Store.Purchase":
      call.parameters.members("offer")?.text("type") == "code"
        ? [.offerCodeRedeem, .purchase] : [.purchase]
    case "org.renewd.Store.Restore": [.appStoreSync]
    case "org.renewd.Store.AppTransaction": [.appTransaction]
    case "org.renewd.Store.SetAutoRenew": [.manageSubscriptions]
    case "org.renewd.Membership.Verify": [.verification]
    case "org.renewd.Membership.Status": [.subscriptionStatus]
    case "org.renewd.Testing.RequestRefund": [.refundRequest]
    default: []
    }
  }

  func describeFaults(_ call: CallContext) -> Outcome {
    let switches = state.switches
    reply(to: call.session, after: state.sequence) { writer in
      VarlinkReply.begin(&writer)
      writer.member("askToBuy", flag: switches.askToBuy.isOnForAll)
      writer.member("interrupted", flag: switches.interrupted.isOnForAll)
      writer.member("billingFails", flag: switches.paymentsFailForAll)
      writer.key("errors")
      writer.beginArray()
      for api in SimulatedAPI.allCases {
        guard let error = switches.errors[api] else { continue }
        writer.beginObject()
        writer.member("api", api.name)
        writer.member("error", error.name)
        writer.endObject()
      }
      writer.endArray()
      VarlinkReply.end(&writer)
    }
    return .answered
  }

  // MARK: Purchases that wait

  func listPending(_ call: CallContext) throws(Refusal) -> Outcome {
    let key = try call.parameters.account()
    let account = key.map { state.accounts.find($0) }
    let all = state.switches.pending.filter { account == nil || account == $0.account }
    reply(to: call.session, after: state.sequence) { writer in
      VarlinkReply.begin(&writer)
      writer.key("purchases")
      writer.beginArray()
      for purchase in all.prefix(Limits.transactionsPerPage) { write(purchase, into: &writer) }
      writer.endArray()
      VarlinkReply.end(&writer)
    }
    return .answered
  }

  private func write(_ purchase: PendingPurchase, into writer: inout JSONWriter) {
    writer.beginObject()
    writer.member("pendingId", id: purchase.id)
    writer.member("account", state.name(of: purchase.account))
    writer.member("productId", state.products[Int(purchase.product)].entry.id)
    writer.member("quantity", int: Int64(purchase.quantity))
    writer.member("reason", "\(purchase.reason)")
    writer.member("requestDate", purchase.requestDate)
    writer.endObject()
  }

  /// Makes a purchase that waits: approved, or resolved.
  func endWaiting(_ reason: PendingReason, _ call: CallContext) throws(Refusal) -> Outcome {
    let answer = { (stored: Event, sequence: UInt64) throws(Refusal) in
      try self.answerBought(call, stored, sequence: sequence)
    }
    switch try repeated(call) {
    case .waiting:
      return .waiting
    case .replay(let events):
      try answer(events[0].event, events[0].sequence)
      return .answered
    case .new(let fingerprint):
      let purchase = try pending(reason, call)
      try prepare(purchase.account, from: .ordinary)
      let done = try carryOut(
        .completePending(id: purchase.id, reason), call, fingerprint: fingerprint)
      try answer(done.events[done.main], done.sequence)
      return .answered
    }
  }

  func declineWaiting(_ call: CallContext) throws(Refusal) -> Outcome {
    switch try repeated(call) {
    case .waiting:
      return .waiting
    case .replay(let events):
      answerSequence(call.session, events[0].sequence)
      return .answered
    case .new(let fingerprint):
      let purchase = try pending(.askToBuy, call)
      try claimSpace(from: .reserve)
      let done = try carryOut(
        .declinePending(id: purchase.id, .askToBuy), call, fingerprint: fingerprint)
      answerSequence(call.session, done.last)
      return .answered
    }
  }

  /// The purchase a call means: by its id, or an account's only one.
  private func pending(
    _ reason: PendingReason, _ call: CallContext
  ) throws(Refusal) -> PendingPurchase {
    let key = try call.parameters.account()
    let id = try call.parameters.transactionID("pendingId")
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
