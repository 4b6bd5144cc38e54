import Foundation

/// The same by Apple's shorter names.
public typealias SubscriptionInfo = Product.SubscriptionInfo
public typealias SubscriptionStatus = Product.SubscriptionInfo.Status

extension Product {
  /// What makes a product a subscription.
  public struct SubscriptionInfo: Hashable, Sendable {
    public let introductoryOffer: SubscriptionOffer?
    public let promotionalOffers: [SubscriptionOffer]
    public let winBackOffers: [SubscriptionOffer]
    public let subscriptionGroupID: String
    public let subscriptionPeriod: SubscriptionPeriod
    /// Its level in its group; 1 is the highest.
    public let groupLevel: Int
    public let groupDisplayName: String
    /// What it costs, by each billing plan that is sold: here only up front.
    public let pricingTerms: [PricingTerms]

    /// Whether the account may still have an introductory offer of the group; true where the
    /// product has none.
    public var isEligibleForIntroOffer: Bool {
      get async { await Self.isEligibleForIntroOffer(for: subscriptionGroupID) }
    }

    /// Whether the account may still have an introductory offer of a group: it never had one, and
    /// has no subscription there now. False where the daemon does not answer.
    public static func isEligibleForIntroOffer(for groupID: String) async -> Bool {
      await StoreSession.shared.isEligibleForIntroOffer(group: groupID)
    }

    /// The account's subscriptions of this group: its own and those shared with it.
    public var status: [Status] {
      get async throws { try await Self.status(for: subscriptionGroupID) }
    }

    /// The account's subscriptions of a group: its own and those shared with it.
    public static func status(for groupID: String) async throws -> [Status] {
      try await StoreSession.shared.statuses().filter { $0.groupID == groupID }
    }

    /// The subscription that a transaction belongs to; nil where the account has none such.
    public static func status(transactionID: UInt64) async throws -> SubscriptionStatus? {
      try await StoreSession.shared.status(transactionID: transactionID)
    }
  }
}

extension Product.SubscriptionInfo {
  /// How a subscription stands. Raw values are Apple's server's numbers.
  public struct RenewalState: RawRepresentable, Hashable, Sendable {
    public let rawValue: Int

    public init(rawValue: Int) { self.rawValue = rawValue }

    public static let subscribed = RenewalState(rawValue: 1)
    public static let expired = RenewalState(rawValue: 2)
    public static let inBillingRetryPeriod = RenewalState(rawValue: 3)
    public static let inGracePeriod = RenewalState(rawValue: 4)
    public static let revoked = RenewalState(rawValue: 5)

    /// The state in English words.
    public var localizedDescription: String {
      switch self {
      case .subscribed: "Subscribed"
      case .expired: "Expired"
      case .inBillingRetryPeriod: "In Billing Retry Period"
      case .inGracePeriod: "In Grace Period"
      case .revoked: "Revoked"
      default: "State \(rawValue)"
      }
    }
  }
}
