import JSON
import Subscriptions

/// Writing records as the interfaces name them. What a record leaves to its line, its account or
/// the product table is put in here.
extension State {
  func write(
    _ transaction: Transaction, line: LineNumber, account: AccountNumber, forecast: Bool = false,
    environment: String, told version: TransactionVersion? = nil, signed: SignedForms? = nil,
    text: [UInt8]? = nil, into writer: inout JSONWriter
  ) {
    let told = version ?? told(transaction, in: environment)
    if let told, let fields = told.fields {
      writeTold(
        transaction, told, fields, line: line, account: account, forecast: forecast,
        environment: environment, text: text ?? signed?.texts.text(of: told), into: &writer)
      return
    }
    let product = facts.products[Int(transaction.product)].entry
    let storefront = storefront(transaction.storefront)
    writer.beginObject()
    writer.member("transactionId", id: transaction.id)
    writer.member("originalTransactionId", id: transaction.originalID)
    if transaction.webOrderLineItemID != 0 {
      writer.member("webOrderLineItemId", id: transaction.webOrderLineItemID)
    }
    writeAccount(account, into: &writer)
    writer.member("productId", product.id)
    // A forecast's line may have no number in this state yet.
    let known = line != noNumber && Int(line) < facts.lines.count ? facts.lines[Int(line)] : nil
    let group = known?.group ?? facts.products[Int(transaction.product)].group
    if line != noNumber, group != noNumber {
      writer.member("subscriptionGroupIdentifier", facts.texts[Int(group)])
    }
    writer.member("type", product.type.wireName)
    writer.member("purchaseDate", transaction.purchaseDate)
    writer.member(
      "originalPurchaseDate",
      told?.originalPurchaseDate ?? known?.originalPurchaseDate ?? transaction.purchaseDate)
    if let expires = transaction.expiresDate.ifEver { writer.member("expiresDate", expires) }
    writer.member("quantity", int: Int64(transaction.quantity))
    if !storefront.currency.isEmpty {
      writer.member("price", int: transaction.price)
      writer.member("currency", storefront.currency)
    }
    if !storefront.country.isEmpty { writer.member("storefront", storefront.country) }
    writer.member("transactionReason", transaction.reason.wireName)
    writer.member("inAppOwnershipType", transaction.ownership.wireName)
    if let offer = transaction.offer { write(offer, into: &writer) }
    writer.member("isUpgraded", flag: transaction.isUpgraded)
    if let revocation = transaction.revocation { write(revocation, into: &writer) }
    if let token = told.map({ $0.token }) ?? ownToken(of: transaction, account: account) {
      writer.member("appAccountToken", token.text)
    }
    writer.member("environment", environment)
    writer.member("signedDate", transaction.signedDate)
    writer.member("finished", flag: transaction.isFinished)
    writer.member("forecast", flag: forecast)
    writeMarks(of: transaction, isOwn: told == nil, into: &writer)
    writeSigned(
      "signedTransactionInfo",
      // What another store signed is not signed for again, but given as it came.
      text ?? signed?.transactionInfo(transaction, told: told, line: line, account: account),
      into: &writer)
    writer.endObject()
  }

  /// Writes a signed form, if any, and what a tester makes its checks fail with.
  func writeSigned(_ name: StaticString, _ text: [UInt8]?, into writer: inout JSONWriter) {
    guard let text else { return }
    if let error = facts.switches.errors[.verification] {
      writer.member("verificationError", error.name)
    }
    writer.member(name, signed: text)
  }

  /// A shared transaction was nobody's purchase with a token (Domain.md 8, case 58).
  private func ownToken(of transaction: Transaction, account: AccountNumber) -> UUIDBits? {
    transaction.ownership == .purchased ? token(transaction.token, of: account) : nil
  }

  /// What is true of few transactions.
  private func writeMarks(
    of transaction: Transaction, isOwn: Bool, into writer: inout JSONWriter
  ) {
    if !facts.products[Int(transaction.product)].isCatalogued {
      writer.member("uncatalogued", flag: true)
    }
    // A restored one of this store's has an id that it was not sold under.
    if isOwn, facts.role == .store, transaction.soldID >= Subscriptions.Limits.firstTransactionID,
      transaction.soldID < transaction.id
    {
      writer.member("restored", flag: true)
    }
  }

