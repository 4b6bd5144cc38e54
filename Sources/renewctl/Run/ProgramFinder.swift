import Glibc

/// Finds programs and this program's own folder.
enum ProgramFinder {
  /// The folder that this program lies in.
  static var ownDirectory: String? {
    guard let path = realpath("/proc/self/exe", nil) else { return nil }
    defer { free(path) }
    let text = String(cString: path)
    return text.lastIndex(of: "/").map { String(text[..<$0]) }
  }

  /// The daemon: beside this program, else in `PATH`.
  static func daemon(_ environment: Environment) throws(Failure) -> String {
    if let own = ownDirectory, isProgram("\(own)/renewd") { return "\(own)/renewd" }
    if let found = inPath("renewd", environment) { return found }
    throw .own(
      "DaemonNotFound", .unavailable,
      "renewd is neither beside renewctl (\(ownDirectory ?? "?")) nor in PATH")
  }

  /// A program by its name, as a shell finds it.
  static func command(_ name: String, _ environment: Environment) -> String? {
    name.contains("/") ? name : inPath(name, environment)
  }

  /// Whether a folder is there and holds something.
  static func hasContent(_ path: String) -> Bool {
    guard let folder = opendir(path) else { return false }
    defer { closedir(folder) }
    var count = 0
    while readdir(folder) != nil { count += 1 }
    // Each folder holds itself and its parent.
    return count > 2
  }

  private static func inPath(_ name: String, _ environment: Environment) -> String? {
    let path = environment.text("PATH") ?? "/usr/local/bin:/usr/bin:/bin"
    return path.split(separator: ":", omittingEmptySubsequences: false)
      .map { $0.isEmpty ? "./\(name)" : "\($0)/\(name)" }.first { isProgram($0) }
  }

  static func isFile(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
  }

  private static func isProgram(_ path: String) -> Bool {
    isFile(path) && access(path, X_OK) == 0
  }
}
