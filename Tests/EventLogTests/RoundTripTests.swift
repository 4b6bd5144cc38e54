import Testing

@testable import EventLog

@Suite struct RoundTripTests {
  @Test("what was appended comes back the same, in order, with its pointers")
  func roundTrip() throws {
    var log = try TestLog(MemoryDisk())
    #expect(log.recovered.isEmpty)
    try log.fill(900)
    #expect(log.index.segments.count > 2)
    log.disk.kill()
    let again = try TestLog(log.disk)
    #expect(again.recovered == log.appended)
    #expect(again.notices.isEmpty)
    #expect(again.index == log.index)
    #expect(again.appender.nextSequence == 901)
    #expect(again.appender.durableSequence == 900)
  }

  @Test("a log that was reopened goes on where it ended, again and again")
  func reopening() throws {
    let disk = MemoryDisk()
    var expected: [Entry] = []
    for round in 0..<20 {
      var log = try TestLog(disk)
      #expect(log.recovered == expected)
      try log.fill(40, seed: UInt64(round))
      expected = log.all
      if round % 2 == 0 { try log.files.close() } else { disk.kill() }
    }
  }

  @Test("a batch costs one write and one sync")
  func operationsOfABatch() throws {
    var log = try TestLog(MemoryDisk())
    try log.fill(3)
    let before = log.disk.operationCount
    log.append([1, 2, 3])
    log.append([4])
    try log.commit()
    #expect(log.disk.operationCount == before + 2)
  }

  @Test("a new log leaves nothing behind before its first batch, and no batch holds nothing")
  func emptyLog() throws {
    var log = try TestLog(MemoryDisk())
    let empty = log.appender.seal(recorded: 1)
    #expect(empty == nil)
    #expect(log.appender.openByteCount == 0)
    #expect(!log.disk.names.contains { $0.hasSuffix(".log") })
    try log.files.close()
    let again = try TestLog(log.disk)
    #expect(again.appender.nextSequence == 1)
  }

  @Test("blocks stay within 64 KiB, and a larger record has one to itself")
  func largeRecords() throws {
    var log = try TestLog(MemoryDisk(), settings: LogSettings(segmentByteCount: 1 << 20))
    for number in 0..<300 {
      log.append(account: number % 3, [UInt8](repeating: UInt8(number & 0xFF), count: 700))
    }
    log.append([UInt8](repeating: 9, count: 200 << 10))
    log.append([1])
    log.append([UInt8](repeating: 8, count: 3 << 20))
    log.append([2])
    try log.commit()
    log.disk.kill()
    let again = try TestLog(log.disk, settings: log.settings)
    #expect(again.recovered == log.appended)
    #expect(again.index.segments.count == 3)
    #expect(log.batchEnds.contains(303) && log.batchEnds.contains(302))
    let verified = try LogVerifier.verify(log.disk)
    #expect(verified.recordCount == 304 && verified.damage == nil && verified.tornTail == nil)
  }

  @Test("a record too large for a segment that was never used takes its place and its name")
  func unusedSegmentGivesWay() throws {
    let disk = MemoryDisk()
    var log = try TestLog(disk)
    try log.fill(20)
    // A roll that stopped before its batch was written.
    var ahead = log.appender
    while ahead.sealedCount == 0 || ahead.open.newSegment == nil {
      ahead.append(tag: 1, previous: nil, context: { BlockContext(time: 0, mark: 0) }) {
        bytes, _ in bytes.append(contentsOf: [UInt8](repeating: 3, count: 3000))
      }
      let batch = ahead.seal(recorded: 7)
      if let batch, batch.newSegment != nil {
        disk.faults.failures[disk.operationCount + 4] = DiskError.codeInputOutput
        #expect(caught { () throws(LogError) in _ = try log.files.perform(batch) } != nil)
        break
      }
      if let batch { _ = try log.files.perform(batch) }
    }
    disk.faults.failures = [:]
    disk.kill()
    var again = try TestLog(disk)
    let segments = again.index.segments.count
    again.append([UInt8](repeating: 5, count: 50_000))
    try again.commit()
    #expect(again.index.segments.count == segments)
    disk.kill()
    let last = try TestLog(disk)
    #expect(last.recovered == again.all)
    #expect(last.index == again.index)
  }

  @Test("a renewal costs at most nine bytes around its payload")
  func overhead() throws {
    var log = try TestLog(
      MemoryDisk(), settings: LogSettings(segmentByteCount: 16 << 20, spareCount: 0))
    var newest: [RecordPointer?] = Array(repeating: nil, count: 2000)
    let payload = [UInt8](repeating: 7, count: 30)
    for number in 0..<20_000 {
      let account = number % newest.count
      newest[account] = log.appender.append(
        tag: 3, previous: newest[account], context: { BlockContext(time: 0, mark: 0) }
      ) { bytes, _ in bytes.append(contentsOf: payload) }
    }
    try log.commit()
    let perRecord = Double(log.index.end.position) / 20_000
    #expect(perRecord > 30 && perRecord < 39.1)
  }
}
