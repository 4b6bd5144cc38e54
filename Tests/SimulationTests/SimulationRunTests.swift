import Simulation
import TestSizes
import Testing

@Suite("Simulated lives")
struct SimulationRunTests {
  @Test("Ten seeds (quick: two) come out well", arguments: 1...UInt64(TestSize.times(10, quick: 2)))
  func comesOutWell(seed: UInt64) {
    let outcome = SimulationRun.run(SimulationOptions(seed: seed, steps: 60))
    #expect(outcome.violation == nil, "\(outcome.script.joined(separator: "\n"))")
    #expect(outcome.eventCount > 3)
  }

  @Test(
    "Seeds that once found a fault come out well",
    // A leap right after a boot of which the log knew nothing yet.
    arguments: [111_242_698])
  func found(seed: UInt64) {
    let outcome = SimulationRun.run(SimulationOptions(seed: seed))
    #expect(outcome.violation == nil, "\(outcome.script.joined(separator: "\n"))")
  }

  @Test("The same seed gives the same bytes, replies and notices twice; another seed others")
  func isRepeatable() {
    let first = SimulationRun.run(SimulationOptions(seed: 5, steps: 60))
    #expect(SimulationRun.run(SimulationOptions(seed: 5, steps: 60)) == first)
    #expect(SimulationRun.run(SimulationOptions(seed: 6, steps: 60)).hash != first.hash)
  }

  @Test("A planted bug is found within a few seeds", arguments: Plant.allCases)
  func findsPlants(plant: Plant) {
    let found = (UInt64(1)...40).contains { seed in
      SimulationRun.run(SimulationOptions(seed: seed, plant: plant)).violation != nil
    }
    #expect(found, "the tester is broken: it does not find \(plant.rawValue)")
  }
}
