import Subscriptions

/// The `settings` of a `.storekit` file (Domain.md 5.5), as it has them. They say how Xcode would
/// simulate; whether any of it applies here is for whoever imports the file to decide.
public struct StoreKitSettings: Equatable, Sendable {
  public var timeRate = StoreKitTimeRate.realTime
  /// The nearest rate that a reader of format 3 knows; of use to none that knows `timeRate`.
  public var compatibilityTimeRate: StoreKitTimeRate?
  public var failsTransactions = false
  /// Format 2's simulated error: its position in Xcode's menu.
  public var storeKitErrorIndex: Int64?
  /// Simulated errors since format 3, in the file's order.
  public var simulatedErrors: [StoreKitSimulatedError] = []
  /// ISO 3166-1 alpha-3, as the file has it; the catalogue's is always a known one.
  public var storefront = StoreKitSettings.storefrontDefault
  public var locale = StoreKitSettings.localeDefault
  public var asksToBuy = false
  public var hasBillingGracePeriod = false
  /// Purchases are interrupted until their issue is resolved.
  public var interruptsPurchases = false
  /// Renewals fail and enter billing retry.
  public var failsRenewals = false
  public var disablesDialogs = false
  /// The app's Apple id; only in files synchronised with App Store Connect.
  public var applicationID: String?
  public var developerTeamID: String?
  public var lastSynchronized: Instant?

  public init() {}

  public static let storefrontDefault = "USA"
  public static let localeDefault = "en_US"
}

/// How fast subscriptions renew: `SKTestSession.TimeRate`'s number (Domain.md 6.2), kept also
/// where it is none that we know.
public struct StoreKitTimeRate: RawRepresentable, Hashable, Sendable {
  public let rawValue: Int64

  public init(rawValue: Int64) {
    self.rawValue = rawValue
  }

  public static let realTime = StoreKitTimeRate(rawValue: 0)
  public static let oneHourIsOneDay = StoreKitTimeRate(rawValue: 1)
  public static let thirtyMinutesIsOneDay = StoreKitTimeRate(rawValue: 2)
  public static let fiveMinutesIsOneDay = StoreKitTimeRate(rawValue: 3)
  public static let oneMinuteIsOneDay = StoreKitTimeRate(rawValue: 4)
  public static let thirtySecondsIsOneDay = StoreKitTimeRate(rawValue: 5)
  public static let oneSecondIsOneDay = StoreKitTimeRate(rawValue: 6)
  public static let monthlyRenewalEveryHour = StoreKitTimeRate(rawValue: 10)
  public static let monthlyRenewalEveryThirtyMinutes = StoreKitTimeRate(rawValue: 11)
  public static let monthlyRenewalEveryFifteenMinutes = StoreKitTimeRate(rawValue: 12)
  public static let monthlyRenewalEveryFiveMinutes = StoreKitTimeRate(rawValue: 13)
  public static let monthlyRenewalEveryThirtySeconds = StoreKitTimeRate(rawValue: 15)
  public static let oneRenewalEveryFifteenMinutes = StoreKitTimeRate(rawValue: 1000)
  public static let oneRenewalEveryFiveMinutes = StoreKitTimeRate(rawValue: 1001)
  public static let oneRenewalEveryMinute = StoreKitTimeRate(rawValue: 1002)
  public static let oneRenewalEveryThirtySeconds = StoreKitTimeRate(rawValue: 1003)
  public static let oneRenewalEveryTenSeconds = StoreKitTimeRate(rawValue: 1004)
  public static let oneRenewalEveryTwoSeconds = StoreKitTimeRate(rawValue: 1005)

  public var isKnown: Bool {
    switch rawValue {
    case 0...6, 10...13, 15, 1000...1005: true
    default: false
    }
  }
}

/// One of the errors that Xcode can be told to simulate.
public struct StoreKitSimulatedError: Equatable, Sendable {
  /// What fails, in Xcode's words: "Load Products", "Purchase", …
  public var api: String
  public var isEnabled: Bool
  /// Which error, if one was chosen: the Swift error type's name in the file ("generic",
  /// "purchase", "verification") and its position in that type's menu.
  public var errorType: String?
  public var errorIndex: Int64?
}
