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

  @Test("A planted bug is found", arguments: [Plant.chainMonths, .dropEvent, .longGrace])
  func findsPlants(plant: Plant) {
    let isFound = (1...20).contains { seed in
      let options = SimulationOptions(seed: UInt64(seed), plant: plant)
      return SimulationRun.run(options).violation != nil
    }
    #expect(isFound)
  }
}
