import Engine
import Glibc

/// What the values of options may be, each with the sentence for one that may not.
enum OptionValues {
  enum Outcome<Value> {
    case value(Value)
    case wrong(String)
  }

  /// Permission bits as chmod(1) takes them, in octal.
  static func mode(_ text: String) -> Outcome<UInt32> {
    guard let mode = UInt32(text, radix: 8), mode <= 0o777, text.first != "+" else {
      return .wrong("'\(text)' is not a mode in octal, such as 0660")
    }
    return .value(mode)
  }

  static func group(_ text: String) -> Outcome<UInt32?> {
    do throws(SystemError) {
      if let group = try AccountDatabase.group(text) { return .value(group) }
      return .wrong("there is no group '\(text)' on this machine")
    } catch {
      return .wrong("'\(text)' cannot be looked up: \(error)")
    }
  }

  static func time(_ text: String) -> Outcome<Int64?> {
    switch ConfigurationText.clockTime(text) {
    case .success(let milliseconds): .value(milliseconds)
    case .failure(let error): .wrong(error.message)
    }
  }

  static func descriptor(_ text: String) -> Outcome<Int32?> {
    guard let number = Int32(text), number >= 0, fcntl(number, F_GETFD) >= 0 else {
      return .wrong("'\(text)' is not the number of an open descriptor")
    }
    return .value(number)
  }

  static func environment(_ text: String) -> Outcome<String> {
    let names = ["Sandbox", "Production", "Xcode", "LocalTesting"]
    guard names.contains(text) else {
      return .wrong("'\(text)' is not an environment: \(names.joined(separator: ", "))")
    }
    return .value(text)
  }

