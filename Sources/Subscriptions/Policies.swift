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

/// The table of policies. A new one is a property of `Policies` and a row here, beside the rule
/// that it governs and its line in Differences.md.
extension Policy {
  /// All of them, in the order in which they came to be.
  public static let all: [Policy] = [
    monthEnd, calendarTimeZone, billingGracePeriod, billingGracePeriodScope,
    graceRecoveryPurchaseDate, autoRenewAfterEnd, renewalRate, recentStartGap, renewalLead,
    renewalLag, expiryLeeway, renewalCap, billingRetryInterval, promotionalOfferSignature,
    renewalsFail,
  ]

  public static let monthEnd = choice(
    "monthEnd", .calendar,
    "the day after a month end: from 31 January to 28 February, and then?", \.monthEnd)

  public static let calendarTimeZone = zone(
    "calendarTimeZone", "the calendar's time zone", ["UTC", "America/Los_Angeles"])

  public static let billingGracePeriod = choice(
    "billingGracePeriod", .grace, "whether failed renewals have a grace period", \.graceDays,
    [("off", 0), ("3d", 3), ("16d", 16), ("28d", 28)])

  public static let billingGracePeriodScope = choice(
    "billingGracePeriodScope", .grace, "which renewals have it", \.graceScope)

  public static let graceRecoveryPurchaseDate = choice(
    "graceRecoveryPurchaseDate", .grace, "from when a period counts that was paid in its grace",
    \.graceRecoveryDate)

  public static let autoRenewAfterEnd = choice(
    "autoRenewAfterEnd", .end,
    "renewal after an end by price increase or by a product's removal", \.autoRenewAfterEnd)

  public static let renewalRate = rate(
    "renewalRate", "how fast subscriptions run", \.renewalRate,
    tried: Array(repeating: "realTime", count: 4)
      + ["oneHourIsOneDay", "monthlyRenewalEveryHour", "oneRenewalEveryDay"])

  public static let recentStartGap = choice(
    "recentStartGap", .chain, "the gap that begins a new `recentSubscriptionStartDate`",
    \.recentStartGap,
    [("60d", Limits.recentStartGapProduction), ("10min", Limits.recentStartGapSandbox)])

  public static let renewalLead = span(
    "renewalLead", "how early a renewal is charged", \.terms.lead)

  public static let renewalLag = span(
    "renewalLag", "how late a renewal is dealt with", \.terms.lag)

  public static let expiryLeeway = span(
    "expiryLeeway", "access while a renewal is awaited, or nobody told whether it renews",
    \.setExpiryLeeway, note: " (2h in a record)")

  public static let renewalCap = cap(
    "renewalCap", .rate, "how many renewals follow on a purchase", \.terms.renewalsMax,
    to: Limits.renewalCapMax, tried: ["off", "off", "off", "3"])

  public static let billingRetryInterval = span(
    "billingRetryInterval",
    "when a renewal that failed is paid after the payment method works again",
    \.terms.billingRetryInterval, from: Limits.billingRetryIntervalMin, default: "24h",
    tried: ["24h", "24h", "1h", "25000s"])

  public static let promotionalOfferSignature = choice(
    "promotionalOfferSignature", .offer, "a promotional offer without a signature",
    \.offerSignature, tried: [])

  public static let renewalsFail = choice(
    "renewalsFail", .payment, "renewals that fail from the start", \.renewalsFail,
    [("no", false), ("yes", true)], tried: ["yes"] + Array(repeating: "no", count: 9))
}

extension Policies {
  /// The leeway that was set, by the one of both roles; 0 where none was.
  fileprivate var setExpiryLeeway: Int64 {
    get { expiryLeewayMilliseconds ?? 0 }
    set {
      terms.expiryLeeway = newValue
      expiryLeewayMilliseconds = newValue
    }
  }
}
