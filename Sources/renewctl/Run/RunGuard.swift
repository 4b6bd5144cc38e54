import Glibc

/// Cleans up after a run that was killed: a shell that waits for this process's end of a pipe, and
/// if that closes without a word, ends the daemon and removes the run's folder. Nothing else could
/// do so, since a killed process does nothing more.
final class RunGuard {
  private let process: ChildProcess?
  private let pipeEnd: Int32

  /// A daemon that has not ended two seconds after it was asked to is stuck.
  private static let script = """
    trap '' HUP INT QUIT TERM
    read -r word && exit
    kill "$1" && sleep 2 && kill -KILL "$1"
    rm -rf "$2"
    """

  /// Watches over a daemon and a folder. Without a shell there is no guard, and a run that is not
  /// killed needs none.
  init(daemon: pid_t, folder: String, signals: SignalWait) {
    var ends: [Int32] = [-1, -1]
    let null = open("/dev/null", O_RDWR | O_CLOEXEC)
    guard null >= 0, pipe(&ends) == 0 else {
      process = nil
      pipeEnd = null
      return
    }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    let setup = ChildProcess.Setup(
      environment: ["PATH": "/usr/local/bin:/usr/bin:/bin"], signalMask: signals.childMask,
      descriptors: [(0, ends[0]), (1, null), (2, null)], hasOwnGroup: true)
    process = try? ChildProcess(
      ["sh", "-c", Self.script, "renewctl-guard", String(daemon), folder], path: "/bin/sh", setup)
    close(ends[0])
    close(null)
    pipeEnd = ends[1]
  }

  /// All is cleaned up: lets the shell go.
  func dismiss() {
    if process != nil {
      var word = UInt8(ascii: "\n")
      _ = write(pipeEnd, &word, 1)
    }
    close(pipeEnd)
    _ = process?.ending(waiting: true)
  }
}
