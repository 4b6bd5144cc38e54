import Client
import Glibc

/// A root certificate as a file, for programs that verify by themselves.
enum RootFile {
  /// Writes the root in DER into a folder; its path. The name is made from the content, so that
  /// what several daemons trust lies side by side and the same is written over itself.
  static func write(_ root: [UInt8], in folder: String) throws(Failure) -> String {
    let path = "\(folder)/renewd-root-\(fingerprint(root)).der"
    let temporary = "\(path).\(getpid())"
    let flags = O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC
    let file = open(temporary, flags, 0o644)
    guard file >= 0 else { throw failure(temporary) }
    let written = root.withUnsafeBytes { Glibc.write(file, $0.baseAddress, $0.count) }
    let isWhole = written == root.count
    let isClosed = close(file) == 0
    guard isWhole, isClosed, rename(temporary, path) == 0 else {
      let reason = failure(path)
      unlink(temporary)
      throw reason
    }
    return path
  }

  /// The folder that such files are kept in between two runs: the user's cache, or where there is
  /// no home a folder of the user's own in /tmp.
  static func folder(_ environment: Environment) throws(Failure) -> String {
    if let cache = environment.text("XDG_CACHE_HOME"), cache.hasPrefix("/") {
      return try make("\(cache)/renewd", inside: cache)
    }
    if let home = environment.text("HOME"), home.hasPrefix("/") {
      return try make("\(home)/.cache/renewd", inside: "\(home)/.cache")
    }
    return try make("/tmp/renewd-\(getuid())", inside: "/tmp")
  }

  private static func make(_ path: String, inside parent: String) throws(Failure) -> String {
    for folder in [parent, path] {
      guard mkdir(folder, 0o700) == 0 || errno == EEXIST else { throw failure(folder) }
    }
    // Nobody else may put another root in our place.
    var status = stat()
    guard lstat(path, &status) == 0 else { throw failure(path) }
    guard status.st_mode & S_IFMT == S_IFDIR, status.st_uid == getuid() else {
      throw .own("FileUnwritable", .permission, "\(path) is not a folder of this user's")
    }
    return path
  }

  /// FNV-1a; no secret depends on it.
  private static func fingerprint(_ bytes: [UInt8]) -> String {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
    return String(hash, radix: 16)
  }

  private static func failure(_ path: String) -> Failure {
    let code = errno
    return .own(
      "FileUnwritable", code == EACCES ? .permission : .unavailable,
      "\(path): \(String(cString: strerror(code)))")
  }
}
