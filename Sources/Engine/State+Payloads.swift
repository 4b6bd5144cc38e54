import AppStore
import Subscriptions

/// What the store signs, from its records (Domain.md 3.1, 3.2 and 3.4). Dates of signing are put
/// in by whoever signs.
extension State {
  func payload(
    of transaction: Transaction, line: LineNumber, account: AccountNumber,
    _ configuration: Configuration
  ) -> TransactionPayload {
    let product = facts.products[Int(transaction.product)].entry
    let storefront = self.storefront(transaction.storefront)
    var payload = TransactionPayload()
    payload.transactionID = String(transaction.id)
    payload.originalTransactionID = String(transaction.originalID)
    if transaction.webOrderLineItemID != 0 {
      payload.webOrderLineItemID = String(transaction.webOrderLineItemID)
    }
    payload.bundleID = configuration.bundleID
    payload.productID = product.id
    payload.purchaseDate = transaction.purchaseDate
    payload.originalPurchaseDate = transaction.purchaseDate
    if line != noNumber {
      payload.subscriptionGroupIdentifier = facts.texts[Int(facts.lines[Int(line)].group)]
      payload.originalPurchaseDate = facts.lines[Int(line)].originalPurchaseDate
    }
    payload.expiresDate = transaction.expiresDate.ifEver
    payload.quantity = Int64(transaction.quantity)
    payload.type = Open(product.type.signedName)
    // A shared transaction was nobody's purchase with a token (Domain.md 8, case 58).
    if transaction.ownership == .purchased {
      payload.appAccountToken = token(transaction.token, of: account)?.text
    }
    payload.inAppOwnershipType = Open(
      transaction.ownership == .purchased ? .purchased : .familyShared)
    put(transaction.revocation, into: &payload)
    if transaction.isUpgraded { payload.isUpgraded = true }
    if let offer = transaction.offer {
      payload.offerType = Open(raw: Int64(offer.kind.rawValue))
      payload.offerIdentifier = identifier(of: offer)
      payload.offerDiscountType = Open(raw: offer.paymentMode.wireName)
      payload.offerPeriod = offer.period.iso8601
    }
    payload.environment = Open(raw: configuration.environment)
    payload.storefront = storefront.country
    payload.storefrontID = storefront.id
    payload.transactionReason = Open(transaction.reason == .renewal ? .renewal : .purchase)
    payload.price = transaction.price
    payload.currency = storefront.currency
    payload.appTransactionID = Self.appTransactionID(of: account)
    return payload
  }

  private func put(_ revocation: Revocation?, into payload: inout TransactionPayload) {
    guard let revocation else { return }
    payload.revocationDate = revocation.date
    payload.revocationType = Open(raw: revocation.type.wireName)
    // Nothing is paid back where a family's sharing ends.
    guard revocation.type != .familyRevoke else { return }
    payload.revocationReason = Open(raw: Int64(revocation.reason))
    payload.revocationPercentage = Int64(revocation.percentage)
  }

  func payload(
    of renewal: RenewalInfo, product: ProductNumber, storefront: UInt16, line: LineNumber,
    _ configuration: Configuration
  ) -> RenewalInfoPayload {
    let account = facts.lines[Int(line)].account
    var payload = RenewalInfoPayload()
    payload.originalTransactionID = String(facts.lines[Int(line)].transaction.originalID)
    payload.productID = facts.products[Int(product)].entry.id
    payload.autoRenewProductID = facts.products[Int(renewal.autoRenewProduct)].entry.id
    payload.autoRenewStatus = Open(renewal.autoRenews ? .on : .off)
    payload.renewalDate = renewal.renewalDate
    payload.recentSubscriptionStartDate = renewal.recentSubscriptionStartDate
    if let intent = renewal.expirationIntent {
      payload.expirationIntent = Open(raw: Int64(intent.rawValue))
    }
    if renewal.isInBillingRetry { payload.isInBillingRetryPeriod = true }
    payload.gracePeriodExpiresDate = renewal.gracePeriodExpiresDate.ifEver
    if let status = renewal.priceIncreaseStatus {
      payload.priceIncreaseStatus = Open(raw: Int64(status))
    }
    if let offer = renewal.offer {
      payload.offerType = Open(raw: Int64(offer.kind.rawValue))
      payload.offerIdentifier = identifier(of: offer)
      payload.offerDiscountType = Open(raw: offer.paymentMode.wireName)
      payload.offerPeriod = offer.period.iso8601
    }
    payload.renewalPrice = renewal.renewalPrice
    payload.currency = self.storefront(storefront).currency
    if facts.lines[Int(line)].transaction.ownership == .purchased {
      payload.appAccountToken = token(renewal.token, of: account)?.text
    }
    payload.appTransactionID = Self.appTransactionID(of: account)
    payload.environment = Open(raw: configuration.environment)
    return payload
  }

  /// The app as an account has it. `account` is nil for one that was never seen, which has no
  /// number yet.
  func appPayload(
    of account: AccountNumber?, since opened: Instant, _ configuration: Configuration
  ) -> AppTransactionPayload {
    var payload = AppTransactionPayload()
    payload.receiptType = Open(raw: configuration.environment)
    payload.appAppleID = configuration.appAppleID
    payload.bundleID = configuration.bundleID
    payload.applicationVersion = Self.applicationVersion
    payload.originalPurchaseDate = opened
    payload.originalApplicationVersion = Self.applicationVersion
    payload.appTransactionID = account.map { Self.appTransactionID(of: $0) }
    payload.originalPlatform = Open(.iOS)
    return payload
  }

  /// What the sandbox says of every app (Domain.md 3.4).
  private static var applicationVersion: String { "1.0" }

  /// An account's download of the app: its number behind a prefix that no transaction has.
  static func appTransactionID(of account: AccountNumber) -> String {
    String(704_000_000_000_000_001 + UInt64(account))
  }

  private func identifier(of offer: AppliedOffer) -> String? {
    offer.identifier == noNumber ? nil : facts.texts[Int(offer.identifier)]
  }
}

extension ProductType {
  var signedName: Wire.ProductType {
    switch self {
    case .autoRenewable: .autoRenewable
    case .nonConsumable: .nonConsumable
    case .consumable: .consumable
    case .nonRenewing: .nonRenewing
    }
  }
}
