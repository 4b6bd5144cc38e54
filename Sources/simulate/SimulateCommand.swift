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

  private struct Options {
    var seed: UInt64?
    var count: UInt64 = 1
    var steps = 120
    var plant: Plant?
    var isTwice = false
  }

  static func run(_ arguments: [String]) -> Never {
    if arguments.count > 1, arguments[1] == "lives" { LivesCommand.run(arguments.dropFirst(2)) }
    guard let options = parse(arguments.dropFirst()), let seed = options.seed else {
      let text = Array((usage + "\n").utf8)
      _ = write(STDERR_FILENO, text, text.count)
      exit(2)
    }
    print(
      "simulate --seed \(seed) --count \(options.count) --steps \(options.steps)"
        + (options.plant.map { " --plant \($0.rawValue)" } ?? "")
        + (options.isTwice ? " --twice" : ""))
    var failures = 0
    for offset in 0..<options.count {
      let run = SimulationOptions(
        seed: seed &+ offset, steps: options.steps, plant: options.plant)
      let outcome = SimulationRun.run(run)
      report(outcome)
      if outcome.violation != nil { failures += 1 }
      if options.isTwice {
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

  private static func parse(_ arguments: ArraySlice<String>) -> Options? {
    var options = Options()
    var rest = arguments
    while let name = rest.popFirst() {
      if name == "--twice" {
        options.isTwice = true
        continue
      }
      guard let value = rest.popFirst() else { return nil }
      switch name {
      case "--seed":
        guard let seed = UInt64(value) else { return nil }
        options.seed = seed
      case "--count":
        guard let count = UInt64(value), count > 0 else { return nil }
        options.count = count
      case "--steps":
        guard let steps = Int(value), steps > 0 else { return nil }
        options.steps = steps
      case "--plant":
        guard let plant = Plant(rawValue: value) else { return nil }
        options.plant = plant
      default:
        return nil
      }
    }
    return options
  }
}
