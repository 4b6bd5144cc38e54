import Foundation
import Subscriptions
import Testing

/// The table of policies, held against itself and against the page of differences from Apple.
@Suite("The table of policies")
struct PolicyTests {
  private static let page = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()
    .appending(path: "Sources/Subscriptions/Differences.md")

  @Test("Each policy has a line of the page, in its words and with its values, and no other has")
  func page() throws {
    let text = try String(contentsOf: Self.page, encoding: .utf8)
    let section = try #require(
      text.components(separatedBy: "## Choices that a policy changes").last?
        .components(separatedBy: "\n## ").first)
    var said: [String: (about: String, values: [String])] = [:]
    for line in section.split(separator: "\n") {
      let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
      guard cells.count == 5, let match = cells[2].firstMatch(of: /^`(\w+)=([^`]+)`/) else {
        continue
      }
      let others = cells[2].matches(of: /, `([^`]+)`/).map { String($0.1) }
      said[String(match.1)] = (cells[0], [String(match.2)] + others)
    }
    for policy in Policy.all {
      let removed = said.removeValue(forKey: policy.name)
      let line = try #require(removed, "\(policy.name)")
      #expect(line.about == policy.about)
      #expect(line.values == policy.values)
    }
    #expect(said.isEmpty)
  }

  @Test("Each value that is named is taken and told again, and the first is the default")
  func values() throws {
    for policy in Policy.all where policy != .calendarTimeZone {
      for value in policy.values + policy.tried {
        var policies = Policies()
        try policies.set(policy.setting(value))
        let told = try #require(policy.value(in: policies))
        // A span may be told in another unit.
        var again = Policies()
        try policy.set(told, in: &again)
        #expect(policy.value(in: again) == told)
        #expect(told == value || policy.values.count == 1, "\(policy.setting(value))")
      }
      let first = policy.values.first
      #expect(policy.value(in: Policies()) ?? first == first, "\(policy.name)")
    }
    #expect(Set(Policy.all.map(\.name)).count == Policy.all.count)
  }

  @Test("A zone's rules come from the file that the shell finds, and UTC from none")
  func zone() {
    var policies = Policies()
    #expect(throws: Never.self) { try policies.set("calendarTimeZone=UTC") }
    #expect(Policy.calendarTimeZone.value(in: policies) == "UTC")
    #expect(
      throws: PolicyError(
        "/z/America/Los_Angeles: not a time zone file: it does not begin with TZif")
    ) {
      try policies.set("calendarTimeZone=America/Los_Angeles") { zone in
        Policy.ZoneFile(path: "/z/\(zone)", bytes: [1, 2, 3])
      }
    }
  }

  @Test("A renewal comes early or late, not both")
  func contradiction() throws {
    var policies = Policies()
    try policies.set("renewalLead=10h")
    #expect(policies.contradiction == nil)
    try policies.set("renewalLag=2min")
    #expect(policies.contradiction == "renewalLead and renewalLag exclude each other")
  }
}
