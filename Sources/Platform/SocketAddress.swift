import Glibc

/// The address of a Unix socket: a path, or a name in the abstract namespace written `@name`.
enum SocketAddress {
  /// A path that fits.
  ///
  /// - Throws: the path, its length, the limit and what to do, before anything is made.
  static func checked(_ path: String) throws(WrongValue) -> String {
    let count = path.utf8.count
    guard count > 0, path != "@" else { throw WrongValue("the path is empty") }
    let most = Limits.socketPathByteCountMax - 1
    guard count <= most else {
      throw WrongValue(
        "\(path) has \(count) bytes and the path of a Unix socket at most \(most); take a "
          + "shorter one, such as /run/renewd/renewd.sock, or one below a shorter folder")
    }
    return path
  }

  static func isAbstract(_ path: String) -> Bool { path.hasPrefix("@") }

  /// Calls with the address in the form of the system. The path must have been checked.
  static func with<Result>(
    _ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result
  ) -> Result {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let bytes = Array(path.utf8)
    precondition(bytes.count < Limits.socketPathByteCountMax, "the path was checked")
    withUnsafeMutableBytes(of: &address.sun_path) { room in
      room.copyBytes(from: bytes)
      if isAbstract(path) { room[0] = 0 }
    }
    let header = MemoryLayout<sockaddr_un>.offset(of: \.sun_path) ?? 2
    let size = socklen_t(header + bytes.count + (isAbstract(path) ? 0 : 1))
    return withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, size) }
    }
  }
}
