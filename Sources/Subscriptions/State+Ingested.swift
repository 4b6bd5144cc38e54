/// Folding signed facts. The chain is a set of versions; its line and its purchase are read off it
/// after each, so that only what has arrived counts, not in which order.
extension State {
  func applyIngested(_ fact: IngestedFact, at: Instant) {
    facts.apple.factCount += 1
    if let notification = fact.notification, !notification.isKnown {
      facts.apple.unknownNotificationCount += 1
    }
    facts.apple.known[fact.identity] = facts.sequence
    for part in fact.partIdentities where facts.apple.known[part] == nil {
      facts.apple.known[part] = facts.sequence
    }
    guard let key = fact.key else { return }
    let number = chainNumber(key, account: fact.account)
    var brought = fact
    brought.transaction?.sequence = facts.sequence
    brought.renewal?.sequence = facts.sequence
    facts.apple.chains[number].take(brought)
    if fact.group != noNumber { facts.apple.chains[number].group = fact.group }
    refresh(number, at: at, leewaySeconds: fact.leewaySeconds)
  }

  func applyUnlinked(_ fact: UnlinkedFact) {
    guard let number = facts.apple.numbers[fact.key] else { return }
    move(number, to: noNumber)
  }

  func applyLinked(_ fact: LinkedFact, at: Instant) {
    guard let number = facts.apple.numbers[fact.key] else { return }
    move(number, to: fact.account)
    refresh(number, at: at, leewaySeconds: fact.leewaySeconds)
  }

  func applyNames(_ names: ReportedNames) {
    for text in names.texts { intern(text) }
    for storefront in names.storefronts { facts.apple.storefronts.append(storefront) }
    for product in names.products {
      let entry = CatalogueProduct(
        id: product.id, type: product.type, price: 0, groupID: product.groupID)
      facts.productNumbers[product.id] = ProductNumber(facts.products.count)
      facts.products.append(
        Product(
          entry: entry, group: product.groupID.map { intern($0) } ?? noNumber, source: noNumber,
          isOnSale: false))
    }
  }

  /// A line's status is another now than before: nobody said so, time did.
  func applyPassed(_ number: LineNumber, at: Instant) {
    facts.lines[Int(number)].notePassed(until: at)
    setGranting(facts.lines[Int(number)].isEntitling(at: at), line: number)
  }

  private func chainNumber(_ key: ChainKey, account: AccountNumber) -> Int {
    if let number = facts.apple.numbers[key] { return number }
    facts.apple.numbers[key] = facts.apple.chains.count
    facts.apple.chains.append(AppleChain(key: key, account: account))
    return facts.apple.chains.count - 1
  }

  /// Reads a chain's line or purchase off it.
  private func refresh(_ number: Int, at: Instant, leewaySeconds: Int32) {
    guard let current = facts.apple.chains[number].current else { return }
    if current.transaction.expiresDate == .never {
      refreshPurchase(number, current.transaction)
    } else {
      refreshLine(number, current, at: at, leewaySeconds: leewaySeconds)
    }
  }

  private func refreshLine(
    _ number: Int, _ current: TransactionVersion, at: Instant, leewaySeconds: Int32
  ) {
    let chain = facts.apple.chains[number]
    let line = Line(showing: chain, current, at: at, leewaySeconds: leewaySeconds)
    if chain.line == noNumber {
      facts.apple.chains[number].line = LineNumber(facts.lines.count)
      facts.apple.lineChains[LineNumber(facts.lines.count)] = number
      facts.lines.append(line)
      insertLine(LineNumber(facts.lines.count - 1), into: chain.account)
    } else {
      let old = facts.lines[Int(chain.line)]
      facts.lines[Int(chain.line)] = line
      facts.lines[Int(chain.line)].nextOfAccount = old.nextOfAccount
      facts.lines[Int(chain.line)].isGranting = old.isGranting
    }
    let shown = facts.apple.chains[number].line
    setGranting(facts.lines[Int(shown)].isEntitling(at: at), line: shown)
  }

  private func refreshPurchase(_ number: Int, _ current: Transaction) {
    guard facts.products[Int(current.product)].entry.type != .consumable else { return }
    let chain = facts.apple.chains[number]
    if chain.purchase == noNumber {
      let new = UInt32(facts.purchases.count)
      facts.apple.chains[number].purchase = new
      facts.apple.purchaseChains[new] = number
      facts.purchases.append(
        LastingPurchase(
          account: chain.account, nextOfAccount: noNumber, transaction: current,
          environment: chain.key.environment))
      insertPurchase(new, into: chain.account)
      if grants(current) { count(true, for: chain.account) }
      return
    }
    let before = grants(facts.purchases[Int(chain.purchase)].transaction)
    facts.purchases[Int(chain.purchase)].transaction = current
    if before != grants(current) { count(grants(current), for: chain.account) }
  }

