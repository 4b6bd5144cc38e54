import Foundation
import OSLog
import StoreKit
import StoreKitSupport

/// What a pass allows, the most last.
enum PassStatus: Comparable {
  case notSubscribed
  case basic
  case pro

  init(_ productID: String) {
    switch productID {
    case "basic.monthly": self = .basic
    case "pro.monthly": self = .pro
    default: self = .notSubscribed
    }
  }
}

/// Goes through what the store says, on no thread in particular.
actor PassKeeper {
  private let logger = Logger(subsystem: "com.example.app", category: "Pass")

  func process(_ result: VerificationResult<Transaction>) async {
    switch result {
    case .unverified(let transaction, let error):
      logger.fault("\(transaction.id, privacy: .private): \(error, privacy: .public)")
    case .verified(let transaction):
      logger.log(level: .debug, "\(transaction.productID, align: .left(columns: 20))")
      await transaction.finish()
    }
  }

  func status(of groupID: String) async throws -> PassStatus {
    let statuses = try await Product.SubscriptionInfo.status(for: groupID)
    return statuses.compactMap { status in
      guard status.state == .subscribed || status.state == .inGracePeriod else { return nil }
      return try? PassStatus(status.transaction.payloadValue.productID)
    }.max() ?? .notSubscribed
  }
}

/// What views read, by the macro of the toolchain.
@Observable @MainActor
final class PassModel {
  var status = PassStatus.notSubscribed
  @ObservationIgnored private let keeper = PassKeeper()

  func refresh(_ groupID: String) async throws {
    status = try await keeper.status(of: groupID)
  }

  func process(_ result: VerificationResult<StoreKit.Transaction>) async {
    await keeper.process(result)
  }
}
