/// Numbers records, puts them into blocks and batches, and knows where each will lie, before
/// any of it is written. No input or output: `seal` and `takeSealed` hand out batches for
/// `LogFiles` to carry out, `complete` and `fail` take back what came of them.
///
/// At most one batch is open; sealed ones queue and become durable in their order. After `fail`
/// nothing may be appended any more.
public struct LogAppender: Sendable {
  /// Whether records are still taken.
  public private(set) var isFailed = false
  /// The number the next record will get.
  public private(set) var nextSequence: UInt64
  /// The last record known to be durable.
  public private(set) var durableSequence: UInt64
  /// Segments kept ready, as last reported, less those that batches under way will use.
  public internal(set) var spareCount: Int

  let settings: LogSettings
  let identity: LogIdentity
  let seed: UInt32

  /// The chain after the last sealed batch.
  var chain: UInt32
  /// Where the next batch would begin in the present segment, in bytes of the whole log.
  var tail: UInt64
  /// The present segment: bytes before it, and where its data must end. Both 0 before the first.
  var segmentBase: UInt64
  var segmentEnd: UInt64

  /// The open batch, without its room for the frame header; empty when none is open.
  var bytes: [UInt8] = []
  var open = OpenBatch()
  var sealed: [SealedBatch] = []
  private var sealedTaken = 0
  var rollsUnderWay = 0
  private var scratch: [UInt8] = []

  /// What is known of the open batch besides its bytes.
  struct OpenBatch: Sendable {
    var position: UInt64 = 0
    var firstSequence: UInt64 = 0
    /// How long its frame may become before another batch is opened.
    var byteCountMax = 0
    var recordCount = 0
    var newSegment: NewSegment?
    var blocks: [BlockEntry] = []
    var blockIsOpen = false
    var blockStart = 0
    var blockRecordCount = 0
    var blockContext = BlockContext(time: 0, mark: 0)
  }

  /// Continues a log at its end.
  init(
    settings: LogSettings, identity: LogIdentity, end: LogPoint, segmentBase: UInt64,
    segmentEnd: UInt64, spareCount: Int
  ) {
    self.settings = settings
    self.identity = identity
    seed = identity.seed(settings.checksum)
    nextSequence = end.sequence + 1
    durableSequence = end.sequence
    chain = end.chain
    // Nothing may follow yet on the header of the present segment.
    tail =
      segmentEnd == 0
      ? end.position : max(end.position, segmentBase + UInt64(SegmentHeader.byteCount))
    self.segmentBase = segmentBase
    self.segmentEnd = segmentEnd
    self.spareCount = spareCount
  }

  /// The last number given out, durable or not; 0 in an empty log.
  public var lastSequence: UInt64 { nextSequence - 1 }

  /// Bytes of the open batch so far, headers included; 0 when it holds no record.
  public var openByteCount: Int { open.recordCount == 0 ? 0 : bytes.count }

  /// Records in the open batch.
  public var openRecordCount: Int { open.recordCount }

  /// Sealed batches not yet taken.
  public var sealedCount: Int { sealed.count - sealedTaken }

  /// The time, in milliseconds since 1970, put into batches that become full before the next
  /// `seal`. Set it at the start of each turn.
  public var recorded: Int64 = 0

  /// Appends one record to the open batch, opening one where none is.
  ///
  /// - Parameters:
  ///   - tag: what kind of record it is.
  ///   - previous: the same account's record before it.
  ///   - context: asked for when a new block begins.
  ///   - payload: appends the record's bytes; the context is that of the block it will lie in.
  ///     It is called again, for the same record, when the first attempt did not fit the block.
  /// - Returns: where the record will be.
  @discardableResult
  public mutating func append(
    tag: UInt8, previous: RecordPointer?, context: () -> BlockContext,
    payload: (inout [UInt8], BlockContext) -> Void
  ) -> RecordPointer {
    precondition(!isFailed, "a failed log takes no more records")
    var wanted = 0
    while true {
      if bytes.isEmpty { openBatch(wanted: wanted) }
      if !open.blockIsOpen { openBlock(context()) }
      scratch.removeAll(keepingCapacity: true)
      payload(&scratch, open.blockContext)
      precondition(scratch.count <= Limits.payloadByteCountMax, "a record is at most 64 MiB")
      if let pointer = place(tag, previous) { return pointer }
      wanted = scratch.count + Limits.recordOverheadMax + Self.frameOverhead
      makeRoom(for: wanted)
    }
  }

