import EventLog
import Glibc

/// The keys of a log's folder: one file, made at the first start, whole or not there at all.
enum AuthorityFile {
  static let name = "authority.pem"
  private static let temporaryName = "authority.tmp"

  /// The file's bytes; made, synced and put in place first where there is none. The caller holds
  /// the log's lock, so nobody else makes one meanwhile.
  static func contents(
    on disk: FileDisk, _ authority: any SigningAuthority
  ) throws(SigningError) -> [UInt8] {
    do throws(DiskError) {
      if let found = try read(disk) { return found }
    } catch {
      throw SigningError("cannot be read: \(SystemError(code: error.code))")
    }
    let bytes = try authority.makeFile()
    do throws(DiskError) {
      try put(bytes, on: disk)
    } catch {
      throw SigningError("cannot be written: \(SystemError(code: error.code))")
    }
    return bytes
  }

  private static func read(_ disk: FileDisk) throws(DiskError) -> [UInt8]? {
    let file: DiskFile
    do throws(DiskError) {
      file = try disk.open(name, for: .read)
    } catch {
      if error.code == ENOENT { return nil }
      throw error
    }
    defer { disk.close(file) }
    let size = min(try disk.size(of: file), UInt64(Limits.authorityByteCountMax))
    var bytes = [UInt8](repeating: 0, count: Int(size))
    let count = try bytes.withUnsafeMutableBufferPointer { (buffer) throws(DiskError) in
      try disk.read(file, at: 0, into: UnsafeMutableRawBufferPointer(buffer))
    }
    return Array(bytes.prefix(count))
  }

  private static func put(_ bytes: [UInt8], on disk: FileDisk) throws(DiskError) {
    do throws(DiskError) {
      // What an interrupted start left.
      try disk.remove(temporaryName)
    } catch {
      guard error.code == ENOENT else { throw error }
    }
    let file = try disk.open(temporaryName, for: .createExclusive)
    defer { disk.close(file) }
    try bytes.withUnsafeBufferPointer { (buffer) throws(DiskError) in
      try disk.write(file, at: 0, bytes: UnsafeRawBufferPointer(buffer))
    }
    try disk.syncData(file)
    try disk.rename(temporaryName, to: name)
    try disk.syncDirectory()
  }
}
