import Engine
import EventLog
import JSON
import Subscriptions

/// Holding the daemon's answers against the model, its log against the rules, and its states
/// against one another.
extension SimulationRun {
  /// A call that must be answered, whatever happens to the daemon meanwhile.
  func ask(
    _ method: String, _ parameters: [(String, JSONValue)] = [],
    from caller: SimulatedClient? = nil
  ) throws(Violation) -> Reply {
    let caller = caller ?? callers[0]
    if world.exitStatus != nil { try recover() }
    attach(caller)
    let reply = world.call(caller, method, .members(parameters))
    guard let reply, reply.error != "org.renewd.LogFailed" else {
      try auditFailure(of: caller, method)
      if world.exitStatus != nil { try recover() }
      return try ask(method, parameters, from: caller)
    }
    try Violation.unless(reply.error == nil, "\(method) was refused: \(reply.error ?? "")")
    return reply
  }

  // MARK: The model

  /// An account's answers now, at a moment in its past, and at one to come.
  func audit(account: String) throws(Violation) {
    say("audit of \(account)")
    let now = model.now(of: account)
    let status = try ask("org.renewd.Membership.Status", [("account", .string(account))])
    try audit(status, of: account, at: now, "status")
    let check = try ask("org.renewd.Membership.Check", [("account", .string(account))])
    try Violation.unless(
      check.flag("entitled") == status.flag("entitled"), "Check and Status differ on \(account)")
    let history = try transactions(of: account, until: nil)
    try compare(
      Portrait.history(history), Portrait.history(model.account(account, at: now)),
      "history of \(account)")
    try auditIDs(history)
    try audit(waitingOf: account)
    let days = Int64.random(in: 1...500, using: &random)
    let future = now + days * ModelCalendar.dayMilliseconds
    let later = try ask(
      "org.renewd.Membership.Status", [("account", .string(account)), ("at", .int(future))])
    try audit(later, of: account, at: future, "forecast")
    try compare(
      Portrait.history(try transactions(of: account, until: future)),
      Portrait.history(model.account(account, at: future)), "forecast history of \(account)")
    guard let first = history.compactMap({ $0["purchaseDate"]?.int64Value }).min(), first < now
    else { return }
    let past = Int64.random(in: first - 1...now, using: &random)
    let earlier = try ask(
      "org.renewd.Membership.Status", [("account", .string(account)), ("at", .int(past))])
    try audit(earlier, of: account, at: past, "past status")
  }

  private func audit(
    _ reply: Reply, of account: String, at time: Int64, _ what: String
  ) throws(Violation) {
    try Violation.unless(
      reply.int("asOf") == time,
      "the \(what) of \(account) is as of \(reply.int("asOf") ?? -1), and the model's at \(time)")
    try noteShown(reply, of: account)
    try compare(
      Portrait.status(reply),
      Portrait.status(model.account(account, at: time), at: time, shop: shop),
      "\(what) of \(account) at \(time)")
    for item in reply.list("subscriptions") {
      let status = item["status"]?.int64Value ?? 0
      try Violation.unless(
        item["entitled"]?.boolValue == (status == 1 || status == 4), "entitled is not 1 or 4")
    }
  }

  /// What waits for an account, oldest first.
  private func audit(waitingOf account: String) throws(Violation) {
    let listed = try waiting(of: account).map {
      "\($0["productId"]?.stringValue ?? "") \($0["quantity"]?.int64Value ?? 0) "
        + "\($0["reason"]?.stringValue ?? "")"
    }
    let known = model.accounts[account]?.waiting ?? []
    try compare(
      listed, known.map { "\($0.product) \($0.quantity) \($0.reason.rawValue)" },
      "what waits for \(account)")
  }

  private func waiting(of account: String) throws(Violation) -> [JSONValue] {
    guard model.accounts[account] != nil else { return [] }
    return try ask("org.renewd.Testing.Pending", [("account", .string(account))])
      .list("purchases")
  }

  func waitingIDs(of account: String) -> [String] {
    ((try? waiting(of: account)) ?? []).compactMap { $0["pendingId"]?.stringValue }
  }

