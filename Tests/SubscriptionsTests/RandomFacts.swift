import Subscriptions

/// Facts of every kind with values that a seed makes up, within what the types may hold, edges
/// more often than chance would have them.
struct RandomFacts {
  private var chance: SeededGenerator

  init(seed: UInt64) {
    chance = SeededGenerator(seed: seed)
  }

  mutating func event(_ kind: EventKind) -> Event {
    let at = instant()
    var caller: Caller?
    if flip() {
      caller = Caller(uid: number())
      if flip() {
        caller?.requestID = text()
        caller?.fingerprint = number()
      }
    }
    return Event(at: at, clock: number(), caller: caller, fact: fact(kind, at: at))
  }

  private mutating func fact(_ kind: EventKind, at: Instant) -> Fact {
    if let kind = LogKind(rawValue: kind.tag) { return .log(fact(kind)) }
    if let kind = AccountKind(rawValue: kind.tag) { return .account(fact(kind, at: at)) }
    if let kind = ClockKind(rawValue: kind.tag) { return .clock(fact(kind)) }
    if let kind = CatalogueKind(rawValue: kind.tag) { return .catalogue(fact(kind)) }
    if let kind = ProductKind(rawValue: kind.tag) { return .product(kind, product(kind)) }
    if let kind = TesterKind(rawValue: kind.tag) { return .tester(fact(kind)) }
    if let kind = AppStoreKind(rawValue: kind.tag) { return .appStore(fact(kind)) }
    if let kind = PurchaseKind(rawValue: kind.tag), flip() { return purchase(kind) }
    return .line(LineKind(rawValue: kind.tag)!, line())
  }

  private mutating func fact(_ kind: LogKind) -> LogFact {
    switch kind {
    case .logCreated:
      .logCreated(
        role: flip() ? .store : .record, seed: uuid(), identity: flip() ? identity() : nil)
    case .bootObserved: .bootObserved(boot: uuid(), realMinusBoot: number())
    case .reset: .reset
    }
  }

  private mutating func fact(_ kind: AccountKind, at: Instant) -> AccountFact {
    switch kind {
    case .accountOpened:
      .accountOpened(
        account: number(), key: key(), token: flip() ? uuid() : nil, clock: number())
    case .tokenGiven: .tokenGiven(account: number(), token: uuid())
    case .clockAttached: .clockAttached(account: number(), clock: number())
    case .finished: .finished(account: number(), line: number(), transactionID: number())
    case .offerNonceUsed: .offerNonceUsed(account: number(), nonce: uuid())
    case .offerStacked:
      .offerStacked(
        account: number(), line: number(), offer: StackedOffer(offer: offer(), price: number()))
    case .purchasePending: .purchasePending(pending(at: at))
    case .pendingEnded:
      .pendingEnded(account: number(), id: number(), end: pick(PendingEnd.allCases))
    case .sharingStarted: .sharingStarted(purchaser: number(), member: number())
    case .sharingEnded:
      .sharingEnded(purchaser: number(), member: number(), cause: pick(SharingEnd.allCases))
    }
  }

  private mutating func fact(_ kind: ClockKind) -> ClockFact {
    switch kind {
    case .clockCreated: .clockCreated(clock: number(), name: text(), time: instant())
    case .advanceStarted: .advanceStarted(clock: number(), target: instant())
    case .advanced:
      .advanced(clock: number(), target: instant(), firstSequence: number(), events: number())
    case .clockHeld: .clockHeld(behindMilliseconds: number())
    case .clockAccepted: .clockAccepted
    }
  }

  private mutating func fact(_ kind: CatalogueKind) -> CatalogueFact {
    switch kind {
    case .catalogueImported:
      .catalogueImported(source: text(), digest: number(), catalogue: catalogue())
    case .offerKeysImported:
      .offerKeysImported(
        source: text(),
        keys: (0..<Int.random(in: 0...3, using: &chance)).map { _ in
          OfferKey(id: text(), publicKey: key())
        })
    }
  }

