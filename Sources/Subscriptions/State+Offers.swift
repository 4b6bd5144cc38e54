/// Who may redeem which offer, and what it sells (Domain.md 1.7).
extension State {
  /// An offer as a purchase redeems it: what stands on transactions, and the price of each.
  struct Redemption {
    var kind: OfferKind
    var terms: AppliedOffer
    var price: Int64
    /// An offer code that begins when the introductory offer is over.
    var isStackable: Bool
  }

  /// What an offer sells on a product: pay as you go sells the product's own periods, so many of
  /// them.
  func redemption(of offer: CatalogueOffer, on entry: CatalogueProduct) -> Redemption {
    let unit = offer.paymentMode == .payAsYouGo ? entry.period ?? offer.period : offer.period
    let terms = AppliedOffer(
      kind: offer.kind, paymentMode: offer.paymentMode,
      period: unit.multiplied(by: offer.periodCount),
      identifier: offer.id.flatMap { facts.textNumbers[$0] } ?? noNumber)
    return Redemption(
      kind: offer.kind, terms: terms, price: offer.price, isStackable: offer.isStackable)
  }

  /// The length of a line's next period: the product's, or the whole of an offer that is free or
  /// paid up front.
  public func nextPeriod(of line: Line) -> Period {
    if let offer = line.renewal.offer, offer.paymentMode != .payAsYouGo { return offer.period }
    return facts.products[Int(line.renewal.autoRenewProduct)].entry.period
      ?? line.transaction.period
  }

  /// The offer that a purchase asks for by its id, if the customer may redeem it. Nil where none
  /// is asked for, or the introductory one, which has no id.
  func redemption(
    for command: PurchaseCommand, of product: ProductNumber, account: AccountNumber?,
    held: LineNumber?, at now: Instant
  ) throws(Rejection) -> Redemption? {
    guard let request = command.offer else { return nil }
    let entry = facts.products[Int(product)].entry
    guard entry.type == .autoRenewable else {
      throw .ineligibleForOffer(
        reason: "\(entry.id) is no auto-renewable subscription, and only those have offers")
    }
    guard request.kind != .introductory else { return nil }
    let offer = try catalogued(request, of: entry)
    switch request.kind {
    case .introductory:
      break
    case .promotional:
      guard let account, hasSubscribed(account) else {
        throw .ineligibleForOffer(
          reason: "promotional offers are for customers who have or had a subscription of the"
            + " app, and this account never had one")
      }
    case .code:
      try checkAudience(of: offer, product: product, account: account, held: held, at: now)
    case .winBack:
      try checkChurned(held, offer: offer, at: now)
    }
    return redemption(of: offer, on: entry)
  }

  /// The product's offer that a request names.
  private func catalogued(
    _ request: OfferRequest, of entry: CatalogueProduct
  ) throws(Rejection) -> CatalogueOffer {
    let kind = request.kind.words
    let known = entry.offers.filter { $0.kind == request.kind }.compactMap(\.id)
    let list = Self.list(known, nearestTo: request.id)
    let rest =
      known.isEmpty ? "; it has no \(kind) at all" : "; it has \(list)"
    guard let id = request.id else {
      throw .ineligibleForOffer(reason: "say which \(kind) of \(entry.id) by its id\(rest)")
    }
    if let offer = entry.offers.first(where: { $0.kind == request.kind && $0.id == id }) {
      return offer
    }
    if let other = entry.offers.first(where: { $0.id == id }) {
      throw .ineligibleForOffer(
        reason: "\(id) of \(entry.id) is no \(kind) but \(other.kind.words(article: true))")
    }
    throw .ineligibleForOffer(reason: "\(entry.id) has no \(kind) \(id)\(rest)")
  }

  /// Some ids, those nearest to a misspelt one first.
  private static func list(_ ids: [String], nearestTo wanted: String?) -> String {
    let bytes = Array((wanted ?? "").lowercased().utf8.prefix(Limits.accountBytesMax))
    let nearest =
      wanted == nil
      ? ids
      : ids.map { (distance: editDistance(bytes, Array($0.lowercased().utf8)), id: $0) }
        .sorted { ($0.distance, $0.id) < ($1.distance, $1.id) }.map(\.id)
    let more = ids.count - Limits.nearestProductsMax
    return nearest.prefix(Limits.nearestProductsMax).joined(separator: ", ")
      + (more > 0 ? " and \(more) more" : "")
  }

  /// Whether an account has or had a subscription of its own, of any group.
  private func hasSubscribed(_ account: AccountNumber) -> Bool {
    var found = false
    forEachLine(of: account) { _, line in
      if line.transaction.ownership == .purchased { found = true }
    }
    return found
  }

