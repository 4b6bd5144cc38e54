import Foundation

extension Product {
  /// How a purchase ended.
  public enum PurchaseResult: Sendable {
    case success(VerificationResult<Transaction>)
    case userCancelled
    /// It waits for somebody: a parent, say. `Transaction.updates` has it later.
    case pending
  }

  /// Buys the product for the account. The transaction is not repeated in `Transaction.updates`
  /// in this launch; call its `finish()` once what was bought is delivered.
  ///
  /// Throws `PurchaseError` and `StoreKitError`.
  public func purchase(options: Set<PurchaseOption> = []) async throws -> PurchaseResult {
    try await StoreSession.shared.purchase(self, options: options)
  }
}

extension Product {
  /// What may be said with a purchase.
  public struct PurchaseOption: Hashable, Sendable {
    enum Kind: Hashable, Sendable {
      case appAccountToken(UUID)
      case quantity(Int)
      case promotionalOffer(id: String, SubscriptionOffer.Signature)
      case signedPromotionalOffer(id: String, compactJWS: String)
      case winBackOffer(SubscriptionOffer)
      case introductoryOfferEligibility(compactJWS: String)
      case simulatesAskToBuyInSandbox(Bool)
      case storefrontChange
      case billingPlanType(SubscriptionInfo.BillingPlanType)
      case custom(key: String, CustomValue)
    }

    enum CustomValue: Hashable, Sendable {
      case text(String)
      case number(Double)
      case truth(Bool)
      case bytes(Data)
    }

    let kind: Kind

    /// A UUID of the app's own for the account.
    public static func appAccountToken(_ token: UUID) -> PurchaseOption {
      PurchaseOption(kind: .appAccountToken(token))
    }

    /// How many, 1 to 10; of consumables and non-renewing subscriptions only.
    public static func quantity(_ quantity: Int) -> PurchaseOption {
      PurchaseOption(kind: .quantity(quantity))
    }

    /// A promotional offer with its signature; `timestamp` in milliseconds since 1970 UTC.
    public static func promotionalOffer(
      offerID: String, keyID: String, nonce: UUID, signature: Data, timestamp: Int
    ) -> PurchaseOption {
      promotionalOffer(
        offerID: offerID,
        signature: SubscriptionOffer.Signature(
          keyID: keyID, nonce: nonce, timestamp: timestamp, signature: signature))
    }

    /// A promotional offer with its signature.
    public static func promotionalOffer(
      offerID: String, signature: SubscriptionOffer.Signature
    ) -> PurchaseOption {
      PurchaseOption(kind: .promotionalOffer(id: offerID, signature))
    }

    /// A promotional offer that the server signed as a JWS.
    public static func promotionalOffer(
      _ offerID: String, compactJWS: String
    ) -> [PurchaseOption] {
      [PurchaseOption(kind: .signedPromotionalOffer(id: offerID, compactJWS: compactJWS))]
    }

    /// An offer for customers who left.
    public static func winBackOffer(_ offer: SubscriptionOffer) -> PurchaseOption {
      PurchaseOption(kind: .winBackOffer(offer))
    }

    /// The server's word on whether the introductory offer is to be had.
    public static func introductoryOfferEligibility(compactJWS: String) -> PurchaseOption {
      PurchaseOption(kind: .introductoryOfferEligibility(compactJWS: compactJWS))
    }

    /// Lets the purchase wait for a parent's approval. True is refused as
    /// `StoreKitError.unsupported`.
    public static func simulatesAskToBuyInSandbox(_ simulateAskToBuy: Bool) -> PurchaseOption {
      PurchaseOption(kind: .simulatesAskToBuyInSandbox(simulateAskToBuy))
    }

    /// How the subscription is to be charged. A plan that is not among the product's
    /// `pricingTerms` is refused as `StoreKitError.unsupported`.
    public static func billingPlanType(
      _ type: SubscriptionInfo.BillingPlanType
    ) -> PurchaseOption {
      PurchaseOption(kind: .billingPlanType(type))
    }

    /// Asked where the storefront changes during a purchase. Here it never does, so
    /// `shouldContinuePurchase` is not called.
    public static func onStorefrontChange(
      shouldContinuePurchase: @escaping @Sendable (Storefront) -> Bool
    ) -> PurchaseOption {
      PurchaseOption(kind: .storefrontChange)
    }

    /// An option of a name of its own; the daemon knows none, and it has no effect.
    public static func custom(key: String, value: String) -> PurchaseOption {
      PurchaseOption(kind: .custom(key: key, .text(value)))
    }

    /// An option of a name of its own; the daemon knows none, and it has no effect.
    public static func custom(key: String, value: Double) -> PurchaseOption {
      PurchaseOption(kind: .custom(key: key, .number(value)))
    }

    /// An option of a name of its own; the daemon knows none, and it has no effect.
    public static func custom(key: String, value: Bool) -> PurchaseOption {
      PurchaseOption(kind: .custom(key: key, .truth(value)))
    }

    /// An option of a name of its own; the daemon knows none, and it has no effect.
    public static func custom(key: String, value: Data) -> PurchaseOption {
      PurchaseOption(kind: .custom(key: key, .bytes(value)))
    }
  }
}
