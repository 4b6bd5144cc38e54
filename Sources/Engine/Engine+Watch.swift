import Contract
import JSON
import Subscriptions
import Varlink

/// Watches: ordered, without a gap or a repeat, exact at the seam, and slow readers slow nobody.
extension Engine {
  func watch(_ asked: MembershipInterface.Watch, _ call: CallContext) throws(Refusal) -> Outcome {
    guard call.more, !call.session.isMute else { throw .expectedMore }
    let key = try Checked.account(asked.account)
    let filter = key.map { WatchState.Filter.account($0) } ?? .all
    let isSigned = asked.signed == true
    guard let since = asked.since else {
      var watch = present(filter)
      watch.isSigned = isSigned
      startWatch(call.session, watch)
      return .waiting
    }
    guard let cursor = UInt64(exactly: since) else {
      throw .value("since", "a cursor is the sequence of the last event seen; 0 for all")
    }
    guard cursor <= state.sequence else { throw .cursorAhead(state.sequence) }
    var watch = WatchState(cursor: cursor, filter: filter)
    watch.isSigned = isSigned
    startWatch(call.session, watch)
    return .waiting
  }

  /// A watch that begins with the present state. The seam is the log's end now: what the lines
  /// say may be newer, and each says by its own sequence how new.
  private func present(_ filter: WatchState.Filter) -> WatchState {
    var watch = WatchState(cursor: state.sequence, filter: filter)
    watch.seam = state.sequence
    if case .account(let key) = filter {
      if let account = state.accounts.find(key) {
        state.forEachLine(of: account) { number, _ in watch.pendingLines.append(number) }
        watch.pendingLines.reverse()
      }
    } else {
      watch.nextLine = state.firstLiveLine
      watch.endLine = LineNumber(state.lines.count)
    }
    return watch
  }

  func startWatch(_ session: Session, _ state: WatchState) {
    var watch = state
    watch.toldAt = reading.realtime
    session.mode = .watching(watch)
    watchers.append(session.id)
    if watchers.count == 1 { recent.removeAll() }
    feed(session)
  }

  func stopWatch(_ session: Session) {
    session.mode = .serving
    watchers.removeAll { $0 == session.id }
    if watchers.isEmpty { recent.removeAll() }
    addBacklog(session)
  }

  func feedWatches() {
    for id in watchers {
      if let session = sessions[id] { feed(session) }
    }
  }

  /// Sends a watch what it may have now, as far as its reader keeps up.
  private func feed(_ session: Session) {
    guard case .watching(var watch) = session.mode, !watch.isReading, !session.isClosing else {
      return
    }
    sendPresent(session, &watch)
    if watch.seam == nil { sendEvents(session, &watch) }
    beat(session, &watch)
    session.mode = .watching(watch)
    if case .advance(let clock) = watch.filter { endIfAdvanced(session, watch, clock) }
  }

  private func hasRoom(_ session: Session) -> Bool {
    session.unsentBytes < Limits.watchOutputBytesMax
  }

  // MARK: The present state

  private func sendPresent(_ session: Session, _ watch: inout WatchState) {
    guard let seam = watch.seam else { return }
    var sent = 0
    while let line = nextLine(&watch) {
      guard hasRoom(session), sent < Limits.subscriptionsPerTurn else { return }
      guard hasTexts(of: line, for: session, &watch) else { return }
      send(line: line, to: session, watch)
      advance(&watch)
      sent += 1
    }
    guard hasRoom(session) else { return }
    send(session, after: seam) { $0.member("sequence", sequence: seam) }
    watch.seam = nil
    watch.toldCursor = seam
    watch.toldAt = reading.realtime
  }

  /// Whether the App Store's own texts of a line are there, where they are wanted; if not, they are
  /// read, and the watch goes on with the answer.
  private func hasTexts(
    of line: LineNumber, for session: Session, _ watch: inout WatchState
  ) -> Bool {
    guard watch.isSigned else { return true }
    let sequences = textSequences(lines: [line])
    let known = Set(watch.texts.map(\.sequence))
    guard let last = sequences.last, !known.isSuperset(of: sequences) else { return true }
    watch.isReading = true
    ask(.listed(sequences), for: session.id, after: last)
    return false
  }

