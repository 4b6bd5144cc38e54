import AppStore
import JSON
import Subscriptions

/// What a payload says, field by field: what has a place in a record of fixed size goes there, all
/// else is kept as it came, and what is not there is marked as not told (Domain.md 3).
extension FactReader {
  func reported(_ payload: NotificationPayload) -> ReportedNotification {
    let isKnown =
      payload.notificationType?.known != nil
      && (payload.subtype == nil || payload.subtype?.known != nil)
    let status = payload.data?.status.flatMap { UInt8(exactly: $0.raw) }
      .flatMap { Status(rawValue: $0) }
    var notification = ReportedNotification(
      type: payload.notificationType?.raw ?? "", subtype: payload.subtype?.raw, isKnown: isKnown,
      status: status)
    notification.otherStatus = status == nil ? payload.data?.status?.raw : nil
    notification.consumptionRequestReason = payload.data?.consumptionRequestReason?.raw
    notification.signedDate = payload.signedDate
    return notification
  }

  func reported(
    _ payload: TransactionPayload, in envelope: Envelope, digest: PayloadDigest
  ) throws(VerificationFailure) -> ReportedTransaction {
    guard let id = try number("transactionId", payload.transactionID) else {
      throw missing("transactionId")
    }
    let original =
      try number("originalTransactionId", payload.originalTransactionID) ?? envelope.originalID
    guard let original else { throw missing("originalTransactionId") }
    guard let product = payload.productID, !product.isEmpty else { throw missing("productId") }
    guard let purchased = payload.purchaseDate else { throw missing("purchaseDate") }
    guard let signed = payload.signedDate ?? envelope.signedDate else {
      throw missing("signedDate")
    }
    let type = self.type(payload)
    var fact = ReportedTransaction(
      id: id, originalID: original, productID: product, type: type, purchaseDate: purchased,
      signedDate: signed, digest: digest)
    var told = ToldFields()
    if payload.signedDate == nil { told.leaveOut(.signedDate) }
    if payload.type?.known == nil { told.put(.type, text: payload.type?.raw) }
    if type == .autoRenewable {
      guard let expires = payload.expiresDate else { throw missing("expiresDate") }
      fact.expiresDate = expires
      fact.webOrderLineItemID = plainNumber(payload.webOrderLineItemID) ?? 0
      fact.groupID = payload.subscriptionGroupIdentifier
      if fact.webOrderLineItemID == 0 {
        told.put(.webOrderLineItemID, text: payload.webOrderLineItemID)
      }
      if fact.groupID == nil { told.leaveOut(.subscriptionGroupIdentifier) }
    } else {
      told.put(.expiresDate, number: payload.expiresDate?.milliseconds)
      told.put(.webOrderLineItemID, text: payload.webOrderLineItemID)
      told.put(.subscriptionGroupIdentifier, text: payload.subscriptionGroupIdentifier)
    }
    fact.originalPurchaseDate = payload.originalPurchaseDate ?? purchased
    if payload.originalPurchaseDate == nil { told.leaveOut(.originalPurchaseDate) }
    // What is no UUID names nobody (Domain.md, B54).
    fact.token = payload.appAccountToken.flatMap { UUIDBits(text: $0) }
    if fact.token == nil { told.put(.appAccountToken, text: payload.appAccountToken) }
    fact.isUpgraded = payload.isUpgraded ?? false
    if payload.isUpgraded == nil { told.leaveOut(.isUpgraded) }
    sale(payload, into: &fact, &told)
    fact.offer = offer(
      payload.offerType, payload.offerDiscountType, payload.offerPeriod, payload.offerIdentifier,
      &told)
    fact.revocation = revocation(payload, &told)
    rest(payload, &told)
    fact.fields = told
    return fact
  }

  /// What was sold to whom, where, and for how much.
  private func sale(
    _ payload: TransactionPayload, into fact: inout ReportedTransaction, _ told: inout ToldFields
  ) {
    if let quantity = payload.quantity, let small = Int32(exactly: quantity) {
      fact.quantity = small
    } else {
      told.put(.quantity, number: payload.quantity)
    }
    fact.price = payload.price
    if payload.price == nil { told.leaveOut(.price) }
    fact.currency = payload.currency
    fact.storefront = payload.storefront
    let storefront = payload.storefront.flatMap { Storefront.number(country: $0) }
    if payload.storefrontID == nil
      || storefront.map({ Storefront.all[Int($0)].id }) != payload.storefrontID
    {
      told.put(.storefrontID, text: payload.storefrontID)
    }
    switch payload.transactionReason?.known {
    case .purchase: fact.reason = .purchase
    case .renewal: fact.reason = .renewal
    case nil: told.put(.transactionReason, text: payload.transactionReason?.raw)
    }
    switch payload.inAppOwnershipType?.known {
    case .purchased: fact.ownership = .purchased
    case .familyShared: fact.ownership = .familyShared
    case nil: told.put(.ownershipType, text: payload.inAppOwnershipType?.raw)
    }
  }

