import EventLog
import Subscriptions

/// Answers the engine's questions about older events, on a thread of its own or inside a test.
/// It owns its reader and shares nothing with the engine.
public struct ReadRunner<D: Disk> {
  private let reader: LogReader<D>
  private let settings: LogSettings
  /// The check under way.
  private var check: LogCheck<D>?

  public init(disk: D, index: LogIndex, settings: LogSettings) {
    reader = LogReader(disk: disk, index: index, checksum: settings.checksum)
    self.settings = settings
  }

  /// A batch has become durable.
  public mutating func extend(_ batch: BatchSummary) {
    reader.append(batch)
  }

  public mutating func run(_ request: ReadRequest) -> ReadResult {
    do throws(LogError) {
      switch request {
      case .chain(let pointer, let cursor, let countMax):
        return .events(try chain(pointer, after: cursor, countMax: countMax))
      case .records(let from, let last, let countMax):
        return .events(try records(from: from, last: last, countMax: countMax))
      case .listed(let sequences):
        var events: [StoredEvent] = []
        for sequence in sequences {
          events += try records(from: sequence, last: sequence, countMax: 1)
        }
        return .events(events)
      case .block(let mark, let last): return .events(try block(mark: mark, last: last))
      case .verify: return .verified(try verify())
      case .check: return .checked(try checkSlice())
      case .snapshot: return try snapshot()
      }
    } catch {
      return .failed(error)
    }
  }

  private func chain(
    _ newest: RecordPointer, after cursor: UInt64, countMax: Int
  ) throws(LogError) -> [StoredEvent] {
    var pointers: [RecordPointer] = []
    if countMax < .max {
      try reader.chain(from: newest) { (record) throws(LogError) in
        guard record.sequence > cursor else { return false }
        pointers.append(record.pointer)
        return true
      }
    }
    let first = pointers.count > countMax ? pointers[pointers.count - countMax] : newest
    var events: [StoredEvent] = []
    try reader.chain(from: first) { (record) throws(LogError) in
      guard record.sequence > cursor else { return false }
      events.append(try stored(record))
      return true
    }
    events.reverse()
    return events
  }

  private func records(
    from sequence: UInt64, last: UInt64, countMax: Int
  ) throws(LogError) -> [StoredEvent] {
    var events: [StoredEvent] = []
    try reader.records(from: sequence, countMax: countMax, upTo: last) {
      (record) throws(LogError) in
      events.append(try stored(record))
    }
    return events
  }

  /// The events of the block in which a transaction id was given out.
  private func block(mark: UInt64, last: UInt64) throws(LogError) -> [StoredEvent] {
    guard let found = try reader.block(mark: mark) else { return [] }
    var events: [StoredEvent] = []
    var context = found.context
    var next = found.first.sequence
    while next <= last, context == found.context {
      let before = next
      next = try reader.records(from: next, countMax: Self.blockPageCount, upTo: last) {
        (record) throws(LogError) in
        context = record.context
        guard context == found.context else { return }
        events.append(try stored(record))
      }
      guard next > before else { break }
    }
    return events
  }

  /// Records read at once while a block is searched.
  private static var blockPageCount: Int { 256 }

  private func stored(_ record: LogRecord) throws(LogError) -> StoredEvent {
    guard let event = EventFormat.decode(record) else {
      throw .rejected(sequence: record.sequence, reason: "it is no event of this version")
    }
    return StoredEvent(sequence: record.sequence, recorded: record.recorded, event: event)
  }

  private func verify() throws(LogError) -> VerifyReport {
    VerifyReport(
      try LogVerifier.verify(reader.disk, checksum: settings.checksum, upTo: reader.index))
  }

  /// The next slice of the check; what all of it found at its end.
  private mutating func checkSlice() throws(LogError) -> VerifyReport? {
    var check =
      check ?? LogCheck(disk: reader.disk, index: reader.index, checksum: settings.checksum)
    self.check = nil
    switch try check.advance(byteCountMax: Limits.checkSliceBytes) {
    case .more:
      self.check = check
      return nil
    case .finished(let report):
      return VerifyReport(report)
    }
  }

  /// Folds the last snapshot and what follows it into a new one, at the end of the durable log.
  private func snapshot() throws(LogError) -> ReadResult {
    let found = try SnapshotFile.newest(
      reader.disk, identity: reader.index.identity, foldVersion: Fold.version,
      below: reader.index.lastSequence + 1, checksum: settings.checksum)
    var fold = found.snapshot.flatMap { Fold(snapshot: $0.payload) } ?? Fold()
    while fold.state.sequence < reader.index.lastSequence {
      try reader.records(
        from: fold.state.sequence + 1, countMax: Self.foldPageCount,
        upTo: reader.index.lastSequence
      ) { (record) throws(LogError) in
        try fold.apply(record)
      }
    }
    let payload = fold.encodeSnapshot()
    try SnapshotFile.write(
      reader.disk, SnapshotStamp(foldVersion: Fold.version, point: reader.index.end),
      index: reader.index, payload: payload, checksum: settings.checksum)
    return .snapshot(sequence: reader.index.lastSequence, bytes: UInt64(payload.count))
  }

  private static var foldPageCount: Int { 65_536 }
}

extension VerifyReport {
  init(_ report: LogReport) {
    self.init(
      segments: report.segmentCount, batches: report.batchCount, events: report.recordCount,
      bytes: report.byteCount, firstDamage: report.damage?.description)
  }
}