  private func compare(
    _ daemon: [String], _ model: [String], _ what: String
  ) throws(Violation) {
    if let difference = Portrait.difference(daemon: daemon, model: model) {
      throw Violation("\(what)\n  \(difference)")
    }
  }

  /// Answers about an account never go back, and never show what could be lost.
  func noteShown(
    _ reply: Reply, of account: String, since asked: UInt64? = nil
  ) throws(Violation) {
    guard let sequence = reply.int("sequence").map({ UInt64($0) }) else { return }
    let before = asked ?? shown[account] ?? 0
    try Violation.unless(
      sequence >= before,
      "an answer about \(account) went back from \(before) to \(sequence)")
    try Violation.unless(
      sequence <= world.durableSequence || world.plant != nil,
      "an answer shows \(sequence), and \(world.durableSequence) is durable")
    shown[account] = max(shown[account] ?? 0, sequence)
    acknowledged = max(acknowledged, sequence)
  }

  func transactions(of account: String, until: Int64?) throws(Violation) -> [JSONValue] {
    var found: [JSONValue] = []
    var from: String?
    repeat {
      var parameters: [(String, JSONValue)] = [("account", .string(account))]
      if let from { parameters.append(("from", .string(from))) }
      if let until { parameters.append(("until", .int(until))) }
      let page = try ask("org.renewd.Membership.History", parameters)
      found += page.list("transactions")
      from = page.text("next")
    } while from != nil
    return found
  }

  /// The ids of an account's transactions: of each subscription in the order in which they were
  /// begun, and of what was bought outside one.
  func transactionIDs(of account: String) -> (lines: [[String]], purchases: [String]) {
    guard let all = try? transactions(of: account, until: nil) else { return ([], []) }
    var ids: (lines: [[String]], purchases: [String]) = ([], [])
    for line in Portrait.lines(all) {
      let list = line.items.map { $0["transactionId"]?.stringValue ?? "" }
      if line.id == .max { ids.purchases = list } else { ids.lines.append(list) }
    }
    return ids
  }

  private func auditIDs(_ history: [JSONValue]) throws(Violation) {
    var last: UInt64 = 0
    for item in history {
      let id = item["transactionId"]?.stringValue.flatMap { UInt64($0) } ?? 0
      try Violation.unless(id > last, "transaction ids do not rise in a history: \(id)")
      last = id
    }
  }

  // MARK: Polls

  /// Somebody polls all the while: nobody who pays is ever turned away, and no answer goes back.
  func poll(besides commands: [ModelCommand]) throws(Violation) {
    guard world.exitStatus == nil, poller.isConnected else { return }
    // An answer may come late, when the next commands have had their effects already.
    if let known = polled, isTouched(known.account, by: commands) { polled?.isSure = false }
    for reply in poller.takeReplies() {
      guard let (account, isSure, before) = polled else { continue }
      polled = nil
      guard reply.error == nil else { continue }
      try noteShown(reply, of: account, since: before)
      try Violation.unless(
        !isSure || reply.flag("entitled") == true,
        "\(account) has a subscription that renews, and is told not to be entitled")
    }
    guard polled == nil, chance(1, in: 4) else { return }
    let account = pick(accounts)
    // A history goes the long way, through the log's reader, and must not hold up the rest.
    let isHistory = chance(1, in: 4)
    let isSure = !isTouched(account, by: commands) && isSureOfRenewal(account)
    polled = (account, isSure && !isHistory, shown[account] ?? 0)
    world.send(
      isHistory ? "org.renewd.Membership.History" : "org.renewd.Membership.Check",
      .members([("account", .string(account))]), from: poller)
  }

  /// Whether a subscription may be taken away by one of the commands: by a reset, a refund and
  /// the like; time alone does not.
  private func isTouched(_ account: String, by commands: [ModelCommand]) -> Bool {
    commands.contains { command in
      if case .advance = command { return false }
      return command.account == nil || kin(of: command).contains(account)
    }
  }

