import TestSizes
import Testing

@testable import EventLog

/// What a run of the script got done before something went wrong.
private struct Outcome {
  var acknowledged = 0
  var handed: [Entry] = []
  var points: [Int: LogPoint] = [:]
  var error: LogError?
}

@Suite struct FaultTests {
  private static let settings = LogSettings(segmentByteCount: 16 << 10, spareCount: 2)

  /// Two starts, about 200 events, several segments.
  private func script(_ disk: MemoryDisk) -> Outcome {
    var outcome = Outcome()
    do throws(LogError) {
      for start in 0..<2 {
        var log = try TestLog(disk, settings: Self.settings)
        outcome.acknowledged = log.recovered.count
        outcome.handed = log.recovered
        outcome.points.merge(log.points) { $1 }
        for round in 0..<25 {
          for number in 0..<4 {
            log.append(account: number % 3, payload(start * 1000 + round * 10 + number))
          }
          outcome.handed = log.all
          try commit(&log, &outcome)
        }
        try log.files.close()
      }
    } catch {
      outcome.error = error
    }
    return outcome
  }

  private func payload(_ number: Int) -> [UInt8] {
    [UInt8](repeating: UInt8(number & 0xFF), count: number % 10 == 3 ? 900 : number % 50)
  }

  private func commit(_ log: inout TestLog, _ outcome: inout Outcome) throws(LogError) {
    // The point is known when the batch is sealed, whether or not it comes to be durable.
    guard let batch = log.appender.seal(recorded: 7) else { return }
    outcome.points[Int(batch.lastSequence)] = batch.summary.end
    try log.perform(batch)
    outcome.acknowledged = Int(batch.lastSequence)
  }

  /// After whatever happened the log opens, holds all that was acknowledged, ends at a batch,
  /// and can be written on.
  private func examine(_ disk: MemoryDisk, _ outcome: Outcome, _ what: String) throws {
    disk.faults = MemoryDisk.Faults()
    var again = try TestLog(disk, settings: Self.settings)
    let count = again.recovered.count
    #expect(count >= outcome.acknowledged, "\(what)")
    #expect(count <= outcome.handed.count, "\(what)")
    if count > 0 { #expect(again.index.end == outcome.points[count], "\(what)") }
    let payloads = outcome.handed.prefix(count).map(\.payload)
    #expect(again.recovered.map(\.payload) == payloads, "\(what)")
    again.append([1, 2, 3])
    try again.commit()
    disk.losePower()
    let last = try TestLog(disk, settings: Self.settings)
    #expect(last.recovered == again.all, "\(what)")
  }

  @Test(
    "a fault at any call is final where bytes are in doubt, and recovery loses nothing",
    arguments: [DiskError.codeInputOutput, DiskError.codeNoSpace])
  func everyFault(code: Int32) throws {
    let clean = MemoryDisk()
    #expect(script(clean).error == nil)
    for operation in stride(from: 0, to: clean.operationCount, by: TestSize.times(1, quick: 5)) {
      for isPowerLost in [false, true] {
        let disk = MemoryDisk(
          seed: UInt64(operation), faults: MemoryDisk.Faults(failures: [operation: code]))
        let outcome = script(disk)
        #expect(disk.syncsAfterFailure == 0)
        if isPowerLost { disk.losePower() } else { disk.kill() }
        try examine(disk, outcome, "call \(operation), \(isPowerLost)")
      }
    }
  }

  @Test("power lost at any call, in any way, loses nothing that was acknowledged")
  func everyPowerLoss() throws {
    let clean = MemoryDisk()
    #expect(script(clean).error == nil)
    for operation in stride(from: 0, to: clean.operationCount, by: TestSize.times(1, quick: 5)) {
      for seed in 0..<2 * TestSize.soakFactor {
        // The call fails, and so does each after it: the process does not live to see more.
        let disk = MemoryDisk(seed: UInt64(operation * 2 * TestSize.soakFactor + seed))
        for later in operation...clean.operationCount + 10 {
          disk.faults.failures[later] = DiskError.codeInputOutput
        }
        let outcome = script(disk)
        disk.losePower()
        try examine(disk, outcome, "call \(operation), seed \(seed)")
      }
    }
  }

  @Test("recovery itself can fail or lose power at any call and be begun again")
  func recoveryInterrupted() throws {
    var log = try TestLog(MemoryDisk(), settings: Self.settings)
    try log.fill(60)
    log.disk.kill()
    var bytes = try #require(log.disk.contents(of: log.lastSegment))
    let end = Int(log.index.end.position)
    for place in end - 20..<end { bytes[place] = 0xEE }
    log.disk.setContents(of: log.lastSegment, bytes)
    let kept = log.batchEnds.dropLast().last
    let counter = log.disk.copy(seed: 0)
    #expect(try TestLog(counter, settings: Self.settings).recovered.count == kept)
    for operation in 0..<counter.operationCount {
      for seed in 0..<4 {
        let disk = log.disk.copy(seed: UInt64(operation * 4 + seed))
        for later in operation...counter.operationCount {
          disk.faults.failures[later] = DiskError.codeInputOutput
        }
        #expect(
          caught { () throws(LogError) in _ = try TestLog(disk, settings: Self.settings) } != nil)
        disk.losePower()
        disk.faults = MemoryDisk.Faults()
        let again = try TestLog(disk, settings: Self.settings)
        #expect(again.recovered == Array(log.appended[0..<kept!]))
        #expect(disk.names.contains { $0.hasSuffix(".torn") })
      }
    }
  }

