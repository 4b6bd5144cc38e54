import TestSizes
import Testing

@testable import Subscriptions

/// Properties of the fold over lives that seeds make up.
@Suite("The fold, over random lives")
struct StateTests {
  static let seeds: [UInt64] = Array(1...8)
  static let commandsPerLife = 400

  @Test(
    "Folding the log again gives the state, and so does every record's round trip", arguments: seeds
  )
  func foldsAgain(seed: UInt64) throws {
    var life = try RandomLife(seed: seed)
    try life.live(Self.commandsPerLife)
    let world = life.world
    #expect(life.refused < Self.commandsPerLife / 2, "the lives hardly live")
    #expect(world.log.count > Self.commandsPerLife)

    let folded = State()
    let decoded = State()
    let quick = State()
    for (index, event) in world.log.enumerated() {
      folded.apply(event, position: UInt64(index))
      let base = EventFormat.Base(
        time: event.at.milliseconds &- 1000, transactionID: Limits.firstTransactionID)
      var read = try #require(roundTrip(event, base: base))
      decoded.complete(&read, at: UInt64(index) + 1)
      decoded.apply(read, position: UInt64(index))
      if var line = roundTripOfLine(event, base: base) {
        quick.complete(&line.fact, at: UInt64(index) + 1)
        #expect(Event(line) == event)
        #expect(quick.accepts(line))
        quick.apply(line, position: UInt64(index))
      } else {
        quick.apply(read, position: UInt64(index))
      }
    }
    #expect(folded.fingerprint == world.state.fingerprint)
    #expect(decoded.fingerprint == world.state.fingerprint)
    #expect(quick.fingerprint == world.state.fingerprint)
  }

  @Test("An account's history, read back from the log, agrees with the state", arguments: seeds)
  func historyAgrees(seed: UInt64) throws {
    var life = try RandomLife(seed: seed)
    try life.live(Self.commandsPerLife)
    let state = life.world.state
    for number in 0..<AccountNumber(state.accounts.count) {
      let history = try readBack(number, of: life.world)
      var lines: [LineNumber: Line] = [:]
      state.forEachLine(of: number) { lineNumber, line in
        var line = copy line
        line.nextOfAccount = noNumber
        line.isGranting = false
        lines[lineNumber] = line
      }
      #expect(history.lines.count == lines.count)
      for (lineNumber, var line) in history.lines {
        line.isGranting = false
        #expect(lines[lineNumber] == line)
      }
      try checkEntries(history, account: number, world: life.world)
    }
  }

  private func readBack(
    _ number: AccountNumber, of world: ScenarioWorld
  ) throws -> AccountHistory {
    var history = AccountHistory()
    for (index, event) in world.log.enumerated() where event.fact.account == number {
      let base = EventFormat.Base(
        time: event.at.milliseconds, transactionID: Limits.firstTransactionID)
      var read = try #require(roundTrip(event, base: base))
      world.state.complete(&read, at: UInt64(index) + 1)
      #expect(read == event)
      history.apply(read)
    }
    return history
  }

  private func checkEntries(
    _ history: AccountHistory, account: AccountNumber, world: ScenarioWorld
  ) throws {
    let state = world.state
    // Newest transactions stand in the state too, and are the same there.
    for (number, line) in history.lines {
      let entry = try #require(history.entry(id: line.transaction.id))
      #expect(entry.transaction == line.transaction)
      #expect(entry.line == number)
    }
    state.forEachPurchase(of: account) { purchase in
      #expect(history.entry(id: purchase.transaction.id)?.transaction == purchase.transaction)
    }
    // Ids are given out once, in order; a line's periods follow one another.
    let ids = history.entries.map(\.transaction.soldID)
    #expect(ids == ids.sorted())
    #expect(Set(ids).count == ids.count)
    // Bought anew after a refund that is reversed later, periods may overlap.
    let paidLate = transactions(of: .recovered, in: world).union(forcedLate(in: world))
    let givenBack = transactions(of: .refundReversed, in: world)
    for (number, _) in history.lines {
      let periods = history.entries.filter { $0.line == number }.map(\.transaction)
      for (period, next) in zip(periods, periods.dropFirst()) {
        #expect(next.originalID == periods[0].soldID)
        if next.reason == .renewal, !paidLate.contains(next.soldID) {
          #expect(period.expiresDate == next.purchaseDate)
        }
        if period.revocation == nil, !period.isUpgraded, !givenBack.contains(period.soldID) {
          #expect(period.expiresDate <= next.purchaseDate)
        }
      }
    }
  }

