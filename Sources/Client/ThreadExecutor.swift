import CLinux
import Glibc
import Synchronization

/// A thread of its own for an actor, so that calls which block hold up none of the threads that
/// tasks share. The thread ends after `stop`.
final class ThreadExecutor: SerialExecutor {
  private struct Queue {
    var jobs: [UnownedJob] = []
    var isStopped = false
  }

  private let queue = Mutex(Queue())
  /// An eventfd that counts reasons to look at the queue.
  private let wake: Int32

  init() {
    wake = eventfd(0, Int32(EFD_CLOEXEC))
    precondition(wake >= 0, "no eventfd could be made: \(TransportError.text(of: errno))")
    var thread = pthread_t()
    let owner = Unmanaged.passRetained(self)
    let code = pthread_create(
      &thread, nil,
      { argument in
        Unmanaged<ThreadExecutor>.fromOpaque(argument!).takeRetainedValue().run()
        return nil
      }, owner.toOpaque())
    precondition(code == 0, "no thread could be made: \(TransportError.text(of: code))")
    pthread_detach(thread)
  }

  deinit {
    close(wake)
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let unowned = UnownedJob(job)
    queue.withLock { $0.jobs.append(unowned) }
    signal()
  }

  /// Lets the thread end once its queue is empty.
  func stop() {
    queue.withLock { $0.isStopped = true }
    signal()
  }

  private func signal() {
    var one: UInt64 = 1
    _ = write(wake, &one, MemoryLayout<UInt64>.size)
  }

  private func run() {
    while true {
      var count: UInt64 = 0
      // An interrupted wait only looks at the queue once more.
      _ = read(wake, &count, MemoryLayout<UInt64>.size)
      let (jobs, isStopped) = queue.withLock { queue in
        defer { queue.jobs = [] }
        return (queue.jobs, queue.isStopped)
      }
      for job in jobs { job.runSynchronously(on: asUnownedSerialExecutor()) }
      if isStopped, jobs.isEmpty { return }
      if isStopped { signal() }
    }
  }
}
