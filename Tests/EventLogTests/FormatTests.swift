import Foundation
import Testing

@testable import EventLog

@Suite struct FormatTests {
  private func sum(_ bytes: [UInt8]) -> UInt32 { bytes.withUnsafeBytes { crc32c(0, $0) } }

  @Test("CRC-32C gives the published values (RFC 3720, B.4) and can be continued anywhere")
  func checksum() {
    #expect(sum(Array("123456789".utf8)) == 0xE306_9283)
    #expect(sum([UInt8](repeating: 0, count: 32)) == 0x8A91_36AA)
    #expect(sum([UInt8](repeating: 0xFF, count: 32)) == 0x62A8_AB43)
    #expect(sum(Array(0..<32)) == 0x46DD_794E)
    #expect(sum(Array((0..<32).reversed())) == 0x113F_DB5C)
    #expect(sum([]) == 0)
    let bytes = (0..<100).map { UInt8($0 &* 7 & 0xFF) }
    for cut in bytes.indices {
      let parts = bytes.withUnsafeBytes {
        crc32c(crc32c(0, $0.part(0, cut)), $0.part(cut, 100 - cut))
      }
      #expect(parts == sum(bytes))
    }
  }

  @Test("varints of every length come back, and ones that do not end or overflow are refused")
  func varints() {
    let values: [UInt64] =
      [0, 1, 127, 128, 16383, 16384, .max - 1, .max] + (0..<64).map { 1 << UInt64($0) }
    for value in values {
      var buffer = [UInt8](repeating: 0, count: 10)
      var count = 0
      buffer.withUnsafeMutableBytes { storeVarint(value, into: $0, at: &count) }
      #expect(count == max(1, (64 - value.leadingZeroBitCount + 6) / 7))
      for cut in 0...count {
        var offset = 0
        let read = buffer[0..<cut].withUnsafeBytes { loadVarint($0, &offset) }
        #expect(read == (cut == count ? value : nil))
      }
    }
    var offset = 0
    let tooLong = [UInt8](repeating: 0x80, count: 10) + [0]
    #expect(tooLong.withUnsafeBytes { loadVarint($0, &offset) } == nil)
    offset = 0
    let tooLarge = [UInt8](repeating: 0xFF, count: 9) + [2]
    #expect(tooLarge.withUnsafeBytes { loadVarint($0, &offset) } == nil)
  }

  @Test("file names say what they are, and only exact ones")
  func names() {
    #expect(LogNames.segment(1) == "00000000000000000001.log")
    #expect(LogNames.kind(of: "00000000000000000001.log") == .segment(firstSequence: 1))
    #expect(LogNames.kind(of: LogNames.segment(.max)) == .segment(firstSequence: .max))
    #expect(LogNames.kind(of: "99999999999999999999.log") == .unknown)
    #expect(LogNames.kind(of: "0000000000000000001.log") == .unknown)
    #expect(LogNames.kind(of: "0000000000000000000a.log") == .unknown)
    #expect(LogNames.kind(of: "00000000000000000001.log.torn") == .torn)
    #expect(LogNames.kind(of: "snapshot-00000000000000000042") == .snapshot(sequence: 42))
    #expect(LogNames.kind(of: "spare-1") == .spare(1))
    #expect(LogNames.kind(of: "spare-01") == .unknown)
    #expect(LogNames.kind(of: "lock") == .lock)
    #expect(LogNames.kind(of: "") == .unknown)
  }

  @Test("a disk's error says what was tried on what")
  func errors() {
    let error = DiskError(.sync, file: "a.log", code: 5)
    #expect(error.description == "sync of a.log failed (error 5)")
    #expect(
      LogError.failed(error).description
        == "the log could not be written and takes no more: sync of a.log failed (error 5)")
    #expect(LogError.locked(by: 12).description == "the log is in use by process 12")
    #expect(
      LogError.damaged(LogDamage(file: "a.log", offset: 8, sequence: 3, what: "why")).description
        == "a.log is damaged at offset 8, sequence 3: why")
  }

  /// Two batches: an account opened and a purchase; then a renewal.
  private func goldenLog() throws -> TestLog {
    var log = try TestLog(MemoryDisk())
    log.append(account: 1, tag: 1, time: 1_738_317_600_000, Array("u1".utf8))
    log.append(account: 1, tag: 2, time: 1_738_317_600_005, [0xAA, 0xBB])
    try log.commit()
    log.append(account: 1, tag: 3, time: 1_740_736_800_000, [0xCC])
    try log.commit()
    return log
  }

  @Test("format 1 is written byte for byte as it was released")
  func goldenBytes() throws {
    let log = try goldenLog()
    let bytes = try #require(log.disk.contents(of: "00000000000000000001.log"))
    let end = Int(log.index.end.position)
    let mark = TailMark.offset(forEnd: end)
    #expect(hex(bytes[0..<end]) == Self.golden)
    #expect(hex(bytes[mark..<mark + TailMark.byteCount]) == Self.goldenMark)
    #expect(bytes[end..<mark].allSatisfy { $0 == 0 })
  }

  @Test("a log of format 1 opens for ever")
  func goldenOpens() throws {
    let disk = MemoryDisk()
    var bytes = unhex(Self.golden)
    bytes.appendZeros(4096 - bytes.count)
    bytes += unhex(Self.goldenMark)
    bytes.appendZeros((16 << 10) - bytes.count)
    disk.setContents(of: "00000000000000000001.log", bytes)
    let log = try TestLog(disk)
    #expect(log.notices.isEmpty)
    #expect(log.recovered == (try goldenLog().appended))
    #expect(log.recovered.map(\.tag) == [1, 2, 3])
  }

  @Test("the example on the format page is the golden log")
  func pageExample() throws {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    let page = try String(
      contentsOf: root.deletingLastPathComponent().appending(
        path: "Sources/EventLog/LogFormat.md"), encoding: .utf8)
    let example = try #require(page.components(separatedBy: "## An example").last)
    var bytes = ""
    for line in example.split(separator: "\n") {
      let words = line.split(separator: " ")
      guard words.count > 1, words[0].count == 4, Int(words[0], radix: 16) != nil else { continue }
      bytes += words.dropFirst().prefix { $0.allSatisfy(\.isHexDigit) }.joined()
    }
    #expect(bytes == Self.golden + Self.goldenMark)
  }

  private func hex(_ bytes: ArraySlice<UInt8>) -> String {
    let digits = Array("0123456789abcdef")
    return String(bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] })
  }

  private func unhex(_ text: String) -> [UInt8] {
    let digits = text.utf8.map { $0 < 58 ? $0 - 48 : $0 - 87 }
    return stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
  }

  private static let golden =
    "72656e6577641a0a0100000000000000efcdab89674523011032547698badcfe"
    + "01000000000000000000000000000000004000000000000065524987ed26bee0"
    + "b7524e016000000001000000000000000200000001000000f129948153dbbc61"
    + "4000000002000000010000000000000007000000000000000095cdbb94010000"
    + "0a000000000000000000000079f273580301000075310302060105aabb000000"
    + "b7524e015800000003000000000000000100000001000000e686aecdf5671a37"
    + "38000000010000000300000000000000070000000000000000a5ff4b95010000"
    + "1e00000000000000000000004bd5c1be02035a0100cc0000"
  private static let goldenMark =
    "b7524e02e686aecda000000000000000f8000000000000000300000000000000"
    + "00000000c8854767"
}
