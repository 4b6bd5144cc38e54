import Client
import Glibc

/// `run`: a shop for the length of one command.
enum Run: Verb {
  static let description = VerbDescription(
    name: "run", summary: "Run a command with a daemon of its own",
    operands: "[--] COMMAND…", operandCount: 1...1,
    options: [
      Option(
        "catalog", "FILE", "an Xcode .storekit file (a small one)", isRepeated: true),
      Option("clock", "TIME", "accounts live by a test clock that starts then"),
      Option("time", nil, "the command's own \"now\" is the test clock's, too"),
      Option("state-directory", "DIR", "keep the log there; else it is gone at the end"),
    ] + DaemonOptions.passed,
    example: "renewctl run --clock 2025-01-31T10:00:00Z -- "
      + "sh -c 'renewctl buy u1 pro.monthly; renewctl advance 1y; renewctl history u1'",
    notes: [
      "The command finds the daemon by RENEWD_SOCKET and this renewctl in PATH. Its exit status "
        + "is passed on; if it fails, each account's timeline goes to standard error.",
      "A test clock does not move what the command itself takes for the present, Date() in Swift "
        + "or date in a shell. With --time it does: the command runs under libfaketime, and its "
        + "now is that of the clock default, stands still as that does, and goes where renewctl "
        + "advance goes. Waits and timers take the time they always take. Programs that are "
        + "linked statically, renewctl and renewd keep the machine's time.",
      "--socket PATH has the daemon listen there. The configuration of /etc/renewd is not read.",
    ],
    laterOptions: ["http", "webhook"], takesCommand: true)

  static func run(_ invocation: Invocation) throws(Failure) -> ExitCode {
    let command = invocation.arguments.operands
    guard !command.isEmpty else {
      throw .usage("run needs a command", "example: \(description.example)")
    }
    // What no clock may show the daemon refuses; what is no time is refused before it starts.
    _ = try invocation.arguments.time("clock")
    let time = invocation.arguments.has("time") ? try CommandTime(invocation.environment) : nil
    let signals = SignalWait()
    let scratch = try ScratchDirectory(invocation.environment)
    // Once more after the daemon did it, for a daemon that was never started.
    defer { scratch.remove() }
    let daemon = try RunDaemon(invocation, scratch: scratch, signals: signals)
    defer { daemon.stop() }
    if time != nil { try CommandTime.check(daemon.clockFile) }
    return try RunCommand(invocation, daemon: daemon, time: time, signals: signals).run(command)
  }
}

/// Options of `run` that are the daemon's and handed on.
enum DaemonOptions {
  static let passed = [
    Option("role", "ROLE", "the daemon's: store or record"),
    Option("bundle-id", "ID", "the daemon's: the app's bundle identifier"),
    Option("app-apple-id", "NUMBER", "the daemon's: the app's number at Apple"),
    Option("environment", "NAME", "the daemon's: Sandbox, Production, Xcode or LocalTesting"),
    Option("profile", "NAME", "the daemon's: xcode, sandbox or production"),
    Option("policy", "NAME=VALUE", "the daemon's: a rule that differs", isRepeated: true),
    Option("catalog-settings", nil, "the daemon's: let the file's own rates and faults apply"),
    Option("config", "FILE", "the daemon's: a configuration file"),
    Option("socket-mode", "MODE", "the daemon's: the socket's mode"),
    Option("socket-group", "GROUP", "the daemon's: the socket's group"),
    Option("root-certificate", "FILE", "the daemon's: whom to trust", isRepeated: true),
  ]

  /// The words that hand the options on.
  static func words(_ arguments: Arguments) -> [String] {
    passed.flatMap { option in
      arguments.all(option.name).flatMap { value in
        option.value == nil ? ["--\(option.name)"] : ["--\(option.name)", value]
      }
    }
  }
}
