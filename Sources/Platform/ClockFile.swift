import Engine
import Glibc

/// A file that always shows the time of the clock `default`, as libfaketime reads it: seconds
/// since 1970 with their fraction. The loop brings it up to date before it sends, so that no client
/// hears of a moment that the file does not show yet. Without such a clock there is no file.
struct ClockFile {
  let path: String
  private var written: Int64?

  init(path: String) {
    self.path = path
  }

  mutating func follow(_ engine: Engine, _ journal: Journal) throws(SystemError) {
    guard let time = engine.defaultClockTime, time != written else { return }
    do throws(SystemError) {
      try replace(with: Self.text(time))
    } catch {
      // A clock that lies to programs is worse than none.
      journal.send(
        Notice(
          .stopping, .error, "the time of the clock default cannot be kept in \(path): \(error)"))
      throw error
    }
    written = time
  }

  /// The half of a nanosecond at the end: a fraction is read as a binary number, which may lie
  /// below the decimal one, and is then cut off to nanoseconds.
  static func text(_ milliseconds: Int64) -> String {
    let fraction = String(milliseconds % 1000 + 1000).dropFirst()
    return "\(milliseconds / 1000).\(fraction)0000005\n"
  }

  /// In one step: who reads it sees the old time or the new one.
  private func replace(with text: String) throws(SystemError) {
    let new = "\(path).new"
    let file = retrying { open(new, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644) }
    guard file >= 0 else { throw .last }
    defer { close(file) }
    try writeAll(text, to: file)
    guard rename(new, path) == 0 else { throw .last }
  }
}
