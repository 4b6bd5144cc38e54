import Simulation
import Subscriptions
import TestSizes
import Testing

/// Lives over the rules alone: they keep the rules, and a bug that is put in is found and cut down
/// to the few commands that show it.
@Suite("Lives over the rules alone")
struct LifeTests {
  @Test("Many lives break no rule", arguments: 0..<8 as Range<UInt64>)
  func lives(part: UInt64) {
    for seed in (part * 25)..<(part * 25 + UInt64(TestSize.times(25, quick: 5))) {
      let outcome = LifeRun.run(Life(seed: seed, stepCount: 60))
      #expect(outcome.violation == nil, "seed \(seed)")
      #expect(outcome.eventCount > 20, "seed \(seed)")
    }
  }

  @Test(
    "Lives that once broke a rule, or the audit of one, break none",
    arguments: [228_572_197, 247_390_170, 1_009_860, 1_410_316, 1_652_609] as [UInt64])
  func found(seed: UInt64) {
    #expect(LifeRun.run(Life(seed: seed, stepCount: 60)).violation == nil)
  }

  @Test("A planted bug is found, and its life cut down", arguments: LifePlant.allCases)
  func planted(plant: LifePlant) throws {
    let seed = try #require(
      (0..<500 as Range<UInt64>).first {
        LifeRun.run(Life(seed: $0, stepCount: 60), plant: plant).violation != nil
      })
    let shortest = LifeRun.shrink(Life(seed: seed, stepCount: 60), plant: plant)
    let outcome = LifeRun.run(shortest, plant: plant)
    #expect(outcome.violation != nil)
    #expect(shortest.steps.count <= 8, "\(outcome.deeds)")
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
    #expect(LifeRun.run(life).deeds == LifeRun.run(Life(seed: 7, stepCount: 60)).deeds)
  }

  @Test("The table of transitions holds all that happens in many lives, and nothing more")
  func transitions() {
    // What happens and is not listed is a violation; and each that is listed happens.
    var missing = StatusTransitions.all
    for seed in 0..<600 as Range<UInt64> where !missing.isEmpty {
      let outcome = LifeRun.run(Life(seed: seed, stepCount: 150))
      #expect(outcome.violation == nil, "seed \(seed)")
      missing.removeAll { outcome.transitions.contains($0) }
    }
    #expect(missing.isEmpty, "listed and did not happen")
  }

  @Test("Every kind of command is done in some lives, and refused in some")
  func commands() {
    var done: Set<String> = []
    var refused: Set<String> = []
    for seed in 0..<80 as Range<UInt64> {
      for deed in LifeRun.run(Life(seed: seed, stepCount: 150)).deeds {
        let verb = Self.verb(deed.words)
        if deed.rejection != nil { refused.insert(verb) } else { done.insert(verb) }
      }
    }
    #expect(Self.verbs.subtracting(done).isEmpty)
    // A switch is never refused, nor is what finds things as it wants them; others hardly ever.
    let free: Set = [
      "advance", "asktobuy", "asktobuy all", "billing fail", "billing fail all", "billing ok",
      "billing ok all", "finish", "interrupt", "interrupt all", "rate", "catalog import",
      "decline", "remove-from-sale", "restore",
    ]
    #expect(Self.verbs.subtracting(free).subtracting(refused).isEmpty)
  }

  /// The words that tell the kinds of command apart.
  private static func verb(_ words: String) -> String {
    let words = words.split(separator: " ")
    let first = String(words[0])
    switch first {
    case "billing", "price":
      return "\(first) \(words[1])" + (words[2] == "--all" ? " all" : "")
    case "extend": return words[1] == "--all" ? "extend all" : "extend"
    case "asktobuy", "interrupt": return words.count == 2 ? "\(first) all" : first
    case "buy": return words.contains("--offer") ? "buy with an offer" : "buy"
    case "clock", "catalog": return "\(first) \(words[1])"
    default: return first
    }
  }

  private static let verbs: Set = [
    "advance", "approve", "asktobuy", "asktobuy all", "billing fail", "billing fail all",
    "billing ok", "billing ok all", "billing resolve", "buy", "buy with an offer", "cancel",
    "catalog import", "clock attach", "decline", "decline-refund", "expire", "extend",
    "extend all", "fault", "finish", "interrupt", "interrupt all", "price announce",
    "price consent", "price decline", "rate", "refund", "remove-from-sale", "renew",
    "request-refund", "resolve", "restore", "resume", "share", "unrefund", "unshare",
  ]
}
