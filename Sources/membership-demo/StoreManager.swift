import Foundation
import StoreKit

/// The shop through StoreKit 2, as many apps have it: one instance, a listener that runs as long
/// as the app, and the set of what is owned, computed anew whenever something changed.
@MainActor
final class StoreManager {
  static let shared = StoreManager()

  private(set) var products: [Product] = []
  private(set) var purchasedProductIDs: Set<String> = []
  /// Called when what is owned was computed anew.
  var onChange: (() async -> Void)?

  private var transactionListener: Task<Void, Never>?
  private var statusListener: Task<Void, Never>?

  var isPurchased: Bool { !purchasedProductIDs.isEmpty }

  private init() {}

  // MARK: Listening

  func startListening() {
    transactionListener = Task { [weak self] in
      for await result in Transaction.updates {
        await self?.handle(result)
      }
    }
    statusListener = Task {
      for await status in Product.SubscriptionInfo.Status.updates {
        let info = status.renewalInfo.unsafePayloadValue
        let renews = info.willAutoRenew ? "renews" : "does not renew"
        Self.say("Status.updates: \(info.currentProductID) is \(status.state.name), \(renews)")
      }
    }
  }

  private func handle(_ result: VerificationResult<Transaction>) async {
    Self.say("Transaction.updates: \(Self.words(result))")
    guard let transaction = try? checkVerified(result) else { return }
    await transaction.finish()
    await updatePurchasedProducts()
  }

  // MARK: Buying

  func loadProducts(_ ids: Set<String>) async {
    do {
      products = try await Product.products(for: ids).sorted { $0.price < $1.price }
      let words = products.map { "\($0.displayName) \($0.displayPrice)" }
      Self.say("products: \(words.joined(separator: ", "))")
    } catch {
      Self.say("products failed: \(error.localizedDescription)")
    }
  }

  /// Buys, and finishes what was bought; the transaction if it may be believed.
  func purchase(
    _ product: Product, options: Set<Product.PurchaseOption> = []
  ) async -> Transaction? {
    do {
      switch try await product.purchase(options: options) {
      case .success(let result):
        Self.say("purchase: .success(\(Self.words(result)))")
        let transaction = try checkVerified(result)
        await updatePurchasedProducts()
        await transaction.finish()
        return transaction
      case .userCancelled: Self.say("purchase: .userCancelled")
      case .pending: Self.say("purchase: .pending")
      }
    } catch {
      Self.say("purchase failed: \(error.localizedDescription)")
    }
    return nil
  }

  private func checkVerified<T>(_ result: VerificationResult<T>) throws -> T {
    switch result {
    case .unverified(_, let error): throw error
    case .verified(let value): return value
    }
  }

  // MARK: What is owned

  func updatePurchasedProducts() async {
    var owned: Set<String> = []
    for await result in Transaction.currentEntitlements {
      if case .verified(let transaction) = result { owned.insert(transaction.productID) }
    }
    purchasedProductIDs = owned
    Self.say("isPurchased: \(isPurchased) \(owned.sorted())")
    await onChange?()
  }

  func restore() async {
    do {
      try await AppStore.sync()
    } catch {
      Self.say("sync failed: \(error.localizedDescription)")
    }
    await updatePurchasedProducts()
  }

  /// Every transaction there ever was, with what an upgrade ended.
  func printHistory() async {
    for await result in Transaction.all { Self.say("Transaction.all: \(Self.words(result))") }
  }

  // MARK: Words

  private static func say(_ text: String) { Console.say("StoreKit 2", text) }

  private static func words(_ result: VerificationResult<Transaction>) -> String {
    let transaction = result.unsafePayloadValue
    var words = "\(transaction.productID) \(transaction.reason.rawValue.lowercased())"
    if let end = transaction.expirationDate { words += " until \(Console.time(end))" }
    if transaction.isUpgraded { words += " isUpgraded" }
    if let date = transaction.revocationDate { words += " revoked \(Console.time(date))" }
    switch result {
    case .verified: return ".verified \(words)"
    case .unverified(_, let error): return ".unverified(\(error)) \(words)"
    }
  }
}

extension Product.SubscriptionInfo.RenewalState {
  fileprivate var name: String {
    switch self {
    case .subscribed: "subscribed"
    case .expired: "expired"
    case .inBillingRetryPeriod: "inBillingRetryPeriod"
    case .inGracePeriod: "inGracePeriod"
    case .revoked: "revoked"
    default: "\(rawValue)"
    }
  }
}
