import Engine
import EventLog
import Foundation
import JSON
import Simulation
import Subscriptions
import Testing

/// Logs that were written once and stay as they are, with an event of every kind among them.
/// A log of today's is made anew and kept beside the others with `RENEWD_RECORD=NAME`.
@Suite("Logs of earlier versions")
struct GoldenLogTests {
  private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "Golden")

  private static var names: [String] {
    get throws {
      try FileManager.default.contentsOfDirectory(atPath: folder.path)
        .filter { $0.hasSuffix(".log") }.map { String($0.dropLast(4)) }.sorted()
    }
  }

  /// A file of it: its name, its size, and its bytes without the zeros at the end, in base64.
  private static func disk(_ name: String) throws -> MemoryDisk {
    let text = try String(contentsOf: folder.appending(path: "\(name).log"), encoding: .utf8)
    let disk = MemoryDisk()
    for line in text.split(separator: "\n") {
      let words = line.split(separator: " ", omittingEmptySubsequences: false)
      let bytes = [UInt8](try #require(Data(base64Encoded: String(words[2]))))
      let zeros = [UInt8](repeating: 0, count: try #require(Int(words[1])) - bytes.count)
      disk.setContents(of: String(words[0]), bytes + zeros)
    }
    return disk
  }

  private static func keep(_ disk: MemoryDisk, _ name: String) throws {
    var text = ""
    for file in disk.names where file.hasSuffix(".log") {
      let bytes = disk.contents(of: file)!
      let end = (bytes.lastIndex { $0 != 0 } ?? -1) + 1
      text += "\(file) \(bytes.count) \(Data(bytes[..<end]).base64EncodedString())\n"
    }
    try Data(text.utf8).write(to: folder.appending(path: "\(name).log"))
  }

  /// What `renewd log read` prints of it.
  private static func export(_ disk: MemoryDisk) throws -> String {
    var text: [UInt8] = []
    let report = try LogExport.run(
      disk, checksum: crc32c, environment: "Sandbox", withTexts: true
    ) { text += $0 }
    #expect(report.damage == nil)
    return String(decoding: text, as: UTF8.self)
  }

  /// The version of the fold, and a hash of all that it makes of the log.
  private static func fold(_ disk: MemoryDisk) throws -> String {
    let recovered = try Recovery.open(
      disk, settings: LogSettings(segmentByteCount: 64 << 10),
      newIdentity: LogIdentity(low: 1, high: 2))
    var bytes: [UInt8] = []
    recovered.state.state.encodeSnapshot(into: &bytes)
    var hash = RunningHash()
    bytes.withUnsafeBytes { hash.add($0) }
    return "\(State.foldVersion) \(hash.text)"
  }

  private static func recorded(_ file: String) throws -> String {
    try String(contentsOf: folder.appending(path: file), encoding: .utf8)
  }

  @Test("They open, and read as when they were written")
  func read() throws {
    for name in try Self.names {
      let now = try Self.export(Self.disk(name)).split(separator: "\n")
      let then = try Self.recorded("\(name).jsonl").split(separator: "\n")
      for (line, (now, then)) in zip(now, then).enumerated() where now != then {
        Issue.record("\(name), line \(line + 1): \(now)\nwas \(then)")
      }
      #expect(now.count == then.count)
    }
  }

  @Test("What the fold makes of them changes only with the fold's version")
  func folds() throws {
    for name in try Self.names {
      let now = try Self.fold(Self.disk(name))
      let then = try Self.recorded("\(name).fold").trimmingCharacters(in: .newlines)
      #expect(
        now == then,
        """
        the state of \(name) is another: raise State.foldVersion, or every snapshot in use is \
        taken for one of this fold; then record the new hash
        """)
    }
  }

  @Test("Each kind of event is in one of them")
  func kinds() throws {
    var seen: Set<String> = []
    for name in try Self.names {
      for line in try Self.recorded("\(name).jsonl").split(separator: "\n") {
        seen.insert(json(String(line))["kind"]?.stringValue ?? "")
      }
    }
    let missing = Set(EventKind.allCases.map { "\($0)" }).subtracting(seen)
    #expect(missing == [], "record a log with them")
  }

  // MARK: Writing them

  /// Makes a log anew and says what it holds; with `RENEWD_RECORD` it is kept.
  @Test("A log with everything can be written", arguments: ["methods", "offers", "record"])
  func write(_ script: String) throws {
    let world =
      switch script {
      case "methods": try Self.methods()
      case "offers": try Self.offers()
      default: try Self.record()
      }
    let events = try Self.export(world.disk)
    #expect(events.count > 1000)
    guard let label = ProcessInfo.processInfo.environment["RENEWD_RECORD"] else { return }
    let name = "\(script)-\(label)"
    try Self.keep(world.disk, name)
    try Data(events.utf8).write(to: Self.folder.appending(path: "\(name).jsonl"))
    for name in try Self.names {
      let fold = try Self.fold(Self.disk(name))
      try Data((fold + "\n").utf8).write(to: Self.folder.appending(path: "\(name).fold"))
    }
  }

  private static func methods() throws -> World {
    let daemon = try TestDaemon()
    _ = try InterfaceTests.perform(on: daemon)
    return daemon.world
  }

  /// Offers of each kind, plans, families, trouble with money: what the methods alone do not show.
  private static func offers() throws -> World {
    let daemon = try TestDaemon {
      $0.shop = Shop(
        OfferTests.shop.wares + [
          Shop.Ware(
            "family", .subscription, price: 14_990, group: "F", period: "P1M", isShareable: true),
          Shop.Ware("heirloom", .nonConsumable, price: 29_990, isShareable: true),
        ], offersKey: (id: "K1", privateKey: [1, 2, 3]))
      $0.configuration.policies.graceDays = 16
      $0.configuration.policies.terms.lead = day
    }
    func id(_ account: String) throws -> String {
      try #require(
        daemon.status(account).list("subscriptions").first?["transaction"]?[
          "originalTransactionId"]?.stringValue)
    }
    let token = #","appAccountToken":"01234567-89ab-cdef-0123-456789abcdef""#
    try daemon.buy("ann", "plus", OfferTests.offer("code", "SPRING"))
    try daemon.buy("bob", "base")
    try daemon.buy("bob", "plus", SignedOfferTests.genuineOffer)
    try daemon.buy("cid", "plus")
    try daemon.buy("cid", "base", token)
    try daemon.buy("dot", "plus")
    try daemon.call(
      "Store.SetAutoRenew", #"{"originalTransactionId":"\#(try id("dot"))","enabled":false}"#)
    try daemon.buy("eve", "family")
    try daemon.buy("eve", "heirloom")
    try daemon.call("Testing.Share", #"{"account":"eve","to":"flo"}"#)
    try daemon.buy("gus", "plus")
    try daemon.call("Testing.SetBilling", #"{"account":"gus","outcome":"fail"}"#)
    try daemon.buy("hal", "plus")
    try daemon.buy("hal", "plus", OfferTests.offer("promotional", "gift"))
    try daemon.call("Testing.Extend", #"{"account":"bob","days":10,"reason":1}"#)
    try daemon.call("Testing.Extend", #"{"account":"bob","days":10,"reason":1}"#)
    try daemon.advance(to: time("2025-03-05T10:00"))
    try daemon.buy("dot", "plus", OfferTests.offer("winBack", "return"))
    try daemon.call("Testing.RemoveFromSale", #"{"productId":"base"}"#)
    try daemon.call(
      "Testing.ExtendAll",
      #"{"productId":"plus","days":5,"reason":2,"requestIdentifier":"E7"}"#)
    try daemon.call(
      "Testing.Refund", #"{"transactionId":"\#(try id("eve"))","percentage":50,"reason":1}"#)
    try daemon.call("Store.Restore", #"{"account":"ann"}"#)
    try daemon.advance(to: time("2025-06-30T10:00"))
    try daemon.call("Testing.SetRate", #"{"rate":"oneRenewalEveryDay"}"#)
    try daemon.call("Clocks.Create", #"{"name":"other","at":1738317600000}"#)
    try daemon.buy("ida", "lifetime", #","clock":"other""#)
    try daemon.call("Clocks.Attach", #"{"account":"ida","clock":"default"}"#)
    return daemon.world
  }

  /// What others signed, as it may come in.
  private static func record() throws -> World {
    let daemon = try TestDaemon {
      $0.role = .record
      $0.signing = SimulatedSigner.signing(root: 2, trusting: [1])
      $0.configuration.policies.expiryLeewayMilliseconds = 2 * hour
    }
    func submit(_ signed: String, _ account: String? = nil) throws {
      let given = account.map { #","account":"\#($0)""# } ?? ""
      try daemon.call("Store.Submit", #"{"signed":"\#(signed)"\#(given)}"#)
    }
    try submit(appleTransaction(7001), "u1")
    try submit(
      appleTransaction(
        7002, of: 7002, product: "apple.other",
        more: #","offerType":9,"offerIdentifier":"new""#))
    try daemon.call("Store.Link", #"{"account":"u2","originalTransactionId":"7002"}"#)
    try daemon.call("Store.Link", #"{"account":"u3","originalTransactionId":"7002"}"#)
    try daemon.advance(to: january + 31 * day + hour)
    try submit(
      sign(
        """
        {"notificationType":"EXPIRED","subtype":"VOLUNTARY",\
        "notificationUUID":"5f0c2e7a-4d6b-4f6e-9a51-0c3b5d7f1a20","version":"2.0",\
        "signedDate":\(january + 31 * day),"data":{"environment":"Sandbox",\
        "bundleId":"com.example.app","status":2,\
        "signedTransactionInfo":"\(appleTransaction(7001))"}}
        """))
    try daemon.advance(to: january + 90 * day)
    return daemon.world
  }
}
