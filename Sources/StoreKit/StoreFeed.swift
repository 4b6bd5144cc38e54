internal import Client
import Foundation

/// A transaction as the daemon told it, and what the check of its signed form said.
struct Delivery: Sendable {
  let told: Client.Transaction
  let result: VerificationResult<Transaction>
}

/// What the payment queue hears.
enum QueueNews: Sendable {
  case delivery(Delivery)
  /// A purchase that waited is made, or declined.
  case waitEnded(pendingID: String)
}

/// Decides who hears what of the account's transactions and subscriptions. A value without input
/// or output: `StoreSession` brings it what the daemon says.
///
/// A transaction made by a call of this process goes to that call only, whether its event comes
/// before the call's answer or after it.
struct StoreFeed: Sendable {
  /// Who bought something in this process, and gets the outcome by another way.
  enum Buyer: Sendable {
    /// `Product.purchase(options:)`: neither updates nor the payment queue repeat it.
    case product
    /// The payment queue, which does not repeat it; updates have it.
    case paymentQueue
  }

  private struct Purchase {
    let buyer: Buyer
    let productID: String
    /// Names it once it waits for a parent.
    var pendingID: String?
    /// What came meanwhile and may be its outcome, or what it waited for.
    var held: [QueueNews] = []
  }

  /// Purchases that have no answer yet, by request id.
  private var underWay: [String: Purchase] = [:]
  /// Purchases whose answer came, until their event has passed.
  private var settled: [String: (buyer: Buyer, sequence: Int64)] = [:]
  /// What was bought here before the launch's unfinished ones were told.
  private var boughtBeforeLaunch: [String: Buyer] = [:]
  /// What was told at launch: its event may still come.
  private var toldAtLaunch: [String: Client.Transaction] = [:]
  /// What this process finished, by the transaction's id, until the finish itself has passed.
  private var finished: [String: Int64] = [:]
  /// What waits for a first listener because it is not finished.
  private var open: Set<String> = []
  /// The newest transaction of each subscription.
  private var newest: [String: Delivery] = [:]
  /// The country that the account last bought in, or would buy in first.
  private(set) var country: String?

  private(set) var hasLaunched = false
  var updates = Broadcast<VerificationResult<Transaction>>(
    keeping: StoreKitLimits.waitingTransactionsMax)
  var queue = Broadcast<QueueNews>(keeping: StoreKitLimits.waitingTransactionsMax)
  var storefronts = Broadcast<Storefront>(keeping: 0)
  var statuses = Broadcast<Product.SubscriptionInfo.Status>(keeping: 0)

  /// Forgets an account; those who listen stay.
  mutating func forget() {
    var fresh = StoreFeed()
    swap(&fresh.updates, &updates)
    swap(&fresh.queue, &queue)
    swap(&fresh.storefronts, &storefronts)
    swap(&fresh.statuses, &statuses)
    fresh.updates.forget()
    fresh.queue.forget()
    self = fresh
  }

  // MARK: The present

  /// Takes the present state of a subscription.
  mutating func know(_ delivery: Delivery) {
    newest[delivery.told.originalID] = delivery
  }

  /// Takes the present storefront, which is no change.
  mutating func know(_ storefront: Storefront) {
    country = storefront.countryCode
  }

  /// The newest transaction of a subscription.
  func newestTransaction(originalID: String) -> Delivery? { newest[originalID] }

  /// Takes what was unfinished at launch and tells it.
  mutating func launch(_ unfinished: [Delivery]) {
    hasLaunched = true
    // What was finished since it was read is none of them.
    for delivery in unfinished where finished[delivery.told.id] == nil {
      let told = delivery.told
      toldAtLaunch[told.id] = told
      if let buyer = boughtBeforeLaunch[told.id] {
        tell(delivery, boughtBy: buyer)
      } else if let id = underWay.first(where: { $0.value.productID == told.productID })?.key {
        underWay[id]?.held.append(.delivery(delivery))
      } else {
        tell(delivery, boughtBy: nil)
      }
    }
    boughtBeforeLaunch = [:]
  }

