import EventLog
import Testing

@testable import Platform

@Suite("The processor's checksum is the log's")
struct ChecksumTests {
  private func checksum(_ bytes: [UInt8], seed: UInt32 = 0) -> UInt32 {
    bytes.withUnsafeBytes { machineChecksum(seed, $0) }
  }

  // RFC 3720, appendix B.4.
  @Test("it gives the known sums of known bytes")
  func knownAnswers() {
    #expect(checksum([UInt8](repeating: 0, count: 32)) == 0x8A91_36AA)
    #expect(checksum([UInt8](repeating: 0xFF, count: 32)) == 0x62A8_AB43)
    #expect(checksum(Array(0..<32)) == 0x46DD_794E)
    #expect(checksum(Array("123456789".utf8)) == 0xE306_9283)
    #expect(checksum([]) == 0)
  }

  @Test("at every length and alignment it is the one in plain Swift, in one piece or in two")
  func agreement() {
    var generator = SeededGenerator(seed: 7)
    let bytes = (0..<600).map { _ in UInt8(truncatingIfNeeded: generator.next()) }
    bytes.withUnsafeBytes { all in
      for start in 0..<9 {
        for count in 0..<300 {
          let part = UnsafeRawBufferPointer(rebasing: all[start..<(start + count)])
          let whole = machineChecksum(0, part)
          #expect(whole == crc32c(0, part))
          let head = UnsafeRawBufferPointer(rebasing: part[0..<(count / 3)])
          let tail = UnsafeRawBufferPointer(rebasing: part[(count / 3)...])
          #expect(machineChecksum(machineChecksum(0, head), tail) == whole)
        }
      }
    }
  }
}
