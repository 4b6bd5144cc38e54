import Engine
import EventLog
import Glibc

/// `renewd log …`: shows a log without a daemon. Nothing is changed.
struct LogCommand {
  private var directory: String
  private var from: UInt64 = 1
  private var count = UInt64.max

  static let usage = """
    renewd log read DIR [--from N] [--count N]   events as JSON, one a line
    renewd log export DIR                        all events, then what the log holds
    renewd log verify DIR                        checks every byte; says what the log holds

    Nothing is changed, and a daemon may have the log open meanwhile. Exit status 74: damaged.
    Example: renewd log read /var/lib/renewd --from 100 --count 10

    """

  static func run(_ words: [String]) -> ExitStatus {
    do throws(ConfigurationError) {
      guard let verb = words.first else { throw ConfigurationError("log: read, export or verify?") }
      if verb == "--help" { return Renewd.show(usage) }
      let command = try LogCommand(verb, Array(words.dropFirst()))
      switch verb {
      case "read": return command.run(showEvents: true, showReport: false)
      case "export": return command.run(showEvents: true, showReport: true)
      default: return command.run(showEvents: false, showReport: true)
      }
    } catch {
      complain("\(error.message)\n\n\(usage)")
      return .usage
    }
  }

  private init(_ verb: String, _ words: [String]) throws(ConfigurationError) {
    guard verb != "fork" else {
      throw ConfigurationError("log fork: this version of renewd does not have it")
    }
    guard ["read", "export", "verify"].contains(verb) else {
      throw ConfigurationError("log \(verb): no such verb; there are read, export and verify")
    }
    var directory: String?
    var index = 0
    while index < words.count {
      let word = words[index]
      index += 1
      guard word.hasPrefix("--") else {
        guard directory == nil else { throw ConfigurationError("\(word): one folder is enough") }
        directory = word
        continue
      }
      guard verb == "read", word == "--from" || word == "--count" else {
        throw ConfigurationError("\(word): log \(verb) has no such option")
      }
      guard index < words.count, let number = UInt64(words[index]), number > 0 else {
        throw ConfigurationError("\(word): needs a number from 1")
      }
      if word == "--from" { from = number } else { count = number }
      index += 1
    }
    guard let directory else { throw ConfigurationError("log \(verb): which folder?") }
    self.directory = directory
  }

  private func run(showEvents: Bool, showReport: Bool) -> ExitStatus {
    var output = BufferedOutput()
    do {
      let disk = try FileDisk(path: directory)
      let report = try LogExport.run(
        disk, checksum: machineChecksum, from: from, countMax: showEvents ? count : 0,
        environment: Configuration().environment
      ) { output.write($0) }
      if showReport { LogExport.line(report).withUnsafeBytes { output.write($0) } }
      output.flush()
      guard let damage = report.damage else { return output.hasFailed ? .fault : .done }
      Self.complain("\(damage)\n")
      return .logDamaged
    } catch {
      output.flush()
      if let error = error as? DiskError {
        Self.complain("\(directory): \(SystemError(code: error.code))\n")
        return .usage
      }
      Self.complain("\(directory): \(error)\n")
      return .logDamaged
    }
  }

  private static func complain(_ text: String) {
    do throws(SystemError) {
      try writeAll("renewd: \(text)", to: STDERR_FILENO)
    } catch {
      // Nobody is left to be told; the exit status says it too.
    }
  }
}

/// Standard output through a buffer; nothing more is tried once it has failed, as when `head`
/// has seen enough.
private struct BufferedOutput {
  private var bytes: [UInt8] = []
  private(set) var hasFailed = false

  mutating func write(_ part: UnsafeRawBufferPointer) {
    bytes.append(contentsOf: part)
    if bytes.count >= Limits.readByteCount { flush() }
  }

  mutating func flush() {
    var offset = 0
    while offset < bytes.count, !hasFailed {
      let count = bytes.withUnsafeBytes { all in
        retrying { Glibc.write(STDOUT_FILENO, all.baseAddress! + offset, all.count - offset) }
      }
      if count < 0 { hasFailed = true } else { offset += count }
    }
    bytes.removeAll(keepingCapacity: true)
  }
}