  // MARK: Purchases of this process

  mutating func begin(_ requestID: String, productID: String, by buyer: Buyer) {
    underWay[requestID] = Purchase(buyer: buyer, productID: productID)
  }

  /// Ends a purchase. With an answer its transaction is the buyer's; without one, as after a lost
  /// connection, whatever came of it is news.
  mutating func end(_ requestID: String, transactionID: String?, sequence: Int64?) {
    guard let purchase = underWay.removeValue(forKey: requestID) else { return }
    if let transactionID, let sequence {
      settled[requestID] = (purchase.buyer, sequence)
      if !hasLaunched { boughtBeforeLaunch[transactionID] = purchase.buyer }
    }
    for news in purchase.held { tell(held: news, outcome: transactionID, of: purchase.buyer) }
  }

  /// Tells what was held back while a purchase was under way: the purchase's own outcome as its
  /// buyer's.
  private mutating func tell(
    held news: QueueNews, outcome transactionID: String?, of buyer: Buyer
  ) {
    switch news {
    case .delivery(let delivery):
      tell(delivery, boughtBy: delivery.told.id == transactionID ? buyer : nil)
    case .waitEnded: queue.tell(news)
    }
  }

  /// Whether an event was made by a purchase of this process.
  func isOwn(_ event: Event) -> Bool {
    guard let id = event.requestID else { return false }
    return underWay[id] != nil || settled[id] != nil
  }

  // MARK: Events

  /// Takes an event with the transaction it carries.
  mutating func take(_ event: Event, _ delivery: Delivery?) {
    settled = settled.filter { $0.value.sequence >= event.sequence }
    finished = finished.filter { $0.value >= event.sequence }
    if event.kind == .reset {
      newest = [:]
      toldAtLaunch = [:]
    }
    noteWait(event)
    guard let delivery, isNews(delivery.told) else { return }
    remember(delivery)
    // Another id for what the account has already: it is news to who restored it, and at a launch.
    guard event.kind != .restored else { return }
    note(delivery)
    if let id = event.requestID, underWay[id] != nil {
      underWay[id]?.held.append(.delivery(delivery))
    } else if let id = requestWaiting(where: { $0.productID == delivery.told.productID }) {
      underWay[id]?.held.append(.delivery(delivery))
    } else {
      tell(delivery, boughtBy: event.requestID.flatMap { settled[$0]?.buyer })
    }
  }

  /// Tells that a wait is over; of a purchase whose buyer does not know yet that it waits, only
  /// when it does.
  private mutating func noteWait(_ event: Event) {
    guard let pendingID = event.pendingID else { return }
    if event.kind == .purchasePending, let id = event.requestID {
      underWay[id]?.pendingID = pendingID
    } else if event.kind == .pendingEnded {
      let news = QueueNews.waitEnded(pendingID: pendingID)
      if let id = requestWaiting(where: { $0.pendingID == pendingID }) {
        underWay[id]?.held.append(news)
      } else {
        queue.tell(news)
      }
    }
  }

  private func requestWaiting(where fits: (Purchase) -> Bool) -> String? {
    underWay.first { $0.value.pendingID != nil && fits($0.value) }?.key
  }

  /// Takes the renewal info that an event carries, and tells how its subscription stands with it.
  mutating func take(
    _ event: Event, _ renewalInfo: VerificationResult<Product.SubscriptionInfo.RenewalInfo>
  ) {
    guard let originalID = event.originalID, let status = event.statusAfter,
      let transaction = newest[originalID]
    else { return }
    statuses.tell(
      Product.SubscriptionInfo.Status(
        state: .init(rawValue: Int(status.rawValue)), transaction: transaction.result,
        renewalInfo: renewalInfo))
  }

  /// Tells a transaction that changed along with another one.
  mutating func take(changed delivery: Delivery) {
    tell(delivery, boughtBy: nil)
  }

