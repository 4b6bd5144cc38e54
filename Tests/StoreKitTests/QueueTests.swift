import Foundation
import StoreKit
import Synchronization
import Testing

/// Writes down what the payment queue says, and on which queue. (The main queue's thread need not
/// be the first one: on Linux an `async` main function gives that up.)
private final class Witness: NSObject, SKPaymentTransactionObserver, SKProductsRequestDelegate {
  private static let mark = DispatchSpecificKey<Bool>()

  private let heard = AsyncStream<String>.makeStream()
  private let transactions = Mutex<[SKPaymentTransaction]>([])

  override init() {
    DispatchQueue.main.setSpecific(key: Self.mark, value: true)
  }

  var lines: AsyncStream<String> { heard.stream }
  var last: SKPaymentTransaction? { transactions.withLock { $0.last } }

  private func say(_ text: String) {
    let isOnMain = DispatchQueue.getSpecific(key: Self.mark) == true
    heard.continuation.yield(isOnMain ? text : "off the main queue: \(text)")
  }

  func paymentQueue(
    _ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction]
  ) {
    for transaction in transactions {
      self.transactions.withLock { $0.append(transaction) }
      say("\(transaction.transactionState) \(transaction.payment.productIdentifier)")
    }
  }

  func paymentQueue(
    _ queue: SKPaymentQueue, removedTransactions transactions: [SKPaymentTransaction]
  ) {
    for transaction in transactions { say("removed \(transaction.payment.productIdentifier)") }
  }

  func paymentQueueRestoreCompletedTransactionsFinished(_ queue: SKPaymentQueue) {
    say("restored all")
  }

  func paymentQueue(
    _ queue: SKPaymentQueue,
    didRevokeEntitlementsForProductIdentifiers productIdentifiers: [String]
  ) {
    say("revoked \(productIdentifiers)")
  }

  func productsRequest(_ request: SKProductsRequest, didReceive response: SKProductsResponse) {
    let products = response.products.map {
      "\($0.productIdentifier) \($0.price) \($0.priceLocale.currency?.identifier ?? "")"
    }
    say("products \(products) without \(response.invalidProductIdentifiers)")
  }

  func requestDidFinish(_ request: SKRequest) { say("finished") }

  func request(_ request: SKRequest, didFailWithError error: any Error) {
    say("failed \((error as NSError).domain)")
  }
}

extension ShopTests {
  /// The payment queue against a real daemon. In the suite of the others, since the connection is
  /// the process's own.
  @Test("the payment queue buys, fails, finishes, restores and revokes, on the main queue")
  func queue() async throws {
    let shop = try TestShop()
    let witness = Witness()
    var lines = witness.lines.makeAsyncIterator()
    let queue = SKPaymentQueue.default()
    queue.add(witness)
    defer { queue.remove(witness) }
    let request = SKProductsRequest(productIdentifiers: ["basic.monthly", "unknown"])
    request.delegate = witness
    request.start()
    #expect(
      await lines.next() == #"products ["basic.monthly 4.99 USD"] without ["unknown"]"#)
    #expect(await lines.next() == "finished")

    let payment = SKMutablePayment()
    payment.productIdentifier = "basic.monthly"
    queue.add(payment)
    #expect(await lines.next() == "purchasing basic.monthly")
    #expect(await lines.next() == "purchased basic.monthly")
    let bought = try #require(witness.last)
    let id = try #require(bought.transactionIdentifier)
    #expect(bought.transactionDate?.formatted(.iso8601) == "2025-01-31T10:00:00Z")
    #expect(queue.transactions == [bought])
    queue.finishTransaction(bought)
    #expect(await lines.next() == "removed basic.monthly")
    #expect(queue.transactions.isEmpty)
    #expect(try shop.call(.unfinished(account: "u1")).transactions.isEmpty)

    queue.add(payment)
    #expect(await lines.next() == "purchasing basic.monthly")
    #expect(await lines.next() == "failed basic.monthly")
    let failed = try #require(witness.last)
    #expect((failed.error as? SKError)?.code == .paymentCancelled)
    queue.finishTransaction(failed)
    #expect(await lines.next() == "removed basic.monthly")

    queue.restoreCompletedTransactions()
    #expect(await lines.next() == "restored basic.monthly")
    #expect(await lines.next() == "restored all")
    let restored = try #require(witness.last)
    #expect(restored.original?.transactionIdentifier == id)
    queue.finishTransaction(restored)
    #expect(await lines.next() == "removed basic.monthly")

    try shop.call(.refund(.account("u1")))
    #expect(await lines.next() == #"revoked ["basic.monthly"]"#)
  }
}
