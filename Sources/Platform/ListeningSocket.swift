import CLinux
import CSystemd
import Glibc

/// A socket on which clients connect: one inherited from the service manager, which is never
/// unlinked nor changed, or one of our own.
struct ListeningSocket: Equatable {
  let descriptor: Int32
  /// The file we made and its inode; nil for an inherited or an abstract socket.
  private let file: (path: String, inode: UInt64)?

  static func == (left: ListeningSocket, right: ListeningSocket) -> Bool {
    left.descriptor == right.descriptor
  }

  /// The sockets that the service manager handed over; empty if it did not.
  static func inherited() throws(ConfigurationError) -> [ListeningSocket] {
    let count = sd_listen_fds(1)
    guard count >= 0 else {
      throw ConfigurationError(
        "the sockets of the service manager cannot be had: \(SystemError(code: -count))")
    }
    var sockets: [ListeningSocket] = []
    for descriptor in 3..<(3 + count) {
      guard sd_is_socket(descriptor, AF_UNIX, Int32(SOCK_STREAM.rawValue), 1) > 0 else {
        throw ConfigurationError(
          "descriptor \(descriptor) from the service manager is no listening Unix stream socket")
      }
      let flags = fcntl(descriptor, F_GETFL)
      guard flags >= 0, fcntl(descriptor, F_SETFL, flags | O_NONBLOCK) == 0 else {
        throw ConfigurationError("descriptor \(descriptor): \(SystemError.last)")
      }
      sockets.append(ListeningSocket(descriptor: descriptor, file: nil))
    }
    return sockets
  }

  private init(descriptor: Int32, file: (path: String, inode: UInt64)?) {
    self.descriptor = descriptor
    self.file = file
  }

  /// Makes a socket. The folder above must exist; a file that an earlier daemon left is removed
  /// if nobody answers on it.
  init(path: String, mode: UInt32, group: UInt32?) throws(ConfigurationError) {
    func failed(_ what: String) -> ConfigurationError {
      ConfigurationError("the socket \(path) \(what): \(SystemError.last)")
    }
    let type = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    let made = socket(AF_UNIX, type | Int32(SOCK_NONBLOCK.rawValue), 0)
    guard made >= 0 else { throw failed("cannot be made") }
    do throws(ConfigurationError) {
      if !SocketAddress.isAbstract(path) { try Self.removeStale(path) }
      // Until its mode is set nobody else may connect.
      let mask = umask(0o177)
      let isBound = SocketAddress.with(path) { bind(made, $0, $1) } == 0
      let error = errno
      umask(mask)
      errno = error
      guard isBound else { throw failed("cannot be bound") }
      file = try Self.prepareFile(path, mode, group)
      guard listen(made, Limits.backlog) == 0 else { throw failed("cannot listen") }
    } catch {
      _ = Glibc.close(made)
      throw error
    }
    descriptor = made
  }

  private static func prepareFile(
    _ path: String, _ mode: UInt32, _ group: UInt32?
  ) throws(ConfigurationError) -> (path: String, inode: UInt64)? {
    guard !SocketAddress.isAbstract(path) else { return nil }
    var status = stat()
    guard stat(path, &status) == 0 else {
      throw ConfigurationError("the socket \(path) is gone: \(SystemError.last)")
    }
    if let group, chown(path, uid_t.max, group) != 0 {
      throw ConfigurationError(
        "the socket \(path) cannot be given to group \(group): \(SystemError.last); renewd must "
          + "run as root or be a member of it")
    }
    guard chmod(path, mode_t(mode)) == 0 else {
      throw ConfigurationError("the socket \(path) cannot get its mode: \(SystemError.last)")
    }
    return (path, UInt64(status.st_ino))
  }

  /// Removes a socket file on which nobody answers. A file of another kind is never removed.
  private static func removeStale(_ path: String) throws(ConfigurationError) {
    var status = stat()
    guard lstat(path, &status) == 0 else {
      if errno == ENOENT { return }
      throw ConfigurationError("the socket \(path) cannot be made: \(SystemError.last)")
    }
    guard status.st_mode & S_IFMT == S_IFSOCK else {
      throw ConfigurationError("\(path) exists and is no socket; take another path")
    }
    let probe = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    guard probe >= 0 else {
      throw ConfigurationError("the socket \(path) cannot be tried: \(SystemError.last)")
    }
    defer { _ = Glibc.close(probe) }
    let isAnswered = SocketAddress.with(path) { connect(probe, $0, $1) } == 0
    guard !isAnswered, errno == ECONNREFUSED else {
      throw ConfigurationError("somebody answers on \(path) already; is renewd running?")
    }
    guard unlink(path) == 0 else {
      throw ConfigurationError("the stale socket \(path) cannot be removed: \(SystemError.last)")
    }
  }

  /// Stops listening, and removes the file if it is still the one that was made.
  func close() {
    _ = Glibc.close(descriptor)
    guard let file else { return }
    var status = stat()
    if lstat(file.path, &status) == 0, UInt64(status.st_ino) == file.inode {
      unlink(file.path)
    }
  }
}
