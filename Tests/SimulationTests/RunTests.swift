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

  @Test("A crash comes in the midst of what reaches many lines, and it goes on after the restart")
  func resumesSweeps() {
    let isReached = (1...40).contains { seed in
      var options = SimulationOptions(seed: UInt64(seed), steps: 60)
      options.isCrowded = true
      let outcome = SimulationRun.run(options)
      #expect(outcome.violation == nil)
      return outcome.resumedSweepCount > 0
    }
    #expect(isReached)
  }

  @Test("Runs come to everything that the workload knows")
  func reachesEverything() {
    var missing = Set(ModelCommand.methods)
    for seed in 1...80 where !missing.isEmpty {
      var options = SimulationOptions(seed: UInt64(seed))
      options.isCrowded = false
      let outcome = SimulationRun.run(options)
      #expect(outcome.violation == nil)
      missing.subtract(outcome.done.keys)
    }
    #expect(missing == [])
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
