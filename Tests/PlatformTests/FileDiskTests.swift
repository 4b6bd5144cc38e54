import EventLog
import Foundation
import Testing

@testable import Platform

@Suite("The log on a real disk")
struct FileDiskTests {
  private let settings = LogSettings(
    segmentByteCount: 64 << 10, spareCount: 1, checksum: machineChecksum)
  private let identity = LogIdentity(low: 1, high: 2)

  /// Appends `count` records of one byte each in batches of three, and says what is durable.
  private func write(_ count: Int, on disk: FileDisk) throws -> UInt64 {
    var log = try LogRecovery.open(disk, settings: settings, newIdentity: identity) { _ in }
    var last = log.appender.durableSequence
    for number in 1...count {
      let next = UInt8(truncatingIfNeeded: last + UInt64(number))
      log.appender.append(
        tag: 7, previous: nil, context: { BlockContext(time: 0, mark: 0) },
        payload: { bytes, _ in bytes.append(next) })
      if number % 3 == 0 || number == count, let batch = log.appender.seal(recorded: 5) {
        let receipt = try log.files.perform(batch)
        log.appender.complete(batch.summary, receipt)
      }
    }
    last = log.appender.durableSequence
    try log.files.close()
    return last
  }

  private func read(_ disk: FileDisk) throws -> [UInt8] {
    var found: [UInt8] = []
    var log = try LogRecovery.open(disk, settings: settings, newIdentity: identity) {
      record in found.append(contentsOf: record.payload)
    }
    try log.files.close()
    return found
  }

  @Test("what was appended is there after opening again, over several segments")
  func appendAndRecover() throws {
    let folder = try TemporaryFolder()
    let disk = try FileDisk(path: folder.path)
    defer { disk.close() }
    #expect(try write(100, on: disk) == 100)
    #expect(try write(4000, on: disk) == 4100)
    let found = try read(disk)
    #expect(found == (1...4100).map { UInt8(truncatingIfNeeded: $0) })
    #expect(try folder.names.count { $0.hasSuffix(".log") } > 1)
  }

  @Test("a second opening of the same log is refused with the process that has it")
  func lock() throws {
    let folder = try TemporaryFolder()
    let disk = try FileDisk(path: folder.path)
    let other = try FileDisk(path: folder.path)
    var log = try LogRecovery.open(disk, settings: settings, newIdentity: identity) { _ in }
    #expect(throws: LogError.locked(by: getpid())) {
      _ = try LogRecovery.open(other, settings: settings, newIdentity: identity) { _ in }
    }
    try log.files.close()
    _ = try read(other)
  }

  @Test("errors carry the operation, the file's present name and the system's number")
  func errors() throws {
    let folder = try TemporaryFolder()
    let disk = try FileDisk(path: folder.path)
    #expect(throws: DiskError(.open, file: "none", code: ENOENT)) {
      try disk.open("none", for: .read)
    }
    let file = try disk.open("a", for: .createExclusive)
    #expect(throws: DiskError(.create, file: "a", code: EEXIST)) {
      try disk.open("a", for: .createExclusive)
    }
    disk.close(file)
    let readOnly = try disk.open("a", for: .read)
    try disk.rename("a", to: "b")
    #expect(throws: DiskError(.write, file: "b", code: EBADF)) {
      try [UInt8(1)].withUnsafeBytes { try disk.write(readOnly, at: 0, bytes: $0) }
    }
    #expect(throws: DiskError(.rename, file: "a", code: ENOENT)) {
      try disk.rename("a", to: "c")
    }
    #expect(throws: DiskError(.remove, file: "a", code: ENOENT)) { try disk.remove("a") }
    disk.close(readOnly)
    #expect(throws: DiskError(.open, file: "\(folder.path)/no", code: ENOENT)) {
      try FileDisk(path: "\(folder.path)/no")
    }
  }

  @Test("a symbolic link at a name is not followed")
  func symbolicLink() throws {
    let folder = try TemporaryFolder()
    let disk = try FileDisk(path: folder.path)
    try FileManager.default.createSymbolicLink(
      atPath: "\(folder.path)/link", withDestinationPath: "/etc/passwd")
    #expect(throws: DiskError(.open, file: "link", code: ELOOP)) {
      try disk.open("link", for: .readWrite)
    }
  }

  @Test("a preallocated file has its size, zeros, and its space")
  func preallocation() throws {
    let folder = try TemporaryFolder()
    let disk = try FileDisk(path: folder.path)
    let file = try disk.open("a", for: .createExclusive)
    defer { disk.close(file) }
    try disk.preallocate(file, byteCount: 1 << 20)
    #expect(try disk.size(of: file) == 1 << 20)
    var status = stat()
    #expect(stat("\(folder.path)/a", &status) == 0)
    #expect(status.st_blocks * 512 >= 1 << 20)
    #expect(status.st_mode & 0o777 == 0o600)
    var bytes = [UInt8](repeating: 1, count: 100)
    #expect(try bytes.withUnsafeMutableBytes { try disk.read(file, at: 1 << 19, into: $0) } == 100)
    #expect(bytes.allSatisfy { $0 == 0 })
    #expect(
      try bytes.withUnsafeMutableBytes { try disk.read(file, at: (1 << 20) - 7, into: $0) } == 7)
    try disk.truncate(file, byteCount: 10)
    #expect(try disk.size(of: file) == 10)
  }
}
