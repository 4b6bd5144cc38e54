/// The files a log is being written to: carries out sealed batches on a disk, keeps segments
/// ready. Belongs to one thread. It never syncs a file again after a failed sync, and does
/// nothing at all after a failed write or sync.
public struct LogFiles<D: Disk> {
  public let disk: D
  let settings: LogSettings
  private let lock: DiskFile
  private var current: DiskFile?
  private var failure: DiskError?
  /// Why the last attempt to make spare segments stopped early; nil when it did not.
  public private(set) var spaceError: DiskError?
  /// The spare segments kept ready, by number.
  private var spares: [Int]

  /// What the identity seeds the tail mark's checksum with.
  private let seed: UInt32
  /// Where the present tail mark is, and what it would say of a log that is closed; nil while
  /// the mark on disk says that already.
  private var closing: (offset: UInt64, end: LogPoint)?

  init(
    disk: D, settings: LogSettings, seed: UInt32, lock: DiskFile, current: DiskFile?,
    spares: [Int]
  ) {
    self.disk = disk
    self.seed = seed
    self.settings = settings
    self.lock = lock
    self.current = current
    self.spares = spares
  }

  /// Segments kept ready.
  public var spareCount: Int { spares.count }

  /// Makes one batch durable: its segment first where it begins one, then one write, one sync.
  ///
  /// - Throws: `LogError.noSpace` when a new segment cannot be made: nothing was written, and the
  ///   same batch may be tried again later. `LogError.failed` for everything else: final.
  public mutating func perform(_ batch: SealedBatch) throws(LogError) -> BatchReceipt {
    if let failure { throw .failed(failure) }
    if let segment = batch.newSegment { try begin(segment) }
    guard let current else { preconditionFailure("the first batch brings its segment") }
    do throws(DiskError) {
      try disk.write(current, at: batch.fileOffset, batch.bytes)
      try disk.syncData(current)
    } catch {
      throw fail(error)
    }
    closing = (
      batch.fileOffset + UInt64(batch.bytes.count - TailMark.byteCount), batch.summary.end
    )
    return BatchReceipt(lastSequence: batch.lastSequence, spareCount: spares.count)
  }

  /// Makes the spare segments that are missing. Call it when there is nothing better to do;
  /// on a full disk call it again from time to time.
  ///
  /// - Returns: how many are ready now, fewer than wanted when there is no space.
  public mutating func replenish() throws(LogError) -> Int {
    if let failure { throw .failed(failure) }
    spaceError = nil
    var number = 0
    while spares.count < settings.spareCount {
      number += 1
      if spares.contains(number) { continue }
      do throws(LogError) {
        try makeFile(LogNames.spare(number), byteCount: UInt64(settings.segmentByteCount))
      } catch {
        guard case .noSpace(let cause) = error else { throw error }
        spaceError = cause
        break
      }
      spares.append(number)
    }
    return spares.count
  }

  /// Ends writing: marks the last batch as durable, so that damage to it will be told from a
  /// write that did not finish, closes the files and gives up the lock. After a failure it only
  /// closes.
  public mutating func close() throws(LogError) {
    defer {
      if let current { disk.close(current) }
      current = nil
      disk.close(lock)
    }
    guard failure == nil, let closing, let current else { return }
    var bytes: [UInt8] = []
    TailMark(closing: closing.end).append(to: &bytes, seed: seed, settings.checksum)
    do throws(DiskError) {
      try disk.write(current, at: closing.offset, bytes)
      try disk.syncData(current)
    } catch {
      throw fail(error)
    }
  }

  /// Makes a preallocated file under its final name, durable with its directory entry. Where
  /// there is no space for it nothing is left behind, and it may be tried again: the log itself
  /// has not been touched. Everything else is final.
  private mutating func makeFile(_ name: String, byteCount: UInt64) throws(LogError) {
    let temporary = LogNames.spareTemporary
    let made: DiskFile
    do throws(DiskError) {
      made = try disk.open(temporary, for: .createExclusive)
    } catch {
      throw error.isNoSpace ? .noSpace(error) : fail(error)
    }
    do throws(DiskError) {
      defer { disk.close(made) }
      try disk.preallocate(made, byteCount: byteCount)
      try disk.syncData(made)
      try disk.rename(temporary, to: name)
    } catch {
      guard error.isNoSpace else { throw fail(error) }
      try removeTemporary()
      throw .noSpace(error)
    }
    do throws(DiskError) {
      try disk.syncDirectory()
    } catch {
      throw fail(error)
    }
  }

  private mutating func removeTemporary() throws(LogError) {
    do throws(DiskError) {
      try disk.remove(LogNames.spareTemporary)
    } catch {
      throw fail(error)
    }
  }

  /// Puts a segment in place, from a spare where one of its size is ready.
  private mutating func begin(_ segment: NewSegment) throws(LogError) {
    let name: String
    if segment.byteCount == UInt64(settings.segmentByteCount), let number = spares.last {
      name = LogNames.spare(number)
      spares.removeLast()
    } else {
      name = LogNames.spare(0)
      try makeFile(name, byteCount: segment.byteCount)
    }
    do throws(DiskError) {
      let file = try disk.open(name, for: .readWrite)
      try disk.write(file, at: 0, segment.header)
      try disk.syncData(file)
      try disk.rename(name, to: segment.fileName)
      try disk.syncDirectory()
      if let current { disk.close(current) }
      current = file
    } catch {
      throw fail(error)
    }
  }

  private mutating func fail(_ error: DiskError) -> LogError {
    failure = error
    return .failed(error)
  }
}