  /// What only those use who keep it.
  private func rest(_ payload: TransactionPayload, _ told: inout ToldFields) {
    told.put(.appTransactionID, text: payload.appTransactionID)
    told.put(.previousOriginalTransactionID, text: payload.previousOriginalTransactionID)
    told.put(.billingPlanType, text: payload.billingPlanType?.raw)
    told.put(.commitmentInfo, json: payload.commitmentInfo?.json)
    told.put(.advancedCommerceInfo, json: payload.advancedCommerceInfo?.compactBytes)
  }

  func reported(
    _ payload: RenewalInfoPayload, in envelope: Envelope, digest: PayloadDigest
  ) throws(VerificationFailure) -> ReportedRenewal {
    let original =
      try number("originalTransactionId", payload.originalTransactionID) ?? envelope.originalID
    guard let original else { throw missing("originalTransactionId") }
    guard let signed = payload.signedDate ?? envelope.signedDate else {
      throw missing("signedDate")
    }
    var told = ToldFields()
    if payload.signedDate == nil { told.leaveOut(.signedDate) }
    let next = payload.autoRenewProductID.flatMap { $0.isEmpty ? nil : $0 }
    var renews: Bool?
    switch payload.autoRenewStatus?.known {
    case .on: renews = true
    case .off: renews = false
    case nil: told.put(.autoRenewStatus, number: payload.autoRenewStatus?.raw)
    }
    var fact = ReportedRenewal(
      originalID: original, autoRenewProductID: next, autoRenews: renews, signedDate: signed,
      digest: digest)
    if next == nil { told.leaveOut(.autoRenewProductID) }
    // Most often both are one, which the record holds.
    if payload.productID == nil || payload.productID != next {
      told.put(.productID, text: payload.productID)
    }
    fact.isInBillingRetry = payload.isInBillingRetryPeriod
    if payload.isInBillingRetryPeriod == nil { told.leaveOut(.isInBillingRetryPeriod) }
    if let raw = payload.expirationIntent?.raw {
      fact.expirationIntent = UInt8(exactly: raw).flatMap { ExpirationIntent(rawValue: $0) }
      if fact.expirationIntent == nil {
        // It ended, or is in trouble, for a reason of a later time.
        fact.expirationIntent = .other
        told.put(.expirationIntent, number: raw)
      }
    }
    fact.renewalDate = payload.renewalDate
    fact.renewalPrice = payload.renewalPrice
    if payload.renewalPrice == nil { told.leaveOut(.renewalPrice) }
    fact.gracePeriodExpiresDate = payload.gracePeriodExpiresDate ?? .never
    if let raw = payload.priceIncreaseStatus?.raw {
      fact.priceIncreaseStatus = UInt8(exactly: raw)
      if fact.priceIncreaseStatus == nil { told.put(.priceIncreaseStatus, number: raw) }
    }
    fact.offer = offer(
      payload.offerType, payload.offerDiscountType, payload.offerPeriod, payload.offerIdentifier,
      &told)
    fact.recentSubscriptionStartDate = payload.recentSubscriptionStartDate
    fact.token = payload.appAccountToken.flatMap { UUIDBits(text: $0) }
    if fact.token == nil { told.put(.appAccountToken, text: payload.appAccountToken) }
    rest(payload, &told)
    fact.fields = told
    return fact
  }

  private func rest(_ payload: RenewalInfoPayload, _ told: inout ToldFields) {
    told.put(.currency, text: payload.currency)
    if let ids = payload.eligibleWinBackOfferIDs {
      let list = JSONValue.array(ids.map { .string($0) })
      told.put(.eligibleWinBackOfferIDs, json: list.compactBytes)
    }
    told.put(.appTransactionID, text: payload.appTransactionID)
    told.put(.renewalBillingPlanType, text: payload.renewalBillingPlanType?.raw)
    told.put(.commitmentInfo, json: payload.commitmentInfo?.json)
    told.put(.advancedCommerceInfo, json: payload.advancedCommerceInfo?.compactBytes)
  }

