import Foundation
import StoreKit
import StoreKitSupport
import os

/// Asks for products by the original interface.
final class ProductLoader: NSObject, ObservableObject, @unchecked Sendable {
  @Published private(set) var products: [SKProduct] = []
  @Published private(set) var invalid: [String] = []

  private var request: SKProductsRequest?

  func fetch(_ ids: Set<String>) {
    let request = SKProductsRequest(productIdentifiers: ids)
    request.delegate = self
    request.start()
    self.request = request
  }
}

extension ProductLoader: SKProductsRequestDelegate {
  func productsRequest(_ request: SKProductsRequest, didReceive response: SKProductsResponse) {
    products = response.products
    invalid = response.invalidProductIdentifiers
  }

  func request(_ request: SKRequest, didFailWithError error: any Error) {
    os_log(.error, "no products: %{public}@", error.localizedDescription)
  }
}

/// Hears what the payment queue has to say.
final class StoreObserver: NSObject, ObservableObject, @unchecked Sendable {
  @Published private(set) var purchased: [String] = []
  @Published private(set) var lastError: String?

  static let log = OSLog(subsystem: "com.example.app", category: "Queue")

  func buy(_ product: SKProduct) {
    SKPaymentQueue.default().add(SKPayment(product: product))
  }
}

extension StoreObserver: SKPaymentTransactionObserver {
  func paymentQueue(
    _ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction]
  ) {
    for transaction in transactions {
      let id = transaction.payment.productIdentifier
      let state = transaction.transactionState.rawValue
      os_log("%{public}@ is %d", log: Self.log, type: .info, id, state)
      switch transaction.transactionState {
      case .purchasing, .deferred: break
      case .purchased, .restored:
        purchased.append(id)
        queue.finishTransaction(transaction)
      case .failed:
        lastError = transaction.error?.localizedDescription
        queue.finishTransaction(transaction)
      @unknown default: break
      }
    }
  }
}
