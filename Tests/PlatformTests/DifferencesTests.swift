import Foundation
import Testing

@testable import Platform

/// The page of differences from Apple, held against the policies that the daemon has.
@Suite("The page of differences")
struct DifferencesTests {
  private static let page = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()
    .appending(path: "Sources/Subscriptions/Differences.md")

  @Test("Every policy is on the page, and no other")
  func policies() throws {
    let text = try String(contentsOf: Self.page, encoding: .utf8)
    let section = try #require(
      text.components(separatedBy: "## Choices that a policy changes").last?
        .components(separatedBy: "\n## ").first)
    let named = Set(section.matches(of: /`(\w+)=/).map { String($0.1) })
    #expect(named == Set(OptionValues.policyNames))
  }
}
