import EventLog
import Subscriptions

/// Questions to the reader. A call that needs older events waits; the rest of its connection's
/// calls wait behind it, and nobody else does.
extension Engine {
  /// Asks for an account's whole history on behalf of a call.
  func gatherHistory(of account: AccountNumber, for call: CallContext) -> Outcome {
    let record = state.accounts[account]
    var gathered = call.gathered
    gathered.history = nil
    gathered.wish = .history
    suspend(
      call, gathered,
      .chain(RecordPointer(position: record.lastPosition, sequence: record.lastSequence)),
      after: record.lastSequence)
    return .waiting
  }

  /// Lets a call wait for an answer of the reader, asked once `sequence` is durable.
  func suspend(
    _ call: CallContext, _ gathered: Gathered, _ request: ReadRequest, after sequence: UInt64
  ) {
    call.session.mode = .reading(Suspended(message: call.message, gathered: gathered))
    ask(request, for: call.session.id, after: sequence)
  }

  func ask(_ request: ReadRequest, for session: ConnectionID, after sequence: UInt64) {
    let id = nextReadID
    nextReadID += 1
    reads[id] = session
    if sequence <= durable {
      outputs.append(.read(id, request))
    } else {
      waitingReads.append((sequence, id, request))
    }
  }

  /// Asks what has become durable meanwhile.
  func releaseReads() {
    guard waitingReads.contains(where: { $0.sequence <= durable }) else { return }
    for read in waitingReads where read.sequence <= durable {
      outputs.append(.read(read.id, read.request))
    }
    waitingReads.removeAll { $0.sequence <= durable }
  }

  /// The reader has answered.
  func readFinished(_ id: ReadID, _ result: ReadResult) {
    if check.question == id {
      checkFinished(result)
      return
    }
    guard let connection = reads.removeValue(forKey: id) else {
      snapshotFinished(result)
      return
    }
    note(result)
    guard let session = sessions[connection], !isFailed else { return }
    switch session.mode {
    case .reading(let suspended):
      session.mode = .serving
      resume(session, suspended, result)
      if session.isServing { serve(session) }
    case .watching(var watch):
      watch.isReading = false
      session.mode = .watching(watch)
      take(result, into: session)
    case .serving, .advancing, .sweeping, .reloading:
      preconditionFailure("an answer came for a connection that asked nothing")
    }
  }

  /// What a connection has asked the reader it does not wait for any more.
  func forgetReads(of session: ConnectionID) {
    for (id, asker) in reads where asker == session { reads[id] = Self.nobody }
  }

  /// The number of no connection.
  private static var nobody: ConnectionID { 0 }

  private func resume(_ session: Session, _ suspended: Suspended, _ result: ReadResult) {
    var gathered = suspended.gathered
    switch result {
    case .events(var events):
      for index in events.indices {
        state.complete(&events[index].event, at: events[index].sequence)
      }
      gathered.take(events)
    case .verified(let report):
      gathered.verified = report
    case .snapshot(let sequence, let bytes):
      gathered.snapshot = (sequence, bytes)
    case .failed(let error):
      refuse(session, .logUnreadable(error))
      session.isMute = false
      return
    case .checked:
      preconditionFailure("nobody's call waits for the check")
    }
    suspended.message.withUnsafeBufferPointer {
      handle(Span(_unsafeElements: $0), from: session, gathered: gathered)
    }
  }
}

extension Gathered {
  /// What the next answer of the reader is for.
  enum Wish {
    case history
    case search(UInt64)
    case replay
    case page
    case texts
  }

  /// Puts the reader's events where they were wanted.
  mutating func take(_ found: [StoredEvent]) {
    switch wish {
    case .history:
      var history = AccountHistory()
      for stored in found { history.apply(stored.event) }
      self.history = history
      events = found
      historySequence = found.last?.sequence ?? 0
    case .search(let id):
      hasSearched = true
      account = found.first { $0.event.fact.transactionID == id }?.event.fact.account
    case .replay:
      replay = found
    case .page:
      page = found
    case .texts:
      texts = found
    }
  }
}

extension Fact {
  /// The id of the transaction that the event brought.
  var transactionID: UInt64? {
    if case .appStore(.ingested(let fact)) = self { return fact.transaction?.transaction.id }
    return sold?.transaction.id
  }
}
