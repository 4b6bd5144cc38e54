import Foundation
import StoreKit
import Testing

/// What an app sees of a real daemon, by the numbered cases of the domain's rules. The library's
/// connection is the process's own, so the tests come one after the other.
@Suite("An app and its shop", .serialized)
struct ShopTests {
  private func product(_ id: String) async throws -> Product {
    try #require(try await Product.products(for: [id]).first)
  }

  /// Buys and believes it.
  @discardableResult
  private func buy(
    _ id: String, finishing: Bool = true, options: Set<Product.PurchaseOption> = []
  ) async throws -> Transaction {
    let result = try await product(id).purchase(options: options)
    guard case .success(.verified(let transaction)) = result else {
      throw TestShop.Failure(description: "\(id) ended with \(result)")
    }
    if finishing { await transaction.finish() }
    return transaction
  }

  private func ids(_ transactions: Transaction.Transactions) async -> [String] {
    var ids: [String] = []
    for await result in transactions { ids.append(result.unsafePayloadValue.productID) }
    return ids
  }

  /// The first so many of a sequence that never ends.
  private func first<Sequence: AsyncSequence & Sendable>(
    _ count: Int, of sequence: Sequence
  ) async throws -> [Sequence.Element] where Sequence.Element: Sendable {
    var elements: [Sequence.Element] = []
    for try await element in sequence {
      elements.append(element)
      if elements.count == count { break }
    }
    return elements
  }