  private func setGranting(_ grants: Bool, line: LineNumber) {
    guard facts.lines[Int(line)].isGranting != grants else { return }
    facts.lines[Int(line)].isGranting = grants
    count(grants, for: facts.lines[Int(line)].account)
  }

  // MARK: Whose it is

  /// Moves a chain, with its line and its purchase, to another account, or to none.
  private func move(_ number: Int, to account: AccountNumber) {
    let chain = facts.apple.chains[number]
    facts.apple.chains[number].account = account
    if chain.line != noNumber {
      removeLine(chain.line, from: chain.account)
      facts.lines[Int(chain.line)].account = account
      insertLine(chain.line, into: account)
      if facts.lines[Int(chain.line)].isGranting {
        count(false, for: chain.account)
        count(true, for: account)
      }
    }
    if chain.purchase != noNumber {
      removePurchase(chain.purchase, from: chain.account)
      facts.purchases[Int(chain.purchase)].account = account
      insertPurchase(chain.purchase, into: account)
      if grants(facts.purchases[Int(chain.purchase)].transaction) {
        count(false, for: chain.account)
        count(true, for: account)
      }
    }
  }

  /// Puts a line into an account's list, which runs from the newest number to the oldest.
  private func insertLine(_ line: LineNumber, into account: AccountNumber) {
    guard account != noNumber else {
      facts.lines[Int(line)].nextOfAccount = noNumber
      return
    }
    guard facts.accounts[account].newestLine != noNumber, facts.accounts[account].newestLine > line
    else {
      facts.lines[Int(line)].nextOfAccount = facts.accounts[account].newestLine
      facts.accounts[account].newestLine = line
      return
    }
    var before = facts.accounts[account].newestLine
    while facts.lines[Int(before)].nextOfAccount != noNumber,
      facts.lines[Int(before)].nextOfAccount > line
    {
      before = facts.lines[Int(before)].nextOfAccount
    }
    facts.lines[Int(line)].nextOfAccount = facts.lines[Int(before)].nextOfAccount
    facts.lines[Int(before)].nextOfAccount = line
  }

  private func removeLine(_ line: LineNumber, from account: AccountNumber) {
    guard account != noNumber else { return }
    guard facts.accounts[account].newestLine != line else {
      facts.accounts[account].newestLine = facts.lines[Int(line)].nextOfAccount
      return
    }
    var before = facts.accounts[account].newestLine
    while before != noNumber {
      let next = facts.lines[Int(before)].nextOfAccount
      if next == line {
        facts.lines[Int(before)].nextOfAccount = facts.lines[Int(line)].nextOfAccount
        return
      }
      before = next
    }
  }

  private func insertPurchase(_ purchase: UInt32, into account: AccountNumber) {
    guard account != noNumber else {
      facts.purchases[Int(purchase)].nextOfAccount = noNumber
      return
    }
    guard facts.accounts[account].newestPurchase != noNumber,
      facts.accounts[account].newestPurchase > purchase
    else {
      facts.purchases[Int(purchase)].nextOfAccount = facts.accounts[account].newestPurchase
      facts.accounts[account].newestPurchase = purchase
      return
    }
    var before = facts.accounts[account].newestPurchase
    while facts.purchases[Int(before)].nextOfAccount != noNumber,
      facts.purchases[Int(before)].nextOfAccount > purchase
    {
      before = facts.purchases[Int(before)].nextOfAccount
    }
    facts.purchases[Int(purchase)].nextOfAccount = facts.purchases[Int(before)].nextOfAccount
    facts.purchases[Int(before)].nextOfAccount = purchase
  }

  private func removePurchase(_ purchase: UInt32, from account: AccountNumber) {
    guard account != noNumber else { return }
    guard facts.accounts[account].newestPurchase != purchase else {
      facts.accounts[account].newestPurchase = facts.purchases[Int(purchase)].nextOfAccount
      return
    }
    var before = facts.accounts[account].newestPurchase
    while before != noNumber {
      let next = facts.purchases[Int(before)].nextOfAccount
      if next == purchase {
        facts.purchases[Int(before)].nextOfAccount = facts.purchases[Int(purchase)].nextOfAccount
        return
      }
      before = next
    }
  }
}
