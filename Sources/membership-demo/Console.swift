import Foundation

/// Standard input and output, a line at a time.
enum Console {
  /// Prints who says it, and what.
  static func say(_ speaker: String, _ text: String) {
    let padded = speaker.padding(toLength: 10, withPad: " ", startingAt: 0)
    FileHandle.standardOutput.write(Data("\(padded)  \(text)\n".utf8))
  }

  /// The lines of standard input, read on a thread of their own.
  static func lines() -> AsyncStream<String> {
    let (stream, continuation) = AsyncStream<String>.makeStream()
    Thread.detachNewThread {
      while let line = readLine() { continuation.yield(line) }
      continuation.finish()
    }
    return stream
  }

  /// A day and time in UTC.
  static func time(_ date: Date) -> String { date.formatted(.iso8601) }
}
