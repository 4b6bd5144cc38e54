import Client
import Foundation
import StoreKit
import Testing

/// The order of the payment queue, what becomes of finished transactions, and the storefront.
extension ShopTests {
  /// Goes on listening until so many lines are heard that begin so.
  private func hear(
    _ count: Int, _ beginning: String, _ lines: inout AsyncStream<String>.Iterator
  ) async -> [String] {
    var heard: [String] = []
    while heard.count < count, let line = await lines.next() {
      if line.hasPrefix(beginning) { heard.append(line) }
    }
    return heard
  }

  @Test("payments are made in the order in which they were added, and heard of in that order")
  func order() async throws {
    let queue = SKPaymentQueue.default()
    for _ in 0..<3 {
      let shop = try TestShop()
      let witness = Witness()
      var lines = witness.lines.makeAsyncIterator()
      queue.add(witness)
      defer { queue.remove(witness) }
      for quantity in 1...10 {
        let payment = SKMutablePayment()
        payment.productIdentifier = "coins"
        payment.quantity = quantity
        queue.add(payment)
      }
      #expect(queue.transactions.map(\.payment.quantity) == Array(1...10))
      #expect(await hear(10, "purchased", &lines).count == 10)
      let bought = try shop.call(.history(account: "u1")).transactions
      #expect(bought.map(\.purchasedQuantity) == Array(1...10))
      let heard = witness.all.filter { $0.transactionState == .purchased }
      #expect(heard.suffix(10).map(\.payment.quantity) == Array(1...10))
      for transaction in queue.transactions { queue.finishTransaction(transaction) }
      #expect(await hear(10, "removed", &lines).count == 10)
      #expect(queue.transactions.isEmpty)
    }
  }

  @Test("who listens late hears nothing of what was finished, in whichever way")
  func lateListener() async throws {
    let shop = try TestShop()
    let witness = Witness()
    var lines = witness.lines.makeAsyncIterator()
    let queue = SKPaymentQueue.default()
    queue.add(witness)
    defer { queue.remove(witness) }
    let payment = SKMutablePayment()
    payment.productIdentifier = "coins"
    queue.add(payment)
    #expect(await hear(1, "purchased", &lines) == ["purchased coins"])
    queue.finishTransaction(try #require(witness.last))
    #expect(await lines.next() == "removed coins")

    try shop.buy("lifetime", for: "u1")
    #expect(await lines.next() == "purchased lifetime")
    let lasting = try #require(await Transaction.latest(for: "lifetime")).payloadValue
    await lasting.finish()
    #expect(await lines.next() == "removed lifetime")
    #expect(queue.transactions.isEmpty)

    try shop.buy("basic.monthly", for: "u1")
    #expect(await lines.next() == "purchased basic.monthly")
    let id = try #require(witness.last?.transactionIdentifier)
    try shop.call(.finish(transactionID: id))
    try shop.buy("season", for: "u1")
    #expect(await lines.next() == "purchased season")

    var updates = Transaction.updates.makeAsyncIterator()
    #expect(await updates.next()?.unsafePayloadValue.productID == "season")
    for transaction in queue.transactions { queue.finishTransaction(transaction) }
    #expect(await hear(2, "removed", &lines).count == 2)
  }

  @Test("the storefront is there before the first purchase, and its change is told everywhere")
  func storefront() async throws {
    let shop = try TestShop()
    let queue = SKPaymentQueue.default()
    #expect(queue.storefront?.countryCode == "USA")
    #expect(queue.storefront?.identifier == "143441")
    let current = try #require(await Storefront.current)
    #expect(current.countryCode == "USA" && current.id == "143441")
    #expect(current.currency?.identifier == "USD")

    let witness = Witness()
    var lines = witness.lines.makeAsyncIterator()
    queue.add(witness)
    defer { queue.remove(witness) }
    var storefronts = Storefront.updates.makeAsyncIterator()
    let (posts, post) = AsyncStream<Void>.makeStream()
    let observer = NotificationCenter.default.addObserver(
      forName: .SKStorefrontCountryCodeDidChange, object: nil, queue: nil
    ) { _ in post.yield() }
    defer { NotificationCenter.default.removeObserver(observer) }
    try shop.buy("coins", for: "u1")
    #expect(await lines.next() == "purchased coins")
    try shop.buy("lifetime", for: "u1", storefront: "DEU")
    #expect(await storefronts.next()?.countryCode == "DEU")
    var posted = posts.makeAsyncIterator()
    #expect(await posted.next() != nil)
    #expect(
      Set([await lines.next(), await lines.next()])
        == ["storefront DEU", "purchased lifetime"])
    #expect(queue.storefront?.countryCode == "DEU")
    #expect(await Storefront.current?.currency?.identifier == "EUR")
    for transaction in queue.transactions { queue.finishTransaction(transaction) }
    #expect(await hear(2, "removed", &lines).count == 2)
  }
}
