import Engine
import EventLog
import Glibc

/// The daemon from its options to its end, in this order: options, lock and log, catalogues and
/// clock, sockets, ready, loop.
struct Daemon {
  let commandLine: CommandLineOptions
  let options: DaemonOptions
  let journal: Journal
  let authority: any SigningAuthority
  var manager = ServiceManager()

  /// Runs until the daemon is told to stop or cannot go on.
  ///
  /// - Throws: what is wrong with its configuration.
  static func run(
    _ commandLine: CommandLineOptions, _ journal: Journal, _ authority: any SigningAuthority
  ) throws(ConfigurationError) -> ExitStatus {
    prepareProcess()
    var daemon = Daemon(
      commandLine: commandLine, options: try DaemonOptions(commandLine), journal: journal,
      authority: authority)
    let directory = try StateDirectory(daemon.options)
    defer {
      daemon.manager.stopping()
      if let left = directory.removeIfEphemeral() {
        journal.send(Notice(.stopping, .warning, left))
      }
    }
    do throws(StartFailure) {
      return try daemon.run(in: directory)
    } catch {
      switch error {
      case .configuration(let error): throw error
      case .log(let error):
        let advice = Self.advice(on: error, directory.path)
        journal.sendLast(
          Notice(Self.kind(of: error), .error, "\(directory.path): \(error)\(advice)"))
        return Self.status(of: error)
      case .system(let error):
        journal.sendLast(Notice(.stopping, .error, "renewd cannot go on: \(error)"))
        return .fault
      }
    }
  }

  /// What can keep the daemon from running.
  enum StartFailure: Error {
    case configuration(ConfigurationError)
    case log(LogError)
    case system(SystemError)
  }

  /// Signals become events of the loop, or errors of the call that caused them: a client that
  /// has gone, a file that may grow no more. Threads made later inherit what is blocked.
  private static func prepareProcess() {
    signal(SIGPIPE, SIG_IGN)
    signal(SIGXFSZ, SIG_IGN)
    var signals = sigset_t()
    sigemptyset(&signals)
    for number in [SIGTERM, SIGINT, SIGHUP] { sigaddset(&signals, number) }
    pthread_sigmask(SIG_BLOCK, &signals, nil)
  }

  private static func kind(of error: LogError) -> NoticeKind {
    switch error {
    case .failed: .logFailed
    case .noSpace: .diskFull
    case .locked: .stopping
    case .damaged, .lost, .disk, .rejected, .newerFormat, .pointNotInLog, .noRecord:
      .logUnreadable
    }
  }

  /// What to do about a log that keeps the daemon from starting, as further sentences.
  private static func advice(on error: LogError, _ folder: String) -> String {
    switch error {
    case .damaged(let damage):
      "; the last good sequence is \(max(1, damage.sequence) - 1). Nothing was changed. Put the"
        + " file back from a copy of the folder; renewd log verify \(folder) says what is whole"
    case .lost(let loss):
      ". Nothing was changed. Put the segments after it back from a copy of the folder. Where there"
        + " is none, renewd log accept-loss \(folder) --up-to \(loss.lastSequence) lets renewd go"
        + " on from there"
    case .failed, .disk, .rejected, .newerFormat, .locked, .noSpace, .pointNotInLog, .noRecord: ""
    }
  }

  private static func status(of error: LogError) -> ExitStatus {
    switch error {
    case .damaged, .lost, .failed, .disk, .rejected, .newerFormat: .logDamaged
    case .locked, .noSpace: .tryLater
    case .pointNotInLog, .noRecord: .fault
    }
  }
}
