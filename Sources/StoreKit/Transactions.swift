import Foundation

extension Transaction {
  /// A sequence of the account's transactions.
  public struct Transactions: AsyncSequence, Sendable {
    public typealias Element = VerificationResult<Transaction>
    public typealias Failure = Never

    enum Source: Sendable {
      case updates
      case snapshot(@Sendable () async -> [VerificationResult<Transaction>])
    }

    let source: Source

    public func makeAsyncIterator() -> AsyncIterator {
      switch source {
      case .updates: AsyncIterator(listener: StoreSession.shared.listenToTransactions())
      case .snapshot(let load): AsyncIterator(load: load)
      }
    }

    public struct AsyncIterator: AsyncIteratorProtocol {
      private var listener: AsyncStream<Element>.Iterator?
      private var load: (@Sendable () async -> [Element])?
      private var loaded: ArraySlice<Element> = []

      init(listener: AsyncStream<Element>) {
        self.listener = listener.makeAsyncIterator()
      }

      init(load: @escaping @Sendable () async -> [Element]) {
        self.load = load
      }

      /// Awaits the next transaction; nil at the end, or once the task is cancelled.
      public mutating func next() async -> Element? {
        if listener != nil { return await listener?.next() }
        if let load {
          self.load = nil
          loaded = await load()[...]
        }
        return loaded.popFirst()
      }
    }
  }

  /// All transactions of the account, newest first; of consumables those not finished, and those
  /// taken back. Empty where the daemon does not answer, as are the two below.
  public static var all: Transactions {
    Transactions(source: .snapshot { await StoreSession.shared.allTransactions() })
  }

  /// What the account may use now: lasting products that were not taken back, the newest
  /// transaction of each subscription that is active or in its grace period, and the newest of
  /// each non-renewing subscription.
  public static var currentEntitlements: Transactions {
    Transactions(source: .snapshot { await StoreSession.shared.currentEntitlements() })
  }

  /// What the app has not finished.
  public static var unfinished: Transactions {
    Transactions(source: .snapshot { await StoreSession.shared.unfinishedTransactions() })
  }

  /// Transactions made or changed outside `Product.purchase(options:)`: by renewal, refund, a
  /// parent's approval or another device; and at launch, to the first who listens, those that the
  /// app has not finished. It never ends.
  public static var updates: Transactions { Transactions(source: .updates) }

  /// What entitles the account to a product now.
  @available(*, deprecated, renamed: "currentEntitlements(for:)")
  public static func currentEntitlement(
    for productID: String
  ) async -> VerificationResult<Transaction>? {
    await StoreSession.shared.currentEntitlements(product: productID).first
  }

  /// What entitles the account to a product now: bought, or shared with it.
  public static func currentEntitlements(for productID: String) -> Transactions {
    Transactions(
      source: .snapshot { await StoreSession.shared.currentEntitlements(product: productID) })
  }

  /// All transactions of a product.
  public static func all(for productID: String) -> Transactions {
    Transactions(
      source: .snapshot { await StoreSession.shared.allTransactions(product: productID) })
  }

  /// The newest transaction of a product, in whatever state.
  public static func latest(for productID: String) async -> VerificationResult<Transaction>? {
    await StoreSession.shared.latestTransaction(product: productID)
  }

  /// Tells the store that the app has delivered what was bought. It is told once more by the
  /// next launch where the daemon does not answer.
  public func finish() async {
    await StoreSession.shared.finish(transactionID: id)
    SKPaymentQueue.noteFinished(id)
  }

  /// Asks the store for a refund; Apple's does it on a sheet, and needs a scene. Whether it is
  /// given is told by `Transaction.updates`. Needs the daemon's role admin. Throws
  /// `RefundRequestError` and `StoreKitError`.
  public func beginRefundRequest() async throws -> RefundRequestStatus {
    try await Self.beginRefundRequest(for: id)
  }

  /// The same for a transaction by its id.
  public static func beginRefundRequest(
    for transactionID: UInt64
  ) async throws -> RefundRequestStatus {
    try await StoreSession.shared.requestRefund(transactionID: transactionID)
    return .success
  }

  /// The subscription it belongs to.
  public var subscriptionStatus: Product.SubscriptionInfo.Status? {
    get async { await StoreSession.shared.status(of: self) }
  }
}
