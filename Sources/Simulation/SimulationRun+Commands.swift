import JSON

/// Asking, with crashes in between: a command is asked again under the same request id until it
/// is answered, and has its effect once.
extension SimulationRun {
  private struct Asked {
    var command: ModelCommand
    var caller: Int
    var id: String
    var reply: Reply?

    var parameters: JSONValue {
      .members(command.parameters + [("requestId", .string(id))])
    }
  }

  /// Carries commands out at once: each by a caller of its own, when they must not touch one
  /// another, or pipelined by one caller, in their order.
  func execute(
    _ commands: [ModelCommand], mayCrash: Bool, isPipelined: Bool = false, isRetry: Bool = false
  ) throws(Violation) {
    var asked: [Asked] = []
    for (number, command) in commands.enumerated() {
      let caller = isPipelined ? 0 : number
      requestCount += 1
      commandCount += 1
      let id = "r\(requestCount)"
      say("\(id) \(command.text)")
      asked.append(Asked(command: command, caller: caller, id: id))
    }
    try connectCallers()
    // A poll under way may be answered after these.
    polled?.isSure = false
    for call in asked { ask(call) }
    var turnsUntilCrash = mayCrash ? Int.random(in: 0..<12, using: &random) : Int.max
    var waits = 0
    while asked.contains(where: { $0.reply == nil }) {
      if turnsUntilCrash == 0 {
        try crash()
        try connectCallers()
        for call in asked where call.reply == nil { ask(call) }
        turnsUntilCrash = chance(1, in: 4) ? 3 : Int.max
      }
      turnsUntilCrash -= 1
      if !world.isBusy, !callers.contains(where: { !$0.isKnownToEngine }) {
        try waitForSpace(&waits)
      }
      world.turn()
      try listen()
      try take(&asked)
      try poll(besides: asked.map(\.command))
      if world.exitStatus != nil {
        try recover()
        try connectCallers()
        for call in asked where call.reply == nil { ask(call) }
      }
    }
    for call in asked { try settle(call) }
    try catchUpWithClock()
    try retry(asked.filter { $0.reply?.error == "org.renewd.DiskFull" }, isRetry: isRetry)
  }

  /// Segments of a simulated log are so small that a burst uses up all that are kept ready, and
  /// is refused as on a full disk: a moment later there is space again, or the disk is full.
  private func retry(_ refused: [Asked], isRetry: Bool) throws(Violation) {
    guard let first = refused.first, !wasFull else { return }
    try Violation.unless(
      !isRetry, "\(first.id) was refused for want of space, and there is some")
    world.settle()
    for call in refused { try execute([call.command], mayCrash: false, isRetry: true) }
  }

  private func ask(_ call: Asked) {
    world.send(call.command.method, call.parameters, from: callers[call.caller])
  }

  private func connectCallers() throws(Violation) {
    for caller in callers { attach(caller) }
  }

  /// Nothing moves and answers are missing: they wait for the disk, and time must pass.
  private func waitForSpace(_ waits: inout Int) throws(Violation) {
    waits += 1
    try Violation.unless(
      waits < 10 && world.disk.faults.byteCountMax != nil || waits < 4,
      "a call is not answered and nothing is under way")
    if waits == 3 { world.disk.faults.byteCountMax = nil }
    world.machine.pass(Limits.spaceMilliseconds)
  }

  private func take(_ asked: inout [Asked]) throws(Violation) {
    for index in asked.indices where asked[index].reply == nil {
      guard let reply = callers[asked[index].caller].takeReply() else { continue }
      if reply.error == "org.renewd.LogFailed" {
        // Nobody knows what became of it: it is asked again, unless the daemon leaves, at once.
        try auditFailure(of: callers[asked[index].caller], asked[index].id)
        if callers[asked[index].caller].isConnected { ask(asked[index]) }
        continue
      }
      asked[index].reply = reply
      if let sequence = reply.int("sequence") ?? reply.int("lastSequence") {
        acknowledged = max(acknowledged, UInt64(sequence))
        try Violation.unless(
          UInt64(sequence) <= world.durableSequence || world.plant != nil,
          "\(asked[index].id) was answered with \(sequence), "
            + "and \(world.durableSequence) is durable")
      }
    }
  }