  private mutating func remember(_ delivery: Delivery) {
    let told = delivery.told
    guard told.productType == .autoRenewable else { return }
    if let known = newest[told.originalID]?.told, known.id != told.id,
      known.purchaseDate > told.purchaseDate
    {
      return
    }
    newest[told.originalID] = delivery
  }

  /// An event may repeat a transaction beside what it says, and one that was told at launch may
  /// have its event only then.
  private mutating func isNews(_ told: Client.Transaction) -> Bool {
    if let known = toldAtLaunch.removeValue(forKey: told.id), known.saysTheSame(as: told) {
      return false
    }
    if let known = newest[told.originalID]?.told, known.saysTheSame(as: told) { return false }
    return true
  }

  /// Tells of another storefront. A renewal keeps that of its subscription, so it says nothing.
  private mutating func note(_ delivery: Delivery) {
    let transaction = delivery.result.unsafePayloadValue
    guard transaction.reason == .purchase else { return }
    let before = country
    country = transaction.storefront.countryCode
    if let before, before != country { storefronts.tell(transaction.storefront) }
  }

  private mutating func tell(_ delivery: Delivery, boughtBy buyer: Buyer?) {
    switch buyer {
    case .product: return
    case .paymentQueue: updates.tell(delivery.result)
    case nil:
      updates.tell(delivery.result)
      queue.tell(.delivery(delivery))
    }
    guard hasWaiting else { return open = [] }
    let told = delivery.told
    guard !told.isFinished, told.revocationDate == nil, !told.isUpgraded else { return }
    open.insert(told.id)
    if finished[told.id] != nil { forgetWaiting { $0 == told.id } }
  }

  // MARK: Finishing

  private var hasWaiting: Bool { updates.hasWaiting || queue.hasWaiting }

  /// Takes that the app has delivered a transaction: who begins to listen after that does not hear
  /// of it. `sequence` is the finish's place in the log; nil where the daemon could not be told.
  mutating func finish(_ transactionID: String, sequence: Int64?) {
    finished[transactionID] = sequence ?? .max
    forgetWaiting { $0 == transactionID }
  }

  /// Whether an event may be the finish of something that waits here, elsewhere than in this
  /// process. Which of a subscription's transactions it was, only the daemon knows.
  func mayFinishWaiting(_ event: Event) -> Bool {
    event.kind == .finished && hasWaiting && !finished.values.contains(event.sequence)
  }

  /// Takes what the account has not finished: of all else that waits, it was finished.
  mutating func keepWaiting(_ unfinished: Set<String>) {
    forgetWaiting { !unfinished.contains($0) }
  }

  /// Forgets what waits to be finished and is. What waits for another reason, such as a refund or
  /// an extension, is to be heard whether it was finished or not.
  private mutating func forgetWaiting(where isOver: (_ transactionID: String) -> Bool) {
    let over = open.filter(isOver)
    guard !over.isEmpty else { return }
    open.subtract(over)
    updates.forgetWaiting { $0.unsafePayloadValue.isPurchase(in: over) }
    queue.forgetWaiting { news in
      guard case .delivery(let delivery) = news else { return false }
      return delivery.result.unsafePayloadValue.isPurchase(in: over)
    }
  }
}

extension Transaction {
  /// Whether it is one of these, and tells of no end of it.
  fileprivate func isPurchase(in ids: Set<String>) -> Bool {
    revocationDate == nil && !isUpgraded && ids.contains(String(id))
  }
}

extension Client.Transaction {
  /// Whether both are the same transaction in the same state, whenever they were signed.
  fileprivate func saysTheSame(as other: Client.Transaction) -> Bool {
    id == other.id && expirationDate == other.expirationDate && isUpgraded == other.isUpgraded
      && revocationDate == other.revocationDate && revocationType == other.revocationType
      && appAccountToken == other.appAccountToken
  }
}
