import Foundation
import StoreKit
import Synchronization
import Testing

/// Writes down what the payment queue says, and on which queue. (The main queue's thread need not
/// be the first one: on Linux an `async` main function gives that up.)
final class Witness: NSObject, SKPaymentTransactionObserver, SKProductsRequestDelegate {
  private static let mark = DispatchSpecificKey<Bool>()

  private let heard = AsyncStream<String>.makeStream()
  private let transactions = Mutex<[SKPaymentTransaction]>([])

  override init() {
    DispatchQueue.main.setSpecific(key: Self.mark, value: true)
  }

  var lines: AsyncStream<String> { heard.stream }
  var all: [SKPaymentTransaction] { transactions.withLock { $0 } }
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

  func paymentQueueDidChangeStorefront(_ queue: SKPaymentQueue) {
    say("storefront \(queue.storefront?.countryCode ?? "")")
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
    await MainActor.run {
      queue.finishTransaction(bought)
      queue.finishTransaction(bought)
      #expect(queue.transactions == [bought])
    }
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
    // Domain.md 7: a restored transaction has an id of its own, and tells what it restores.
    let restored = try #require(witness.last)
    #expect(restored.original?.transactionIdentifier == id)
    #expect(restored.original?.transactionState == .purchased)
    let open = try shop.call(.unfinished(account: "u1")).transactions.map(\.transaction)
    #expect(open.map(\.id) == [restored.transactionIdentifier] && open[0].id != id)
    #expect(open[0].originalID == id && open[0].isRestored)
    queue.finishTransaction(restored)
    #expect(await lines.next() == "removed basic.monthly")
    #expect(try shop.call(.unfinished(account: "u1")).transactions.isEmpty)

    try shop.call(.refund(.account("u1")))
    #expect(await lines.next() == #"revoked ["basic.monthly"]"#)
  }

  @Test("sync changes nothing, and fails where a tester says so; a restore elsewhere is no update")
  func sync() async throws {
    let shop = try TestShop()
    try shop.buy("basic.monthly", for: "u1")
    let bought = try #require(await Transaction.latest(for: "basic.monthly")?.unsafePayloadValue)
    await bought.finish()
    try await AppStore.sync()
    var current = await Transaction.latest(for: "basic.monthly")?.unsafePayloadValue
    #expect(current?.id == bought.id)
    try shop.call(.setSimulatedError("networkError", api: .appStoreSync))
    await #expect(throws: StoreKitError.self) { try await AppStore.sync() }
    try shop.call(.setSimulatedError(nil, api: .appStoreSync))
    try shop.buy("coins", for: "u1")
    var updates = Transaction.updates.makeAsyncIterator()
    // What came before is heard where the process listened already.
    while let heard = await updates.next(), heard.unsafePayloadValue.productID != "coins" {}
    try shop.call(.restore(account: "u1"))
    try shop.buy("lifetime", for: "u1")
    #expect(await updates.next()?.unsafePayloadValue.productID == "lifetime")
    current = await Transaction.latest(for: "basic.monthly")?.unsafePayloadValue
    #expect(current?.originalID == bought.id && current?.id != bought.id)
    #expect(
      try await Product.SubscriptionInfo.status(transactionID: bought.id)?.state == .subscribed)
  }
}
