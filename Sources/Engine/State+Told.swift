import JSON
import Subscriptions

/// Writes fields as they were told: those that were not are left out, and what a record of fixed
/// size cannot hold is written as it came.
private struct ToldWriter {
  let fields: ToldFields

  /// Writes a field under its name: the value that came in the record's place, else what `plain`
  /// writes of the record, where that is what was told.
  func member(
    _ name: StaticString, _ field: ToldField, into writer: inout JSONWriter,
    _ plain: (inout JSONWriter) -> Void = { _ in }
  ) {
    guard let value = fields.value(of: field) else {
      if fields.isPlain(field) { plain(&writer) }
      return
    }
    writer.key(name)
    switch value {
    case .text(let text): writer.string(text)
    case .number(let number): writer.int(number)
    case .json(let text): writer.raw(Array(text.utf8))
    }
  }

  func text(
    _ name: StaticString, _ field: ToldField, _ plain: String?, into writer: inout JSONWriter
  ) {
    member(name, field, into: &writer) { if let plain, !plain.isEmpty { $0.member(name, plain) } }
  }

  func int(
    _ name: StaticString, _ field: ToldField, _ plain: Int64?, into writer: inout JSONWriter
  ) {
    member(name, field, into: &writer) { if let plain { $0.member(name, int: plain) } }
  }

  func time(
    _ name: StaticString, _ field: ToldField, _ plain: Instant?, into writer: inout JSONWriter
  ) {
    int(name, field, plain?.ifEver?.milliseconds, into: &writer)
  }

  func flag(
    _ name: StaticString, _ field: ToldField, _ plain: Bool, into writer: inout JSONWriter
  ) {
    member(name, field, into: &writer) { $0.member(name, flag: plain) }
  }

  func offer(_ offer: AppliedOffer?, _ texts: [String], into writer: inout JSONWriter) {
    let identifier = offer.flatMap { $0.identifier == noNumber ? nil : texts[Int($0.identifier)] }
    int("offerType", .offerType, offer.map { Int64($0.kind.rawValue) }, into: &writer)
    text("offerIdentifier", .offerIdentifier, identifier, into: &writer)
    text("offerDiscountType", .offerDiscountType, offer?.paymentMode.wireName, into: &writer)
    text("offerPeriod", .offerPeriod, offer?.period.iso8601, into: &writer)
  }

  func revocation(_ revocation: Revocation?, into writer: inout JSONWriter) {
    time("revocationDate", .revocationDate, revocation?.date, into: &writer)
    int(
      "revocationReason", .revocationReason, revocation.map { Int64($0.reason) }, into: &writer)
    text("revocationType", .revocationType, revocation?.type.wireName, into: &writer)
    int(
      "revocationPercentage", .revocationPercentage, revocation.map { Int64($0.percentage) },
      into: &writer)
  }
}

extension State {
  /// Writes a transaction with the fields that were told of it, and no others.
  func writeTold(
    _ transaction: Transaction, _ version: TransactionVersion, _ fields: ToldFields,
    line: LineNumber, account: AccountNumber, forecast: Bool, environment: String,
    text: [UInt8]?, into writer: inout JSONWriter
  ) {
    let told = ToldWriter(fields: fields)
    let product = facts.products[Int(transaction.product)]
    let storefront = storefront(transaction.storefront)
    writer.beginObject()
    writer.member("transactionId", id: transaction.id)
    writer.member("originalTransactionId", id: transaction.originalID)
    told.member("webOrderLineItemId", .webOrderLineItemID, into: &writer) {
      guard transaction.webOrderLineItemID != 0 else { return }
      $0.member("webOrderLineItemId", id: transaction.webOrderLineItemID)
    }
    writeAccount(account, into: &writer)
    writer.member("productId", product.entry.id)
    told.text(
      "subscriptionGroupIdentifier", .subscriptionGroupIdentifier,
      groupName(of: transaction, line: line), into: &writer)
    writeType(told, product.entry.type, into: &writer)
    writer.member("purchaseDate", transaction.purchaseDate)
    told.time(
      "originalPurchaseDate", .originalPurchaseDate, version.originalPurchaseDate, into: &writer)
    told.time("expiresDate", .expiresDate, transaction.expiresDate, into: &writer)
    told.int("quantity", .quantity, Int64(transaction.quantity), into: &writer)
    told.int("price", .price, transaction.price, into: &writer)
    told.text("currency", .currency, storefront.currency, into: &writer)
    told.text("storefront", .storefront, storefront.country, into: &writer)
    // Where the currency is another than the storefront's own, the number is the fact's.
    let listed = Storefront.number(country: storefront.country).map { Storefront.all[Int($0)].id }
    told.text("storefrontId", .storefrontID, listed, into: &writer)
    told.text(
      "transactionReason", .transactionReason, transaction.reason.wireName, into: &writer)
    told.text(
      "inAppOwnershipType", .ownershipType, transaction.ownership.wireName, into: &writer)
    told.offer(transaction.offer, facts.texts, into: &writer)
    told.flag("isUpgraded", .isUpgraded, transaction.isUpgraded, into: &writer)
    told.revocation(transaction.revocation, into: &writer)
    told.text("appAccountToken", .appAccountToken, version.token?.text, into: &writer)
    writer.member("environment", environment)
    told.time("signedDate", .signedDate, transaction.signedDate, into: &writer)
    writer.member("finished", flag: transaction.isFinished)
    writer.member("forecast", flag: forecast)
    if !product.isCatalogued { writer.member("uncatalogued", flag: true) }
    writeSigned("signedTransactionInfo", text, into: &writer)
    told.member("appTransactionId", .appTransactionID, into: &writer)
    told.member(
      "previousOriginalTransactionId", .previousOriginalTransactionID, into: &writer)
    told.member("billingPlanType", .billingPlanType, into: &writer)
    told.member("commitmentInfo", .commitmentInfo, into: &writer)
    told.member("advancedCommerceInfo", .advancedCommerceInfo, into: &writer)
    writer.endObject()
  }

