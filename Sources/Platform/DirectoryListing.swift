import Glibc

/// The names in a folder.
enum DirectoryListing {
  /// All names but `.` and `..`, in no order; none where there is no such folder.
  static func names(in path: String) throws(ConfigurationError) -> [String] {
    guard let stream = opendir(path) else {
      let error = SystemError.last
      if error.isMissing { return [] }
      throw ConfigurationError("\(path): cannot be read: \(error)")
    }
    defer { closedir(stream) }
    do throws(SystemError) {
      return try names(stream)
    } catch {
      throw ConfigurationError("\(path): cannot be read: \(error)")
    }
  }

  /// Reads an open folder to its end.
  static func names(_ stream: OpaquePointer) throws(SystemError) -> [String] {
    var names: [String] = []
    while true {
      errno = 0
      guard let entry = readdir(stream) else {
        guard errno == 0 else { throw .last }
        return names
      }
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if name != ".", name != ".." { names.append(name) }
    }
  }
}
