import CLinux
import Glibc
import Synchronization

/// A descriptor that wakes whoever polls or reads it (eventfd(2)): any number of signals before
/// it is taken are one.
final class Waker: Sendable {
  let descriptor: Int32

  /// - Parameter isBlocking: whether taking waits for a signal.
  init(isBlocking: Bool) throws(SystemError) {
    let flags = isBlocking ? EFD_CLOEXEC : EFD_CLOEXEC | EFD_NONBLOCK
    descriptor = eventfd(0, Int32(flags))
    guard descriptor >= 0 else { throw .last }
  }

  deinit { close(descriptor) }

  func signal() {
    // It can only fail when 2^64 - 2 signals have not been taken, and then one is there.
    _ = retrying { eventfd_write(descriptor, 1) }
  }

  /// Takes the signals so far; waits for one if the waker blocks.
  func take() {
    var count: eventfd_t = 0
    // On one that does not block, "would block" says that there was none.
    _ = retrying { eventfd_read(descriptor, &count) }
  }

  /// Waits for a signal, at most so long; whether one came.
  func wait(milliseconds: Int32) -> Bool {
    var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    guard retrying({ poll(&entry, 1, milliseconds) }) > 0 else { return false }
    take()
    return true
  }
}

/// What a thread is at, for the watchdog. The thread writes it, the loop reads it.
final class ThreadProgress: Sendable {
  /// When the job under way began, in milliseconds since boot; 0 while there is none.
  private let jobStart = Atomic<Int64>(0)
  private let finished = Atomic<UInt64>(0)
  private let jobMillisecondsMax: Int64

  /// - Parameter jobMillisecondsMax: how long one job counts as getting on with it.
  init(jobMillisecondsMax: Int64) {
    self.jobMillisecondsMax = jobMillisecondsMax
  }

  func begin() {
    jobStart.store(max(1, MachineClock.milliseconds(CLOCK_BOOTTIME)), ordering: .relaxed)
  }

  func end() {
    jobStart.store(0, ordering: .relaxed)
    finished.wrappingAdd(1, ordering: .relaxed)
  }

  /// Jobs done so far.
  var jobCount: UInt64 { finished.load(ordering: .relaxed) }

  /// Whether the thread waits for work, or has not been at one job for too long.
  func isAlive(at boottime: Int64) -> Bool {
    let start = jobStart.load(ordering: .relaxed)
    return start == 0 || boottime - start < jobMillisecondsMax
  }
}

/// Things handed from one thread to another, in their order.
final class Mailbox<Item: Sendable>: Sendable {
  private let items = Mutex<[Item]>([])

  func put(_ item: Item) {
    items.withLock { $0.append(item) }
  }

  /// Takes all there are.
  func takeAll() -> [Item] {
    items.withLock { items in
      guard !items.isEmpty else { return [] }
      let taken = items
      items = []
      return taken
    }
  }
}

/// Starts a thread that runs for as long as the process. Signals must be blocked by then: a
/// thread inherits that, and none of them is to be interrupted.
func startThread(_ body: @escaping @Sendable () -> Void) throws(SystemError) {
  let box = Unmanaged.passRetained(ThreadBody(body))
  var thread = pthread_t()
  let code = pthread_create(&thread, nil, runThread, box.toOpaque())
  guard code == 0 else {
    box.release()
    throw SystemError(code: code)
  }
  pthread_detach(thread)
}

private func runThread(_ raw: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
  guard let raw else { return nil }
  Unmanaged<ThreadBody>.fromOpaque(raw).takeRetainedValue().body()
  return nil
}

private final class ThreadBody: Sendable {
  let body: @Sendable () -> Void

  init(_ body: @escaping @Sendable () -> Void) {
    self.body = body
  }
}