  private func nextLine(_ watch: inout WatchState) -> LineNumber? {
    // A reset since the seam has emptied the lines before it.
    guard let next = watch.nextLine else {
      watch.pendingLines.removeAll { $0 < state.firstLiveLine }
      return watch.pendingLines.first
    }
    let line = max(next, state.firstLiveLine)
    return line < watch.endLine ? line : nil
  }

  private func advance(_ watch: inout WatchState) {
    if let next = watch.nextLine {
      watch.nextLine = max(next, state.firstLiveLine) + 1
    } else {
      watch.pendingLines.removeFirst()
    }
  }

  private func send(line number: LineNumber, to session: Session, _ watch: WatchState) {
    let line = state.lines[Int(number)]
    let now = state.clocks[Int(state.clock(of: line))].now
    var signed = watch.isSigned ? signedForms(date: now) : nil
    signed?.texts = SignedTexts(watch.texts)
    // One that is nobody's has no events of an account.
    let sequence =
      line.account == noNumber
      ? watch.seam ?? durable : state.accounts[line.account].lastSequence
    send(session, after: sequence) { writer in
      writer.member("sequence", sequence: sequence)
      writer.key("subscription")
      state.writeSubscription(
        number, line, books.terms, at: state.present(for: line, books.terms),
        environment: configuration.environment, signed: signed, into: &writer)
    }
  }

  // MARK: Events

  private func sendEvents(_ session: Session, _ watch: inout WatchState) {
    while watch.cursor < durable, hasRoom(session) {
      guard let stored = recent.event(watch.cursor + 1) else {
        ask(session, &watch)
        return
      }
      watch.cursor += 1
      deliver(stored, to: session, &watch)
    }
  }

  /// Reads on in the log, for a watch that lags behind what is in memory. An account's events
  /// are found along its chain, not by reading everybody's.
  private func ask(_ session: Session, _ watch: inout WatchState) {
    watch.isReading = true
    if case .account(let key) = watch.filter, let account = state.accounts.find(key),
      state.accounts.forgotten == 0, state.accounts[account].lastSequence <= durable
    {
      let record = state.accounts[account]
      guard record.lastSequence > watch.cursor else {
        watch.cursor = durable
        watch.isReading = false
        return
      }
      ask(
        .chain(
          .init(position: record.lastPosition, sequence: record.lastSequence),
          after: watch.cursor, countMax: Limits.eventsPerRead),
        for: session.id, after: record.lastSequence)
      return
    }
    ask(
      .records(from: watch.cursor + 1, last: durable, countMax: Limits.eventsPerRead),
      for: session.id, after: durable)
  }

  /// Takes what the reader found for a watch.
  func take(_ result: ReadResult, into session: Session) {
    guard case .watching(var watch) = session.mode else { return }
    guard case .events(let events) = result else {
      if case .failed(let error) = result { refuse(session, .logUnreadable(error)) }
      close(session)
      return
    }
    guard watch.seam == nil else {
      // Texts for the next line of the present state.
      watch.texts = events
      session.mode = .watching(watch)
      feed(session)
      return
    }
    for var stored in events where stored.sequence > watch.cursor {
      // A slow reader gets the rest by another read, from where it is then.
      guard hasRoom(session) else { break }
      state.complete(&stored.event, at: stored.sequence)
      watch.cursor = stored.sequence
      deliver(stored, to: session, &watch)
    }
    session.mode = .watching(watch)
    feed(session)
  }

  private func deliver(
    _ stored: StoredEvent, to session: Session, _ watch: inout WatchState
  ) {
    guard isWanted(stored.event, by: watch.filter) else { return }
    if case .advance(let clock) = watch.filter {
      deliver(stored, ofAdvance: clock, to: session)
    } else {
      send(session, after: stored.sequence) { writer in
        writer.member("sequence", sequence: stored.sequence)
        writer.key("event")
        EventRenderer.write(
          stored, state: state, environment: configuration.environment,
          signed: watch.isSigned ? signedForms(date: nil) : nil, withTexts: watch.isSigned,
          into: &writer)
      }
    }
    watch.toldCursor = stored.sequence
    watch.toldAt = reading.realtime
  }