  @Test("unknown products are left out, known ones are whole (case 71)")
  func products() async throws {
    let shop = try TestShop()
    defer { withExtendedLifetime(shop) {} }
    let products = try await Product.products(for: ["pro.monthly", "unknown"])
    #expect(products.map(\.id) == ["pro.monthly"])
    let product = try #require(products.first)
    #expect(product.type == .autoRenewable)
    #expect(product.displayName == "Pro Monthly")
    #expect(product.description == "All")
    #expect(product.price == Decimal(string: "9.99"))
    #expect(product.displayPrice == "$9.99")
    #expect(product.price.formatted(product.priceFormatStyle) == "$9.99")
    let subscription = try #require(product.subscription)
    #expect(subscription.subscriptionGroupID == "A1")
    #expect(subscription.groupDisplayName == "Pro")
    #expect(subscription.groupLevel == 1)
    #expect(subscription.subscriptionPeriod == .monthly)
    #expect(
      subscription.subscriptionPeriod.formatted(product.subscriptionPeriodFormatStyle)
        == "1 month")
    #expect(subscription.introductoryOffer?.paymentMode == .freeTrial)
    #expect(subscription.introductoryOffer?.period == .weekly)
    #expect(subscription.introductoryOffer?.displayPrice == "$0.00")
    let lasting = try await self.product("lifetime")
    #expect(lasting.subscription == nil)
    #expect(lasting.isFamilyShareable)
    #expect(lasting != product)
    #expect(try await self.product("pro.monthly") == product)
  }

  @Test(
    "in grace the subscription entitles past its period; in retry it does not (cases 63, 64)")
  func grace() async throws {
    let shop = try TestShop(options: ["--policy", "billingGracePeriod=16d"])
    try await buy("basic.monthly")
    try shop.call(.setBilling(account: "u1", outcome: .fail))
    try shop.advance("P1M")
    #expect(await ids(Transaction.currentEntitlements) == ["basic.monthly"])
    let statuses = try await Product.SubscriptionInfo.status(for: "A1")
    #expect(statuses.map(\.state) == [.inGracePeriod])
    let info = try #require(statuses.first).renewalInfo.payloadValue
    #expect(info.isInBillingRetry)
    #expect(info.expirationReason == .billingError)
    let end = try #require(info.gracePeriodExpirationDate)
    #expect(end.formatted(.iso8601) == "2025-03-16T10:00:00Z")
    try shop.advance("P16D")
    #expect(await ids(Transaction.currentEntitlements) == [])
    let state = try await Product.SubscriptionInfo.status(for: "A1").first?.state
    #expect(state == .inBillingRetryPeriod)
    let latest = try #require(await Transaction.latest(for: "basic.monthly")).payloadValue
    #expect(latest.expirationDate?.formatted(.iso8601) == "2025-02-28T10:00:00Z")
  }

  @Test("consumables never entitle, lasting ones do, and non-renewing ones stay (case 65)")
  func entitlements() async throws {
    let shop = try TestShop()
    try await buy("coins")
    try await buy("lifetime")
    try await buy("season")
    try shop.advance("P5Y")
    let renewed = try await buy("season")
    #expect(await ids(Transaction.currentEntitlements) == ["lifetime", "season"])
    let season = Transaction.currentEntitlements(for: "season")
    for await result in season {
      #expect(try result.payloadValue.id == renewed.id)
      #expect(try result.payloadValue.productType == .nonRenewable)
    }
    // A finished consumable is gone from the list of all.
    #expect(await ids(Transaction.all).sorted() == ["lifetime", "season", "season"])
    try await buy("coins", finishing: false)
    #expect(await ids(Transaction.all(for: "coins")) == ["coins"])
    try shop.call(.refund(.transaction(id: "\(renewed.id)")))
    #expect(await ids(Transaction.currentEntitlements).count == 2)
  }

  @Test("what is not finished comes again at each launch, and once in each (cases 66, 67)")
  func unfinished() async throws {
    let shop = try TestShop()
    let first = try await buy("lifetime", finishing: false)
    let second = try await buy("coins", finishing: false)
    for _ in 0..<2 {
      try shop.launch()
      let heard = try await self.first(2, of: Transaction.updates)
      #expect(heard.map { $0.unsafePayloadValue.id } == [first.id, second.id])
      #expect(await ids(Transaction.unfinished) == ["lifetime", "coins"])
    }
    await first.finish()
    #expect(await ids(Transaction.unfinished) == ["coins"])
    try shop.launch()
    let heard = try await self.first(1, of: Transaction.updates)
    #expect(heard.map { $0.unsafePayloadValue.id } == [second.id])
  }

  @Test("buying again gives the same transaction, unfinished, else it is cancelled (case 68)")
  func again() async throws {
    let shop = try TestShop()
    defer { withExtendedLifetime(shop) {} }
    let bought = try await buy("basic.monthly", finishing: false)
    let again = try await buy("basic.monthly")
    #expect(again.id == bought.id)
    guard case .userCancelled = try await product("basic.monthly").purchase() else {
      Issue.record("it was sold twice")
      return
    }
  }

  @Test("a cancellation is a status, a renewal is both, and neither is lost (cases 69, 70)")
  func statuses() async throws {
    let shop = try TestShop()
    let bought = try await buy("basic.monthly")
    try await buy("coins", finishing: false)
    try shop.launch()
    var changes = Product.SubscriptionInfo.Status.updates.makeAsyncIterator()
    var updates = Transaction.updates.makeAsyncIterator()
    // What is unfinished comes when the present is known: what happens now is news.
    #expect(await updates.next()?.unsafePayloadValue.productID == "coins")
    try shop.advance("P2M")
    try shop.call(.setAutoRenew(originalID: "\(bought.originalID)", enabled: false))
    for renews in [true, true, false] {
      let status = try #require(await changes.next())
      #expect(status.renewalInfo.unsafePayloadValue.willAutoRenew == renews)
      #expect(status.state == .subscribed)
    }
    var renewals: [Transaction] = []
    for _ in 0..<2 { renewals.append(try #require(await updates.next()).payloadValue) }
    #expect(renewals.map(\.reason) == [.renewal, .renewal])
    #expect(Set(renewals.map(\.id)).count == 2)
    #expect(renewals.allSatisfy { $0.originalID == bought.originalID })
    for await status in Product.SubscriptionInfo.Status.all {
      #expect(status.groupID == "A1")
      #expect(status.statuses.count == 1)
    }
    let status = try #require(await renewals[1].subscriptionStatus)
    #expect(status.renewalInfo.unsafePayloadValue.autoRenewPreference == nil)
    let byID = try await Product.SubscriptionInfo.status(transactionID: renewals[0].id)
    #expect(byID == status)
  }

  @Test("an introductory offer is had once in a group (case 74)")
  func introduction() async throws {
    let shop = try TestShop()
    let subscription = try #require(try await product("pro.monthly").subscription)
    #expect(await subscription.isEligibleForIntroOffer)
    let trial = try await buy("pro.monthly")
    #expect(trial.offer?.type == .introductory)
    #expect(trial.offer?.paymentMode == .freeTrial)
    #expect(trial.price == 0)
    #expect(await !subscription.isEligibleForIntroOffer)
    try shop.call(.expire(.account("u1")))
    #expect(await !Product.SubscriptionInfo.isEligibleForIntroOffer(for: "A1"))
  }

  @Test("promotional and win-back offers are shown, redeemed, refused by name (case 79)")
  func offers() async throws {
    let shop = try TestShop()
    let product = try await product("pro.monthly")
    let subscription = try #require(product.subscription)
    let promotional = try #require(subscription.promotionalOffers.first)
    #expect(subscription.promotionalOffers.map(\.id) == ["half"])
    #expect(promotional.type == .promotional)
    #expect(promotional.paymentMode == .payUpFront)
    #expect(promotional.period == .everyTwoMonths)
    #expect(promotional.displayPrice == "$4.99")
    let winBack = try #require(subscription.winBackOffers.first)
    #expect(winBack.id == "return")
    func option(_ id: String) throws -> Product.PurchaseOption {
      let nonce = UUID()
      let timestamp = Int(Date.now.timeIntervalSince1970 * 1000)
      return .promotionalOffer(
        offerID: id, keyID: TestShop.offerKeyID, nonce: nonce,
        signature: try TestShop.sign(
          offer: id, of: "pro.monthly", nonce: nonce, timestamp: timestamp),
        timestamp: timestamp)
    }
    let first = try option("half")
    await #expect(throws: Product.PurchaseError.ineligibleForOffer) {
      try await product.purchase(options: [first])
    }
    let unknown = try option("quarter")
    await #expect(throws: Product.PurchaseError.invalidOfferIdentifier) {
      try await product.purchase(options: [unknown])
    }
    let forged = Product.PurchaseOption.promotionalOffer(
      offerID: "half", keyID: TestShop.offerKeyID, nonce: UUID(), signature: Data([1]),
      timestamp: Int(Date.now.timeIntervalSince1970 * 1000))
    await #expect(throws: Product.PurchaseError.invalidOfferSignature) {
      try await product.purchase(options: [forged])
    }
    await #expect(throws: Product.PurchaseError.ineligibleForOffer) {
      try await product.purchase(options: [.winBackOffer(winBack)])
    }
    let trial = try await buy("pro.monthly")
    try shop.call(.setAutoRenew(originalID: "\(trial.originalID)", enabled: false))
    try shop.advance("P1M")
    let info = try #require(try await subscription.status.first).renewalInfo.payloadValue
    #expect(info.eligibleWinBackOfferIDs == ["return"])
    #expect(info.expirationReason == .autoRenewDisabled)
    let back = try await buy("pro.monthly", options: [.winBackOffer(winBack)])
    #expect(back.offer?.type == .winBack)
    #expect(back.offer?.id == "return")
    #expect(back.offer?.paymentMode == .payAsYouGo)
    #expect(back.price == Decimal(string: "1.99"))
    try shop.call(.expire(.account("u1")))
    let half = try await buy("pro.monthly", options: [try option("half")])
    #expect(half.offer?.type == .promotional)
    #expect(half.price == Decimal(string: "4.99"))
    #expect(half.expirationDate?.formatted(.iso8601) == "2025-04-28T10:00:00Z")
  }

  @Test("a family member hears of what is shared with it, and of its end (cases 58, 60, 61)")
  func family() async throws {
    let shop = try TestShop(account: "member")
    try await buy("basic.monthly")
    try await buy("coins", finishing: false)
    try shop.launch(account: "member")
    var updates = Transaction.updates.makeAsyncIterator()
    #expect(await updates.next()?.unsafePayloadValue.productID == "coins")
    try shop.buy("pro.monthly", for: "u1")
    try shop.call(.share(account: "u1", with: "member"))
    let shared = try #require(await updates.next()).payloadValue
    #expect(shared.productID == "pro.monthly")
    #expect(shared.ownershipType == .familyShared)
    #expect(
      await ids(Transaction.currentEntitlements).sorted() == ["basic.monthly", "pro.monthly"])
    let statuses = try await Product.SubscriptionInfo.status(for: "A1")
    #expect(statuses.map(\.state) == [.subscribed, .subscribed])
    try shop.call(.unshare(account: "u1"))
    let revoked = try #require(await updates.next()).payloadValue
    #expect(revoked.id == shared.id)
    #expect(revoked.revocationDate != nil)
    #expect(await ids(Transaction.currentEntitlements) == ["basic.monthly"])
  }

  @Test("a token and a quantity reach the transaction")
  func options() async throws {
    let shop = try TestShop()
    defer { withExtendedLifetime(shop) {} }
    let token = UUID()
    let bought = try await buy(
      "coins", options: [.appAccountToken(token), .quantity(3)])
    #expect(bought.appAccountToken == token)
    #expect(bought.purchasedQuantity == 3)
    #expect(bought.price == Decimal(string: "2.97"))
    #expect(bought.storefront.countryCode == "USA")
    #expect(bought.storefront.id == "143441")
    #expect(await Storefront.current?.countryCode == "USA")
  }

  @Test("a renewal that cannot be charged is a message, once, and another storefront is told")
  func messages() async throws {
    let shop = try TestShop()
    try await buy("basic.monthly")
    try await buy("coins", finishing: false)
    try shop.launch()
    var messages = Message.messages.makeAsyncIterator()
    var storefronts = Storefront.updates.makeAsyncIterator()
    var updates = Transaction.updates.makeAsyncIterator()
    #expect(await updates.next()?.unsafePayloadValue.productID == "coins")
    try shop.call(.setBilling(account: "u1", outcome: .fail))
    try shop.advance("P1M")
    #expect(await messages.next()?.reason == .billingIssue)
    try shop.call(.resolveBilling(.account("u1")))
    #expect(await updates.next()?.unsafePayloadValue.reason == .renewal)
    try shop.buy("lifetime", for: "u1", storefront: "DEU")
    let bought = try #require(await updates.next()).payloadValue
    #expect(bought.storefront.countryCode == "DEU")
    #expect(await storefronts.next()?.countryCode == "DEU")
    #expect(await Storefront.current?.countryCode == "DEU")
  }

  @Test("a price increase, an extension and a product's end reach the app")
  func prices() async throws {
    let shop = try TestShop()
    let bought = try await buy("basic.monthly")
    try await buy("coins", finishing: false)
    try shop.launch()
    var changes = Product.SubscriptionInfo.Status.updates.makeAsyncIterator()
    var messages = Message.messages.makeAsyncIterator()
    var updates = Transaction.updates.makeAsyncIterator()
    #expect(await updates.next()?.unsafePayloadValue.productID == "coins")
    try shop.call(
      .announcePriceIncrease(productID: "basic.monthly", price: 9_000, needsConsent: true))
    #expect(await messages.next()?.reason == .priceIncreaseConsent)
    let asked = try #require(await changes.next()).renewalInfo.payloadValue
    #expect(asked.priceIncreaseStatus == .pending)
    try shop.call(.consentToPriceIncrease(.account("u1")))
    let agreed = try #require(await changes.next()).renewalInfo.payloadValue
    #expect(agreed.priceIncreaseStatus == .agreed)
    #expect(agreed.renewalPrice == 9)
    #expect(try await product("basic.monthly").price == 9)

    try shop.call(.extend(.account("u1"), days: 5))
    let extended = try #require(await updates.next()).payloadValue
    #expect(extended.id == bought.id)
    #expect(extended.expirationDate?.formatted(.iso8601) == "2025-03-05T10:00:00Z")

    let product = try await product("basic.monthly")
    try shop.call(.removeFromSale(productID: "basic.monthly"))
    await #expect(throws: Product.PurchaseError.productUnavailable) { try await product.purchase() }
    try shop.advance("P2M")
    let status = try #require(try await Product.SubscriptionInfo.status(for: "A1").first)
    #expect(status.state == .expired)
    #expect(try status.renewalInfo.payloadValue.expirationReason == .productUnavailable)
  }

  @Test("a refund is asked for once, turns renewal off, and comes when it is given (case 50)")
  func refundRequest() async throws {
    let shop = try TestShop()
    let bought = try await buy("basic.monthly")
    try await buy("coins", finishing: false)
    try shop.launch()
    var updates = Transaction.updates.makeAsyncIterator()
    #expect(await updates.next()?.unsafePayloadValue.productID == "coins")
    #expect(try await bought.beginRefundRequest() == .success)
    await #expect(throws: Transaction.RefundRequestError.duplicateRequest) {
      try await bought.beginRefundRequest()
    }
    await #expect(throws: Transaction.RefundRequestError.failed) {
      try await Transaction.beginRefundRequest(for: 1)
    }
    let status = try #require(await bought.subscriptionStatus)
    #expect(try !status.renewalInfo.payloadValue.willAutoRenew)
    try shop.call(.refund(.transaction(id: "\(bought.id)"), reason: 1))
    let refunded = try #require(await updates.next()).payloadValue
    #expect(refunded.id == bought.id)
    #expect(refunded.revocationReason == .developerIssue)
    #expect(refunded.revocationType == .fullRefund && refunded.revocationPercentage == 100)
  }

  @Test("a listener whose task is cancelled ends, and the others go on")
  func cancellation() async throws {
    let shop = try TestShop()
    try await buy("coins", finishing: false)
    try shop.launch()
    var updates = Transaction.updates.makeAsyncIterator()
    #expect(await updates.next()?.unsafePayloadValue.productID == "coins")
    let others = [
      Task { for await _ in Transaction.updates {} },
      Task { for await _ in Product.SubscriptionInfo.Status.updates {} },
      Task { for await _ in Storefront.updates {} },
      Task { for await _ in PurchaseIntent.intents {} },
      Task { for await _ in Message.messages {} },
    ]
    for other in others {
      other.cancel()
      await other.value
    }
    try shop.buy("lifetime", for: "u1")
    #expect(await updates.next()?.unsafePayloadValue.productID == "lifetime")
    #expect(RenewdConnection.failure == nil)
  }

  @Test("refusals are StoreKit's errors")
  func errors() async throws {
    let shop = try TestShop()
    let coins = try await product("coins")
    await #expect(throws: Product.PurchaseError.invalidQuantity) {
      try await coins.purchase(options: [.quantity(11)])
    }
    let asked = await #expect(throws: StoreKitError.self) {
      try await coins.purchase(options: [.simulatesAskToBuyInSandbox(true)])
    }
    guard case .unsupported = asked else {
      Issue.record("\(String(describing: asked))")
      return
    }
    try shop.launch(account: "")
    let error = await #expect(throws: StoreKitError.self) { try await coins.purchase() }
    guard case .systemError(let reason) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(reason as? RenewdConnectionError == .noAccount)
    try RenewdConnection.use(socket: "/nowhere/s", account: "u1")
    let lost = await #expect(throws: StoreKitError.self) { try await coins.purchase() }
    guard case .networkError(let reason) = lost else {
      Issue.record("\(String(describing: lost))")
      return
    }
    #expect(reason.code == .cannotConnectToHost)
    #expect(throws: RenewdConnectionError.self) {
      try RenewdConnection.use(socket: String(repeating: "s", count: 200))
    }
  }

  @Test("the app's own transaction is verified")
  func appTransaction() async throws {
    let shop = try TestShop()
    defer { withExtendedLifetime(shop) {} }
    let app = try await AppTransaction.shared.payloadValue
    #expect(!app.bundleID.isEmpty)
    #expect(app.environment == .sandbox)
    #expect(try await AppTransaction.refresh().payloadValue.bundleID == app.bundleID)
  }

  @Test("simulated errors are StoreKit's own, of each call that is told to fail")
  func simulatedErrors() async throws {
    let shop = try TestShop()
    let coins = try await product("coins")
    let errors: [Product.PurchaseError] = [.productUnavailable, .invalidOfferPrice]
    for error in errors {
      try shop.call(.setSimulatedError("\(error)", api: .purchase))
      await #expect(throws: error) { try await coins.purchase() }
    }
    for name in ["unknown", "userCancelled", "networkError", "systemError", "notEntitled"] {
      try shop.call(.setSimulatedError(name, api: .purchase))
      let error = await #expect(throws: StoreKitError.self) { try await coins.purchase() }
      #expect(error.map { "\($0)".prefix(while: { $0 != "(" }) } == name[...])
    }
    try shop.call(.setSimulatedError(nil, api: .purchase))
    let bought = try await buy("coins")
    try shop.call(.setSimulatedError("failed", api: .refundRequest))
    await #expect(throws: Transaction.RefundRequestError.failed) {
      try await bought.beginRefundRequest()
    }
    try shop.call(.setSimulatedError("unsupported", api: .loadProducts))
    await #expect(throws: StoreKitError.self) { try await Product.products(for: ["coins"]) }
  }

  @Test("nothing is verified while checks are made to fail, and all of it again afterwards")
  func simulatedVerification() async throws {
    let shop = try TestShop()
    try await buy("lifetime")
    try shop.call(.setSimulatedError("invalidDeviceVerification", api: .verification))
    guard case .unverified(let app, .invalidDeviceVerification) = try await AppTransaction.shared
    else {
      Issue.record("the app's transaction was verified")
      return
    }
    #expect(!app.bundleID.isEmpty)
    #expect(await ids(Transaction.all) == ["lifetime"])
    for await result in Transaction.all {
      #expect(throws: VerificationResult<Transaction>.VerificationError.invalidDeviceVerification) {
        try result.payloadValue
      }
    }
    try shop.call(.setSimulatedError(nil, api: .verification))
    #expect(await ids(Transaction.all) == ["lifetime"])
    for await result in Transaction.all {
      #expect(try result.payloadValue.productID == "lifetime")
    }
  }
}
