import EventLog
import JSON
import Subscriptions

/// A log as lines of JSON, read from its files without a daemon. Nothing is changed and no lock
/// is taken; a log that is being written is read up to its last whole batch.
public enum LogExport {
  /// Folds the whole log, from its first event, and hands over events as the interfaces' `Event`,
  /// one a line. Every byte is checked on the way.
  ///
  /// - Parameters:
  ///   - from: the first sequence to hand over.
  ///   - countMax: how many events to hand over.
  ///   - environment: of which a record is asked, on the wire; and a store whose log says none.
  ///   - withTexts: whether facts of the App Store's come with their signed texts.
  ///   - line: takes one line, its end included.
  /// - Returns: what the log holds; damage is reported in it, after the events before it.
  /// - Throws: `disk`, `newerFormat`, or `rejected` for an event that does not fit those before.
  public static func run<D: Disk>(
    _ disk: D, checksum: @escaping Checksum, from: UInt64 = 1, countMax: UInt64 = .max,
    environment: String, withTexts: Bool = false, line: (UnsafeRawBufferPointer) -> Void
  ) throws(LogError) -> LogReport {
    var fold = Fold()
    var writer = JSONWriter()
    var left = countMax
    return try LogVerifier.verify(disk, checksum: checksum) { (record) throws(LogError) in
      try fold.apply(record)
      guard record.sequence >= from, left > 0, var event = EventFormat.decode(record) else {
        return
      }
      left -= 1
      fold.state.complete(&event, at: record.sequence)
      writer.removeAll()
      EventRenderer.write(
        StoredEvent(sequence: record.sequence, recorded: record.recorded, event: event),
        state: fold.state,
        environment: fold.state.identity?.environment.wireName ?? environment, withTexts: withTexts,
        into: &writer)
      writer.endText(terminator: UInt8(ascii: "\n"))
      writer.bytes.withUnsafeBytes(line)
    }
  }

  /// What a walk over the log found, as one line of JSON.
  public static func line(_ report: LogReport) -> [UInt8] {
    var writer = JSONWriter()
    writer.beginObject()
    writer.member("format", sequence: UInt64(formatVersion))
    writer.member("segments", int: Int64(report.segmentCount))
    writer.member("batches", sequence: report.batchCount)
    writer.member("events", sequence: report.recordCount)
    writer.member("bytes", sequence: report.byteCount)
    if let torn = report.tornTail { writer.member("tornTail", torn.description) }
    if let damage = report.damage {
      writer.key("damage")
      writer.beginObject()
      writer.member("file", damage.file)
      writer.member("offset", sequence: damage.offset)
      writer.member("sequence", sequence: damage.sequence)
      writer.member("reason", damage.what)
      writer.endObject()
    }
    writer.endObject()
    writer.endText(terminator: UInt8(ascii: "\n"))
    return writer.take()
  }
}