  /// Letters, digits, hyphens and dots, as Apple allows for CFBundleIdentifier.
  static func bundleID(_ text: String) -> Outcome<String> {
    let isGood = text.utf8.allSatisfy {
      UInt8(ascii: "a") <= $0 && $0 <= UInt8(ascii: "z")
        || UInt8(ascii: "A") <= $0 && $0 <= UInt8(ascii: "Z")
        || UInt8(ascii: "0") <= $0 && $0 <= UInt8(ascii: "9")
        || $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "-")
    }
    guard isGood, !text.isEmpty else {
      return .wrong("'\(text)' is not a bundle identifier, such as com.example.app")
    }
    return .value(text)
  }

  static func appAppleID(_ text: String) -> Outcome<Int64?> {
    guard let number = Int64(text), number > 0 else {
      return .wrong("'\(text)' is not an app's number in the App Store, such as 1234567890")
    }
    return .value(number)
  }

  /// A profile: a set of values for the policies, each of which `--policy` overrides, and the
  /// environment on the wire (Domain.md 9.2.4).
  struct Profile {
    var name: String
    var environment: String
    var policies: [String]

    static let all = [
      Profile(name: "xcode", environment: "Xcode", policies: []),
      Profile(
        name: "sandbox", environment: "Sandbox",
        policies: [
          "renewalRate=monthlyRenewalEveryFiveMinutes", "renewalCap=12", "recentStartGap=10min",
        ]),
      Profile(
        name: "production", environment: "Production",
        policies: ["calendarTimeZone=America/Los_Angeles"]),
    ]
  }

  static func profile(_ text: String) -> Outcome<Profile?> {
    guard let profile = Profile.all.first(where: { $0.name == text }) else {
      let names = Profile.all.map(\.name).joined(separator: ", ")
      return .wrong("'\(text)' is not a profile: \(names)")
    }
    return .value(profile)
  }

  /// One `NAME=VALUE` of `--policy`, or of a profile.
  static func apply(
    _ setting: Setting, of option: OptionName = .policy, to configuration: inout Configuration
  ) throws(ConfigurationError) {
    func wrong(_ message: String) -> ConfigurationError {
      ConfigurationError(setting.origin, option.rawValue, message)
    }
    let parts = setting.value.split(
      separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2 else { throw wrong("'\(setting.value)' is not NAME=VALUE") }
    let (name, value) = (String(parts[0]), String(parts[1]))
    switch name {
    case "monthEnd":
      configuration.policies.monthEnd = try choose(
        name, value, ["anchored": .anchored, "chained": .chained], wrong)
    case "calendarTimeZone":
      let isUTC = try choose(name, value, ["UTC": true, "America/Los_Angeles": false], wrong)
      guard !isUTC else {
        configuration.policies.calendar = .utc
        return
      }
      try readZone(value, to: &configuration, wrong)
    case "billingGracePeriod":
      configuration.policies.graceDays = try choose(
        name, value, ["off": 0, "3d": 3, "16d": 16, "28d": 28], wrong)
    case "billingGracePeriodScope":
      configuration.policies.graceScope = try choose(
        name, value, ["allRenewals": .allRenewals, "paidToPaid": .paidToPaid], wrong)
    case "graceRecoveryPurchaseDate":
      configuration.policies.graceRecoveryDate = try choose(
        name, value, ["cycleStart": .cycleStart, "recoveryTime": .recoveryTime], wrong)
    case "autoRenewAfterEnd":
      configuration.policies.autoRenewAfterEnd = try choose(
        name, value, ["off": .off, "unchanged": .unchanged], wrong)
    case "promotionalOfferSignature":
      configuration.policies.offerSignature = try choose(
        name, value, ["optional": .optional, "required": .required], wrong)
    case "renewalRate":
      guard configuration.setRenewalRate(value) else {
        let names = Configuration.renewalRateNames.joined(separator: ", ")
        throw wrong("renewalRate is one of \(names), not '\(value)'")
      }
    case "renewalsFail":
      configuration.policies.renewalsFail = try choose(
        name, value, ["no": false, "yes": true], wrong)
    case "recentStartGap":
      let isSandbox = try choose(name, value, ["60d": false, "10min": true], wrong)
      configuration.setRecentStartGap(isSandbox: isSandbox)
    default:
      if try applyTerm(name, value, to: &configuration, wrong) { return }
      throw wrong(
        "this version of renewd has no policy '\(name)'; it has"
          + " \(policyNames.joined(separator: ", "))")
    }
  }

  /// One of the policies on when renewals happen; false where the name is none of them.
  private static func applyTerm(
    _ name: String, _ value: String, to configuration: inout Configuration,
    _ wrong: (String) -> ConfigurationError
  ) throws(ConfigurationError) -> Bool {
    switch name {
    case "renewalLead":
      configuration.policies.terms.lead = try span(name, value, wrong)
    case "renewalLag":
      configuration.policies.terms.lag = try span(name, value, wrong)
    case "expiryLeeway":
      let leeway = try span(name, value, wrong)
      configuration.policies.terms.expiryLeeway = leeway
      configuration.policies.expiryLeewayMilliseconds = leeway
    case "billingRetryInterval":
      let interval = try span(name, value, wrong)
      guard interval >= Limits.billingRetryIntervalMin else {
        throw wrong("\(name) is a span of a minute to a day, such as 24h, not '\(value)'")
      }
      configuration.policies.terms.billingRetryInterval = interval
    case "renewalCap":
      configuration.policies.terms.renewalsMax = try cap(name, value, wrong)
    default:
      return false
    }
    return true
  }

  /// The policies that there are.
  static let policyNames = [
    "monthEnd", "calendarTimeZone", "billingGracePeriod", "billingGracePeriodScope",
    "graceRecoveryPurchaseDate", "autoRenewAfterEnd", "renewalRate", "recentStartGap",
    "renewalLead", "renewalLag", "expiryLeeway", "renewalCap", "billingRetryInterval",
    "promotionalOfferSignature", "renewalsFail",
  ]

  private static func span(
    _ name: String, _ text: String, _ wrong: (String) -> ConfigurationError
  ) throws(ConfigurationError) -> Int64 {
    switch ConfigurationText.span(text) {
    case .success(let milliseconds): return milliseconds
    case .failure(let error):
      throw wrong("\(name) is a span of at most a day, such as 0, 2min or 10h: \(error.message)")
    }
  }

  private static func cap(
    _ name: String, _ text: String, _ wrong: (String) -> ConfigurationError
  ) throws(ConfigurationError) -> Int32 {
    if text == "off" { return .max }
    guard let count = Int32(text), count >= 1, count <= Limits.renewalCapMax else {
      throw wrong("\(name) is off or 1 to \(Limits.renewalCapMax), not '\(text)'")
    }
    return count
  }

  /// The value of a policy by its name.
  private static func choose<Value>(
    _ name: String, _ text: String, _ values: KeyValuePairs<String, Value>,
    _ wrong: (String) -> ConfigurationError
  ) throws(ConfigurationError) -> Value {
    guard let (_, value) = values.first(where: { $0.key == text }) else {
      let names = values.map(\.key)
      let first = names.dropLast().joined(separator: ", ")
      throw wrong("\(name) is \(first) or \(names[names.count - 1]), not '\(text)'")
    }
    return value
  }

  /// Zone files come with the package tzdata, which a small container may lack.
  private static func readZone(
    _ name: String, to configuration: inout Configuration,
    _ wrong: (String) -> ConfigurationError
  ) throws(ConfigurationError) {
    let path = "/usr/share/zoneinfo/\(name)"
    let bytes: [UInt8]
    do throws(SystemError) {
      bytes = try readFile(path, byteCountMax: Limits.zoneFileByteCountMax)
    } catch {
      let remedy = error.isMissing ? "; install the package tzdata" : ""
      throw wrong("\(path) cannot be read: \(error)\(remedy)")
    }
    do throws(ConfigurationTextError) {
      try configuration.setCalendarZone(tzif: bytes)
    } catch {
      throw wrong("\(path): \(error.message)")
    }
  }
}
