import CLinux
import EventLog
import Glibc

/// A directory of the machine's file system as the log wants it. Handles are file descriptors.
///
/// A copy is the same directory. Every thread may use it; what they do to one file is theirs to
/// agree upon. Files are made readable by the daemon's user alone. It never follows a symbolic
/// link at a name.
public struct FileDisk: Disk {
  /// The directory's path, for messages.
  public let path: String
  private let directory: Int32

  /// Opens a directory that exists.
  public init(path: String) throws(DiskError) {
    self.path = path
    directory = retrying { Glibc.open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
    guard directory >= 0 else { throw DiskError(.open, file: path, code: errno) }
  }

  /// Closes the directory; the files opened in it stay open.
  public func close() {
    _ = Glibc.close(directory)
  }

  public func list() throws(DiskError) -> [String] {
    // A descriptor of its own: reading a directory moves its offset.
    let copy = retrying { clinux_open(directory, ".", O_RDONLY | O_DIRECTORY, 0) }
    guard copy >= 0 else { throw DiskError(.list, file: "", code: errno) }
    guard let stream = fdopendir(copy) else {
      let code = errno
      _ = Glibc.close(copy)
      throw DiskError(.list, file: "", code: code)
    }
    defer { closedir(stream) }
    do throws(SystemError) {
      return try DirectoryListing.names(stream)
    } catch {
      throw DiskError(.list, file: "", code: error.code)
    }
  }

  public func open(_ name: String, for access: DiskAccess) throws(DiskError) -> DiskFile {
    let flags =
      switch access {
      case .read: O_RDONLY
      case .readWrite: O_RDWR
      case .createExclusive: O_RDWR | O_CREAT | O_EXCL
      }
    let file = retrying { clinux_open(directory, name, flags, 0o600) }
    guard file >= 0 else {
      throw DiskError(access == .createExclusive ? .create : .open, file: name, code: errno)
    }
    return DiskFile(rawValue: file)
  }

  public func close(_ file: DiskFile) {
    _ = Glibc.close(file.rawValue)
  }

  public func size(of file: DiskFile) throws(DiskError) -> UInt64 {
    var status = stat()
    guard fstat(file.rawValue, &status) == 0 else { throw failure(.size, file) }
    return UInt64(status.st_size)
  }

  public func read(
    _ file: DiskFile, at offset: UInt64, into buffer: UnsafeMutableRawBufferPointer
  ) throws(DiskError) -> Int {
    var done = 0
    while done < buffer.count {
      let count = retrying {
        pread(
          file.rawValue, buffer.baseAddress! + done, buffer.count - done,
          off_t(offset) + off_t(done))
      }
      guard count >= 0 else { throw failure(.read, file) }
      if count == 0 { break }
      done += count
    }
    return done
  }

  public func write(
    _ file: DiskFile, at offset: UInt64, bytes: UnsafeRawBufferPointer
  ) throws(DiskError) {
    var done = 0
    while done < bytes.count {
      let count = retrying {
        pwrite(
          file.rawValue, bytes.baseAddress! + done, bytes.count - done,
          off_t(offset) + off_t(done))
      }
      guard count >= 0 else { throw failure(.write, file) }
      done += count
    }
  }

  /// Reserves extents where the file system can, else writes zeros.
  public func preallocate(_ file: DiskFile, byteCount: UInt64) throws(DiskError) {
    if retrying({ clinux_allocate(file.rawValue, off_t(byteCount)) }) == 0 { return }
    guard errno == EOPNOTSUPP || errno == ENOSYS else { throw failure(.preallocate, file) }
    var offset = try size(of: file)
    let zeros = [UInt8](repeating: 0, count: 1 << 20)
    while offset < byteCount {
      let count = min(zeros.count, Int(byteCount - offset))
      let written = zeros.withUnsafeBytes { bytes in
        retrying { pwrite(file.rawValue, bytes.baseAddress, count, off_t(offset)) }
      }
      guard written > 0 else { throw failure(.preallocate, file) }
      offset += UInt64(written)
    }
  }

  public func truncate(_ file: DiskFile, byteCount: UInt64) throws(DiskError) {
    guard retrying({ ftruncate(file.rawValue, off_t(byteCount)) }) == 0 else {
      throw failure(.truncate, file)
    }
  }

  /// Never repeated, not even when a signal interrupted it: what a second one would say about
  /// the first is not defined.
  public func syncData(_ file: DiskFile) throws(DiskError) {
    guard fdatasync(file.rawValue) == 0 else { throw failure(.sync, file) }
  }

  public func syncDirectory() throws(DiskError) {
    guard fsync(directory) == 0 else { throw DiskError(.syncDirectory, file: "", code: errno) }
  }

  public func rename(_ name: String, to newName: String) throws(DiskError) {
    guard renameat(directory, name, directory, newName) == 0 else {
      throw DiskError(.rename, file: name, code: errno)
    }
  }

  public func remove(_ name: String) throws(DiskError) {
    guard unlinkat(directory, name, 0) == 0 else {
      throw DiskError(.remove, file: name, code: errno)
    }
  }

  /// The lock belongs to the open file: it goes with the descriptor, also when the process is
  /// killed. The file holds the id of the process that has it.
  public func lock(_ name: String) throws(DiskError) -> DiskLock {
    let descriptor = retrying { clinux_open(directory, name, O_RDWR | O_CREAT, 0o600) }
    guard descriptor >= 0 else { throw DiskError(.lock, file: name, code: errno) }
    let file = DiskFile(rawValue: descriptor)
    if clinux_lock(descriptor) != 0 {
      let code = errno
      defer { close(file) }
      guard code == EAGAIN || code == EACCES else {
        throw DiskError(.lock, file: name, code: code)
      }
      return .held(by: Self.processID(in: descriptor))
    }
    // The number only helps a message: the lock is as good without it, on a full disk say.
    if ftruncate(descriptor, 0) == 0 {
      _ = Array("\(getpid())\n".utf8).withUnsafeBytes {
        pwrite(descriptor, $0.baseAddress, $0.count, 0)
      }
    }
    return .taken(file)
  }

  /// The number in a lock file; nil where there is none.
  private static func processID(in descriptor: Int32) -> Int32? {
    var digits = [UInt8](repeating: 0, count: 16)
    let count = digits.withUnsafeMutableBytes { pread(descriptor, $0.baseAddress, $0.count, 0) }
    guard count > 0 else { return nil }
    let text = String(decoding: digits[0..<count], as: UTF8.self)
    return text.split(separator: "\n").first.flatMap { Int32($0) }
  }

  /// The error of the call that has just failed, with the file's present name.
  private func failure(_ operation: DiskOperation, _ file: DiskFile) -> DiskError {
    let code = errno
    return DiskError(operation, file: name(of: file), code: code)
  }

  private func name(of file: DiskFile) -> String {
    withUnsafeTemporaryAllocation(byteCount: Int(PATH_MAX), alignment: 1) { buffer in
      let count = readlink(
        "/proc/self/fd/\(file.rawValue)",
        buffer.baseAddress!.assumingMemoryBound(to: CChar.self), buffer.count)
      guard count > 0 else { return "descriptor \(file.rawValue)" }
      let bytes = UnsafeRawBufferPointer(rebasing: buffer[0..<count])
      let path = String(decoding: bytes, as: UTF8.self)
      return path.split(separator: "/").last.map(String.init) ?? path
    }
  }
}