  /// Whether the account has a subscription that goes on, whatever time passes.
  private func isSureOfRenewal(_ account: String) -> Bool {
    guard let known = model.accounts[account], !known.fails else { return false }
    return known.lines.contains { line in
      line.renews && line.trouble == nil && line.consent != false
        && !model.store.rules.isWithdrawn(line.nextProduct)
        && line.due ?? 0 > model.now(of: account)
    }
  }

  // MARK: Clocks and deadlines

  /// Each clock shows the model's time, and what it says is due next is the earliest of all lines.
  func auditClocks() throws(Violation) {
    say("audit of the clocks")
    let reply = try ask("org.renewd.Clocks.List")
    var names: [String] = []
    for item in reply.list("clocks") {
      guard let name = item["name"]?.stringValue else { continue }
      names.append(name)
      try Violation.unless(
        item["now"]?.int64Value == model.clocks[name],
        "clock \(name) is at \(item["now"]?.int64Value ?? -1), "
          + "and the model's at \(model.clocks[name] ?? -1)")
      let due = model.accounts.values.filter { $0.clock == name }.flatMap { $0.lines }
        .compactMap(\.due).min()
      try Violation.unless(
        item["nextDue"]?.int64Value == due,
        "clock \(name) says that \(item["nextDue"]?.int64Value ?? -1) is due next, "
          + "and the model \(due ?? -1)")
      try auditQueue(of: name, shows: due)
      if name == "system" {
        try Violation.unless(
          item["held"]?.boolValue == (held > 0), "the system's clock is not held as it should be")
      }
    }
    try Violation.unless(names.sorted() == model.clockNames, "the clocks are \(names)")
  }

  /// The deadline that the queue comes to is the earliest of those that the lines have.
  private func auditQueue(of clock: String, shows due: Int64?) throws(Violation) {
    guard let engine = world.engine, let number = engine.state.clock(named: clock) else { return }
    let (state, terms) = (engine.state, engine.configuration.policies.terms)
    let earliest = state.lines[Int(state.firstLiveLine)...]
      .filter { state.accounts[$0.account].clock == number }
      .compactMap { $0.deadline(terms)?.time.milliseconds }.min()
    try Violation.unless(
      earliest == due,
      "clock \(clock)'s queue comes to \(due ?? -1), and its lines to \(earliest ?? -1)")
  }

  // MARK: Folds

  func snapshot() throws(Violation) {
    say("a snapshot")
    guard !wasFull, world.disk.faults.failures.isEmpty else { return }
    guard chance(1, in: 3) else {
      _ = try ask("org.renewd.Log.Snapshot")
      return
    }
    // A crash while it is written leaves the old one, or none, and never half of one.
    attach(callers[0])
    world.send("org.renewd.Log.Snapshot", from: callers[0])
    for _ in 0..<Int.random(in: 1..<6, using: &random) { world.turn() }
    try crash()
  }

  /// `advance(a); advance(b)` is `advance(a + b)`: two copies of the world, one clock, two ways.
  func auditSplit() throws(Violation) {
    guard let clock = model.clockNames.filter({ $0 != "system" }).randomly(using: &random),
      let now = model.clocks[clock]
    else { return }
    say("audit of an advance in two")
    let end = now + Int64.random(in: 2...400, using: &random) * ModelCalendar.dayMilliseconds
    let next = model.accounts.values.filter { $0.clock == clock }.flatMap { $0.lines }
      .compactMap(\.due).min()
    let middle = chance(1, in: 2) ? next ?? now + 1 : Int64.random(in: now...end, using: &random)
    let whole = try portraits(after: [end], of: clock)
    let split = try portraits(after: [min(middle, end), end], of: clock)
    try compare(split, whole, "advance of \(clock) to \(middle) and \(end)")
  }

