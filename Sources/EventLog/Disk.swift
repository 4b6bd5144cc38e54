/// A handle for one open file of a `Disk`: small, copied freely, meaningful only to the disk
/// that gave it.
public struct DiskFile: Hashable, Sendable {
  /// The number the disk knows the file by; a file descriptor on a real one.
  public let rawValue: Int32

  public init(rawValue: Int32) {
    self.rawValue = rawValue
  }
}

/// How a file is opened.
public enum DiskAccess: Sendable {
  /// An existing file, for reading.
  case read
  /// An existing file, for reading and writing.
  case readWrite
  /// A file that must not exist yet, for reading and writing.
  case createExclusive
}

/// What became of an attempt to take the lock against a second daemon.
public enum DiskLock: Equatable, Sendable {
  /// The lock is ours until the file is closed.
  case taken(DiskFile)
  /// Another process holds it; its id where that can be had.
  case held(by: Int32?)
}

/// One directory of files, and everything the log asks of it.
///
/// Every call is synchronous and either does all it says or throws; a real disk repeats calls
/// that were interrupted and writes that came back short. Names are plain names inside the one
/// directory. Nothing is durable before the sync that covers it: `syncData` for the bytes and
/// the size of one file, `syncDirectory` for creates, renames and removes.
///
/// The log never calls a sync again on a file whose sync has failed.
public protocol Disk {
  /// The names of all files in the directory, in any order.
  func list() throws(DiskError) -> [String]

  /// Opens or creates a file.
  func open(_ name: String, for access: DiskAccess) throws(DiskError) -> DiskFile

  /// Closes a file. What a failing close could say, an earlier sync has said already.
  func close(_ file: DiskFile)

  /// The size of a file in bytes.
  func size(of file: DiskFile) throws(DiskError) -> UInt64

  /// Reads from `offset` until the buffer is full or the file ends, and says how many bytes
  /// came. Fewer than asked for means the end of the file.
  func read(
    _ file: DiskFile, at offset: UInt64, into buffer: UnsafeMutableRawBufferPointer
  ) throws(DiskError) -> Int

  /// Writes all bytes at `offset`. After a throw any part of them may have reached the disk.
  func write(
    _ file: DiskFile, at offset: UInt64, bytes: UnsafeRawBufferPointer
  ) throws(DiskError)

  /// Makes the file `byteCount` long, the new part zeros, with its space reserved so that later
  /// writes inside it cannot run out of space. Whether by reserving extents or by writing
  /// zeros is the disk's choice. Never shortens.
  func preallocate(_ file: DiskFile, byteCount: UInt64) throws(DiskError)

  /// Cuts the file to `byteCount` bytes. Never lengthens.
  func truncate(_ file: DiskFile, byteCount: UInt64) throws(DiskError)

  /// Makes the file's bytes and size durable (`fdatasync`).
  func syncData(_ file: DiskFile) throws(DiskError)

  /// Makes creates, renames and removes in the directory durable.
  func syncDirectory() throws(DiskError)

  /// Renames a file, replacing a file of the new name.
  func rename(_ name: String, to newName: String) throws(DiskError)

  /// Removes a file.
  func remove(_ name: String) throws(DiskError)

  /// Takes an exclusive lock on the named file, creating it where it is missing. Never waits.
  func lock(_ name: String) throws(DiskError) -> DiskLock
}

extension Disk {
  /// Writes all bytes of an array at `offset`.
  func write(_ file: DiskFile, at offset: UInt64, _ bytes: [UInt8]) throws(DiskError) {
    let outcome = bytes.withUnsafeBytes { buffer in
      Result { () throws(DiskError) in try write(file, at: offset, bytes: buffer) }
    }
    try outcome.get()
  }

  /// Reads at most `count` bytes at `offset`; fewer only at the end of the file.
  func read(_ file: DiskFile, at offset: UInt64, count: Int) throws(DiskError) -> [UInt8] {
    var failure: DiskError?
    let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, got in
      do throws(DiskError) {
        let target = UnsafeMutableRawBufferPointer(
          rebasing: UnsafeMutableRawBufferPointer(buffer)[0..<count])
        got = try read(file, at: offset, into: target)
      } catch {
        failure = error
      }
    }
    if let failure { throw failure }
    return bytes
  }
}