  /// Holds an answer against what the model expects.
  private func settle(_ call: Asked) throws(Violation) {
    guard let reply = call.reply else { return }
    guard reply.error != "org.renewd.DiskFull" else { return }
    let expected = model.perform(call.command)
    try Violation.unless(
      reply.error == expected.error,
      "\(call.id) came to \(reply.error ?? "success") \(reply.parameters.compactText), "
        + "and the model expects "
        + "\(expected.error ?? "success")")
    guard reply.error == nil else { return }
    // What did nothing is not remembered, and may come to something else when asked again.
    if expected.at != nil {
      answered.append((call.caller, call.id, call.command, reply))
      done[call.command.method, default: 0] += 1
    }
    if case .advance(_, let target) = call.command, expected.at != nil {
      try Violation.unless(
        reply.int("events") == Int64(expected.due),
        "\(call.id) did \(reply.int("events") ?? -1) things, and \(expected.due) were due")
      try Violation.unless(
        reply["clock"]?["now"]?.int64Value == target, "\(call.id) ended at another time")
    }
    if let counts = expected.counts { try settle(call, counts, reply) }
    if case .buy(let account, let product, _, _, _, _) = call.command {
      // A change that waits for the next renewal is answered with the present transaction.
      let own = model.accounts[account]?.lines.filter { $0.source == nil } ?? []
      let wanted = own.last { $0.change == product }?.last.product ?? product
      let sold = reply["transaction"]?["productId"]?.stringValue ?? "nothing"
      try Violation.unless(
        expected.isWaiting == (reply["pendingId"] != nil),
        "\(call.id) waits or does not, and the model thinks otherwise")
      try Violation.unless(
        expected.isWaiting || sold == wanted, "\(call.id) sold \(sold), and not \(wanted)")
    }
  }

  /// How many lines a command for everybody reached.
  private func settle(
    _ call: Asked, _ counts: [Int64], _ reply: Reply
  ) throws(Violation) {
    var told: [Int64] = counts
    if case .raisePrice = call.command { told[0] = reply.int("subscriptions") ?? -1 }
    if case .extendAll = call.command {
      told = [reply.int("succeeded") ?? -1, reply.int("failed") ?? -1]
    }
    try Violation.unless(
      told == counts, "\(call.id) reached \(told) subscriptions, and the model's \(counts)")
  }

  /// Asks an answered command again: the answer is the first one.
  func repeatRequest() throws(Violation) {
    guard let first = answered.last(where: { _ in chance(1, in: 3) }) ?? answered.last else {
      return
    }
    guard !model.store.fails(first.command) else { return }
    say("\(first.id) again")
    let members = first.command.parameters + [("requestId", JSONValue.string(first.id))]
    let again = try ask(first.command.method, members, from: callers[first.caller])
    for key in [
      "transaction", "events", "firstSequence", "lastSequence", "subscriptions", "succeeded",
      "failed",
      "pendingId", "result",
    ] {
      let changing: Set = ["finished"]
      let left = Self.stable(first.reply[key], without: changing)
      let right = Self.stable(again[key], without: changing)
      try Violation.unless(
        left == right, "\(first.id) was answered \(key) \(left), and again \(right)")
    }
  }

  private static func stable(_ value: JSONValue?, without changing: Set<String>) -> String {
    guard let object = value?.objectValue else { return value?.compactText ?? "-" }
    return object.members.filter { !changing.contains($0.key) }
      .map { "\($0.key)=\($0.value.compactText)" }.joined(separator: " ")
  }
}
