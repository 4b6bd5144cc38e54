import Engine
import EventLog
import Subscriptions

/// Turns of the loop, in the order of the real shell: one reading of the clocks, what the writer
/// and the reader have finished, what came in, the engine's end of the turn, its outputs, and
/// what it has to send.
extension World {
  /// One turn. Nothing where the daemon does not run.
  public func turn() {
    guard let engine, exitStatus == nil else { return }
    turnCount += 1
    step(.turn(machine.reading), engine)
    takeReports(engine)
    for client in clients { takeBytes(of: client, engine) }
    if isReloadAsked {
      isReloadAsked = false
      step(.reloaded(configuration), engine)
    }
    step(.end, engine)
    finishTurn(engine)
  }

  func finishTurn(_ engine: Engine) {
    performWanted(engine)
    _ = engine.takeDirty()
    for client in clients { send(to: client, engine) }
    // What has gone out may let connections close.
    performWanted(engine)
    if exitStatus != nil { endConnections() }
  }

  /// Turns until nothing is under way any more; no time passes but a millisecond a turn where
  /// the world is chaotic.
  public func settle() {
    var turns = 0
    while isBusy {
      turn()
      turns += 1
      precondition(turns < Limits.turnsMax, "the world does not come to rest")
    }
  }

  /// Whether another turn would do something by itself.
  public var isBusy: Bool {
    guard let engine, exitStatus == nil else { return false }
    if engine.hasMoreWork || isReloadAsked { return true }
    if let writer, !writer.isIdle { return true }
    if let reader, !reader.isIdle { return true }
    return clients.contains { client in
      client.isConnected
        && (!client.outgoing.isEmpty && canReceive(client, engine)
          || client.takenPerTurn != 0 && waitingByteCount(for: client) > 0)
    }
  }

  private func canReceive(_ client: SimulatedClient, _ engine: Engine) -> Bool {
    !client.isKnownToEngine || engine.isReading(client.connection)
  }

  /// Bytes that the daemon holds for a client and may send.
  public func waitingByteCount(for client: SimulatedClient) -> Int {
    guard let engine, client.isKnownToEngine else { return 0 }
    return engine.withOutput(of: client.connection, \.count) ?? 0
  }

  // MARK: What comes in

  private func takeReports(_ engine: Engine) {
    if let report = writer?.step() {
      switch report {
      case .written(let summary, let receipt):
        reader?.extend(summary)
        durableSequence = summary.end.sequence
        step(.written(summary, receipt), engine)
      case .failed(let batch, let error):
        lastFailed = batch.lastSequence
        step(.failed(batch, error), engine)
      }
    }
    if writer?.batch == nil, let spares = writer?.replenish() {
      step(.spares(spares.count, lack: spares.lack), engine)
    }
    for (id, result) in reader?.step() ?? [] { step(.read(id, result), engine) }
  }

  private func takeBytes(of client: SimulatedClient, _ engine: Engine) {
    guard client.isConnected else { return }
    if !client.isKnownToEngine {
      client.isKnownToEngine = true
      step(.connected(client.connection, client.peer), engine)
    }
    guard !client.outgoing.isEmpty, engine.isReading(client.connection) else { return }
    var count = min(client.outgoing.count, Limits.socketByteCount)
    if options.isChaotic, Int.random(in: 0..<3, using: &random) == 0 {
      count = Int.random(in: 1...count, using: &random)
    }
    step(.received(client.connection, client.outgoing, count: count), engine)
    client.outgoing.removeFirst(count)
  }

  /// How many turns late something is.
  private func delay() -> Int {
    guard options.isChaotic, Bool.random(using: &random) else { return 0 }
    return Int.random(in: 0...Limits.delayTurnsMax, using: &random)
  }

  // MARK: What goes out

  /// Tells the engine what came in; what it wants done waits for its place in the turn.
  func step(_ input: Input, _ engine: Engine) {
    let found = engine.step(input)
    recording?.note(input, found)
    wanted += found
  }

  private func performWanted(_ engine: Engine) {
    let found = wanted
    wanted.removeAll()
    for output in found {
      switch output {
      case .write(let batch):
        batch.bytes.withUnsafeBytes { outputs.add($0) }
        writer?.write(batch, afterTurns: delay())
      case .read(let id, let request):
        reader?.read(id, request, afterTurns: delay())
      case .wake(let instant):
        wake = instant?.milliseconds
      case .status(let text):
        status = text
        outputs.add(text)
      case .notice(let notice):
        outputs.add(notice.message)
        if notices.count < Limits.noticesMax { notices.append(notice) }
      case .close(let id):
        if let client = clients.first(where: { $0.isConnected && $0.connection == id }) {
          send(to: client, engine)
          close(client, engine)
        }
      case .reload:
        isReloadAsked = true
      case .exit(let code):
        exitStatus = code
        outputs.add(UInt64(bitPattern: Int64(code)))
      }
    }
  }

  private func send(to client: SimulatedClient, _ engine: Engine) {
    guard client.isConnected, client.isKnownToEngine else { return }
    var countMax = client.takenPerTurn ?? Limits.socketByteCount
    guard countMax > 0 else { return }
    if options.isChaotic, Int.random(in: 0..<4, using: &random) == 0 {
      countMax = Int.random(in: 1...countMax, using: &random)
    }
    let sent = engine.withOutput(of: client.connection) { bytes in
      let count = client.take(bytes, atMost: countMax)
      let taken = UnsafeRawBufferPointer(rebasing: bytes[0..<count])
      outputs.add(UInt64(client.number))
      outputs.add(taken)
      recording?.sends(taken)
      return count
    }
    if let sent { step(.sent(client.connection, count: sent), engine) }
  }

  func close(_ client: SimulatedClient, _ engine: Engine) {
    step(.gone(client.connection), engine)
    client.end()
  }

  private func endConnections() {
    for client in clients { client.end() }
  }
}
