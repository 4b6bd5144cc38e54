/// A policy as people set it: its name, what it decides, which values it has, and how one of them
/// is read and told. `Policy.all` is the table from which the daemon's options, its help and its
/// errors, the settings of catalogues and random lives take what they say of policies.
public struct Policy: Sendable {
  public let name: String
  /// What it decides, in the words of Differences.md.
  public let about: String
  /// Its values, the default first; where any span or number will do, the default alone.
  public let values: [String]
  /// What random lives choose among, a likely value more than once; empty where they leave it.
  public let tried: [String]
  let topic: Topic
  /// What follows on `NAME=` in the help.
  let usage: String
  private let read: @Sendable (String, inout Policies, ZoneReader) throws(PolicyError) -> Void
  private let write: @Sendable (Policies) -> String?

  /// What a policy is about, in the order of the help.
  enum Topic: CaseIterable {
    case calendar, grace, chain, end, offer, rate, timing, payment
  }

  /// Reads a zone's file by the zone's name.
  public typealias ZoneReader = (_ name: String) throws(PolicyError) -> ZoneFile

  /// A zone's file (RFC 8536), and where it was found.
  public struct ZoneFile {
    public var path: String
    public var bytes: [UInt8]

    public init(path: String, bytes: [UInt8]) {
      self.path = path
      self.bytes = bytes
    }
  }

  /// Sets it to a value as it is written.
  ///
  /// - Throws: which values there are.
  public func set(
    _ value: String, in policies: inout Policies, zones: ZoneReader = noZones
  ) throws(PolicyError) {
    try read(value, &policies, zones)
  }

  /// The value that it has; nil where nothing says so.
  public func value(in policies: Policies) -> String? { write(policies) }

  /// `NAME=VALUE`.
  public func setting(_ value: String) -> String { "\(name)=\(value)" }

  /// For who has no files.
  public static let noZones: @Sendable (String) throws(PolicyError) -> ZoneFile = {
    name throws(PolicyError) in
    throw PolicyError("there is no file of the zone \(name)")
  }

  public static func named(_ name: some StringProtocol) -> Policy? { all.first { $0.name == name } }

  /// The paragraph of the help, in one line.
  public static var help: String {
    func list(_ topics: [Topic]) -> String {
      topics.flatMap { topic in all.filter { $0.topic == topic } }
        .map { $0.setting($0.usage) }.joined(separator: ", ")
    }
    let choices = list(Topic.allCases.filter { $0 != .timing && $0 != .payment })
    return "Policies: \(choices), and spans of at most a day: \(list([.timing]));"
      + " \(list([.payment])). The first value is the default."
  }
}

extension Policy: Equatable {
  public static func == (left: Policy, right: Policy) -> Bool { left.name == right.name }
}

/// Why a policy cannot be set to what was written, as a sentence.
public struct PolicyError: Error, Equatable, Sendable {
  public var message: String

  public init(_ message: String) {
    self.message = message
  }
}

extension Policies {
  /// Sets one policy by `NAME=VALUE`.
  ///
  /// - Throws: what is wrong with it, and what there is.
  public mutating func set(
    _ setting: String, zones: Policy.ZoneReader = Policy.noZones
  ) throws(PolicyError) {
    let parts = setting.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2 else { throw PolicyError("'\(setting)' is not NAME=VALUE") }
    guard let policy = Policy.named(parts[0]) else {
      let names = Policy.all.map(\.name).joined(separator: ", ")
      throw PolicyError("this version of renewd has no policy '\(parts[0])'; it has \(names)")
    }
    try policy.set(String(parts[1]), in: &self, zones: zones)
  }

  /// Which policies exclude one another as they are set, in a sentence; nil where none do.
  public var contradiction: String? {
    guard terms.lead > 0, terms.lag > 0 else { return nil }
    return "\(Policy.renewalLead.name) and \(Policy.renewalLag.name) exclude each other"
  }
}

// MARK: - The forms of policies

extension Policy {
  /// One of a few values, each with its name.
  static func choice<Value: Equatable & Sendable>(
    _ name: String, _ topic: Topic, _ about: String,
    _ property: WritableKeyPath<Policies, Value> & Sendable,
    _ choices: [(name: String, value: Value)], tried: [String]? = nil
  ) -> Policy {
    let names = choices.map(\.name)
    return Policy(
      name: name, about: about, values: names, tried: tried ?? names, topic: topic,
      usage: names.joined(separator: "|")
    ) { text, policies, _ throws(PolicyError) in
      policies[keyPath: property] = try choose(text, of: name, among: choices)
    } write: { policies in
      choices.first { $0.value == policies[keyPath: property] }?.name
    }
  }

  /// One of an enum's cases, by their own names.
  static func choice<Value: Equatable & Sendable & CaseIterable>(
    _ name: String, _ topic: Topic, _ about: String,
    _ property: WritableKeyPath<Policies, Value> & Sendable, tried: [String]? = nil
  ) -> Policy {
    choice(name, topic, about, property, Value.allCases.map { ("\($0)", $0) }, tried: tried)
  }

