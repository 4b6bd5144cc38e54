import Testing

@testable import EventLog

@Suite struct SpaceTests {
  private static let settings = LogSettings(segmentByteCount: 16 << 10, spareCount: 2)

  /// Appends records under claims until one is refused; says how many were taken.
  private func fillUp(_ log: inout TestLog, _ space: LogSpace) throws -> Int {
    var count = 0
    while log.appender.claim(byteCount: 101, recordCount: 1, from: space) {
      log.append([UInt8](repeating: 1, count: 100))
      try log.commit()
      count += 1
    }
    return count
  }

  @Test("on a full disk ordinary claims end first, the reserve goes on, and service returns")
  func reserve() throws {
    let disk = MemoryDisk(faults: MemoryDisk.Faults(byteCountMax: 80 << 10))
    var log = try TestLog(disk, settings: Self.settings)
    #expect(log.appender.spareCount == 2)
    let ordinary = try fillUp(&log, .ordinary)
    // Five segments fit; the last is kept in reserve.
    #expect(log.index.segments.count == 4 && log.appender.spareCount == 1)
    #expect(ordinary > 150)
    let reserve = try fillUp(&log, .reserve)
    #expect(log.index.segments.count == 5 && log.appender.spareCount == 0)
    #expect(reserve > 40)
    let granted1 = log.claim(101, 1, .ordinary)
    #expect(!granted1)
    disk.faults.byteCountMax = 200 << 10
    log.appender.setSpares(try log.files.replenish())
    #expect(log.appender.spareCount == 2)
    #expect(try fillUp(&log, .ordinary) > 100)
    disk.kill()
    #expect(try TestLog(disk, settings: Self.settings).recovered == log.all)
  }

  @Test("while the reserve is gone ordinary claims are refused even where there is room")
  func reserveIsKept() throws {
    let disk = MemoryDisk(faults: MemoryDisk.Faults(byteCountMax: 32 << 10))
    var log = try TestLog(disk, settings: Self.settings)
    #expect(log.notices.count == 0 || log.appender.spareCount < 2)
    let granted2 = log.claim(10, 1, .reserve)
    #expect(granted2)
    log.append([1])
    try log.commit()
    #expect(log.appender.spareCount == 1)
    disk.kill()
    disk.faults.byteCountMax = 16 << 10
    disk.discard("spare-1")
    disk.discard("spare-2")
    var again = try TestLog(disk, settings: Self.settings)
    #expect(again.notices.count == 1 && again.appender.spareCount == 0)
    let granted3 = again.claim(10, 1, .ordinary)
    #expect(!granted3)
    let granted4 = again.claim(10, 1, .reserve)
    #expect(granted4)
  }

  @Test("a segment that cannot be made has written nothing, and the same batch is tried again")
  func noSpace() throws {
    let disk = MemoryDisk(faults: MemoryDisk.Faults(byteCountMax: 20 << 10))
    var log = try TestLog(disk, settings: LogSettings(segmentByteCount: 16 << 10, spareCount: 0))
    log.append([1])
    try log.commit()
    let before = disk.names
    log.append([UInt8](repeating: 2, count: 30_000))
    let batch = try log.sealed()
    let error = caught { () throws(LogError) in try log.perform(batch) }
    guard case .noSpace = error else {
      Issue.record("expected no space, got \(String(describing: error))")
      return
    }
    #expect(disk.names == before)
    disk.faults.byteCountMax = nil
    try log.perform(batch)
    disk.kill()
    #expect(try TestLog(disk, settings: log.settings).recovered == log.all)
  }

