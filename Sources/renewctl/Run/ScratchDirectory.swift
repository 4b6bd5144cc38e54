import Client
import Glibc

/// A folder for the length of a run, removed with all that is in it.
final class ScratchDirectory {
  let path: String

  /// In `TMPDIR` or /tmp, wherever a socket's path is short enough.
  init(_ environment: Environment) throws(Failure) {
    let wanted = environment.text("TMPDIR") ?? "/tmp"
    let socketBytes = "/renewd-XXXXXX/renewd.sock".utf8.count
    let fits = wanted.utf8.count + socketBytes <= ClientLimits.socketPathBytesMax
    var template = Array("\(fits ? wanted : "/tmp")/renewd-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else {
      throw .own(
        "NoScratchDirectory", .unavailable,
        "no temporary folder can be made in \(wanted): \(String(cString: strerror(errno)))")
    }
    path = String(
      decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  func remove() {
    Self.remove(path)
  }

  /// Removes a file or a folder with its content; links are removed, not followed.
  private static func remove(_ path: String) {
    if unlink(path) == 0 || errno == ENOENT { return }
    guard let folder = opendir(path) else { return }
    defer { closedir(folder) }
    var names: [String] = []
    while let entry = readdir(folder) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if name != ".", name != ".." { names.append(name) }
    }
    for name in names { remove("\(path)/\(name)") }
    rmdir(path)
  }
}
