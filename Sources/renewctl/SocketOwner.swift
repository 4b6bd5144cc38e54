import Glibc

/// Whose a socket is, for the words of a refused connection.
enum SocketOwner {
  /// What to do about a socket that this user may not connect to.
  static func advice(path: String) -> [String] {
    guard let group = group(of: path) else {
      return ["Ask root for access to the folder of \(path)."]
    }
    return [
      "The socket belongs to the group \(group): usermod -aG \(group) USER, then log in again."
    ]
  }

  private static func group(of path: String) -> String? {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    guard let entry = getgrgid(status.st_gid) else { return String(status.st_gid) }
    return String(cString: entry.pointee.gr_name)
  }
}
