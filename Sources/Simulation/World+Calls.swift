import Engine
import EventLog
import JSON
import Subscriptions

/// Clients: connecting, calling, waiting for answers.
extension World {
  /// A new client, connected.
  public func connect(uid: UInt32 = 0, gid: UInt32? = nil) -> SimulatedClient {
    let client = SimulatedClient(
      number: clients.count, peer: Peer(uid: uid, gid: gid ?? uid, pid: 100))
    clients.append(client)
    reconnect(client)
    return client
  }

  /// A new connection for a client whose last one has ended.
  public func reconnect(_ client: SimulatedClient) {
    precondition(!client.isConnected, "the client is connected already")
    client.begin(nextConnection)
    nextConnection += 1
  }

  /// The client goes away, in the middle of whatever it was doing.
  public func disconnect(_ client: SimulatedClient) {
    guard client.isConnected else { return }
    if let engine, client.isKnownToEngine {
      close(client, engine)
    } else {
      client.end()
    }
  }

  /// Puts bytes on the client's way out, as they are.
  public func send(_ bytes: [UInt8], from client: SimulatedClient) {
    precondition(client.isConnected, "the client is not connected")
    client.outgoing += bytes
  }

  /// Sends one call and does not wait.
  public func send(
    _ method: String, _ parameters: JSONValue = .members([]), more: Bool = false,
    oneway: Bool = false, from client: SimulatedClient
  ) {
    send(Self.message(method, parameters, more: more, oneway: oneway), from: client)
  }

  /// The bytes of a call, its NUL included.
  public static func message(
    _ method: String, _ parameters: JSONValue = .members([]), more: Bool = false,
    oneway: Bool = false
  ) -> [UInt8] {
    var members: [(String, JSONValue)] = [
      ("method", .string(method)), ("parameters", parameters),
    ]
    if more { members.append(("more", .bool(true))) }
    if oneway { members.append(("oneway", .bool(true))) }
    return Array(JSONValue.members(members).compactText.utf8) + [0]
  }

  /// Calls a method and turns until the answer has come; nil where none will: the daemon is gone
  /// or the connection closed.
  @discardableResult
  public func call(
    _ client: SimulatedClient, _ method: String, _ parameters: JSONValue = .members([])
  ) -> Reply? {
    send(method, parameters, from: client)
    return nextReply(client)
  }

  /// The next reply, turning until it is there; nil where the world comes to rest without one.
  public func nextReply(_ client: SimulatedClient) -> Reply? {
    var turns = 0
    while client.replies.isEmpty {
      guard isBusy || client.isConnected && !client.isKnownToEngine, turns < Limits.turnsMax
      else { return nil }
      turn()
      turns += 1
    }
    return client.takeReply()
  }

  /// Time passes, with the daemon awake: it is woken when it asked to be, and comes to rest
  /// before the clocks go on. After `wakesMax` times it sleeps on to the end.
  public func pass(_ milliseconds: Int64, wakesMax: Int = .max) {
    var left = milliseconds
    var wakes = 0
    settle()
    while left > 0 {
      var step = left
      if wakes < wakesMax, let wake, wake > machine.realtime {
        step = min(left, wake - machine.realtime)
        wakes += 1
      }
      machine.pass(step)
      left -= step
      turn()
      settle()
    }
  }

  /// The machine sleeps: time passes and nobody is woken before the end.
  public func suspend(_ milliseconds: Int64) {
    machine.pass(milliseconds)
    turn()
    settle()
  }

  /// Somebody sets the machine's clock.
  public func stepClock(_ milliseconds: Int64) {
    machine.step(milliseconds)
    turn()
    settle()
  }

  /// The machine is off for a while and boots; the daemon starts again.
  public func reboot(after milliseconds: Int64) throws(LogError) {
    kill()
    machine.reboot(after: milliseconds)
    try start()
  }
}