  private mutating func fact(_ kind: TesterKind) -> TesterFact {
    switch kind {
    case .billingChanged: .billingChanged(account: number(), fails: flip())
    case .askToBuyChanged: .switched(.askToBuy, account: number(), isOn: flip())
    case .interruptedChanged: .switched(.interrupted, account: number(), isOn: flip())
    case .simulatedErrorChanged:
      .simulatedErrorChanged(
        pick(SimulatedAPI.allCases), flip() ? pick(SimulatedError.allCases) : nil)
    case .rateChanged: .rateChanged(flip() ? pick(RenewalRate.allCases) : nil)
    }
  }

  private mutating func fact(_ kind: AppStoreKind) -> AppStoreFact {
    switch kind {
    case .ingested: .ingested(ingested())
    case .linked: .linked(linked())
    case .unlinked:
      .unlinked(UnlinkedFact(key: chainKey(), account: number(), line: number()))
    case .namesReported: .namesReported(names())
    }
  }

  private mutating func identity() -> StoreIdentity {
    StoreIdentity(
      bundleID: text(), environment: pick(StoreEnvironment.allCases),
      appAppleID: flip() ? number() : nil)
  }

  private mutating func chainKey() -> ChainKey {
    ChainKey(environment: pick(StoreEnvironment.allCases), originalID: number())
  }

  private mutating func ingested() -> IngestedFact {
    var fact = IngestedFact(
      environment: pick(StoreEnvironment.allCases), kind: pick(SubmittedKind.allCases),
      identity: uuid())
    for _ in 0..<Int.random(in: 0...2, using: &chance) { fact.partIdentities.append(uuid()) }
    fact.originalID = number()
    fact.account = number()
    if flip() { fact.movedFrom = number() }
    fact.line = number()
    fact.group = number()
    if flip() {
      fact.notification = ReportedNotification(
        type: text(), subtype: flip() ? text() : nil, isKnown: flip(),
        status: flip() ? pick(Status.allCases) : nil)
      fact.notification?.otherStatus = flip() ? number() : nil
      fact.notification?.consumptionRequestReason = flip() ? text() : nil
      fact.notification?.signedDate = flip() ? instant() : nil
    }
    fact.standing = flip() ? standing() : nil
    fact.assumedGraceEnd = flip() ? instant() : nil
    if flip() { fact.transaction = transactionVersion(originalID: fact.originalID) }
    if flip() { fact.renewal = renewalVersion() }
    fact.statusAfter = flip() ? pick(Status.allCases) : nil
    fact.isLate = flip()
    fact.leewaySeconds = number()
    fact.signed = Array(text().utf8)
    return fact
  }

  private mutating func transactionVersion(originalID: UInt64) -> TransactionVersion {
    var transaction = transaction()
    transaction.originalID = originalID
    return TransactionVersion(
      transaction: transaction, originalPurchaseDate: instant(), token: flip() ? uuid() : nil,
      digest: digest(), fields: flip() ? fields() : nil)
  }

  private mutating func fields() -> ToldFields {
    var fields = ToldFields()
    if flip() { fields.leaveOut(pick(ToldField.allCases)) }
    if flip() { fields.put(pick(ToldField.allCases), .text(text())) }
    if flip() { fields.put(pick(ToldField.allCases), .number(number())) }
    if flip() { fields.put(pick(ToldField.allCases), .json(text())) }
    return fields
  }

  private mutating func standing() -> Standing {
    var standing = Standing()
    if flip() {
      let said = SaidStatus(pick(Status.allCases), isOutright: flip(), graceDays: number())
      standing.status = Said(said, at: instant())
    }
    if flip() { standing.renews = Said(flip(), at: instant()) }
    if flip() { standing.intent = Said(pick(Self.intents), at: instant()) }
    return standing
  }

  private static let intents: [ExpirationIntent] = [
    .cancelled, .billingError, .noConsent, .productUnavailable, .other,
  ]

