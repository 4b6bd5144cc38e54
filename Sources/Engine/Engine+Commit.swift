import EventLog
import Subscriptions

/// The engine's log, as its books write to it.
struct EngineSink: EventSink {
  let engine: Engine

  var isReady: Bool { engine.isWriterReady }

  func hasRoom(for events: Int) -> Bool { engine.hasReserve(for: events) }

  func write(_ event: Event, _ cause: EventCause) -> UInt64 { engine.write(event) }

  func write(_ event: LineEvent, _ cause: EventCause) -> UInt64 { engine.write(event) }

  func folded(_ event: Event, sequence: UInt64) { engine.follow(event, sequence: sequence) }

  func folded(_ event: LineEvent, sequence: UInt64) { engine.follow(event, sequence: sequence) }
}

/// Appending events: numbered and applied at once, durable a little later.
extension Engine {
  /// Numbers an event, puts it into the open batch and folds it into the state.
  @discardableResult
  func commit(_ event: Event) -> UInt64 {
    var sink = EngineSink(engine: self)
    return books.commit(event, into: &sink)
  }

  /// Puts an event into the open batch; its position in the log.
  fileprivate func write(_ event: Event) -> UInt64 {
    if event.fact.kind != .log(.bootObserved) { observeBootIfNew() }
    return append(event.fact.kind.tag, of: event.fact.account, at: event.at) { bytes, base in
      EventFormat.encode(event, into: &bytes, base: base)
    }
  }

  /// The same for what falls due, the fast way.
  fileprivate func write(_ event: LineEvent) -> UInt64 {
    observeBootIfNew()
    return append(event.kind.rawValue, of: event.fact.account, at: event.at) { bytes, base in
      EventFormat.encode(event, into: &bytes, base: base)
    }
  }

  @inline(__always)
  private func append(
    _ tag: UInt8, of account: AccountNumber, at time: Instant,
    encode: (inout [UInt8], EventFormat.Base) -> Void
  ) -> UInt64 {
    let mark = state.nextTransactionID
    let pointer = appender.append(
      tag: tag, previous: lastRecord(of: account),
      context: { BlockContext(time: time.milliseconds, mark: mark) },
      payload: { bytes, context in
        encode(&bytes, EventFormat.Base(time: context.time, transactionID: context.mark))
      })
    noteSeals()
    return pointer.position
  }

  /// Where the account's newest event stands, for the next one's back pointer.
  private func lastRecord(of account: AccountNumber) -> RecordPointer? {
    guard account != noNumber, Int(account) < state.accounts.count else { return nil }
    let sequence = state.accounts[account].lastSequence
    guard sequence > 0 else { return nil }
    return RecordPointer(position: state.accounts[account].lastPosition, sequence: sequence)
  }

  /// What else an event means: a remembered request, a line of the journal, something for the
  /// watches.
  fileprivate func follow(_ event: Event, sequence: UInt64) {
    if let caller = event.caller, let requestID = caller.requestID {
      requests.insert(
        hash: RequestTable.hash(uid: caller.uid, requestID: requestID), sequence: sequence,
        recorded: reading.realtime)
    }
    noteForJournal(
      event.fact.kind, of: event.fact.account, at: event.at, clock: event.clock,
      sequence: sequence, assumedGraceEnd: event.fact.assumedGraceEnd)
    if !watchers.isEmpty {
      recent.append(StoredEvent(sequence: sequence, recorded: reading.realtime, event: event))
    }
  }

  fileprivate func follow(_ event: LineEvent, sequence: UInt64) {
    noteForJournal(
      .line(event.kind), of: event.fact.account, at: event.at, clock: event.clock,
      sequence: sequence)
    if !watchers.isEmpty {
      recent.append(
        StoredEvent(sequence: sequence, recorded: reading.realtime, event: Event(event)))
    }
  }

  /// The first event of a boot comes with the boot's own, so that a later start can tell a
  /// stepped clock from a new boot.
  func observeBootIfNew() {
    guard let drift, state.sequence > 0, state.boot?.id != boot else { return }
    commit(
      Event(
        at: state.clocks[0].now, clock: Clock.system,
        fact: .log(.bootObserved(boot: boot, realMinusBoot: drift))))
  }

  /// Commits a command's events, all of one caller; the request id stands on one of them. What
  /// they mean for the families of their accounts comes right behind them, in the same batch.
  @discardableResult
  func commit(
    _ events: [Event], from call: CallContext, main: Int, fingerprint: UInt64
  ) throws(Refusal) -> UInt64 {
    let requestID = try call.parameters.requestID()
    for event in events where event.fact.account != noNumber {
      try refuseWithoutTime(on: event.clock)
    }
    let caller = Caller(uid: call.session.peer.uid)
    var events = events
    for index in events.indices { events[index].caller = caller }
    if let requestID, events.indices.contains(main) {
      events[main].caller?.requestID = requestID
      events[main].caller?.fingerprint = fingerprint
    }
    var sink = EngineSink(engine: self)
    return books.commit(events, by: caller, into: &sink)
  }

