import Client

/// `rate`: how fast subscriptions run.
enum Rate: Verb {
  static let description = VerbDescription(
    name: "rate", summary: "Show or set how fast subscriptions run",
    operands: "[monthly SPAN|every SPAN|real|default|NAME]", operandCount: 0...2,
    example: "renewctl rate monthly 5min   # a month lasts 5 minutes, as in Apple's sandbox",
    notes: [
      "monthly takes 1h, 30min, 15min, 5min, 3min or 30s for a month; other periods, grace and "
        + "billing retry go with it. every takes 1d, 15min, 5min, 1min, 30s, 10s or 2s for any "
        + "period. real is the calendar's own time, default what the daemon is configured with. "
        + "Apple's names are taken too (oneSecondIsOneDay).",
      "What has begun keeps its end; the next period has the new length.",
    ])

  static func run(_ invocation: Invocation) throws(Failure) -> ExitCode {
    let words = invocation.arguments.operands
    guard let first = words.first else { return try show(invocation) }
    let rate = try rate(first, words.count > 1 ? words[1] : nil)
    let answer = try set(rate, first, invocation)
    guard invocation.isForPeople else { return .done }
    let text = rate.map { "runs at \($0)" } ?? "runs as configured"
    invocation.console.line("what begins from now on \(text), #\(answer.sequence)")
    return .done
  }

  /// A name of Apple's that there is not is known to the daemon alone.
  private static func set(
    _ rate: RenewalRate?, _ word: String, _ invocation: Invocation
  ) throws(Failure) -> SequenceAnswer {
    do throws(Failure) {
      return try invocation.fetch(.setRate(rate, requestID: invocation.requestID))
    } catch {
      guard case .invalidParameter("rate", _) = error.reason else { throw error }
      throw .usage("there is no rate \(word)", "renewctl rate --help says which there are.")
    }
  }

  private static func show(_ invocation: Invocation) throws(Failure) -> ExitCode {
    let answer = try invocation.fetch(.rate())
    guard invocation.isForPeople else { return .done }
    let origin = answer.isSet ? "set by a test; configured is \(answer.configured)" : "configured"
    invocation.console.line("\(answer.rate) (\(origin))")
    guard !answer.lengths.isEmpty else { return .done }
    var table = Table(["WHAT", "LASTS"])
    for length in answer.lengths {
      table.add([names[length.name] ?? length.name, span(length.milliseconds)])
    }
    invocation.console.table(table)
    return .done
  }

  private static let names = [
    "P1W": "1 week", "P1M": "1 month", "P2M": "2 months", "P3M": "3 months", "P6M": "6 months",
    "P1Y": "1 year", "weeklyGrace": "grace, weekly", "grace": "grace, others",
    "billingRetry": "billing retry",
  ]

  /// A length as systemd writes it: `1h 30min`.
  private static func span(_ milliseconds: Int64) -> String {
    var rest = milliseconds / 1000
    var parts: [String] = []
    for (name, seconds) in [("d", 86_400), ("h", 3600), ("min", 60), ("s", 1)] as [(String, Int64)]
    where rest >= seconds {
      parts.append("\(rest / seconds)\(name)")
      rest %= seconds
    }
    return parts.joined(separator: " ")
  }

  /// The rate that the words mean; nil for the configured one.
  private static func rate(_ word: String, _ length: String?) throws(Failure) -> RenewalRate? {
    let lengths: [Int64: RenewalRate]
    switch word {
    case "monthly": lengths = monthly
    case "every": lengths = every
    default:
      guard length == nil else {
        throw .usage("only monthly and every take a span", "example: \(description.example)")
      }
      if word == "default" { return nil }
      return word == "real" ? .realTime : RenewalRate(rawValue: word)
    }
    guard let length else {
      throw .usage("\(word) takes a span", "example: \(description.example)")
    }
    let span = try Arguments.span(length)
    let milliseconds = span.days * 86_400_000 + span.milliseconds
    guard span.months == 0, let rate = lengths[milliseconds] else {
      let known = lengths.keys.sorted(by: >).map(self.span)
      throw .usage(
        "there is no rate \(word) \(length); there are \(known.joined(separator: ", "))")
    }
    return rate
  }

  private static let monthly: [Int64: RenewalRate] = [
    3_600_000: .monthlyRenewalEveryHour, 1_800_000: .monthlyRenewalEveryThirtyMinutes,
    900_000: .monthlyRenewalEveryFifteenMinutes, 300_000: .monthlyRenewalEveryFiveMinutes,
    180_000: .monthlyRenewalEveryThreeMinutes, 30_000: .monthlyRenewalEveryThirtySeconds,
  ]

  private static let every: [Int64: RenewalRate] = [
    86_400_000: .oneRenewalEveryDay, 900_000: .oneRenewalEveryFifteenMinutes,
    300_000: .oneRenewalEveryFiveMinutes, 60_000: .oneRenewalEveryMinute,
    30_000: .oneRenewalEveryThirtySeconds, 10_000: .oneRenewalEveryTenSeconds,
    2000: .oneRenewalEveryTwoSeconds,
  ]
}
