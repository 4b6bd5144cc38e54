import Foundation
import StoreKit

/// What the app's screens do: load what is sold, buy it, restore it, and show whether the user is
/// a member. What the store says is checked with the app's server.
@MainActor
final class MembershipController {
  private let store = StoreManager.shared
  private let legacy = LegacyStoreManager.shared
  private var server: MembershipServer?

  func start(productIDs: Set<String>) async {
    let environment = ProcessInfo.processInfo.environment
    do {
      server = try MembershipServer(
        socket: environment["RENEWD_SOCKET"], account: environment["RENEWD_ACCOUNT"] ?? "")
    } catch {
      say("no server: \(error)")
    }
    store.onChange = { [weak self] in await self?.showMembership() }
    legacy.onPurchase = { [weak self] transaction, done in
      let id = transaction.transactionIdentifier ?? ""
      let product = transaction.payment.productIdentifier
      Task { @MainActor in
        await self?.validate(transactionID: id, productID: product)
        done()
      }
    }
    store.startListening()
    legacy.startObserving()
    legacy.requestProducts(productIDs)
    await store.loadProducts(productIDs)
    await store.updatePurchasedProducts()
  }

  /// Does what the user tapped; false for the last one.
  func perform(_ line: String) async -> Bool {
    let words = line.split(separator: " ").map(String.init)
    switch (words.first, words.dropFirst().first) {
    case ("products", let id?): legacy.requestProducts(MembershipDemo.productIDs.union([id]))
    case ("buy", let id?): await buy(id)
    case ("buy1", let id?): legacy.buy(id)
    case ("restore", _): await store.restore()
    case ("restore1", _): legacy.restore()
    case ("history", _): await store.printHistory()
    case ("member", _): await showMembership()
    case ("quit", _): return false
    default: say("no such button: \(line)")
    }
    return true
  }

  private func buy(_ id: String) async {
    guard let product = store.products.first(where: { $0.id == id }) else {
      return say("\(id) is not sold")
    }
    guard let transaction = await store.purchase(product) else { return }
    await validate(transactionID: String(transaction.id), productID: transaction.productID)
  }

  // MARK: The server

  private func validate(transactionID: String, productID: String) async {
    await ask { server in
      let objection = try await server.objection(
        transactionID: transactionID, productID: productID)
      return "transaction of \(productID): \(objection.map { "not valid, \($0)" } ?? "valid")"
    }
  }

  private func showMembership() async {
    await ask { "member: \(try await $0.isMember() ? "yes" : "no")" }
  }

  private func ask(_ question: (MembershipServer) async throws -> String) async {
    guard let server else { return }
    do {
      Console.say("server", try await question(server))
    } catch {
      Console.say("server", "does not answer: \(error)")
    }
  }

  private func say(_ text: String) { Console.say("app", text) }
}
