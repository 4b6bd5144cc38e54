import Contract
import EventLog
import JSON
import Subscriptions
import Varlink

/// `org.renewd.Log`: the log itself.
extension Engine {
  func describeLog(_ asked: LogInterface.Describe, _ call: CallContext) -> Outcome {
    var log = LogDescription {
      $0.role = DaemonRole(rawValue: state.role.wireName)
      $0.sequence = Int64(state.sequence)
      $0.durable = Int64(durable)
      $0.bytes = Int64(logBytes)
      $0.segments = Int64(segments)
      $0.accounts = Int64(state.accounts.count - state.accounts.forgotten)
      $0.subscriptions = Int64(state.lines.count - Int(state.firstLiveLine))
      $0.checked = check.through.map { Int64($0) }
      $0.damage = damage
    }
    if state.apple.factCount > 0 || duplicateCount > 0 || state.role == .record {
      log.facts = Int64(state.apple.factCount)
      log.unknownNotifications = Int64(state.apple.unknownNotificationCount)
      log.duplicates = Int64(duplicateCount)
      log.unlinked = Int64(state.apple.unlinkedCount)
    }
    answer(call.session, after: 0, log)
    return .answered
  }

  func readLog(_ asked: LogInterface.Read, _ call: CallContext) throws(Refusal) -> Outcome {
    guard let from = UInt64(exactly: asked.from), from >= 1 else {
      throw .value("from", "sequences begin at 1")
    }
    let count = asked.count ?? Int64(Limits.eventsPerPage)
    guard count >= 1, count <= Int64(Limits.eventsPerPage) else {
      throw .value("count", "say 1 to \(Limits.eventsPerPage)")
    }
    guard from <= state.sequence + 1 else { throw .cursorAhead(state.sequence) }
    guard let page = call.gathered.page else {
      var gathered = call.gathered
      gathered.wish = .page
      suspend(
        call, gathered, .records(from: from, last: state.sequence, countMax: Int(count)),
        after: state.sequence)
      return .waiting
    }
    let signed = signedForms(call, date: nil)
    let events = signed == nil ? page[...] : withinBytes(page)
    reply(to: call.session, after: 0) { writer in
      VarlinkReply.begin(&writer)
      writer.key("events")
      writer.beginArray()
      for stored in events {
        EventRenderer.write(
          stored, state: state, environment: configuration.environment, signed: signed,
          withTexts: signed != nil, into: &writer)
      }
      writer.endArray()
      if let last = events.last, last.sequence < state.sequence {
        writer.member("next", sequence: last.sequence + 1)
      }
      VarlinkReply.end(&writer)
    }
    return .answered
  }

  /// As many events as fit a reply with their signed texts, the first at least.
  private func withinBytes(_ page: [StoredEvent]) -> ArraySlice<StoredEvent> {
    var bytes = 0
    let count = page.firstIndex { stored in
      // A notification's parts are given beside it once more; the store's own are signed now.
      if case .appStore(.ingested(let fact)) = stored.event.fact { bytes += 2 * fact.signed.count }
      bytes += Limits.signedEventBytes
      return bytes > Limits.signedPageBytesMax
    }
    return page.prefix(max(1, count ?? page.count))
  }

  func verifyLog(_ asked: LogInterface.Verify, _ call: CallContext) -> Outcome {
    guard let report = call.gathered.verified else {
      suspend(call, call.gathered, .verify, after: state.sequence)
      return .waiting
    }
    answer(
      call.session, after: 0,
      LogVerification {
        $0.segments = Int64(report.segments)
        $0.batches = Int64(report.batches)
        $0.events = Int64(report.events)
        $0.bytes = Int64(report.bytes)
        $0.damage = report.firstDamage
      })
    return .answered
  }

  func snapshotLog(_ asked: LogInterface.Snapshot, _ call: CallContext) -> Outcome {
    guard let snapshot = call.gathered.snapshot else {
      suspend(
        call, call.gathered, .snapshot(last: state.sequence), after: state.sequence)
      return .waiting
    }
    snapshotSequence = snapshot.sequence
    answer(
      call.session, after: 0,
      SnapshotAnswer {
        $0.sequence = Int64(snapshot.sequence)
        $0.bytes = Int64(snapshot.bytes)
      })
    return .answered
  }

  // MARK: Snapshots by themselves

  /// Asks for a snapshot once enough has happened since the last one.
  func snapshotIfDue() {
    guard !isSnapshotting, !isStopping,
      durable >= snapshotSequence + Limits.eventsPerSnapshot
    else { return }
    isSnapshotting = true
    let id = nextReadID
    nextReadID += 1
    outputs.append(.read(id, .snapshot(last: durable)))
  }

  /// A snapshot is a cache: without it the next start only takes longer.
  func snapshotFinished(_ result: ReadResult) {
    guard isSnapshotting else { return }
    isSnapshotting = false
    switch result {
    case .snapshot(let sequence, _):
      snapshotSequence = sequence
    case .failed(let error):
      if case .damaged(let found) = error { damage = found.description }
      snapshotSequence = durable
      outputs.append(
        .notice(Notice(.snapshot, .warning, "no snapshot was written: \(error)")))
    case .events, .verified, .checked:
      preconditionFailure("a snapshot was asked for")
    }
  }
}

extension Role {
  var wireName: String {
    switch self {
    case .store: "store"
    case .record: "record"
    }
  }
}