  /// The version of a transaction that a signed fact told; nil for what the store sold itself.
  private func told(
    _ transaction: Transaction, in environment: String
  ) -> TransactionVersion? {
    guard !facts.apple.chains.isEmpty, let environment = StoreEnvironment(wireName: environment)
    else { return nil }
    return facts.apple.chain(
      ChainKey(environment: environment, originalID: transaction.originalID))?
      .version(id: transaction.id)
  }

  /// Writes whose it is; nothing where that is nobody yet.
  func writeAccount(_ account: AccountNumber, into writer: inout JSONWriter) {
    guard account != noNumber else { return }
    writer.key("account")
    facts.accounts.withKey(account) { writer.string(utf8: Span(_unsafeElements: $0)) }
  }

  private func write(_ offer: AppliedOffer, into writer: inout JSONWriter) {
    writer.member("offerType", int: Int64(offer.kind.rawValue))
    if offer.identifier != noNumber {
      writer.member("offerIdentifier", facts.texts[Int(offer.identifier)])
    }
    writer.member("offerDiscountType", offer.paymentMode.wireName)
    writer.member("offerPeriod", offer.period.iso8601)
  }

  private func write(_ revocation: Revocation, into writer: inout JSONWriter) {
    writer.member("revocationDate", revocation.date)
    writer.member("revocationType", revocation.type.wireName)
    // Nothing is paid back where sharing ends.
    guard revocation.type != .familyRevoke else { return }
    writer.member("revocationReason", int: Int64(revocation.reason))
    writer.member("revocationPercentage", int: Int64(revocation.percentage))
  }

  func write(
    _ renewal: RenewalInfo, of product: ProductNumber, storefront: UInt16, line: LineNumber,
    status: Status? = nil, at sequence: UInt64 = .max, signed: SignedForms? = nil,
    text: [UInt8]? = nil,
    into writer: inout JSONWriter
  ) {
    let storefront = renewal.storefront == noStorefront ? storefront : renewal.storefront
    writer.beginObject()
    writer.member("productId", facts.products[Int(product)].entry.id)
    writer.member("autoRenewProductId", facts.products[Int(renewal.autoRenewProduct)].entry.id)
    writer.member("autoRenewStatus", int: renewal.autoRenews ? 1 : 0)
    writer.member("renewalDate", renewal.renewalDate)
    writer.member("renewalPrice", int: renewal.renewalPrice)
    if !self.storefront(storefront).currency.isEmpty {
      writer.member("currency", self.storefront(storefront).currency)
    }
    writer.member("isInBillingRetryPeriod", flag: renewal.isInBillingRetry)
    if let intent = renewal.expirationIntent {
      writer.member("expirationIntent", int: Int64(intent.rawValue))
    }
    if let grace = renewal.gracePeriodExpiresDate.ifEver {
      writer.member("gracePeriodExpiresDate", grace)
    }
    if let status = renewal.priceIncreaseStatus {
      writer.member("priceIncreaseStatus", int: Int64(status))
    }
    if let offer = renewal.offer { write(offer, into: &writer) }
    let winBack =
      status.map { winBackOfferIDs(after: renewal, of: product, status: $0, at: sequence) } ?? []
    if !winBack.isEmpty {
      writer.key("eligibleWinBackOfferIds")
      writer.beginArray()
      for id in winBack { writer.string(id) }
      writer.endArray()
    }
    writer.member("recentSubscriptionStartDate", renewal.recentSubscriptionStartDate)
    writer.member("signedDate", renewal.signedDate)
    writeSigned(
      "signedRenewalInfo",
      text
        ?? signed?.renewalInfo(
          renewal, of: product, storefront: storefront, line: line, winBack: winBack),
      into: &writer)
    writer.endObject()
  }

