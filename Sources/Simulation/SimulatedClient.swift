import Engine
import JSON

/// One peer and its connection: what it has sent, what has come back. Bytes may be cut anywhere
/// on both ways, and a slow reader takes few at a time.
public final class SimulatedClient {
  /// Its number in the world, which outlives its connections.
  public let number: Int
  public let peer: Peer
  /// Bytes that it takes in one turn; nil for all that are there.
  public var takenPerTurn: Int?
  /// Whole messages that have come and were not yet looked at, oldest first.
  public internal(set) var replies: [Reply] = []
  /// Messages that were no replies at all. Must stay 0.
  public internal(set) var malformedCount = 0
  /// Whether the daemon has closed its connection, or is gone.
  public internal(set) var isConnected = false

  var connection: ConnectionID = 0
  var isKnownToEngine = false
  /// Bytes sent and not yet received by the daemon.
  var outgoing: [UInt8] = []
  /// Bytes that came and make no whole message yet.
  var incoming: [UInt8] = []

  init(number: Int, peer: Peer) {
    self.number = number
    self.peer = peer
  }

  /// The oldest reply that was not yet looked at.
  public func takeReply() -> Reply? {
    replies.isEmpty ? nil : replies.removeFirst()
  }

  /// All replies that were not yet looked at.
  public func takeReplies() -> [Reply] {
    defer { replies.removeAll() }
    return replies
  }

  func begin(_ connection: ConnectionID) {
    self.connection = connection
    isConnected = true
    isKnownToEngine = false
    outgoing.removeAll()
    incoming.removeAll()
  }

  func end() {
    isConnected = false
    isKnownToEngine = false
    outgoing.removeAll()
    incoming.removeAll()
  }

  /// Takes some of the bytes the daemon offers, and says how many.
  func take(_ bytes: UnsafeRawBufferPointer, atMost countMax: Int) -> Int {
    let count = min(bytes.count, countMax)
    var rest = UnsafeRawBufferPointer(rebasing: bytes[0..<count])
    while let end = rest.firstIndex(of: 0) {
      incoming.append(contentsOf: rest[..<end])
      if let reply = Reply(message: incoming) {
        replies.append(reply)
      } else {
        malformedCount += 1
      }
      incoming.removeAll(keepingCapacity: true)
      rest = UnsafeRawBufferPointer(rebasing: rest[(end + 1)...])
    }
    incoming.append(contentsOf: rest)
    return count
  }
}