  @Test("after a failed write or sync nothing more is done on the disk")
  func failureIsFinal() throws {
    for call in 0..<2 {
      var log = try TestLog(MemoryDisk())
      try log.fill(5)
      log.append([1])
      let batch = try log.sealed()
      log.disk.faults.failures[log.disk.operationCount + call] = DiskError.codeInputOutput
      let error = caught { () throws(LogError) in _ = try log.files.perform(batch) }
      guard case .failed(let cause) = error else {
        Issue.record("expected a final failure, got \(String(describing: error))")
        return
      }
      #expect(cause.operation == (call == 0 ? .write : .sync))
      let before = log.disk.operationCount
      #expect(caught { () throws(LogError) in _ = try log.files.perform(batch) } == error)
      #expect(caught { () throws(LogError) in _ = try log.files.replenish() } == error)
      try log.files.close()
      #expect(log.disk.operationCount == before)
      log.appender.fail()
      #expect(log.appender.isFailed)
    }
  }

  @Test("a batch that a killed process left in the page cache is written again before it counts")
  func batchInDoubt() throws {
    // Its sync failed, so the system takes it for written; power is lost after the next start.
    for seed in 0..<40 {
      let disk = MemoryDisk(seed: UInt64(seed))
      var log = try TestLog(disk)
      try log.fill(5)
      log.append([1])
      let batch = try log.sealed()
      disk.faults.failures[disk.operationCount + 1] = DiskError.codeInputOutput
      #expect(caught { () throws(LogError) in _ = try log.files.perform(batch) } != nil)
      disk.kill()
      disk.faults = MemoryDisk.Faults()
      let again = try TestLog(disk)
      #expect(again.recovered.count == 6)
      disk.losePower()
      #expect(try TestLog(disk).recovered.count == 6)
    }
  }

  @Test("a simulated disk loses what was not synced, and gives the same again for the same seed")
  func disk() throws {
    var kept: Set<Int> = []
    for seed in 0..<30 {
      var results: [[String: [UInt8]]] = []
      for _ in 0..<2 {
        let disk = MemoryDisk(seed: UInt64(seed))
        let file = try disk.open("a", for: .createExclusive)
        try disk.write(file, at: 0, [UInt8](repeating: 1, count: 1024))
        try disk.syncData(file)
        try disk.syncDirectory()
        try disk.write(file, at: 512, [UInt8](repeating: 2, count: 1024))
        _ = try disk.open("b", for: .createExclusive)
        disk.losePower()
        var contents: [String: [UInt8]] = [:]
        for name in disk.names { contents[name] = disk.contents(of: name) }
        results.append(contents)
      }
      #expect(results[0] == results[1])
      let bytes = try #require(results[0]["a"])
      #expect(bytes[0..<512].allSatisfy { $0 == 1 })
      kept.insert(bytes.filter { $0 == 2 }.count + (results[0]["b"] == nil ? 0 : 1))
    }
    // Nothing, one sector, both; with and without the new file.
    #expect(kept.count >= 5)
  }
}
