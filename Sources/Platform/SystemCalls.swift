import Glibc

/// Repeats a system call as long as a signal interrupted it.
@inline(__always)
func retrying<T: SignedInteger>(_ call: () -> T) -> T {
  while true {
    let result = call()
    if result != -1 || errno != EINTR { return result }
  }
}

/// An error number of the system with its sentence.
struct SystemError: Error, Equatable, CustomStringConvertible {
  var code: Int32

  /// The error of the call that has just failed on this thread.
  static var last: SystemError { SystemError(code: errno) }

  /// Whether there is no such file, or no such folder above it.
  var isMissing: Bool { code == ENOENT || code == ENOTDIR }

  var description: String {
    guard let text = strerror(code) else { return "error \(code)" }
    return String(cString: text)
  }
}

/// Reads a whole file.
///
/// - Throws: the system's error; `EFBIG` where the file is longer than `byteCountMax`.
func readFile(_ path: String, byteCountMax: Int) throws(SystemError) -> [UInt8] {
  let file = retrying { open(path, O_RDONLY | O_CLOEXEC) }
  guard file >= 0 else { throw .last }
  defer { close(file) }
  var bytes: [UInt8] = []
  var chunk = [UInt8](repeating: 0, count: 64 << 10)
  while true {
    let count = chunk.withUnsafeMutableBytes { buffer in
      retrying { read(file, buffer.baseAddress, buffer.count) }
    }
    guard count >= 0 else { throw .last }
    if count == 0 { return bytes }
    guard bytes.count + count <= byteCountMax else { throw SystemError(code: EFBIG) }
    bytes.append(contentsOf: chunk[0..<count])
  }
}

/// Writes a whole text to a descriptor: standard output, standard error, `--ready-fd`.
func writeAll(_ text: String, to descriptor: Int32) throws(SystemError) {
  var text = text
  let failure = text.withUTF8 { bytes -> SystemError? in
    var offset = 0
    while offset < bytes.count {
      let count = retrying {
        write(descriptor, bytes.baseAddress! + offset, bytes.count - offset)
      }
      guard count >= 0 else { return .last }
      offset += count
    }
    return nil
  }
  if let failure { throw failure }
}

/// A variable of the environment; nil where it is missing or empty.
func environment(_ name: String) -> String? {
  guard let value = getenv(name), value.pointee != 0 else { return nil }
  return String(cString: value)
}