  private func portraits(after targets: [Int64], of clock: String) throws(Violation) -> [String] {
    let twin = world.twin(seed: 3)
    do throws(LogError) {
      try twin.start()
    } catch {
      throw Violation("a copy of the log cannot be opened: \(error)")
    }
    let client = twin.connect()
    for target in targets {
      let reply = twin.call(
        client, "org.renewd.Clocks.Advance",
        .members([("clock", .string(clock)), ("to", .int(target))]))
      try Violation.unless(
        reply != nil && reply?.error == nil, "an advance of a copy came to \(reply?.error ?? "")")
    }
    var lines: [String] = []
    for account in accounts where model.accounts[account]?.clock == clock {
      for method in ["Status", "History"] {
        let reply = twin.call(
          client, "org.renewd.Membership.\(method)", .members([("account", .string(account))]))
        guard let reply else { throw Violation("a copy does not answer") }
        lines +=
          method == "Status"
          ? Portrait.status(reply) : Portrait.history(reply.list("transactions"))
      }
    }
    return lines
  }

  /// The state that lives, the one folded from the log, and the one from a snapshot are one.
  func auditFolds() throws(Violation) {
    say("audit of the folds")
    world.settle()
    guard let engine = world.engine, world.exitStatus == nil,
      engine.state.sequence == world.durableSequence
    else { return }
    let live = bytes(of: engine.state, like: engine.state)
    let withSnapshot = world.disk.copy(seed: 1)
    let withoutSnapshot = world.disk.copy(seed: 1)
    for name in withoutSnapshot.names where name.hasPrefix("snapshot") {
      withoutSnapshot.discard(name)
    }
    for (disk, what) in [(withSnapshot, "a snapshot"), (withoutSnapshot, "the log")] {
      let recovered: Recovered<MemoryDisk>
      do throws(LogError) {
        recovered = try Recovery.open(
          disk, settings: world.options.settings, newIdentity: LogIdentity(low: 0, high: 0))
      } catch {
        throw Violation("a copy of the log cannot be opened: \(error)")
      }
      try Violation.unless(
        bytes(of: recovered.state.state, like: engine.state) == live,
        "the state folded from \(what) is not the one that lives")
    }
  }

  /// The state's bytes; the system's clock, which moves without events, is the other's.
  private func bytes(of state: State, like other: State) -> [UInt8] {
    let copy = state.copy()
    copy.setSystemTime(other.clocks[0].now, earliestDeadline: .never)
    var bytes: [UInt8] = []
    copy.encodeSnapshot(into: &bytes)
    return bytes
  }

  // MARK: The end

  func auditEverything() throws(Violation) {
    for account in accounts { try audit(account: account) }
    for _ in 0..<min(Limits.crowdAudited, crowd.count) { try audit(account: pick(crowd)) }
    try auditClocks()
    try auditFolds()
    try auditSplit()
    let log = try readLog()
    try LogAuditor.audit(log, rules: model.rules)
    for (_, auditor) in watches { try auditor.audit(against: log) }
    for (_, auditor) in watches where auditor.account == nil {
      try Violation.unless(
        auditor.cursor == log.last?.sequence, "a watch did not come to the end of the log")
    }
    for answer in answered {
      let isThere = log.contains { $0.requestID == answer.id }
      let last = answer.reply.int("sequence") ?? 0
      try Violation.unless(
        isThere || last <= Int64(log.count), "\(answer.id) was acknowledged and is not in the log")
    }
    let verified = try ask("org.renewd.Log.Verify")
    try Violation.unless(
      verified["damage"] == nil, "the log is damaged: \(verified.text("damage") ?? "")")
    try Violation.unless(
      world.disk.syncsAfterFailure == 0, "a file was synced again after a failed sync")
  }

  private func readLog() throws(Violation) -> [LogEntry] {
    var log: [LogEntry] = []
    var next: Int64? = 1
    while let from = next {
      let page = try ask("org.renewd.Log.Read", [("from", .int(from))])
      for event in page.list("events") {
        guard let entry = LogEntry(event) else { throw Violation("an event without a sequence") }
        log.append(entry)
      }
      next = page.int("next")
    }
    return log
  }
}

extension Array {
  /// One of the elements; nil where there is none.
  func randomly(using random: inout SeededGenerator) -> Element? {
    isEmpty ? nil : self[Int.random(in: 0..<count, using: &random)]
  }
}
