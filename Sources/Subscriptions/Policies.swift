/// Whose failed renewals get a grace period (Domain.md 1.5).
public enum GraceScope: UInt8, Sendable, CaseIterable {
  case allRenewals = 0
  /// Not the first payment after a free trial.
  case paidToPaid = 1
}

/// From when a renewal counts that was paid within the grace period (Domain.md 1.3, E9).
public enum GraceRecoveryDate: UInt8, Sendable, CaseIterable {
  /// From the end of the period before: the billing cycle stays.
  case cycleStart = 0
  /// From the payment; the period ends with the cycle all the same.
  case recoveryTime = 1
}

/// What becomes of autoRenewStatus where a line ends for want of consent, or since its product is
/// no longer sold (Domain.md 1.2 and 10.7).
public enum AutoRenewAfterEnd: UInt8, Sendable, CaseIterable {
  case off = 0
  case unchanged = 1
}

/// How the store decides where Apple's own rule is not known, or differs between its
/// environments (Domain.md 2.2, 9.2). Facts already in the log never change with it.
public struct Policies: Sendable {
  public var monthEnd = MonthEndPolicy.anchored
  public var calendar = BillingCalendar.utc
  /// Days of grace after a failed renewal; 0 for none. Apple offers 3, 16 and 28.
  public var graceDays: Int64 = 0
  public var graceScope = GraceScope.allRenewals
  public var graceRecoveryDate = GraceRecoveryDate.cycleStart
  public var autoRenewAfterEnd = AutoRenewAfterEnd.off

  /// The rate that subscriptions run at, until a tester sets another.
  public var renewalRate = RenewalRate.realTime
  /// Whether the charges of new subscribers fail until a tester lets them succeed.
  public var renewalsFail = false
  /// When renewals happen, and how many of them.
  public var terms = RenewalTerms()
  /// A gap of paid service longer than this begins a new chain, milliseconds (Domain.md 1.6).
  public var recentStartGap = Limits.recentStartGapProduction
  /// How long access outlives a period of which no news has come, milliseconds; nil for what the
  /// role says. Lines of the App Store's alone have it (Domain.md 8, case 6).
  public var expiryLeewayMilliseconds: Int64?

  /// The leeway in force in a role.
  public func expiryLeeway(in role: Role) -> Int64 {
    if let expiryLeewayMilliseconds { return expiryLeewayMilliseconds }
    switch role {
    case .store: return 0
    case .record: return Limits.recordLeewayMilliseconds
    }
  }

  /// Whether a promotional offer needs a signature.
  public var offerSignature = OfferSignaturePolicy.optional

  public init() {}
}
