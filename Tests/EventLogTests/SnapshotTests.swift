import Testing

@testable import EventLog

@Suite struct SnapshotTests {
  private static let payload: [UInt8] = Array(0..<200)

  /// A log of several segments with a snapshot taken on the way.
  private func snapshotted(_ before: Int, _ after: Int) throws -> (TestLog, LogPoint) {
    var log = try TestLog(MemoryDisk())
    try log.fill(before)
    let point = log.index.end
    try SnapshotFile.write(
      log.disk, SnapshotStamp(foldVersion: 3, point: point), index: log.index,
      payload: Self.payload)
    if after > 0 { try log.fill(after, seed: 2) }
    log.disk.kill()
    return (log, point)
  }

  private func newest(_ disk: MemoryDisk, fold: UInt64 = 3) throws(LogError) -> (
    Snapshot?, [SnapshotRefusal]
  ) {
    let found = try SnapshotFile.newest(disk, identity: TestLog.identity, foldVersion: fold)
    return (found.snapshot, found.notices.map(\.refusal))
  }

  @Test("a replay from a snapshot gives the records after it and the same index")
  func startFromSnapshot() throws {
    for (before, after) in [(500, 500), (3, 900), (900, 0), (900, 2)] {
      let (log, point) = try snapshotted(before, after)
      let (found, refusals) = try newest(log.disk)
      let snapshot = try #require(found)
      #expect(refusals.isEmpty && snapshot.payload == Self.payload)
      #expect(snapshot.start.point == point)
      let again = try TestLog(log.disk, from: snapshot.start)
      #expect(again.recovered == Array(log.appended[before...]))
      #expect(again.index == log.index)
      let reader = LogReader(disk: log.disk, index: again.index)
      let first = try reader.record(at: log.appended[1].pointer) { Entry($0) }
      #expect(first == log.appended[1])
    }
  }

  @Test("without its index older records are still found")
  func withoutIndex() throws {
    let (log, point) = try snapshotted(500, 400)
    let again = try TestLog(log.disk, from: LogStart(point: point, blocks: []))
    let reader = LogReader(disk: log.disk, index: again.index)
    for number in stride(from: 0, to: 900, by: 61) {
      let expected = log.appended[number]
      #expect(try reader.record(at: expected.pointer) { Entry($0) } == expected)
    }
  }

  @Test("the same log reopened at the seam of two segments starts from a snapshot there")
  func atTheSeam() throws {
    var log = try TestLog(MemoryDisk())
    while log.index.segments.count < 3 {
      let index = log.index
      try log.fill(1, seed: index.lastSequence)
      guard log.index.segments.count > index.segments.count, index.lastSequence > 0 else {
        continue
      }
      let disk = log.disk.copy(seed: 1)
      var count = 0
      let opened = try LogRecovery.open(
        disk, settings: TestLog.small, newIdentity: TestLog.identity,
        from: LogStart(point: index.end, blocks: index.blocks)
      ) { _ in count += 1 }
      #expect(count == 1 && opened.index == log.index)
    }
  }

  @Test("a snapshot newer than the log, or of another history, is refused before the first record")
  func pointNotInLog() throws {
    let (log, point) = try snapshotted(500, 300)
    var later = point
    later.sequence += 1000
    later.position += 100_000
    var shifted = point
    shifted.position += 8
    var otherChain = point
    otherChain.chain ^= 1
    var earlier = point
    earlier.sequence -= 1
    let zero = LogPoint(sequence: 5, position: 10, chain: 0)
    for wrong in [later, shifted, otherChain, earlier, zero] {
      var count = 0
      let error = caught { () throws(LogError) in
        _ = try LogRecovery.open(
          log.disk, settings: TestLog.small, newIdentity: TestLog.identity,
          from: LogStart(point: wrong, blocks: [])
        ) { _ in count += 1 }
      }
      #expect(error == .pointNotInLog(sequence: wrong.sequence))
      #expect(count == 0)
    }
    #expect(try TestLog(log.disk).recovered == log.appended)
  }

  @Test("a snapshot of the end of the log is known by the tail mark, not believed")
  func atTheEnd() throws {
    let (log, point) = try snapshotted(300, 0)
    #expect(try TestLog(log.disk, from: LogStart(point: point, blocks: [])).recovered.isEmpty)
    log.disk.kill()
    var wrong = point
    wrong.chain ^= 1
    let error = caught { () throws(LogError) in
      _ = try TestLog(log.disk, from: LogStart(point: wrong, blocks: []))
    }
    #expect(error == .pointNotInLog(sequence: 300))
  }