  private func isWanted(_ event: Event, by filter: WatchState.Filter) -> Bool {
    switch filter {
    case .all:
      return true
    case .account(let key):
      let account = event.fact.account
      guard account != noNumber else { return false }
      return state.accounts.withKey(account) { $0.elementsEqual(key) }
    case .advance(let clock):
      return event.clock == clock && event.caller == nil
    }
  }

  private func send(
    _ session: Session, after sequence: UInt64, _ body: (inout JSONWriter) -> Void
  ) {
    reply(to: session, after: sequence) { writer in
      VarlinkReply.begin(&writer)
      body(&writer)
      VarlinkReply.end(&writer, continues: true)
    }
  }

  // MARK: Heartbeats

  /// Moves the cursor of a watch that had nothing to send for a while.
  private func beat(_ session: Session, _ watch: inout WatchState) {
    guard watch.seam == nil, hasRoom(session),
      reading.realtime - watch.toldAt >= Limits.heartbeatMilliseconds
    else { return }
    if case .advance = watch.filter { return }
    let cursor = watch.cursor
    send(session, after: cursor) { $0.member("sequence", sequence: cursor) }
    watch.toldCursor = cursor
    watch.toldAt = reading.realtime
  }

  /// When the next heartbeat is due, on the machine's clock.
  var nextHeartbeat: Int64? {
    var next: Int64?
    for id in watchers {
      guard let session = sessions[id], case .watching(let watch) = session.mode,
        watch.filter.beats
      else { continue }
      next = min(next ?? .max, watch.toldAt + Limits.heartbeatMilliseconds)
    }
    return next
  }

  // MARK: Streaming an advance

  private func deliver(_ stored: StoredEvent, ofAdvance clock: ClockNumber, to session: Session) {
    reply(to: session, after: stored.sequence) { writer in
      VarlinkReply.begin(&writer)
      writer.key("clock")
      described(clock).write(into: &writer)
      writer.member("firstSequence", sequence: stored.sequence)
      writer.member("lastSequence", sequence: stored.sequence)
      writer.member("events", int: 1)
      writer.key("event")
      EventRenderer.write(
        stored, state: state, environment: configuration.environment, into: &writer)
      VarlinkReply.end(&writer, continues: true)
    }
  }

  /// Ends the stream of an advance with its totals, once all its events have been sent.
  private func endIfAdvanced(_ session: Session, _ watch: WatchState, _ clock: ClockNumber) {
    guard let end = watch.advanceEnd, watch.cursor >= end.sequence else { return }
    stopWatch(session)
    answerAdvance(
      session, clock: clock, first: end.first, events: end.events, last: end.sequence)
  }

  /// Tells the streams of an advance where it ended.
  func endStreams(of clock: ClockNumber, first: UInt64, events: UInt64, sequence: UInt64) {
    for id in watchers {
      guard let session = sessions[id], case .watching(var watch) = session.mode,
        watch.filter == .advance(clock)
      else { continue }
      watch.advanceEnd = (first, events, sequence)
      session.mode = .watching(watch)
    }
  }

  /// The last reply of every watch, at a stop: without `continues`.
  func endWatches() {
    for id in watchers {
      guard let session = sessions[id], case .watching(let watch) = session.mode else { continue }
      reply(to: session, after: 0) { writer in
        VarlinkReply.begin(&writer)
        writer.member("sequence", sequence: watch.toldCursor)
        VarlinkReply.end(&writer)
      }
      session.mode = .serving
      forgetReads(of: id)
    }
    watchers.removeAll()
  }
}

extension WatchState.Filter {
  /// Whether a reader is told from time to time how far the log is.
  var beats: Bool {
    switch self {
    case .all, .account: true
    case .advance: false
    }
  }
}