  /// Renewals that were forced in billing trouble: they begin when they were forced.
  private func forcedLate(in world: ScenarioWorld) -> Set<UInt64> {
    var inTrouble: Set<LineNumber> = []
    var ids: Set<UInt64> = []
    for event in world.log {
      guard case .line(let kind, let fact) = event.fact else { continue }
      if kind == .renewed, inTrouble.contains(fact.line), let id = fact.transaction?.soldID {
        ids.insert(id)
      }
      if fact.statusAfter == .gracePeriod || fact.statusAfter == .billingRetry {
        inTrouble.insert(fact.line)
      } else {
        inTrouble.remove(fact.line)
      }
    }
    return ids
  }

  private func transactions(of kind: LineKind, in world: ScenarioWorld) -> Set<UInt64> {
    var ids: Set<UInt64> = []
    for event in world.log {
      guard case .line(kind, let fact) = event.fact, let id = fact.transaction?.soldID else {
        continue
      }
      ids.insert(id)
    }
    return ids
  }

  @Test(
    "Invariants: one intro a group, renewals at their deadline, nothing left undone",
    arguments: seeds)
  func invariants(seed: UInt64) throws {
    var life = try RandomLife(seed: seed)
    var seen = 0
    for _ in 0..<Self.commandsPerLife {
      try life.step()
      let state = life.world.state
      for event in life.world.log[seen...] { check(event, state) }
      seen = life.world.log.count
      for account in 0..<AccountNumber(state.accounts.count) {
        let now = state.now(of: account)
        state.forEachLine(of: account) { _, line in
          let isDone = line.deadline.map { $0.time > now } ?? true
          if !isDone { Issue.record("a thing left undone: \(line)") }
        }
      }
    }
    try checkOffers(life.world)
  }

  private func check(_ event: Event, _ state: State) {
    guard case .line(let kind, let fact) = event.fact else { return }
    switch kind {
    case .renewed:
      #expect(fact.transaction?.purchaseDate == event.at)
      #expect(fact.statusAfter == .active)
    case .expired:
      if fact.renewal?.expirationIntent != .billingError {
        #expect(fact.renewal?.renewalDate == event.at)
      }
      #expect(fact.statusAfter == .expired)
    default:
      break
    }
    if let transaction = fact.transaction {
      #expect(transaction.expiresDate >= transaction.purchaseDate)
      #expect(transaction.price >= 0)
    }
  }

