import Engine
import EventLog
import Glibc

/// `renewd log …`: shows a log without a daemon. Nothing is changed.
struct LogCommand {
  private var directory: String
  private var from: UInt64 = 1
  private var count = UInt64.max
  /// Where the log ends, as the caller knows.
  private var upTo: UInt64?
  private var isSigned = false

  static let usage = """
    renewd log read DIR [--from N] [--count N] [--signed]
                                                 events as JSON, one a line
    renewd log export DIR [--signed]             all events, then what the log holds
    renewd log verify DIR                        checks every byte; says what the log holds
    renewd log accept-loss DIR --up-to N         lets renewd go on from sequence N, where the log
                                                 ends, though a snapshot says that it went further

    --signed adds the texts that the App Store signed, as they came: signedPayload is a
    notification's, signedTransactionInfo and signedRenewalInfo are its parts' or came alone.
    The first three change nothing, and a daemon may have the log open meanwhile. The last sets
    such snapshots aside, no more; what they held beyond N is given up, and the numbers after N are
    given out again. Exit status 74: damaged.
    Example: renewd log read /var/lib/renewd --from 100 --count 10

    """

  static func run(_ words: [String]) -> ExitStatus {
    do throws(ConfigurationError) {
      guard let verb = words.first else {
        throw ConfigurationError("log: read, export, verify or accept-loss?")
      }
      if verb == "--help" { return Renewd.show(usage) }
      let command = try LogCommand(verb, Array(words.dropFirst()))
      switch verb {
      case "read": return command.run(showEvents: true, showReport: false)
      case "export": return command.run(showEvents: true, showReport: true)
      case "accept-loss": return command.acceptLoss()
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
    guard ["read", "export", "verify", "accept-loss"].contains(verb) else {
      throw ConfigurationError(
        "log \(verb): no such verb; there are read, export, verify and accept-loss")
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
      if word == "--signed", verb == "read" || verb == "export" {
        isSigned = true
        continue
      }
      let least: UInt64
      switch (verb, word) {
      case ("read", "--from"), ("read", "--count"): least = 1
      case ("accept-loss", "--up-to"): least = 0
      default: throw ConfigurationError("\(word): log \(verb) has no such option")
      }
      guard index < words.count, let number = UInt64(words[index]), number >= least else {
        throw ConfigurationError("\(word): needs a number from \(least)")
      }
      switch word {
      case "--from": from = number
      case "--count": count = number
      default: upTo = number
      }
      index += 1
    }
    guard let directory else { throw ConfigurationError("log \(verb): which folder?") }
    guard verb != "accept-loss" || upTo != nil else {
      throw ConfigurationError(
        "log accept-loss: say with --up-to N that you know where the log ends")
    }
    self.directory = directory
  }

  private func run(showEvents: Bool, showReport: Bool) -> ExitStatus {
    var output = BufferedOutput()
    do {
      let disk = try FileDisk(path: directory)
      let report = try LogExport.run(
        disk, checksum: machineChecksum, from: from, countMax: showEvents ? count : 0,
        environment: Configuration().environment, withTexts: isSigned
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

  /// Lets the next start go on where the log ends.
  private func acceptLoss() -> ExitStatus {
    do {
      let disk = try FileDisk(path: directory)
      let found = try LogRecovery.acceptLoss(
        disk, at: upTo ?? 0, checksum: machineChecksum)
      guard found.end == upTo else {
        Self.complain(
          "\(directory): the log ends at sequence \(found.end); nothing was changed. To go on"
            + " from there: renewd log accept-loss \(directory) --up-to \(found.end)\n")
        return .usage
      }
      var output = BufferedOutput()
      let text =
        found.aside.isEmpty
        ? "nothing says that the log went further than sequence \(found.end)\n"
        : "the log goes on from sequence \(found.end); set aside: "
          + found.aside.map { "the snapshot at \($0)" }.joined(separator: ", ") + "\n"
      text.utf8.withContiguousStorageIfAvailable { output.write(UnsafeRawBufferPointer($0)) }
      output.flush()
      return output.hasFailed ? .fault : .done
    } catch {
      if let error = error as? DiskError {
        Self.complain("\(directory): \(SystemError(code: error.code))\n")
        return .usage
      }
      Self.complain("\(directory): \(error)\n")
      if case .locked? = error as? LogError { return .tryLater }
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
