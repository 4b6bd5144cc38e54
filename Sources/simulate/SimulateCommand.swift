import Glibc
import Simulation

/// `simulate`: runs seeds and says for each what came of it.
enum SimulateCommand {
  static let usage = """
    usage: simulate --seed N [--count M] [--steps S] [--plant NAME] [--twice]

    Runs M seeds (1 unless said) from N on, each S steps (120 unless said) with faults and then a
    phase without, and prints a line a seed. --twice runs each seed two times and compares.
    --plant puts a bug in on purpose: \(Plant.allCases.map(\.rawValue).joined(separator: ", ")).

    Exit status: 0 all is well, 1 something that must never happen did, 2 usage.
    example: simulate --seed 1 --count 200
    """

  static func run(_ arguments: [String]) -> Never {
    if arguments.count > 1, arguments[1] == "lives" { LivesCommand.run(arguments.dropFirst(2)) }
    guard let options = Options<Plant>(arguments.dropFirst(), steps: 120, flag: "--twice") else {
      Options<Plant>.refuse(usage)
    }
    print(
      "simulate --seed \(options.seed) --count \(options.count) --steps \(options.steps)"
        + (options.plant.map { " --plant \($0.rawValue)" } ?? "")
        + (options.hasFlag ? " --twice" : ""))
    var failures = 0
    for offset in 0..<options.count {
      let run = SimulationOptions(
        seed: options.seed &+ offset, steps: options.steps, plant: options.plant)
      let outcome = SimulationRun.run(run)
      report(outcome)
      if outcome.violation != nil { failures += 1 }
      if options.hasFlag {
        let again = SimulationRun.run(run)
        guard again == outcome else {
          print("seed \(run.seed): the second run differs: \(again.hash.text)")
          exit(1)
        }
      }
      // One planted bug found is enough.
      if options.plant != nil, failures > 0 { break }
    }
    exit(failures == 0 ? 0 : 1)
  }

  private static func report(_ outcome: SimulationOutcome) {
    defer { fflush(nil) }
    print(
      "seed \(outcome.seed): \(outcome.violation == nil ? "well" : "VIOLATION") "
        + "\(outcome.hash.text) \(outcome.commandCount) commands \(outcome.eventCount) events "
        + "\(outcome.crashCount) crashes"
        + (outcome.resumedSweepCount > 0 ? " \(outcome.resumedSweepCount) sweeps resumed" : ""))
    guard let violation = outcome.violation else { return }
    for line in outcome.script { print("  \(line)") }
    print("  at step \(outcome.step): \(violation)")
  }
}
