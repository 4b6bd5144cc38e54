/// What the ends of neighbouring segments say of each other, so that one that is missing or cut
/// short is found without reading what is in them.
extension LogScanner {
  /// Makes certain that a segment is as long as the one after it says. Costs forty bytes of
  /// reading, its mark, and a walk through it only where the mark does not agree.
  ///
  /// - Throws: `damaged`, naming the file that is missing or too short. Other damage in the
  ///   segment is not looked for: it takes nothing from the segments behind it.
  func prove(_ segment: Segment, isFollowedBy next: Segment) throws(LogError) {
    let end = LogPoint(
      sequence: next.header.firstSequence - 1, position: next.header.base,
      chain: next.header.chain)
    guard end.sequence >= segment.header.firstSequence,
      end.position > segment.header.base + UInt64(SegmentHeader.byteCount)
    else {
      throw .damaged(
        LogDamage(
          file: next.name, offset: 0, sequence: next.header.firstSequence,
          what: "it does not begin behind \(segment.name)"))
    }
    let byteCount = end.position - segment.header.base
    if byteCount <= segment.fileByteCount, try isMarked(segment, at: end) { return }
    let reached = try reach(of: segment)
    // Only the mark is gone.
    if reached == end { return }
    if let missing = try missing(after: segment, at: reached, before: next) {
      throw .damaged(missing)
    }
    guard byteCount > segment.fileByteCount else { return }
    throw .damaged(
      LogDamage(
        file: segment.name, offset: segment.fileByteCount, sequence: reached.sequence + 1,
        what: "it has \(segment.fileByteCount) bytes, while \(next.name) says that it holds"
          + " \(byteCount)"))
  }

  /// What is missing between the segment that was walked through last and one that does not go on
  /// where that ended; nil where the first of them is not whole itself.
  func missing(after segment: Segment?, before next: Segment) throws(LogError) -> LogDamage? {
    guard let segment else { return nil }
    return try missing(after: segment, at: point, before: next)
  }

  private func missing(
    after segment: Segment, at end: LogPoint, before next: Segment
  ) throws(LogError) -> LogDamage? {
    guard end.sequence + 1 < next.header.firstSequence, try isMarked(segment, at: end) else {
      return nil
    }
    return LogDamage(
      file: LogNames.segment(end.sequence + 1), offset: 0, sequence: end.sequence + 1,
      what: "it is missing: \(segment.name), of \(segment.fileByteCount) bytes, ends at sequence"
        + " \(end.sequence), and \(next.name) begins at \(next.header.firstSequence)")
  }

  /// Whether a segment's mark says that its batches end at a point.
  private func isMarked(_ segment: Segment, at end: LogPoint) throws(LogError) -> Bool {
    guard end.position >= segment.header.base else { return false }
    let offset = TailMark.offset(forEnd: Int(end.position - segment.header.base))
    let bytes = try reading { () throws(DiskError) in
      let file = try disk.open(segment.name, for: .read)
      defer { disk.close(file) }
      return try disk.read(file, at: UInt64(offset), count: TailMark.byteCount)
    }
    let mark = bytes.withUnsafeBytes { TailMark($0, seed: frameReader.seed, checksum) }
    guard let mark else { return false }
    return mark.frameEnd == end.position && mark.lastSequence == end.sequence
      && mark.chain == end.chain
  }

  /// The end of the last whole batch of a segment, read from its beginning.
  private func reach(of segment: Segment) throws(LogError) -> LogPoint {
    var walk = LogScanner(
      disk: disk, checksum: checksum, identity: outcome.index.identity, start: nil)
    walk.point = LogPoint(
      sequence: segment.header.firstSequence - 1, position: segment.header.base,
      chain: segment.header.chain)
    let file = try reading { () throws(DiskError) in try disk.open(segment.name, for: .read) }
    defer { disk.close(file) }
    var offset = UInt64(SegmentHeader.byteCount)
    // A first batch begins behind the header, which counts in the log's positions.
    walk.point.position += offset
    do throws(LogError) {
      _ = try walk.frames(segment, file, &offset, nil) { _ in }
    } catch {
      guard case .damaged = error else { throw error }
    }
    return walk.point
  }
}
