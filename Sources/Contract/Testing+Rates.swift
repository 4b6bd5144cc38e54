import Varlink

extension TestingInterface {
  public struct GetRate: TestingMethod, Reading {
    public typealias Answer = RateAnswer
    public static let name = "GetRate"
    public static let about = """
      The rate in force, the one that is configured, and whether a test set another. lengths is
      empty in real time.
      """

    public init() {}

    public mutating func code<C: FieldCoder>(with coder: inout C) throws(C.Failure) {}
  }

  public struct SetRate: TestingMethod {
    public typealias Answer = SequenceAnswer
    public static let name = "SetRate"
    public static let about = """
      Sets the rate of all that begins from now on; what has begun keeps its end. Without rate the
      configured one is in force again. While a clock is being advanced: ClockBusy.
      """
    public var rate: RenewalRate?
    public var requestID: String?

    public init() {}

    public mutating func code<C: FieldCoder>(with coder: inout C) throws(C.Failure) {
      try coder.word("rate", &rate)
      try coder.text("requestId", &requestID)
    }
  }
}

/// How fast subscriptions run, by Apple's names (`SKTestSession.TimeRate`).
public struct RenewalRate: NamedWord {
  public static let typeName = "RenewalRate"
  public static let about = """
    How fast subscriptions run: on the calendar (realTime), or at a rate of Xcode, of Apple's
    sandbox or of TestFlight, by Apple's names. A rate gives the length of periods, offers, grace
    periods and the billing retry.
    """
  public let rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }

  /// The calendar's own lengths.
  public static let realTime = RenewalRate(rawValue: "realTime")
  public static let monthlyRenewalEveryHour = RenewalRate(rawValue: "monthlyRenewalEveryHour")
  public static let monthlyRenewalEveryThirtyMinutes = RenewalRate(
    rawValue: "monthlyRenewalEveryThirtyMinutes")
  public static let monthlyRenewalEveryFifteenMinutes = RenewalRate(
    rawValue: "monthlyRenewalEveryFifteenMinutes")
  public static let monthlyRenewalEveryFiveMinutes = RenewalRate(
    rawValue: "monthlyRenewalEveryFiveMinutes")
  /// Apple's sandbox alone has it.
  public static let monthlyRenewalEveryThreeMinutes = RenewalRate(
    rawValue: "monthlyRenewalEveryThreeMinutes")
  public static let monthlyRenewalEveryThirtySeconds = RenewalRate(
    rawValue: "monthlyRenewalEveryThirtySeconds")
  public static let oneRenewalEveryFifteenMinutes = RenewalRate(
    rawValue: "oneRenewalEveryFifteenMinutes")
  public static let oneRenewalEveryFiveMinutes = RenewalRate(
    rawValue: "oneRenewalEveryFiveMinutes")
  public static let oneRenewalEveryMinute = RenewalRate(rawValue: "oneRenewalEveryMinute")
  public static let oneRenewalEveryThirtySeconds = RenewalRate(
    rawValue: "oneRenewalEveryThirtySeconds")
  public static let oneRenewalEveryTenSeconds = RenewalRate(
    rawValue: "oneRenewalEveryTenSeconds")
  public static let oneRenewalEveryTwoSeconds = RenewalRate(
    rawValue: "oneRenewalEveryTwoSeconds")
  /// TestFlight's.
  public static let oneRenewalEveryDay = RenewalRate(rawValue: "oneRenewalEveryDay")

  public static let known = [
    "realTime",
    "oneHourIsOneDay",
    "thirtyMinutesIsOneDay",
    "fiveMinutesIsOneDay",
    "oneMinuteIsOneDay",
    "thirtySecondsIsOneDay",
    "oneSecondIsOneDay",
    "monthlyRenewalEveryHour",
    "monthlyRenewalEveryThirtyMinutes",
    "monthlyRenewalEveryFifteenMinutes",
    "monthlyRenewalEveryFiveMinutes",
    "monthlyRenewalEveryThreeMinutes",
    "monthlyRenewalEveryThirtySeconds",
    "oneRenewalEveryFifteenMinutes",
    "oneRenewalEveryFiveMinutes",
    "oneRenewalEveryMinute",
    "oneRenewalEveryThirtySeconds",
    "oneRenewalEveryTenSeconds",
    "oneRenewalEveryTwoSeconds",
    "oneRenewalEveryDay",
  ].map(RenewalRate.init(rawValue:))
}

/// How long something lasts at a rate.
public struct RateLength: NamedFields, Hashable {
  public static let typeName = "RateLength"
  public static let about = """
    How long something lasts at a rate: a period by its ISO 8601 text (P1W to P1Y), the grace
    period of weekly subscriptions (weeklyGrace) and of others (grace), or the billingRetry.
    """
  /// A period (`P1M`), `weeklyGrace`, `grace` or `billingRetry`.
  public var name = ""
  public var milliseconds: Int64 = 0

  public init() {}

  public mutating func code<C: FieldCoder>(with coder: inout C) throws(C.Failure) {
    try coder.text("name", &name)
    try coder.integer("milliseconds", &milliseconds)
  }
}

/// How fast subscriptions run now.
public struct RateAnswer: Fields, Hashable {
  /// The rate in force.
  public var rate = RenewalRate(rawValue: "")
  public var configured = RenewalRate(rawValue: "")
  /// A test set the rate; else it is the configured one.
  public var isSet = false
  /// Empty in real time.
  public var lengths: [RateLength] = []
  public var sequence: Int64 = 0

  public init() {}

  public mutating func code<C: FieldCoder>(with coder: inout C) throws(C.Failure) {
    try coder.word("rate", &rate)
    try coder.word("configured", &configured)
    try coder.flag("isSet", &isSet)
    try coder.values("lengths", &lengths)
    try coder.integer("sequence", &sequence)
  }
}

extension Call where Result == RateAnswer {
  /// How fast subscriptions run. Role: admin.
  public static func rate() -> Call {
    Call(TestingInterface.GetRate())
  }
}

extension Call where Result == SequenceAnswer {
  /// Sets how fast everything runs that begins from now on, nil as it is configured; what has
  /// begun keeps its end. Refused while a clock is being advanced. Role: admin.
  public static func setRate(_ rate: RenewalRate?, requestID: String? = nil) -> Call {
    Call(TestingInterface.SetRate()) {
      $0.rate = rate
      $0.requestID = requestID
    }
  }
}
