import EventLog
import Synchronization

/// The thread that writes and syncs the log. It is given one batch after another; the sync under
/// way is the window in which the next batch fills. Between batches it keeps reserve segments
/// ready, on a full disk again and again until there is room.
final class WriterThread: Sendable {
  enum Report: Sendable {
    case written(BatchSummary, BatchReceipt)
    case failed(SealedBatch, LogError)
    /// How many segments are kept ready, and why others cannot be made, where that is so.
    case spares(Int, lack: DiskError?)
  }

  let progress = ThreadProgress(jobMillisecondsMax: Limits.writeMillisecondsMax)
  private let batches = Mailbox<SealedBatch>()
  private let reports = Mailbox<Report>()
  private let work: Waker
  private let loop: Waker

  /// - Parameter loop: signalled for each report.
  init(loop: Waker) throws(SystemError) {
    self.loop = loop
    work = try Waker(isBlocking: true)
  }

  /// Starts the thread, which owns the files from here on.
  func start(_ files: consuming LogFiles<FileDisk>, spareCount: Int) throws(SystemError) {
    let owned = Handover(files)
    try startThread { [self] in
      var files = owned.take()
      run(&files, spareCount: spareCount)
    }
  }

  /// Hands a batch over.
  func write(_ batch: SealedBatch) {
    batches.put(batch)
    work.signal()
  }

  /// What has been done since the last call.
  func takeReports() -> [Report] { reports.takeAll() }

  private func run(_ files: inout LogFiles<FileDisk>, spareCount: Int) {
    var canReplenish = true
    while true {
      if files.spareCount < spareCount, canReplenish {
        _ = work.wait(milliseconds: Limits.replenishMilliseconds)
      } else {
        work.take()
      }
      for batch in batches.takeAll() {
        progress.begin()
        report(perform(batch, &files))
        progress.end()
      }
      if files.spareCount < spareCount, canReplenish { canReplenish = replenish(&files) }
    }
  }

  private func perform(
    _ batch: SealedBatch, _ files: inout LogFiles<FileDisk>
  ) -> Report {
    do throws(LogError) {
      return .written(batch.summary, try files.perform(batch))
    } catch {
      return .failed(batch, error)
    }
  }

  /// Makes the reserve segments that are missing, as far as there is room.
  ///
  /// - Returns: false once the files take no more; the next batch says why.
  private func replenish(_ files: inout LogFiles<FileDisk>) -> Bool {
    progress.begin()
    defer { progress.end() }
    let before = (files.spareCount, files.spaceError)
    do throws(LogError) {
      let count = try files.replenish()
      if (count, files.spaceError) != before {
        report(.spares(count, lack: files.spaceError))
      }
      return true
    } catch {
      return false
    }
  }

  private func report(_ report: Report) {
    reports.put(report)
    loop.signal()
  }
}

/// Carries one value into the thread that will own it. Only that thread takes it, once, after
/// the one that made it has let go of it.
final class Handover<Value>: @unchecked Sendable {
  private var value: Value?

  init(_ value: consuming Value) {
    self.value = value
  }

  func take() -> Value {
    guard let taken = value else { preconditionFailure("it is taken once") }
    value = nil
    return taken
  }
}
