import Engine

/// A profile: a set of values for the policies, each of which `--policy` overrides, and the
/// environment on the wire (Domain.md 9.2.4).
struct Profile {
  var name: String
  var environment: String
  /// As `--policy` has them.
  var policies: [String]

  static let all = [xcode, sandbox, production]

  static let xcode = Profile(name: "xcode", environment: "Xcode", policies: [])

  static let sandbox = Profile(
    name: "sandbox", environment: "Sandbox",
    policies: [
      Policy.renewalRate.setting("monthlyRenewalEveryFiveMinutes"),
      Policy.renewalCap.setting("12"), Policy.recentStartGap.setting("10min"),
    ])

  static let production = Profile(
    name: "production", environment: "Production",
    policies: [Policy.calendarTimeZone.setting("America/Los_Angeles")])
}
