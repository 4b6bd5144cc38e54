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
    var places: BlockPlaces?
    return try visit(record(at: pointer, &places))
  }

  /// Hands over an account's records from `pointer` back to its first, newest first, until
  /// `visit` returns false. Costs one walk through a block for each that holds some of them.
  public func chain(
    from pointer: RecordPointer, _ visit: (LogRecord) throws(LogError) -> Bool
  ) throws(LogError) {
    var next: RecordPointer? = pointer
    var places: BlockPlaces?
    while let pointer = next {
      let record = try record(at: pointer, &places)
      next = try visit(record) ? record.previous : nil
    }
  }

  /// Where the records of a block begin in it, first to last.
  private struct BlockPlaces {
    var firstSequence: UInt64
    var offsets: [Int] = []

    func offset(of sequence: UInt64) -> Int? {
      guard sequence >= firstSequence, sequence - firstSequence < UInt64(offsets.count) else {
        return nil
      }
      return offsets[Int(sequence - firstSequence)]
    }
  }

  /// One record, at one of the places that are known or, in another block, after a walk there:
  /// that costs less than checking the block, and a pointer from a stale side file is found out
  /// instead of being read as a record that never was.
  private func record(
    at pointer: RecordPointer, _ places: inout BlockPlaces?
  ) throws(LogError) -> LogRecord {
    guard pointer.sequence > 0, pointer.sequence <= index.lastSequence,
      pointer.position < index.end.position
    else { throw .noRecord(sequence: pointer.sequence) }
    let block = try find(sequence: pointer.sequence)
    var offset = BlockHeader.byteCount
    if places?.firstSequence != block.header.firstSequence
      || places?.offset(of: pointer.sequence) == nil
    {
      var found = BlockPlaces(firstSequence: block.header.firstSequence)
      for number in block.header.firstSequence...pointer.sequence {
        found.offsets.append(offset)
        let place = RecordPointer(position: block.position + UInt64(offset), sequence: number)
        guard FrameReader.record(in: block.bytes, &offset, block.header, place) != nil else {
          throw damage(block.position, number, "the record does not fit its block")
        }
      }
      places = found
    }
    guard var offset = places?.offset(of: pointer.sequence),
      block.position + UInt64(offset) == pointer.position
    else { throw .noRecord(sequence: pointer.sequence) }
    guard let record = FrameReader.record(in: block.bytes, &offset, block.header, pointer) else {
      throw damage(block.position, pointer.sequence, "the record does not fit its block")
    }
    return record
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
