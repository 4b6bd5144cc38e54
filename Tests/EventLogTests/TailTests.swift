import Testing

@testable import EventLog

@Suite struct TailTests {
  @Test("B66: garbage behind the log is set aside and cut, and later writes survive the next start")
  func garbage() throws {
    var log = try TestLog(MemoryDisk())
    log.append([1])
    try log.commit()
    log.disk.kill()
    let garbage: [UInt8] = [0x9C, 0x11, 0xFE, 0x03, 0x77, 0x40, 0xAB]
    let size = try #require(log.disk.contents(of: log.lastSegment)).count
    log.disk.setContents(of: log.lastSegment, log.disk.contents(of: log.lastSegment)! + garbage)
    var again = try TestLog(log.disk)
    let notice = try #require(again.notices.first)
    #expect(
      notice.description
        == "torn tail: 7 bytes at offset \(size) of 00000000000000000001.log, "
        + "set aside as 00000000000000000001.log.torn")
    #expect(log.disk.contents(of: "00000000000000000001.log.torn") == garbage)
    #expect(again.notices.count == 1)
    again.append([2])
    again.append([3])
    try again.commit()
    log.disk.kill()
    let last = try TestLog(log.disk)
    #expect(last.recovered.map(\.payload) == [[0, 1], [0, 2], [0, 3]])
    #expect(last.notices.isEmpty)
  }

  @Test(
    "garbage right behind the last batch is set aside from its first byte to its last",
    arguments: [false, true])
  func garbageInside(isShort: Bool) throws {
    var log = try TestLog(MemoryDisk())
    try log.fill(10)
    log.disk.kill()
    let end = Int(log.index.end.position)
    var bytes = try #require(log.disk.contents(of: log.lastSegment))
    if isShort { bytes.removeLast(bytes.count - end - 7) }
    for place in end..<end + 7 { bytes[place] = 0xA5 }
    log.disk.setContents(of: log.lastSegment, bytes)
    let again = try TestLog(log.disk)
    #expect(again.recovered == log.appended)
    #expect(
      again.notices == [
        .tornTail(
          file: log.lastSegment, offset: UInt64(end), byteCount: 7,
          setAsideAs: log.lastSegment + ".torn")
      ])
    #expect(log.disk.contents(of: log.lastSegment + ".torn") == Array(repeating: 0xA5, count: 7))
  }

  @Test("what was set aside before is kept")
  func severalTorn() throws {
    let disk = MemoryDisk()
    for round in 1...3 {
      var log = try TestLog(disk)
      log.append([UInt8(round)])
      try log.commit()
      disk.kill()
      let bytes = try #require(disk.contents(of: log.lastSegment))
      disk.setContents(of: log.lastSegment, bytes + [UInt8(round)])
      #expect(try TestLog(disk).recovered.count == round)
      disk.kill()
    }
    #expect(disk.contents(of: "00000000000000000001.log.torn") == [1])
    #expect(disk.contents(of: "00000000000000000001.log.2.torn") == [2])
    #expect(disk.contents(of: "00000000000000000001.log.3.torn") == [3])
  }

  @Test("in a closed log, damage to the last batch is damage; in an open one it is cut")
  func closing() throws {
    for isClosed in [false, true] {
      var log = try TestLog(MemoryDisk())
      try log.fill(20)
      if isClosed { try log.files.close() }
      log.disk.kill()
      var bytes = try #require(log.disk.contents(of: log.lastSegment))
      bytes[Int(log.index.end.position) - 9] ^= 1
      log.disk.setContents(of: log.lastSegment, bytes)
      let error = caught { () throws(LogError) in _ = try TestLog(log.disk) }
      #expect((error?.damage != nil) == isClosed)
    }
  }

  @Test("after recovery the last batch counts as durable, whatever the mark said before")
  func recoveryCloses() throws {
    var log = try TestLog(MemoryDisk())
    try log.fill(20)
    log.disk.kill()
    _ = try TestLog(log.disk)
    log.disk.kill()
    var bytes = try #require(log.disk.contents(of: log.lastSegment))
    bytes[Int(log.index.end.position) - 9] ^= 1
    log.disk.setContents(of: log.lastSegment, bytes)
    #expect(caught { () throws(LogError) in _ = try TestLog(log.disk) }?.damage != nil)
  }

  @Test("B71: with every side file gone or garbled the log is the same")
  func sideFiles() throws {
    var log = try TestLog(MemoryDisk())
    try log.fill(300)
    let stamp = SnapshotStamp(foldVersion: 1, point: log.index.end)
    try SnapshotFile.write(log.disk, stamp, index: log.index, payload: [1, 2, 3])
    log.disk.kill()
    let sideFiles = log.disk.names.filter { !$0.hasSuffix(".log") }
    #expect(sideFiles.count >= 4)
    for isGarbled in [false, true] {
      let disk = log.disk.copy(seed: 0)
      for name in sideFiles {
        if isGarbled { disk.setContents(of: name, [9, 9]) } else { disk.discard(name) }
      }
      let again = try TestLog(disk)
      #expect(again.recovered == log.appended)
      #expect(again.index == log.index)
    }
  }

  @Test("a file that is not ours is left alone and named")
  func unknownFile() throws {
    let disk = MemoryDisk()
    disk.setContents(of: "1.log", [1])
    disk.setContents(of: "notes", [2])
    let log = try TestLog(disk)
    #expect(log.notices == [.unknownFile("1.log"), .unknownFile("notes")])
    #expect(disk.contents(of: "1.log") == [1])
  }

  @Test("a second daemon is kept out")
  func lock() throws {
    let disk = MemoryDisk()
    var log = try TestLog(disk)
    #expect(caught { () throws(LogError) in _ = try TestLog(disk) } == .locked(by: nil))
    try log.files.close()
    #expect(caught { () throws(LogError) in _ = try TestLog(disk) } == nil)
  }
}
