import Simulation
import TestSizes
import Testing

/// What the runs must come to, or they would show nothing.
@Suite(
  "What simulated runs reach", .disabled(if: TestSize.isQuick, "whole runs are the whole check's"))
struct ReachTests {
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
}
