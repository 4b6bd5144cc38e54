import EventLog
import Testing

/// A record as it was handed to the log or came back from it.
struct Entry: Equatable {
  var tag: UInt8
  var pointer: RecordPointer
  var previous: RecordPointer?
  var payload: [UInt8]
  var recorded: Int64 = 0

  init(tag: UInt8, pointer: RecordPointer, previous: RecordPointer?, payload: [UInt8]) {
    self.tag = tag
    self.pointer = pointer
    self.previous = previous
    self.payload = payload
  }

  init(_ record: LogRecord) {
    tag = record.tag
    pointer = record.pointer
    previous = record.previous
    payload = Array(record.payload)
    recorded = record.recorded
  }
}

/// A log on a simulated disk, and beside it a plain list of what it must hold.
struct TestLog {
  static let identity = LogIdentity(low: 0x0123_4567_89AB_CDEF, high: 0xFEDC_BA98_7654_3210)
  static let small = LogSettings(segmentByteCount: 16 << 10)

  let disk: MemoryDisk
  var settings: LogSettings
  var appender: LogAppender
  var files: LogFiles<MemoryDisk>
  var index: LogIndex
  var notices: [LogNotice]
  /// What recovery handed over.
  var recovered: [Entry]
  /// How many records that were.
  let recoveredCount: Int
  /// What was appended since.
  var appended: [Entry] = []
  /// How many records each batch ended at.
  var batchEnds: [Int] = []
  /// The point behind the batch that ends at a sequence.
  var points: [Int: LogPoint] = [:]
  private var newest: [Int: RecordPointer] = [:]

  /// Opens the log. `isCounting` leaves out what the records are.
  init(
    _ disk: MemoryDisk, settings: LogSettings = small, from start: LogStart? = nil,
    isCounting: Bool = false
  ) throws(LogError) {
    var recovered: [Entry] = []
    var count = 0
    let opened = try LogRecovery.open(
      disk, settings: settings, newIdentity: Self.identity, from: start
    ) { record in
      count += 1
      if !isCounting { recovered.append(Entry(record)) }
    }
    self.disk = disk
    self.settings = settings
    appender = opened.appender
    files = opened.files
    index = opened.index
    notices = opened.notices
    self.recovered = recovered
    recoveredCount = count
    appender.recorded = 7
    points = [Int(index.lastSequence): index.end]
  }

  /// Everything the log must hold.
  var all: [Entry] { recovered + appended }

  /// Appends a record of one account; its payload starts with the difference to the block's time
  /// as a caller's would.
  @discardableResult
  mutating func append(
    account: Int = 0, tag: UInt8 = 1, time: Int64 = 1000, _ payload: [UInt8]
  ) -> RecordPointer {
    let sequence = appender.nextSequence
    var bytes: [UInt8] = []
    let previous = newest[account]
    let pointer = appender.append(
      tag: tag, previous: previous, context: { BlockContext(time: time, mark: sequence * 10) }
    ) { buffer, context in
      bytes = [UInt8(truncatingIfNeeded: time - context.time)] + payload
      buffer.append(contentsOf: bytes)
    }
    newest[account] = pointer
    appended.append(Entry(tag: tag, pointer: pointer, previous: previous, payload: bytes))
    return pointer
  }

  /// Seals what is open and makes it durable.
  mutating func commit(recorded: Int64 = 7) throws(LogError) {
    guard var batch = appender.seal(recorded: recorded) else { return }
    while true {
      try perform(batch)
      guard let next = appender.takeSealed() else { return }
      batch = next
    }
  }

  mutating func perform(_ batch: SealedBatch) throws(LogError) {
    let receipt = try files.perform(batch)
    appender.complete(batch.summary, receipt)
    index.append(batch.summary)
    batchEnds.append(Int(receipt.lastSequence))
    points[Int(receipt.lastSequence)] = batch.summary.end
    for number in appended.indices.reversed() {
      let sequence = appended[number].pointer.sequence
      guard sequence >= batch.firstSequence else { break }
      if sequence <= batch.lastSequence { appended[number].recorded = 7 }
    }
    appender.setSpares(try files.replenish())
  }

  /// Appends `count` records of a repeatable mix of accounts and sizes in batches of some.
  mutating func fill(_ count: Int, seed: UInt64 = 1, sizeMax: Int = 40) throws(LogError) {
    var random = SeededGenerator(seed: seed)
    var left = count
    while left > 0 {
      for _ in 0..<min(left, Int.random(in: 1...6, using: &random)) {
        let size = Int.random(in: 0...sizeMax, using: &random)
        append(
          account: Int.random(in: 0..<5, using: &random), tag: UInt8(size % 7),
          time: 1000 + Int64(left % 3),
          (0..<size).map { _ in UInt8.random(in: 0...255, using: &random) })
        left -= 1
      }
      try commit()
    }
  }

  /// Seals what is open, which must be something.
  mutating func sealed() throws -> SealedBatch {
    let batch = appender.seal(recorded: 7)
    return try #require(batch)
  }

  mutating func claim(_ byteCount: Int, _ recordCount: Int, _ space: LogSpace) -> Bool {
    appender.claim(byteCount: byteCount, recordCount: recordCount, from: space)
  }

  /// The name of the last segment.
  var lastSegment: String { index.segments.last?.fileName ?? "" }
}

/// The error a closure throws.
func caught(_ body: () throws(LogError) -> Void) -> LogError? {
  do throws(LogError) {
    try body()
    return nil
  } catch {
    return error
  }
}

extension LogError {
  var damage: LogDamage? {
    if case .damaged(let damage) = self { damage } else { nil }
  }
}
