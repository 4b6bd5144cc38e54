/// How fast subscriptions run, by Apple's names (`SKTestSession.TimeRate`).
public struct RenewalRate: OpenWord {
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
}

/// How long something lasts at a rate.
public struct RateLength: Answer, Hashable {
  /// A period (`P1M`), `weeklyGrace`, `grace` or `billingRetry`.
  public var name: String
  public var milliseconds: Int64

  public init(from reader: AnswerReader) throws(TransportError) {
    name = try reader.string("name")
    milliseconds = try reader.integer("milliseconds")
  }
}

/// How fast subscriptions run now.
public struct RateAnswer: Answer, Hashable {
  /// The rate in force.
  public var rate: RenewalRate
  public var configured: RenewalRate
  /// A test set the rate; else it is the configured one.
  public var isSet: Bool
  /// Empty in real time.
  public var lengths: [RateLength]
  public var sequence: Int64

  public init(from reader: AnswerReader) throws(TransportError) {
    rate = try reader.word("rate")
    configured = try reader.word("configured")
    isSet = try reader.bool("isSet")
    lengths = try reader.values("lengths")
    sequence = try reader.integer("sequence")
  }
}

extension Call where Result == RateAnswer {
  /// How fast subscriptions run. Role: admin.
  public static func rate() -> Call {
    Call("Testing.GetRate", isRead: true, [:])
  }
}

extension Call where Result == SequenceAnswer {
  /// Sets how fast everything runs that begins from now on, nil as it is configured; what has
  /// begun keeps its end. Refused while a clock is being advanced. Role: admin.
  public static func setRate(_ rate: RenewalRate?, requestID: String? = nil) -> Call {
    Call(
      "Testing.SetRate",
      ["rate": .text(rate?.rawValue), "requestId": .text(requestID)])
  }
}
