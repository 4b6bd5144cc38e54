import Engine
import EventLog
import JSON
import Subscriptions

/// One run: a seed makes the world, the commands, the faults and the steps of the clocks; a
/// reference model follows, auditors look on.
///
/// A phase with faults is followed by one without, in which everything due must finish.
public final class SimulationRun {
  let options: SimulationOptions
  let world: World
  let shop = Shop.simulation
  var model: ReferenceModel
  var random: SeededGenerator
  var script: [String] = []
  var step = 0

  /// Two callers of different users, one that polls, and the watches.
  var callers: [SimulatedClient] = []
  var poller: SimulatedClient
  var watches: [(client: SimulatedClient, auditor: WatchAuditor)] = []
  var requestCount = 0
  var commandCount = 0
  var crashCount = 0
  /// Answered commands: their request ids and answers, to be asked again.
  var answered: [(caller: Int, id: String, command: ModelCommand, reply: Reply)] = []
  /// The highest sequence that any answer has shown; for each account, that of its answers.
  var acknowledged: UInt64 = 0
  var shown: [String: UInt64] = [:]
  /// How far the system's clock is held back, as the rule says.
  var held: Int64 = 0
  /// The most that realtime was ahead of boottime in this boot, without what is held: the clock
  /// has been there before, and the way back to it is no leap.
  var driftMax: Int64 = .min
  /// The last step at which the disk may be full.
  var fullUntilStep = -1
  /// The disk has failed once since the daemon started, or will.
  var isDiskFailing = false
  /// What the poller has asked, whether the answer must be yes, and what was shown before.
  var polled: (account: String, isSure: Bool, shown: UInt64)?
  var droppedCount = 0

  /// Few accounts live long lives, many live beside one another.
  let accounts: [String]
  /// In some runs there are many more, so that what reaches all of them takes several writes.
  let crowd: [String]
  /// How often each kind of command did something.
  var done: [String: Int] = [:]

  public init(_ options: SimulationOptions) {
    self.options = options
    random = SeededGenerator(seed: options.seed &* 0x9e37 &+ 0x51)
    var settings = World.Options()
    settings.seed = options.seed
    settings.isChaotic = true
    // Late January: every month-end lies ahead.
    settings.realtime += Int64.random(in: 0..<3, using: &random) * ModelCalendar.dayMilliseconds
    settings.realtime -= Int64.random(in: 0..<86_400, using: &random) * 1_000
    if Bool.random(using: &random) { settings.clock = settings.realtime + 86_400_000 }
    let isChosen = Int.random(in: 0..<Limits.crowdedRunsOneIn, using: &random) == 0
    let isCrowded = options.isCrowded ?? isChosen
    settings.settings = LogSettings(
      segmentByteCount: Bool.random(using: &random) || isCrowded ? 16 << 10 : 64 << 10)
    crowd = isCrowded ? (0..<Limits.crowdCount).map { "u\($0)" } : []
    settings.shop = shop
    accounts = Array(
      ["ann", "bob", "cid", "dot", "eve", "fay"].prefix(Int.random(in: 2...6, using: &random)))
    let policies = Self.choosePolicies(&random, plant: options.plant)
    settings.configuration.policies = policies.store
    world = World(settings)
    world.plant = options.plant
    model = ReferenceModel(
      rules: ModelRules(shop: shop, policies: policies.model), system: settings.realtime)
    if let clock = settings.clock {
      _ = model.perform(.createClock(name: "default", time: clock))
    }
    poller = world.connect(uid: 1001)
    callers = [world.connect(uid: 0), world.connect(uid: 1003)]
  }

  /// The seed's choice of how the store decides, for the store and for the model.
  private static func choosePolicies(
    _ random: inout SeededGenerator, plant: Plant?
  ) -> (store: Policies, model: ModelPolicies) {
    var store = Policies()
    var model = ModelPolicies()
    model.graceDays = [0, 3, 16, 28][Int.random(in: 0..<4, using: &random)]
    store.graceDays = model.graceDays
    if plant == .longGrace { store.graceDays += 1 }
    model.gracesPaidOnly = Bool.random(using: &random)
    store.graceScope = model.gracesPaidOnly ? .paidToPaid : .allRenewals
    model.countsFromPayment = Bool.random(using: &random)
    store.graceRecoveryDate = model.countsFromPayment ? .recoveryTime : .cycleStart
    // A quarter of the runs: the other rule is the one that most people have.
    model.chainsMonths = Int.random(in: 0..<4, using: &random) == 0 && plant != .chainMonths
    store.monthEnd = model.chainsMonths || plant == .chainMonths ? .chained : .anchored
    return (store, model)
  }

