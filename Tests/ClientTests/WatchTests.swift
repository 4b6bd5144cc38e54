import Client
import Foundation
import Synchronization
import Testing

@Suite("Watch", .timeLimit(.minutes(10)))
struct WatchTests {
  /// A log of twelve events that is told from any cursor, a few events a connection.
  private static func log(perConnection count: Int64)
    -> @Sendable (ToyServer.Call) -> [ToyServer.Answer]
  {
    { call in
      let since = call.parameters["since"]?.int64Value ?? 0
      let last = min(since + count, 12)
      let events = since < last ? (since + 1...last).map { Samples.event($0, "renewed") } : []
      return events.map { .reply(Samples.watched($0), continues: true) } + [.close]
    }
  }

  @Test("a watch that loses its connection misses no event and tells none twice")
  func resume() throws {
    let server = try ToyServer(Self.log(perConnection: 5))
    defer { server.stop() }
    let watch = WatchSession(address: server.address, since: 0)
    for number in 1...12 {
      guard case .event(let event) = try watch.next() else {
        Issue.record("no event")
        return
      }
      #expect(event.sequence == Int64(number))
    }
    #expect(server.calls.map { $0.parameters["since"]?.int64Value } == [0, 5, 10])
    #expect(watch.cursor == 12)
  }

  @Test("without a cursor the present state comes first, then the seam")
  func seam() throws {
    let server = try ToyServer { call in
      guard call.parameters["since"] == nil else {
        return [.reply(Samples.watched(Samples.event(8, "expired")), continues: true)]
      }
      let subscription = JSONValue.members([
        ("sequence", .int(7)), ("subscription", Samples.subscription()),
      ])
      // A heartbeat, and then the goodbye of a daemon that stops.
      return [
        .reply(subscription, continues: true),
        .reply(.members([("sequence", .int(7))]), continues: true),
        .reply(.members([("sequence", .int(7))]), continues: true),
        .reply(.members([("sequence", .int(7))])), .close,
      ]
    }
    defer { server.stop() }
    let watch = WatchSession(address: server.address, account: "u1")
    guard case .subscription(let line) = try watch.next() else {
      Issue.record("the state does not come first")
      return
    }
    #expect(line.status == .active)
    #expect(watch.cursor == nil)
    #expect(try watch.next() == .seam(sequence: 7))
    #expect(try watch.next() == .heartbeat(sequence: 7))
    #expect(try watch.next() == .heartbeat(sequence: 7))
    guard case .event(let event) = try watch.next() else {
      Issue.record("no event after the daemon came back")
      return
    }
    #expect(event.kind == .expired)
    #expect(server.calls.last?.parameters["since"]?.int64Value == 7)
  }

  @Test("a connection that ends before the seam has the state told again")
  func beforeSeam() throws {
    let count = Mutex(0)
    let server = try ToyServer { _ in
      let subscription = JSONValue.members([
        ("sequence", .int(7)), ("subscription", Samples.subscription()),
      ])
      let isFirst = count.withLock { value in
        value += 1
        return value == 1
      }
      return isFirst
        ? [.reply(subscription, continues: true), .close]
        : [
          .reply(subscription, continues: true),
          .reply(.members([("sequence", .int(7))]), continues: true),
        ]
    }
    defer { server.stop() }
    let watch = WatchSession(address: server.address)
    for _ in 0..<2 {
      guard case .subscription = try watch.next() else {
        Issue.record("the state is told from its beginning")
        return
      }
    }
    #expect(try watch.next() == .seam(sequence: 7))
    #expect(server.calls.allSatisfy { $0.parameters["since"] == nil })
  }

  @Test("a refusal ends a watch, and so does a daemon that stays away")
  func endings() throws {
    let server = try ToyServer { _ in
      [.error("org.renewd.CursorAhead", .members([("head", .int(3))]))]
    }
    let watch = WatchSession(address: server.address, since: 9, patience: .milliseconds(50))
    do {
      _ = try watch.next()
      Issue.record("a cursor ahead of the log")
    } catch {
      guard case .refused(let refusal) = error else { throw error }
      #expect(refusal.reason == .cursorAhead(head: 3))
    }
    server.stop()
    #expect(throws: ClientError.self) { try watch.next() }
  }

