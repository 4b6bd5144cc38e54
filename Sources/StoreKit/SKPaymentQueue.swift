import Foundation

/// The account's payments, as the original interface has them. Observers are called on the main
/// queue, so a program must run it: `RunLoop.main`, `dispatchMain()` or an `async` main function.
///
/// At launch, which is when the first observer is added, it has the transactions that the app has
/// not finished.
open class SKPaymentQueue: NSObject, @unchecked Sendable {
  private struct WeakObserver {
    weak var observer: (any SKPaymentTransactionObserver)?
  }

  private struct State {
    var observers: [WeakObserver] = []
    var transactions: [SKPaymentTransaction] = []
    var listener: Task<Void, Never>?
    var storefront: SKStorefront?
    weak var delegate: (any SKPaymentQueueDelegate)?
    /// The payment that was taken for the last one bought, until it is heard whose wait that ended.
    var boughtAfterWait: SKPaymentTransaction?
  }

  private static let only = SKPaymentQueue()

  private let lock = NSLock()
  /// `lock` guards it.
  private var state = State()

  /// The queue of this process.
  open class func `default`() -> Self {
    guard let queue = only as? Self else {
      preconditionFailure("there is one queue, and it is no subclass")
    }
    return queue
  }

  /// Whether the account may buy at all; always true here.
  open class func canMakePayments() -> Bool { true }

  open var delegate: (any SKPaymentQueueDelegate)? {
    get { lock.withLock { state.delegate } }
    set { lock.withLock { state.delegate = newValue } }
  }

  /// The storefront of the account's newest transaction, once an observer was added.
  open var storefront: SKStorefront? { lock.withLock { state.storefront } }

  // MARK: Observers

  /// Adds an observer, which is not kept alive. It hears of the transactions that are in the
  /// queue.
  open func add(_ observer: any SKPaymentTransactionObserver) {
    let unheard = lock.withLock {
      state.observers.removeAll { $0.observer == nil || $0.observer === observer }
      state.observers.append(WeakObserver(observer: observer))
      if state.listener == nil { state.listener = listening() }
      return state.transactions.filter { $0.transactionState != .purchasing }
    }
    guard !unheard.isEmpty else { return }
    nonisolated(unsafe) let observer = observer
    DispatchQueue.main.async { observer.paymentQueue(self, updatedTransactions: unheard) }
  }

  open func remove(_ observer: any SKPaymentTransactionObserver) {
    lock.withLock {
      state.observers.removeAll { $0.observer == nil || $0.observer === observer }
    }
  }

  open var transactionObservers: [any SKPaymentTransactionObserver] {
    lock.withLock { state.observers.compactMap(\.observer) }
  }

  /// What is not finished.
  open var transactions: [SKPaymentTransaction] { lock.withLock { state.transactions } }

  /// Calls each observer on the main queue.
  private func tell(_ body: @escaping @Sendable (any SKPaymentTransactionObserver) -> Void) {
    DispatchQueue.main.async {
      for observer in self.transactionObservers { body(observer) }
    }
  }

  private func tellUpdated(_ transactions: [SKPaymentTransaction]) {
    tell { $0.paymentQueue(self, updatedTransactions: transactions) }
  }

  // MARK: Payments

  /// Buys. The observers hear that it is being purchased, and then how that ended.
  open func add(_ payment: SKPayment) {
    let payment = payment.frozen
    let transaction = SKPaymentTransaction(SKPaymentTransaction.Fields(payment: payment))
    lock.withLock { state.transactions.append(transaction) }
    tellUpdated([transaction])
    Task.detached { await self.buy(transaction) }
  }

  private func buy(_ transaction: SKPaymentTransaction) async {
    do {
      let wish = try transaction.payment.wish()
      let bought = try await StoreSession.shared.buy(wish, for: .paymentQueue) { id in
        self.change(transaction) { fields in
          fields.state = .deferred
          fields.pendingID = id
        }
      }
      switch bought {
      case .success(let delivery):
        change(transaction) { fields in
          fields.state = .purchased
          fields.sell(delivery)
        }
      // It was told above, so that it is deferred before its approval is heard of.
      case .pending: break
      case .userCancelled: fail(transaction, SKError(.paymentCancelled))
      }
    } catch {
      fail(transaction, SKError.original(error))
    }
  }

  private func fail(_ transaction: SKPaymentTransaction, _ error: SKError) {
    change(transaction) { $0.fail(error) }
  }

  /// Changes a transaction on the main queue, where its observers look at it, and tells them.
  private func change(
    _ transaction: SKPaymentTransaction,
    _ change: @escaping @Sendable (inout SKPaymentTransaction.Fields) -> Void
  ) {
    DispatchQueue.main.async { self.changeHere(transaction, change) }
  }

  /// The same for one who is on the main queue: what is asked there next finds it changed.
  private func changeHere(
    _ transaction: SKPaymentTransaction,
    _ change: @Sendable (inout SKPaymentTransaction.Fields) -> Void
  ) {
    transaction.change(change)
    for observer in transactionObservers {
      observer.paymentQueue(self, updatedTransactions: [transaction])
    }
  }

