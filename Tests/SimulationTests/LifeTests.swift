import Simulation
import Testing

/// Lives over the rules alone: they keep the rules, and a bug that is put in is found and cut down
/// to the few commands that show it.
@Suite("Lives over the rules alone")
struct LifeTests {
  @Test("Many lives break no rule", arguments: 0..<8 as Range<UInt64>)
  func lives(part: UInt64) {
    for seed in (part * 25)..<(part * 25 + 25) {
      let outcome = LifeRun.run(Life(seed: seed, stepCount: 40))
      #expect(outcome.violation == nil, "seed \(seed)")
      #expect(outcome.eventCount > 20, "seed \(seed)")
    }
  }

  @Test("A planted bug is found, and its life cut down", arguments: LifePlant.allCases)
  func planted(plant: LifePlant) throws {
    let seed = try #require(
      (0..<500 as Range<UInt64>).first {
        LifeRun.run(Life(seed: $0, stepCount: 40), plant: plant).violation != nil
      })
    let shortest = LifeRun.shrink(Life(seed: seed, stepCount: 40), plant: plant)
    let outcome = LifeRun.run(shortest, plant: plant)
    #expect(outcome.violation != nil)
    #expect(shortest.steps.count <= 8, "\(outcome.words)")
    // Nothing more can be left out, and without the bug the same life is well.
    #expect(LifeRun.shrink(shortest, plant: plant).steps == shortest.steps)
    #expect(LifeRun.run(shortest).violation == nil)
    let script = LifeScript.text(of: shortest, plant: plant)
    #expect(script.contains("renewctl run --catalog lives.storekit --clock "))
    #expect(script.contains("\nrenewctl buy u"))
  }

  @Test("The same seed makes the same life")
  func repeatable() {
    let life = Life(seed: 7, stepCount: 60)
    #expect(LifeRun.run(life).words == LifeRun.run(Life(seed: 7, stepCount: 60)).words)
  }
}
