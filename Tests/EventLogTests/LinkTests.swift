import Testing

@testable import EventLog

/// Damage before the newest snapshot: what a start sees without reading what a snapshot stands for.
@Suite struct LinkTests {
  static let fold: UInt64 = 3

  /// A log of several segments with a snapshot at its end and a few records after it.
  private func snapshotted() throws -> TestLog {
    var log = try TestLog(MemoryDisk())
    try log.fill(1500)
    try SnapshotFile.write(
      log.disk, SnapshotStamp(foldVersion: Self.fold, point: log.index.end), index: log.index,
      payload: [1, 2, 3])
    try log.fill(3, seed: 2)
    log.disk.kill()
    try #require(log.index.segments.count >= 5)
    try #require(log.index.segments.last!.firstSequence < 1500)
    return log
  }

  /// Opens a log from its newest snapshot, and says how many records were handed over.
  @discardableResult
  private func open(_ disk: MemoryDisk) throws(LogError) -> Int {
    let found = try SnapshotFile.newest(
      disk, identity: TestLog.identity, foldVersion: Self.fold)
    var count = 0
    _ = try LogRecovery.open(
      disk, settings: TestLog.small, newIdentity: TestLog.identity, from: found.snapshot?.start,
      witness: found.snapshot?.witness
    ) { _ in count += 1 }
    return count
  }

  private func contents(_ disk: MemoryDisk) -> [String: [UInt8]] {
    Dictionary(uniqueKeysWithValues: disk.names.map { ($0, disk.contents(of: $0) ?? []) })
  }

  @Test("a whole log opens from its snapshot, and only what is behind that is read")
  func whole() throws {
    #expect(try open(snapshotted().disk) == 3)
  }

  @Test("a segment missing before the snapshot is found by name, whichever it is")
  func missing() throws {
    let log = try snapshotted()
    let segments = log.index.segments
    for number in 1..<segments.count - 1 {
      let disk = log.disk.copy(seed: 0)
      disk.discard(segments[number].fileName)
      let before = contents(disk)
      let damage = try #require(caught { () throws(LogError) in try open(disk) }?.damage)
      #expect(damage.file == segments[number].fileName)
      #expect(damage.sequence == segments[number].firstSequence)
      let said = "of 16384 bytes, ends at sequence \(damage.sequence - 1), and "
      #expect(damage.what.hasPrefix("it is missing: \(segments[number - 1].fileName), \(said)"))
      #expect(contents(disk) == before, "nothing is changed")
    }
  }

  @Test("two segments missing in a row are found by the name of the first")
  func missingTwo() throws {
    let log = try snapshotted()
    let segments = log.index.segments
    log.disk.discard(segments[1].fileName)
    log.disk.discard(segments[2].fileName)
    let damage = caught { () throws(LogError) in try open(log.disk) }?.damage
    #expect(damage?.file == segments[1].fileName)
  }

  @Test("a segment shorter than the next says is found, at whatever length")
  func short() throws {
    let log = try snapshotted()
    let segments = log.index.segments
    for number in 0..<segments.count - 2 {
      let name = segments[number].fileName
      let bytes = try #require(log.disk.contents(of: name))
      let used = Int(segments[number + 1].base - segments[number].base)
      for length in [used - 1, used / 2, SegmentHeader.byteCount + 1] {
        let disk = log.disk.copy(seed: 0)
        disk.setContents(of: name, Array(bytes.prefix(length)))
        let damage = try #require(caught { () throws(LogError) in try open(disk) }?.damage)
        #expect(damage.file == name && damage.offset == UInt64(length))
        #expect(damage.sequence > segments[number].firstSequence - 1)
        #expect(damage.sequence < segments[number + 1].firstSequence)
        #expect(damage.what.hasPrefix("it has \(length) bytes, while "))
        #expect(damage.what.hasSuffix("says that it holds \(used)"))
      }
    }
  }

  @Test("a lost mark, and a file without its unused end, take nothing from the log")
  func onlyTheMark() throws {
    let log = try snapshotted()
    let name = log.index.segments[1].fileName
    let bytes = try #require(log.disk.contents(of: name))
    let used = Int(log.index.segments[2].base - log.index.segments[1].base)
    let mark = TailMark.offset(forEnd: used)
    var unmarked = bytes
    unmarked.replaceSubrange(
      mark..<mark + TailMark.byteCount, with: [UInt8](repeating: 0, count: TailMark.byteCount))
    for changed in [unmarked, Array(bytes.prefix(used)), Array(bytes.prefix(mark))] {
      let disk = log.disk.copy(seed: 0)
      disk.setContents(of: name, changed)
      #expect(try open(disk) == 3)
    }
  }

  @Test("damage inside an old segment does not keep the log closed")
  func inside() throws {
    let log = try snapshotted()
    let name = log.index.segments[1].fileName
    var bytes = try #require(log.disk.contents(of: name))
    bytes[200] ^= 1
    log.disk.setContents(of: name, bytes)
    #expect(try open(log.disk) == 3)
    #expect(try LogVerifier.verify(log.disk).damage?.file == name)
  }

  @Test("a missing segment is called missing by a walk through the whole log too")
  func missingWhole() throws {
    let log = try snapshotted()
    let segments = log.index.segments
    log.disk.discard(segments[2].fileName)
    let damage = try LogVerifier.verify(log.disk).damage
    #expect(damage?.file == segments[2].fileName)
    #expect(damage?.what.hasPrefix("it is missing: ") == true)
  }

  // MARK: A snapshot newer than the log

