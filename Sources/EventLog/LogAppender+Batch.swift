/// Which space a claim may use.
public enum LogSpace: Sendable {
  /// All but the reserve: for what can be refused.
  case ordinary
  /// The reserve too: for what must go on while the disk is full.
  case reserve
}

extension LogAppender {
  /// Makes certain that records of these sizes have space and will lie in one batch, all or
  /// none, provided they are appended before the next claim or seal.
  ///
  /// A claim larger than a whole segment needs a segment of its own, which is made only when the
  /// batch is carried out: it is granted while all segments to be kept ready are there, and may
  /// still have to wait for space then (`LogError.noSpace`).
  ///
  /// - Parameters:
  ///   - byteCount: the payloads together, at worst.
  ///   - recordCount: how many records, at worst.
  /// - Returns: false when the space is not there; nothing has changed then.
  public mutating func claim(byteCount: Int, recordCount: Int, from space: LogSpace) -> Bool {
    precondition(!isFailed, "a failed log takes no more records")
    let wanted = Self.wanted(byteCount: byteCount, recordCount: recordCount)
    guard hasSpace(wanted, space) else { return false }
    if !bytes.isEmpty {
      if bytes.count + wanted <= open.byteCountMax { return true }
      if open.recordCount > 0 { sealOpenBatch() } else { abandonEmptyBatch() }
    }
    openBatch(wanted: wanted)
    return true
  }

  /// Whether such a claim would be granted now.
  public func hasSpace(byteCount: Int, recordCount: Int, from space: LogSpace) -> Bool {
    hasSpace(Self.wanted(byteCount: byteCount, recordCount: recordCount), space)
  }

  /// Bytes that records of these sizes take in a batch, at worst.
  private static func wanted(byteCount: Int, recordCount: Int) -> Int {
    let records = byteCount + recordCount * Limits.recordOverheadMax
    // A block is closed at the latest when the next record would take it past its limit, so
    // two neighbours together always hold more than one limit.
    let blocks = 2 * (records / Limits.blockByteCountMax) + 2
    return FrameHeader.byteCount + records + blocks * (BlockHeader.byteCount + Limits.alignment)
  }

  private func hasSpace(_ wanted: Int, _ space: LogSpace) -> Bool {
    if settings.spareCount == 0 { return true }
    let kept = space == .ordinary && settings.spareCount > 1 ? 1 : 0
    // The open batch's own segment was taken from the spares already.
    guard spareCount >= kept else { return false }
    if !bytes.isEmpty, bytes.count + wanted <= open.byteCountMax { return true }
    if wanted > LogSettings.capacity(ofSegment: settings.segmentByteCount)
      - SegmentHeader.byteCount
    {
      return spareCount + rollsUnderWay >= settings.spareCount
    }
    let end = bytes.isEmpty ? tail : open.position + UInt64(bytes.count + Limits.alignment)
    let left = segmentEnd > end ? Int(segmentEnd - end) : 0
    return left >= max(wanted, settings.batchByteCountMin) || spareCount > kept
  }

  /// Opens a batch in the present segment, or in a new one when too little is left.
  mutating func openBatch(wanted: Int) {
    precondition(bytes.isEmpty && open.recordCount == 0)
    open.newSegment = nil
    let left = segmentEnd > tail ? Int(segmentEnd - tail) : 0
    if left < max(wanted, settings.batchByteCountMin) { planSegment(wanted: wanted) }
    open.position = tail
    open.firstSequence = nextSequence
    open.byteCountMax = min(Int(segmentEnd - tail), max(wanted, settings.batchByteCountMax))
    open.blocks.removeAll(keepingCapacity: true)
    open.blockIsOpen = false
    open.blockRecordCount = 0
    bytes.appendZeros(FrameHeader.byteCount)
  }

  /// Plans the next segment, of the usual size unless one batch needs more.
  private mutating func planSegment(wanted: Int) {
    let needed = roundedUp(
      SegmentHeader.byteCount + wanted + Limits.alignment, to: Limits.sectorByteCount)
    let byteCount = max(settings.segmentByteCount, needed + Limits.sectorByteCount)
    // A segment without a batch is replaced, under the same name, by one that is large enough.
    let isUnused = segmentEnd > 0 && tail == segmentBase + UInt64(SegmentHeader.byteCount)
    let base = isUnused ? segmentBase : tail
    let header = SegmentHeader(
      identity: identity, firstSequence: nextSequence, base: base,
      segmentByteCount: UInt64(byteCount), chain: chain)
    open.newSegment = NewSegment(
      fileName: LogNames.segment(nextSequence), header: header.encoded(settings.checksum),
      byteCount: UInt64(byteCount),
      entry: SegmentEntry(firstSequence: nextSequence, base: base))
    segmentBase = base
    segmentEnd = base + UInt64(LogSettings.capacity(ofSegment: byteCount))
    tail = base + UInt64(SegmentHeader.byteCount)
    if byteCount == settings.segmentByteCount {
      rollsUnderWay += 1
      spareCount = max(0, spareCount - 1)
    }
  }