  /// Offer codes name who may redeem them: who never subscribed in the group, who does now, who
  /// did once. A code never leads to a lower level.
  private func checkAudience(
    of offer: CatalogueOffer, product: ProductNumber, account: AccountNumber?,
    held: LineNumber?, at now: Instant
  ) throws(Rejection) {
    let group = facts.products[Int(product)].group
    var audience = OfferAudience.new
    if let account {
      forEachLine(of: account) { _, line in
        guard line.group == group, line.transaction.ownership == .purchased else { return }
        let isOver = [.expired, .revoked].contains(line.status(at: now))
        audience = isOver && audience != .existing ? .expired : .existing
      }
    }
    guard offer.audience.contains(audience) else {
      throw .ineligibleForOffer(
        reason: "the code \(offer.id ?? "") is for \(offer.audience.words), and this account"
          + " is \(audience.words(article: true)) of its group")
    }
    guard let held, facts.lines[Int(held)].status(at: now).entitles else { return }
    let current = facts.products[Int(facts.lines[Int(held)].transaction.product)].entry
    guard facts.products[Int(product)].entry.level <= current.level else {
      throw .ineligibleForOffer(
        reason:
          "\(facts.products[Int(product)].entry.id) is of a lower level than \(current.id), and"
          + " an offer code never leads to a lower level")
    }
  }

  /// Win-back offers are for customers who left: over, and not because a payment is still tried.
  private func checkChurned(
    _ held: LineNumber?, offer: CatalogueOffer, at now: Instant
  ) throws(Rejection) {
    guard let held else {
      throw .ineligibleForOffer(
        reason: "win-back offers are for customers whose subscription ended, and this account"
          + " never had one of the group")
    }
    let line = facts.lines[Int(held)]
    let status = line.status(at: now)
    guard status == .expired, !line.renewal.autoRenews else {
      throw .ineligibleForOffer(
        reason: "win-back offers are for customers whose subscription ended, and this one is"
          + " \(status.words)")
    }
    guard offer.isEligible else {
      throw .ineligibleForOffer(
        reason: "the catalogue switches the win-back offer \(offer.id ?? "") off: nobody is"
          + " eligible")
    }
  }

  /// The win-back offers that a customer who left may redeem: of all products on sale in the
  /// group, in the catalogue's order. Empty for everybody else, and where Apple is the store.
  ///
  /// - Parameter sequence: the event that told of it, whose time's catalogue counts.
  public func winBackOfferIDs(
    after renewal: RenewalInfo, of product: ProductNumber, status: Status,
    at sequence: UInt64 = .max
  ) -> [String] {
    let group = facts.products[Int(product)].group
    guard facts.role == .store, status == .expired, !renewal.autoRenews, group != noNumber else {
      return []
    }
    return facts.winBackOffers[group]?.last { $0.sequence <= sequence }?.ids ?? []
  }

  /// Keeps what the groups' win-back offers are from this event on.
  func noteWinBackOffers() {
    var now = facts.winBackOffers.mapValues { _ in [String]() }
    for product in facts.products where product.isOnSale && product.group != noNumber {
      let offers = product.entry.offers.filter { $0.kind == .winBack && $0.isEligible }
      guard !offers.isEmpty else { continue }
      now[product.group, default: []] += offers.compactMap(\.id)
    }
    for (group, ids) in now where facts.winBackOffers[group]?.last?.ids ?? [] != ids {
      facts.winBackOffers[group, default: []].append(
        WinBackOffers(sequence: facts.sequence, ids: ids))
    }
  }

  func encodeWinBackOffers(into writer: inout ByteWriter) {
    writer.varint(UInt64(facts.winBackOffers.count))
    for (group, lists) in facts.winBackOffers.sorted(by: { $0.key < $1.key }) {
      writer.varint(group)
      writer.varint(UInt64(lists.count))
      for list in lists {
        writer.varint(list.sequence)
        writer.varint(UInt64(list.ids.count))
        for id in list.ids { writer.text(id) }
      }
    }
  }

  func readWinBackOffers(from reader: inout ByteReader) {
    for _ in 0..<reader.count() {
      let group = reader.varint32()
      for _ in 0..<reader.count() {
        let sequence = reader.varint()
        var ids: [String] = []
        for _ in 0..<reader.count() { ids.append(reader.text()) }
        facts.winBackOffers[group, default: []].append(WinBackOffers(sequence: sequence, ids: ids))
      }
    }
  }
}

/// The win-back offers of a group, from an event on.
struct WinBackOffers: Hashable, Sendable {
  var sequence: UInt64
  var ids: [String]
}

extension OfferKind {
  /// The kind as it stands in a sentence.
  var words: String {
    switch self {
    case .introductory: "introductory offer"
    case .promotional: "promotional offer"
    case .code: "offer code"
    case .winBack: "win-back offer"
    }
  }

  func words(article: Bool) -> String {
    let needsN = self == .introductory || self == .code
    return article ? "\(needsN ? "an" : "a") \(words)" : words
  }
}

extension OfferAudience {
  /// Who it is, in words: `new and expired subscribers`.
  var words: String {
    var names: [String] = []
    if contains(.new) { names.append("new") }
    if contains(.existing) { names.append("existing") }
    if contains(.expired) { names.append("expired") }
    return names.isEmpty ? "nobody" : "\(names.joined(separator: " and ")) subscribers"
  }

  func words(article: Bool) -> String {
    let one: [(OfferAudience, String)] = [
      (.new, "a new subscriber"), (.existing, "an existing subscriber"),
      (.expired, "an expired subscriber"),
    ]
    return one.first { $0.0 == self }?.1 ?? words
  }
}
