/// Folding signed facts. The chain is a set of versions; its line and its purchase are read off it
/// after each, so that only what has arrived counts, not in which order.
extension State {
  func applyIngested(_ fact: IngestedFact, at: Instant) {
    apple.factCount += 1
    if let notification = fact.notification, !notification.isKnown {
      apple.unknownNotificationCount += 1
    }
    apple.known[fact.identity] = sequence
    for part in fact.partIdentities where apple.known[part] == nil {
      apple.known[part] = sequence
    }
    guard let key = fact.key else { return }
    let number = chainNumber(key, account: fact.account)
    var brought = fact
    brought.transaction?.sequence = sequence
    brought.renewal?.sequence = sequence
    apple.chains[number].take(brought)
    if fact.group != noNumber { apple.chains[number].group = fact.group }
    refresh(number, at: at, leewaySeconds: fact.leewaySeconds)
  }

  func applyUnlinked(_ fact: UnlinkedFact) {
    guard let number = apple.numbers[fact.key] else { return }
    move(number, to: noNumber)
  }

  func applyLinked(_ fact: LinkedFact, at: Instant) {
    guard let number = apple.numbers[fact.key] else { return }
    move(number, to: fact.account)
    refresh(number, at: at, leewaySeconds: fact.leewaySeconds)
  }

  func applyNames(_ names: ReportedNames) {
    for text in names.texts { intern(text) }
    for storefront in names.storefronts { apple.storefronts.append(storefront) }
    for product in names.products {
      let entry = CatalogueProduct(
        id: product.id, type: product.type, price: 0, groupID: product.groupID)
      productNumbers[product.id] = ProductNumber(products.count)
      products.append(
        Product(
          entry: entry, group: product.groupID.map { intern($0) } ?? noNumber, source: noNumber,
          isOnSale: false))
    }
  }

  /// A line's status is another now than before: nobody said so, time did.
  func applyPassed(_ number: LineNumber, at: Instant) {
    lines[Int(number)].toldUntil = at
    setGranting(lines[Int(number)].isEntitling(at: at), line: number)
  }

  private func chainNumber(_ key: ChainKey, account: AccountNumber) -> Int {
    if let number = apple.numbers[key] { return number }
    apple.numbers[key] = apple.chains.count
    apple.chains.append(AppleChain(key: key, account: account))
    return apple.chains.count - 1
  }

  /// Reads a chain's line or purchase off it.
  private func refresh(_ number: Int, at: Instant, leewaySeconds: Int32) {
    guard let current = apple.chains[number].current else { return }
    if current.transaction.expiresDate == .never {
      refreshPurchase(number, current.transaction)
    } else {
      refreshLine(number, current, at: at, leewaySeconds: leewaySeconds)
    }
  }

  private func refreshLine(
    _ number: Int, _ current: TransactionVersion, at: Instant, leewaySeconds: Int32
  ) {
    let chain = apple.chains[number]
    let line = Line(showing: chain, current, at: at, leewaySeconds: leewaySeconds)
    if chain.line == noNumber {
      apple.chains[number].line = LineNumber(lines.count)
      apple.lineChains[LineNumber(lines.count)] = number
      lines.append(line)
      insertLine(LineNumber(lines.count - 1), into: chain.account)
    } else {
      let old = lines[Int(chain.line)]
      lines[Int(chain.line)] = line
      lines[Int(chain.line)].nextOfAccount = old.nextOfAccount
      lines[Int(chain.line)].isGranting = old.isGranting
    }
    let shown = apple.chains[number].line
    setGranting(lines[Int(shown)].isEntitling(at: at), line: shown)
  }

  private func refreshPurchase(_ number: Int, _ current: Transaction) {
    guard products[Int(current.product)].entry.type != .consumable else { return }
    let chain = apple.chains[number]
    if chain.purchase == noNumber {
      let new = UInt32(purchases.count)
      apple.chains[number].purchase = new
      apple.purchaseChains[new] = number
      purchases.append(
        LastingPurchase(
          account: chain.account, nextOfAccount: noNumber, transaction: current,
          environment: chain.key.environment))
      insertPurchase(new, into: chain.account)
      if grants(current) { count(true, for: chain.account) }
      return
    }
    let before = grants(purchases[Int(chain.purchase)].transaction)
    purchases[Int(chain.purchase)].transaction = current
    if before != grants(current) { count(grants(current), for: chain.account) }
  }