  private func groupName(of transaction: Transaction, line: LineNumber) -> String? {
    let known =
      line != noNumber && Int(line) < facts.lines.count ? facts.lines[Int(line)].group : noNumber
    let group = known == noNumber ? facts.products[Int(transaction.product)].group : known
    return line == noNumber || group == noNumber ? nil : facts.texts[Int(group)]
  }

  /// A known type is the product's, unless this fact told another.
  private func writeType(
    _ told: ToldWriter, _ type: ProductType, into writer: inout JSONWriter
  ) {
    if case .number(let raw) = told.fields.value(of: .type),
      let other = UInt8(exactly: raw).flatMap({ ProductType(rawValue: $0) })
    {
      writer.member("type", other.wireName)
    } else {
      told.text("type", .type, type.wireName, into: &writer)
    }
  }

  /// Writes a renewal info with the fields that were told of it, and no others.
  func writeTold(
    _ version: RenewalVersion, _ fields: ToldFields, text: [UInt8]?,
    into writer: inout JSONWriter
  ) {
    let told = ToldWriter(fields: fields)
    let renewal = version.renewal
    let next: String? =
      renewal.autoRenewProduct == noNumber
      ? nil : facts.products[Int(renewal.autoRenewProduct)].entry.id
    writer.beginObject()
    told.text("productId", .productID, next, into: &writer)
    told.text("autoRenewProductId", .autoRenewProductID, next, into: &writer)
    told.int("autoRenewStatus", .autoRenewStatus, renewal.autoRenews ? 1 : 0, into: &writer)
    if let date = renewal.renewalDate.ifEver { writer.member("renewalDate", date) }
    told.int("renewalPrice", .renewalPrice, renewal.renewalPrice, into: &writer)
    told.member("currency", .currency, into: &writer)
    told.flag(
      "isInBillingRetryPeriod", .isInBillingRetryPeriod, renewal.isInBillingRetry, into: &writer)
    told.int(
      "expirationIntent", .expirationIntent,
      renewal.expirationIntent.map { Int64($0.rawValue) }, into: &writer)
    if let end = renewal.gracePeriodExpiresDate.ifEver {
      writer.member("gracePeriodExpiresDate", end)
    }
    told.int(
      "priceIncreaseStatus", .priceIncreaseStatus,
      renewal.priceIncreaseStatus.map { Int64($0) }, into: &writer)
    told.offer(renewal.offer, facts.texts, into: &writer)
    told.member("eligibleWinBackOfferIds", .eligibleWinBackOfferIDs, into: &writer)
    if let start = renewal.recentSubscriptionStartDate.ifEver {
      writer.member("recentSubscriptionStartDate", start)
    }
    told.time("signedDate", .signedDate, renewal.signedDate, into: &writer)
    writeSigned("signedRenewalInfo", text, into: &writer)
    told.text("appAccountToken", .appAccountToken, version.token?.text, into: &writer)
    told.member("appTransactionId", .appTransactionID, into: &writer)
    told.member("renewalBillingPlanType", .renewalBillingPlanType, into: &writer)
    told.member("commitmentInfo", .commitmentInfo, into: &writer)
    told.member("advancedCommerceInfo", .advancedCommerceInfo, into: &writer)
    writer.endObject()
  }

  /// Writes what of a line of the App Store's comes from several facts: whether it renews and why
  /// it ended, by whichever said so last, and an end of grace that none told.
  func writeToldState(_ line: Line, _ chain: AppleChain?, into writer: inout JSONWriter) {
    if let renews = line.renews { writer.member("autoRenewStatus", int: renews ? 1 : 0) }
    if let intent = toldIntent(line, chain) { writer.member("expirationIntent", int: intent) }
    if line.isGraceAssumed {
      writer.member("assumedGraceEnd", line.renewal.gracePeriodExpiresDate)
    }
  }

  /// Apple's number of why a line ended, one that is not known here as it came.
  func toldIntent(_ line: Line, _ chain: AppleChain?) -> Int64? {
    guard let intent = line.renewal.expirationIntent else { return nil }
    if intent == .other,
      case .number(let raw) = chain?.renewal?.fields?.value(of: .expirationIntent)
    {
      return raw
    }
    return Int64(intent.rawValue)
  }
}

extension TransactionReason {
  var wireName: String {
    switch self {
    case .purchase: "purchase"
    case .renewal: "renewal"
    }
  }
}

extension Ownership {
  var wireName: String {
    switch self {
    case .purchased: "purchased"
    case .familyShared: "familyShared"
    }
  }
}
