import Subscriptions

/// One thing done in a life. Accounts and clocks are small numbers; lines, transactions and
/// purchases that wait are named by their place among the account's, so that a step means
/// something whatever was left out before it. What names nothing is simply not done.
public enum LifeStep: Equatable, Sendable {
  case advance(clock: Int, days: Int64, milliseconds: Int64)
  case buy(LifePurchase)
  case line(LifeLineStep, account: Int, place: Int)
  case transaction(LifeTransactionStep, account: Int, place: Int)
  case account(LifeAccountStep, account: Int)
  case store(LifeStoreStep)
}

public struct LifePurchase: Equatable, Sendable {
  public var account: Int
  public var product: String
  /// Of an account that is only being opened.
  public var clock = 0
  public var quantity: Int64 = 1
  public var offer: LifeOffer?
  /// Dated back by so many days.
  public var daysBack: Int64?
  /// Dated back, with renewal turned off at once.
  public var isCancelled = false
}

public struct LifeOffer: Equatable, Sendable {
  public var kind: OfferKind
  public var id: String?
}

/// What is done to a subscription.
public enum LifeLineStep: Equatable, Sendable {
  case cancel
  case resume
  case renew
  case expire
  case resolve
  case consent
  case decline
  case extend(days: Int64)
}

/// What is done to a transaction.
public enum LifeTransactionStep: Equatable, Sendable {
  case refund(percentage: Int64?)
  case reverse
  case requestRefund
  case declineRefund
  case finish
}

/// What is done to an account.
public enum LifeAccountStep: Equatable, Sendable {
  case billing(fails: Bool)
  case attach(clock: Int)
  case share(member: Int)
  /// With one member, or with all.
  case unshare(member: Int?, SharingEnd)
  case askToBuy(Bool)
  case interrupt(Bool)
  case approve(place: Int)
  case declinePurchase(place: Int)
  case resolvePurchase(place: Int)
  case restore
}

/// A product that is named, or the one that a line renews to, by the line's place among all.
public enum LifeProduct: Equatable, Sendable {
  case named(String)
  case held(place: Int)
}

/// What is done to all of the store.
public enum LifeStoreStep: Equatable, Sendable {
  case rate(RenewalRate?)
  case billing(fails: Bool)
  case askToBuy(Bool)
  case interrupt(Bool)
  /// Milliunits more than now.
  case raisePrice(LifeProduct, by: Int64, needsConsent: Bool)
  case remove(LifeProduct)
  case extendAll(LifeProduct, days: Int64, identifier: Int)
  /// Sells what one of the shop's days sells.
  case catalogue(Int)
  case fault(SimulatedAPI, SimulatedError?)
}

/// Everything about a life: what its store is told, when it begins, and what is done in it.
public struct Life: Sendable {
  public var policies: Policies
  public var start: Instant
  public var steps: [LifeStep]
  /// Whether it is looked at so closely that it takes far longer: byte for byte behind each
  /// refusal, and with every deadline looked for twice.
  public var isThorough: Bool

  public static let clockNames = ["default", "other"]
  static let accountCount = 5

  static func name(ofAccount number: Int) -> String { "u\(number + 1)" }

  /// The life that a seed makes up.
  public init(seed: UInt64, stepCount: Int) {
    var maker = LifeMaker(seed: seed)
    policies = maker.policies()
    start = maker.start()
    steps = []
    steps.reserveCapacity(stepCount)
    for _ in 0..<stepCount { steps.append(maker.step()) }
    isThorough = seed % Limits.thoroughLifeEvery == 0
  }
}
