import Foundation
import Testing

@testable import StoreKitSupport

private struct Refused: Error, CustomStringConvertible {
  var description: String { "refused" }
}

@Suite("Messages")
struct LoggerTests {
  private let log = OSLog(subsystem: "com.example.app", category: "Store")

  private func text(_ message: OSLogMessage, showsPrivate: Bool = false) -> String {
    message.text(showsPrivate: showsPrivate)
  }

  @Test("by themselves numbers and truths can be read, text and objects cannot")
  func automatic() {
    let name = "pro"
    #expect(text("\(3) \(2.5) \(true) \(UInt8(7))") == "3 2.500000 true 7")
    #expect(text("a \(name) b \(Refused()) c \(Int.self)") == "a <private> b <private> c <private>")
    #expect(text("\(name, privacy: .public) \(3, privacy: .private)") == "pro <private>")
    #expect(text("\(Refused(), privacy: .public)") == "refused")
    #expect(text("\(name, privacy: .sensitive)") == "<private>")
  }

  @Test("what is private is written where the environment says so")
  func shown() {
    #expect(text("a \("pro") \(3, privacy: .private)", showsPrivate: true) == "a pro 3")
  }

  @Test("a masked value is the same for equal values, and tells nothing of them")
  func masked() {
    let first = text("\("u1", privacy: .private(mask: .hash))")
    #expect(first.hasPrefix("<mask.hash: '") && !first.contains("u1"))
    #expect(text("\("u1", privacy: .auto(mask: .hash))") == first)
    #expect(text("\("u2", privacy: .private(mask: .hash))") != first)
    #expect(text("\(3, privacy: .auto(mask: .hash))") == "3")
  }

  @Test("values are written in the form that is asked for")
  func forms() {
    #expect(text("\(255, format: .hex) \(8, format: .octal)") == "ff 10")
    #expect(text("\(-7, format: .decimal(minDigits: 3))") == "-007")
    #expect(text("\(1.25, format: .fixed(precision: 1)) \(Float(2), format: .hybrid)") == "1.2 2")
    #expect(text("\(true, format: .answer)") == "YES")
    #expect(text("[\(5, align: .right(columns: 3))]") == "[  5]")
    #expect(text("[\("a", align: .left(columns: 3), privacy: .public)]") == "[a  ]")
  }

  @Test("a line names its part, its kind and its text")
  func line() {
    #expect(
      log.line("sold \(2)", .error, showsPrivate: false) == "[com.example.app:Store] error: sold 2")
    #expect(OSLog.default.line("sold", .default, showsPrivate: false) == "default: sold")
  }

  @Test("printf's letters name values in their order, with who may read them")
  func formats() {
    func format(_ format: String, _ values: Any...) -> String {
      OSLogMessage(format: format, values).text(showsPrivate: false)
    }
    #expect(format("%{public}@ is %d", "pro", 3) == "pro is 3")
    #expect(format("%@ and %{private}d", "pro", 3) == "<private> and <private>")
    #expect(format("%.1f %x %ld %llu 100%%", 1.25, 255, 4, UInt64(5)) == "1.2 ff 4 5 100%")
    #expect(format("%{public}@ %{public}@", "one") == "one %{public}@")
    #expect(format("50% off") == "50% off")
    #expect(format("%", 1) == "%")
  }

  @Test("the environment says which kinds are written, and what is wrong in it is told")
  func environment() {
    let plain = LogSettings(environment: [:])
    #expect(plain.least == .default && !plain.showsPrivate && plain.complaints.isEmpty)
    let open = LogSettings(environment: ["RENEWD_LOG_LEVEL": "debug", "RENEWD_LOG_PRIVATE": "show"])
    #expect(open.least == .debug && open.showsPrivate && open.complaints.isEmpty)
    let wrong = LogSettings(environment: ["RENEWD_LOG_LEVEL": "loud", "RENEWD_LOG_PRIVATE": "1"])
    #expect(
      wrong.complaints == [
        "RENEWD_LOG_LEVEL=loud is no kind of message; there are debug, info, default, error, fault",
        "RENEWD_LOG_PRIVATE=1 is neither show nor hide",
      ])
    #expect(OSLogType.all.map(\.order) == [0, 1, 2, 3, 4])
    #expect(!OSLog.disabled.isEnabled(type: .fault))
  }

  @Test("a lock guards its state, in one piece")
  func lock() async {
    let counter = OSAllocatedUnfairLock(initialState: 0)
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<8 {
        group.addTask { for _ in 0..<500 { counter.withLock { $0 += 1 } } }
      }
    }
    #expect(counter.withLock { $0 } == 4_000)
    #expect(counter.withLockIfAvailable { $0 } == 4_000)
  }
}
