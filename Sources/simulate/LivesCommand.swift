import Glibc
import Simulation

/// `simulate lives`: lives that seeds make up, over the rules alone; without disk or socket, so a
/// million of them are lived in minutes.
enum LivesCommand {
  static let usage = """
    usage: simulate lives --seed N [--count M] [--steps S] [--plant NAME] [--script]

    Lives M lives (1 unless said) from seed N on, each of S steps (60 unless said), and audits each
    event. The first that breaks a rule is cut down to the shortest that still does, and printed as
    a shell script that renewctl run lives again. --script prints the life of seed N so, whole and
    with what is refused. --plant puts a bug in on purpose:
    \(LifePlant.allCases.map(\.rawValue).joined(separator: ", ")).

    Exit status: 0 all is well, 1 something that must never happen did, 2 usage.
    example: simulate lives --seed 1 --count 20000
    """

  static func run(_ arguments: ArraySlice<String>) -> Never {
    guard let options = Options<LifePlant>(arguments, steps: 60, flag: "--script") else {
      Options<LifePlant>.refuse(usage)
    }
    if options.hasFlag {
      let life = Life(seed: options.seed, stepCount: options.steps)
      print(LifeScript.text(of: life, plant: options.plant, withRefusals: true))
      exit(0)
    }
    var events = 0
    var done = 0
    var refused = 0
    for offset in 0..<options.count {
      let life = Life(seed: options.seed &+ offset, stepCount: options.steps)
      let outcome = LifeRun.run(life, plant: options.plant)
      events += outcome.eventCount
      done += outcome.deeds.count { $0.rejection == nil }
      refused += outcome.deeds.count { $0.rejection != nil }
      guard let violation = outcome.violation else { continue }
      print("# seed \(options.seed &+ offset): \(violation)")
      let shortest = LifeRun.shrink(life, plant: options.plant)
      print(LifeScript.text(of: shortest, plant: options.plant))
      exit(1)
    }
    print(
      "\(options.count) lives, \(done) commands and \(refused) refused, \(events) events: well")
    exit(0)
  }
}
