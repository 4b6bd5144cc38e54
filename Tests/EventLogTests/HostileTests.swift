import TestSizes
import Testing

@testable import EventLog

/// Files whose every checksum holds and whose numbers lie.
@Suite struct HostileTests {
  private static let hostile: [UInt64] = [
    0, 1, 2, 7, 8, 31, 32, 40, 47, 48, 56, 4095, 4096, 1 << 15, 1 << 31, 1 << 32 - 1, 1 << 32,
    1 << 62, 1 << 63 - 1, 1 << 63, .max - 7, .max - 1, .max,
  ]

  private func small() throws -> TestLog {
    var log = try TestLog(MemoryDisk())
    log.append(account: 1, [1])
    log.append(account: 1, [2, 2])
    try log.commit()
    log.append(account: 1, [3])
    try log.commit()
    log.disk.kill()
    return log
  }

  /// Computes every checksum anew, as far as the lengths lead.
  private func resealed(_ bytes: [UInt8], end: Int) -> [UInt8] {
    var bytes = bytes
    func sum(_ seed: UInt32, _ range: Range<Int>) -> UInt32 {
      bytes.withUnsafeBytes { crc32c(seed, $0.part(range.lowerBound, range.count)) }
    }
    func length(_ offset: Int) -> Int {
      bytes.withUnsafeBytes { Int($0.number(offset) as UInt32) }
    }
    bytes.storeNumber(sum(0, 0..<60), at: 60)
    let seed = sum(0, 16..<32)
    var chain = bytes.withUnsafeBytes { $0.number(56) as UInt32 }
    var frame = 64
    while frame + 32 <= end {
      chain = sum(chain, frame..<frame + 24)
      var block = frame + 32
      let frameEnd = min(end, frame + max(32, length(frame + 4)))
      while block + 48 <= frameEnd {
        let blockEnd = min(frameEnd, block + max(48, length(block)))
        let own = sum(sum(seed, block..<block + 44), block + 48..<blockEnd)
        bytes.storeNumber(own, at: block + 44)
        chain = sum(chain, block + 44..<block + 48)
        block = blockEnd
      }
      bytes.storeNumber(chain, at: frame + 24)
      bytes.storeNumber(sum(seed, frame..<frame + 28), at: frame + 28)
      frame = frameEnd
    }
    return bytes
  }

  @Test("resealing an honest log changes nothing")
  func resealing() throws {
    let log = try small()
    let bytes = try #require(log.disk.contents(of: log.lastSegment))
    #expect(resealed(bytes, end: Int(log.index.end.position)) == bytes)
  }

  @Test("numbers that lie under checksums that hold never stop the program")
  func lies() throws {
    let log = try small()
    let end = Int(log.index.end.position)
    let bytes = try #require(log.disk.contents(of: log.lastSegment))
    var refused = 0
    for place in stride(from: 8, to: end - 4, by: 4) {
      for value in Self.hostile {
        for width in [4, 8] where place + width <= end {
          var lie = bytes
          for byte in 0..<width {
            lie[place + byte] = UInt8(truncatingIfNeeded: value >> UInt64(8 * byte))
          }
          refused += try examine(resealed(lie, end: end), log) ? 1 : 0
        }
      }
    }
    #expect(refused > 1000)
  }

  @Test("any bytes at all in place of the records never stop the program")
  func noise() throws {
    let log = try small()
    let end = Int(log.index.end.position)
    let bytes = try #require(log.disk.contents(of: log.lastSegment))
    var random = SeededGenerator(seed: 5)
    for _ in 0..<1000 * TestSize.soakFactor {
      var noise = bytes
      for _ in 0..<Int.random(in: 1...12, using: &random) {
        noise[Int.random(in: 64..<end, using: &random)] = UInt8.random(in: 0...255, using: &random)
      }
      _ = try examine(resealed(noise, end: end), log)
    }
  }

  /// Opens the log and, where that goes well, reads it in every way. Whether it was refused.
  private func examine(_ bytes: [UInt8], _ log: TestLog) throws -> Bool {
    let disk = log.disk.copy(seed: 0)
    disk.setContents(of: log.lastSegment, bytes)
    switch Result(catching: { () throws(LogError) in try TestLog(disk) }) {
    case .failure: return true
    case .success(let again):
      let reader = LogReader(disk: disk, index: again.index)
      for entry in again.recovered {
        _ = caught { () throws(LogError) in
          try reader.chain(from: entry.pointer) { (_) throws(LogError) in true }
        }
      }
      _ = caught { () throws(LogError) in
        _ = try reader.records(from: 1, countMax: 100) { _ in }
        _ = try reader.block(mark: 20)
      }
      return false
    }
  }

  @Test("a tail mark that lies is taken for damage or renewed")
  func marks() throws {
    let log = try small()
    let bytes = try #require(log.disk.contents(of: log.lastSegment))
    let seed = TestLog.identity.seed(crc32c)
    for start in Self.hostile {
      for end in Self.hostile {
        var lie: [UInt8] = Array(bytes[0..<4096])
        TailMark(frameStart: start, frameEnd: end, lastSequence: start ^ end, chain: 1)
          .append(to: &lie, seed: seed, crc32c)
        lie += bytes[lie.count...]
        let disk = log.disk.copy(seed: 0)
        disk.setContents(of: log.lastSegment, lie)
        let outcome = Result { () throws(LogError) in try TestLog(disk) }
        if case .success(let again) = outcome { #expect(again.recovered == log.appended) }
      }
    }
  }

  @Test("a snapshot whose numbers lie under a good checksum is passed over")
  func snapshots() throws {
    var log = try TestLog(MemoryDisk())
    try log.fill(60)
    let stamp = SnapshotStamp(foldVersion: 3, point: log.index.end)
    try SnapshotFile.write(log.disk, stamp, index: log.index, payload: [1, 2, 3])
    log.disk.kill()
    let name = "snapshot-00000000000000000060"
    let bytes = try #require(log.disk.contents(of: name))
    for place in stride(from: 8, to: bytes.count - 8, by: 4) where place != 84 {
      for value in Self.hostile {
        var lie = bytes
        lie.storeNumber(value, at: place)
        let sum = lie.withUnsafeBytes {
          crc32c(crc32c(0, $0.part(0, 84)), $0.part(88, lie.count - 88))
        }
        lie.storeNumber(sum, at: 84)
        log.disk.setContents(of: name, lie)
        let found = try SnapshotFile.newest(
          log.disk, identity: TestLog.identity, foldVersion: 3)
        guard let snapshot = found.snapshot else { continue }
        let disk = log.disk.copy(seed: 0)
        _ = caught { () throws(LogError) in _ = try TestLog(disk, from: snapshot.start) }
      }
    }
  }
}
