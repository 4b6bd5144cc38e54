import StoreKit
import Testing

// What Apple's newer interfaces added, and what its older ones dropped, declaration by declaration.
// Compiled in Swift 5 and 6 modes.

private func isSendable<Value: Sendable>(_ type: Value.Type) {}
private func isHashable<Value: Hashable>(_ type: Value.Type) {}
private func isError<Value: LocalizedError>(_ type: Value.Type) {}
private func isIdentifiable<Value: Identifiable>(
  _ type: Value.Type, by id: Value.ID.Type
) where Value.ID == String {}
private func isStruct<Value: RawRepresentable & Hashable & Sendable>(
  of type: Value.Type, _ raw: Value.RawValue.Type
) {}
private func isDebugged<Value: CustomDebugStringConvertible>(_ type: Value.Type) {}

/// An observer of the time when Apple hosted content.
private final class Downloader: NSObject, SKPaymentTransactionObserver {
  func paymentQueue(
    _ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction]
  ) {}

  @available(*, deprecated)
  func paymentQueue(_ queue: SKPaymentQueue, updatedDownloads downloads: [SKDownload]) {}
}

@Suite("The newer surface of StoreKit, and what old code still names")
struct NewerSurface {
  @Test("wishes to buy are identifiable, and an error of a refund says itself in words")
  func small() {
    isIdentifiable(PurchaseIntent.self, by: Product.ID.self)
    isError(Transaction.RefundRequestError.self)
    let errors: [Transaction.RefundRequestError] = [.duplicateRequest, .failed]
    #expect(
      errors.map(\.localizedDescription) == [
        "A refund was asked for already.", "The refund could not be asked for.",
      ])
  }

  @available(*, deprecated)
  @Test("hosted content is named, and there is none")
  func downloads() {
    let states: [SKDownloadState] = [
      .waiting, .active, .paused, .finished, .failed, .cancelled,
    ]
    #expect(states.map(\.rawValue) == Array(0...5))
    let _: [KeyPath<SKDownload, String>] = [\.contentIdentifier, \.contentVersion]
    let _: KeyPath<SKDownload, SKDownloadState> = \.state
    let _: KeyPath<SKDownload, URL?> = \.contentURL
    let _: KeyPath<SKDownload, Int64> = \.expectedContentLength
    let _: KeyPath<SKDownload, (any Error)?> = \.error
    let _: KeyPath<SKDownload, Float> = \.progress
    let _: KeyPath<SKDownload, TimeInterval> = \.timeRemaining
    let _: KeyPath<SKDownload, SKPaymentTransaction> = \.transaction
    let queue = SKPaymentQueue.default()
    let none = SKPaymentTransaction().downloads
    #expect(none.isEmpty && SKDownloadTimeRemainingUnknown == -1)
    queue.start(none)
    queue.pause(none)
    queue.resume(none)
    queue.cancel(none)
    Downloader().paymentQueue(queue, updatedDownloads: none)
  }

  @available(*, deprecated)
  @Test("requests for a review are named")
  func reviews() {
    let scene = NSObject()
    AppStore.requestReview(in: scene)
    SKStoreReviewController.requestReview(in: scene)
    SKStoreReviewController.requestReview()
  }

  @Test("billing plans are as Apple declares them")
  func billingPlans() {
    typealias Info = Product.SubscriptionInfo
    #if compiler(>=6.3)
      isStruct(of: Info.BillingPlanType.self, String.self)
      let plans: [Info.BillingPlanType] = [.monthly, .upFront]
      #expect(plans.map(\.rawValue) == ["MONTHLY", "BILLED_UPFRONT"])
      let _: KeyPath<Info, [Info.PricingTerms]> = \.pricingTerms
      isHashable(Info.PricingTerms.self)
      isSendable(Info.PricingTerms.self)
      let _: KeyPath<Info.PricingTerms, Decimal> = \.billingPrice
      let _: KeyPath<Info.PricingTerms, String> = \.billingDisplayPrice
      let _: KeyPath<Info.PricingTerms, Info.BillingPeriod> = \.billingPeriod
      let _: KeyPath<Info.PricingTerms, Info.BillingPlanType> = \.billingPlanType
      let _: KeyPath<Info.PricingTerms, Info.CommitmentInfo> = \.commitmentInfo
      let _: KeyPath<Info.PricingTerms, [Product.SubscriptionOffer]> = \.subscriptionOffers
      let _: (Info.PricingTerms) -> [Product.SubscriptionOffer] = { $0[offers: .promotional] }
      let _: KeyPath<Info.CommitmentInfo, Decimal> = \.price
      let _: KeyPath<Info.CommitmentInfo, String> = \.displayPrice
      let _: KeyPath<Info.CommitmentInfo, Product.SubscriptionPeriod> = \.period
      let options: Set<Product.PurchaseOption> = [
        .billingPlanType(.monthly), .billingPlanType(.upFront),
      ]
      #expect(options.count == 2)
      let _: KeyPath<Transaction, Info.BillingPlanType?> = \.billingPlanType
      let _: KeyPath<Transaction, Transaction.CommitmentInfo?> = \.commitmentInfo
      let _: [KeyPath<Transaction.CommitmentInfo, UInt64>] = [
        \.billingPeriodNumber, \.totalBillingPeriods,
      ]
      let _: KeyPath<Transaction.CommitmentInfo, Decimal> = \.price
      let _: KeyPath<Transaction.CommitmentInfo, Date> = \.expirationDate
      let _: KeyPath<Info.RenewalInfo, Info.BillingPlanType?> = \.renewalBillingPlanType
      typealias Renewal = Info.RenewalInfo.CommitmentInfo
      let _: KeyPath<Info.RenewalInfo, Renewal?> = \.commitmentInfo
      let _: KeyPath<Renewal, String> = \.autoRenewPreference
      let _: KeyPath<Renewal, Bool> = \.willAutoRenew
      let _: KeyPath<Renewal, Info.BillingPlanType> = \.renewalBillingPlanType
      let _: KeyPath<Renewal, Date> = \.renewalDate
      let _: KeyPath<Renewal, Decimal> = \.renewalPrice
    #endif
  }

  @Test("purchases outside the store are named, and are not to be had")
  func externalPurchases() async throws {
    #expect(await !ExternalPurchase.canPresent)
    let notices: [ExternalPurchase.NoticeResult] = [
      .cancelled, .continuedWithExternalPurchaseToken(token: "t"),
    ]
    #expect(Set(notices).count == 2)
    #expect(await !ExternalPurchaseLink.canOpen)
    #expect(await ExternalPurchaseLink.eligibleURLs == nil)
    #expect(await !ExternalPurchaseCustomLink.isEligible)
    #expect(await !ExternalLinkAccount.canOpen)
    let results: [ExternalPurchaseCustomLink.NoticeResult] = [.cancelled, .continued]
    #expect(Set(results).count == 2)
    let types: [ExternalPurchaseCustomLink.NoticeType] = [.withinApp, .browser]
    #expect(types.map(\.rawValue) == [0, 1])
    let _: KeyPath<ExternalPurchaseCustomLink.Token, String> = \.value
    let address = try #require(URL(string: "https://example.com"))
    let tries: [() async throws -> Void] = [
      { _ = try await ExternalPurchase.presentNoticeSheet() },
      { try await ExternalPurchaseLink.open() },
      { try await ExternalPurchaseLink.open(url: address) },
      { _ = try await ExternalPurchaseCustomLink.showNotice(type: .browser) },
      { _ = try await ExternalPurchaseCustomLink.token(for: "ACQUISITION") },
      { try await ExternalLinkAccount.open() },
    ]
    for attempt in tries {
      do {
        try await attempt()
        Issue.record("it was done")
      } catch StoreKitError.notEntitled {} catch { Issue.record("\(error)") }
    }
  }

  @Test("advanced commerce is as Apple declares it")
  func advancedCommerce() {
    typealias Info = Transaction.AdvancedCommerceInfo
    let _: KeyPath<Transaction, Info?> = \.advancedCommerceInfo
    isHashable(Info.self)
    isSendable(Info.self)
    let _: [KeyPath<Info, String>] = [\.requestReferenceID, \.taxCode]
    let _: [KeyPath<Info, Decimal>] = [\.estimatedTax, \.taxRate, \.taxExclusivePrice]
    let _: [KeyPath<Info, String?>] = [\.description, \.displayName]
    let _: KeyPath<Info, Product.SubscriptionPeriod?> = \.period
    let _: KeyPath<Info, [Info.Item]> = \.items
    let _: KeyPath<Info.Item, Info.Item.Details> = \.details
    let _: KeyPath<Info.Item, [Info.Refund]?> = \.refunds
    let _: KeyPath<Info.Item, Date?> = \.revocationDate
    let _: [KeyPath<Info.Item.Details, String>] = [\.sku, \.displayName, \.description]
    let _: KeyPath<Info.Item.Details, Info.Offer?> = \.offer
    let _: KeyPath<Info.Offer, Int> = \.periodCount
    let _: [Info.Offer.Reason] = [.acquisition, .retention, .winBack]
    let _: [Info.Refund.Reason] = [
      .legal, .modifyItems, .unintended, .unfulfilled, .unsatisfied, .other,
    ]
    let _: [Info.Refund.RefundType] = [.custom, .proRated, .full]
    let _: KeyPath<Info.Refund, Info.Refund.RefundType> = \.type
    typealias Renewal = Product.SubscriptionInfo.RenewalInfo
    let _: KeyPath<Renewal, Renewal.AdvancedCommerceInfo?> = \.advancedCommerceInfo
    let _: [KeyPath<Renewal.AdvancedCommerceInfo, String>] = [
      \.consistencyToken, \.requestReferenceID, \.taxCode, \.description, \.displayName,
    ]
    let _: KeyPath<Renewal.AdvancedCommerceInfo, Product.SubscriptionPeriod> = \.period
    let _: KeyPath<Renewal.AdvancedCommerceInfo.Item, Info.Item.Details> = \.details
  }

  @available(*, deprecated)
  @Test("what was taken back, and older names, are as Apple declares them")
  func revocation() {
    isStruct(of: Transaction.RevocationType.self, String.self)
    let types: [Transaction.RevocationType] = [.fullRefund, .proratedRefund, .familyRevocation]
    #expect(types.map(\.rawValue) == ["REFUND_FULL", "REFUND_PRORATED", "FAMILY_REVOKE"])
    let _: KeyPath<Transaction, Transaction.RevocationType?> = \.revocationType
    let _: KeyPath<Transaction, Decimal?> = \.revocationPercentage
    let _: KeyPath<Transaction, String?> = \.revocationTypeStringRepresentation
    let _: KeyPath<AppTransaction, String> = \.originalPlatformStringRepresentation
    let _: KeyPath<AppTransaction, Date?> = \.revocationDate
    #expect(
      Notification.Name.SKStorefrontCountryCodeDidChange.rawValue
        == "SKStorefrontCountryCodeDidChangeNotification")
  }

  @Test("what Apple shows in a debugger is shown here")
  func debugDescriptions() {
    isDebugged(Product.self)
    isDebugged(Transaction.self)
    isDebugged(Product.SubscriptionInfo.RenewalInfo.self)
    isDebugged(AppTransaction.self)
    isDebugged(VerificationResult<Transaction>.self)
    isDebugged(Product.PurchaseOption.self)
    #expect(String(reflecting: Product.SubscriptionPeriod.everyThreeMonths) == "3 months")
    #expect(String(reflecting: Product.SubscriptionPeriod.Unit.week) == "Week")
    #expect(String(reflecting: Product.PurchaseOption.quantity(2)) == "quantity: 2")
    #expect(
      String(reflecting: VerificationResult<String>.unverified("a", .invalidSignature))
        == #"unverified, invalidSignature: "a""#)
  }
}
