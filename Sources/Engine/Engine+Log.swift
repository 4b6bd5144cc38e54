import EventLog
import JSON
import Subscriptions
import Varlink

/// `org.renewd.Log`: the log itself.
extension Engine {
  func performLog(_ call: CallContext) throws(Refusal) -> Outcome {
    switch call.member {
    case "Describe": describeLog(call)
    case "Read": try readLog(call)
    case "Verify": verifyLog(call)
    case "Snapshot": snapshotLog(call)
    default: preconditionFailure("\(call.method) is described but not answered")
    }
  }

  private func describeLog(_ call: CallContext) -> Outcome {
    reply(to: call.session, after: 0) { writer in
      VarlinkReply.begin(&writer)
      writer.member("role", state.role.wireName)
      writer.member("sequence", sequence: state.sequence)
      writer.member("durable", sequence: durable)
      writer.member("bytes", sequence: logBytes)
      writer.member("segments", int: Int64(segments))
      writer.member("accounts", int: Int64(state.accounts.count - state.accounts.forgotten))
      writer.member(
        "subscriptions", int: Int64(state.lines.count - Int(state.firstLiveLine)))
      if state.apple.factCount > 0 || duplicateCount > 0 || state.role == .record {
        writer.member("facts", sequence: state.apple.factCount)
        writer.member("duplicates", sequence: duplicateCount)
        writer.member("unknownNotifications", sequence: state.apple.unknownNotificationCount)
        writer.member("unlinked", int: Int64(state.apple.unlinkedCount))
      }
      if let checked = check.through { writer.member("checked", sequence: checked) }
      if let damage { writer.member("damage", damage) }
      VarlinkReply.end(&writer)
    }
    return .answered
  }

  private func readLog(_ call: CallContext) throws(Refusal) -> Outcome {
    guard let from = UInt64(exactly: call.parameters.int("from") ?? 1), from >= 1 else {
      throw .value("from", "sequences begin at 1")
    }
    let count = call.parameters.int("count") ?? Int64(Limits.eventsPerPage)
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
    let signed = signedForms(call.parameters, date: nil)
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

  private func verifyLog(_ call: CallContext) -> Outcome {
    guard let report = call.gathered.verified else {
      suspend(call, call.gathered, .verify, after: state.sequence)
      return .waiting
    }
    reply(to: call.session, after: 0) { writer in
      VarlinkReply.begin(&writer)
      writer.member("segments", int: Int64(report.segments))
      writer.member("batches", sequence: report.batches)
      writer.member("events", sequence: report.events)
      writer.member("bytes", sequence: report.bytes)
      if let damage = report.firstDamage { writer.member("damage", damage) }
      VarlinkReply.end(&writer)
    }
    return .answered
  }

  private func snapshotLog(_ call: CallContext) -> Outcome {
    guard let snapshot = call.gathered.snapshot else {
      suspend(
        call, call.gathered, .snapshot(last: state.sequence), after: state.sequence)
      return .waiting
    }
    snapshotSequence = snapshot.sequence
    reply(to: call.session, after: 0) { writer in
      VarlinkReply.begin(&writer)
      writer.member("sequence", sequence: snapshot.sequence)
      writer.member("bytes", sequence: snapshot.bytes)
      VarlinkReply.end(&writer)
    }
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