  @Test("what is claimed together lies in one batch")
  func claimsAreWhole() throws {
    var log = try TestLog(
      MemoryDisk(), settings: LogSettings(segmentByteCount: 64 << 10, spareCount: 2))
    var random = SeededGenerator(seed: 4)
    var groups: [ClosedRange<UInt64>] = []
    for _ in 0..<400 {
      let sizes = (0..<Int.random(in: 1...5, using: &random)).map { _ in
        Int.random(in: 0...900, using: &random)
      }
      let claimed = log.appender.claim(
        byteCount: sizes.reduce(0, +) + sizes.count, recordCount: sizes.count, from: .ordinary)
      #expect(claimed)
      let first = log.appender.nextSequence
      for size in sizes { log.append([UInt8](repeating: 1, count: size)) }
      groups.append(first...log.appender.lastSequence)
      if Int.random(in: 0..<40, using: &random) == 0 { try log.commit() }
      while let batch = log.appender.takeSealed() { try log.perform(batch) }
    }
    try log.commit()
    #expect(log.batchEnds.count > 20)
    for group in groups {
      #expect(!log.batchEnds.contains { group.contains(UInt64($0)) && $0 != Int(group.upperBound) })
    }
    log.disk.kill()
    #expect(try TestLog(log.disk, settings: log.settings).recovered == log.all)
  }

  @Test("a claim larger than a batch or a segment has one of its own")
  func largeClaim() throws {
    var log = try TestLog(MemoryDisk(), settings: Self.settings)
    log.append([1])
    try log.commit()
    let granted5 = log.claim(100_001, 2, .ordinary)
    #expect(granted5)
    log.append([UInt8](repeating: 2, count: 60_000))
    log.append([UInt8](repeating: 3, count: 39_998))
    try log.commit()
    #expect(log.batchEnds == [1, 3])
    #expect(log.index.segments.count == 2)
    log.disk.kill()
    #expect(try TestLog(log.disk, settings: Self.settings).recovered == log.all)
  }

  @Test("a claim that comes to nothing costs nothing")
  func emptyClaims() throws {
    var log = try TestLog(MemoryDisk(), settings: Self.settings)
    for round in 0..<50 {
      for _ in 0..<5 {
        let granted6 = log.claim(50_000, 3, .ordinary)
        #expect(granted6)
        let granted7 = log.claim(500, 3, .ordinary)
        #expect(granted7)
        let empty = log.appender.seal(recorded: 1)
        #expect(empty == nil)
      }
      log.append([UInt8(round)])
      try log.commit()
    }
    log.disk.kill()
    let again = try TestLog(log.disk, settings: Self.settings)
    #expect(again.recovered == log.all && again.index == log.index)
    #expect(again.index.segments.count <= 2)
  }

  @Test("several sealed batches queue and complete in order, across segments")
  func queue() throws {
    var log = try TestLog(MemoryDisk(), settings: Self.settings)
    var batches: [SealedBatch] = []
    for number in 0..<12 {
      for _ in 0..<3 { log.append([UInt8](repeating: UInt8(number), count: 700)) }
      batches.append(try log.sealed())
      while let more = log.appender.takeSealed() { batches.append(more) }
    }
    #expect(batches.compactMap(\.newSegment).count >= 2)
    #expect(log.appender.durableSequence == 0)
    for batch in batches { try log.perform(batch) }
    #expect(log.appender.durableSequence == 36)
    log.disk.kill()
    #expect(try TestLog(log.disk, settings: Self.settings).recovered == log.all)
  }

  @Test("a torn tail is set aside even on a full disk, in the space of a spare segment")
  func tornOnAFullDisk() throws {
    var log = try TestLog(MemoryDisk(), settings: Self.settings)
    try log.fill(10)
    log.disk.kill()
    var bytes = try #require(log.disk.contents(of: log.lastSegment))
    let end = Int(log.index.end.position)
    for place in end..<end + 600 { bytes[place] = 0x5A }
    log.disk.setContents(of: log.lastSegment, bytes)
    log.disk.faults.byteCountMax = log.disk.byteCount
    let again = try TestLog(log.disk, settings: Self.settings)
    #expect(again.recovered == log.appended)
    #expect(log.disk.contents(of: log.lastSegment + ".torn")?.count == 600)
    #expect(again.appender.spareCount == 1)
    guard case .noSpare = again.notices.last else {
      Issue.record("the missing reserve must be told of: \(again.notices)")
      return
    }
  }
}
