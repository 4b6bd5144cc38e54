import Testing

@testable import EventLog

@Suite struct ReaderTests {
  private func filled() throws -> TestLog {
    var log = try TestLog(MemoryDisk())
    try log.fill(900)
    log.append(account: 1, [UInt8](repeating: 4, count: 100_000))
    for number in 0..<40 { log.append(account: number % 3, [UInt8](repeating: 5, count: 5000)) }
    try log.commit()
    try log.fill(50, seed: 3)
    return log
  }

  @Test("a reader gives each record as recovery does, by its pointer alone")
  func byPointer() throws {
    let log = try filled()
    let reader = LogReader(disk: log.disk, index: log.index)
    for expected in log.appended.reversed() {
      let found = try reader.record(at: expected.pointer) { Entry($0) }
      #expect(found == expected)
    }
  }

  @Test("a pointer that names no record is refused, not read")
  func wrongPointers() throws {
    let log = try filled()
    let reader = LogReader(disk: log.disk, index: log.index)
    let right = log.appended[500].pointer
    let wrong = [
      RecordPointer(position: right.position + 1, sequence: right.sequence),
      RecordPointer(position: right.position, sequence: right.sequence + 1),
      RecordPointer(position: 0, sequence: right.sequence),
      RecordPointer(position: .max, sequence: right.sequence),
      RecordPointer(position: right.position, sequence: 0),
      RecordPointer(position: right.position, sequence: .max),
    ]
    for pointer in wrong {
      let error = caught { () throws(LogError) in
        _ = try reader.record(at: pointer) { (record) throws(LogError) in record.tag }
      }
      #expect(error == .noRecord(sequence: pointer.sequence))
    }
  }

  @Test("records are read in order from any sequence, up to a count or the durable end")
  func ranges() throws {
    let log = try filled()
    let reader = LogReader(disk: log.disk, index: log.index)
    let count = UInt64(log.appended.count)
    for start in stride(from: UInt64(1), through: count + 2, by: 37) {
      for countMax in [0, 1, 10, 2000] {
        var found: [Entry] = []
        let next = try reader.records(from: start, countMax: countMax) { found.append(Entry($0)) }
        let expected = log.appended.dropFirst(Int(start) - 1).prefix(countMax)
        #expect(found == Array(expected))
        #expect(next == start + UInt64(expected.count))
      }
    }
    var found = 0
    try reader.records(from: 0, countMax: 10, upTo: 4) { _ in found += 1 }
    #expect(found == 4)
  }

  @Test("B76: a reader told of one more batch gives exactly that batch after its cursor")
  func following() throws {
    var log = try filled()
    let reader = LogReader(disk: log.disk, index: log.index)
    var cursor = try reader.records(from: 1, countMax: .max) { _ in }
    for round in 0..<300 {
      let summaries = try followed(&log, round)
      #expect(try reader.records(from: cursor, countMax: 10) { _ in } == cursor)
      for summary in summaries { reader.append(summary) }
      var found: [Entry] = []
      cursor = try reader.records(from: cursor, countMax: 10) { found.append(Entry($0)) }
      #expect(found == Array(log.appended.suffix(1)))
    }
    #expect(reader.index == log.index)
  }

  private func followed(_ log: inout TestLog, _ round: Int) throws -> [BatchSummary] {
    log.append(account: round % 4, [UInt8](repeating: 1, count: round % 200))
    let batch = try log.sealed()
    try log.perform(batch)
    return [batch.summary]
  }

  @Test("an account's records are walked from the newest to the first, or until told to stop")
  func chain() throws {
    let log = try filled()
    let reader = LogReader(disk: log.disk, index: log.index)
    let newest = try #require(log.appended.last)
    var expected: [Entry] = []
    var next: RecordPointer? = newest.pointer
    while let pointer = next {
      let entry = log.appended[Int(pointer.sequence) - 1]
      expected.append(entry)
      next = entry.previous
    }
    #expect(expected.count > 100)
    var found: [Entry] = []
    try reader.chain(from: newest.pointer) { (record) throws(LogError) in
      found.append(Entry(record))
      return true
    }
    #expect(found == expected)
    found = []
    try reader.chain(from: newest.pointer) { (record) throws(LogError) in
      found.append(Entry(record))
      return found.count < 7
    }
    #expect(found == Array(expected.prefix(7)))
  }

  @Test("blocks are found by their mark")
  func marks() throws {
    let log = try filled()
    let reader = LogReader(disk: log.disk, index: log.index)
    // A block's mark is ten times the sequence of its first record.
    #expect(try reader.block(mark: 9) == nil)
    var firsts: Set<UInt64> = []
    for mark in stride(from: UInt64(10), through: 11_000, by: 7) {
      let found = try #require(try reader.block(mark: mark))
      #expect(found.context.mark <= mark)
      #expect(found.context.mark == found.first.sequence * 10)
      firsts.insert(found.first.sequence)
      let record = try reader.record(at: found.first) { Entry($0) }
      #expect(record == log.appended[Int(found.first.sequence) - 1])
    }
    #expect(firsts.count > 200)
  }

  @Test("the index keeps one block in 32 KiB, and is the same built at recovery or on the way")
  func sparseIndex() throws {
    let log = try filled()
    let bytes = log.index.end.position
    #expect(log.index.blocks.count <= Int(bytes / Limits.indexStride) + 4)
    log.disk.kill()
    #expect(try TestLog(log.disk).index == log.index)
  }

  @Test("a block that has rotted since the start is refused by name, not handed on")
  func rot() throws {
    let log = try filled()
    let reader = LogReader(disk: log.disk, index: log.index)
    let name = log.index.segments[0].fileName
    let victim = log.appended[100].pointer
    var bytes = try #require(log.disk.contents(of: name))
    bytes[Int(victim.position) + 2] ^= 0x10
    log.disk.setContents(of: name, bytes)
    let error = caught { () throws(LogError) in
      _ = try reader.record(at: victim) { (record) throws(LogError) in record.tag }
    }
    #expect(error?.damage?.file == name)
    #expect(try reader.record(at: log.appended[400].pointer) { Entry($0) } == log.appended[400])
  }

  @Test("a log that is being written is verified up to what is durable")
  func verifyLive() throws {
    var log = try filled()
    let index = log.index
    try log.fill(200, seed: 9)
    let report = try LogVerifier.verify(log.disk, upTo: index)
    #expect(report.recordCount == index.lastSequence && report.damage == nil)
    #expect(report.byteCount == index.end.position)
    let whole = try LogVerifier.verify(log.disk)
    #expect(whole.recordCount == log.index.lastSequence)
    #expect(whole.segmentCount == log.index.segments.count)
    #expect(whole.batchCount == UInt64(log.batchEnds.count))
    #expect(whole.identity == TestLog.identity)
  }
}