  private static func choose<Value>(
    _ text: String, of name: String, among choices: [(name: String, value: Value)]
  ) throws(PolicyError) -> Value {
    guard let choice = choices.first(where: { $0.name == text }) else {
      let names = choices.map(\.name)
      let first = names.dropLast().joined(separator: ", ")
      throw PolicyError("\(name) is \(first) or \(names[names.count - 1]), not '\(text)'")
    }
    return choice.value
  }

  /// A span of at most a day, milliseconds.
  static func span(
    _ name: String, _ about: String, _ property: WritableKeyPath<Policies, Int64> & Sendable,
    from least: Int64 = 0, default value: String = "0", note: String = "", tried: [String] = []
  ) -> Policy {
    Policy(
      name: name, about: about, values: [value], tried: tried, topic: .timing, usage: value + note
    ) { text, policies, _ throws(PolicyError) in
      let span = try span(text, of: name)
      guard span >= least else {
        throw PolicyError("\(name) is a span of a minute to a day, such as 24h, not '\(text)'")
      }
      policies[keyPath: property] = span
    } write: { policies in
      text(ofSpan: policies[keyPath: property])
    }
  }

  private static func span(_ text: String, of name: String) throws(PolicyError) -> Int64 {
    func wrong(_ reason: String) -> PolicyError {
      PolicyError("\(name) is a span of at most a day, such as 0, 2min or 10h: \(reason)")
    }
    let span: TimeSpan
    do throws(TimeTextError) {
      span = try TimeText.span(text)
    } catch {
      throw wrong(error.description)
    }
    let milliseconds = Int64(span.days) * Instant.millisecondsPerDay + span.milliseconds
    guard span.months == 0, milliseconds <= Instant.millisecondsPerDay else {
      throw wrong("'\(text)' is longer than a day")
    }
    return milliseconds
  }

  /// A span in the largest unit that it is whole numbers of.
  private static func text(ofSpan milliseconds: Int64) -> String {
    let units: [(String, Int64)] = [("h", 3_600_000), ("min", 60_000), ("s", 1000)]
    guard milliseconds > 0 else { return "0" }
    for (name, length) in units where milliseconds % length == 0 {
      return "\(milliseconds / length)\(name)"
    }
    return "\(milliseconds)ms"
  }

  /// The one calendar that comes with the code, or that of a zone whose file has to be read.
  static func zone(_ name: String, _ about: String, _ zones: [String]) -> Policy {
    Policy(
      name: name, about: about, values: zones, tried: [], topic: .calendar,
      usage: zones.joined(separator: "|")
    ) { text, policies, read throws(PolicyError) in
      guard try choose(text, of: name, among: zones.map { ($0, $0) }) != zones[0] else {
        policies.calendar = .utc
        return
      }
      let file = try read(text)
      do throws(TimeZoneError) {
        policies.calendar = BillingCalendar(zone: try TimeZoneRules(tzif: file.bytes))
      } catch {
        throw PolicyError("\(file.path): \(error.description)")
      }
    } write: { policies in
      policies.calendar.zone.isUTC ? zones[0] : nil
    }
  }

  /// One of the rates, by Apple's names.
  static func rate(
    _ name: String, _ about: String,
    _ property: WritableKeyPath<Policies, RenewalRate> & Sendable, tried: [String]
  ) -> Policy {
    Policy(
      name: name, about: about, values: [RenewalRate.realTime.name], tried: tried, topic: .rate,
      usage: "\(RenewalRate.realTime.name) or one of Apple's names"
    ) { text, policies, _ throws(PolicyError) in
      guard let rate = RenewalRate(name: text) else {
        let names = RenewalRate.allCases.map(\.name).joined(separator: ", ")
        throw PolicyError("\(name) is one of \(names), not '\(text)'")
      }
      policies[keyPath: property] = rate
    } write: { policies in
      policies[keyPath: property].name
    }
  }

  /// At most so many, or `off` for any number.
  static func cap(
    _ name: String, _ topic: Topic, _ about: String,
    _ property: WritableKeyPath<Policies, Int32> & Sendable, to most: Int32, tried: [String]
  ) -> Policy {
    Policy(
      name: name, about: about, values: ["off"], tried: tried, topic: topic, usage: "off|N"
    ) { text, policies, _ throws(PolicyError) in
      let count = text == "off" ? Int32.max : Int32(text)
      guard let count, count >= 1, count <= most || text == "off" else {
        throw PolicyError("\(name) is off or 1 to \(most), not '\(text)'")
      }
      policies[keyPath: property] = count
    } write: { policies in
      policies[keyPath: property] == .max ? "off" : "\(policies[keyPath: property])"
    }
  }
}
