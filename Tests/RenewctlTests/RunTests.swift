import Client
import Foundation
import Testing

@testable import renewctl

/// `run` as a process of its own, with a script in the daemon's place and a toy server at the
/// socket that the script is told to listen at.
@Suite("Run", .timeLimit(.minutes(10)))
struct RunTests {
  /// A folder with this build's `renewctl`, a script as `renewd`, and the run's temporary files.
  private final class Stage {
    let folder: URL
    let server: ToyServer

    init(daemon script: String, _ methods: [String: Harness.Handler] = [:]) throws {
      folder = FileManager.default.temporaryDirectory.appending(path: "rt-\(UUID().uuidString)")
      try FileManager.default.createDirectory(
        at: folder.appending(path: "tmp"), withIntermediateDirectories: true)
      let own = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
      let text = folder.appending(path: "script")
      try "#!/bin/sh\n\(script)\n".write(to: text, atomically: true, encoding: .utf8)
      // By another process: what this one has open for writing, a process that another test starts
      // has for a moment as well, and no program is run that somebody may still write to.
      let copying = try Process.run(
        URL(filePath: "/bin/sh"),
        arguments: [
          "-c", #"cp "$1" "$2/renewctl" && cp "$2/script" "$2/renewd" && chmod 755 "$2/renewd""#,
          "sh", own.appending(path: "renewctl").path, folder.path,
        ])
      copying.waitUntilExit()
      try #require(copying.terminationStatus == 0)
      var answers = methods
      answers["Describe"] =
        JSONValue.members([
          ("version", .string("1")), ("role", .string("store")),
          ("environment", .string("Sandbox")), ("bundleId", .string("com.example.it's")),
          ("status", .string("")), ("sequence", .int(9)), ("options", .array([])),
        ]).always
      answers["Trust"] = Samples.trust(bundleID: "com.example.it's").always
      server = try Harness(answers).server
    }

    deinit {
      server.stop()
      try? FileManager.default.removeItem(at: folder)
    }

    /// What the run left behind.
    var leftovers: [String] {
      (try? FileManager.default.contentsOfDirectory(
        atPath: folder.appending(path: "tmp").path)) ?? ["unreadable"]
    }

    func text(_ name: String) -> String? {
      try? String(contentsOf: folder.appending(path: name), encoding: .utf8)
    }

    func start(_ words: [String]) throws -> (Process, Pipe, Pipe) {
      let process = Process()
      process.executableURL = folder.appending(path: "renewctl")
      process.arguments = ["run", "--socket", server.address.text] + words
      process.environment = [
        "PATH": "/usr/bin:/bin", "TMPDIR": folder.appending(path: "tmp").path,
        "STAGE": folder.path, "NOTIFY_SOCKET": "/nowhere",
      ]
      let (output, errors) = (Pipe(), Pipe())
      process.standardOutput = output
      process.standardError = errors
      process.standardInput = FileHandle.nullDevice
      try process.run()
      return (process, output, errors)
    }

    func run(_ words: String...) throws -> Harness.Outcome {
      let (process, output, errors) = try start(words)
      let outputText = output.fileHandleForReading.readDataToEndOfFile()
      let errorText = errors.fileHandleForReading.readDataToEndOfFile()
      process.waitUntilExit()
      let isSignal = process.terminationReason == .uncaughtSignal
      return Harness.Outcome(
        status: process.terminationStatus + (isSignal ? 128 : 0),
        output: String(decoding: outputText, as: UTF8.self),
        errors: String(decoding: errorText, as: UTF8.self))
    }
  }

  /// Ready at once; ends when told to, and says so.
  private static let good = """
    echo "$@" > "$STAGE/words"; env > "$STAGE/environment"; echo $$ > "$STAGE/pid"
    trap 'echo ended > "$STAGE/ended"; exit 0' TERM
    touch "$TMPDIR/state"; echo READY=1 >&3; exec 3>&-
    while :; do sleep 0.01; done
    """

