import Glibc

/// Takes the signals that end or concern a run in as values: they are blocked and asked for.
final class SignalWait {
  /// A signal, and whether the terminal sent it, which then sent it to the command as well.
  struct Arrived {
    let number: Int32
    let isFromTerminal: Bool
  }

  /// The mask that children get: that of before, with these signals let through. Who starts this
  /// program from a thread that blocks them did not mean to make its command deaf.
  private(set) var childMask = sigset_t()
  private var previous = sigset_t()
  private var awaited = sigset_t()

  private static let endings = [SIGINT, SIGTERM, SIGHUP, SIGQUIT]
  /// `SI_KERNEL`, a macro of a kind that Swift does not import.
  private static let fromKernel: Int32 = 0x80

  init() {
    // A parent may have had it ignored, and then no child can be waited for.
    signal(SIGCHLD, SIG_DFL)
    sigemptyset(&awaited)
    for number in Self.endings + [SIGCHLD] { sigaddset(&awaited, number) }
    pthread_sigmask(SIG_BLOCK, &awaited, &previous)
    childMask = previous
    for number in Self.endings + [SIGCHLD] { sigdelset(&childMask, number) }
  }

  deinit {
    pthread_sigmask(SIG_SETMASK, &previous, nil)
  }

  /// The next signal; nil when none came within `pause`.
  func next(within pause: Duration) -> Arrived? {
    let (seconds, attoseconds) = pause.components
    var time = timespec(
      tv_sec: Int(seconds), tv_nsec: Int(attoseconds / 1_000_000_000))
    var info = siginfo_t()
    let number = sigtimedwait(&awaited, &info, &time)
    guard number > 0 else { return nil }
    return Arrived(number: number, isFromTerminal: info.si_code == Self.fromKernel)
  }

  /// A signal that asks to end, if one has come.
  func ending() -> Int32? {
    while let arrived = next(within: .zero) {
      if arrived.number != SIGCHLD { return arrived.number }
    }
    return nil
  }
}
