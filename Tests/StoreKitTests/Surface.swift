import StoreKit
import Testing

// The public surface of StoreKit 2, declaration by declaration, with the types, labels and
// optionality of Apple's interface. That it compiles is the test; the raw values are compared.
// The same file is compiled in Swift 5 and in Swift 6 mode.

private func isSendable<Value: Sendable>(_ type: Value.Type) {}
private func isHashable<Value: Hashable>(_ type: Value.Type) {}
private func isError<Value: Error>(_ type: Value.Type) {}
private func isIdentifiable<Value: Identifiable>(_ type: Value.Type) {}
private func isStruct<Value: RawRepresentable & Hashable & Sendable>(
  of type: Value.Type, _ raw: Value.RawValue.Type
) {}
private func never<Sequence: AsyncSequence & Sendable>(
  _ sequence: Sequence
) -> Sequence where Sequence.Failure == Never { sequence }

@Suite("The surface of StoreKit 2")
struct StoreKitTwoSurface {
  @Test("a product is as Apple declares it")
  func product() {
    let _: KeyPath<Product, Data> = \.jsonRepresentation
    let _: KeyPath<Product, String> = \.id
    let _: KeyPath<Product, Product.ProductType> = \.type
    let _: KeyPath<Product, String> = \.displayName
    let _: KeyPath<Product, String> = \.description
    let _: KeyPath<Product, Decimal> = \.price
    let _: KeyPath<Product, String> = \.displayPrice
    let _: KeyPath<Product, Bool> = \.isFamilyShareable
    let _: KeyPath<Product, Product.SubscriptionInfo?> = \.subscription
    let _: KeyPath<Product, Decimal.FormatStyle.Currency> = \.priceFormatStyle
    let _: KeyPath<Product, Product.SubscriptionPeriod.Unit.FormatStyle> =
      \.subscriptionPeriodUnitFormatStyle
    let _: (Product) -> String? = { product in
      product.subscription?.subscriptionPeriod.formatted(product.subscriptionPeriodFormatStyle)
    }
    let _: ([String]) async throws -> [Product] = { try await Product.products(for: $0) }
    let _: (Set<String>) async throws -> [Product] = { try await Product.products(for: $0) }
    let _: (Product) async -> VerificationResult<Transaction>? = { await $0.latestTransaction }
    let _: (Product) async throws -> Product.PurchaseResult = { try await $0.purchase() }
    let _: (Product, Set<Product.PurchaseOption>) async throws -> Product.PurchaseResult = {
      try await $0.purchase(options: $1)
    }
    isSendable(Product.self)
    isHashable(Product.self)
    isIdentifiable(Product.self)
    isSendable(Product.PurchaseResult.self)
    isStruct(of: Product.ProductType.self, String.self)
    let types: [Product.ProductType] = [
      .consumable, .nonConsumable, .nonRenewable, .autoRenewable,
    ]
    #expect(
      types.map(\.rawValue) == [
        "Consumable", "Non-Consumable", "Non-Renewing Subscription",
        "Auto-Renewable Subscription",
      ])
    let _: KeyPath<Product.ProductType, String> = \.localizedDescription
  }

  @Test("the outcomes of a purchase are as Apple declares them")
  func outcomes() {
    let _: (Product.PurchaseResult) -> VerificationResult<Transaction>? = { result in
      switch result {
      case .success(let transaction): transaction
      case .userCancelled, .pending: nil
      @unknown default: nil
      }
    }
    isError(Product.PurchaseError.self)
    let errors: [Product.PurchaseError] = [
      .invalidQuantity, .productUnavailable, .purchaseNotAllowed, .ineligibleForOffer,
      .invalidOfferIdentifier, .invalidOfferPrice, .invalidOfferSignature,
      .missingOfferParameters,
    ]
    #expect(Set(errors).count == 8)
    isError(StoreKitError.self)
    isSendable(StoreKitError.self)
    let failures: [StoreKitError] = [
      .unknown, .userCancelled, .networkError(URLError(.timedOut)),
      .systemError(CancellationError()), .notAvailableInStorefront, .notEntitled, .unsupported,
    ]
    #expect(failures.count == 7)
  }

  @Test("the options of a purchase are as Apple declares them")
  func options() {
    isHashable(Product.PurchaseOption.self)
    isSendable(Product.PurchaseOption.self)
    let signature = Product.SubscriptionOffer.Signature(
      keyID: "K", nonce: UUID(), timestamp: 1, signature: Data())
    let _: (Product.SubscriptionOffer) -> Product.PurchaseOption = { .winBackOffer($0) }
    let options: Set<Product.PurchaseOption> = [
      .appAccountToken(UUID()), .quantity(2),
      .promotionalOffer(
        offerID: "o", keyID: "k", nonce: UUID(), signature: Data(), timestamp: 1),
      .promotionalOffer(offerID: "o", signature: signature),
      .introductoryOfferEligibility(compactJWS: ""), .simulatesAskToBuyInSandbox(true),
      .onStorefrontChange { (storefront: Storefront) in storefront.countryCode == "USA" },
      .custom(key: "a", value: "text"), .custom(key: "a", value: 1.5),
      .custom(key: "a", value: true), .custom(key: "a", value: Data()),
    ]
    #expect(options.count == 11)
    let more: [Product.PurchaseOption] = Product.PurchaseOption.promotionalOffer(
      "o", compactJWS: "")
    #expect(more.count == 1)
  }

  @Test("periods and offers are as Apple declares them")
  func periods() {
    let _: KeyPath<Product.SubscriptionPeriod, Product.SubscriptionPeriod.Unit> = \.unit
    let _: KeyPath<Product.SubscriptionPeriod, Int> = \.value
    let units: [Product.SubscriptionPeriod.Unit] = [.year, .day, .month, .week]
    #expect(units.sorted() == [.day, .week, .month, .year])
    let _: KeyPath<Product.SubscriptionPeriod.Unit, String> = \.localizedDescription
    let periods: [Product.SubscriptionPeriod] = [
      .weekly, .monthly, .yearly, .everyThreeDays, .everyTwoWeeks, .everyTwoMonths,
      .everyThreeMonths, .everySixMonths,
    ]
    #expect(periods.map(\.value) == [1, 1, 1, 3, 2, 2, 3, 6])
    let _: Range<Date> = Product.SubscriptionPeriod.monthly.dateRange()
    let _: Range<Date> = Product.SubscriptionPeriod.monthly.dateRange(referenceDate: .now)
    typealias Offer = Product.SubscriptionOffer
    isHashable(Offer.self)
    isStruct(of: Offer.OfferType.self, String.self)
    isStruct(of: Offer.PaymentMode.self, String.self)
    let _: [Offer.OfferType] = [.introductory, .promotional, .winBack]
    let _: [Offer.PaymentMode] = [.payAsYouGo, .payUpFront, .freeTrial]
    let _: KeyPath<Offer, String?> = \.id
    let _: KeyPath<Offer, Offer.OfferType> = \.type
    let _: KeyPath<Offer, Decimal> = \.price
    let _: KeyPath<Offer, String> = \.displayPrice
    let _: KeyPath<Offer, Product.SubscriptionPeriod> = \.period
    let _: KeyPath<Offer, Int> = \.periodCount
    let _: KeyPath<Offer, Offer.PaymentMode> = \.paymentMode
    let _: WritableKeyPath<Offer.Signature, String> = \.keyID
    let _: WritableKeyPath<Offer.Signature, UUID> = \.nonce
    let _: WritableKeyPath<Offer.Signature, Int> = \.timestamp
    let _: WritableKeyPath<Offer.Signature, Data> = \.signature
  }

  @Test("what a subscription is, is as Apple declares it")
  func subscription() {
    typealias Info = Product.SubscriptionInfo
    isHashable(Info.self)
    let _: KeyPath<Info, Product.SubscriptionOffer?> = \.introductoryOffer
    let _: KeyPath<Info, [Product.SubscriptionOffer]> = \.promotionalOffers
    let _: KeyPath<Info, [Product.SubscriptionOffer]> = \.winBackOffers
    let _: KeyPath<Info, String> = \.subscriptionGroupID
    let _: KeyPath<Info, Product.SubscriptionPeriod> = \.subscriptionPeriod
    let _: KeyPath<Info, Int> = \.groupLevel
    let _: KeyPath<Info, String> = \.groupDisplayName
    let _: (Info) async -> Bool = { await $0.isEligibleForIntroOffer }
    let _: (String) async -> Bool = { await Info.isEligibleForIntroOffer(for: $0) }
    let _: (Info) async throws -> [Info.Status] = { try await $0.status }
    let _: (String) async throws -> [Info.Status] = { try await Info.status(for: $0) }
    let _: (UInt64) async throws -> SubscriptionStatus? = {
      try await Info.status(transactionID: $0)
    }
    isStruct(of: Info.RenewalState.self, Int.self)
    let states: [Info.RenewalState] = [
      .subscribed, .expired, .inBillingRetryPeriod, .inGracePeriod, .revoked,
    ]
    #expect(states.map(\.rawValue) == [1, 2, 3, 4, 5])
    let _: KeyPath<Info.RenewalState, String> = \.localizedDescription
    isHashable(Info.Status.self)
    isSendable(Info.Status.self)
    let _: KeyPath<Info.Status, Info.RenewalState> = \.state
    let _: KeyPath<Info.Status, VerificationResult<Transaction>> = \.transaction
    let _: KeyPath<Info.Status, VerificationResult<Info.RenewalInfo>> = \.renewalInfo
    let _: () async -> Info.Status? = { await Info.Status.updates.first { _ in true } }
    let _: () -> AsyncStream<(groupID: String, statuses: [Info.Status])> = { Info.Status.all }
  }

  @Test("renewal info is as Apple declares it")
  func renewalInfo() {
    typealias Info = Product.SubscriptionInfo.RenewalInfo
    isHashable(Info.self)
    isSendable(Info.self)
    isStruct(of: Info.ExpirationReason.self, Int.self)
    let reasons: [Info.ExpirationReason] = [
      .autoRenewDisabled, .billingError, .didNotConsentToPriceIncrease, .productUnavailable,
      .unknown,
    ]
    #expect(reasons.map(\.rawValue) == [1, 2, 3, 4, 5])
    let _: [Info.PriceIncreaseStatus] = [.noIncreasePending, .pending, .agreed]
    let _: KeyPath<Info, Data> = \.jsonRepresentation
    let _: KeyPath<Info, UInt64> = \.originalTransactionID
    let _: KeyPath<Info, String> = \.currentProductID
    let _: KeyPath<Info, Bool> = \.willAutoRenew
    let _: KeyPath<Info, String?> = \.autoRenewPreference
    let _: KeyPath<Info, Info.ExpirationReason?> = \.expirationReason
    let _: KeyPath<Info, Info.PriceIncreaseStatus> = \.priceIncreaseStatus
    let _: KeyPath<Info, Bool> = \.isInBillingRetry
    let _: KeyPath<Info, Date?> = \.gracePeriodExpirationDate
    let _: KeyPath<Info, Transaction.Offer?> = \.offer
    let _: KeyPath<Info, AppStore.Environment> = \.environment
    let _: KeyPath<Info, Date> = \.recentSubscriptionStartDate
    let _: KeyPath<Info, Date?> = \.renewalDate
    let _: KeyPath<Info, Decimal?> = \.renewalPrice
    let _: KeyPath<Info, Locale.Currency?> = \.currency
    let _: KeyPath<Info, [String]> = \.eligibleWinBackOfferIDs
    let _: KeyPath<Info, String> = \.appTransactionID
    let _: KeyPath<Info, UUID?> = \.appAccountToken
    let _: KeyPath<Info, Data> = \.deviceVerification
    let _: KeyPath<Info, UUID> = \.deviceVerificationNonce
    let _: KeyPath<Info, Date> = \.signedDate
  }

  @Test("a transaction is as Apple declares it")
  func transaction() {
    isHashable(Transaction.self)
    isSendable(Transaction.self)
    isIdentifiable(Transaction.self)
    let _: KeyPath<Transaction, Data> = \.jsonRepresentation
    let _: KeyPath<Transaction, UInt64> = \.id
    let _: KeyPath<Transaction, UInt64> = \.originalID
    let _: KeyPath<Transaction, String?> = \.webOrderLineItemID
    let _: KeyPath<Transaction, String> = \.productID
    let _: KeyPath<Transaction, String?> = \.subscriptionGroupID
    let _: KeyPath<Transaction, String> = \.appBundleID
    let _: KeyPath<Transaction, Date> = \.purchaseDate
    let _: KeyPath<Transaction, Date> = \.originalPurchaseDate
    let _: KeyPath<Transaction, Date?> = \.expirationDate
    let _: KeyPath<Transaction, Int> = \.purchasedQuantity
    let _: KeyPath<Transaction, Bool> = \.isUpgraded
    let _: KeyPath<Transaction, Transaction.Offer?> = \.offer
    let _: KeyPath<Transaction, Date?> = \.revocationDate
    let _: KeyPath<Transaction, Transaction.RevocationReason?> = \.revocationReason
    let _: KeyPath<Transaction, Product.ProductType> = \.productType
    let _: KeyPath<Transaction, UUID?> = \.appAccountToken
    let _: KeyPath<Transaction, AppStore.Environment> = \.environment
    let _: KeyPath<Transaction, Transaction.Reason> = \.reason
    let _: KeyPath<Transaction, Storefront> = \.storefront
    let _: KeyPath<Transaction, Decimal?> = \.price
    let _: KeyPath<Transaction, Locale.Currency?> = \.currency
    let _: KeyPath<Transaction, String> = \.appTransactionID
    let _: KeyPath<Transaction, Data> = \.deviceVerification
    let _: KeyPath<Transaction, UUID> = \.deviceVerificationNonce
    let _: KeyPath<Transaction, Transaction.OwnershipType> = \.ownershipType
    let _: KeyPath<Transaction, Date> = \.signedDate
    let _: (Transaction) async -> Void = { await $0.finish() }
    let _: (Transaction) async -> Product.SubscriptionInfo.Status? = {
      await $0.subscriptionStatus
    }
    isError(Transaction.RefundRequestError.self)
    let _: [Transaction.RefundRequestError] = [.duplicateRequest, .failed]
    let _: [Transaction.RefundRequestStatus] = [.success, .userCancelled]
    // Apple's take a scene besides.
    let _: (Transaction) async throws -> Transaction.RefundRequestStatus = {
      try await $0.beginRefundRequest()
    }
    let _: (UInt64) async throws -> Transaction.RefundRequestStatus = {
      try await Transaction.beginRefundRequest(for: $0)
    }
  }

  @Test("the small types of a transaction have the wire's raw values")
  func transactionKinds() {
    isStruct(of: Transaction.Reason.self, String.self)
    #expect([Transaction.Reason.purchase, .renewal].map(\.rawValue) == ["PURCHASE", "RENEWAL"])
    isStruct(of: Transaction.RevocationReason.self, Int.self)
    #expect([Transaction.RevocationReason.other, .developerIssue].map(\.rawValue) == [0, 1])
    isStruct(of: Transaction.OfferType.self, Int.self)
    let offers: [Transaction.OfferType] = [.introductory, .promotional, .code, .winBack]
    #expect(offers.map(\.rawValue) == [1, 2, 3, 4])
    isStruct(of: Transaction.OwnershipType.self, String.self)
    let ownership: [Transaction.OwnershipType] = [.purchased, .familyShared]
    #expect(ownership.map(\.rawValue) == ["PURCHASED", "FAMILY_SHARED"])
    typealias Offer = Transaction.Offer
    isHashable(Offer.self)
    let _: KeyPath<Offer, String?> = \.id
    let _: KeyPath<Offer, Transaction.OfferType> = \.type
    let _: KeyPath<Offer, Offer.PaymentMode?> = \.paymentMode
    let _: KeyPath<Offer, Product.SubscriptionPeriod?> = \.period
    isStruct(of: Offer.PaymentMode.self, String.self)
    let modes: [Offer.PaymentMode] = [.freeTrial, .payAsYouGo, .payUpFront]
    #expect(modes.map(\.rawValue) == ["FREE_TRIAL", "PAY_AS_YOU_GO", "PAY_UP_FRONT"])
  }

  @Test("the sequences of transactions are as Apple declares them, and cannot fail")
  func sequences() {
    let _: [Transaction.Transactions] = [
      never(Transaction.all), never(Transaction.currentEntitlements),
      never(Transaction.unfinished), never(Transaction.updates),
      Transaction.currentEntitlements(for: "p"), Transaction.all(for: "p"),
    ]
    let _: (String) async -> VerificationResult<Transaction>? = {
      await Transaction.latest(for: $0)
    }
    let _: () async -> Void = {
      for await result in Transaction.updates {
        let _: VerificationResult<Transaction> = result
      }
    }
  }

  @Test("the outcome of a check is as Apple declares it")
  func verification() throws {
    typealias Result = VerificationResult<Transaction>
    isSendable(Result.self)
    isHashable(Result.self)
    let errors: [Result.VerificationError] = [
      .revokedCertificate, .invalidCertificateChain, .invalidDeviceVerification,
      .invalidEncoding, .invalidSignature, .missingRequiredProperties,
    ]
    isError(Result.VerificationError.self)
    let _: KeyPath<Result, Transaction> = \.unsafePayloadValue
    let _: (Result) throws -> Transaction = { try $0.payloadValue }
    let _: [KeyPath<Result, Data>] = [
      \.headerData, \.payloadData, \.signatureData, \.signedData, \.deviceVerification,
    ]
    let _: KeyPath<Result, String> = \.jwsRepresentation
    let _: KeyPath<Result, Date> = \.signedDate
    let _: KeyPath<Result, UUID> = \.deviceVerificationNonce
    let _: KeyPath<VerificationResult<Product.SubscriptionInfo.RenewalInfo>, String> =
      \.jwsRepresentation
    let _: KeyPath<VerificationResult<AppTransaction>, String> = \.jwsRepresentation
    let number = VerificationResult<Int>.unverified(7, .invalidSignature)
    #expect(number.unsafePayloadValue == 7)
    #expect(throws: VerificationResult<Int>.VerificationError.invalidSignature) {
      try number.payloadValue
    }
    #expect(try VerificationResult<Int>.verified(8).payloadValue == 8)
    #expect(Set(errors).count == 6)
  }

  @Test("the app's own transaction, the store and its fronts are as Apple declares them")
  func store() {
    isHashable(AppTransaction.self)
    isSendable(AppTransaction.self)
    let _: KeyPath<AppTransaction, Data> = \.jsonRepresentation
    let _: [KeyPath<AppTransaction, UInt64?>] = [\.appID, \.appVersionID]
    let _: [KeyPath<AppTransaction, String>] = [
      \.appVersion, \.bundleID, \.originalAppVersion, \.appTransactionID,
    ]
    let _: KeyPath<AppTransaction, AppStore.Environment> = \.environment
    let _: [KeyPath<AppTransaction, Date>] = [\.originalPurchaseDate, \.signedDate]
    let _: KeyPath<AppTransaction, Date?> = \.preorderDate
    let _: KeyPath<AppTransaction, Data> = \.deviceVerification
    let _: KeyPath<AppTransaction, UUID> = \.deviceVerificationNonce
    let _: KeyPath<AppTransaction, AppStore.Platform> = \.originalPlatform
    let _: () async throws -> VerificationResult<AppTransaction> = {
      try await AppTransaction.shared
    }
    let _: () async throws -> VerificationResult<AppTransaction> = {
      try await AppTransaction.refresh()
    }
    let _: Bool = AppStore.canMakePayments
    let _: UUID? = AppStore.deviceVerificationID
    let _: () async throws -> Void = { try await AppStore.sync() }
    isStruct(of: AppStore.Environment.self, String.self)
    let environments: [AppStore.Environment] = [.production, .sandbox, .xcode]
    #expect(environments.map(\.rawValue) == ["Production", "Sandbox", "Xcode"])
    let _: [AppStore.Platform] = [.iOS, .macOS, .tvOS, .visionOS]
    isSendable(Storefront.self)
    isIdentifiable(Storefront.self)
    let _: [KeyPath<Storefront, String>] = [\.countryCode, \.id]
    let _: KeyPath<Storefront, Locale.Currency?> = \.currency
    let _: () async -> Storefront? = { await Storefront.current }
    let _: Storefront.Storefronts = never(Storefront.updates)
    let _: KeyPath<PurchaseIntent, Product> = \.product
    let _: KeyPath<PurchaseIntent, Product.SubscriptionOffer?> = \.offer
    let _: PurchaseIntent.PurchaseIntents = never(PurchaseIntent.intents)
    let _: KeyPath<Message, Message.Reason> = \.reason
    let _: [Message.Reason] = [.generic, .priceIncreaseConsent, .billingIssue, .winBackOffer]
    let _: Message.Messages = never(Message.messages)
  }
}
