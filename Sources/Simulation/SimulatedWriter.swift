import Engine
import EventLog

/// The writer and the reader of a daemon without their threads: what they are given waits in a
/// queue, and is done when the world says so.
struct SimulatedWriter {
  var files: LogFiles<SimulatedDisk>
  let spareCount: Int
  private(set) var batch: SealedBatch?
  private var turnsLeft = 0
  private var canReplenish = true

  init(files: LogFiles<SimulatedDisk>, spareCount: Int) {
    self.files = files
    self.spareCount = spareCount
  }

  /// Nothing is under way, and no reserve segment is missing that there is room for.
  var isIdle: Bool {
    batch == nil && (files.spareCount >= spareCount || !canReplenish || files.spaceError != nil)
  }

  mutating func write(_ batch: SealedBatch, afterTurns turns: Int) {
    precondition(self.batch == nil, "at most one batch is under way")
    self.batch = batch
    turnsLeft = turns
  }

  enum Report {
    case written(BatchSummary, BatchReceipt)
    case failed(SealedBatch, LogError)
  }

  /// One turn passes; what is finished by then.
  mutating func step() -> Report? {
    guard let batch else { return nil }
    guard turnsLeft == 0 else {
      turnsLeft -= 1
      return nil
    }
    self.batch = nil
    return perform(batch)
  }

  mutating func perform(_ batch: SealedBatch) -> Report {
    do throws(LogError) {
      return .written(batch.summary, try files.perform(batch))
    } catch {
      return .failed(batch, error)
    }
  }

  /// Between batches: makes the reserve segments that are missing. The new count and why there
  /// are no more, if either changed.
  mutating func replenish() -> (count: Int, lack: DiskError?)? {
    guard batch == nil, canReplenish, files.spareCount < spareCount else { return nil }
    let before = (files.spareCount, files.spaceError)
    do throws(LogError) {
      let count = try files.replenish()
      return (count, files.spaceError) == before ? nil : (count, files.spaceError)
    } catch {
      // The files take no more; the next batch says why.
      canReplenish = false
      return nil
    }
  }
}

/// Answers in the order of the questions, as the reader's thread does.
struct SimulatedReader {
  enum Job {
    case read(ReadID, ReadRequest)
    case extend(BatchSummary)
  }

  var runner: ReadRunner<SimulatedDisk>
  private var jobs: [Job] = []
  private var turnsLeft = 0

  init(runner: ReadRunner<SimulatedDisk>) {
    self.runner = runner
  }

  var isIdle: Bool {
    !jobs.contains { if case .read = $0 { true } else { false } }
  }

  mutating func read(_ id: ReadID, _ request: ReadRequest, afterTurns turns: Int) {
    if jobs.isEmpty { turnsLeft = turns }
    jobs.append(.read(id, request))
  }

  mutating func extend(_ batch: BatchSummary) {
    jobs.append(.extend(batch))
  }

  /// One turn passes; what was found by then.
  mutating func step() -> [(ReadID, ReadResult)] {
    guard turnsLeft == 0 else {
      turnsLeft -= 1
      return []
    }
    var found: [(ReadID, ReadResult)] = []
    for job in jobs {
      switch job {
      case .read(let id, let request): found.append((id, runner.run(request)))
      case .extend(let batch): runner.extend(batch)
      }
    }
    jobs.removeAll(keepingCapacity: true)
    return found
  }
}