  private func checkOffers(_ world: ScenarioWorld) throws {
    var used: [[UInt32]: Set<UInt64>] = [:]
    for event in world.log {
      guard case .line(_, let fact) = event.fact, let transaction = fact.transaction,
        transaction.offer?.kind == .introductory
      else { continue }
      // Pay as you go has several transactions; they begin with one purchase.
      guard transaction.reason == .purchase else { continue }
      used[[fact.account, fact.group], default: []].insert(transaction.soldID)
    }
    #expect(!used.isEmpty)
    for ids in used.values { #expect(ids.count == 1) }
  }

  @Test("A forecast is what then happens", arguments: seeds)
  func forecasts(seed: UInt64) throws {
    var life = try RandomLife(seed: seed)
    try life.live(150)
    for round in 0..<Int64(4) {
      try life.live(30)
      let state = life.world.state
      for number in 0..<AccountNumber(state.accounts.count) {
        let until = state.now(of: number).advanced(byDays: 30 + 90 * round)
        let forecast = try state.forecast(
          account: number, until: until, policies: life.world.policies)
        var copy = life.world.copy()
        try copy.advance(RandomLife.clocks[Int(state.accounts[number].clock) - 1], to: until)
        let happened = copy.log[life.world.log.count...].filter {
          $0.fact.account == number
        }
        #expect(forecast.events.map(withoutIDs) == happened.map(withoutIDs))
        for (lineNumber, line) in forecast.lines {
          #expect(withoutIDs(line) == withoutIDs(copy.state.lines[Int(lineNumber)]))
        }
      }
    }
  }

  @Test("Alone on its clock, a customer's forecast gives even the ids that come")
  func forecastIDs() throws {
    var world = try ScenarioWorld()
    try world.makeClock(Clock.defaultName, at: .at("2025-01-01T00:00:00Z"))
    for product in ["weekly", "monthly", "trial.m", "payg.m"] { try world.perform(.buy(product)) }
    try world.perform(.off())
    let until = try Instant.at("2025-06-01T00:00:00Z")
    let forecast = try world.state.forecast(account: 0, until: until, policies: world.policies)
    let start = world.log.count
    try world.advance(to: until)
    let happened = world.log[start...].filter { $0.fact.account == 0 }
    #expect(forecast.events == Array(happened))
  }

  @Test("A forecast too far ahead is refused")
  func forecastTooFar() throws {
    var world = try ScenarioWorld()
    try world.makeClock(Clock.defaultName, at: .at("2000-01-01T00:00:00Z"))
    try world.perform(.buy("weekly"))
    let policies = world.policies
    #expect(throws: Rejection.forecastTooFar) {
      try world.state.forecast(account: 0, until: .at("2200-01-01T00:00:00Z"), policies: policies)
    }
  }

  @Test("advance(a); advance(b) gives the same facts as advance(b)", arguments: seeds)
  func advanceSplits(seed: UInt64) throws {
    var life = try RandomLife(seed: seed)
    try life.live(200)
    var chance = SeededGenerator(seed: seed)
    for name in RandomLife.clocks {
      var once = life.world.copy()
      var often = life.world.copy()
      let now = life.world.state.clocks[Int(life.world.state.clock(named: name)!)].now
      let target = now.advanced(byDays: 500)
      try once.advance(name, to: target)
      var stop = now
      while stop < target {
        let step = Int64.random(in: 1...(40 * Instant.millisecondsPerDay), using: &chance)
        stop = min(target, stop.advanced(byMilliseconds: step))
        try often.advance(name, to: stop)
      }
      #expect(once.state.fingerprintWithoutPlaces == often.state.fingerprintWithoutPlaces)
      #expect(facts(once, from: life.world.log.count) == facts(often, from: life.world.log.count))
    }
  }

  private func facts(_ world: ScenarioWorld, from start: Int) -> [Event] {
    world.log[start...].filter { $0.fact.account != noNumber }
  }

  @Test("A reset empties the store for its customers; ids and sequence go on")
  func reset() throws {
    var life = try RandomLife(seed: 5)
    try life.live(200)
    var world = life.world
    let old = world.state.copy()
    world.append(Event(at: old.clocks[0].now, clock: Clock.system, fact: .log(.reset)))
    #expect(world.state.sequence == old.sequence + 1)
    #expect(world.state.nextTransactionID == old.nextTransactionID)
    for account in RandomLife.accounts {
      #expect(world.state.accounts.find(Array(account.utf8)) == nil)
    }
    for line in world.state.lines.indices {
      #expect(world.state.deadline(of: LineNumber(line), world.policies.terms) == nil)
    }
    life.world = world
    try life.live(200)
    world = life.world
    let folded = State()
    for (index, event) in world.log.enumerated() { folded.apply(event, position: UInt64(index)) }
    #expect(folded.fingerprint == world.state.fingerprint)
    let alive = RandomLife.accounts.compactMap { world.state.accounts.find(Array($0.utf8)) }
    #expect(!alive.isEmpty)
    #expect(alive.allSatisfy { Int($0) >= old.accounts.count })
  }

