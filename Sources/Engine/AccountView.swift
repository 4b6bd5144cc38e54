import Subscriptions

/// An account's access in short.
struct Access {
  var isEntitled = false
  /// The status of the best of its lines.
  var status: Status?
  /// When the paid time or the grace ends; nil for a purchase that never does.
  var until: Instant?
}

extension Engine {
  /// An account's access now: the union over its lines and lasting purchases.
  func access(of account: AccountNumber, wanted: Set<ProductNumber>?) -> Access {
    let now = state.now(of: account)
    let home = configuration.environment
    let terms = books.terms
    var access = Access()
    state.forEachLine(of: account) { _, line in
      if let wanted, !wanted.contains(line.transaction.product) { return }
      if line.origin == .apple, !line.isOf(home, home: home) { return }
      let moment = state.present(for: line, terms)
      let status = line.status(at: moment)
      guard let end = line.accessEnd(at: moment, terms) else {
        if access.status == nil { access.status = status }
        return
      }
      if !access.isEntitled { access.status = status }
      access.until = max(access.until ?? end, end)
      access.isEntitled = true
    }
    var isForEver = false
    state.forEachPurchase(of: account) { purchase in
      let transaction = purchase.transaction
      if let wanted, !wanted.contains(transaction.product) { return }
      guard purchase.environment.map({ $0.wireName == home }) ?? true else { return }
      if state.entitles(transaction, at: now) { isForEver = true }
    }
    if isForEver {
      access.isEntitled = true
      access.until = nil
    }
    return access
  }
}

extension State {
  /// Non-consumables entitle until revoked; nothing else outside a subscription does.
  func entitles(_ transaction: Transaction, at now: Instant) -> Bool {
    guard facts.products[Int(transaction.product)].entry.type == .nonConsumable else {
      return false
    }
    guard let revocation = transaction.revocation else { return true }
    return revocation.date > now
  }
}

/// An account's lines and lasting purchases at one moment, narrowed to the products asked for.
struct AccountView {
  private let state: State
  private let terms: RenewalTerms
  let wanted: Set<ProductNumber>?
  /// The environment asked for, and the daemon's own, of which its store's sales are.
  let environment: String
  private let home: String
  /// The past that is looked at; nil for the present.
  private let history: AccountHistory?
  /// Whether this is the account as it stands, not a past or a forecast.
  var isPresent = false
  var lines: [(number: LineNumber, line: Line)] = []
  var purchases: [Transaction] = []

  /// As they stand.
  init(
    state: State, _ terms: RenewalTerms, account: AccountNumber, wanted: Set<ProductNumber>?,
    environment: String? = nil, home: String
  ) {
    self.state = state
    self.terms = terms
    self.wanted = wanted
    self.environment = environment ?? home
    self.home = home
    history = nil
    isPresent = true
    state.forEachLine(of: account) { number, line in
      if isWanted(copy line) { lines.append((number, copy line)) }
    }
    state.forEachPurchase(of: account) { purchase in
      if isWanted(purchase.transaction.product, of: purchase.environment) {
        purchases.append(purchase.transaction)
      }
    }
    lines.reverse()
    purchases.reverse()
  }

  /// As a part of the account's history left them.
  init(
    state: State, _ terms: RenewalTerms, history: AccountHistory, wanted: Set<ProductNumber>?,
    environment: String? = nil, home: String
  ) {
    self.state = state
    self.terms = terms
    self.wanted = wanted
    self.environment = environment ?? home
    self.home = home
    self.history = history
    lines = history.lines.filter { isWanted($0.line) }
    purchases = history.entries.compactMap { entry in
      let type = state.products[Int(entry.transaction.product)].entry.type
      guard entry.line == noNumber, type != .consumable else { return nil }
      return isWanted(entry.transaction.product, of: entry.environment)
        ? entry.transaction : nil
    }
  }

  /// Whether the question is about a line.
  func isWanted(_ line: Line) -> Bool {
    line.isOf(environment, home: home) && isWanted(line.transaction.product)
  }

  private func isWanted(_ product: ProductNumber, of told: StoreEnvironment?) -> Bool {
    (told?.wireName ?? home) == environment && isWanted(product)
  }

  private func isWanted(_ product: ProductNumber) -> Bool {
    wanted?.contains(product) ?? true
  }

  /// What the App Store had told of a line.
  func chain(of line: Line) -> AppleChain? {
    guard line.origin == .apple else { return nil }
    let key = ChainKey(environment: line.environment, originalID: line.transaction.originalID)
    return history?.chain(key) ?? state.apple.chain(key)
  }

  /// What it had told of a purchase.
  func version(of purchase: Transaction) -> TransactionVersion? {
    guard let environment = StoreEnvironment(wireName: environment) else { return nil }
    return history?.chain(ChainKey(environment: environment, originalID: purchase.originalID))?
      .version(id: purchase.id)
  }

  /// The moment at which a line is to be looked at: at present just before a deadline that has
  /// come and not been dealt with.
  func moment(of line: Line, _ now: Instant) -> Instant {
    isPresent ? state.present(for: line, terms) : now
  }

  func isEntitled(at now: Instant) -> Bool {
    lines.contains { $0.line.entitles(at: moment(of: $0.line, now), terms) }
      || purchases.contains { state.entitles($0, at: now) }
  }
}