  /// A frame header, a block header and the zeros at a block's end.
  static let frameOverhead =
    FrameHeader.byteCount + BlockHeader.byteCount + Limits.alignment

  /// Writes the record in `scratch` into the open block if it fits.
  private mutating func place(_ tag: UInt8, _ previous: RecordPointer?) -> RecordPointer? {
    let pointer = RecordPointer(
      position: open.position + UInt64(bytes.count), sequence: nextSequence)
    let payloadCount = scratch.count
    var headCount = 0
    let placed = withUnsafeTemporaryAllocation(
      byteCount: Limits.recordOverheadMax, alignment: 8
    ) { head in
      storeVarint(UInt64(payloadCount), into: head, at: &headCount)
      head[headCount] = tag
      headCount += 1
      if let previous {
        precondition(previous.sequence < pointer.sequence && previous.position < pointer.position)
        storeVarint(pointer.position - previous.position, into: head, at: &headCount)
        storeVarint(pointer.sequence - previous.sequence, into: head, at: &headCount)
      } else {
        head[headCount] = 0
        headCount += 1
      }
      guard fits(headCount + payloadCount) else { return false }
      bytes.append(contentsOf: UnsafeRawBufferPointer(rebasing: head[0..<headCount]))
      return true
    }
    guard placed else { return nil }
    bytes.append(contentsOf: scratch)
    open.recordCount += 1
    open.blockRecordCount += 1
    nextSequence += 1
    return pointer
  }

  /// Whether a record of this many bytes may go into the open block.
  private func fits(_ byteCount: Int) -> Bool {
    let end = roundedUp(bytes.count + byteCount, to: Limits.alignment)
    guard end <= open.byteCountMax else { return false }
    return open.blockRecordCount == 0 || end - open.blockStart <= Limits.blockByteCountMax
  }

  /// Closes the block, and the batch where a new block would not fit it either.
  private mutating func makeRoom(for wanted: Int) {
    if open.blockRecordCount > 0, bytes.count + wanted <= open.byteCountMax {
      closeBlock()
    } else if open.recordCount > 0 {
      sealOpenBatch()
    } else {
      abandonEmptyBatch()
    }
  }

  /// Seals the open batch, if it holds a record, and returns the first batch not yet taken.
  /// `recorded` is the time the batch carries, in milliseconds since 1970.
  public mutating func seal(recorded: Int64) -> SealedBatch? {
    self.recorded = recorded
    if open.recordCount > 0 { sealOpenBatch() }
    return takeSealed()
  }

  /// The next sealed batch not yet taken: those that became full come before the last.
  public mutating func takeSealed() -> SealedBatch? {
    guard sealedTaken < sealed.count else { return nil }
    let batch = sealed[sealedTaken]
    sealedTaken += 1
    if sealedTaken == sealed.count {
      sealed.removeAll(keepingCapacity: true)
      sealedTaken = 0
    }
    return batch
  }

  /// A batch has become durable. Batches complete in their order.
  public mutating func complete(_ batch: BatchSummary, _ receipt: BatchReceipt) {
    precondition(batch.firstSequence == durableSequence + 1, "batches complete in order")
    precondition(receipt.lastSequence == batch.end.sequence)
    durableSequence = batch.end.sequence
    if batch.takesSpare { rollsUnderWay -= 1 }
    setSpares(receipt.spareCount)
  }

  /// The number of segments kept ready has changed (`LogFiles.replenish`).
  public mutating func setSpares(_ count: Int) {
    spareCount = max(0, count - rollsUnderWay)
  }

  /// A write or sync has failed: nothing may be appended any more.
  public mutating func fail() {
    isFailed = true
  }
}
