import StoreKit
import Testing

// The public surface of StoreKit 1, declaration by declaration. Compiled in Swift 5 and 6 modes.

/// Says only what must be said.
private final class QuietObserver: NSObject, SKPaymentTransactionObserver {
  func paymentQueue(
    _ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction]
  ) {}
}

/// Says everything.
private final class FullObserver: NSObject, SKPaymentTransactionObserver {
  func paymentQueue(
    _ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction]
  ) {}
  func paymentQueue(
    _ queue: SKPaymentQueue, removedTransactions transactions: [SKPaymentTransaction]
  ) {}
  func paymentQueue(
    _ queue: SKPaymentQueue, restoreCompletedTransactionsFailedWithError error: any Error
  ) {}
  func paymentQueueRestoreCompletedTransactionsFinished(_ queue: SKPaymentQueue) {}
  func paymentQueue(
    _ queue: SKPaymentQueue, shouldAddStorePayment payment: SKPayment, for product: SKProduct
  ) -> Bool { true }
  func paymentQueueDidChangeStorefront(_ queue: SKPaymentQueue) {}
  func paymentQueue(
    _ queue: SKPaymentQueue,
    didRevokeEntitlementsForProductIdentifiers productIdentifiers: [String]
  ) {}
}

private final class QuietDelegate: NSObject, SKPaymentQueueDelegate {}

private final class FullDelegate: NSObject, SKPaymentQueueDelegate {
  func paymentQueue(
    _ paymentQueue: SKPaymentQueue, shouldContinue transaction: SKPaymentTransaction,
    in newStorefront: SKStorefront
  ) -> Bool { false }
  func paymentQueueShouldShowPriceConsent(_ paymentQueue: SKPaymentQueue) -> Bool { false }
}

private final class QuietRequestDelegate: NSObject, SKRequestDelegate {}

private final class Requests: NSObject, SKProductsRequestDelegate {
  func productsRequest(_ request: SKProductsRequest, didReceive response: SKProductsResponse) {}
  func requestDidFinish(_ request: SKRequest) {}
  func request(_ request: SKRequest, didFailWithError error: any Error) {}
}

/// A product of a test's own, as apps write them to try their screens.
private final class PretendedProduct: SKProduct, @unchecked Sendable {
  override var productIdentifier: String { "pretended" }
  override var price: NSDecimalNumber { 3 }
}

@Suite("The surface of StoreKit 1")
struct StoreKitOneSurface {
  @Test("the payment queue is as Apple declares it")
  func queue() {
    let queue = SKPaymentQueue.default()
    #expect(queue === SKPaymentQueue.default())
    #expect(SKPaymentQueue.canMakePayments())
    let delegate = FullDelegate()
    queue.delegate = delegate
    #expect(queue.delegate === delegate)
    queue.delegate = nil
    let _: SKStorefront? = queue.storefront
    let _: (SKPayment) -> Void = { SKPaymentQueue.default().add($0) }
    let _: (SKPaymentTransaction) -> Void = { SKPaymentQueue.default().finishTransaction($0) }
    let _: () -> Void = { SKPaymentQueue.default().restoreCompletedTransactions() }
    let _: (String?) -> Void = {
      SKPaymentQueue.default().restoreCompletedTransactions(withApplicationUsername: $0)
    }
    let _: (any SKPaymentTransactionObserver) -> Void = { SKPaymentQueue.default().add($0) }
    let _: (any SKPaymentTransactionObserver) -> Void = { SKPaymentQueue.default().remove($0) }
    let _: [any SKPaymentTransactionObserver] = queue.transactionObservers
    let _: [SKPaymentTransaction] = queue.transactions
    queue.showPriceConsentIfNeeded()
    queue.presentCodeRedemptionSheet()
  }

