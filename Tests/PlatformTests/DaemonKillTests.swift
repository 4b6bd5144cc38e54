import Foundation
import TestSizes
import Testing

@testable import Platform

/// Nothing that was answered is lost, and a repeated request has one effect, whatever moment the
/// daemon is killed at. Method: clients buy under load and keep each answer; the daemon is killed
/// at a moment nobody chose; the next one is asked for all of them again, by the same request ids.
@Suite("The daemon killed under load", .serialized)
struct DaemonKillTests {
  private static let roundCount = TestSize.times(50, quick: 8)
  private static let clientCount = 4

  /// What one client was answered before its connection ended.
  private final class Ledger: @unchecked Sendable {
    private let lock = NSLock()
    private var entries: [(account: String, answer: String)] = []
    private var finished = 0

    func add(_ account: String, _ answer: String) {
      lock.withLock { entries.append((account, answer)) }
    }

    func finish() {
      lock.withLock { finished += 1 }
    }

    var count: Int { lock.withLock { entries.count } }
    var finishedCount: Int { lock.withLock { finished } }
    var all: [(account: String, answer: String)] { lock.withLock { entries } }
  }

  private static func purchase(_ account: String) -> String {
    #"{"account":"\#(account)","productId":"coins","requestId":"r-\#(account)"}"#
  }

  @Test("no answered purchase is lost and none happens twice, over many kills of one log")
  func rounds() throws {
    let folder = try TemporaryFolder()
    let options = try Shop.options(in: folder)
    var generator = SystemRandomNumberGenerator()
    var answered = 0
    for round in 0..<Self.roundCount {
      let daemon = try TestDaemon(options, in: folder)
      try daemon.ready()
      let ledger = Ledger()
      for client in 0..<Self.clientCount {
        Thread { [path = daemon.socketPath] in
          Self.buy(path, "\(round)-\(client)", ledger)
          ledger.finish()
        }.start()
      }
      try until("they have begun") { ledger.count > 1 }
      usleep(UInt32.random(in: 0...60_000, using: &generator))
      daemon.signal(SIGKILL)
      #expect(try daemon.wait() == -SIGKILL)
      while ledger.finishedCount < Self.clientCount { usleep(1000) }
      try check(ledger.all, options, folder)
      answered += ledger.count
    }
    #expect(answered > Self.roundCount)
    let process = Process()
    process.executableURL = URL(fileURLWithPath: try TestDaemon.binary())
    process.arguments = ["log", "verify", "\(folder.path)/state"]
    process.standardOutput = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
  }

  /// Buys until the connection ends.
  private static func buy(_ path: String, _ name: String, _ ledger: Ledger) {
    do {
      let client = try TestClient(path: path)
      var number = 0
      while true {
        let account = "\(name)-\(number)"
        ledger.add(account, try client.call(Shop.purchase, purchase(account)))
        number += 1
      }
    } catch {
      // The kill is how each of these ends.
    }
  }

  private func check(
    _ entries: [(account: String, answer: String)], _ options: [String],
    _ folder: TemporaryFolder
  ) throws {
    let daemon = try TestDaemon(options, in: folder)
    try daemon.ready()
    let client = try daemon.connect()
    for entry in entries {
      #expect(entry.answer.contains("\"result\":\"success\""), "\(entry.answer)")
      let again = try client.call(Shop.purchase, Self.purchase(entry.account))
      #expect(again == entry.answer)
      let history = try client.call(
        "org.renewd.Membership.History", "{\"account\":\"\(entry.account)\"}")
      #expect(history.ranges(of: "\"transactionId\"").count == 1, "\(history)")
    }
    daemon.signal(SIGKILL)
    #expect(try daemon.wait() == -SIGKILL)
  }
}
