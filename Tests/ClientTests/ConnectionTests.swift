import Client
import Foundation
import Glibc
import Testing

@Suite("Connection", .timeLimit(.minutes(10)))
struct ConnectionTests {
  @Test("a call is answered with typed fields, and fields nobody knows are passed over")
  func call() throws {
    let server = try ToyServer { _ in
      var status = Samples.status().objectValue!
      status["fieldOfTomorrow"] = .members([("deep", .array([.int(1)]))])
      return [.reply(.object(status))]
    }
    defer { server.stop() }
    let connection = try Connection(to: server.address)
    let status = try connection.call(.status(account: "u1", at: Samples.january))
    #expect(status.isEntitled)
    #expect(status.subscriptions[0].transaction.money?.description == "9.99 USD")
    #expect(status.subscriptions[0].transaction.expirationDate == Samples.february)
    #expect(status.subscriptions[0].willAutoRenew == true)
    #expect(status.basis == .present)
    let call = try #require(server.calls.first)
    #expect(call.method == "org.renewd.Membership.Status")
    #expect(call.parameters["at"]?.int64Value == Samples.january.milliseconds)
    #expect(call.parameters.keys == ["account", "at"])
  }

  @Test("a refusal is typed, and keeps its name and parameters")
  func refusal() throws {
    let server = try ToyServer { _ in
      [
        .error(
          "org.renewd.ProductNotFound",
          .members([
            ("productId", .string("pro.montly")), ("nearest", .array([.string("pro.monthly")])),
          ]))
      ]
    }
    defer { server.stop() }
    let connection = try Connection(to: server.address)
    do {
      _ = try connection.call(.check(account: "u1"))
      Issue.record("a refusal was taken for an answer")
    } catch {
      guard case .refused(let refusal) = error else { throw error }
      #expect(
        refusal.reason == .productNotFound(productID: "pro.montly", nearest: ["pro.monthly"]))
      #expect(refusal.description == "there is no product pro.montly; did you mean pro.monthly?")
      #expect(refusal.name == "org.renewd.ProductNotFound")
    }
    // The connection is as good as before.
    #expect(throws: ClientError.self) { try connection.call(.check(account: "u1")) }
    #expect(server.calls.count == 2)
  }

  @Test("calls sent together are answered in their order")
  func pipelining() throws {
    let server = try ToyServer { call in
      let number = Int64(call.parameters["account"]!.stringValue!)!
      return [.reply(.members([("entitled", .bool(true)), ("sequence", .int(number))]))]
    }
    defer { server.stop() }
    let connection = try Connection(to: server.address)
    let calls = try (0..<500).map { try connection.send(.check(account: String($0))) }
    for (number, call) in calls.enumerated() {
      #expect(try connection.receive(call).sequence == Int64(number))
    }
  }

  @Test("a client that sends more than the socket holds takes replies in meanwhile")
  func pressure() throws {
    let long = JSONValue.string(String(repeating: "x", count: 2000))
    let server = try ToyServer { _ in
      [.reply(.members([("entitled", .bool(true)), ("sequence", .int(1)), ("long", long)]))]
    }
    defer { server.stop() }
    let connection = try Connection(to: server.address)
    let account = String(repeating: "a", count: 2000)
    let calls = try (0..<2000).map { _ in try connection.send(.check(account: account)) }
    for call in calls { #expect(try connection.receive(call).isEntitled) }
  }

  @Test("a stream gives its replies one by one and ends with the last")
  func stream() throws {
    let server = try ToyServer { _ in
      (1...3).map { .reply(.members([("sequence", .int($0))]), continues: $0 < 3) }
    }
    defer { server.stop() }
    let connection = try Connection(to: server.address)
    var stream = try connection.stream(.watch(since: 0))
    for number in 1...3 { #expect(try stream.next()?.sequence == Int64(number)) }
    #expect(try stream.next() == nil)
    #expect(server.calls[0].more)
    // After its end the connection takes calls again.
    _ = try connection.stream(.watch())
  }

  @Test("an answer that lacks what its method promises names the field")
  func missingField() throws {
    let server = try ToyServer { _ in
      [.reply(.members([("lines", .array([.members([("at", .string("x"))])]))]))]
    }
    defer { server.stop() }
    let connection = try Connection(to: server.address)
    let expected = TransportError.unexpectedAnswer(path: "lines[0].at", expected: "an integer")
    #expect(throws: ClientError.transport(expected)) {
      try connection.call(.explain(account: "u1"))
    }
  }

  @Test("bytes that are no reply, and an end amid one, are told apart")
  func malformed() throws {
    let server = try ToyServer { call in
      call.parameters["account"] == .string("cut")
        ? [.bytes(Array(#"{"param"#.utf8)), .close] : [.bytes(Array("pong".utf8) + [0])]
    }
    defer { server.stop() }
    #expect(throws: ClientError.transport(.closed)) {
      try Connection(to: server.address).call(.check(account: "cut"))
    }
    do {
      _ = try Connection(to: server.address).call(.check(account: "u1"))
      Issue.record("pong is no reply")
    } catch let error as ClientError {
      guard case .transport(.malformedReply) = error else { throw error }
    }
  }

  @Test("a reply cut into single bytes is read like any other")
  func pieces() throws {
    let text = #"{"parameters":{"entitled":true,"sequence":9}}"#
    let server = try ToyServer { _ in (Array(text.utf8) + [0]).map { .bytes([$0]) } }
    defer { server.stop() }
    #expect(try Connection(to: server.address).call(.check(account: "u1")).sequence == 9)
  }

  @Test("connecting waits for a daemon that is starting")
  func waiting() throws {
    let path = "/tmp/renewd-client-\(getpid())-waiting.sock"
    defer { unlink(path) }
    let address = try SocketAddress(path)
    let server = Box<ToyServer>()
    Thread.detachNewThread {
      Thread.sleep(forTimeInterval: 0.2)
      server.value = try? ToyServer(at: address) { _ in [.reply(Samples.check())] }
    }
    let check = try Connection(to: address, waitingUpTo: .seconds(20)).call(.check(account: "u1"))
    #expect(check.isEntitled)
    server.value?.stop()
  }

  @Test("where nobody listens, the error names address and cause once the wait is over")
  func unreachable() throws {
    let address = try SocketAddress("/tmp/renewd-client-\(getpid())-nobody.sock")
    let expected = TransportError.unreachable(
      address: address.text, waited: .milliseconds(30), code: ENOENT)
    #expect(throws: expected) { try Connection(to: address, waitingUpTo: .milliseconds(30)) }
  }

  @Test("a daemon that does not answer is waited for no longer than told")
  func timeout() throws {
    let server = try ToyServer { _ in [] }
    defer { server.stop() }
    let connection = try Connection(to: server.address)
    connection.timeout = .milliseconds(30)
    #expect(throws: ClientError.transport(.timedOut(after: .milliseconds(30)))) {
      try connection.call(.check(account: "u1"))
    }
    #expect(throws: ClientError.transport(.closed)) {
      try connection.call(.check(account: "u1"))
    }
  }

  @Test("an answer can be looked for without waiting for it")
  func lookingFor() throws {
    let mayAnswer = DispatchSemaphore(value: 0)
    let server = try ToyServer { _ in
      mayAnswer.wait()
      return [.reply(Samples.check())]
    }
    defer { server.stop() }
    let connection = try Connection(to: server.address)
    let call = try connection.send(.check(account: "u1"))
    #expect(try !connection.hasReply(within: .zero))
    mayAnswer.signal()
    #expect(try connection.hasReply(within: .seconds(20)))
    #expect(try connection.hasReply(within: .zero))
    #expect(try connection.receive(call).isEntitled)
  }

  @Test("an interrupt from another thread ends the wait for an answer")
  func interrupt() throws {
    let interrupt = try Interrupt()
    let server = try ToyServer { _ in
      interrupt.trigger()
      return []
    }
    defer { server.stop() }
    let connection = try Connection(to: server.address, interrupt: interrupt)
    #expect(throws: ClientError.transport(.interrupted)) {
      try connection.call(.check(account: "u1"))
    }
  }
}

/// A value that another thread sets before it is read.
final class Box<Value>: @unchecked Sendable {
  var value: Value?
}
