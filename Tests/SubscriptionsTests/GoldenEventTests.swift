import EventLog
import Foundation
import Subscriptions
import Testing

/// Records of every kind, written once: today's reader reads them, today's writer writes the same.
@Suite("The bytes of events, as they were written once")
struct GoldenEventTests {
  private static let file = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "Golden/events.txt")
  private static let base = EventFormat.Base(time: 1_738_317_600_000, transactionID: 2_000)

  private static func bytes(_ event: Event) -> [UInt8] {
    var bytes: [UInt8] = []
    EventFormat.encode(event, into: &bytes, base: base)
    return bytes
  }

  /// A line a record: its kind, and its bytes as hexadecimal digits.
  private static func record() throws {
    var random = RandomFacts(seed: 4)
    var text = ""
    for kind in EventKind.allCases {
      for _ in 0..<4 {
        var event = random.event(kind)
        // A line that nobody has is none that began.
        while case .line(_, let fact) = event.fact, fact.account == noNumber {
          event = random.event(kind)
        }
        let hex = bytes(event).map { byte in
          (byte < 16 ? "0" : "") + String(byte, radix: 16)
        }
        text += "\(kind) \(hex.joined())\n"
      }
    }
    try Data(text.utf8).write(to: file)
  }

  /// As the line knows it that the record goes on with: its original id is an earlier one.
  private static func continued(_ event: Event) -> Event {
    guard case .line(let kind, var fact) = event.fact, fact.account == noNumber else {
      return event
    }
    fact.transaction?.originalID &-= 1
    var event = event
    event.fact = .line(kind, fact)
    return event
  }

  @Test("Each kind is read, and comes out as it stood")
  func roundTrip() throws {
    if ProcessInfo.processInfo.environment["RENEWD_RECORD"] != nil { try Self.record() }
    let tags = Dictionary(EventKind.allCases.map { ("\($0)", $0.tag) }) { tag, _ in tag }
    var seen: Set<UInt8> = []
    for line in try String(contentsOf: Self.file, encoding: .utf8).split(separator: "\n") {
      let words = line.split(separator: " ")
      let tag = try #require(tags[String(words[0])], "\(words[0]) is no kind any more")
      let digits = Array(words[1])
      let payload = stride(from: 0, to: digits.count, by: 2).map {
        UInt8(String(digits[$0...($0 + 1)]), radix: 16)!
      }
      let event = payload.withUnsafeBytes {
        EventFormat.decode(tag: tag, payload: $0, base: Self.base)
      }
      let written = Self.bytes(Self.continued(try #require(event, "\(line)")))
      #expect(written == payload, "\(words[0])")
      #expect(event?.fact.kind.tag == tag)
      seen.insert(tag)
    }
    #expect(seen == Set(tags.values))
  }
}