  private func setGranting(_ grants: Bool, line: LineNumber) {
    guard lines[Int(line)].isGranting != grants else { return }
    lines[Int(line)].isGranting = grants
    count(grants, for: lines[Int(line)].account)
  }

  // MARK: Whose it is

  /// Moves a chain, with its line and its purchase, to another account, or to none.
  private func move(_ number: Int, to account: AccountNumber) {
    let chain = apple.chains[number]
    apple.chains[number].account = account
    if chain.line != noNumber {
      removeLine(chain.line, from: chain.account)
      lines[Int(chain.line)].account = account
      insertLine(chain.line, into: account)
      if lines[Int(chain.line)].isGranting {
        count(false, for: chain.account)
        count(true, for: account)
      }
    }
    if chain.purchase != noNumber {
      removePurchase(chain.purchase, from: chain.account)
      purchases[Int(chain.purchase)].account = account
      insertPurchase(chain.purchase, into: account)
      if grants(purchases[Int(chain.purchase)].transaction) {
        count(false, for: chain.account)
        count(true, for: account)
      }
    }
  }

  /// Puts a line into an account's list, which runs from the newest number to the oldest.
  private func insertLine(_ line: LineNumber, into account: AccountNumber) {
    guard account != noNumber else {
      lines[Int(line)].nextOfAccount = noNumber
      return
    }
    guard accounts[account].newestLine != noNumber, accounts[account].newestLine > line else {
      lines[Int(line)].nextOfAccount = accounts[account].newestLine
      accounts[account].newestLine = line
      return
    }
    var before = accounts[account].newestLine
    while lines[Int(before)].nextOfAccount != noNumber, lines[Int(before)].nextOfAccount > line {
      before = lines[Int(before)].nextOfAccount
    }
    lines[Int(line)].nextOfAccount = lines[Int(before)].nextOfAccount
    lines[Int(before)].nextOfAccount = line
  }

  private func removeLine(_ line: LineNumber, from account: AccountNumber) {
    guard account != noNumber else { return }
    guard accounts[account].newestLine != line else {
      accounts[account].newestLine = lines[Int(line)].nextOfAccount
      return
    }
    var before = accounts[account].newestLine
    while before != noNumber {
      let next = lines[Int(before)].nextOfAccount
      if next == line {
        lines[Int(before)].nextOfAccount = lines[Int(line)].nextOfAccount
        return
      }
      before = next
    }
  }

  private func insertPurchase(_ purchase: UInt32, into account: AccountNumber) {
    guard account != noNumber else {
      purchases[Int(purchase)].nextOfAccount = noNumber
      return
    }
    guard accounts[account].newestPurchase != noNumber,
      accounts[account].newestPurchase > purchase
    else {
      purchases[Int(purchase)].nextOfAccount = accounts[account].newestPurchase
      accounts[account].newestPurchase = purchase
      return
    }
    var before = accounts[account].newestPurchase
    while purchases[Int(before)].nextOfAccount != noNumber,
      purchases[Int(before)].nextOfAccount > purchase
    {
      before = purchases[Int(before)].nextOfAccount
    }
    purchases[Int(purchase)].nextOfAccount = purchases[Int(before)].nextOfAccount
    purchases[Int(before)].nextOfAccount = purchase
  }

  private func removePurchase(_ purchase: UInt32, from account: AccountNumber) {
    guard account != noNumber else { return }
    guard accounts[account].newestPurchase != purchase else {
      accounts[account].newestPurchase = purchases[Int(purchase)].nextOfAccount
      return
    }
    var before = accounts[account].newestPurchase
    while before != noNumber {
      let next = purchases[Int(before)].nextOfAccount
      if next == purchase {
        purchases[Int(before)].nextOfAccount = purchases[Int(purchase)].nextOfAccount
        return
      }
      before = next
    }
  }
}