  private mutating func renewalVersion() -> RenewalVersion {
    RenewalVersion(
      renewal: renewal(), token: flip() ? uuid() : nil, digest: digest(), isGraceAssumed: flip(),
      fields: flip() ? fields() : nil)
  }

  private mutating func digest() -> PayloadDigest {
    PayloadDigest(number(), number(), number(), number())
  }

  private mutating func linked() -> LinkedFact {
    var chain = AppleChain(key: chainKey(), account: number())
    chain.line = number()
    chain.group = number()
    var fact = LinkedFact(
      chain: chain, account: number(), statusAfter: flip() ? pick(Status.allCases) : nil,
      leewaySeconds: number())
    for _ in 0..<Int.random(in: 0...3, using: &chance) {
      fact.versions.append(transactionVersion(originalID: fact.key.originalID))
    }
    if flip() { fact.renewal = renewalVersion() }
    if flip() { fact.standing = standing() }
    return fact
  }

  private mutating func names() -> ReportedNames {
    var names = ReportedNames()
    for _ in 0..<Int.random(in: 0...3, using: &chance) {
      names.texts.append(text())
      names.storefronts.append(.init(country: text(), currency: text()))
      names.products.append(
        .init(id: text(), type: pick(ProductType.allCases), groupID: flip() ? text() : nil))
    }
    return names
  }

  private mutating func pending(at: Instant) -> PendingPurchase {
    var pending = PendingPurchase(
      id: number(), reason: pick(PendingReason.allCases), account: number(), product: number(),
      quantity: number(), storefront: number(),
      offer: nil, requestDate: at)
    if flip() {
      pending.offer = pick(OfferKind.allCases)
      pending.offerIdentifier = number()
    }
    pending.token = token()
    return pending
  }

  private mutating func purchase(_ kind: PurchaseKind) -> Fact {
    .purchase(
      kind,
      PurchaseFact(
        account: number(), notification: pick(Notification.allCases),
        transaction: transaction()))
  }

  private mutating func line() -> LineFact {
    LineFact(
      line: number(), account: number(), group: number(), statusAfter: pick(Status.allCases),
      notification: pick(Notification.allCases), transaction: flip() ? transaction() : nil,
      renewal: flip() ? renewal() : nil, source: flip() ? number() : noNumber)
  }

  mutating func transaction() -> Transaction {
    let id: UInt64 = number()
    var sold = Transaction(
      id: id, originalID: flip() ? id : number(), webOrderLineItemID: flip() ? 0 : number(),
      purchaseDate: instant(), expiresDate: .never, signedDate: instant(), price: number(),
      product: number(), quantity: number(),
      storefront: UInt16.random(in: 0..<UInt16(Storefront.all.count), using: &chance),
      reason: flip() ? .purchase : .renewal, ownership: flip() ? .purchased : .familyShared,
      token: token(),
      offer: flip() ? offer() : nil)
    if flip() {
      sold.expiresDate = finite()
      sold.period = period()
    }
    sold.isUpgraded = flip()
    sold.isFinished = flip()
    if flip() {
      sold.revocation = Revocation(
        date: instant(), type: pick([.refundFull, .refundProrated, .familyRevoke]),
        reason: number(), percentage: number())
    }
    return sold
  }

  private mutating func renewal() -> RenewalInfo {
    var renewal = RenewalInfo(
      autoRenewProduct: number(), autoRenews: flip(), renewalDate: instant(),
      renewalPrice: number(), recentSubscriptionStartDate: instant(), signedDate: instant())
    renewal.isInBillingRetry = flip()
    if flip() { renewal.retryRate = pick(RenewalRate.allCases) }
    if flip() {
      renewal.expirationIntent = pick([
        .cancelled, .billingError, .noConsent, .productUnavailable, .other,
      ])
    }
    if flip() { renewal.gracePeriodExpiresDate = instant() }
    if flip() { renewal.priceIncreaseStatus = number() }
    if flip() { renewal.offer = offer() }
    if flip() { renewal.storefront = number() }
    renewal.token = token()
    return renewal
  }

