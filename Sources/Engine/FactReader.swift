import AppStore
import Subscriptions

/// Turns a signed text into a fact: verifies it, each signed part inside it, and that it says what
/// no fact can do without.
struct FactReader {
  let signing: Signing
  let bundleID: String
  let appAppleID: Int64?
  /// When certificates must be valid for a text that has no date of its own.
  let now: Instant

  /// - Parameter account: the account given with it.
  func command(
    _ text: String, account: [UInt8]?
  ) throws(VerificationFailure) -> IngestCommand {
    let signed = try CompactJWS(text)
    let wanted: [SignedKind] = [.transaction, .renewalInfo, .notification]
    guard let kind = try signed.kind() else { throw .malformed(.noKnownKind(wanted: wanted)) }
    switch kind {
    case .notification:
      return try command(
        notification: NotificationPayload(json: signed.payload), signed, account: account)
    case .transaction:
      return try command(
        transaction: TransactionPayload(json: signed.payload), signed, account: account)
    case .renewalInfo:
      return try command(
        renewal: RenewalInfoPayload(json: signed.payload), signed, account: account)
    case .appTransaction, .messageRequest, .serverToken:
      throw .wrongKind(kind, wanted: wanted, in: nil)
    }
  }

  private func command(
    transaction: TransactionPayload, _ signed: CompactJWS, account: [UInt8]?
  ) throws(VerificationFailure) -> IngestCommand {
    let verifier = try verifier(of: transaction.environment)
    _ = try verifier.transaction(signed, now: now)
    var command = IngestCommand(
      account: account, environment: try environment(transaction.environment),
      kind: .transaction, identity: try digest(signed.text).prefix, signed: signed.text)
    command.transaction = try reported(transaction, digest: try digest(signed.payload))
    return command
  }

  private func command(
    renewal: RenewalInfoPayload, _ signed: CompactJWS, account: [UInt8]?
  ) throws(VerificationFailure) -> IngestCommand {
    let verifier = try verifier(of: renewal.environment)
    _ = try verifier.renewalInfo(signed, now: now)
    var command = IngestCommand(
      account: account, environment: try environment(renewal.environment), kind: .renewalInfo,
      identity: try digest(signed.text).prefix, signed: signed.text)
    command.renewal = try reported(renewal, digest: try digest(signed.payload))
    return command
  }

  private func command(
    notification: NotificationPayload, _ signed: CompactJWS, account: [UInt8]?
  ) throws(VerificationFailure) -> IngestCommand {
    let verifier = try verifier(of: notification.environment)
    _ = try verifier.notification(signed, now: now)
    let named = notification.notificationUUID.flatMap { UUIDBits(text: $0) }
    let signature = try digest(signed.text)
    var command = IngestCommand(
      account: account, environment: try environment(notification.environment),
      kind: .notification, identity: named ?? signature.prefix,
      notification: reported(notification), signed: signed.text)
    if let text = notification.data?.signedTransactionInfo {
      let part = try CompactJWS(text)
      let payload = try verifier.transaction(part, now: now, in: "signedTransactionInfo")
      command.partIdentities.append(try digest(part.text).prefix)
      command.transaction = try reported(payload, digest: try digest(part.payload))
    }
    if let text = notification.data?.signedRenewalInfo {
      let part = try CompactJWS(text)
      let payload = try verifier.renewalInfo(part, now: now, in: "signedRenewalInfo")
      command.partIdentities.append(try digest(part.text).prefix)
      command.renewal = try reported(payload, digest: try digest(part.payload))
    }
    if let text = notification.appData?.signedAppTransactionInfo {
      _ = try verifier.appTransaction(
        CompactJWS(text), now: now, in: "signedAppTransactionInfo")
    }
    // A renewal info names no app: it is this app's only beside a transaction of its line.
    if let transaction = command.transaction, let renewal = command.renewal,
      transaction.originalID != renewal.originalID
    {
      throw .malformed(.wrongField("signedRenewalInfo"))
    }
    return command
  }

  /// Believes texts of the environment that they name; which one decides where they are kept.
  private func verifier(
    of environment: Open<Wire.Environment>?
  ) throws(VerificationFailure) -> PayloadVerifier {
    guard let environment, environment.known != nil else {
      throw .wrongEnvironment(environment?.raw)
    }
    // Never without a signature, whatever the environment (domain.md 8, case 84).
    return PayloadVerifier(
      trust: .roots(signing.verifier), bundleID: bundleID, appAppleID: appAppleID,
      environment: environment)
  }

  private func environment(
    _ found: Open<Wire.Environment>?
  ) throws(VerificationFailure) -> StoreEnvironment {
    guard let name = found?.raw, let environment = StoreEnvironment(wireName: name) else {
      throw .wrongEnvironment(found?.raw)
    }
    return environment
  }

  private func digest(_ bytes: [UInt8]) throws(VerificationFailure) -> PayloadDigest {
    guard let hash = signing.digests.sha256(of: bytes), let digest = PayloadDigest(bytes: hash)
    else { throw .unavailable("no SHA-256 could be made") }
    return digest
  }
}

// MARK: What a payload says

extension FactReader {
  private func reported(_ payload: NotificationPayload) -> ReportedNotification {
    let isKnown =
      payload.notificationType?.known != nil
      && (payload.subtype == nil || payload.subtype?.known != nil)
    let status = payload.data?.status.flatMap { UInt8(exactly: $0.raw) }
    return ReportedNotification(
      type: payload.notificationType?.raw ?? "", subtype: payload.subtype?.raw, isKnown: isKnown,
      status: status.flatMap { Status(rawValue: $0) })
  }

