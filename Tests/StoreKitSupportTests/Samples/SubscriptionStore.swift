import Foundation
import StoreKit
import StoreKitSupport
import os

typealias RenewalState = Product.SubscriptionInfo.RenewalState

enum StoreError: Error {
  case failedVerification
}

private let logger = Logger(subsystem: "com.example.app", category: "Store")

/// A shop that views observe: what is for sale, what is owned, how the subscription stands.
@MainActor
class SubscriptionStore: ObservableObject {
  @Published private(set) var subscriptions: [Product] = []
  @Published private(set) var purchasedSubscriptions: [Product] = []
  @Published private(set) var subscriptionGroupStatus: RenewalState?
  @Published var errorMessage: String?

  @AppStorage("com.example.app.opened") var opened = 0

  private var updateListenerTask: Task<Void, Never>?

  init() {
    updateListenerTask = listenForTransactions()
    opened += 1
  }

  deinit { updateListenerTask?.cancel() }

  func listenForTransactions() -> Task<Void, Never> {
    Task { [weak self] in
      for await result in Transaction.updates {
        guard let self else { return }
        do {
          let transaction = try checkVerified(result)
          logger.info("updated: \(transaction.productID, privacy: .public)")
          await updateCustomerProductStatus()
          await transaction.finish()
        } catch {
          logger.error("not believed: \(error.localizedDescription)")
        }
      }
    }
  }

  func requestProducts(_ ids: [String]) async {
    do {
      subscriptions = try await Product.products(for: ids)
        .filter { $0.type == .autoRenewable }
        .sorted { $0.price < $1.price }
      logger.notice("\(self.subscriptions.count) for sale")
    } catch {
      errorMessage = error.localizedDescription
      logger.error("no products: \(error)")
    }
  }

  func purchase(_ product: Product) async throws -> Transaction? {
    switch try await product.purchase() {
    case .success(let verification):
      let transaction = try checkVerified(verification)
      await updateCustomerProductStatus()
      await transaction.finish()
      return transaction
    case .userCancelled, .pending: return nil
    @unknown default: return nil
    }
  }

  func checkVerified<Signed>(_ result: VerificationResult<Signed>) throws -> Signed {
    switch result {
    case .unverified: throw StoreError.failedVerification
    case .verified(let safe): return safe
    }
  }

  func updateCustomerProductStatus() async {
    var purchased: [Product] = []
    for await result in Transaction.currentEntitlements {
      guard let transaction = try? checkVerified(result) else { continue }
      if let product = subscriptions.first(where: { $0.id == transaction.productID }) {
        purchased.append(product)
      }
    }
    purchasedSubscriptions = purchased
    let statuses = try? await subscriptions.first?.subscription?.status
    subscriptionGroupStatus = statuses?.first?.state
  }
}
