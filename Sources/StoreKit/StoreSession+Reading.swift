internal import Client
import Foundation

extension StoreSession {
  // MARK: Products

  /// Products by their ids, and the ids that nothing is sold under.
  func products(_ ids: [String]) async throws -> (found: [Product], unknown: [String]) {
    do {
      let list = try await connected().client.call(.products(ids: ids))
      return (list.products.map(Product.init), list.unknown)
    } catch {
      throw StoreFailure.storeKitError(error)
    }
  }

  // MARK: Transactions

  /// All transactions of the account, oldest first.
  func history(_ connected: Connected, trust: StoreTrust) async throws -> [Delivery] {
    var deliveries: [Delivery] = []
    var next: String?
    repeat {
      let page = try await connected.client.call(
        .history(account: try connected.account, from: next, signed: true))
      deliveries += page.transactions.map { Delivery(told: $0, result: trust.result(of: $0)) }
      next = page.next
    } while next != nil
    return deliveries
  }

  func allTransactions(product: String? = nil) async -> [VerificationResult<Transaction>] {
    await asking(otherwise: []) { connected, trust in
      try await history(connected, trust: trust).reversed()
        .filter { product == nil || $0.told.productID == product }
        .filter { delivery in
          let told = delivery.told
          // A consumable that was delivered is gone, unless it was taken back.
          return told.productType != .consumable || !told.isFinished || told.revocationDate != nil
        }
        .map(\.result)
    }
  }

  func latestTransaction(product: String) async -> VerificationResult<Transaction>? {
    await asking(otherwise: nil) { connected, trust in
      try await history(connected, trust: trust).last { $0.told.productID == product }?.result
    }
  }

  func unfinishedTransactions() async -> [VerificationResult<Transaction>] {
    await asking(otherwise: []) { connected, trust in
      try await unfinished(connected, trust).map(\.result)
    }
  }

  func unfinished(_ connected: Connected, _ trust: StoreTrust) async throws -> [Delivery] {
    try await connected.client.call(.unfinished(account: try connected.account, signed: true))
      .transactions.map {
        Delivery(told: $0.transaction, result: trust.result(of: $0))
      }
  }

  func currentEntitlements(product: String? = nil) async -> [VerificationResult<Transaction>] {
    await asking(otherwise: []) { connected, trust in
      let status = try await status(connected)
      return Self.entitlements(status)
        .filter { product == nil || $0.productID == product }
        .map(trust.result)
    }
  }

  /// Lasting purchases and the newest of each non-renewing subscription, oldest first, then
  /// subscriptions that entitle. An element may have ended already: then it is in grace.
  private static func entitlements(_ status: MembershipStatus) -> [Client.Transaction] {
    var newest: [String: Client.Transaction] = [:]
    for purchase in status.purchases where purchase.revocationDate == nil {
      guard purchase.productType == .nonConsumable || purchase.productType == .nonRenewing else {
        continue
      }
      if let known = newest[purchase.productID], known.purchaseDate > purchase.purchaseDate {
        continue
      }
      newest[purchase.productID] = purchase
    }
    let lasting = newest.values.sorted { ($0.purchaseDate, $0.id) < ($1.purchaseDate, $1.id) }
    let subscriptions = status.subscriptions.filter {
      $0.status == .active || $0.status == .inGracePeriod
    }
    return lasting + subscriptions.map(\.transaction)
  }

  func finish(transactionID: UInt64) async {
    let id = String(transactionID)
    let sequence: Int64? = await asking(otherwise: nil) { connected, _ in
      let answer: SequenceAnswer = try await change(connected) {
        .finish(transactionID: id, requestID: $0)
      }
      return answer.sequence
    }
    // Without a watch there is nobody whom it could be told to later.
    state.withLock { if $0.watch != nil { $0.feed.finish(id, sequence: sequence) } }
  }

  /// Has the daemon give the account what it has once more, under new ids: the newest period of
  /// each subscription that lives, and lasting products.
  func restore() async throws -> [Delivery] {
    try await asking { connected, trust in
      let account = try connected.account
      let answer = try await change(connected) {
        .restore(account: account, signed: true, requestID: $0)
      }
      return answer.transactions.map { Delivery(told: $0, result: trust.result(of: $0)) }
    }
  }

  // MARK: Subscriptions

  private func status(_ connected: Connected) async throws -> MembershipStatus {
    try await connected.client.call(.status(account: try connected.account, signed: true))
  }

