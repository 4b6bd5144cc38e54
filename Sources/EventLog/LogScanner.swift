/// Walks the segments of a log from a point to its end, checks everything on the way and hands
/// over the records. Only reads.
struct LogScanner<D: Disk> {
  let disk: D
  let checksum: Checksum

  /// The last segment, as found.
  struct Segment {
    var name: String
    var header: SegmentHeader
    var fileByteCount: UInt64

    /// Where its data must end at the latest, in bytes of the whole log. A file that has been
    /// shortened can hold less than it was made for.
    var dataEnd: UInt64 {
      let whole = min(header.segmentByteCount, fileByteCount)
      let sectors = Int(whole) / Limits.sectorByteCount * Limits.sectorByteCount
      return header.base + UInt64(max(0, LogSettings.capacity(ofSegment: sectors)))
    }
  }

  /// What a scan found.
  struct Outcome {
    /// Everything up to the end of the last whole batch.
    var index: LogIndex
    var lastSegment: Segment?
    var tail = LogTail()
    /// Where the last batch begins, in bytes of the whole log; nil when none was read in the
    /// last segment.
    var lastFrameStart: UInt64?
    /// Batches checked.
    var frameCount: UInt64 = 0
  }

  var outcome: Outcome
  let frameReader: FrameReader
  private let buffer = StreamBuffer()
  private var offsets: [Int] = []
  /// The end of the last whole batch.
  var point: LogPoint
  /// Nothing has been checked yet against the point the scan was told to start from.
  private var isStartUnproven: Bool
  /// Where the batches of the segment before ended, and what came there instead of one.
  var lastEnd: LogDamage?

  /// Begins with the header of a log's first segment.
  init(
    _ disk: D, _ checksum: @escaping Checksum, first: UInt64, from start: LogStart?
  ) throws(LogError) {
    let (segment, file) = try Self.openSegment(disk, checksum, first, nil)
    disk.close(file)
    self.init(disk: disk, checksum: checksum, identity: segment.header.identity, start: start)
    guard segment.header.base == 0, first == 1, segment.header.chain == frameReader.seed else {
      throw Self.damage(segment.name, 0, first, "the log before it is missing")
    }
  }

  init(
    disk: D, checksum: @escaping Checksum, identity: LogIdentity, start: LogStart?
  ) {
    self.disk = disk
    self.checksum = checksum
    let seed = identity.seed(checksum)
    frameReader = FrameReader(checksum: checksum, seed: seed)
    outcome = Outcome(index: LogIndex(identity: identity, chain: seed))
    point = start?.point ?? LogPoint(sequence: 0, position: 0, chain: seed)
    isStartUnproven = start != nil
    for block in start?.blocks ?? [] where block.position < point.position {
      outcome.index.append(block)
    }
  }

  /// Scans all segments. After a throw the outcome tells how far that went.
  mutating func scan(
    _ segments: [UInt64], upTo: UInt64? = nil, visit: (LogRecord) throws(LogError) -> Void
  ) throws(LogError) {
    defer { outcome.index.move(to: point) }
    var isEntered = false
    var skipped: Segment?
    for (number, sequence) in segments.enumerated() {
      let (segment, file) = try Self.openSegment(
        disk, checksum, sequence, outcome.index.identity)
      defer { disk.close(file) }
      if let skipped { try prove(skipped, isFollowedBy: segment) }
      skipped = nil
      outcome.index.append(
        SegmentEntry(firstSequence: sequence, base: segment.header.base))
      let isLast = number == segments.count - 1
      // Of segments wholly before the starting point only the ends are looked at.
      if !isLast, isStartUnproven, segments[number + 1] <= point.sequence {
        skipped = segment
        continue
      }
      var offset = try enter(segment, isFirst: !isEntered)
      isEntered = true
      outcome.lastSegment = segment
      outcome.lastFrameStart = nil
      let what = try frames(segment, file, &offset, upTo, visit)
      if let upTo, point.position >= upTo { break }
      lastEnd = LogDamage(
        file: segment.name, offset: offset, sequence: point.sequence + 1, what: what)
      if isLast { try finish(segment, file, offset, what) }
    }
  }

  /// Begins a segment: it must go on exactly where the one before ended.
  mutating func enter(
    _ segment: Segment, isFirst: Bool
  ) throws(LogError) -> UInt64 {
    let header = segment.header
    let start = UInt64(SegmentHeader.byteCount)
    if isFirst, isStartUnproven {
      guard point.position >= header.base + start, header.firstSequence <= point.sequence,
        point.position - header.base <= segment.fileByteCount, point.sequence < .max
      else {
        throw .pointNotInLog(sequence: point.sequence)
      }
      return point.position - header.base
    }
    guard header.base == point.position, header.chain == point.chain,
      header.firstSequence == point.sequence + 1
    else {
      if isStartUnproven { throw .pointNotInLog(sequence: point.sequence) }
      throw .damaged(
        try missing(after: outcome.lastSegment, before: segment) ?? lastEnd
          ?? LogDamage(
            file: segment.name, offset: 0, sequence: point.sequence + 1,
            what: "it does not begin where the log does"))
    }
    isStartUnproven = false
    return start
  }