  private mutating func token() -> TokenReference {
    pick([.opening, .absent, TokenReference(rawValue: 0), TokenReference(rawValue: 70_000)])
  }

  private mutating func offer() -> AppliedOffer {
    AppliedOffer(
      kind: pick(OfferKind.allCases), paymentMode: pick(PaymentMode.allCases), period: period(),
      identifier: number())
  }

  private mutating func period() -> Period {
    let longest = flip() ? 12 : Limits.periodCountMax
    return Period(
      unit: pick(Period.Unit.allCases), count: .random(in: 0...longest, using: &chance))
  }

  private mutating func product(_ kind: ProductKind) -> ProductFact {
    var fact = ProductFact(product: number())
    if kind == .priceIncreaseAnnounced || kind == .priceIncreaseCompleted {
      fact.price = number()
      fact.needsConsent = flip()
    }
    if kind == .massExtensionStarted || kind == .massExtensionCompleted {
      fact.extension = MassExtension(days: number(), reason: number(), identifier: text())
      for _ in 0..<Int.random(in: 0...3, using: &chance) {
        fact.extension?.storefronts.append(
          UInt16.random(in: 0..<UInt16(Storefront.all.count), using: &chance))
      }
    }
    if kind == .priceIncreaseCompleted || kind == .massExtensionCompleted {
      fact.succeeded = number()
      fact.failed = number()
    }
    return fact
  }

  private mutating func catalogue() -> Catalogue {
    var catalogue = Catalogue(storefront: text())
    for _ in 0..<Int.random(in: 0...3, using: &chance) {
      catalogue.groups.append(CatalogueGroup(id: text(), name: text()))
    }
    for _ in 0..<Int.random(in: 0...4, using: &chance) { catalogue.products.append(product()) }
    return catalogue
  }

  private mutating func product() -> CatalogueProduct {
    var product = CatalogueProduct(
      id: text(), type: pick(ProductType.allCases), displayName: text(), description: text(),
      price: number(), isFamilyShareable: flip(), groupID: flip() ? text() : nil, level: number())
    if flip() { product.period = Period(unit: pick(Period.Unit.allCases), count: 3) }
    for _ in 0..<Int.random(in: 0...3, using: &chance) {
      product.offers.append(
        CatalogueOffer(
          kind: pick(OfferKind.allCases), id: flip() ? text() : nil,
          paymentMode: pick(PaymentMode.allCases), period: period(), periodCount: number(),
          price: number(), audience: OfferAudience(rawValue: number()), isStackable: flip(),
          isEligible: flip()))
    }
    return product
  }

  // MARK: Values

  mutating func flip() -> Bool {
    Bool.random(using: &chance)
  }

  private mutating func pick<Element>(_ elements: [Element]) -> Element {
    elements.randomElement(using: &chance)!
  }

  /// A number of any size: an edge, a few bits, or many.
  private mutating func number<Number: FixedWidthInteger>() -> Number {
    switch Int.random(in: 0..<8, using: &chance) {
    case 0: 0
    case 1: .max
    case 2: .min
    default:
      Number(truncatingIfNeeded: chance.next() >> UInt64.random(in: 0..<64, using: &chance))
    }
  }

  private mutating func instant() -> Instant {
    flip() ? finite() : Instant(milliseconds: number())
  }

  /// A time within the years that clocks run.
  private mutating func finite() -> Instant {
    Instant(
      milliseconds: .random(
        in: Limits.timeMin.milliseconds...Limits.timeMax.milliseconds, using: &chance))
  }

  private mutating func uuid() -> UUIDBits {
    UUIDBits(high: number(), low: number())
  }

  private mutating func key() -> [UInt8] {
    (0..<Int.random(in: 0...Limits.accountBytesMax, using: &chance)).map { _ in number() }
  }

  private mutating func text() -> String {
    String(
      (0..<Int.random(in: 0...20, using: &chance)).map { _ in
        pick(Array("aZ0. -é√日👩‍👩‍👧\u{0}\u{301}"))
      })
  }
}
