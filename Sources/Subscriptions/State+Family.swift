/// Family Sharing between accounts (Domain.md 1.10): from one purchaser to at most five members,
/// for everything shareable that the purchaser has or will buy, until it ends.
extension State {
  /// Decides that an account shares with another from now on, which gets all that is shared now.
  /// The member's account is opened where nobody knows it.
  func decideSharing(
    from purchaserKey: [UInt8], to memberKey: [UInt8], into events: inout [Event]
  ) throws(Rejection) {
    guard facts.role == .store else { throw .notInThisRole }
    guard purchaserKey != memberKey else {
      throw .invalidParameter(name: "to", reason: "an account does not share with itself")
    }
    guard let purchaser = facts.accounts.find(purchaserKey) else { throw .subscriptionNotFound }
    let known = facts.accounts.find(memberKey)
    try check(purchaser, mayShareWith: known)
    let clock = facts.accounts[purchaser].clock
    let now = facts.clocks[Int(clock)].now
    let member = known ?? AccountNumber(facts.accounts.count)
    var gains = FamilyEvents(self)
    if known == nil {
      gains.append(
        Event(
          at: now, clock: clock,
          fact: .account(.accountOpened(account: member, key: memberKey, token: nil, clock: clock)))
      )
    }
    gains.append(
      Event(
        at: now, clock: clock, fact: .account(.sharingStarted(purchaser: purchaser, member: member))
      ))
    let opening = gains.events.count
    appendGains(from: purchaser, to: member, isKnown: known != nil, at: now, &gains)
    guard gains.events.count > opening else {
      throw .notPossible(
        status: nil,
        reason: "the account owns nothing that Family Sharing shares: an active subscription or"
          + " a lasting purchase of a product with familyShareable")
    }
    events += gains.events
  }

  private func check(
    _ purchaser: AccountNumber, mayShareWith member: AccountNumber?
  ) throws(Rejection) {
    let members = facts.families.members(of: purchaser)
    guard facts.families.purchaser(of: purchaser) == nil else {
      throw .notPossible(
        status: nil, reason: "the account is a member of a family, and only a purchaser shares")
    }
    if let member {
      guard !members.contains(member) else {
        throw .notPossible(status: nil, reason: "the account shares with that one already")
      }
      guard facts.families.purchaser(of: member) == nil else {
        throw .notPossible(
          status: nil, reason: "that account is a member of another family; unshare it there")
      }
      guard facts.families.members(of: member).isEmpty else {
        throw .notPossible(status: nil, reason: "that account shares with a family of its own")
      }
      guard facts.accounts[member].clock == facts.accounts[purchaser].clock else {
        throw .clockMismatch
      }
    }
    guard members.count < Limits.familyMembersMax else {
      throw .notPossible(
        status: nil,
        reason: "a purchaser shares with \(Limits.familyMembersMax) members at most")
    }
  }

  private func appendGains(
    from purchaser: AccountNumber, to member: AccountNumber, isKnown: Bool, at now: Instant,
    _ gains: inout FamilyEvents
  ) {
    for number in lineNumbers(of: purchaser) {
      let source = facts.lines[Int(number)]
      guard source.status(at: now) == .active,
        facts.products[Int(source.transaction.product)].entry.isFamilyShareable
      else { continue }
      let held = isKnown ? follower(of: number, for: member) : nil
      let fact = gain(
        source, number, member: isKnown ? member : nil, as: member, held: held, at: now,
        id: gains.nextID, newLine: gains.nextLine)
      gains.append(.shared, fact, at: now, clock: facts.accounts[purchaser].clock)
    }
    var owned: [Transaction] = []
    forEachPurchase(of: purchaser) { purchase in
      if purchase.environment == nil { owned.append(purchase.transaction) }
    }
    // A purchaser may own a thing twice, where a refund was taken back; a member gets it once.
    var gained: [ProductNumber] = []
    for transaction in owned.reversed() where !gained.contains(transaction.product) {
      if transaction.revocation == nil { gained.append(transaction.product) }
      gainPurchase(
        transaction, of: isKnown ? member : nil, as: member, at: now,
        clock: facts.accounts[purchaser].clock, &gains)
    }
  }

  /// Decides that sharing ends, with one member or with all, who lose all that they have by it.
  func decideSharingEnd(
    from purchaserKey: [UInt8], with memberKey: [UInt8]?, _ cause: SharingEnd,
    into events: inout [Event]
  ) throws(Rejection) {
    guard facts.role == .store else { throw .notInThisRole }
    guard let purchaser = facts.accounts.find(purchaserKey) else { throw .subscriptionNotFound }
    let members = facts.families.members(of: purchaser)
    guard !members.isEmpty else {
      throw .notPossible(
        status: nil,
        reason: facts.families.purchaser(of: purchaser) == nil
          ? "the account shares with nobody"
          : "the account is a member of a family; name its purchaser first")
    }
    var leaving = members
    if let memberKey {
      guard let member = facts.accounts.find(memberKey), members.contains(member) else {
        throw .notPossible(status: nil, reason: "the account does not share with that one")
      }
      leaving = [member]
    }
    let clock = facts.accounts[purchaser].clock
    let now = facts.clocks[Int(clock)].now
    var losses = FamilyEvents(self)
    for member in leaving {
      losses.append(
        Event(
          at: now, clock: clock,
          fact: .account(.sharingEnded(purchaser: purchaser, member: member, cause: cause))))
      appendLosses(of: member, at: now, clock: clock, &losses)
    }
    events += losses.events
  }

  private func appendLosses(
    of member: AccountNumber, at now: Instant, clock: ClockNumber,
    _ losses: inout FamilyEvents
  ) {
    for number in lineNumbers(of: member) {
      let line = facts.lines[Int(number)]
      guard line.transaction.ownership == .familyShared, !line.isOver else { continue }
      losses.append(.revoked, revocation(of: line, number, at: now), at: now, clock: clock)
    }
    var held: [Transaction] = []
    forEachPurchase(of: member) { purchase in
      let transaction = purchase.transaction
      if purchase.environment == nil, transaction.ownership == .familyShared,
        transaction.revocation == nil
      {
        held.append(transaction)
      }
    }
    for transaction in held.reversed() {
      losses.append(
        .revoked, revoked(transaction, at: now), of: member, .revoke, at: now, clock: clock)
    }
  }

  /// An account's lines of this store, its first before its newest.
  func lineNumbers(of account: AccountNumber) -> [LineNumber] {
    var numbers: [LineNumber] = []
    forEachLine(of: account) { number, line in
      if line.origin == .store { numbers.append(number) }
    }
    return numbers.reversed()
  }

  /// An account and all of its family, which live on one clock; itself first.
  public func family(of account: AccountNumber) -> [AccountNumber] {
    let purchaser = facts.families.purchaser(of: account) ?? account
    return [account]
      + ([purchaser] + facts.families.members(of: purchaser)).filter { $0 != account }
  }

  /// A member's transactions are the purchaser's to change (Domain.md 1.10).
  func checkPurchased(_ transaction: Transaction, status: Status? = nil) throws(Rejection) {
    guard transaction.ownership == .purchased else {
      throw .notPossible(
        status: status,
        reason: "the transaction is a member's of Family Sharing; change the purchaser's")
    }
  }
}