  /// Takes a transaction out of the queue: what was bought is delivered, or what failed is known.
  /// One that is being purchased cannot be finished, which is a programmer's error.
  open func finishTransaction(_ transaction: SKPaymentTransaction) {
    precondition(
      transaction.transactionState != .purchasing,
      "a transaction that is being purchased cannot be finished")
    let wasThere = lock.withLock {
      let index = state.transactions.firstIndex { $0 === transaction }
      if let index { state.transactions.remove(at: index) }
      return index != nil
    }
    guard wasThere else { return }
    Task.detached {
      if [.purchased, .restored].contains(transaction.transactionState),
        let id = transaction.transactionIdentifier.flatMap({ UInt64($0) })
      {
        await StoreSession.shared.finish(transactionID: id)
      }
      self.tell { $0.paymentQueue(self, removedTransactions: [transaction]) }
    }
  }

  // MARK: What happens elsewhere

  private func listening() -> Task<Void, Never> {
    let deliveries = StoreSession.shared.listenForQueue()
    return Task.detached {
      await self.noteStorefront(await StoreSession.shared.storefront())
      for await news in deliveries {
        switch news {
        case .delivery(let delivery): await self.take(delivery)
        case .waitEnded(let id): DispatchQueue.main.async { self.endWait(id) }
        }
      }
    }
  }

  private func noteStorefront(_ storefront: Storefront?) async {
    guard let storefront else { return }
    let isChange = lock.withLock {
      let before = state.storefront?.countryCode
      state.storefront = SKStorefront(storefront)
      return before != nil && before != storefront.countryCode
    }
    if isChange { tell { $0.paymentQueueDidChangeStorefront(self) } }
  }

  private func take(_ delivery: Delivery) async {
    let told = delivery.told
    await noteStorefront(delivery.result.unsafePayloadValue.storefront)
    if told.revocationDate != nil {
      return tell {
        $0.paymentQueue(self, didRevokeEntitlementsForProductIdentifiers: [told.productID])
      }
    }
    guard !told.isUpgraded, !told.isFinished else { return }
    // On the main queue, where all that was told before has been heard.
    DispatchQueue.main.async { self.add(delivery) }
  }

  /// Adds what was bought elsewhere, or takes it for the outcome of a payment that waits.
  private func add(_ delivery: Delivery) {
    let told = delivery.told
    let (deferred, isKnown) = lock.withLock {
      (
        state.transactions.first {
          $0.transactionState == .deferred && $0.payment.productIdentifier == told.productID
        }, state.transactions.contains { $0.transactionIdentifier == told.id }
      )
    }
    guard !isKnown else { return }
    if let deferred {
      lock.withLock { state.boughtAfterWait = deferred }
      return changeHere(deferred) { fields in
        fields.state = .purchased
        fields.sell(delivery)
      }
    }
    let transaction = SKPaymentTransaction(SKPaymentTransaction.Fields(delivery))
    lock.withLock { state.transactions.append(transaction) }
    tellUpdated([transaction])
  }

  /// A payment that still waits when its wait is over was declined, unless it was bought just now
  /// and another payment for the same product was taken for it: that one goes on waiting in its
  /// place. On the main queue, behind what came of it.
  private func endWait(_ pendingID: String) {
    let (waiting, bought) = lock.withLock {
      defer { state.boughtAfterWait = nil }
      return (
        state.transactions.first {
          $0.pendingID == pendingID && $0.transactionState == .deferred
        }, state.boughtAfterWait
      )
    }
    guard let waiting else { return }
    if let bought, bought.payment.productIdentifier == waiting.payment.productIdentifier {
      waiting.change { $0.pendingID = bought.pendingID }
    } else {
      changeHere(waiting) { $0.fail(SKError(.paymentCancelled)) }
    }
  }

  // MARK: Restoring

  /// Gives the account its living subscriptions and lasting products once more, as restored
  /// transactions with ids of their own and with the first one of each in `original`.
  open func restoreCompletedTransactions() {
    restoreCompletedTransactions(withApplicationUsername: nil)
  }

  /// The same; the account is the connection's, so the name has no effect.
  open func restoreCompletedTransactions(withApplicationUsername username: String?) {
    Task.detached {
      do {
        let restored = try await StoreSession.shared.restore().map {
          SKPaymentTransaction(SKPaymentTransaction.Fields($0))
        }
        self.lock.withLock { self.state.transactions += restored }
        if !restored.isEmpty { self.tellUpdated(restored) }
        self.tell { $0.paymentQueueRestoreCompletedTransactionsFinished(self) }
      } catch {
        let error = SKError.original(error)
        self.tell { $0.paymentQueue(self, restoreCompletedTransactionsFailedWithError: error) }
      }
    }
  }

  // MARK: Sheets

  /// Would show a sheet; there is no screen.
  open func showPriceConsentIfNeeded() {}

  /// Would show a sheet; there is no screen. Buy with the offer code's offer instead.
  open func presentCodeRedemptionSheet() {}
}
