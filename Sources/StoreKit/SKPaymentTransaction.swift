import Foundation
import Synchronization

/// Where a payment stands. Raw values are those of Apple's header.
public enum SKPaymentTransactionState: Int, Sendable {
  case purchasing = 0
  case purchased
  case failed
  case restored
  case deferred
}

/// A payment in the queue.
open class SKPaymentTransaction: NSObject, @unchecked Sendable {
  /// What changes while it is in the queue.
  struct Fields: Sendable {
    var payment = SKPayment()
    var state = SKPaymentTransactionState.purchasing
    var identifier: String?
    var date: Date?
    var original: SKPaymentTransaction?
    var error: SKError?
    /// Names a payment that waits to the store.
    var pendingID: String?
  }

  private let fields: Mutex<Fields>

  /// A transaction without any property, for a test's own subclass.
  public override init() {
    fields = Mutex(Fields())
  }

  init(_ fields: Fields) {
    self.fields = Mutex(fields)
  }

  open var payment: SKPayment { fields.withLock { $0.payment } }
  open var transactionState: SKPaymentTransactionState { fields.withLock { $0.state } }
  /// Of purchased and restored ones.
  open var transactionIdentifier: String? { fields.withLock { $0.identifier } }
  /// Of purchased and restored ones.
  open var transactionDate: Date? { fields.withLock { $0.date } }
  /// What a restored one restores: the first transaction of its purchase or subscription.
  open var original: SKPaymentTransaction? { fields.withLock { $0.original } }
  /// Of failed ones.
  open var error: (any Error)? { fields.withLock { $0.error } }
  /// Apple's stopped filling it in long ago; there is no receipt on Linux either.
  open var transactionReceipt: Data? { nil }

  var pendingID: String? { fields.withLock { $0.pendingID } }

  func change(_ change: @Sendable (inout Fields) -> Void) {
    fields.withLock { change(&$0) }
  }
}

extension SKPaymentTransaction.Fields {
  /// What the store sold, or gave once more.
  init(_ delivery: Delivery) {
    let told = delivery.told
    payment = SKPayment(
      SKPayment.Fields(
        productIdentifier: told.productID, quantity: Int(told.purchasedQuantity ?? 1),
        applicationUsername: told.appAccountToken))
    state = .purchased
    sell(delivery)
    guard told.isRestored else { return }
    var first = self
    first.identifier = told.originalID
    first.date = told.originalPurchaseDate.map { Date(milliseconds: $0.milliseconds) }
    state = .restored
    original = SKPaymentTransaction(first)
  }

  mutating func sell(_ delivery: Delivery) {
    identifier = delivery.told.id
    date = Date(milliseconds: delivery.told.purchaseDate.milliseconds)
  }

  mutating func fail(_ error: SKError) {
    state = .failed
    self.error = error
  }
}

extension Date {
  /// Milliseconds since 1970 UTC.
  init(milliseconds: Int64) {
    self.init(timeIntervalSince1970: Double(milliseconds) / 1000)
  }
}
