import EventLog
import JSON
import Simulation
import Testing

@Suite("Bad input gets a named error and changes nothing")
struct FuzzTests {
  /// Changes bytes of a message here and there, in the ways that texts go wrong.
  private func mutate(_ message: [UInt8], _ random: inout SeededGenerator) -> [UInt8] {
    var bytes = message
    for _ in 0..<Int.random(in: 1...3, using: &random) {
      guard !bytes.isEmpty else { break }
      let place = Int.random(in: 0..<bytes.count, using: &random)
      switch Int.random(in: 0..<7, using: &random) {
      case 0: bytes[place] = UInt8.random(in: 1...255, using: &random)
      case 1: bytes.remove(at: place)
      case 2: bytes.insert(UInt8.random(in: 1...255, using: &random), at: place)
      case 3: bytes.removeLast(bytes.count - place)
      case 4: bytes += bytes[place...]
      case 5:
        let word = [#""x":1,"#, "null", "-1", "1e9", "[", "{", #"\u0000"#, #"\ud800"#, "true"]
        bytes.insert(contentsOf: word[place % word.count].utf8, at: place)
      default: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
      }
    }
    return bytes.filter { $0 != 0 }
  }

  /// Calls of every kind that may change something, or not.
  private static let seeds: [[UInt8]] = {
    let calls =
      InterfaceTests.calls.map { ($0.method, $0.parameters) } + [
        ("Membership.Watch", #"{"account":"u1","since":0}"#),
        ("Catalog.Import", #"{"text":"{}","source":"x"}"#),
        ("Clocks.Accept", #"{"clock":"system"}"#),
      ]
    return calls.map { World.message("org.renewd.\($0.0)", json($0.1)).dropLast() }
  }()

  @Test("Three thousand damaged calls: no trap, an answer to each, and a sound state after them")
  func damagedCalls() throws {
    var random = SeededGenerator(seed: 0xf022)
    let daemon = try TestDaemon()
    try daemon.buy("u1", "monthly")
    let client = daemon.world.connect(uid: 0)
    for _ in 0..<3_000 {
      if !client.isConnected { daemon.world.reconnect(client) }
      let seed = Self.seeds[Int.random(in: 0..<Self.seeds.count, using: &random)]
      let message = mutate(seed, &random)
      daemon.world.send(message + [0], from: client)
      daemon.world.settleNew()
      let replies = client.takeReplies()
      #expect(!replies.isEmpty || isSilent(message), "\(String(decoding: message, as: UTF8.self))")
      if replies.contains(where: \.continues) { daemon.world.disconnect(client) }
    }
    #expect(client.malformedCount == 0)
    #expect(daemon.world.exitStatus == nil)
    let sequence = try daemon.call("Log.Describe").int("sequence")
    #expect(try daemon.call("Log.Verify").int("events") == sequence)
    try daemon.restart()
    #expect(try daemon.call("Log.Describe").int("sequence") == sequence)
  }

  /// Whether a message that was damaged still asks for no answer: a watch from the log's end, or
  /// a oneway call.
  private func isSilent(_ message: [UInt8]) -> Bool {
    let text = String(decoding: message, as: UTF8.self)
    return text.contains("Watch") || text.contains("oneway")
  }

  @Test("A refused call leaves every byte of the state as it was")
  func refusalsChangeNothing() throws {
    var random = SeededGenerator(seed: 0x5afe)
    let daemon = try TestDaemon()
    let id = try daemon.buy("u1", "monthly")
    func state() -> [UInt8] {
      var bytes: [UInt8] = []
      daemon.world.engine?.state.encodeSnapshot(into: &bytes)
      return bytes
    }
    let client = daemon.world.connect(uid: 0)
    var refused = 0
    for _ in 0..<1_500 {
      if !client.isConnected { daemon.world.reconnect(client) }
      let seed = Self.seeds[Int.random(in: 0..<Self.seeds.count, using: &random)]
      let text = String(decoding: seed, as: UTF8.self).replacing("$1", with: id)
      let before = state()
      daemon.world.send(mutate(Array(text.utf8), &random) + [0], from: client)
      daemon.world.settleNew()
      let replies = client.takeReplies()
      if replies.count == 1, replies[0].error != nil {
        refused += 1
        #expect(state() == before, "\(replies[0].error ?? "")")
      }
      if replies.contains(where: \.continues) { daemon.world.disconnect(client) }
    }
    #expect(refused > 1_000)
  }
}