  /// Checks and hands over the batches of a segment, and says what came where the next one
  /// would have been.
  mutating func frames(
    _ segment: Segment, _ file: DiskFile, _ offset: inout UInt64, _ upTo: UInt64?,
    _ visit: (LogRecord) throws(LogError) -> Void
  ) throws(LogError) -> String {
    buffer.forget()
    let size = segment.fileByteCount
    while upTo == nil || point.position < upTo! {
      guard offset <= size, size - offset >= UInt64(FrameHeader.byteCount) else {
        return "the file ends here"
      }
      try buffer.load(disk, file, at: offset, count: FrameHeader.byteCount, of: size)
      guard
        let header = FrameHeader(
          buffer.part(offset, FrameHeader.byteCount), seed: frameReader.seed, checksum)
      else { return "there is no batch here" }
      let byteCount = Int(header.frameByteCount)
      guard header.firstSequence == point.sequence + 1, header.recordCount > 0,
        header.blockCount > 0, byteCount >= FrameHeader.byteCount,
        byteCount % Limits.alignment == 0
      else { throw refusal(segment, offset, "the batch here is not the next one") }
      guard UInt64(byteCount) <= size - offset else { return "the batch here is cut short" }
      try buffer.load(disk, file, at: offset, count: byteCount, of: size)
      let frame = buffer.part(offset, byteCount)
      do throws(FrameReader.Fault) {
        try frameReader.blocks(of: frame, header, chain: point.chain, into: &offsets)
        isStartUnproven = false
        try records(of: frame, position: segment.header.base + offset, visit)
      } catch {
        switch error {
        case .checksum(let what): return "the batch here is damaged: \(what)"
        case .impossible(let what): throw refusal(segment, offset, "the batch here: \(what)")
        case .visitor(let error): throw error
        }
      }
      outcome.lastFrameStart = segment.header.base + offset
      offset += UInt64(byteCount)
      point = LogPoint(
        sequence: header.lastSequence, position: segment.header.base + offset,
        chain: header.chain)
      outcome.frameCount += 1
    }
    return ""
  }

  private mutating func records(
    of frame: UnsafeRawBufferPointer, position: UInt64,
    _ visit: (LogRecord) throws(LogError) -> Void
  ) throws(FrameReader.Fault) {
    for offset in offsets {
      let byteCount = Int(frame.number(offset) as UInt32)
      let block = frame.part(offset, byteCount)
      let header = BlockHeader(block)
      let place = position + UInt64(offset)
      outcome.index.append(
        BlockEntry(
          position: place, firstSequence: header.firstSequence, mark: header.context.mark))
      try frameReader.records(of: block, position: place, visit: visit)
    }
  }

  /// Looks at what follows the last batch of the last segment.
  private mutating func finish(
    _ segment: Segment, _ file: DiskFile, _ offset: UInt64, _ what: String
  ) throws(LogError) {
    let found = try LogTail.find(
      disk, file, frameReader, base: segment.header.base, end: offset,
      segmentByteCount: segment.header.segmentByteCount, fileByteCount: segment.fileByteCount,
      point: point)
    if isStartUnproven, !found.markIsRight {
      throw .pointNotInLog(sequence: point.sequence)
    }
    if let next = found.evidence {
      throw refusal(segment, offset, "\(what), but \(next)")
    }
    outcome.tail = found
  }

  private func refusal(_ segment: Segment, _ offset: UInt64, _ what: String) -> LogError {
    if isStartUnproven { return .pointNotInLog(sequence: point.sequence) }
    return Self.damage(segment.name, offset, point.sequence + 1, what)
  }

  /// Opens a segment and reads its header.
  static func openSegment(
    _ disk: D, _ checksum: Checksum, _ sequence: UInt64, _ identity: LogIdentity?
  ) throws(LogError) -> (Segment, DiskFile) {
    let name = LogNames.segment(sequence)
    let file = try reading { () throws(DiskError) in try disk.open(name, for: .read) }
    do throws(LogError) {
      return (try segment(disk, checksum, name, sequence, file, identity), file)
    } catch {
      disk.close(file)
      throw error
    }
  }

  private static func segment(
    _ disk: D, _ checksum: Checksum, _ name: String, _ sequence: UInt64, _ file: DiskFile,
    _ identity: LogIdentity?
  ) throws(LogError) -> Segment {
    let (bytes, size) = try reading { () throws(DiskError) in
      (
        try disk.read(file, at: 0, count: SegmentHeader.byteCount), try disk.size(of: file)
      )
    }
    let parsed = bytes.withUnsafeBytes { buffer in
      Result { () throws(SegmentHeader.Refusal) in try SegmentHeader(buffer, checksum) }
    }
    switch parsed {
    case .success(let header):
      guard header.firstSequence == sequence else {
        throw damage(name, 0, sequence, "its header belongs to another name")
      }
      guard identity == nil || identity == header.identity else {
        throw damage(name, 0, sequence, "it belongs to another log")
      }
      return Segment(name: name, header: header, fileByteCount: size)
    case .failure(.newerFormat(let version)):
      throw .newerFormat(file: name, version: version)
    case .failure(.damaged(let what)):
      throw damage(name, 0, sequence, what)
    }
  }

  private static func damage(
    _ file: String, _ offset: UInt64, _ sequence: UInt64, _ what: String
  ) -> LogError {
    .damaged(LogDamage(file: file, offset: offset, sequence: sequence, what: what))
  }
}