  func statuses() async throws -> [Product.SubscriptionInfo.Status] {
    try await asking { connected, trust in
      try await status(connected).subscriptions.map { subscription in
        Product.SubscriptionInfo.Status(
          state: .init(rawValue: Int(subscription.status.rawValue)),
          transaction: trust.result(of: subscription.transaction),
          // One that was never told is empty, and not verified.
          renewalInfo: trust.result(of: subscription.renewalInfo))
      }
    }
  }

  /// The subscriptions, a group at a time, in the order of the groups' ids.
  func groupedStatuses() async -> [(groupID: String, statuses: [Product.SubscriptionInfo.Status])] {
    do {
      let groups = Dictionary(grouping: try await statuses(), by: \.groupID)
      return groups.sorted { $0.key < $1.key }.map { (groupID: $0.key, statuses: $0.value) }
    } catch {
      note(error)
      return []
    }
  }

  func status(of transaction: Transaction) async -> Product.SubscriptionInfo.Status? {
    do {
      return try await statuses().first {
        $0.transaction.unsafePayloadValue.originalID == transaction.originalID
      }
    } catch {
      note(error)
      return nil
    }
  }

  func status(transactionID: UInt64) async throws -> Product.SubscriptionInfo.Status? {
    let original: String? = try await asking { connected, trust in
      try await history(connected, trust: trust)
        .first { [$0.told.id, $0.told.originalID].contains(String(transactionID)) }?
        .told.originalID
    }
    guard let original, let originalID = UInt64(original) else { return nil }
    return try await statuses().first {
      $0.transaction.unsafePayloadValue.originalID == originalID
    }
  }

  func isEligibleForIntroOffer(group: String) async -> Bool {
    await asking(otherwise: false) { connected, trust in
      let subscriptions = try await status(connected).subscriptions
        .filter { $0.subscriptionGroupID == group }
      let lives = subscriptions.contains {
        $0.isEntitled || $0.renewalInfo?.isInBillingRetry == true
      }
      guard !lives else { return false }
      let used = try await history(connected, trust: trust).contains {
        $0.told.subscriptionGroupID == group
          && $0.told.offerType == Int64(Transaction.OfferType.introductory.rawValue)
      }
      return !used
    }
  }

  // MARK: The rest

  func storefront() async -> Storefront? {
    await asking(otherwise: nil) { connected, trust in try await storefront(connected, trust) }
  }

  /// The storefront that the account bought in last; before it did, the one that it would buy in.
  func storefront(_ connected: Connected, _ trust: StoreTrust) async throws -> Storefront? {
    if let bought = try await newestPurchase(connected, trust) { return bought.storefront }
    return Storefront(try await connected.client.call(.products(ids: [])).storefront)
  }

  /// What the account bought last. A renewal keeps the storefront of its subscription, and is no
  /// purchase. Only its own page of the history is asked for with signed forms.
  private func newestPurchase(
    _ connected: Connected, _ trust: StoreTrust
  ) async throws -> Transaction? {
    let account = try connected.account
    var newest: (page: String?, id: String)?
    var page: String?
    repeat {
      let read = try await connected.client.call(.history(account: account, from: page))
      if let bought = read.transactions.last(where: { $0.reason == .purchase }) {
        newest = (page, bought.id)
      }
      page = read.next
    } while page != nil
    guard let newest else { return nil }
    let read = try await connected.client.call(
      .history(account: account, from: newest.page, signed: true))
    return read.transactions.first { $0.id == newest.id }
      .map { trust.result(of: $0).unsafePayloadValue }
  }

  func appTransaction() async throws -> VerificationResult<AppTransaction> {
    try await asking { connected, trust in
      let answer = try await connected.client.call(
        .appTransaction(account: try connected.account))
      return trust.result(
        answer.signedAppTransactionInfo, failing: answer.verificationError)
    }
  }

  /// There is nothing kept here that could be old: it is enough that the daemon answers, and that
  /// no tester makes this fail.
  func sync() async throws {
    try await asking { connected, _ in
      let told = try await connected.client.call(.trust())
      if let fault = told.simulated.first(where: { $0.api == .appStoreSync }) {
        throw ClientError.refused(
          RenewdError(.simulatedError(api: fault.api.rawValue, error: fault.error)))
      }
      _ = try await status(connected)
    }
  }
}