  @Test("A snapshot gives the same state, and so does folding on from one", arguments: seeds)
  func snapshots(seed: UInt64) throws {
    var life = try RandomLife(seed: seed)
    try life.live(Self.commandsPerLife / 2)
    if seed % 3 == 0 {
      life.world.append(
        Event(at: Instant(milliseconds: 0), clock: Clock.system, fact: .log(.reset)))
    }
    var bytes: [UInt8] = []
    life.world.state.encodeSnapshot(into: &bytes)
    let restored = try #require(bytes.withUnsafeBytes { State(snapshot: $0) })
    #expect(restored.fingerprint == life.world.state.fingerprint)
    let start = life.world.log.count
    try life.live(Self.commandsPerLife / 2)
    for index in start..<life.world.log.count {
      restored.apply(life.world.log[index], position: UInt64(index))
    }
    #expect(restored.fingerprint == life.world.state.fingerprint)
    for name in ["weekly", "lifetime", "nothing"] {
      #expect(restored.product(id: name) == life.world.state.product(id: name))
    }
    for account in RandomLife.accounts {
      let key = Array(account.utf8)
      #expect(restored.accounts.find(key) == life.world.state.accounts.find(key))
    }
  }

  @Test("A snapshot cut short or garbled gives no state, or one, but never traps")
  func damagedSnapshots() throws {
    var life = try RandomLife(seed: 3)
    try life.live(60)
    var bytes: [UInt8] = []
    life.world.state.encodeSnapshot(into: &bytes)
    for count in 0..<bytes.count {
      let isState = bytes[..<count].withUnsafeBytes { State(snapshot: $0) != nil }
      #expect(!isState, "cut to \(count) of \(bytes.count)")
    }
    var chance = SeededGenerator(seed: 3)
    for _ in 0..<TestSize.times(3000, quick: 300) {
      var garbled = bytes
      for _ in 0..<Int.random(in: 1...4, using: &chance) {
        garbled[Int.random(in: 0..<bytes.count, using: &chance)] = .random(
          in: .min ... .max, using: &chance)
      }
      _ = garbled.withUnsafeBytes { State(snapshot: $0) }
    }
  }

  @Test(
    "Events that do not fit are found before they are folded; none of the rest traps",
    arguments: seeds)
  func strangeEvents(seed: UInt64) throws {
    var life = try RandomLife(seed: seed)
    try life.live(150)
    var random = RandomFacts(seed: seed)
    var chance = SeededGenerator(seed: seed)
    let base = EventFormat.Base(time: 0, transactionID: Limits.firstTransactionID)
    let state = State()
    var folded = 0
    var refused = 0
    for event in life.world.log {
      #expect(state.accepts(event))
      state.apply(event, position: 0)
    }
    for _ in 0..<4000 {
      // A record of this log, changed in a few places, or one made up whole.
      let old = life.world.log.randomElement(using: &chance)!
      let made = random.flip() ? old : random.event(old.fact.kind)
      var bytes: [UInt8] = []
      EventFormat.encode(made, into: &bytes, base: base)
      for _ in 0..<Int.random(in: 0...2, using: &chance) {
        bytes[Int.random(in: 0..<bytes.count, using: &chance)] = .random(
          in: 0...255, using: &chance)
      }
      let decoded = bytes.withUnsafeBytes {
        EventFormat.decode(tag: made.fact.kind.tag, payload: $0, base: base)
      }
      guard var event = decoded, event.fact.kind != .log(.reset) else { continue }
      state.complete(&event, at: state.sequence + 1)
      if state.accepts(event) {
        state.apply(event, position: 0)
        folded += 1
      } else {
        refused += 1
      }
    }
    #expect(folded > 300)
    #expect(refused > 300)
  }

