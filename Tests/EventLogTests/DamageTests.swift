import TestSizes
import Testing

@testable import EventLog

@Suite struct DamageTests {
  /// Opens a disk that was tampered with and appends to what came back.
  private func reopened(_ disk: MemoryDisk) -> Result<TestLog, LogError> {
    Result { () throws(LogError) in try TestLog(disk, isCounting: true) }
  }

  @Test("cut at any byte, a log comes back up to the last whole batch and can be written on")
  func everyCut() throws {
    var log = try TestLog(MemoryDisk())
    try log.fill(70, sizeMax: 12)
    let whole = try #require(log.disk.contents(of: log.lastSegment))
    #expect(log.index.segments.count == 1)
    for cut in SegmentHeader.byteCount...Int(log.index.end.position) {
      let disk = log.disk.copy(seed: UInt64(cut))
      var bytes = Array(whole[0..<cut])
      var reached = cut
      if cut % 2 == 0 {
        bytes.appendZeros(whole.count - cut)
        while reached < whole.count, whole[reached] == 0 { reached += 1 }
      }
      disk.setContents(of: log.lastSegment, bytes)
      let isCompared = cut % 32 < 2
      var again = try TestLog(disk, isCounting: !isCompared)
      let count = again.recoveredCount
      let expected = log.batchEnds.last { log.points[$0]!.position <= UInt64(reached) }
      #expect(count == expected ?? 0)
      // The chain at the end is that of the same batches; compare them one by one now and then.
      #expect(again.index.end == log.points[count])
      if isCompared {
        #expect(again.recovered == Array(log.appended[0..<count]))
        again.append([1])
        try again.commit()
        disk.kill()
        #expect(try TestLog(disk).recovered == again.all)
      }
    }
  }

  @Test("every single flipped bit is found, or lies in the last batch and is cut")
  func everyBitFlip() throws {
    for isClosed in [false, true] {
      var log = try TestLog(MemoryDisk())
      try log.fill(30, sizeMax: 6)
      if isClosed { try log.files.close() }
      let whole = try #require(log.disk.contents(of: log.lastSegment))
      let used = Int(log.index.end.position)
      let mark = TailMark.offset(forEnd: used)
      let places = Array(0..<used + 16) + Array(mark..<mark + TailMark.byteCount)
      for place in places {
        for bit in TestSize.isQuick ? place % 8..<place % 8 + 1 : 0..<8 {
          let disk = log.disk.copy(seed: 0)
          var bytes = whole
          bytes[place] ^= 1 << UInt8(bit)
          disk.setContents(of: log.lastSegment, bytes)
          judge(reopened(disk), log, isClosed: isClosed, "bit \(bit) of byte \(place)")
        }
      }
    }
  }

  @Test("every lost or stale sector is found, or took the last batch only")
  func sectors() throws {
    var random = SeededGenerator(seed: UInt64(10 + TestSize.soakFactor))
    for round in 0..<12 * TestSize.soakFactor {
      var log = try TestLog(MemoryDisk())
      var stale: [[String: [UInt8]]] = [[:]]
      for batch in 0..<24 {
        try log.fill(9, seed: UInt64(round * 100 + batch), sizeMax: round % 3 == 0 ? 400 : 30)
        stale.append(contents(of: log))
      }
      let isClosed = round % 2 == 1
      if isClosed { try log.files.close() }
      for mutation in 0..<150 {
        let size = mutation % 2 == 0 ? 512 : 4096
        let disk = log.disk.copy(seed: 0)
        let name = log.index.segments.randomElement(using: &random)!.fileName
        var bytes = try #require(disk.contents(of: name))
        let sector = Int.random(in: 0..<bytes.count / size, using: &random) * size
        let old = stale.randomElement(using: &random)![name]
        let source = mutation % 3 == 0 ? nil : old
        for place in sector..<sector + size { bytes[place] = source?[place] ?? 0 }
        disk.setContents(of: name, bytes)
        judge(
          reopened(disk), log, isClosed: isClosed,
          "round \(round), \(size) bytes at \(sector) of \(name)")
      }
    }
  }

  @Test("a flipped bit anywhere in a log of several segments is found, or was in the last batch")
  func bitFlips() throws {
    var random = SeededGenerator(seed: UInt64(20 + TestSize.soakFactor))
    for round in 0..<6 * TestSize.soakFactor {
      var log = try TestLog(MemoryDisk())
      try log.fill(300, seed: UInt64(round), sizeMax: round % 3 == 0 ? 300 : 20)
      let isClosed = round % 2 == 1
      if isClosed { try log.files.close() }
      for _ in 0..<200 {
        let disk = log.disk.copy(seed: 0)
        let name = log.index.segments.randomElement(using: &random)!.fileName
        var bytes = try #require(disk.contents(of: name))
        let place = Int.random(in: 0..<bytes.count, using: &random)
        bytes[place] ^= 1 << UInt8.random(in: 0...7, using: &random)
        disk.setContents(of: name, bytes)
        judge(reopened(disk), log, isClosed: isClosed, "round \(round), \(place) of \(name)")
      }
    }
  }

