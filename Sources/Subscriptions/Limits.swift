/// The limits of the rules, each with its reason.
public enum Limits {
  /// An account is 1 to 128 bytes of UTF-8, long enough for any user id in use.
  public static let accountBytesMax = 128
  /// Apple sells at most ten of a consumable in one purchase (Domain.md 1.9).
  public static let quantityMax = 10
  /// A forecast goes at most so many steps, ten years of weeks a dozen times over.
  public static let forecastStepsMax = 10_000
  /// The names a product id was likely meant to be: more would not help a person choose.
  public static let nearestProductsMax = 3
  /// Names further away than this, or than half their length, are no misspelling.
  public static let nearestDistanceMax = 6
  /// A clock's name is a label, typed by hand.
  public static let clockNameBytesMax = 64
  /// Clock numbers are 16 bits in every account's record.
  public static let clocksMax = 65_535
  /// No length in the log is of more units: thousands of years, and small enough that months and
  /// days of it are counted in 32 bits.
  public static let periodCountMax: Int32 = 1 << 20
  /// Domain.md 1.5: billing is tried for sixty days after the period's end, grace included.
  public static let billingRetryDays: Int64 = 60
  /// Domain.md 1.11: an extension is of 1 to 90 days, for one of four reasons.
  public static let extensionDaysMax: Int64 = 90
  public static let extensionReasonMax: Int64 = 3
  /// The least that an extension is scaled to at a rate, milliseconds: what people see.
  public static let scaledDaysMin: Int64 = 1000
  /// Domain.md 1.11: not a third time within so many days.
  public static let extensionWindowDays: Int64 = 365
  public static let extensionsInWindow = 2
  /// Domain.md 3.5: what a mass extension calls itself.
  public static let requestIdentifierBytesMax = 128
  /// Far above any price of a store; amounts of it still add up in 64 bits.
  public static let priceMax: Int64 = 1_000_000_000_000_000
  /// Domain.md 1.6: a gap of paid service longer than this begins a new chain, milliseconds.
  public static let recentStartGapProduction = 60 * Instant.millisecondsPerDay
  /// The same in Apple's sandbox.
  public static let recentStartGapSandbox: Int64 = 600_000
  /// Domain.md 8, case 6, recommends an hour to a day where access outlives a period of which no
  /// news has come: two hours, since Apple's second attempt at a notification comes after one.
  public static let recordLeewayMilliseconds: Int64 = 2 * 3_600_000
  /// Days of grace taken where a notification says grace, names no end of it, and no grace is
  /// configured: what most apps choose of Apple's 3, 16 and 28 (Domain.md 8, case 18).
  public static let assumedGraceDays: Int64 = 16
  /// The greatest number of renewals that the policy renewalCap takes: more than a life of weeks
  /// has, and no number that only a mistake explains.
  static let renewalCapMax: Int32 = 10_000
  /// The least span between two tries of billing that the policy billingRetryInterval takes,
  /// milliseconds: nobody's bank is asked more often than each minute.
  static let billingRetryIntervalMin: Int64 = 60_000
  /// What stands before the values of told fields: a 64-bit varint and their length.
  static let toldFieldsHeadBytesMax = 15
  /// Storefront numbers are 16 bits in every transaction's record.
  static let storefrontNumberMax = 65_535
  /// Purchases of one account that wait at once: more no person could answer.
  public static let pendingPurchasesMax = 100
  /// Domain.md 1.10: up to five members beside the purchaser.
  public static let familyMembersMax = 5
  /// The first transaction id: sixteen digits, as Apple's production ids have (Domain.md 9.2.3).
  public static let firstTransactionID: UInt64 = 2_000_000_000_000_001
  /// A period's webOrderLineItemId is its transaction's id and this, so that the two never meet
  /// and neither needs a counter of its own.
  public static let webOrderLineItemOffset: UInt64 = 900_000_000_000
  /// Clocks run from 2000-01-01 to the end of 2099, which is also how long the
  /// signing certificates are valid.
  public static let timeMin = CalendarLimits.timeMin
  public static let timeMax = CalendarLimits.timeMax
  /// Times that come from outside: a clock's, and the year after it, in which ends what was bought
  /// for a year on a clock's last day. No such time in seconds, microseconds or nanoseconds lies
  /// there.
  public static let outsideTimeMin = timeMin
  public static let outsideTimeMax = Instant(milliseconds: 4_133_980_799_999)
  /// Lines looked at in one step of a sweep that reaches none of them, and what such a step
  /// counts for among a turn's events: a glance at a line is some thirty times cheaper than one.
  static let sweepLinesPerStep = 256
  static let sweepStepCost = 8
  /// Dropped deadlines that a queue may hold besides four per line before it is made anew.
  static let staleDeadlinesMax = 1_024
  /// A period times a number is at most this many of its units: the calendar's own steps are no
  /// longer.
  static let periodFactorMax: Int64 = 100_000_000
}
