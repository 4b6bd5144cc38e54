import Subscriptions
import Testing

extension ReferencePlace {
  private static let statuses: [ReferenceTable.Phase: Status] = [
    .active: .active, .grace: .gracePeriod, .retry: .billingRetry, .expired: .expired,
    .revoked: .revoked,
  ]

  /// Compares all that the table knows. `start` is how long the log was before the step.
  func agrees(since start: Int) -> Bool {
    guard let difference = difference(since: start) else { return true }
    Issue.record("\(difference) after \(path): \(table) is not \(world.state.lines) of\n\(story)")
    return false
  }

  /// What happened, for whoever has to look into a difference.
  private var story: String {
    world.log.compactMap { world.text($0) }.joined(separator: "\n")
  }

  private func difference(since start: Int) -> String? {
    let state = world.state
    if table.waiting.count != state.switches.pending.count { return "waiting" }
    if said(of: Self.key, since: start) != table.said {
      return "said \(said(of: Self.key, since: start)), not \(table.said)"
    }
    guard table.phase != .none else { return state.lines.isEmpty ? nil : "a line" }
    let account = state.accounts.find(Self.key)!
    let number = state.accounts[account].newestLine
    let line = state.lines[Int(number)]
    guard line.nextOfAccount == noNumber else { return "a second line" }
    let status = Self.statuses[table.phase]!
    if line.status(at: now) != status { return "status" }
    if line.isGranting != status.entitles { return "entitlement" }
    if state.accounts[account].billingFails != table.fails { return "billing" }
    return periodDifference(line) ?? renewalDifference(line) ?? memberDifference(since: start)
  }

  private func periodDifference(_ line: Line) -> String? {
    let sold = line.transaction
    if sold.purchaseDate != now.advanced(byDays: Int64(table.start - table.day)) { return "start" }
    if sold.expiresDate != now.advanced(byDays: Int64(table.end - table.day)) { return "end" }
    if name(sold.product) != table.plan.name { return "plan" }
    if sold.price != Int64(table.price) { return "price" }
    if sold.offer.map({ Int($0.kind.rawValue) }) != table.offer?.kind { return "offer" }
    return nil
  }

  private func renewalDifference(_ line: Line) -> String? {
    let renewal = line.renewal
    if renewal.autoRenews != table.renews { return "renewal" }
    if name(renewal.autoRenewProduct) != table.next.name { return "next plan" }
    if renewal.renewalDate != line.transaction.expiresDate { return "renewal date" }
    let isOver = table.phase == .expired || table.phase == .revoked
    if !isOver, renewal.isInBillingRetry == (table.phase == .active) { return "retry" }
    if table.phase == .expired, Int(renewal.expirationIntent?.rawValue ?? 0) != table.intent {
      return "intent"
    }
    guard !isOver else { return nil }
    if renewal.priceIncreaseStatus.map({ Int($0) }) != table.consent { return "consent" }
    // Without a renewal to come nothing is promised about it.
    guard table.renews else { return nil }
    if renewal.renewalPrice != Int64(table.nextPrice) { return "next price" }
    if renewal.offer.map({ Int($0.kind.rawValue) }) != table.nextOffer?.kind { return "next offer" }
    return nil
  }

  private func memberDifference(since start: Int) -> String? {
    let said = said(of: Self.member, since: start)
    if said != table.memberSaid { return "the member's \(said), not \(table.memberSaid)" }
    guard table.member.phase != .none else { return nil }
    let line = world.newest(of: "m1")
    if line.status(at: now) != Self.statuses[table.member.phase]! { return "the member's status" }
    let day = Int64(table.day)
    let dates = [line.transaction.purchaseDate, line.transaction.expiresDate]
    let wanted = [table.member.start, table.member.end].map {
      now.advanced(byDays: Int64($0) - day)
    }
    return dates == wanted ? nil : "the member's dates"
  }

  private func name(_ product: ProductNumber) -> String {
    world.state.products[Int(product)].entry.id
  }

  /// The events of an account's line: their kinds and what Apple would have told.
  private func said(of key: [UInt8], since start: Int) -> [String] {
    guard start < world.log.count, let account = world.state.accounts.find(key) else { return [] }
    var said: [String] = []
    for event in world.log[start...] {
      guard case .line(let kind, let fact) = event.fact,
        world.state.lines[Int(fact.line)].account == account
      else { continue }
      said.append("\(kind) \(fact.notification.type ?? "")")
      if let subtype = fact.notification.subtype { said[said.count - 1] += "/\(subtype)" }
    }
    return said
  }
}