  @Test("Members are the accounts that something entitles", arguments: seeds)
  func members(seed: UInt64) throws {
    var life = try RandomLife(seed: seed)
    for _ in 0..<8 {
      try life.live(50)
      let state = life.world.state
      var members = 0
      for account in 0..<AccountNumber(state.accounts.count) {
        let now = state.now(of: account)
        var isEntitled = false
        state.forEachLine(of: account) { _, line in
          if line.status(at: now).entitles { isEntitled = true }
        }
        state.forEachPurchase(of: account) { purchase in
          let type = state.products[Int(purchase.transaction.product)].entry.type
          if type == .nonConsumable, purchase.transaction.revocation == nil { isEntitled = true }
        }
        if isEntitled { members += 1 }
      }
      #expect(state.members == members)
    }
  }

  @Test("A line is found by its original id, and by no other")
  func lineByOriginalID() throws {
    var life = try RandomLife(seed: 9)
    try life.live(Self.commandsPerLife)
    let state = life.world.state
    try #require(state.lines.count > 10)
    var originals: Set<UInt64> = []
    for (number, line) in state.lines.enumerated() {
      #expect(state.line(originalID: line.transaction.originalID) == LineNumber(number))
      originals.insert(line.transaction.originalID)
    }
    for id in (Limits.firstTransactionID - 1)...state.nextTransactionID
    where !originals.contains(id) {
      #expect(state.line(originalID: id) == nil)
    }
  }
}

/// An event written to bytes and read back.
func roundTrip(_ event: Event, base: EventFormat.Base) -> Event? {
  var bytes: [UInt8] = []
  EventFormat.encode(event, into: &bytes, base: base)
  return bytes.withUnsafeBytes {
    EventFormat.decode(tag: event.fact.kind.tag, payload: $0, base: base)
  }
}

/// The same by the way that lines' events go alone; nil where the event has to go the other way.
private func roundTripOfLine(_ event: Event, base: EventFormat.Base) -> LineEvent? {
  guard case .line(let kind, let fact) = event.fact, event.caller == nil else { return nil }
  let line = LineEvent(at: event.at, clock: event.clock, kind: kind, fact: fact)
  var bytes: [UInt8] = []
  EventFormat.encode(event, into: &bytes, base: base)
  var same: [UInt8] = []
  EventFormat.encode(line, into: &same, base: base)
  #expect(bytes == same)
  let read = bytes.withUnsafeBytes {
    EventFormat.decodeLine(tag: kind.rawValue, payload: $0, base: base)
  }
  #expect((read != nil) == (kind == .renewed || kind == .expired))
  return read
}

/// An event without the ids that other accounts' renewals shift.
private func withoutIDs(_ event: Event) -> Event {
  guard case .line(let kind, var fact) = event.fact else { return event }
  fact.transaction?.id = 0
  fact.transaction?.webOrderLineItemID = 0
  var event = event
  event.fact = .line(kind, fact)
  return event
}

private func withoutIDs(_ line: Line) -> Line {
  var line = line
  line.transaction.id = 0
  line.transaction.webOrderLineItemID = 0
  // The state's own count of members, which a forecast has no part in.
  line.isGranting = false
  return line
}

extension State.Facts {
  /// See `fingerprintWithoutPlaces`.
  mutating func forgetPlaces() {
    sequence = 0
    for number in 0..<AccountNumber(accounts.count) {
      accounts[number].lastPosition = 0
      accounts[number].lastSequence = 0
    }
    for clock in clocks.indices {
      clocks[clock].advanceSequence = 0
      clocks[clock].advanceEvents = 0
      clocks[clock].lastSequence = 0
    }
  }
}
