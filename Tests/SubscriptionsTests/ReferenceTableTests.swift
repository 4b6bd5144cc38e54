import Subscriptions
import TestSizes
import Testing

/// The rules against the reference table, everywhere that six commands lead, each given at once,
/// in the middle of what began just then, when the next thing falls due, or past everything: within
/// a period, at its very end, in grace, at its end, in billing retry and long after.
///
/// Places are the same where the table and the rules say the same of them and of their future, and
/// are gone on from once. In all there are some 23,800 places and 414,000 steps. `everything` gives
/// all commands in every order, three deep. With `RENEWD_SOAK=2` it goes six deep as well, to
/// 1,205,188 places in 20,165,340 steps: four minutes of a release build, and all agree.
@Suite("One subscription, explored whole")
struct ReferenceTableTests {
  /// Commands that bear on each other, to be given in every order.
  struct Family: CustomTestStringConvertible {
    var name: String
    var commands: [ReferenceTable.Command]
    var depth = TestSize.times(6, quick: 3)
    /// How many different places it has at least, and how often a command is given at one of
    /// them; without a grace period, which is less.
    var places: Int
    var steps: Int
    var testDescription: String { name }

    /// Where it leads.
    func phases(graceDays: Int) -> Set<ReferenceTable.Phase> {
      var phases: Set<ReferenceTable.Phase> = [.none, .active, .expired]
      if commands.contains(.refund) { phases.insert(.revoked) }
      guard commands.contains(.chargesFail) else { return phases }
      return phases.union(graceDays > 0 ? [.grace, .retry] : [.retry])
    }
  }

  static let families = [
    Family(
      name: "billing and plans",
      commands: [
        .buyGold, .buyRose, .buyPlain, .buyLong, .turnOff, .turnOn, .chargesFail,
        .chargesSucceed, .resolve, .expire, .renew,
      ], places: 462, steps: 14_080),
    Family(
      name: "refunds and billing",
      commands: [
        .buyGold, .buyPlain, .turnOff, .turnOn, .chargesFail, .chargesSucceed, .resolve, .refund,
        .reverse, .request, .decline, .expire, .renew, .restore,
      ], places: 384, steps: 12_992),
    Family(
      name: "offers, plans and billing",
      commands: [
        .buyGold, .buyPlain, .buyLong, .promoteGold, .promotePlain, .enterCode, .winBack,
        .turnOff, .chargesFail, .resolve, .renew,
      ], places: 1187, steps: 37_818),
    Family(
      name: "prices, sale and plans",
      commands: [
        .buyGold, .buyPlain, .announceAsking, .announceTelling, .agree, .disagree, .removePlain,
        .importAgain, .turnOff, .turnOn, .chargesFail, .resolve, .renew,
      ], places: 1715, steps: 48_100),
    Family(
      name: "extensions, refunds and billing",
      commands: [
        .buyPlain, .buyLong, .extend, .turnOff, .chargesFail, .resolve, .refund, .reverse,
        .renew, .attach,
      ], places: 2984, steps: 37_990),
    Family(
      name: "a family, plans, refunds and billing",
      commands: [
        .buyGold, .buyRose, .share, .unshare, .refund, .reverse, .turnOff, .chargesFail,
        .resolve, .expire,
      ], places: 791, steps: 12_180),
    Family(
      name: "asking to buy",
      commands: [.buyGold, .buyPlain, .askOn, .askOff, .approve, .refuse, .turnOff, .expire],
      places: 1080, steps: 9_448),
    Family(
      name: "interruptions",
      commands: [
        .buyGold, .buyPlain, .askOn, .interruptOn, .interruptOff, .complete, .approve, .expire,
      ], places: 3157, steps: 20_392),
    Family(
      name: "dated back",
      commands: [
        .buyDated, .buyDatedOnce, .buyGold, .buyPlain, .turnOff, .turnOn, .chargesFail, .resolve,
        .renew, .refund,
      ], places: 191, steps: 4_820),
    Family(
      name: "everything", commands: ReferenceTable.Command.allCases,
      depth: TestSize.soakFactor > 1 ? 6 : TestSize.times(3, quick: 2),
      places: 3216, steps: 34_359),
  ]

  /// Grace makes no difference where nobody fails to pay.
  static let cases: [(family: Family, graceDays: Int)] = families.flatMap { family in
    let isPaid = !family.commands.contains(.chargesFail) || family.name == "everything"
    return (isPaid ? [3] : [0, 3]).map { (family, $0) }
  }

  @Test("Six commands deep, the rules and the table agree", arguments: cases)
  func explore(family: Family, graceDays: Int) throws {
    var layer = [try ReferencePlace(graceDays: graceDays)]
    var known: Set<UInt64> = []
    var phases: Set<ReferenceTable.Phase> = []
    var steps = 0
    for _ in 0..<family.depth {
      var found: [ReferencePlace] = []
      for var place in layer {
        place.begin()
        let start = place.world.log.count
        for days in place.table.waits {
          let waited = try place.waited(days)
          guard waited.agrees(since: start) else { continue }
          phases.insert(waited.table.phase)
          for command in family.commands {
            steps += 1
            guard case .done(let next) = waited.step(command) else { continue }
            guard next.agrees(since: start) else { continue }
            if known.insert(next.identity).inserted { found.append(next) }
          }
        }
      }
      layer = found
    }
    guard !TestSize.isQuick else {
      #expect(known.count > 50 && steps > 300)
      return
    }
    #expect(known.count >= family.places && steps >= family.steps, "\(known.count), \(steps)")
    if TestSize.soakFactor > 1 { print("\(family): \(known.count) places, \(steps) steps") }
    // Three commands end in no billing retry.
    #expect(family.depth == 3 || phases == family.phases(graceDays: graceDays))
  }
}