  @Test("what an observer or a delegate leaves out has Apple's default")
  func defaults() {
    let queue = SKPaymentQueue.default()
    let observer = QuietObserver()
    observer.paymentQueue(queue, removedTransactions: [])
    #expect(!observer.paymentQueue(queue, shouldAddStorePayment: SKPayment(), for: SKProduct()))
    let delegate = QuietDelegate()
    #expect(
      delegate.paymentQueue(queue, shouldContinue: SKPaymentTransaction(), in: SKStorefront()))
    #expect(delegate.paymentQueueShouldShowPriceConsent(queue))
    let full: any SKPaymentTransactionObserver = FullObserver()
    #expect(full.paymentQueue(queue, shouldAddStorePayment: SKPayment(), for: SKProduct()))
    QuietRequestDelegate().requestDidFinish(SKRequest())
  }

  @Test("payments are as Apple declares them")
  func payments() throws {
    let payment = SKPayment(product: PretendedProduct())
    #expect(payment.productIdentifier == "pretended")
    let _: KeyPath<SKPayment, Int> = \.quantity
    let _: KeyPath<SKPayment, String?> = \.applicationUsername
    let _: KeyPath<SKPayment, Data?> = \.requestData
    let _: KeyPath<SKPayment, Bool> = \.simulatesAskToBuyInSandbox
    let _: KeyPath<SKPayment, SKPaymentDiscount?> = \.paymentDiscount
    let changed = SKMutablePayment(product: PretendedProduct())
    changed.quantity = 3
    changed.applicationUsername = "u"
    changed.simulatesAskToBuyInSandbox = true
    changed.requestData = Data()
    changed.productIdentifier = "other"
    changed.paymentDiscount = SKPaymentDiscount(
      identifier: "o", keyIdentifier: "k", nonce: UUID(), signature: "s", timestamp: 1)
    let discount = try #require(changed.paymentDiscount)
    #expect(discount.identifier == "o")
    let _: (String, UUID, String, NSNumber) = (
      discount.keyIdentifier, discount.nonce, discount.signature, discount.timestamp
    )
    let copy = try #require(changed.copy() as? SKPayment)
    #expect(copy.quantity == 3)
    #expect(copy.productIdentifier == "other")
    let again = try #require(copy.mutableCopy() as? SKMutablePayment)
    #expect(again.quantity == 3)
  }

  @Test("payments in the queue are as Apple declares them")
  func transactions() {
    let _: KeyPath<SKPaymentTransaction, SKPayment> = \.payment
    let _: KeyPath<SKPaymentTransaction, SKPaymentTransactionState> = \.transactionState
    let _: KeyPath<SKPaymentTransaction, String?> = \.transactionIdentifier
    let _: KeyPath<SKPaymentTransaction, Date?> = \.transactionDate
    let _: KeyPath<SKPaymentTransaction, SKPaymentTransaction?> = \.original
    let _: KeyPath<SKPaymentTransaction, (any Error)?> = \.error
    let _: KeyPath<SKPaymentTransaction, Data?> = \.transactionReceipt
    let states: [SKPaymentTransactionState] = [
      .purchasing, .purchased, .failed, .restored, .deferred,
    ]
    #expect(states.map(\.rawValue) == [0, 1, 2, 3, 4])
  }

  @Test("products are as Apple declares them")
  func products() {
    let _: [KeyPath<SKProduct, String>] = [
      \.productIdentifier, \.localizedTitle, \.localizedDescription,
    ]
    let _: KeyPath<SKProduct, NSDecimalNumber> = \.price
    let _: KeyPath<SKProduct, Locale> = \.priceLocale
    let _: KeyPath<SKProduct, Bool> = \.isFamilyShareable
    let _: KeyPath<SKProduct, SKProductSubscriptionPeriod?> = \.subscriptionPeriod
    let _: KeyPath<SKProduct, String?> = \.subscriptionGroupIdentifier
    let _: KeyPath<SKProduct, SKProductDiscount?> = \.introductoryPrice
    let _: KeyPath<SKProduct, [SKProductDiscount]> = \.discounts
    let units: [SKProduct.PeriodUnit] = [.day, .week, .month, .year]
    #expect(units.map(\.rawValue) == [0, 1, 2, 3])
    let _: KeyPath<SKProductSubscriptionPeriod, Int> = \.numberOfUnits
    let _: KeyPath<SKProductSubscriptionPeriod, SKProduct.PeriodUnit> = \.unit
    let _: KeyPath<SKProductDiscount, NSDecimalNumber> = \.price
    let _: KeyPath<SKProductDiscount, Locale> = \.priceLocale
    let _: KeyPath<SKProductDiscount, String?> = \.identifier
    let _: KeyPath<SKProductDiscount, SKProductSubscriptionPeriod> = \.subscriptionPeriod
    let _: KeyPath<SKProductDiscount, Int> = \.numberOfPeriods
    let _: KeyPath<SKProductDiscount, SKProductDiscount.PaymentMode> = \.paymentMode
    let _: KeyPath<SKProductDiscount, SKProductDiscount.`Type`> = \.type
    let modes: [SKProductDiscount.PaymentMode] = [.payAsYouGo, .payUpFront, .freeTrial]
    #expect(modes.map(\.rawValue) == [0, 1, 2])
    let types: [SKProductDiscount.`Type`] = [.introductory, .subscription]
    #expect(types.map(\.rawValue) == [0, 1])
    let _: [KeyPath<SKStorefront, String>] = [\.countryCode, \.identifier]
  }

  @Test("requests are as Apple declares them")
  func requests() {
    let delegate = Requests()
    let request = SKProductsRequest(productIdentifiers: ["a"])
    request.delegate = delegate
    #expect(request.delegate === delegate)
    let _: (SKRequest) -> Void = { $0.start() }
    let _: (SKRequest) -> Void = { $0.cancel() }
    let _: KeyPath<SKProductsResponse, [SKProduct]> = \.products
    let _: KeyPath<SKProductsResponse, [String]> = \.invalidProductIdentifiers
    let receipt = SKReceiptRefreshRequest(
      receiptProperties: [
        SKReceiptPropertyIsExpired: true, SKReceiptPropertyIsRevoked: false,
        SKReceiptPropertyIsVolumePurchase: false,
      ])
    let _: [String: Any]? = receipt.receiptProperties
    #expect(receipt.receiptProperties?.count == 3)
  }

  @Test("error codes have the numbers of Apple's header")
  func errorCodes() {
    let codes: [SKError.Code] = [
      .unknown, .clientInvalid, .paymentCancelled, .paymentInvalid, .paymentNotAllowed,
      .storeProductNotAvailable, .cloudServicePermissionDenied,
      .cloudServiceNetworkConnectionFailed, .cloudServiceRevoked,
      .privacyAcknowledgementRequired, .unauthorizedRequestData, .invalidOfferIdentifier,
      .invalidSignature, .missingOfferParams, .invalidOfferPrice, .overlayCancelled,
      .overlayInvalidConfiguration, .overlayTimeout, .ineligibleForOffer,
      .unsupportedPlatform, .overlayPresentedInBackgroundScene,
    ]
    #expect(codes.map(\.rawValue) == Array(0...20))
    let error: any Error = SKError(.paymentCancelled)
    #expect((error as NSError).domain == SKErrorDomain)
    #expect((error as NSError).code == SKError.paymentCancelled.rawValue)
    #expect((error as? SKError)?.code == .paymentCancelled)
    let isCaught: Bool
    do { throw error } catch SKError.paymentCancelled { isCaught = true } catch {
      isCaught = false
    }
    #expect(isCaught)
  }

  @Test("an NSError of StoreKit's domain is an SKError, wherever a cast asks, and no other one is")
  func errorCasts() throws {
    let native = NSError(
      domain: SKErrorDomain, code: SKError.paymentCancelled.rawValue,
      userInfo: [NSLocalizedDescriptionKey: "No.", "why": 7])
    #expect((native as? SKError)?.code == .paymentCancelled)
    let error: any Error = native
    let cast = try #require(error as? SKError)
    #expect(cast.code == .paymentCancelled && cast.errorCode == 2)
    #expect(cast.userInfo["why"] as? Int == 7)
    #expect(cast.localizedDescription == "No." && error.localizedDescription == "No.")
    let maybe: (any Error)? = native
    #expect((maybe as? SKError)?.code == .paymentCancelled)
    #expect((native as Any) is SKError)
    let isCaught: Bool
    do { throw native } catch let error as SKError { isCaught = error == cast } catch {
      isCaught = false
    }
    #expect(isCaught)
    let isMatched: Bool
    do { throw native } catch SKError.paymentCancelled { isMatched = true } catch {
      isMatched = false
    }
    #expect(isMatched)
    let back = cast as NSError
    #expect(back.domain == SKErrorDomain && back.code == 2 && back.userInfo["why"] as? Int == 7)
    #expect(SKError(_nsError: native) == cast)
    #expect(SKError(_nsError: NSError(domain: SKErrorDomain, code: 999)).code == .unknown)
    #expect(NSError(domain: NSCocoaErrorDomain, code: 2) as? SKError == nil)
    #expect((SKError(.clientInvalid) as any Error).localizedDescription == "clientInvalid")
  }
}
