import EventLog
import Subscriptions

/// A state folded from its log, ready for an engine.
public struct RecoveredState {
  public var state: State
  public var appender: LogAppender
  var requests: RequestTable
  var snapshotSequence: UInt64
  var segments: Int
  var bytes: UInt64
  /// Why a segment to be kept in reserve could not be made; nil where all are there.
  var spaceLack: DiskError?

  /// What the log's store signs as; nil in a record, in a new log and in an old one.
  public var identity: StoreIdentity? { state.identity }

  /// What the log was made for; nil for one without its first event.
  public var isRecord: Bool? { state.sequence == 0 ? nil : state.role == .record }
}

/// Everything that recovery of a log's directory gives: the state for the engine, the files for
/// the writer, the index for the reader, sentences for the journal.
public struct Recovered<D: Disk> {
  public var state: RecoveredState
  public var files: LogFiles<D>
  public var index: LogIndex
  public var notices: [String]
}

/// Opening a log: the newest snapshot that can be used, and the records after it, folded.
public enum Recovery {
  /// Recovers the log on a disk, or begins a new one with `identity`.
  ///
  /// - Parameter progress: is told now and then how many events have been folded.
  public static func open<D: Disk>(
    _ disk: D, settings: LogSettings, newIdentity identity: LogIdentity,
    progress: (UInt64) -> Void = { _ in }
  ) throws(LogError) -> Recovered<D> {
    var notices: [String] = []
    // What shows how far the log has come: snapshots, also those that cannot be used.
    var witness: LogWitness?
    func note(_ found: LogWitness) {
      if found.sequence > witness?.sequence ?? 0 { witness = found }
    }
    guard let known = try LogRecovery.identity(of: disk, checksum: settings.checksum) else {
      return try open(disk, settings, identity, nil, nil, &notices, progress)
    }
    var below = UInt64.max
    while true {
      let found = try SnapshotFile.newest(
        disk, identity: known, foldVersion: Fold.version, below: below,
        checksum: settings.checksum)
      notices += found.notices.map(\.description)
      for found in found.notices.compactMap(\.witness) { note(found) }
      guard let snapshot = found.snapshot else {
        return try open(disk, settings, known, nil, witness, &notices, progress)
      }
      note(snapshot.witness)
      guard let fold = Fold(snapshot: snapshot.payload) else {
        notices.append("the snapshot at \(snapshot.start.point.sequence) is not a state; ignored")
        below = snapshot.start.point.sequence
        continue
      }
      do throws(LogError) {
        return try open(
          disk, settings, known, (snapshot.start, fold), witness, &notices, progress)
      } catch {
        guard case .pointNotInLog(let sequence) = error else { throw error }
        notices.append("the snapshot at \(sequence) does not fit the log; ignored")
        below = sequence
      }
    }
  }

  private static func open<D: Disk>(
    _ disk: D, _ settings: LogSettings, _ identity: LogIdentity,
    _ snapshot: (start: LogStart, fold: Fold)?, _ witness: LogWitness?,
    _ notices: inout [String], _ progress: (UInt64) -> Void
  ) throws(LogError) -> Recovered<D> {
    var fold = snapshot?.fold ?? Fold()
    let opened = try LogRecovery.open(
      disk, settings: settings, newIdentity: identity, from: snapshot?.start,
      witness: witness
    ) { (record) throws(LogError) in
      try fold.apply(record)
      if record.sequence % progressInterval == 0 { progress(record.sequence) }
    }
    notices += opened.notices.map(\.description)
    return Recovered(
      state: RecoveredState(
        state: fold.state, appender: opened.appender, requests: fold.requests,
        snapshotSequence: snapshot?.start.point.sequence ?? 0,
        segments: opened.index.segments.count, bytes: opened.index.end.position,
        spaceLack: opened.files.spaceError),
      files: opened.files, index: opened.index, notices: notices)
  }

  /// Events between two words about progress.
  private static let progressInterval: UInt64 = 262_144
}

/// The fold of a log's records: the state, and the request ids it remembers.
struct Fold {
  /// A snapshot of another version is not used.
  static let version = State.foldVersion

  let state: State
  var requests: RequestTable

  init() {
    state = State()
    requests = RequestTable()
  }

  init?(snapshot payload: [UInt8]) {
    let parts = payload.withUnsafeBytes { bytes -> (State, RequestTable)? in
      guard bytes.count >= 8 else { return nil }
      let count = UInt64(littleEndian: bytes.loadUnaligned(as: UInt64.self))
      guard count <= UInt64(bytes.count - 8) else { return nil }
      let end = 8 + Int(count)
      guard let state = State(snapshot: UnsafeRawBufferPointer(rebasing: bytes[8..<end])),
        let requests = RequestTable(
          snapshot: UnsafeRawBufferPointer(rebasing: bytes[end...]))
      else { return nil }
      return (state, requests)
    }
    guard let parts else { return nil }
    (state, requests) = parts
  }

  func encodeSnapshot() -> [UInt8] {
    var payload = [UInt8](repeating: 0, count: 8)
    state.encodeSnapshot(into: &payload)
    let count = UInt64(payload.count - 8)
    withUnsafeBytes(of: count.littleEndian) { payload.replaceSubrange(0..<8, with: $0) }
    requests.encodeSnapshot(into: &payload)
    return payload
  }

  mutating func apply(_ record: LogRecord) throws(LogError) {
    if var event = EventFormat.decodeLine(record) {
      state.complete(&event.fact, at: record.sequence)
      guard record.sequence == state.sequence + 1, state.accepts(event) else {
        throw .rejected(sequence: record.sequence, reason: "it does not fit what is before it")
      }
      state.apply(event, position: record.pointer.position)
      return
    }
    guard var event = EventFormat.decode(record) else {
      throw .rejected(sequence: record.sequence, reason: "it is no event of this version")
    }
    state.complete(&event, at: record.sequence)
    guard record.sequence == state.sequence + 1, state.accepts(event) else {
      throw .rejected(sequence: record.sequence, reason: "it does not fit what is before it")
    }
    state.apply(event, position: record.pointer.position)
    if let caller = event.caller, let requestID = caller.requestID {
      requests.insert(
        hash: RequestTable.hash(uid: caller.uid, requestID: requestID),
        sequence: record.sequence, recorded: record.recorded)
    }
  }
}

extension EventFormat {
  /// The event of a record, where it is a line's that nobody asked for.
  static func decodeLine(_ record: LogRecord) -> LineEvent? {
    decodeLine(
      tag: record.tag, payload: record.payload,
      base: Base(time: record.context.time, transactionID: record.context.mark))
  }

  /// The event of a record.
  static func decode(_ record: LogRecord) -> Event? {
    decode(
      tag: record.tag, payload: record.payload,
      base: Base(time: record.context.time, transactionID: record.context.mark))
  }
}