  @Test("the command finds the daemon and this renewctl, and the daemon is gone at the end")
  func success() throws {
    let stage = try Stage(daemon: Self.good)
    let outcome = try stage.run(
      "--clock", "2025-01-31", "--policy", "monthEnd=chained", "--bundle-id", "x", "--", "sh",
      "-c",
      "echo $RENEWD_SOCKET; echo $RENEWD_BUNDLE_ID; command -v renewctl; "
        + "test -s $RENEWD_ROOT_CA; echo $?; echo oops >&2")
    #expect(outcome.status == 0)
    #expect(
      outcome.lines == [
        stage.server.address.text, "com.example.it's",
        stage.folder.resolvingSymlinksInPath().appending(path: "renewctl").path, "0",
      ])
    #expect(outcome.errors == "oops\n")
    #expect(stage.text("ended") == "ended\n")
    #expect(stage.leftovers.isEmpty)
    #expect(
      stage.text("words") == "--socket \(stage.server.address) --ready-fd 3 --ephemeral "
        + "--catalog builtin: --clock 2025-01-31T00:00:00Z --config /dev/null --bundle-id x "
        + "--policy monthEnd=chained\n")
    #expect(stage.text("environment")?.contains("NOTIFY_SOCKET") == false)
  }

  @Test(
    "the command's exit status is passed on",
    arguments: [
      ("exit 3", 3), ("exit 255", 255), ("kill -KILL $$", 137), ("kill -TERM $$", 143),
    ] as [(String, Int32)])
  func status(script: String, status: Int32) throws {
    let stage = try Stage(
      daemon: Self.good,
      ["Read": JSONValue.members([("events", .array([]))]).always])
    #expect(try stage.run("sh", "-c", script).status == status)
    #expect(stage.leftovers.isEmpty)
  }

  @Test("a command that is not there or cannot be run is 127 or 126, as from a shell")
  func noCommand() throws {
    let stage = try Stage(daemon: Self.good)
    #expect(try stage.run("--", "no-such-command").status == 127)
    #expect(try stage.run("--", "/etc/passwd").status == 126)
    #expect(stage.text("ended") == "ended\n")
    #expect(stage.leftovers.isEmpty)
  }

  @Test("if the command fails, each account's timeline goes to standard error")
  func timelines() throws {
    let event = Samples.event(5, "purchased", also: [("transaction", Samples.transaction())])
    let line = JSONValue.members([
      ("sequence", .int(5)), ("at", .int(0)), ("text", .string("bought")),
    ])
    let stage = try Stage(
      daemon: Self.good,
      [
        "Read": JSONValue.members([("events", .array([event]))]).always,
        "Status": Samples.status().always,
        "Explain": JSONValue.members([("lines", .array([line]))]).always,
        "Watch": Samples.watched(event).always,
        "History": JSONValue.members([("transactions", .array([]))]).always,
      ])
    let outcome = try stage.run("--", "false")
    #expect(outcome.status == 1)
    #expect(outcome.output.isEmpty)
    #expect(outcome.errors.contains("u1 is entitled: pro.monthly"))
    #expect(outcome.errors.contains("bought pro.monthly"))
    #expect(outcome.errors.contains("#5"))
  }

  @Test("a daemon that does not start gives its exit status and its words")
  func noDaemon() throws {
    let stage = try Stage(daemon: "echo 'renewd: error: wrong key' >&2; exit 78")
    let outcome = try stage.run("--", "true")
    #expect(outcome.status == 78)
    #expect(outcome.errors.contains("renewd did not start (exit status 78)"))
    #expect(outcome.errors.contains("renewd: error: wrong key"))
    #expect(stage.leftovers.isEmpty)
  }

  @Test("a daemon that ends by itself while the command runs is our fault, and told")
  func lostDaemon() throws {
    let stage = try Stage(
      daemon: """
        echo $$ > "$STAGE/pid"; echo READY=1 >&3; exec 3>&-; echo 'out of luck' >&2; exit 1
        """)
    // It has ended and is not yet taken note of, which the run does once the command is over.
    let outcome = try stage.run(
      "--", "sh", "-c",
      "until grep -q '^State:.Z' /proc/$(cat \"$STAGE/pid\")/status; do sleep 0.01; done")
    #expect(outcome.status == 70)
    #expect(outcome.errors.contains("renewd ended while the command ran"))
    #expect(outcome.errors.contains("out of luck"))
  }

  @Test("a signal goes to the command, then the daemon ends and nothing is left")
  func signal() throws {
    let stage = try Stage(
      daemon: Self.good, ["Read": JSONValue.members([("events", .array([]))]).always])
    let (process, output, _) = try stage.start(["--", "sh", "-c", "echo on; exec sleep 60"])
    #expect(output.fileHandleForReading.availableData == Data("on\n".utf8))
    kill(process.processIdentifier, SIGTERM)
    process.waitUntilExit()
    #expect(process.terminationStatus == 143)
    #expect(stage.text("ended") == "ended\n")
    #expect(stage.leftovers.isEmpty)
  }

  @Test("even where the run is killed, the daemon ends and nothing is left")
  func killed() throws {
    let stage = try Stage(daemon: Self.good)
    let (process, output, _) = try stage.start(["--", "sh", "-c", "echo on; exec sleep 1"])
    #expect(output.fileHandleForReading.availableData == Data("on\n".utf8))
    kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
    let deadline = Date(timeIntervalSinceNow: 60)
    while !stage.leftovers.isEmpty, Date() < deadline { Thread.sleep(forTimeInterval: 0.02) }
    #expect(stage.text("ended") == "ended\n")
    #expect(stage.leftovers.isEmpty)
  }
}
