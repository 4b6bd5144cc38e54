/// A segment that must exist before a batch can be written.
public struct NewSegment: Hashable, Sendable {
  /// The name of its file.
  public let fileName: String
  /// The header to put at its start.
  public let header: [UInt8]
  /// The size to make it.
  public let byteCount: UInt64
  /// Its place in the log.
  public let entry: SegmentEntry
}

/// A batch ready for the disk: one write, one sync. Made by `LogAppender.seal`, carried out by
/// `LogFiles.perform`.
public struct SealedBatch: Sendable {
  /// The segment to make first; nil to go on in the present one.
  public let newSegment: NewSegment?
  /// Where in the segment's file the bytes go.
  public let fileOffset: UInt64
  /// The frame, and after it the zeros and the tail mark written along.
  public let bytes: [UInt8]
  /// What readers need to know of the batch once it is durable.
  public let summary: BatchSummary

  /// The first record.
  public var firstSequence: UInt64 { summary.firstSequence }
  /// The last record.
  public var lastSequence: UInt64 { summary.end.sequence }
}

/// A batch without its bytes: what an index is told once it is durable.
public struct BatchSummary: Hashable, Sendable {
  /// The first record.
  public let firstSequence: UInt64
  /// The point after the last record.
  public let end: LogPoint
  /// The segment the batch begins, if it does.
  public let newSegment: SegmentEntry?
  /// That segment is of the usual size, for which spares are kept.
  let takesSpare: Bool
  /// All its blocks.
  public let blocks: [BlockEntry]
}

/// What came of carrying out a batch.
public struct BatchReceipt: Hashable, Sendable {
  /// Everything up to this record is durable.
  public let lastSequence: UInt64
  /// Segments now kept ready.
  public let spareCount: Int
}
