/// Puts the end of a log right before it is written on: sets aside and cuts off what a write
/// that did not finish has left, and makes certain of the last batch. A process that was killed,
/// or whose sync failed, may have left that batch in the page cache only, where a sync alone
/// might find nothing to do: so it is written again, and synced, before anybody is told of it.
/// After a clean stop there is nothing to mend.
struct LogMender<D: Disk> {
  let disk: D
  let checksum: Checksum

  /// Opens the last segment for writing, mended.
  func mend(
    _ scan: LogScanner<D>.Outcome, _ segment: LogScanner<D>.Segment,
    _ directory: inout LogDirectory
  ) throws(LogError) -> (file: DiskFile, notices: [LogNotice]) {
    try reading { () throws(DiskError) in
      let file = try disk.open(segment.name, for: .readWrite)
      var notices: [LogNotice] = []
      let end = max(
        scan.index.end.position - min(scan.index.end.position, segment.header.base),
        UInt64(SegmentHeader.byteCount))
      if let debris = scan.tail.debris {
        let name = try setAside(debris, of: file, segment.name, &directory)
        notices.append(
          .tornTail(
            file: segment.name, offset: debris.lowerBound,
            byteCount: UInt64(debris.count), setAsideAs: name))
      }
      if let sequence = scan.tail.unfinished {
        notices.append(
          .unfinishedBatch(file: segment.name, offset: end, lastSequence: sequence))
      }
      if !scan.tail.isClosed || !notices.isEmpty {
        try cut(file, segment, end, scan.tail)
        try renew(file, segment, end, scan)
        try disk.syncData(file)
      }
      try disk.syncDirectory()
      return (file, notices)
    }
  }

  /// Copies bytes into a file of their own, durable before anything is cut. On a full disk the
  /// segments kept ready give up their space for it.
  private func setAside(
    _ debris: Range<UInt64>, of file: DiskFile, _ segment: String,
    _ directory: inout LogDirectory
  ) throws(DiskError) -> String {
    var number = 1
    while directory.torn.contains(LogNames.torn(segment, number)) { number += 1 }
    let name = LogNames.torn(segment, number)
    while true {
      do throws(DiskError) {
        try copy(debris, of: file, to: name)
        return name
      } catch {
        guard error.isNoSpace, try directory.giveUpSpare(disk) else { throw error }
        if error.operation != .create { try disk.remove(name) }
      }
    }
  }

  private func copy(
    _ debris: Range<UInt64>, of file: DiskFile, to name: String
  ) throws(DiskError) {
    let aside = try disk.open(name, for: .createExclusive)
    defer { disk.close(aside) }
    var offset = debris.lowerBound
    while offset < debris.upperBound {
      let count = Int(min(UInt64(Limits.streamByteCount), debris.upperBound - offset))
      let bytes = try disk.read(file, at: offset, count: count)
      try disk.write(aside, at: offset - debris.lowerBound, bytes)
      offset += UInt64(count)
    }
    try disk.syncData(aside)
    try disk.syncDirectory()
  }

  /// Makes zeros of everything behind the last batch.
  private func cut(
    _ file: DiskFile, _ segment: LogScanner<D>.Segment, _ end: UInt64, _ tail: LogTail
  ) throws(DiskError) {
    let whole = max(end, segment.header.segmentByteCount)
    if segment.fileByteCount > whole { try disk.truncate(file, byteCount: whole) }
    let used = min(tail.usedEnd, whole)
    var offset = end
    while offset < used {
      let count = Int(min(UInt64(Limits.streamByteCount), used - offset))
      try disk.write(file, at: offset, [UInt8](repeating: 0, count: count))
      offset += UInt64(count)
    }
  }

  /// Writes the last batch again, and behind it the mark that says that all is durable.
  private func renew(
    _ file: DiskFile, _ segment: LogScanner<D>.Segment, _ end: UInt64,
    _ scan: LogScanner<D>.Outcome
  ) throws(DiskError) {
    guard end > UInt64(SegmentHeader.byteCount) else { return }
    let start = scan.lastFrameStart.map { $0 - segment.header.base } ?? end
    var bytes = try disk.read(file, at: start, count: Int(end - start))
    let markOffset = TailMark.offset(forEnd: Int(end))
    bytes.appendZeros(markOffset - Int(end))
    let seed = scan.index.identity.seed(checksum)
    TailMark(closing: scan.index.end).append(to: &bytes, seed: seed, checksum)
    try disk.write(file, at: start, bytes)
  }
}