  /// Writes a line as it stands at `now`; `forecast` where that is the future. `told` is what the
  /// App Store had told of it by then; without it, what it has told by now.
  func writeSubscription(
    _ number: LineNumber, _ line: Line, _ terms: RenewalTerms, told: AppleChain? = nil,
    at now: Instant,
    forecast: Bool = false, environment: String, signed: SignedForms? = nil,
    into writer: inout JSONWriter
  ) {
    let status = line.status(at: now)
    let environment = line.environmentName(home: environment)
    writer.beginObject()
    writer.member("originalTransactionId", id: line.transaction.originalID)
    writeAccount(line.account, into: &writer)
    writer.member(
      "subscriptionGroupIdentifier", line.group == noNumber ? "" : facts.texts[Int(line.group)])
    writer.member("status", int: Int64(status.rawValue))
    writer.member("entitled", flag: line.entitles(at: now, terms))
    writer.member("pending", flag: line.isPending(at: now, terms))
    writer.member("origin", line.origin == .store ? "store" : "apple")
    let chain = line.origin == .apple ? told ?? facts.apple.chain(ofLine: number) : nil
    writer.key("transaction")
    write(
      line.transaction, line: number, account: line.account,
      forecast: forecast && line.transaction.id >= facts.nextTransactionID,
      environment: environment,
      told: chain?.version(id: line.transaction.id), signed: signed, into: &writer)
    if let chain {
      if let version = chain.renewal {
        write(version, of: line, number, text: signed?.toldRenewalInfo(of: number), into: &writer)
      }
      writeToldState(line, chain, into: &writer)
    } else {
      writer.key("renewalInfo")
      write(
        line.renewal, of: line.transaction.product, storefront: line.transaction.storefront,
        // Who has it by Family Sharing was nobody's customer to win back.
        line: number, status: line.transaction.ownership == .purchased ? status : nil,
        signed: signed, into: &writer)
    }
    if let deadline = line.upcoming(terms) { writer.member("nextDue", deadline.time) }
    if let start = line.lastGraceStart.ifEver { writer.member("lastGraceStart", start) }
    if let end = line.lastGraceEnd.ifEver { writer.member("lastGraceEnd", end) }
    writer.endObject()
  }

  /// Writes what the App Store told of a line's renewal. What older records left out of it is put
  /// in from the line.
  private func write(
    _ version: RenewalVersion, of line: Line, _ number: LineNumber, text: [UInt8]?,
    into writer: inout JSONWriter
  ) {
    writer.key("renewalInfo")
    guard let fields = version.fields else {
      write(
        line.renewal, of: line.transaction.product, storefront: line.transaction.storefront,
        line: number, text: text, into: &writer)
      return
    }
    writeTold(version, fields, text: text, into: &writer)
  }
}

extension Line {
  /// The environment that its facts are of: a store's own lines are of the daemon's.
  func environmentName(home: String) -> String {
    origin == .apple ? environment.wireName : home
  }

  /// Whether a question about an environment is about this line.
  func isOf(_ wanted: String, home: String) -> Bool {
    environmentName(home: home) == wanted
  }
}

extension JSONWriter {
  mutating func member(_ name: StaticString, _ value: String) {
    key(name)
    string(value)
  }

  mutating func member(_ name: StaticString, id: UInt64) {
    key(name)
    string(String(id))
  }

  mutating func member(_ name: StaticString, _ value: Instant) {
    key(name)
    int(value.milliseconds)
  }

  mutating func member(_ name: StaticString, int value: Int64) {
    key(name)
    int(value)
  }

  mutating func member(_ name: StaticString, sequence value: UInt64) {
    key(name)
    uint(value)
  }

  mutating func member(_ name: StaticString, flag value: Bool) {
    key(name)
    bool(value)
  }
}

extension ProductType {
  var wireName: String {
    switch self {
    case .autoRenewable: "autoRenewable"
    case .nonConsumable: "nonConsumable"
    case .consumable: "consumable"
    case .nonRenewing: "nonRenewing"
    }
  }
}

extension PaymentMode {
  var wireName: String {
    switch self {
    case .freeTrial: "FREE_TRIAL"
    case .payAsYouGo: "PAY_AS_YOU_GO"
    case .payUpFront: "PAY_UP_FRONT"
    }
  }

  var catalogueName: String {
    switch self {
    case .freeTrial: "freeTrial"
    case .payAsYouGo: "payAsYouGo"
    case .payUpFront: "payUpFront"
    }
  }
}

extension OfferKind {
  var wireName: String {
    switch self {
    case .introductory: "introductory"
    case .promotional: "promotional"
    case .code: "code"
    case .winBack: "winBack"
    }
  }

  init?(wireName: String) {
    guard let kind = Self.allCases.first(where: { $0.wireName == wireName }) else { return nil }
    self = kind
  }
}

extension RevocationType {
  var wireName: String {
    switch self {
    case .refundFull: "REFUND_FULL"
    case .refundProrated: "REFUND_PRORATED"
    case .familyRevoke: "FAMILY_REVOKE"
    }
  }
}
