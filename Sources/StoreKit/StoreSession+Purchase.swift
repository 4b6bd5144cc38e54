internal import Client
import Foundation

/// How a purchase ended.
enum Bought: Sendable {
  case success(Delivery)
  /// The id by which its end is told.
  case pending(id: String?)
  case userCancelled
}

extension StoreSession {
  func purchase(
    _ product: Product, options: Set<Product.PurchaseOption>
  ) async throws -> Product.PurchaseResult {
    guard product.sells(options) else { throw StoreKitError.unsupported }
    let wish = try PurchaseWish(product: product.id, options: options)
    let bought: Bought
    do {
      bought = try await buy(wish, for: .product)
    } catch Product.PurchaseError.ineligibleForOffer where wish.hasUnknownOffer(product) {
      throw Product.PurchaseError.invalidOfferIdentifier
    }
    switch bought {
    case .success(let delivery): return .success(delivery.result)
    case .pending: return .pending
    case .userCancelled: return .userCancelled
    }
  }

  /// Buys. The outcome goes to the caller only, not to all who listen. `onPending` is called for a
  /// purchase that waits, before anybody can hear of its approval.
  func buy(
    _ wish: PurchaseWish, for buyer: StoreFeed.Buyer,
    onPending: @Sendable (_ id: String?) -> Void = { _ in }
  ) async throws -> Bought {
    let requestID = UUID().uuidString
    state.withLock { $0.feed.begin(requestID, productID: wish.productID, by: buyer) }
    do {
      let (answer, bought) = try await asking { connected, trust in
        let account = try connected.account
        let answer: PurchaseAnswer = try await change(
          connected,
          {
            .purchase(
              account: account, productID: wish.productID, options: wish.options, requestID: $0)
          }, requestID: requestID)
        return (answer, try Self.bought(answer, trust))
      }
      let isNew = answer.outcome == .success
      if case .pending(let id) = bought { onPending(id) }
      state.withLock {
        $0.feed.end(
          requestID, transactionID: isNew ? answer.transaction?.id : nil,
          sequence: isNew ? answer.sequence : nil)
      }
      return bought
    } catch {
      state.withLock { $0.feed.end(requestID, transactionID: nil, sequence: nil) }
      return try await boughtBefore(wish.productID, error)
    }
  }

  func requestRefund(transactionID: UInt64) async throws {
    do {
      let _: TestAnswer = try await change(connected()) {
        .requestRefund(.transaction(id: String(transactionID)), requestID: $0)
      }
    } catch ClientError.refused(let refusal) {
      switch refusal.reason {
      case .notPossible: throw Transaction.RefundRequestError.duplicateRequest
      case .transactionNotFound: throw Transaction.RefundRequestError.failed
      default: throw StoreFailure.storeKitError(ClientError.refused(refusal))
      }
    } catch {
      throw StoreFailure.storeKitError(error)
    }
  }

  private static func bought(_ answer: PurchaseAnswer, _ trust: StoreTrust) throws -> Bought {
    switch answer.outcome {
    case .pending: return .pending(id: answer.pendingID)
    case .userCancelled: return .userCancelled
    default:
      guard let told = answer.transaction else { throw StoreKitError.unknown }
      return .success(
        Delivery(
          told: told,
          result: trust.result(
            answer.signedTransactionInfo ?? "", failing: answer.verificationError)))
    }
  }

  /// Who is subscribed already is told so by the store and dismisses it, as one cancels a
  /// purchase; but what was bought and not finished is had again.
  private func boughtBefore(_ productID: String, _ error: any Error) async throws -> Bought {
    guard case .alreadySubscribed = StoreFailure.refusal(error)?.reason else { throw error }
    let before = try await asking { connected, trust in
      try await unfinished(connected, trust).last { $0.told.productID == productID }
    }
    return before.map { .success($0) } ?? .userCancelled
  }
}

/// A purchase as the daemon is asked for it.
struct PurchaseWish: Sendable {
  let productID: String
  var options = PurchaseOptions()

  /// A purchase without any option, whose outcome comes signed.
  init(product: String) {
    productID = product
    options.signed = true
  }

  init(product: String, options wished: Set<Product.PurchaseOption>) throws {
    self.init(product: product)
    for option in wished { try add(option.kind) }
  }

  /// Whether the product has no offer of the kind and the id that are asked for.
  func hasUnknownOffer(_ product: Product) -> Bool {
    guard let offer = options.offer, let id = offer.id else { return false }
    let offers: [Product.SubscriptionOffer]? =
      switch offer.type {
      case .promotional: product.subscription?.promotionalOffers
      case .winBack: product.subscription?.winBackOffers
      default: nil
      }
    return offers.map { offers in !offers.contains { $0.id == id } } ?? false
  }

  private mutating func add(_ kind: Product.PurchaseOption.Kind) throws {
    switch kind {
    case .appAccountToken(let token): options.appAccountToken = token.uuidString.lowercased()
    case .quantity(let quantity): options.quantity = quantity
    case .promotionalOffer(let id, let signature):
      options.offer = Offer(
        type: .promotional, id: id, keyID: signature.keyID,
        nonce: signature.nonce.uuidString.lowercased(),
        signature: signature.signature.base64EncodedString(),
        timestamp: Int64(signature.timestamp))
    case .signedPromotionalOffer(let id, let compactJWS):
      options.offer = Offer(type: .promotional, id: id, compactJWS: compactJWS)
    case .winBackOffer(let offer):
      guard let id = offer.id else { throw Product.PurchaseError.invalidOfferIdentifier }
      options.offer = Offer(type: .winBack, id: id)
    case .introductoryOfferEligibility(let compactJWS):
      options.offer = Offer(type: .introductory, compactJWS: compactJWS)
    // The daemon has no such switch for one purchase: better refused than sold at once.
    case .simulatesAskToBuyInSandbox(let simulates):
      guard !simulates else { throw StoreKitError.unsupported }
    // Whether the product is sold by the plan was looked at before; the daemon knows only that one.
    case .billingPlanType: break
    case .storefrontChange, .custom: break
    }
  }
}

extension Product {
  /// Whether the billing plan that the options ask for, if any, is one that the product is sold by.
  fileprivate func sells(_ options: Set<PurchaseOption>) -> Bool {
    options.allSatisfy { option in
      guard case .billingPlanType(let plan) = option.kind else { return true }
      return subscription?.pricingTerms.contains { $0.billingPlanType == plan } ?? false
    }
  }
}
