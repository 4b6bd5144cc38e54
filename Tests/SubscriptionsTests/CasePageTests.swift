import Foundation
import Testing

/// The page of the cases names, for each, a test that carries its number.
@Suite("The page of the cases")
struct CasePageTests {
  private static let root = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  /// One row: a case, and the file that shows it; nil where it is another layer's.
  private struct Row {
    var name: String
    var file: String?
  }

  private func rows() throws -> [Row] {
    let page = Self.root.appending(path: "Sources/Subscriptions/Cases.md")
    return try String(contentsOf: page, encoding: .utf8)
      .matches(of: /(?m)^\| (B?\d+) \| [^|]+ \| (?:`([\w\/]+)`|– the gateway) \|$/)
      .map { Row(name: String($0.1), file: $0.2.map(String.init)) }
  }

  @Test("Every case from 1 to 83 and the nine reports are on it, once")
  func whole() throws {
    let names = try rows().map(\.name)
    let reports = ["B10", "B39", "B42", "B46", "B47", "B50", "B52", "B97", "B106"]
    #expect(names == (1...83).map(String.init) + reports)
    // Only what is delivered or paged is the gateway's.
    #expect(try rows().filter { $0.file == nil }.compactMap { Int($0.name) } == [29] + (30...34))
  }

  @Test("The file that a row names has a test whose name carries the case")
  func shown() throws {
    for row in try rows() {
      guard let file = row.file else { continue }
      let path = file.contains("/") ? file : "SubscriptionsTests/\(file)"
      let source = try String(
        contentsOf: Self.root.appending(path: "Tests/\(path).swift"), encoding: .utf8)
      #expect(Self.cases(in: source).contains(row.name), "case \(row.name) in \(path)")
    }
  }

  @Test("Every event from E1 to E26 is in the name of a table of the rules")
  func events() throws {
    let folder = Self.root.appending(path: "Tests/SubscriptionsTests")
    var names = Set<String>()
    for file in try FileManager.default.contentsOfDirectory(atPath: folder.path)
    where file.hasPrefix("Scenario") {
      let source = try String(contentsOf: folder.appending(path: file), encoding: .utf8)
      for name in Self.testNames(in: source) {
        for match in name.matches(of: /\bE\d+[b-e]?\b/) { names.insert(String(match.0)) }
      }
    }
    var wanted = (1...26).map { "E\($0)" }
    wanted += ["E21b", "E22b", "E23b", "E23c", "E23d", "E23e", "E25b", "E25c", "E25d", "E25e"]
    #expect(wanted.filter { !names.contains($0) } == [])
  }

  /// The cases that a file's tests carry: `Case 7`, `Cases 25 and 27, B29`.
  private static func cases(in source: String) -> Set<String> {
    var cases = Set<String>()
    for name in testNames(in: source) {
      for match in name.matches(of: /\b[Cc]ases? (\d+(?:(?:, | and )\d+)*)/) {
        for number in match.1.matches(of: /\d+/) { cases.insert(String(number.0)) }
      }
      for match in name.matches(of: /\bB\d+\b/) { cases.insert(String(match.0)) }
    }
    return cases
  }

  private static func testNames(in source: String) -> [String] {
    source.matches(of: /@Test\(\s*"((?:[^"\\]|\\.)*)"/).map { String($0.1) }
  }
}
