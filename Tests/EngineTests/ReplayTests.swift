import Engine
import Simulation
import Testing

/// The same inputs give the same outputs, and the same bytes to send.
@Suite("An engine is a function of its inputs")
struct ReplayTests {
  private func daemon(_ change: (inout World.Options) -> Void = { _ in }) throws -> TestDaemon {
    try TestDaemon {
      $0.isRecorded = true
      change(&$0)
    }
  }

  @Test("All that every method brought in comes to the same in another engine")
  func everyMethod() throws {
    let daemon = try daemon()
    _ = try InterfaceTests.perform(on: daemon)
    _ = daemon.watch(#"{"since":0}"#)
    daemon.world.stop()
    let recording = try #require(daemon.world.recording)
    #expect(recording.count > 500)
    #expect(try World(daemon.world.options).replay(recording) == nil)
  }

  @Test(
    "So does what comes in late, in pieces, after a start on a log that is there", arguments: 1...8)
  func restarted(seed: UInt64) throws {
    let daemon = try daemon {
      $0.seed = seed
      $0.isChaotic = true
    }
    try daemon.buy("u1", "monthly")
    try daemon.call("Clocks.Advance", #"{"by":"P1M"}"#)
    daemon.world.kill()
    let twin = daemon.world.twin(seed: seed)
    try daemon.world.start()
    let client = daemon.world.connect()
    try daemon.call("Membership.History", #"{"account":"u1","signed":true}"#, by: client)
    try daemon.call("Clocks.Advance", #"{"by":"P1Y"}"#, by: client)
    try daemon.call("Membership.Explain", #"{"account":"u1"}"#, by: client)
    let recording = try #require(daemon.world.recording)
    #expect(try twin.replay(recording) == nil)
  }

  @Test("An input that is left out is missed")
  func leftOut() throws {
    let daemon = try daemon()
    try daemon.buy("u1", "monthly")
    try daemon.call("Clocks.Advance", #"{"by":"P1M"}"#)
    let recording = try #require(daemon.world.recording)
    var missed = 0
    for index in 1..<recording.count {
      if try World(daemon.world.options).replay(recording.without(index)) != nil { missed += 1 }
    }
    // Turns in which nothing happens are not missed.
    #expect(missed > 10)
  }
}