  /// Runs to the end, or to the first violation.
  public func run() -> SimulationOutcome {
    var violation: String?
    do throws(Violation) {
      try start(mayFail: false)
      addWatches()
      try gatherCrowd()
      try safetyPhase()
      try livenessPhase()
    } catch {
      violation = error.description
    }
    return SimulationOutcome(
      seed: options.seed, hash: world.outputs, violation: violation, step: step,
      script: script.suffix(Limits.scriptLinesMax), eventCount: world.durableSequence,
      commandCount: commandCount, crashCount: crashCount,
      resumedSweepCount: world.resumedSweepCount, done: done)
  }

  /// One integer, one run.
  public static func run(_ options: SimulationOptions) -> SimulationOutcome {
    SimulationRun(options).run()
  }

  private func safetyPhase() throws(Violation) {
    while step < options.steps {
      step += 1
      try takeStep()
      try listen()
    }
  }

  /// No faults from here on: all that is due is done, everybody catches up, and the whole is held
  /// against the model and the rules.
  private func livenessPhase() throws(Violation) {
    say("no faults from here on")
    world.disk.faults = MemoryDisk.Faults()
    if !world.isRunning || world.exitStatus != nil { try recover() }
    for (client, _) in watches { client.takenPerTurn = nil }
    try passTime(Limits.spaceMilliseconds)
    if held > 0 { try acceptClock() }
    for clock in model.clockNames where clock != "system" {
      let target = (model.clocks[clock] ?? 0) + 40 * ModelCalendar.dayMilliseconds
      try execute([.advance(clock: clock, to: target)], mayCrash: false)
    }
    try passTime(40 * ModelCalendar.dayMilliseconds)
    reconnectAll()
    world.settle()
    try listen()
    try auditEverything()
  }

  // MARK: Words and chance

  func say(_ line: String) {
    script.append("\(step): \(line)")
  }

  func chance(_ one: Int, in all: Int) -> Bool {
    Int.random(in: 0..<all, using: &random) < one
  }

  func pick<Element>(_ elements: [Element]) -> Element {
    elements[Int.random(in: 0..<elements.count, using: &random)]
  }

  // MARK: Watches

  private func addWatches() {
    let all = world.connect(uid: 1001)
    let slow = world.connect(uid: 0)
    let one = world.connect(uid: 1001)
    slow.takenPerTurn = Limits.slowByteCount
    watches = [
      (all, WatchAuditor(account: nil)), (slow, WatchAuditor(account: nil)),
      (one, WatchAuditor(account: accounts[0])),
    ]
    for index in watches.indices { beginWatch(index) }
  }

  func beginWatch(_ index: Int) {
    let client = watches[index].client
    if !client.isConnected { world.reconnect(client) }
    _ = client.takeReplies()
    watches[index].auditor.begin()
    world.send(
      "org.renewd.Membership.Watch", watches[index].auditor.parameters, more: true,
      from: client)
  }

  /// Takes what has come for the watches.
  func listen() throws(Violation) {
    for index in watches.indices {
      for reply in watches[index].client.takeReplies() {
        if options.plant == .dropEvent, reply["event"] != nil {
          droppedCount += 1
          if droppedCount == Limits.plantedEvent { continue }
        }
        if reply.error == "org.renewd.LogFailed", isDiskFailing {
          // A daemon that leaves says so in its last reply; one that could not read goes on.
          world.settle()
          if world.exitStatus == nil { beginWatch(index) }
          break
        }
        try watches[index].auditor.take(reply)
      }
    }
    for client in world.clients where client.malformedCount > 0 {
      throw Violation("client \(client.number) was sent what is no reply")
    }
  }
}
