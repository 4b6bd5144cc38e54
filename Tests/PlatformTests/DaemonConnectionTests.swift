import Foundation
import TestSizes
import Testing

@testable import Platform

@Suite("Connections of the daemon", .serialized)
struct DaemonConnectionTests {
  @Test("ten thousand pipelined calls, cut anywhere, are answered in their order")
  func pipelining() throws {
    let folder = try TemporaryFolder()
    let daemon = try TestDaemon(in: folder, isEphemeral: true)
    try daemon.ready()
    let client = try daemon.connect()
    let callCount = 10_000
    var bytes: [UInt8] = []
    for number in 0..<callCount {
      let method = number % 3 == 0 ? "org.varlink.service.GetInfo" : "no.such.Method\(number)"
      bytes += Array("{\"method\":\"\(method)\"}".utf8) + [0]
    }
    let sender = Thread { [bytes, descriptor = client.descriptor] in
      var offset = 0
      var length = 1
      while offset < bytes.count {
        let end = min(bytes.count, offset + length)
        do {
          try TestClient.send(Array(bytes[offset..<end]), to: descriptor)
        } catch {
          Issue.record("\(error)")
          return
        }
        offset = end
        length = length % 50_000 + 7919
      }
    }
    sender.start()
    for number in 0..<callCount {
      let reply = try #require(try client.receive())
      #expect(reply.contains(number % 3 == 0 ? "\"vendor\"" : "\"error\""), "\(number): \(reply)")
    }
  }

  @Test("a client that does not read slows nobody, and reads all in the end")
  func stalledReader() throws {
    let folder = try TemporaryFolder()
    let daemon = try TestDaemon(in: folder, isEphemeral: true)
    try daemon.ready()
    let stalled = try daemon.connect()
    let callCount = TestSize.times(30_000, quick: 10_000)
    let call = Array(#"{"method":"org.varlink.service.GetInfo"}"#.utf8) + [0]
    let sender = Thread { [descriptor = stalled.descriptor] in
      do {
        for _ in 0..<(callCount / 1000) {
          try TestClient.send(
            Array(repeatElement(call, count: 1000).joined()), to: descriptor)
        }
      } catch {
        Issue.record("\(error)")
      }
    }
    sender.start()
    usleep(200_000)
    let other = try daemon.connect()
    // Where it had to wait for the others' turn, each of its calls would.
    let shortest = try (0..<100).map { _ in
      let start = Date()
      _ = try other.call("org.varlink.service.GetInfo")
      return Date().timeIntervalSince(start)
    }.min()
    #expect(try #require(shortest) < 1)
    for _ in 0..<callCount { _ = try #require(try stalled.receive()) }
  }

  @Test("one connection more than the limit is closed at once; the others are served")
  func connectionLimit() throws {
    let folder = try TemporaryFolder()
    // 64 are for files and timers: 96 are left.
    let daemon = try TestDaemon(in: folder, isEphemeral: true, prefix: "ulimit -n 160;")
    try daemon.ready()
    var clients = try (0..<96).map { _ in try daemon.connect() }
    for client in clients {
      #expect(try client.call("org.varlink.service.GetInfo").contains("renewd"))
    }
    let refused = try daemon.connect()
    #expect(try refused.receive() == nil)
    #expect(try daemon.says("was refused: 96 connections are open"))
    #expect(try clients[95].call("org.varlink.service.GetInfo").contains("renewd"))
    clients.removeLast()
    // Once the daemon has seen that it left.
    try until("there is room for another") {
      let next = try daemon.connect()
      try next.send("org.varlink.service.GetInfo")
      return try next.receive()?.contains("renewd") == true
    }
  }

  @Test("connects and disconnects by the thousand leave nothing behind")
  func churn() throws {
    let folder = try TemporaryFolder()
    let daemon = try TestDaemon(in: folder, isEphemeral: true)
    try daemon.ready()
    func descriptors() throws -> Int {
      try FileManager.default.contentsOfDirectory(atPath: "/proc/\(daemon.pid)/fd").count
    }
    _ = try daemon.connect().call("org.varlink.service.GetInfo")
    usleep(50_000)
    let before = try descriptors()
    for number in 0..<2000 {
      let client = try daemon.connect()
      if number % 2 == 0 { try client.send("org.varlink.service.GetInfo") }
      if number % 5 == 0 { _ = try client.call("org.varlink.service.GetInfo") }
    }
    _ = try daemon.connect().call("org.varlink.service.GetInfo")
    try until("all have gone") { try descriptors() <= before + 1 }
  }

  @Test("a client that ends its side after the last call gets every answer")
  func halfClosed() throws {
    let folder = try TemporaryFolder()
    let daemon = try TestDaemon(try Shop.options(in: folder), in: folder)
    try daemon.ready()
    for round in 0..<20 {
      let client = try daemon.connect()
      for number in 0..<3 {
        try client.send(
          Shop.purchase, "{\"account\":\"u\(round)-\(number)\",\"productId\":\"coins\"}")
      }
      shutdown(client.descriptor, Int32(SHUT_WR))
      for _ in 0..<3 {
        let reply = try #require(try client.receive())
        #expect(reply.contains("\"result\":\"success\""))
      }
      #expect(try client.receive() == nil)
    }
  }
}