  /// The log without its last segments, so that the snapshot is ahead of it.
  private func behind() throws -> (log: TestLog, end: UInt64) {
    let log = try snapshotted()
    let segments = log.index.segments
    for segment in segments[2...] { log.disk.discard(segment.fileName) }
    return (log, segments[2].firstSequence - 1)
  }

  @Test("a log that ends before its newest snapshot has lost events, and is not touched")
  func lost() throws {
    let (log, end) = try behind()
    let before = contents(log.disk)
    let error = caught { () throws(LogError) in
      let witness = LogWitness(snapshot: 1500)
      _ = try LogRecovery.open(
        log.disk, settings: TestLog.small, newIdentity: TestLog.identity, witness: witness
      ) { _ in }
    }
    let last = log.index.segments[1].fileName
    #expect(
      error
        == .lost(
          LogLoss(
            file: last, fileByteCount: 16384, lastSequence: end,
            witness: LogWitness(file: "snapshot-00000000000000001500", sequence: 1500))))
    #expect(
      error?.description
        == "events are lost: the log ends at sequence \(end), in \(last) of 16384 bytes, while "
        + "snapshot-00000000000000001500 was made at sequence 1500")
    #expect(contents(log.disk) == before)
  }

  @Test("a snapshot of other rules proves as much; a damaged one, or one of another log, nothing")
  func witnesses() throws {
    let (log, _) = try behind()
    let name = "snapshot-00000000000000001500"
    func witness(_ fold: UInt64, _ identity: LogIdentity) throws -> [UInt64] {
      try SnapshotFile.newest(log.disk, identity: identity, foldVersion: fold)
        .notices.compactMap(\.witness?.sequence)
    }
    #expect(try witness(Self.fold + 1, TestLog.identity) == [1500])
    #expect(try witness(Self.fold + 1, LogIdentity(low: 1, high: 2)) == [])
    var bytes = try #require(log.disk.contents(of: name))
    bytes[100] ^= 1
    log.disk.setContents(of: name, bytes)
    #expect(try witness(Self.fold, TestLog.identity) == [])
  }

  @Test("an accepted loss: its end is to be said, the snapshot is set aside, each start tells")
  func accepted() throws {
    let (log, end) = try behind()
    let before = contents(log.disk)
    let wrong = try LogRecovery.acceptLoss(log.disk, at: end + 1)
    #expect(wrong.end == end && wrong.aside.isEmpty && contents(log.disk) == before)
    let right = try LogRecovery.acceptLoss(log.disk, at: end)
    #expect(right.end == end && right.aside == [1500])
    var expected = before
    expected["snapshot-00000000000000001500.aside"] =
      expected.removeValue(forKey: "snapshot-00000000000000001500")
    #expect(contents(log.disk) == expected)
    let told = LogNotice.lossAccepted(after: end, through: 1500)
    var again = try TestLog(log.disk)
    #expect(again.notices == [told])
    #expect(told.description.contains("events \(end + 1) to 1500 were lost"))
    try again.fill(10)
    again.disk.kill()
    again = try TestLog(log.disk)
    #expect(again.notices == [.lossAccepted(after: end + 10, through: 1500)])
    try again.fill(1500)
    again.disk.kill()
    #expect(try TestLog(log.disk).notices == [])
  }

  @Test("a loss in the middle cannot be accepted: there is no end to go on from")
  func acceptedInTheMiddle() throws {
    let log = try snapshotted()
    log.disk.discard(log.index.segments[1].fileName)
    let before = contents(log.disk)
    let error = caught { () throws(LogError) in
      _ = try LogRecovery.acceptLoss(log.disk, at: log.index.segments[1].firstSequence - 1)
    }
    #expect(error?.damage?.file == log.index.segments[1].fileName)
    #expect(contents(log.disk) == before)
  }

  // MARK: The check in slices

  /// Walks a log in slices; how many they were, and what they found.
  private func check(_ log: TestLog, _ byteCount: Int) throws -> (slices: Int, LogReport) {
    var check = LogCheck(disk: log.disk, index: log.index)
    var slices = 1
    while true {
      switch try check.advance(byteCountMax: byteCount) {
      case .more: slices += 1
      case .finished(let report): return (slices, report)
      }
    }
  }

  @Test("slices of any size find what one walk finds, batch by batch")
  func slices() throws {
    let log = try snapshotted()
    let report = try LogVerifier.verify(log.disk, upTo: log.index)
    for byteCount in [1, 1000, 16384, 1 << 20] {
      let found = try check(log, byteCount)
      #expect(found.1 == report)
      if byteCount == 1 { #expect(found.slices == log.batchEnds.count) }
      if byteCount == 1 << 20 { #expect(found.slices == 1) }
    }
  }

  @Test("a damaged, short or missing segment ends the slices where it ends one walk")
  func damagedSlices() throws {
    let whole = try snapshotted()
    for number in [0, 1, whole.index.segments.count - 1] {
      let name = whole.index.segments[number].fileName
      let bytes = try #require(whole.disk.contents(of: name))
      var flipped = bytes
      flipped[150] ^= 4
      for changed in [flipped, Array(bytes.prefix(700)), Array(bytes.prefix(20)), nil] {
        let log = whole
        let kept = log.disk.contents(of: name)
        if let changed { log.disk.setContents(of: name, changed) } else { log.disk.discard(name) }
        defer { log.disk.setContents(of: name, kept ?? []) }
        let found = try check(log, 500).1
        let damage = try #require(found.damage)
        #expect(damage.file == name && found.recordCount == damage.sequence - 1)
        if changed == nil {
          #expect(damage.what == "it is missing")
        } else {
          let report = try LogVerifier.verify(log.disk, upTo: log.index)
          #expect(report.damage?.file == name && report.damage?.sequence == damage.sequence)
        }
      }
    }
  }
}
