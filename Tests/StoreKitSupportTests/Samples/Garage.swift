import Foundation
import StoreKit
import StoreKitSupport

// A shop in the shape of the first samples for StoreKit 2: a class that no actor owns, a detached
// task that listens, and methods of the main actor that publish. Swift 5 mode takes it.

class Garage: ObservableObject {
  @Published private(set) var parts: [Product]
  @Published private(set) var memberships: [Product] = []
  @Published private(set) var owned: [Product] = []

  var updateListenerTask: Task<Void, Error>?

  init() {
    parts = []
    updateListenerTask = listenForTransactions()
  }

  deinit { updateListenerTask?.cancel() }

  func listenForTransactions() -> Task<Void, Error> {
    Task.detached {
      for await result in StoreKit.Transaction.updates {
        do {
          let transaction = try result.payloadValue
          await self.refreshOwned()
          await transaction.finish()
        } catch {
          print("not believed: \(error.localizedDescription)")
        }
      }
    }
  }

  @MainActor
  func load(_ ids: [String]) async {
    do {
      let products = try await Product.products(for: ids)
      parts = products.filter { $0.type == .nonConsumable }
      memberships = products.filter { $0.type == .autoRenewable }
    } catch {
      print("nothing loaded: \(error.localizedDescription)")
    }
  }

  @MainActor
  func buy(_ product: Product) async throws -> StoreKit.Transaction? {
    guard case .success(let result) = try await product.purchase() else { return nil }
    let transaction = try result.payloadValue
    await refreshOwned()
    await transaction.finish()
    return transaction
  }

  @MainActor
  func refreshOwned() async {
    var found: [Product] = []
    for await case .verified(let transaction) in StoreKit.Transaction.currentEntitlements {
      found += (parts + memberships).filter { $0.id == transaction.productID }
    }
    owned = found
  }
}
