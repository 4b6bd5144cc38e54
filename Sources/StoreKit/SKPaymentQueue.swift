import Foundation

/// The account's payments, as the original interface has them. Observers are called on the main
/// queue, so a program must run it: `RunLoop.main`, `dispatchMain()` or an `async` main function.
///
/// At launch, which is when the first observer is added, it has the transactions that the app has
/// not finished.
open class SKPaymentQueue: NSObject, @unchecked Sendable {
  fileprivate struct WeakObserver {
    weak var observer: (any SKPaymentTransactionObserver)?
  }

  struct State {
    fileprivate var observers: [WeakObserver] = []
    fileprivate var transactions: [SKPaymentTransaction] = []
    /// Those that are on their way out of `transactions`.
    fileprivate var leaving: Set<ObjectIdentifier> = []
    fileprivate var listeners: [Task<Void, Never>] = []
    /// The last of what the store is asked to do, each after the one before.
    fileprivate var work: Task<Void, Never>?
    fileprivate weak var delegate: (any SKPaymentQueueDelegate)?
    /// The payment that was taken for the last one bought, until it is heard whose wait that ended.
    fileprivate var boughtAfterWait: SKPaymentTransaction?
    /// The storefront, of the launch that it was heard in.
    var storefront: (launch: Int, value: SKStorefront)?
    var storefrontQuestion: StorefrontQuestion?
  }

  private static let only = SKPaymentQueue()

  let lock = NSLock()
  /// `lock` guards it.
  var state = State()

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

  /// The storefront that the account bought in last; before its first purchase the catalogue's.
  ///
  /// The first to ask waits for the daemon's answer, at most a second. Nil where it does not come;
  /// then it is asked for again in the background each time that somebody looks.
  open var storefront: SKStorefront? { storefrontAskedFor() }

  // MARK: Observers

  /// Adds an observer, which is not kept alive. It hears of the transactions that are in the
  /// queue.
  open func add(_ observer: any SKPaymentTransactionObserver) {
    let unheard = lock.withLock {
      state.observers.removeAll { $0.observer == nil || $0.observer === observer }
      state.observers.append(WeakObserver(observer: observer))
      if state.listeners.isEmpty { state.listeners = listening() }
      return state.transactions.filter {
        $0.transactionState != .purchasing && !state.leaving.contains(ObjectIdentifier($0))
      }
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

  /// What is not finished; and what is, until the observers hear that it was removed.
  open var transactions: [SKPaymentTransaction] { lock.withLock { state.transactions } }

  /// Calls each observer on the main queue.
  func tell(_ body: @escaping @Sendable (any SKPaymentTransactionObserver) -> Void) {
    DispatchQueue.main.async {
      for observer in self.transactionObservers { body(observer) }
    }
  }

  private func tellUpdated(_ transactions: [SKPaymentTransaction]) {
    tell { $0.paymentQueue(self, updatedTransactions: transactions) }
  }

  // MARK: Payments

  /// Buys, after all payments that were added before. The observers hear that it is being
  /// purchased, and then how that ended.
  open func add(_ payment: SKPayment) {
    let payment = payment.frozen
    let transaction = SKPaymentTransaction(SKPaymentTransaction.Fields(payment: payment))
    // Under the lock, so that what is heard and what is bought is in one order, whoever adds.
    lock.withLock {
      state.transactions.append(transaction)
      tellUpdated([transaction])
      doNext { await self.buy(transaction) }
    }
  }

  /// Has something done once all that was asked for before is done: payments are made, finished
  /// and restored in the order in which the app said so. Called under the lock.
  private func doNext(_ work: @escaping @Sendable () async -> Void) {
    state.work = Task.detached { [before = state.work] in
      await before?.value
      await work()
    }
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
  /// It stays in `transactions` until the observers hear that it was removed.
  /// One that is being purchased cannot be finished, which is a programmer's error.
  open func finishTransaction(_ transaction: SKPaymentTransaction) {
    precondition(
      transaction.transactionState != .purchasing,
      "a transaction that is being purchased cannot be finished")
    lock.withLock {
      guard leave(transaction) else { return }
      doNext {
        if [.purchased, .restored].contains(transaction.transactionState),
          let id = transaction.transactionIdentifier.flatMap({ UInt64($0) })
        {
          await StoreSession.shared.finish(transactionID: id)
        }
        self.remove(transaction)
      }
    }
  }

  /// Begins to take a transaction out of the queue; false where it is not there, or leaves
  /// already. Called under the lock.
  private func leave(_ transaction: SKPaymentTransaction) -> Bool {
    state.transactions.contains { $0 === transaction }
      && state.leaving.insert(ObjectIdentifier(transaction)).inserted
  }

  /// Takes a transaction out of the queue where the observers hear of it: on the main queue.
  private func remove(_ transaction: SKPaymentTransaction) {
    DispatchQueue.main.async {
      self.lock.withLock {
        self.state.transactions.removeAll { $0 === transaction }
        _ = self.state.leaving.remove(ObjectIdentifier(transaction))
      }
      for observer in self.transactionObservers {
        observer.paymentQueue(self, removedTransactions: [transaction])
      }
    }
  }

  /// Takes out what was finished as a `Transaction`: it is the same purchase.
  static func noteFinished(_ transactionID: UInt64) {
    only.lock.withLock {
      let transaction = only.state.transactions.first {
        $0.transactionIdentifier == String(transactionID)
      }
      guard let transaction, only.leave(transaction) else { return }
      only.remove(transaction)
    }
  }

  // MARK: What happens elsewhere

  private func listening() -> [Task<Void, Never>] {
    let deliveries = StoreSession.shared.listenForQueue()
    let storefronts = StoreSession.shared.listenToStorefronts()
    return [
      Task.detached {
        await self.askForStorefront()
        for await news in deliveries {
          switch news {
          case .delivery(let delivery): await self.take(delivery)
          case .waitEnded(let id): DispatchQueue.main.async { self.endWait(id) }
          }
        }
      },
      Task.detached { for await storefront in storefronts { self.note(storefront) } },
    ]
  }

  private func take(_ delivery: Delivery) async {
    let told = delivery.told
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
    lock.withLock { doNext { await self.restore() } }
  }

  private func restore() async {
    do {
      let restored = try await StoreSession.shared.restore().map {
        SKPaymentTransaction(SKPaymentTransaction.Fields($0))
      }
      lock.withLock { state.transactions += restored }
      if !restored.isEmpty { tellUpdated(restored) }
      tell { $0.paymentQueueRestoreCompletedTransactionsFinished(self) }
    } catch {
      let error = SKError.original(error)
      tell { $0.paymentQueue(self, restoreCompletedTransactionsFailedWithError: error) }
    }
  }

  // MARK: Sheets

  /// Would show a sheet; there is no screen.
  open func showPriceConsentIfNeeded() {}

  /// Would show a sheet; there is no screen. Buy with the offer code's offer instead.
  open func presentCodeRedemptionSheet() {}
}
