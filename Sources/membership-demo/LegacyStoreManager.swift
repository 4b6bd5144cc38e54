import Foundation
import StoreKit

/// The shop through StoreKit 1, as many apps have it: one instance that observes the payment
/// queue and hands what it hears to callbacks.
final class LegacyStoreManager: NSObject, @unchecked Sendable {
  static let shared = LegacyStoreManager()

  /// Called on the main queue with each purchase that may be delivered. The transaction is
  /// finished when `done` is called.
  var onPurchase: ((_ transaction: SKPaymentTransaction, _ done: @escaping () -> Void) -> Void)?
  /// Called on the main queue with the products that were asked for.
  var onProducts: (([SKProduct]) -> Void)?

  private(set) var products: [SKProduct] = []
  private var request: SKProductsRequest?

  private override init() {}

  func startObserving() {
    SKPaymentQueue.default().add(self)
  }

  func requestProducts(_ ids: Set<String>) {
    let request = SKProductsRequest(productIdentifiers: ids)
    request.delegate = self
    request.start()
    self.request = request
  }

  func buy(_ productID: String) {
    guard SKPaymentQueue.canMakePayments() else { return say("payments are not allowed") }
    guard let product = products.first(where: { $0.productIdentifier == productID }) else {
      return say("\(productID) is not sold")
    }
    SKPaymentQueue.default().add(SKPayment(product: product))
  }

  func restore() {
    SKPaymentQueue.default().restoreCompletedTransactions()
  }

  private func say(_ text: String) { Console.say("StoreKit 1", text) }
}

extension LegacyStoreManager: SKProductsRequestDelegate {
  func productsRequest(_ request: SKProductsRequest, didReceive response: SKProductsResponse) {
    products = response.products.sorted { $0.price.compare($1.price) == .orderedAscending }
    let formatter = NumberFormatter()
    formatter.numberStyle = .currency
    let words = products.map { product in
      formatter.locale = product.priceLocale
      return "\(product.localizedTitle) \(formatter.string(from: product.price) ?? "")"
    }
    say("products: \(words.joined(separator: ", "))")
    if !response.invalidProductIdentifiers.isEmpty {
      say("invalid: \(response.invalidProductIdentifiers.joined(separator: ", "))")
    }
    onProducts?(products)
  }

  func request(_ request: SKRequest, didFailWithError error: any Error) {
    say("request failed: \(error.localizedDescription)")
  }
}

extension LegacyStoreManager: SKPaymentTransactionObserver {
  func paymentQueue(
    _ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction]
  ) {
    for transaction in transactions {
      let product = transaction.payment.productIdentifier
      switch transaction.transactionState {
      case .purchasing: say(".purchasing \(product)")
      case .purchased:
        say(".purchased \(product)")
        deliver(transaction, queue)
      case .failed:
        say(".failed \(product): \(words(transaction.error))")
        queue.finishTransaction(transaction)
      case .restored:
        let original = transaction.original?.payment.productIdentifier ?? "nothing"
        say(".restored \(product) from \(original)")
        deliver(transaction, queue)
      case .deferred: say(".deferred \(product)")
      @unknown default: say("in another state: \(product)")
      }
    }
  }

  func paymentQueue(
    _ queue: SKPaymentQueue, removedTransactions transactions: [SKPaymentTransaction]
  ) {
    for transaction in transactions { say("finished \(transaction.payment.productIdentifier)") }
  }

  func paymentQueueRestoreCompletedTransactionsFinished(_ queue: SKPaymentQueue) {
    say("restore finished")
  }

  func paymentQueue(
    _ queue: SKPaymentQueue, restoreCompletedTransactionsFailedWithError error: any Error
  ) {
    say("restore failed: \(error.localizedDescription)")
  }

  func paymentQueue(
    _ queue: SKPaymentQueue,
    didRevokeEntitlementsForProductIdentifiers productIdentifiers: [String]
  ) {
    say("revoked: \(productIdentifiers.joined(separator: ", "))")
  }

  private func deliver(_ transaction: SKPaymentTransaction, _ queue: SKPaymentQueue) {
    guard let onPurchase else { return queue.finishTransaction(transaction) }
    onPurchase(transaction) { queue.finishTransaction(transaction) }
  }

  private func words(_ error: (any Error)?) -> String {
    guard let error = error as? SKError else { return "unknown" }
    return error.code == .paymentCancelled ? "cancelled" : error.localizedDescription
  }
}