  /// The open batch turned out too small for its first record: it never was.
  mutating func abandonEmptyBatch() {
    precondition(open.recordCount == 0)
    bytes.removeAll(keepingCapacity: true)
    open.blockIsOpen = false
    guard let segment = open.newSegment else { return }
    tail = segment.entry.base
    segmentEnd = tail
    if segment.byteCount == UInt64(settings.segmentByteCount) {
      rollsUnderWay -= 1
      spareCount += 1
    }
    open.newSegment = nil
  }

  /// Begins a block. Its header is filled in when it is closed.
  mutating func openBlock(_ context: BlockContext) {
    open.blockIsOpen = true
    open.blockStart = bytes.count
    open.blockContext = context
    open.blocks.append(
      BlockEntry(
        position: open.position + UInt64(bytes.count), firstSequence: nextSequence,
        mark: context.mark))
    bytes.appendZeros(BlockHeader.byteCount)
  }

  /// Ends the open block: zeros up to the alignment, and its header but for what only the end
  /// of the batch tells.
  mutating func closeBlock() {
    bytes.appendZeros(roundedUp(bytes.count, to: Limits.alignment) - bytes.count)
    let start = open.blockStart
    bytes.storeNumber(UInt32(bytes.count - start), at: start)
    bytes.storeNumber(UInt32(open.blockRecordCount), at: start + 4)
    bytes.storeNumber(open.blocks[open.blocks.count - 1].firstSequence, at: start + 8)
    bytes.storeNumber(open.blockContext.time, at: start + 24)
    bytes.storeNumber(open.blockContext.mark, at: start + 32)
    open.blockIsOpen = false
    open.blockRecordCount = 0
  }

  /// Ends the open batch: checksums, chain, tail mark; and queues it.
  mutating func sealOpenBatch() {
    if open.blockIsOpen {
      if open.blockRecordCount > 0 { closeBlock() } else { dropEmptyBlock() }
    }
    let frameByteCount = bytes.count
    storeHeaders()
    let end = open.position + UInt64(frameByteCount)
    chain = bytes.withUnsafeBytes { $0.number(FrameHeader.chainOffset) }
    appendTailMark(end: end)
    let summary = BatchSummary(
      firstSequence: open.firstSequence,
      end: LogPoint(sequence: lastSequence, position: end, chain: chain),
      newSegment: open.newSegment?.entry,
      takesSpare: open.newSegment?.byteCount == UInt64(settings.segmentByteCount),
      blocks: open.blocks)
    sealed.append(
      SealedBatch(
        newSegment: open.newSegment, fileOffset: open.position - segmentBase, bytes: bytes,
        summary: summary))
    tail = end
    bytes = []
    open.recordCount = 0
    open.newSegment = nil
  }

  /// A block was begun but its first record did not fit the batch.
  private mutating func dropEmptyBlock() {
    bytes.removeLast(bytes.count - open.blockStart)
    open.blocks.removeLast()
    open.blockIsOpen = false
  }

  /// Fills in what is known only now: the blocks' times and checksums, the frame's header.
  private mutating func storeHeaders() {
    let checksum = settings.checksum
    let frameByteCount = bytes.count
    bytes.storeNumber(FrameHeader.magic, at: 0)
    bytes.storeNumber(UInt32(frameByteCount), at: 4)
    bytes.storeNumber(open.firstSequence, at: 8)
    bytes.storeNumber(UInt32(open.recordCount), at: 16)
    bytes.storeNumber(UInt32(open.blocks.count), at: 20)
    var running = bytes.withUnsafeBytes {
      checksum(chain, $0.part(0, FrameHeader.chainedByteCount))
    }
    var start = FrameHeader.byteCount
    for blocksAfter in (0..<open.blocks.count).reversed() {
      bytes.storeNumber(recorded, at: start + 16)
      bytes.storeNumber(UInt32(blocksAfter), at: start + 40)
      let byteCount = bytes.withUnsafeBytes { Int($0.number(start) as UInt32) }
      let block = bytes.withUnsafeBytes {
        BlockHeader.checksum($0.part(start, byteCount), seed: seed, checksum)
      }
      bytes.storeNumber(block, at: start + BlockHeader.checksumOffset)
      running = bytes.withUnsafeBytes {
        checksum(running, $0.part(start + BlockHeader.checksumOffset, 4))
      }
      start += byteCount
    }
    precondition(start == frameByteCount, "blocks fill their frame")
    bytes.storeNumber(running, at: FrameHeader.chainOffset)
    let own = bytes.withUnsafeBytes { checksum(seed, $0.part(0, FrameHeader.checksumOffset)) }
    bytes.storeNumber(own, at: FrameHeader.checksumOffset)
  }

  /// The zeros up to the next sector and the mark there, written along with the frame.
  private mutating func appendTailMark(end: UInt64) {
    let fileEnd = Int(end - segmentBase)
    bytes.appendZeros(TailMark.offset(forEnd: fileEnd) - fileEnd)
    TailMark(
      frameStart: open.position, frameEnd: end, lastSequence: lastSequence, chain: chain
    ).append(to: &bytes, seed: seed, settings.checksum)
  }
}