  /// Makes certain that the log has room for a command on an account and for what its family
  /// follows it with, and does what is due on the account before.
  func prepare(_ account: AccountNumber?, from space: LogSpace) throws(Refusal) {
    guard let account else {
      try claimSpace(from: space)
      return
    }
    let members = state.families.members(of: account).count
    let records = Limits.commandEventsMax + members * Limits.followedLinesMax
    let bytes =
      Limits.commandBytesMax + members * Limits.followedLinesMax * Limits.dueEventBytesMax
    try claimSpace(bytes, records: records, from: space)
    // What was due may have used the room up.
    if catchUp(account) { try claimSpace(bytes, records: records, from: space) }
  }

  /// Makes certain that the log has room for a command, before it is decided. Renewals,
  /// cancellations and refunds may use the segments kept in reserve; new purchases may not.
  func claimSpace(
    _ bytes: Int = Limits.commandBytesMax, records: Int = Limits.commandEventsMax,
    from space: LogSpace
  ) throws(Refusal) {
    guard !isFailed else { throw .logFailed }
    let isClaimed = appender.claim(byteCount: bytes, recordCount: records, from: space)
    noteSeals()
    guard isClaimed else {
      beFull()
      throw .diskFull
    }
  }

  private func beFull() {
    guard !isDiskFull else { return }
    isDiskFull = true
    outputs.append(
      .notice(Notice(.diskFull, .error, "the disk is full: reads, renewals and cancels go on")))
  }

  /// Says that the disk is full where the next purchase would be refused for want of space, so
  /// that a start on a full disk says it before anybody has bought.
  func noteFullDisk() {
    let isRoom = appender.hasSpace(
      byteCount: Limits.commandBytesMax, recordCount: Limits.commandEventsMax, from: .ordinary)
    if !isRoom { beFull() }
  }

  // MARK: The writer

  /// Gives the writer its next batch where it is free.
  func sendBatch() {
    guard !isWriting, deferred == nil,
      let batch = appender.seal(recorded: reading.realtime)
    else { return }
    noteSeals()
    hand(batch)
  }

  private func hand(_ batch: SealedBatch) {
    isWriting = true
    outputs.append(.write(batch))
  }

  /// Batches that were sealed have the time at which that was; the watches' events get it too.
  private func noteSeals() {
    let firstOpen = appender.nextSequence - UInt64(appender.openRecordCount)
    guard firstOpen > firstUnsealed else { return }
    recent.setRecorded(reading.realtime, from: firstUnsealed, through: firstOpen - 1)
    firstUnsealed = firstOpen
  }

  /// A batch has become durable: what waited for it may go.
  func batchWritten(_ summary: BatchSummary, _ receipt: BatchReceipt) {
    isWriting = false
    if summary.newSegment != nil { segments += 1 }
    logBytes = summary.end.position
    appender.complete(summary, receipt)
    noteSpace()
    releaseReplies()
    sendBatch()
  }

  /// A batch could not be written. For want of space nothing of it was, and it is tried again a
  /// little later; anything else is the end of this log for this process.
  func batchFailed(_ batch: SealedBatch, _ error: LogError) {
    isWriting = false
    if case .noSpace = error {
      deferred = (batch, reading.realtime + Limits.spaceRetryMilliseconds)
      if !isDiskFull {
        isDiskFull = true
        outputs.append(.notice(Notice(.diskFull, .error, "the disk is full: \(error)")))
      }
      return
    }
    isFailed = true
    appender.fail()
    outputs.append(
      .notice(Notice(.logFailed, .error, "the log cannot be written: \(error); leaving")))
    failReplies()
    exit(74)
  }

  /// Tries a batch again that had no space.
  func retryDeferred() {
    guard let (batch, time) = deferred, time <= reading.realtime else { return }
    deferred = nil
    hand(batch)
  }

  /// The number of segments kept ready has changed, or whether there is room for those that are
  /// missing: `lack` says why there is none.
  func sparesChanged(_ count: Int, lack: DiskError?) {
    appender.setSpares(count)
    if let lack, spaceLack == nil {
      outputs.append(
        .notice(Notice(.diskFull, .warning, LogNotice.noSpare(lack).description)))
    } else if lack == nil, spaceLack != nil, !isDiskFull {
      tellOfSpace()
    }
    spaceLack = lack
    // What is due need not wait out the pause.
    if count > 0 { dueBlockedUntil = 0 }
    noteSpace()
  }

  private func noteSpace() {
    guard isDiskFull, deferred == nil, appender.spareCount > 1 else { return }
    isDiskFull = false
    tellOfSpace()
  }

  private func tellOfSpace() {
    outputs.append(.notice(Notice(.diskFreed, .notice, "there is space for the log again")))
  }

  func exit(_ status: Int32) {
    guard !hasExited else { return }
    hasExited = true
    outputs.append(.exit(status))
  }
}