  @Test("every cut and every flipped bit of a snapshot is noticed, and it is passed over")
  func damaged() throws {
    let (log, _) = try snapshotted(100, 10)
    let name = "snapshot-00000000000000000100"
    let whole = try #require(log.disk.contents(of: name))
    for place in whole.indices {
      var bytes = whole
      bytes[place] ^= 1 << UInt8(place % 8)
      log.disk.setContents(of: name, bytes)
      #expect(try newest(log.disk).0 == nil)
      log.disk.setContents(of: name, Array(whole[0..<place]))
      let (snapshot, refusals) = try newest(log.disk)
      #expect(snapshot == nil && refusals.count == 1)
    }
  }

  @Test("B77: a snapshot by another fold, of another log or in a newer format is passed over")
  func refusals() throws {
    let (log, _) = try snapshotted(100, 10)
    #expect(try newest(log.disk, fold: 4).1 == [.otherFold(3)])
    #expect(try newest(log.disk, fold: 2).1 == [.otherFold(3)])
    let other = try SnapshotFile.newest(
      log.disk, identity: LogIdentity(low: 1, high: 2), foldVersion: 3)
    #expect(other.notices.map(\.refusal) == [.otherLog])
    #expect(
      other.notices[0].description
        == "snapshot snapshot-00000000000000000100 belongs to another log and was ignored")
    let name = "snapshot-00000000000000000100"
    var bytes = try #require(log.disk.contents(of: name))
    bytes[8] = 9
    let count = bytes.count
    let sum = bytes.withUnsafeBytes {
      crc32c(crc32c(0, $0.part(0, 84)), $0.part(88, count - 88))
    }
    bytes.storeNumber(sum, at: 84)
    log.disk.setContents(of: name, bytes)
    #expect(try newest(log.disk).1 == [.newerFormat(9)])
  }

  @Test("the newest good snapshot is taken, two are kept, and an older one can be asked for")
  func several() throws {
    var log = try TestLog(MemoryDisk())
    for round in 1...4 {
      try log.fill(10, seed: UInt64(round))
      try SnapshotFile.write(
        log.disk, SnapshotStamp(foldVersion: 3, point: log.index.end), index: log.index,
        payload: [UInt8(round)])
    }
    let names = log.disk.names.filter { $0.hasPrefix("snapshot-") }
    #expect(names == ["snapshot-00000000000000000030", "snapshot-00000000000000000040"])
    #expect(try newest(log.disk).0?.payload == [4])
    log.disk.setContents(of: names[1], [1])
    let (snapshot, refusals) = try newest(log.disk)
    #expect(snapshot?.payload == [3] && refusals.count == 1)
    let older = try SnapshotFile.newest(
      log.disk, identity: TestLog.identity, foldVersion: 3, below: 30)
    #expect(older.snapshot == nil && older.notices.isEmpty)
  }

  @Test("a snapshot is there whole or not at all, whatever call fails or loses power")
  func interrupted() throws {
    let (log, _) = try snapshotted(100, 50)
    let stamp = SnapshotStamp(foldVersion: 3, point: log.index.end)
    let counter = log.disk.copy(seed: 0)
    try SnapshotFile.write(counter, stamp, index: log.index, payload: [7])
    for operation in 0..<counter.operationCount {
      for seed in 0..<4 {
        let disk = log.disk.copy(seed: UInt64(operation * 4 + seed))
        for later in operation...counter.operationCount {
          disk.faults.failures[later] = DiskError.codeInputOutput
        }
        let error = caught { () throws(LogError) in
          try SnapshotFile.write(disk, stamp, index: log.index, payload: [7])
        }
        #expect(error != nil)
        disk.losePower()
        disk.faults = MemoryDisk.Faults()
        let found = try newest(disk)
        #expect(found.1.isEmpty)
        #expect(found.0?.payload == [7] || found.0?.payload == Self.payload)
        try SnapshotFile.write(disk, stamp, index: log.index, payload: [8])
        #expect(try newest(disk).0?.payload == [8])
      }
    }
  }

  @Test("a snapshot without a log means that the log is lost, and no new one is begun over it")
  func lostLog() throws {
    let (log, _) = try snapshotted(100, 0)
    for segment in log.index.segments { log.disk.discard(segment.fileName) }
    let error = caught { () throws(LogError) in _ = try TestLog(log.disk) }
    #expect(
      error?.description
        == "00000000000000000001.log is damaged at offset 0, sequence 1: it is missing, "
        + "while snapshot-00000000000000000100 is there")
  }
}
