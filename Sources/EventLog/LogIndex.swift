/// One segment of the log.
public struct SegmentEntry: Hashable, Sendable {
  /// The sequence of its first record, present or to come.
  public var firstSequence: UInt64
  /// Bytes of the whole log before it.
  public var base: UInt64

  public init(firstSequence: UInt64, base: UInt64) {
    self.firstSequence = firstSequence
    self.base = base
  }

  /// The name of its file.
  public var fileName: String { LogNames.segment(firstSequence) }
}

/// One block, as kept in memory: 24 bytes.
public struct BlockEntry: Hashable, Sendable {
  /// Bytes of the whole log before the block.
  public var position: UInt64
  /// Its first record.
  public var firstSequence: UInt64
  /// Its context's mark.
  public var mark: UInt64

  public init(position: UInt64, firstSequence: UInt64, mark: UInt64) {
    self.position = position
    self.firstSequence = firstSequence
    self.mark = mark
  }
}

/// What is known in memory about the durable part of a log: its segments, one block in each
/// 32 to 64 KiB, and its end. A value: the reader has one copy, whoever takes snapshots another,
/// and each is told of new batches by `append`.
public struct LogIndex: Hashable, Sendable {
  /// The log's own bytes.
  public let identity: LogIdentity
  /// In order; never empty once a log exists.
  public private(set) var segments: [SegmentEntry] = []
  /// In order, sparse.
  public private(set) var blocks: [BlockEntry] = []
  /// The end of the log, and the checksum chain there.
  public private(set) var end: LogPoint

  /// The index of a log without records.
  public init(identity: LogIdentity, chain: UInt32) {
    self.identity = identity
    end = LogPoint(sequence: 0, position: 0, chain: chain)
  }

  /// The number of the last record; 0 in an empty log.
  public var lastSequence: UInt64 { end.sequence }

  mutating func append(_ segment: SegmentEntry) {
    // A segment that was made but never written to gives way to one that is larger.
    if segments.last?.base == segment.base { segments.removeLast() }
    segments.append(segment)
  }

  @inline(__always)
  mutating func append(_ block: BlockEntry) {
    if let last = blocks.last, block.position - last.position < Limits.indexStride { return }
    blocks.append(block)
  }

  mutating func move(to point: LogPoint) {
    end = point
  }

  /// Adds a batch that has become durable.
  public mutating func append(_ batch: BatchSummary) {
    precondition(batch.firstSequence == end.sequence + 1, "batches become durable in order")
    if let segment = batch.newSegment { append(segment) }
    for block in batch.blocks { append(block) }
    move(to: batch.end)
  }

  /// The index of the segment that holds a position.
  func segment(at position: UInt64) -> Int? {
    let index = segments.partitioningIndex { $0.base > position }
    return index == 0 ? nil : index - 1
  }

  /// The last indexed block at or before a sequence.
  public func find(sequence: UInt64) -> BlockEntry? {
    let index = blocks.partitioningIndex { $0.firstSequence > sequence }
    return index == 0 ? nil : blocks[index - 1]
  }

  /// The last indexed block at or before a position.
  public func find(position: UInt64) -> BlockEntry? {
    let index = blocks.partitioningIndex { $0.position > position }
    return index == 0 ? nil : blocks[index - 1]
  }

  /// The last indexed block whose mark is at most `mark`.
  public func find(mark: UInt64) -> BlockEntry? {
    let index = blocks.partitioningIndex { $0.mark > mark }
    return index == 0 ? nil : blocks[index - 1]
  }
}

/// A place between two batches: where a snapshot stands, and where recovery can begin.
public struct LogPoint: Hashable, Sendable {
  /// The last record before it; 0 at the start.
  public var sequence: UInt64
  /// Bytes of the whole log before it.
  public var position: UInt64
  /// The checksum chain there.
  public var chain: UInt32

  public init(sequence: UInt64, position: UInt64, chain: UInt32) {
    self.sequence = sequence
    self.position = position
    self.chain = chain
  }
}

extension Array {
  /// The first index whose element satisfies a predicate that never becomes false again.
  func partitioningIndex(_ predicate: (Element) -> Bool) -> Int {
    var low = 0
    var high = count
    while low < high {
      let middle = low + (high - low) / 2
      if predicate(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
