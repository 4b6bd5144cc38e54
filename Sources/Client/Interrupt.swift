import CLinux
import Glibc

/// Ends a connection's wait from another thread. Once triggered it stays so: every wait of every
/// connection that was made with it throws `.interrupted`.
public final class Interrupt: Sendable {
  /// An eventfd that is readable once triggered.
  let descriptor: Int32

  public init() throws(TransportError) {
    descriptor = eventfd(0, Int32(EFD_CLOEXEC) | Int32(EFD_NONBLOCK))
    guard descriptor >= 0 else { throw .system(call: "eventfd", code: errno) }
  }

  deinit {
    Glibc.close(descriptor)
  }

  /// Ends all waits, now and later. May be called from any thread and more than once.
  public func trigger() {
    var one: UInt64 = 1
    // The counter cannot overflow by a few triggers, so this cannot fail.
    _ = write(descriptor, &one, MemoryLayout<UInt64>.size)
  }

  /// Whether it was triggered; waits up to `pause` for that.
  func isTriggered(within pause: Duration = .zero) -> Bool {
    var polled = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return poll(&polled, 1, Poll.milliseconds(pause)) > 0
  }
}

/// Time as poll(2) takes it.
enum Poll {
  /// Rounded up, so that a short wait is a wait.
  static func milliseconds(_ duration: Duration) -> Int32 {
    let (seconds, attoseconds) = duration.components
    guard seconds >= 0, attoseconds >= 0 else { return 0 }
    guard seconds < Int64(Int32.max) / 1000 else { return Int32.max }
    let attosecondsInOne: Int64 = 1_000_000_000_000_000
    return Int32(seconds * 1000 + (attoseconds + attosecondsInOne - 1) / attosecondsInOne)
  }
}