  private func contents(of log: TestLog) -> [String: [UInt8]] {
    var contents: [String: [UInt8]] = [:]
    for segment in log.index.segments {
      contents[segment.fileName] = log.disk.contents(of: segment.fileName)
    }
    return contents
  }

  /// Damage is refused by name, or all is there, or only the last batch is gone; and of a log
  /// that was closed not even that.
  private func judge(
    _ outcome: Result<TestLog, LogError>, _ log: TestLog, isClosed: Bool, _ what: String
  ) {
    switch outcome {
    case .failure(.damaged(let damage)):
      #expect(damage.sequence <= UInt64(log.appended.count) + 1)
    case .failure(.newerFormat): break
    case .failure(let error): Issue.record("\(what): \(error)")
    case .success(let again):
      let count = again.recoveredCount
      let lastButOne = log.batchEnds.dropLast().last ?? 0
      #expect(again.index.end == log.points[count], "\(what)")
      #expect(
        count == log.appended.count
          || !isClosed && count == lastButOne
            && !again.notices.isEmpty,
        "\(what): \(count) of \(log.appended.count)")
    }
  }

  @Test("damage names its file, offset and sequence, and nothing is changed or deleted")
  func refusal() throws {
    var log = try TestLog(MemoryDisk())
    try log.fill(900)
    log.disk.kill()
    let name = log.index.segments[1].fileName
    var bytes = try #require(log.disk.contents(of: name))
    bytes[5000] ^= 4
    log.disk.setContents(of: name, bytes)
    let before = log.disk.names.map { log.disk.contents(of: $0) }
    let error = caught { () throws(LogError) in _ = try TestLog(log.disk) }
    let damage = try #require(error?.damage)
    #expect(damage.file == name)
    #expect(damage.offset <= 5000 && damage.offset > 4000)
    #expect(damage.sequence > log.index.segments[1].firstSequence)
    #expect(log.disk.names.map { log.disk.contents(of: $0) } == before)
    let report = try LogVerifier.verify(log.disk)
    #expect(report.damage == damage)
    #expect(report.recordCount == damage.sequence - 1)
    #expect(report.byteCount == log.points[Int(damage.sequence) - 1]?.position)
    #expect(report.batchCount == UInt64(log.batchEnds.filter { $0 < damage.sequence }.count))
    #expect(report.segmentCount == log.index.segments.count)
    // The lock was given back.
    #expect(caught { () throws(LogError) in _ = try TestLog(log.disk) }?.damage == damage)
  }

  @Test("a missing segment is damage, wherever it is missing")
  func missingSegment() throws {
    var log = try TestLog(MemoryDisk())
    try log.fill(900)
    for segment in log.index.segments.dropLast() {
      let disk = log.disk.copy(seed: 0)
      disk.discard(segment.fileName)
      #expect(caught { () throws(LogError) in _ = try TestLog(disk) }?.damage != nil)
    }
  }

  @Test("a newer format is refused in a sentence")
  func newerFormat() throws {
    var log = try TestLog(MemoryDisk())
    try log.fill(3)
    log.disk.kill()
    var bytes = try #require(log.disk.contents(of: log.lastSegment))
    bytes[8] = 2
    let checksum = bytes.withUnsafeBytes { crc32c(0, $0.part(0, 60)) }
    bytes.storeNumber(checksum, at: 60)
    log.disk.setContents(of: log.lastSegment, bytes)
    let error = caught { () throws(LogError) in _ = try TestLog(log.disk) }
    #expect(error == .newerFormat(file: log.lastSegment, version: 2))
    #expect(
      error?.description
        == "00000000000000000001.log is in log format 2; this program reads formats up to 1")
  }

  @Test("a segment of another log is refused, and so is one under a wrong name")
  func foreignSegments() throws {
    var log = try TestLog(MemoryDisk())
    try log.fill(900)
    log.disk.kill()
    let name = log.index.segments[1].fileName
    let bytes = try #require(log.disk.contents(of: name))
    let disk = log.disk.copy(seed: 0)
    disk.setContents(of: "00000000000000099999.log", bytes)
    let error = caught { () throws(LogError) in _ = try TestLog(disk) }
    #expect(error?.damage?.what == "its header belongs to another name")
  }
}
