import Simulation
import Testing

@Suite("The simulated world")
struct WorldTests {
  @Test("The same seed gives the same outputs twice")
  func isRepeatable() throws {
    func run() throws -> RunningHash {
      var options = World.Options()
      options.isChaotic = true
      options.seed = 7
      let world = World(options)
      try world.start()
      let client = world.connect()
      for _ in 0..<20 { world.call(client, "org.renewd.Daemon.Describe") }
      return world.outputs
    }
    #expect(try run() == run())
  }
}
