import Varlink

/// The state of a subscription, by Apple's numbers. A number this client does not know is kept.
public struct SubscriptionStatus: RawRepresentable, Hashable, Sendable {
  public let rawValue: Int64

  public init(rawValue: Int64) {
    self.rawValue = rawValue
  }

  public static let active = SubscriptionStatus(rawValue: 1)
  public static let expired = SubscriptionStatus(rawValue: 2)
  public static let inBillingRetryPeriod = SubscriptionStatus(rawValue: 3)
  public static let inGracePeriod = SubscriptionStatus(rawValue: 4)
  public static let revoked = SubscriptionStatus(rawValue: 5)

  /// The state in words.
  public var words: String {
    switch self {
    case .active: "active"
    case .expired: "expired"
    case .inBillingRetryPeriod: "in billing retry"
    case .inGracePeriod: "in grace"
    case .revoked: "revoked"
    default: "in state \(rawValue)"
    }
  }
}

/// The type of a product.
public struct ProductType: Word {
  public let rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }

  public static let autoRenewable = ProductType(rawValue: "autoRenewable")
  public static let nonConsumable = ProductType(rawValue: "nonConsumable")
  public static let consumable = ProductType(rawValue: "consumable")
  public static let nonRenewing = ProductType(rawValue: "nonRenewing")

  public static let known = [autoRenewable, nonConsumable, consumable, nonRenewing]
}

/// Whether a transaction was bought or came by renewal.
public struct TransactionReason: Word {
  public let rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }

  public static let purchase = TransactionReason(rawValue: "purchase")
  public static let renewal = TransactionReason(rawValue: "renewal")

  public static let known = [purchase, renewal]
}

/// Whether an account bought a product or has it by family sharing.
public struct OwnershipType: Word {
  public let rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }

  public static let purchased = OwnershipType(rawValue: "purchased")
  public static let familyShared = OwnershipType(rawValue: "familyShared")

  public static let known = [purchased, familyShared]
}

/// Where a subscription comes from: sold by the daemon, or told by Apple.
public struct SubscriptionOrigin: Word {
  public let rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }

  public static let store = SubscriptionOrigin(rawValue: "store")
  public static let apple = SubscriptionOrigin(rawValue: "apple")

  public static let known = [store, apple]
}

/// The kind of an offer.
public struct OfferType: Word {
  public let rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }

  public static let introductory = OfferType(rawValue: "introductory")
  public static let promotional = OfferType(rawValue: "promotional")
  public static let code = OfferType(rawValue: "code")
  public static let winBack = OfferType(rawValue: "winBack")

  public static let known = [introductory, promotional, code, winBack]
}

/// How an offer is paid.
public struct PaymentMode: Word {
  public let rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }

  public static let freeTrial = PaymentMode(rawValue: "freeTrial")
  public static let payAsYouGo = PaymentMode(rawValue: "payAsYouGo")
  public static let payUpFront = PaymentMode(rawValue: "payUpFront")

  public static let known = [freeTrial, payAsYouGo, payUpFront]
}

/// Whose clock an account lives by: the machine's, or one that stands still until advanced.
public struct ClockKind: Word {
  public let rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }

  public static let system = ClockKind(rawValue: "system")
  public static let test = ClockKind(rawValue: "test")

  public static let known = [system, test]
}

/// What an answer about an account stands on: now, the log up to then, or what will happen if
/// nothing else does.
public struct StatusBasis: Word {
  public let rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }

  public static let present = StatusBasis(rawValue: "present")
  public static let past = StatusBasis(rawValue: "past")
  public static let forecast = StatusBasis(rawValue: "forecast")

  public static let known = [present, past, forecast]
}

/// How a purchase ended.
public struct PurchaseOutcome: Word {
  public let rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }

  public static let success = PurchaseOutcome(rawValue: "success")
  public static let pending = PurchaseOutcome(rawValue: "pending")
  public static let userCancelled = PurchaseOutcome(rawValue: "userCancelled")

  public static let known = [success, pending, userCancelled]
}

/// Whether an account's charges succeed.
public struct BillingOutcome: Word {
  public let rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }

  public static let succeed = BillingOutcome(rawValue: "succeed")
  public static let fail = BillingOutcome(rawValue: "fail")

  public static let known = [succeed, fail]
}

/// A part of StoreKit that can be made to fail.
public struct SimulatedAPI: NamedWord {
  public static let typeName = "SimulatedApi"
  public static let about = """
    The parts of StoreKit that can be made to fail.
    """
  public let rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }

  public static let loadProducts = SimulatedAPI(rawValue: "loadProducts")
  public static let purchase = SimulatedAPI(rawValue: "purchase")
  public static let verification = SimulatedAPI(rawValue: "verification")
  public static let appStoreSync = SimulatedAPI(rawValue: "appStoreSync")
  public static let subscriptionStatus = SimulatedAPI(rawValue: "subscriptionStatus")
  public static let appTransaction = SimulatedAPI(rawValue: "appTransaction")
  public static let manageSubscriptions = SimulatedAPI(rawValue: "manageSubscriptions")
  public static let refundRequest = SimulatedAPI(rawValue: "refundRequest")
  public static let offerCodeRedeem = SimulatedAPI(rawValue: "offerCodeRedeem")

  public static let known = [
    loadProducts, purchase, verification, appStoreSync, subscriptionStatus, appTransaction,
    manageSubscriptions, refundRequest, offerCodeRedeem,
  ]
}

/// Why a purchase waits.
public struct PendingReason: Word {
  public let rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }

  public static let askToBuy = PendingReason(rawValue: "askToBuy")
  public static let interrupted = PendingReason(rawValue: "interrupted")

  public static let known = [askToBuy, interrupted]
}

/// Why Family Sharing with a member ended.
public struct SharingEnd: Word {
  public let rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }

  public static let turnedOff = SharingEnd(rawValue: "turnedOff")
  public static let memberLeft = SharingEnd(rawValue: "memberLeft")
  public static let purchaserLeft = SharingEnd(rawValue: "purchaserLeft")

  public static let known = [turnedOff, memberLeft, purchaserLeft]
}

/// What became of a purchase that is dated back.
public struct RenewalBehavior: Word {
  public let rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }

  /// It renewed on each date up to now.
  public static let renewUntilNow = RenewalBehavior(rawValue: "renewUntilNow")
  /// Renewal was turned off at once.
  public static let cancelImmediately = RenewalBehavior(rawValue: "cancelImmediately")

  public static let known = [renewUntilNow, cancelImmediately]
}

/// The part a daemon plays, fixed when its log is made.
public struct DaemonRole: Word {
  public let rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }

  public static let store = DaemonRole(rawValue: "store")
  public static let record = DaemonRole(rawValue: "record")

  public static let known = [store, record]
}
