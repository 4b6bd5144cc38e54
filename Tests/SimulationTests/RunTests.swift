import Simulation
import Testing

@Suite("Random runs")
struct RunTests {
  @Test("A run comes to no violation, and to the same bytes again", arguments: 1...4)
  func isWellAndRepeatable(seed: UInt64) {
    let first = SimulationRun.run(SimulationOptions(seed: seed))
    #expect(first.violation == nil)
    #expect(first.commandCount > 0)
    #expect(SimulationRun.run(SimulationOptions(seed: seed)) == first)
  }

  @Test("Runs come to everything that the workload knows, and crash in the midst of what is long")
  func reachesEverything() {
    var missing = Set(ModelCommand.methods)
    var resumedSweepCount = 0
    for seed in 1...120 where !missing.isEmpty || resumedSweepCount == 0 {
      let outcome = SimulationRun.run(SimulationOptions(seed: UInt64(seed)))
      #expect(outcome.violation == nil)
      missing.subtract(outcome.done.keys)
      resumedSweepCount += outcome.resumedSweepCount
    }
    #expect(missing == [])
    #expect(resumedSweepCount > 0)
  }

  @Test("A planted bug is found", arguments: [Plant.chainMonths, .dropEvent, .longGrace])
  func findsPlants(plant: Plant) {
    let isFound = (1...20).contains { seed in
      let options = SimulationOptions(seed: UInt64(seed), plant: plant)
      return SimulationRun.run(options).violation != nil
    }
    #expect(isFound)
  }
}
