import Client
import Glibc

/// The command of a run: started with the daemon in its environment, waited for, judged.
struct RunCommand {
  private let console: Console
  private let daemon: RunDaemon
  private let signals: SignalWait
  private var environment: Environment

  init(
    _ invocation: Invocation, daemon: RunDaemon, time: CommandTime?, signals: SignalWait
  ) throws(Failure) {
    console = invocation.console
    self.daemon = daemon
    self.signals = signals
    environment = invocation.environment
    for (name, value) in try Env.variables(session, rootFolder: daemon.scratchPath) {
      environment[name] = value
    }
    if let own = ProgramFinder.ownDirectory {
      environment["PATH"] = environment.text("PATH").map { "\(own):\($0)" } ?? own
    }
    time?.apply(to: &environment, file: daemon.clockFile)
  }

  private var session: Session {
    Session(address: daemon.address, wait: .zero, format: .people)
  }

  /// Runs it to its end; its exit status.
  func run(_ words: [String]) throws(Failure) -> ExitCode {
    console.flush()
    let status = outcome(of: try start(words)).exitStatus
    if daemon.hasEnded() {
      console.error("renewctl: renewd ended while the command ran")
      for line in daemon.lastOutput { console.error(line) }
      return status == 0 ? .software : ExitCode(rawValue: status)
    }
    if status != 0 { drawTimelines() }
    return ExitCode(rawValue: status)
  }

  private func start(_ words: [String]) throws(Failure) -> ChildProcess {
    guard let path = ProgramFinder.command(words[0], environment) else {
      throw .own("CommandNotFound", ExitCode(rawValue: 127), "\(words[0]): not found")
    }
    let setup = ChildProcess.Setup(
      environment: environment.variables, signalMask: signals.childMask)
    do throws(SpawnError) {
      return try ChildProcess(words, path: path, setup)
    } catch {
      let status: Int32 = error.code == ENOENT ? 127 : 126
      throw .own("CommandNotStarted", ExitCode(rawValue: status), "\(words[0]): \(error.words)")
    }
  }

  /// Waits for its end; signals that ask to end are handed on.
  private func outcome(of command: ChildProcess) -> ChildProcess.Ending {
    while true {
      if let ending = command.ending() { return ending }
      // Each child's end is a signal; the pause is for one that came between the two looks.
      guard let arrived = signals.next(within: .seconds(1)) else { continue }
      if arrived.number != SIGCHLD, !arrived.isFromTerminal { command.send(arrived.number) }
    }
  }

  /// What the accounts went through, for whoever looks at a failed test.
  private func drawTimelines() {
    do throws(Failure) {
      let accounts = try accounts()
      for account in accounts.prefix(ControlLimits.failureTimelinesMax) {
        let story = try TimelineStory(of: account, until: nil, session: session)
        // Forgotten by a reset.
        if story.events.isEmpty { continue }
        console.error("")
        let drawing = TimelineDrawing(
          story, console, linesMax: ControlLimits.timelineLinesMax)
        for line in drawing.lines { console.error(line) }
      }
      let more = accounts.count - ControlLimits.failureTimelinesMax
      if more > 0 { console.error("\nand \(more) more accounts") }
    } catch {
      console.error("renewctl: no timelines: \(error.sentence)")
    }
  }

  /// The accounts in the order they were first seen.
  private func accounts() throws(Failure) -> [String] {
    let session = session
    var accounts: [String] = []
    var seen: Set<String> = []
    var next: Int64? = 1
    while let from = next {
      let page = try session.answer(.readLog(from: from))
      for account in page.events.compactMap(\.account) where seen.insert(account).inserted {
        accounts.append(account)
      }
      next = page.next
    }
    return accounts
  }
}
