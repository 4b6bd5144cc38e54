/// Reads durable records of a log, from any place, while it is being written. It belongs to one
/// thread and shares nothing with the appender: it owns a copy of the index and is told of each
/// batch that has become durable. Every block is checked before anything of it is handed on.
public final class LogReader<D: Disk> {
  public let disk: D
  /// What is known of the durable log.
  public private(set) var index: LogIndex

  let frameReader: FrameReader
  var windows: [LogWindow] = []
  var uses: UInt64 = 0
  var open: (base: UInt64, file: DiskFile)?

  /// A reader of the part of the log that `index` describes.
  public init(disk: D, index: LogIndex, checksum: @escaping Checksum = crc32c) {
    self.disk = disk
    self.index = index
    frameReader = FrameReader(checksum: checksum, seed: index.identity.seed(checksum))
  }

  /// A batch has become durable. Batches come in their order, none left out.
  public func append(_ batch: BatchSummary) {
    if let segment = batch.newSegment, open?.base == segment.base { closeFile() }
    index.append(batch)
  }

  /// Closes the file it has open and forgets what it has read.
  public func close() {
    closeFile()
    windows.removeAll()
  }

  func closeFile() {
    if let open { disk.close(open.file) }
    open = nil
  }

  /// Hands over one record.
  ///
  /// - Throws: `noRecord` where the pointer names no durable record, `damaged` where its block
  ///   cannot be trusted, `disk`.
  public func record<Value>(
    at pointer: RecordPointer, _ visit: (LogRecord) throws(LogError) -> Value
  ) throws(LogError) -> Value {
    guard pointer.sequence > 0, pointer.sequence <= index.lastSequence,
      pointer.position < index.end.position
    else { throw .noRecord(sequence: pointer.sequence) }
    let block = try find(sequence: pointer.sequence)
    var offset = BlockHeader.byteCount
    // Walking there costs less than checking the block, and a pointer from a stale side file is
    // found out instead of being read as a record that never was.
    for number in block.header.firstSequence...pointer.sequence {
      let place = RecordPointer(position: block.position + UInt64(offset), sequence: number)
      guard let record = FrameReader.record(in: block.bytes, &offset, block.header, place) else {
        throw damage(block.position, number, "the record does not fit its block")
      }
      if place == pointer { return try visit(record) }
    }
    throw .noRecord(sequence: pointer.sequence)
  }

  /// Hands over an account's records from `pointer` back to its first, newest first, until
  /// `visit` returns false. Costs one block for each record that is far from the one before.
  public func chain(
    from pointer: RecordPointer, _ visit: (LogRecord) throws(LogError) -> Bool
  ) throws(LogError) {
    var next: RecordPointer? = pointer
    while let pointer = next {
      next = try record(at: pointer) { (record) throws(LogError) in
        try visit(record) ? record.previous : nil
      }
    }
  }

  /// Hands over records in their order, beginning with number `sequence`, at most `countMax` of
  /// them and none after `last` or the durable end.
  ///
  /// - Returns: the number of the next record after those handed over.
  @discardableResult
  public func records(
    from sequence: UInt64, countMax: Int, upTo last: UInt64 = .max,
    _ visit: (LogRecord) throws(LogError) -> Void
  ) throws(LogError) -> UInt64 {
    let last = min(last, index.lastSequence)
    var next = max(1, sequence)
    var left = countMax
    guard next <= last, left > 0 else { return next }
    var block = try find(sequence: next)
    while true {
      var offset = BlockHeader.byteCount
      for number in block.header.firstSequence...block.header.lastSequence {
        let pointer = RecordPointer(
          position: block.position + UInt64(offset), sequence: number)
        guard let record = FrameReader.record(in: block.bytes, &offset, block.header, pointer)
        else { throw damage(block.position, number, "the record does not fit its block") }
        if number < next { continue }
        try visit(record)
        next += 1
        left -= 1
        if next > last || left == 0 { return next }
      }
      block = try self.block(at: try positionAfter(block), next)
    }
  }

  /// The last block whose mark is at most `mark`, as its context and the pointer to its first
  /// record; nil where all blocks have a higher one.
  public func block(
    mark: UInt64
  ) throws(LogError) -> (context: BlockContext, first: RecordPointer)? {
    guard let entry = index.find(mark: mark) else { return nil }
    var found = try block(at: entry.position, entry.firstSequence)
    while found.header.lastSequence < index.lastSequence {
      let next = try block(at: try positionAfter(found), found.header.lastSequence + 1)
      if next.header.context.mark > mark { break }
      found = next
    }
    return (
      found.header.context,
      RecordPointer(
        position: found.position + UInt64(BlockHeader.byteCount),
        sequence: found.header.firstSequence)
    )
  }
}
