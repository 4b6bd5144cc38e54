import Foundation
import Testing

@testable import Platform

@Suite("The daemon under a service manager", .serialized)
struct DaemonServiceTests {
  // B81
  @Test("ready comes with the first ping, and pings follow at half the interval")
  func watchdog() throws {
    let folder = try TemporaryFolder()
    let daemon = try TestDaemon(in: folder, environment: ["WATCHDOG_USEC": "400000"])
    let ready = try daemon.ready()
    #expect(ready.contains("WATCHDOG=1"))
    #expect(ready.contains("STATUS="))
    let bounds = 0.6...2.5
    let elapsed = try bestTry(within: bounds) {
      let start = Date()
      for _ in 0..<5 { _ = try daemon.manager.first("WATCHDOG=1") }
      return Date().timeIntervalSince(start)
    }
    #expect(bounds.contains(elapsed), "five pings took \(elapsed) s")
  }

  @Test("a stopped daemon sends no pings")
  func wedged() throws {
    let folder = try TemporaryFolder()
    let daemon = try TestDaemon(in: folder, environment: ["WATCHDOG_USEC": "100000"])
    try daemon.ready()
    _ = try daemon.manager.first("WATCHDOG=1")
    try daemon.freeze()
    while try daemon.manager.next(seconds: 0) != nil {}
    #expect(try daemon.manager.next(seconds: 0.5) == nil)
    daemon.signal(SIGCONT)
    _ = try daemon.manager.first("WATCHDOG=1")
  }

  // B82
  @Test("a reload says so with its time and ends with READY, well or not")
  func reload() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("c.conf", "[entitlement pro]\nproducts = pro\n")
    let daemon = try TestDaemon(
      try Shop.options(in: folder) + ["--config", path], in: folder)
    try daemon.ready()
    let client = try daemon.connect()
    _ = try client.call(Shop.purchase, #"{"account":"u1","productId":"pro"}"#)
    let gold = #"{"account":"u1","entitlement":"gold"}"#
    #expect(try !client.call(Shop.check, gold).contains("\"entitled\":true"))

    func reload() throws -> String {
      let before = MachineClock.monotonicMicroseconds()
      daemon.signal(SIGHUP)
      let message = try daemon.manager.first("RELOADING=1")
      let field = try #require(message.split(separator: "\n").first { $0.hasPrefix("MONO") })
      let microseconds = try #require(UInt64(field.split(separator: "=")[1]))
      let now = MachineClock.monotonicMicroseconds()
      #expect(before <= microseconds && microseconds <= now)
      return try daemon.manager.first("READY=1")
    }
    try folder.write("c.conf", "[entitlement gold]\nproducts = pro\n")
    #expect(try !reload().contains("old configuration kept"))
    #expect(try client.call(Shop.check, gold).contains("\"entitled\":true"))
    try folder.write("c.conf", "[entitlement gold]\nprodcuts = pro\n")
    #expect(try reload().contains(" · old configuration kept: \(path):2: [entitlement gold]"))
    #expect(try client.call(Shop.check, gold).contains("\"entitled\":true"))
    #expect(try daemon.errors.contains("\(path):2: [entitlement gold] has no key prodcuts"))
    try folder.write("c.conf", "[entitlement gold]\nproducts = pro\n[daemon]\nsocket-mode = 0600\n")
    #expect(try !reload().contains("old configuration kept"))
    #expect(try daemon.errors.contains("socket-mode has changed and takes effect at the next"))
    #expect(try daemon.stop() == 0)
  }

  // B88
  @Test("with fifty watches it stops in under half a second, announced, and each gets an end")
  func stop() throws {
    let elapsed = try bestTry(within: 0...0.5) { try stopWithWatches() }
    #expect(elapsed < 0.5)
  }

  /// The seconds that a stop takes.
  private func stopWithWatches() throws -> Double {
    let folder = try TemporaryFolder()
    let daemon = try TestDaemon(try Shop.options(in: folder), in: folder)
    try daemon.ready()
    let caller = try daemon.connect()
    _ = try caller.call(Shop.purchase, #"{"account":"u1","productId":"pro"}"#)
    let watches = try (0..<50).map { _ in try daemon.connect() }
    for watch in watches {
      try watch.send("org.renewd.Membership.Watch", more: true)
      // The subscription, then the seam.
      #expect(try watch.receive()?.contains("\"continues\":true") == true)
      #expect(try watch.receive()?.contains("\"continues\":true") == true)
    }
    let start = Date()
    daemon.signal(SIGTERM)
    #expect(try daemon.wait() == 0)
    let elapsed = Date().timeIntervalSince(start)
    _ = try daemon.manager.first("STOPPING=1")
    for watch in watches {
      let last = try watch.receive()
      #expect(last?.contains("\"continues\":true") == false, "\(last ?? "nothing")")
      #expect(try watch.receive() == nil)
    }
    return elapsed
  }

  @Test("a client that does not read does not keep it from stopping")
  func stopWithStalledClient() throws {
    let elapsed = try bestTry(within: 0...1) {
      let folder = try TemporaryFolder()
      let daemon = try TestDaemon(try Shop.options(in: folder), in: folder)
      try daemon.ready()
      let stalled = try daemon.connect()
      fill(stalled)
      let start = Date()
      #expect(try daemon.stop() == 0)
      return Date().timeIntervalSince(start)
    }
    #expect(elapsed < 1)
  }

  /// Sends calls and reads nothing, until the daemon takes no more.
  private func fill(_ client: TestClient) {
    let call = Array(#"{"method":"org.varlink.service.GetInfo"}"#.utf8) + [0]
    let calls = Array(repeatElement(call, count: 1000).joined())
    var idle = 0
    while idle < 20 {
      let count = calls.withUnsafeBytes {
        send(
          client.descriptor, $0.baseAddress, $0.count,
          Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT))
      }
      // A cut call is completed by nothing: what is sent after it is one wrong message.
      if count < calls.count {
        idle += 1
        usleep(10_000)
      }
      if count > 0, count < calls.count { return }
    }
  }

  // B80
  @Test("an inherited socket beats --socket, and its file stays as it is")
  func inheritedSocket() throws {
    let folder = try TemporaryFolder()
    let path = "\(folder.path)/activated"
    let listener = try ListeningSocket(path: path, mode: 0o640, group: nil)
    defer { listener.close() }
    func inode() throws -> (UInt64, UInt32) {
      var status = stat()
      try #require(stat(path, &status) == 0)
      return (UInt64(status.st_ino), status.st_mode)
    }
    let before = try inode()
    for _ in 0..<2 {
      let daemon = try TestDaemon(
        ["--socket", "\(folder.path)/other"], in: folder,
        prefix: "export LISTEN_PID=$$ LISTEN_FDS=1;", inherited: listener.descriptor)
      // Connections made before it is ready wait in the backlog.
      let early = try TestClient(path: path)
      #expect(try early.call("org.varlink.service.GetInfo").contains("renewd"))
      try daemon.ready()
      #expect(try daemon.stop() == 0)
      #expect(try inode() == before)
    }
    #expect(try !folder.names.contains("other"))
  }
}
