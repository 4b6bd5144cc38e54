/// What happens next, by the seed.
extension SimulationRun {
  func takeStep() throws(Violation) {
    if world.exitStatus != nil { try recover() }
    if !wasFull { world.disk.faults.byteCountMax = nil }
    switch Int.random(in: 0..<100, using: &random) {
    case 0..<58: try commandStep()
    case 58..<68: try timeStep()
    case 68..<72: try crash()
    case 72..<75: try repeatRequest()
    case 75..<76: failDisk()
    case 76..<77: fillDisk()
    case 77..<79: try clockStep()
    case 79..<80: try reboot()
    case 80..<83: watchStep()
    case 83..<85: try snapshot()
    case 85..<87: try auditFolds()
    case 87..<89: try auditClocks()
    default: try audit(account: pick(accounts))
    }
  }

  private func timeStep() throws(Violation) {
    let minutes = pick([1, 60, 600, 1_440, 10_080, 45_000]) as Int64
    let milliseconds = Int64.random(in: 1...minutes, using: &random) * 60_000
    if chance(1, in: 3) { try suspend(milliseconds) } else { try passTime(milliseconds) }
  }

  private func clockStep() throws(Violation) {
    if held > 0, chance(1, in: 2) { return try acceptClock() }
    let hours = pick([-2_000, -30, -1, 1, 30, 47, 49, 800]) as Int64
    // A step back is written down, so that time does not go back over a restart; a disk that
    // fails just then may lose it.
    guard !wasFull, !(isDiskFailing && hours < 0) else { return }
    try stepClock(hours * 3_600_000)
  }

  private func watchStep() {
    let index = Int.random(in: 0..<watches.count, using: &random)
    let client = watches[index].client
    if chance(1, in: 2), client.isConnected {
      say("watch \(index) goes away and comes back")
      world.disconnect(client)
      beginWatch(index)
    } else {
      client.takenPerTurn = client.takenPerTurn == nil ? Limits.slowByteCount : nil
    }
  }

  // MARK: Commands

  private func commandStep() throws(Violation) {
    if !crowd.isEmpty, !wasFull, chance(1, in: 4) {
      return try execute([chooseForCrowd()], mayCrash: true)
    }
    guard let first = chooseCommand() else { return }
    var commands = [first]
    if !isDiskFailing, !wasFull, chance(1, in: 5) {
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        // What is chosen behind a reset would be about what the reset has emptied.
        if case .reset = commands[commands.count - 1] { break }
        if let next = chooseCommand() { commands.append(next) }
      }
      // What came to nothing is not remembered: asked again behind a later one that did not, it
      // could come to something. So only what cannot touch another is crashed into.
      let isApart = commands.indices.allSatisfy { index in
        commands[..<index].allSatisfy { areApart($0, commands[index]) }
      }
      return try execute(commands, mayCrash: isApart && chance(1, in: 2), isPipelined: true)
    }
    if chance(1, in: 3), let second = chooseCommand(), areApart(first, second) {
      commands.append(second)
    }
    try execute(commands, mayCrash: !wasFull && chance(1, in: first.isForAll ? 2 : 6))
  }

  /// Whether two commands cannot touch one another.
  private func areApart(_ first: ModelCommand, _ second: ModelCommand) -> Bool {
    guard first.account != nil, second.account != nil else { return false }
    return kin(of: first).isDisjoint(with: kin(of: second))
  }

  /// The accounts that a command may touch.
  func kin(of command: ModelCommand) -> Set<String> {
    var names = [command.account ?? ""]
    if case .share(_, let member) = command { names.append(member) }
    return Set(names.flatMap { model.store.family(of: $0) })
  }

  private func chooseCommand() -> ModelCommand? {
    let account = !crowd.isEmpty && chance(1, in: 6) ? pick(crowd) : pick(accounts)
    switch Int.random(in: 0..<54, using: &random) {
    case 0..<8: return chooseBuy(account)
    case 8..<12: return choosePlan(account) ?? chooseBuy(account)
    case 12..<20: return chooseAdvance()
    case 20: return chooseNewClock()
    case 21..<23: return .attach(account: account, clock: pick(model.clockNames))
    case 23: return chance(1, in: 6) ? .reset : nil
    case 24..<28: return chooseSharing(account)
    case 28..<32: return chooseForAll()
    case 32..<36: return chooseWaiting(account)
    default: return chooseChange(account)
    }
  }

  /// The crowd comes in: everybody buys the same, or nearly.
  func gatherCrowd() throws(Violation) {
    for start in stride(from: 0, to: crowd.count, by: Limits.crowdBurst) {
      let commands = crowd[start...].prefix(Limits.crowdBurst).map { account in
        ModelCommand.buy(
          account: account, product: chance(1, in: 8) ? pick(shop.wares).id : "monthly",
          quantity: 1, clock: nil, date: nil, cancelled: false)
      }
      try execute(commands, mayCrash: false, isPipelined: true)
    }
  }

  private func chooseBuy(_ account: String) -> ModelCommand {
    let product = pick(shop.wares + [Shop.Ware("nothing", .consumable, price: 0)])
    let now = model.now(of: account)
    let isDated = chance(1, in: 8)
    let age = Int64.random(in: -1...200, using: &random) * ModelCalendar.dayMilliseconds
    return .buy(
      account: account, product: product.id,
      quantity: chance(1, in: 8) ? Int64.random(in: 0...11, using: &random) : 1,
      clock: chance(1, in: 4) ? pick(model.clockNames) : nil,
      date: isDated ? now - age : nil, cancelled: isDated && chance(1, in: 2))
  }

  /// What reaches most of a crowd, and takes several writes.
  private func chooseForCrowd() -> ModelCommand {
    guard !chance(1, in: 3) else {
      return .extendAll(
        product: "monthly", days: Int64.random(in: 1...90, using: &random),
        identifier: "crowd \(requestCount)")
    }
    let price = model.store.rules.shop["monthly"]?.price ?? 0
    return .raisePrice(product: "monthly", price: price + 10, consent: chance(1, in: 6))
  }

  private func chooseAdvance() -> ModelCommand? {
    guard let clock = model.clockNames.filter({ $0 != "system" }).first else {
      return chooseNewClock()
    }
    let name = chance(1, in: 2) ? clock : pick(model.clockNames)
    let days = pick([1, 7, 31, 62, 400]) as Int64
    let span = Int64.random(in: -1...days * 24, using: &random) * 3_600_000
    // Sometimes exactly to the next deadline.
    let next = model.accounts.values.filter { $0.clock == name }.flatMap { $0.lines }
      .compactMap(\.due).min()
    let now = model.clocks[name] ?? 0
    return .advance(clock: name, to: chance(1, in: 3) ? next ?? now + span : now + span)
  }

  private func chooseNewClock() -> ModelCommand {
    let name = pick(["default", "c1", "c2"])
    let now = model.clocks["system"] ?? 0
    let days = Int64.random(in: -20...20, using: &random)
    return .createClock(name: name, time: now + days * ModelCalendar.dayMilliseconds)
  }
}
