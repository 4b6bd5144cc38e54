import Client
import Glibc

/// The daemon of a run: started, ready, and stopped at the end.
final class RunDaemon {
  let address: SocketAddress
  private let process: ChildProcess
  private let output: Int32
  private let scratch: ScratchDirectory
  /// A folder that goes when the run ends.
  var scratchPath: String { scratch.path }
  /// Shows the time of the clock `default`, where the run was asked to follow it.
  var clockFile: String { Self.clockFile(in: scratch) }
  private let watcher: RunGuard
  private(set) var ending: ChildProcess.Ending?

  /// Starts it and waits until it is ready.
  init(
    _ invocation: Invocation, scratch: ScratchDirectory, signals: SignalWait
  ) throws(Failure) {
    let program = try ProgramFinder.daemon(invocation.environment)
    let path = invocation.arguments.value("socket") ?? "\(scratch.path)/renewd.sock"
    address = try Failure.wrapping { () throws(TransportError) in try SocketAddress(path) }
    output = open("\(scratch.path)/output", O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    var ready: [Int32] = [-1, -1]
    guard output >= 0, pipe(&ready) == 0 else { throw Self.failure("pipe") }
    for end in ready { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    let input = open("/dev/null", O_RDONLY | O_CLOEXEC)
    defer {
      close(ready[0])
      close(input)
    }
    let setup = ChildProcess.Setup(
      environment: Self.environment(invocation.environment, scratch: scratch),
      signalMask: signals.childMask,
      descriptors: [(0, input), (1, output), (2, output), (3, ready[1])], hasOwnGroup: true)
    do throws(SpawnError) {
      process = try ChildProcess(
        [program] + Self.words(invocation.arguments, socket: path, scratch), path: program,
        setup)
    } catch {
      close(ready[1])
      close(output)
      throw .own("DaemonNotStarted", .unavailable, "\(program): \(error.words)")
    }
    close(ready[1])
    self.scratch = scratch
    watcher = RunGuard(daemon: process.id, folder: scratch.path, signals: signals)
    do throws(Failure) {
      try awaitReady(ready[0], signals)
    } catch {
      stop()
      throw error
    }
  }

  // MARK: Start

  /// The words of its command line behind its name.
  private static func words(
    _ arguments: Arguments, socket: String, _ scratch: ScratchDirectory
  ) -> [String] {
    var words = ["--socket", socket, "--ready-fd", "3"]
    var catalogues = arguments.all("catalog")
    if let directory = arguments.value("state-directory") {
      words += ["--state-directory", directory]
    } else {
      words.append("--ephemeral")
    }
    // A log that was made before has its catalogue.
    let isNew = arguments.value("state-directory").map { !ProgramFinder.hasContent($0) } ?? true
    if catalogues.isEmpty, isNew { catalogues = ["builtin:"] }
    for catalogue in catalogues { words += ["--catalog", catalogue] }
    if let clock = arguments.value("clock"), let time = try? Timestamp(clock) {
      words += ["--clock", time.description]
    }
    if arguments.has("time") { words += ["--clock-file", clockFile(in: scratch)] }
    // The configuration of a daemon of this machine must not change what a test sees.
    if !arguments.has("config") { words += ["--config", "/dev/null"] }
    return words + DaemonOptions.words(arguments)
  }

  private static func clockFile(in scratch: ScratchDirectory) -> String { "\(scratch.path)/now" }

  /// Without what systemd told this process, and with its temporary files in our folder.
  private static func environment(
    _ environment: Environment, scratch: ScratchDirectory
  ) -> [String: String] {
    var variables = environment.variables
    for name in [
      "NOTIFY_SOCKET", "LISTEN_PID", "LISTEN_FDS", "LISTEN_FDNAMES", "WATCHDOG_PID",
      "WATCHDOG_USEC", "INVOCATION_ID", "JOURNAL_STREAM", "STATE_DIRECTORY",
    ] {
      variables[name] = nil
    }
    variables["TMPDIR"] = scratch.path
    return variables
  }

  /// Waits for a byte on the pipe; its end without one is the daemon's.
  private func awaitReady(_ descriptor: Int32, _ signals: SignalWait) throws(Failure) {
    let deadline = ContinuousClock.now + ControlLimits.daemonStartMax
    while ContinuousClock.now < deadline {
      if let number = signals.ending() {
        throw .own("Interrupted", ExitCode(rawValue: 128 + number), "interrupted")
      }
      var polled = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      guard poll(&polled, 1, 20) > 0 else { continue }
      var byte: UInt8 = 0
      let count = read(descriptor, &byte, 1)
      if count == 1 { return }
      guard count == 0 else { continue }
      let ending = process.ending(waiting: true)
      self.ending = ending
      throw failed("renewd did not start (\(ending?.words ?? "ended"))", ending)
    }
    throw failed("renewd was not ready within \(ControlLimits.daemonStartMax)", nil)
  }

  /// A failure with the last of what the daemon said. Its own exit status says most.
  private func failed(_ sentence: String, _ ending: ChildProcess.Ending?) -> Failure {
    var code = ExitCode.unavailable
    if case .status(let status) = ending, status != 0 { code = ExitCode(rawValue: status) }
    return .own("DaemonNotStarted", code, sentence, lastOutput)
  }

  private static func failure(_ call: String) -> Failure {
    .own("System", .software, "\(call): \(String(cString: strerror(errno)))")
  }

  // MARK: While it runs and after

  /// Whether it has ended by itself.
  func hasEnded() -> Bool {
    if ending == nil { ending = process.ending() }
    return ending != nil
  }

  /// The last lines of what it said.
  var lastOutput: [String] {
    let size = lseek(output, 0, SEEK_END)
    let start = max(0, size - off_t(ControlLimits.daemonOutputBytesMax))
    var bytes = [UInt8](repeating: 0, count: Int(size - start))
    let count = pread(output, &bytes, bytes.count, start)
    guard count > 0 else { return [] }
    return String(decoding: bytes[..<count], as: UTF8.self)
      .split(separator: "\n").map { String($0) }
  }

  /// Ends it, if it has not ended, waits for that, and removes its folder.
  func stop() {
    defer {
      close(output)
      scratch.remove()
      watcher.dismiss()
    }
    guard !hasEnded() else { return }
    process.send(SIGTERM)
    let deadline = ContinuousClock.now + ControlLimits.daemonStopMax
    var pause: Int32 = 1
    while !hasEnded() {
      guard ContinuousClock.now < deadline else {
        process.send(SIGKILL)
        ending = process.ending(waiting: true)
        return
      }
      _ = poll(nil, 0, pause)
      pause = min(pause * 2, 20)
    }
  }
}
