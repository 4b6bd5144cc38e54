/// How fast subscriptions run: on the calendar, or at one of the rates that Xcode, Apple's sandbox
/// and TestFlight have (Domain.md 2.5 and 6.2). A rate gives every length: of periods, offers,
/// grace periods and the billing retry. The raw value is in the log; the case's name is the
/// wire's, and Apple's where Apple has one.
public enum RenewalRate: UInt8, Sendable, CaseIterable {
  /// The calendar's own lengths.
  case realTime = 0
  case oneHourIsOneDay = 1
  case thirtyMinutesIsOneDay = 2
  case fiveMinutesIsOneDay = 3
  case oneMinuteIsOneDay = 4
  case thirtySecondsIsOneDay = 5
  case oneSecondIsOneDay = 6
  case monthlyRenewalEveryHour = 10
  case monthlyRenewalEveryThirtyMinutes = 11
  case monthlyRenewalEveryFifteenMinutes = 12
  /// What Apple's sandbox does unless a tester chooses another.
  case monthlyRenewalEveryFiveMinutes = 13
  /// Apple's sandbox alone has it; `SKTestSession` gives it no number.
  case monthlyRenewalEveryThreeMinutes = 14
  case monthlyRenewalEveryThirtySeconds = 15
  case oneRenewalEveryFifteenMinutes = 20
  case oneRenewalEveryFiveMinutes = 21
  case oneRenewalEveryMinute = 22
  case oneRenewalEveryThirtySeconds = 23
  case oneRenewalEveryTenSeconds = 24
  case oneRenewalEveryTwoSeconds = 25
  /// TestFlight's: every period lasts one day.
  case oneRenewalEveryDay = 30

  /// The rate that a number of `SKTestSession.TimeRate` means (Domain.md 6.2); nil for none.
  public init?(timeRate: Int64) {
    switch timeRate {
    case 0...6, 10...13, 15:
      self.init(rawValue: UInt8(timeRate))
    case 1000...1005:
      self.init(rawValue: UInt8(timeRate - 1000) + Self.oneRenewalEveryFifteenMinutes.rawValue)
    default:
      return nil
    }
  }

  public init?(name: String) {
    guard let rate = Self.allCases.first(where: { $0.name == name }) else { return nil }
    self = rate
  }

  public var name: String { "\(self)" }
}

/// The lengths of things at a rate, milliseconds.
public struct RateLengths: Hashable, Sendable {
  public var week: Int64
  /// Months and years are so many of it.
  public var month: Int64
  /// Every period lasts as long as any other.
  public var isFixed: Bool
  /// Of a weekly subscription, where six days of grace are configured.
  public var weeklyGrace: Int64
  /// Of the others, where sixteen days of it are.
  public var grace: Int64
  public var billingRetry: Int64

  /// A row of Apple's table, seconds.
  private init(
    week: Int64, month: Int64, weeklyGrace: Int64, grace: Int64, retry: Int64
  ) {
    self.week = week * 1000
    self.month = month * 1000
    self.isFixed = false
    self.weeklyGrace = weeklyGrace * 1000
    self.grace = grace * 1000
    self.billingRetry = retry * 1000
  }

  /// One length for every period, seconds; billing is retried for two of it.
  private init(every seconds: Int64) {
    self.init(
      week: seconds, month: seconds, weeklyGrace: seconds, grace: seconds, retry: 2 * seconds)
    isFixed = true
  }

  /// A day of so many seconds, and a month of thirty.
  private init(day seconds: Int64) {
    self.init(
      week: 7 * seconds, month: 30 * seconds, weeklyGrace: 6 * seconds, grace: 16 * seconds,
      retry: 60 * seconds)
  }

  /// A rate's lengths (Domain.md 2.5); nil in real time.
  public init?(_ rate: RenewalRate) {
    switch rate {
    case .realTime: return nil
    case .oneHourIsOneDay: self.init(day: 3600)
    case .thirtyMinutesIsOneDay: self.init(day: 1800)
    case .fiveMinutesIsOneDay: self.init(day: 300)
    case .oneMinuteIsOneDay: self.init(day: 60)
    case .thirtySecondsIsOneDay: self.init(day: 30)
    case .oneSecondIsOneDay: self.init(day: 1)
    case .monthlyRenewalEveryHour:
      self.init(week: 900, month: 3600, weeklyGrace: 771, grace: 1800, retry: 7200)
    case .monthlyRenewalEveryThirtyMinutes:
      self.init(week: 600, month: 1800, weeklyGrace: 514, grace: 900, retry: 3600)
    case .monthlyRenewalEveryFifteenMinutes:
      self.init(week: 300, month: 900, weeklyGrace: 257, grace: 450, retry: 1800)
    case .monthlyRenewalEveryFiveMinutes:
      self.init(week: 180, month: 300, weeklyGrace: 154, grace: 150, retry: 600)
    case .monthlyRenewalEveryThreeMinutes:
      // Apple's table has only the month; the rest follows the rows above it (Differences.md).
      self.init(week: 180, month: 180, weeklyGrace: 154, grace: 90, retry: 360)
    case .monthlyRenewalEveryThirtySeconds:
      self.init(week: 10, month: 30, weeklyGrace: 9, grace: 15, retry: 60)
    case .oneRenewalEveryFifteenMinutes: self.init(every: 900)
    case .oneRenewalEveryFiveMinutes: self.init(every: 300)
    case .oneRenewalEveryMinute: self.init(every: 60)
    case .oneRenewalEveryThirtySeconds: self.init(every: 30)
    case .oneRenewalEveryTenSeconds: self.init(every: 10)
    case .oneRenewalEveryTwoSeconds: self.init(every: 2)
    case .oneRenewalEveryDay: self.init(every: 86_400)
    }
  }

  /// How long a period lasts: months by the month, weeks and days by the week.
  public func length(of period: Period) -> Int64 {
    if isFixed { return week }
    return period.isCountedInMonths
      ? Int64(period.length) * month : Int64(period.length) * week / 7
  }

  /// How long a part of sixty days of billing retry is, milliseconds: the same part of the rate's.
  func length(ofRetry milliseconds: Int64) -> Int64 {
    let whole = Limits.billingRetryDays * Instant.millisecondsPerDay
    return max(1, billingRetry * milliseconds / whole)
  }

  /// How long so many days are beside a period, of which they are the same part as on the
  /// calendar, with thirty days to a month: a second at least, so that no day comes to nothing.
  public func length(ofDays days: Int64, in period: Period) -> Int64 {
    let nominal = Int64(period.length) * (period.isCountedInMonths ? 30 : 1)
    return max(Limits.scaledDaysMin, length(of: period) * days / nominal)
  }

  /// How long the grace lasts where so many days of it are configured: in proportion to the six
  /// days of a week, or the sixteen of anything else, that Apple's table is of.
  public func graceLength(days: Int64, isWeekly: Bool) -> Int64 {
    isWeekly ? weeklyGrace * days / 6 : grace * days / 16
  }
}