  private func reported(
    _ payload: TransactionPayload, digest: PayloadDigest
  ) throws(VerificationFailure) -> ReportedTransaction {
    guard let id = number(payload.transactionID) else { throw missing("transactionId") }
    guard let original = number(payload.originalTransactionID) else {
      throw missing("originalTransactionId")
    }
    guard let product = payload.productID, !product.isEmpty else { throw missing("productId") }
    guard let purchased = payload.purchaseDate else { throw missing("purchaseDate") }
    guard let signed = payload.signedDate else { throw missing("signedDate") }
    let type = self.type(payload)
    var fact = ReportedTransaction(
      id: id, originalID: original, productID: product, type: type, purchaseDate: purchased,
      signedDate: signed, digest: digest)
    if type == .autoRenewable {
      guard let expires = payload.expiresDate else { throw missing("expiresDate") }
      fact.expiresDate = expires
      fact.webOrderLineItemID = number(payload.webOrderLineItemID) ?? 0
      fact.groupID = payload.subscriptionGroupIdentifier
    }
    fact.originalPurchaseDate = payload.originalPurchaseDate ?? purchased
    fact.quantity = Int32(clamping: payload.quantity ?? 1)
    fact.price = payload.price
    fact.currency = payload.currency
    fact.storefront = payload.storefront
    let isRenewal = payload.transactionReason.map { $0 == Wire.TransactionReason.renewal }
    fact.reason = isRenewal == true ? .renewal : .purchase
    fact.ownership = isShared(payload) ? .familyShared : .purchased
    fact.offer = offer(
      payload.offerType, payload.offerDiscountType, payload.offerPeriod, payload.offerIdentifier)
    fact.isUpgraded = payload.isUpgraded ?? false
    fact.revocation = revocation(payload)
    // What is no UUID names nobody (cases.md, B54).
    fact.token = payload.appAccountToken.flatMap { UUIDBits(text: $0) }
    return fact
  }

  private func reported(
    _ payload: RenewalInfoPayload, digest: PayloadDigest
  ) throws(VerificationFailure) -> ReportedRenewal {
    guard let original = number(payload.originalTransactionID) else {
      throw missing("originalTransactionId")
    }
    guard let signed = payload.signedDate else { throw missing("signedDate") }
    guard let next = payload.autoRenewProductID ?? payload.productID, !next.isEmpty else {
      throw missing("autoRenewProductId")
    }
    var fact = ReportedRenewal(
      originalID: original, productID: payload.productID ?? next, autoRenewProductID: next,
      autoRenews: payload.autoRenewStatus?.known == .on, signedDate: signed, digest: digest)
    fact.isInBillingRetry = payload.isInBillingRetryPeriod ?? false
    fact.expirationIntent = payload.expirationIntent.flatMap {
      UInt8(exactly: $0.raw).map { ExpirationIntent(rawValue: $0) ?? .other }
    }
    fact.renewalDate = payload.renewalDate
    fact.renewalPrice = payload.renewalPrice
    fact.gracePeriodExpiresDate = payload.gracePeriodExpiresDate ?? .never
    fact.priceIncreaseStatus = payload.priceIncreaseStatus.flatMap { UInt8(exactly: $0.raw) }
    fact.offer = offer(
      payload.offerType, payload.offerDiscountType, payload.offerPeriod, payload.offerIdentifier)
    fact.recentSubscriptionStartDate = payload.recentSubscriptionStartDate
    fact.token = payload.appAccountToken.flatMap { UUIDBits(text: $0) }
    return fact
  }

  /// Ids are decimal numbers; 0 is none.
  private func number(_ text: String?) -> UInt64? {
    guard let text, text.utf8.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }), let id = UInt64(text),
      id != 0
    else { return nil }
    return id
  }

  private func missing(_ field: String) -> VerificationFailure {
    .malformed(.wrongField(field))
  }

  /// The product's type; one that came after this was written is taken for what its dates say.
  private func type(_ payload: TransactionPayload) -> ProductType {
    switch payload.type?.known {
    case .autoRenewable: return .autoRenewable
    case .nonConsumable: return .nonConsumable
    case .consumable: return .consumable
    case .nonRenewing: return .nonRenewing
    case nil: return payload.expiresDate == nil ? .nonRenewing : .autoRenewable
    }
  }

  private func offer(
    _ type: Open<Wire.OfferType>?, _ discount: Open<Wire.OfferDiscountType>?, _ period: String?,
    _ identifier: String?
  ) -> ReportedOffer? {
    guard let raw = type.flatMap({ UInt8(exactly: $0.raw) }), let kind = OfferKind(rawValue: raw),
      let discount, let mode = PaymentMode.allCases.first(where: { $0.wireName == discount.raw })
    else { return nil }
    return ReportedOffer(
      kind: kind, paymentMode: mode, period: period.flatMap { Period(iso8601: $0) } ?? .none,
      identifier: identifier)
  }

  private func isShared(_ payload: TransactionPayload) -> Bool {
    payload.inAppOwnershipType.map { $0 == Wire.OwnershipType.familyShared } ?? false
  }

  private func revocation(_ payload: TransactionPayload) -> Revocation? {
    guard let date = payload.revocationDate else { return nil }
    let type: RevocationType =
      switch payload.revocationType?.known {
      case .refundFull: .refundFull
      case .refundProrated: .refundProrated
      case .familyRevoke: .familyRevoke
      case nil: isShared(payload) ? .familyRevoke : .refundFull
      }
    return Revocation(
      date: date, type: type,
      reason: payload.revocationReason.flatMap { UInt8(exactly: $0.raw) } ?? 0,
      percentage: Int32(clamping: payload.revocationPercentage ?? 100_000))
  }
}
