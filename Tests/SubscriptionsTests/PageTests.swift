import Foundation
import Subscriptions
import Testing

/// The pages beside the code say what the code does.
@Suite("The pages beside the rules")
struct PageTests {
  private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()
    .appending(path: "Sources/Subscriptions")

  private func page(_ name: String) throws -> String {
    try String(contentsOf: Self.folder.appending(path: name), encoding: .utf8)
  }

  @Test("The page of the format lists exactly the kinds of event, with their tags")
  func kinds() throws {
    var listed: [UInt8: String] = [:]
    for match in try page("EventFormat.md").matches(of: /(?m)^\| (\d+) \| `(\w+)` \| [^|]+ \|$/) {
      listed[try #require(UInt8(match.1))] = String(match.2)
    }
    var known: [UInt8: String] = [:]
    for kind in EventKind.allCases { known[kind.tag] = "\(kind)" }
    #expect(listed == known)
  }

  @Test("The one list of the kinds is whole, and says what the page says")
  func table() throws {
    let text = try page("EventFormat.md")
    for row in EventTable.all {
      #expect(text.contains("| \(row.kind.tag) | `\(row.kind)` | \(row.phrase) |"), "\(row.kind)")
    }
    #expect(EventTable.all.map(\.kind.tag) == Set(EventKind.allCases.map(\.tag)).sorted())
    for kind in PurchaseKind.allCases { #expect("\(kind)" == "\(kind.ofLine)") }
  }

  @Test("The page of the format names every notification by its number")
  func notifications() throws {
    let text = try page("EventFormat.md").replacing("\n", with: " ")
    for notification in Notification.allCases where notification != .autoRenewDisabled {
      let name = [notification.type ?? "none", notification.subtype].compactMap { $0 }
      #expect(text.contains("\(notification.rawValue) \(name.joined(separator: "/"))"))
    }
    #expect(text.contains("6 …/AUTO_RENEW_DISABLED"))
  }

  @Test("The example on the page of the format is a record, byte for byte")
  func example() throws {
    let example = try #require(
      try page("EventFormat.md").components(separatedBy: "```").dropLast().last)
    let bytes = example.split(separator: "\n").flatMap { line in
      line.prefix(22).split(separator: " ").map { UInt8($0, radix: 16)! }
    }
    var world = try ScenarioWorld()
    try world.makeClock(Clock.defaultName, at: .at("2025-01-31T10:00:00Z"))
    try world.perform(.buy("monthly"))
    try world.advance(to: .at("2025-03-31T10:00:00Z"))
    let event = world.log[world.log.count - 2]
    var written: [UInt8] = []
    EventFormat.encode(
      event, into: &written,
      base: EventFormat.Base(
        time: event.at.milliseconds, transactionID: world.state.nextTransactionID - 1))
    #expect(bytes == written)
    #expect(try page("EventFormat.md").contains("\n\(written.count) bytes:"))
  }

  @Test("The page of the states has the diagram that the table draws, and all events in it")
  func states() throws {
    let parts = try page("States.md").components(separatedBy: "```mermaid\n")
    try #require(parts.count == 2)
    #expect(parts[1].hasPrefix(StatusTransitions.diagram + "```"))
    #expect(Set(StatusTransitions.all).count == StatusTransitions.all.count)
  }

  @Test("The map of the rules names files that are there, and every rejection")
  func map() throws {
    let text = try page("Rules.md")
    for match in text.matches(of: /`([\w+\/]+\.(?:swift|md))`/) where !match.1.contains("…") {
      let path = Self.folder.appending(path: String(match.1)).path
      #expect(FileManager.default.fileExists(atPath: path), "\(match.1)")
    }
    let source = try page("Rejection.swift")
    let names = source.matches(of: /(?m)^  case (\w+)/).map { String($0.1) }
    #expect(names.count > 15)
    for name in names { #expect(text.contains("`\(name)`"), "\(name)") }
  }
}
