import Engine
import EventLog

/// The thread that reads the log for the engine: histories, watches that lag, verification,
/// snapshots. It answers in the order of the questions.
final class ReaderThread: Sendable {
  struct Report: Sendable {
    var id: ReadID
    var result: ReadResult
  }

  private enum Job: Sendable {
    case read(ReadID, ReadRequest)
    case extend(BatchSummary)
  }

  let progress = ThreadProgress(jobMillisecondsMax: Limits.readMillisecondsMax)
  private let jobs = Mailbox<Job>()
  private let reports = Mailbox<Report>()
  private let work: Waker
  private let loop: Waker

  /// - Parameter loop: signalled for each report.
  init(loop: Waker) throws(SystemError) {
    self.loop = loop
    work = try Waker(isBlocking: true)
  }

  /// Starts the thread, which owns the runner from here on.
  func start(_ runner: consuming ReadRunner<FileDisk>) throws(SystemError) {
    let owned = Handover(runner)
    try startThread { [self] in
      var runner = owned.take()
      while true {
        work.take()
        for job in jobs.takeAll() { perform(job, &runner) }
      }
    }
  }

  /// Asks a question; its report carries the same number.
  func read(_ id: ReadID, _ request: ReadRequest) {
    jobs.put(.read(id, request))
    work.signal()
  }

  /// Tells of a batch that has become durable. It need not wake the thread: the next question
  /// comes after it in the queue.
  func extend(_ batch: BatchSummary) {
    jobs.put(.extend(batch))
  }

  /// What has been found since the last call.
  func takeReports() -> [Report] { reports.takeAll() }

  private func perform(_ job: Job, _ runner: inout ReadRunner<FileDisk>) {
    switch job {
    case .extend(let batch):
      runner.extend(batch)
    case .read(let id, let request):
      progress.begin()
      let result = runner.run(request)
      progress.end()
      reports.put(Report(id: id, result: result))
      loop.signal()
    }
  }
}
