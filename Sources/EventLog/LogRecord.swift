/// Where a record is: enough to read it alone.
public struct RecordPointer: Hashable, Sendable {
  /// Bytes from the start of the whole log to the record, segment headers counted.
  public var position: UInt64
  /// The record's number; the first record of a log is 1.
  public var sequence: UInt64

  public init(position: UInt64, sequence: UInt64) {
    self.position = position
    self.sequence = sequence
  }
}

/// What the caller delta-codes the records of one block against. The log stores it in the
/// block's header and hands it back with each record; it means nothing to the log but that
/// `mark` never falls from one block to the next.
public struct BlockContext: Hashable, Sendable {
  /// A base time, in whatever unit the caller likes.
  public var time: Int64
  /// A counter that never falls, by which blocks can be found (`LogReader.block(mark:)`).
  public var mark: UInt64

  public init(time: Int64, mark: UInt64) {
    self.time = time
    self.mark = mark
  }
}

/// One record as read back. `payload` points into a buffer of the reader: it is valid only
/// during the call that hands the record over.
public struct LogRecord {
  /// What kind of record it is; means nothing to the log.
  public let tag: UInt8
  /// Its own place and number.
  public let pointer: RecordPointer
  /// The same account's record before it.
  public let previous: RecordPointer?
  /// When its batch was sealed, milliseconds since 1970.
  public let recorded: Int64
  /// What its block is delta-coded against.
  public let context: BlockContext
  /// The caller's bytes. `payload.bytes` is the same as a `RawSpan`.
  public let payload: UnsafeRawBufferPointer

  /// The record's number.
  public var sequence: UInt64 { pointer.sequence }
}