  @Test("tasks await calls, many at once, over one connection")
  func tasks() async throws {
    let server = try ToyServer { call in
      let number = Int64(call.parameters["account"]!.stringValue!)!
      return [.reply(.members([("entitled", .bool(true)), ("sequence", .int(number))]))]
    }
    defer { server.stop() }
    let client = RenewdClient(address: server.address)
    try await withThrowingTaskGroup(of: Bool.self) { group in
      for number in 0..<100 {
        group.addTask {
          try await client.call(.check(account: String(number))).sequence == Int64(number)
        }
      }
      for try await isRight in group { #expect(isRight) }
    }
    let together = try await client.call((0..<10).map { .check(account: String($0)) })
    #expect(try together.map { try $0.get().sequence } == Array(0..<10))
  }

  @Test("a call that only reads is sent again when the daemon was restarted")
  func restart() async throws {
    let count = Mutex(0)
    let server = try ToyServer { _ in
      let isFirst = count.withLock { value in
        value += 1
        return value == 1
      }
      return isFirst ? [.close] : [.reply(Samples.check())]
    }
    defer { server.stop() }
    let client = RenewdClient(address: server.address)
    #expect(try await client.call(.check(account: "u1")).isEntitled)
    #expect(server.calls.count == 2)
  }

  @Test("a call that changes something is never sent twice by itself")
  func noRepeat() async throws {
    let server = try ToyServer { _ in [.close] }
    defer { server.stop() }
    let client = RenewdClient(address: server.address)
    await #expect(throws: ClientError.transport(.closed)) {
      try await client.call(.finish(transactionID: "1"))
    }
    #expect(server.calls.count == 1)
  }

  @Test("where nobody came the first call waits, later ones try once, and find who came after all")
  func waitsOnce() async throws {
    let address = try SocketAddress("/tmp/renewd-client-\(getpid())-late.sock")
    defer { unlink(address.text) }
    let wait = Duration.milliseconds(30)
    let client = RenewdClient(address: address, waitingUpTo: wait)
    for waited in [wait, .zero, .zero] {
      let unreachable = TransportError.unreachable(
        address: address.text, waited: waited, code: ENOENT)
      await #expect(throws: ClientError.transport(unreachable)) {
        try await client.call(.check(account: "u1"))
      }
    }
    let server = try ToyServer(at: address) { _ in [.reply(Samples.check())] }
    defer { server.stop() }
    #expect(try await client.call(.check(account: "u1")).isEntitled)
  }

  @Test("cancelling a task ends its wait, and the client goes on")
  func cancelling() async throws {
    let server = try ToyServer { call in
      call.parameters["account"] == .string("slow") ? [] : [.reply(Samples.check())]
    }
    defer { server.stop() }
    let client = RenewdClient(address: server.address)
    let task = Task { try await client.call(.check(account: "slow")) }
    while server.calls.isEmpty { try await Task.sleep(for: .milliseconds(1)) }
    task.cancel()
    await #expect(throws: ClientError.transport(.interrupted)) { try await task.value }
    #expect(try await client.call(.check(account: "u1")).isEntitled)
  }

  @Test("a watch is a sequence that survives restarts and ends with its task")
  func sequence() async throws {
    let server = try ToyServer(Self.log(perConnection: 4))
    defer { server.stop() }
    let client = RenewdClient(address: server.address)
    let task = Task {
      var seen: [Int64] = []
      for try await item in client.watch(since: 0) {
        if case .event(let event) = item { seen.append(event.sequence) }
        if seen.count == 12 { withUnsafeCurrentTask { $0?.cancel() } }
      }
      return seen
    }
    #expect(try await task.value == Array(1...12))
  }
}