  // MARK: Parts

  /// An id: a decimal number; 0 is none. Nil where it is not there.
  func number(
    _ field: String, _ text: String?
  ) throws(VerificationFailure) -> UInt64? {
    guard let text else { return nil }
    guard text.utf8.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }), let id = UInt64(text), id != 0
    else { throw .malformed(.wrongField(field)) }
    return id
  }

  /// A number that is written as numbers are; nil for any other text.
  private func plainNumber(_ text: String?) -> UInt64? {
    guard let text, let number = UInt64(text), String(number) == text else { return nil }
    return number
  }

  func missing(_ field: String) -> VerificationFailure {
    .malformed(.missingField(field))
  }

  /// The product's type; one that was not told, or came after this was written, is taken for what
  /// its dates say.
  private func type(_ payload: TransactionPayload) -> ProductType {
    switch payload.type?.known {
    case .autoRenewable: return .autoRenewable
    case .nonConsumable: return .nonConsumable
    case .consumable: return .consumable
    case .nonRenewing: return .nonRenewing
    case nil: return payload.expiresDate == nil ? .nonRenewing : .autoRenewable
    }
  }

  /// Each part of an offer counts by itself: the record holds those that it has numbers for.
  private func offer(
    _ type: Open<Wire.OfferType>?, _ discount: Open<Wire.OfferDiscountType>?, _ period: String?,
    _ identifier: String?, _ told: inout ToldFields
  ) -> ReportedOffer? {
    guard let kind = type.flatMap({ UInt8(exactly: $0.raw) }).flatMap({ OfferKind(rawValue: $0) })
    else {
      told.put(.offerType, number: type?.raw)
      told.put(.offerDiscountType, text: discount?.raw)
      told.put(.offerPeriod, text: period)
      told.put(.offerIdentifier, text: identifier)
      return nil
    }
    let mode = PaymentMode.allCases.first { $0.wireName == discount?.raw }
    if mode == nil { told.put(.offerDiscountType, text: discount?.raw) }
    let length = period.flatMap { Period(iso8601: $0) }
    if length == nil || length?.iso8601 != period { told.put(.offerPeriod, text: period) }
    return ReportedOffer(
      kind: kind, paymentMode: mode ?? .payAsYouGo, period: length ?? .none,
      identifier: identifier)
  }

  private func revocation(
    _ payload: TransactionPayload, _ told: inout ToldFields
  ) -> Revocation? {
    let type: RevocationType? =
      switch payload.revocationType?.known {
      case .refundFull: .refundFull
      case .refundProrated: .refundProrated
      case .familyRevoke: .familyRevoke
      case nil: nil
      }
    let isDated = payload.revocationDate != nil
    if !isDated || type == nil { told.put(.revocationType, text: payload.revocationType?.raw) }
    let reason = payload.revocationReason.flatMap { UInt8(exactly: $0.raw) }
    if !isDated || reason == nil {
      told.put(.revocationReason, number: payload.revocationReason?.raw)
    }
    let share = payload.revocationPercentage.flatMap { Int32(exactly: $0) }
    if !isDated || share == nil {
      told.put(.revocationPercentage, number: payload.revocationPercentage)
    }
    guard let date = payload.revocationDate else {
      told.leaveOut(.revocationDate)
      return nil
    }
    let isShared = payload.inAppOwnershipType?.known == .familyShared
    return Revocation(
      date: date, type: type ?? (isShared ? .familyRevoke : .refundFull), reason: reason ?? 0,
      percentage: share ?? Revocation.whole)
  }
}

extension ToldFields {
  /// Keeps a field as it came; marks it as not told where it did not.
  fileprivate mutating func put(_ field: ToldField, text: String?) {
    if let text { put(field, .text(text)) } else { leaveOut(field) }
  }

  fileprivate mutating func put(_ field: ToldField, number: Int64?) {
    if let number { put(field, .number(number)) } else { leaveOut(field) }
  }

  fileprivate mutating func put(_ field: ToldField, json: [UInt8]?) {
    guard let json else {
      leaveOut(field)
      return
    }
    put(field, .json(String(decoding: json, as: UTF8.self)))
  }
}

extension JSONValue {
  fileprivate var compactBytes: [UInt8] { Array(compactText.utf8) }
}
