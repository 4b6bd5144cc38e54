import Foundation
import Testing

@testable import Platform

/// The table of options, held against the page that explains the configuration.
@Suite("The table of options")
struct OptionTableTests {
  private static let page = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()
    .appending(path: "Sources/Platform/Platform.docc/Configuration.md")

  /// The words in code between two texts of the page, whatever its lines.
  private func codes(from start: String, to end: String) throws -> [String] {
    let text = try String(contentsOf: Self.page, encoding: .utf8)
      .split(whereSeparator: \.isWhitespace).joined(separator: " ")
    let rest = try #require(text.components(separatedBy: start).dropFirst().first, "\(start)")
    let part = try #require(rest.components(separatedBy: end).first)
    return part.matches(of: /`([^`]+)`/).map { String($0.1) }
  }

  @Test("The page names the options that no file takes, and those that only a start changes")
  func scopes() throws {
    func names(_ scope: OptionRow.Scope) -> [String] {
      OptionName.allCases.filter { $0.row.scope == scope }.map(\.rawValue)
    }
    #expect(
      try codes(from: "without their dashes, but for", to: "Options without a value")
        == names(.process))
    #expect(try codes(from: "What a start alone changes is", to: "a changed one") == names(.start))
  }

  @Test("Each option that is not refused has a line of the help")
  func help() {
    for option in OptionName.allCases where option.row.help != nil {
      #expect(option.row.argument.isEmpty == (option.row.arity == .flag), "\(option)")
      #expect(Renewd.help.contains("\n  --\(option.rawValue) "), "\(option)")
    }
  }

  @Test("The page's table of profiles is that of the daemon")
  func profiles() throws {
    let text = try String(contentsOf: Self.page, encoding: .utf8)
    let rows = text.matches(of: /(?m)^\| `(\w+)` \| (\w+) \| (.*) \|$/).map { match in
      let policies = match.3.matches(of: /`([^`]+)`/).map { String($0.1) }
      return "\(match.1) \(match.2) \(policies)"
    }
    #expect(rows == Profile.all.map { "\($0.name) \($0.environment) \($0.policies)" })
  }
}
