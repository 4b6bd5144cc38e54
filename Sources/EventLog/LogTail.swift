/// What lies behind the last whole batch of the last segment.
struct LogTail {
  /// File offsets of bytes that belong to no batch; nil where there are none.
  private(set) var debris: Range<UInt64>?
  /// The end of the last byte that is not zero, marks included.
  private(set) var usedEnd: UInt64 = 0
  /// The tail mark is there and says what it should.
  private(set) var markIsRight = false
  /// It also says that the last batch is durable.
  private(set) var isClosed = false
  /// The last sequence of a batch whose mark is there while the batch is not.
  private(set) var unfinished: UInt64?
  /// What shows that the log went on: then this is damage, not a write that did not finish.
  private(set) var evidence: String?

  /// Looks through everything from `end`, the file offset behind the last whole batch.
  static func find<D: Disk>(
    _ disk: D, _ file: DiskFile, _ reader: FrameReader, base: UInt64, end: UInt64,
    segmentByteCount: UInt64, fileByteCount: UInt64, point: LogPoint
  ) throws(LogError) -> LogTail {
    var search = TailSearch(disk: disk, file: file, reader: reader, base: base, end: end)
    search.point = point
    var tail = LogTail()
    // In a segment without a batch there is nothing to mark.
    tail.markIsRight = end == UInt64(SegmentHeader.byteCount)
    tail.isClosed = tail.markIsRight
    try search.run(fileByteCount, &tail)
    tail.widen(end: end, segmentByteCount: segmentByteCount, fileByteCount: fileByteCount)
    return tail
  }

  /// Bytes in a file of another size than it was made with are foreign as a whole, zeros too.
  private mutating func widen(end: UInt64, segmentByteCount: UInt64, fileByteCount: UInt64) {
    if fileByteCount > segmentByteCount, fileByteCount > end {
      let surplus = max(segmentByteCount, end)
      debris = min(debris?.lowerBound ?? surplus, surplus)..<fileByteCount
      usedEnd = fileByteCount
    } else if debris != nil, fileByteCount < segmentByteCount {
      debris = end..<fileByteCount
    }
  }

  fileprivate mutating func add(_ bytes: Range<UInt64>) {
    usedEnd = max(usedEnd, bytes.upperBound)
    debris =
      min(
        debris?.lowerBound ?? bytes.lowerBound, bytes.lowerBound)..<max(
        debris?.upperBound ?? bytes.upperBound, bytes.upperBound)
  }

  fileprivate mutating func found(evidence text: String) {
    if evidence == nil { evidence = text }
  }

  /// Judges a mark against the end of the last whole batch, which in a segment without one is
  /// the end of its header.
  fileprivate mutating func judge(
    _ mark: TailMark, at offset: UInt64, base: UInt64, end: UInt64, _ point: LogPoint
  ) {
    usedEnd = max(usedEnd, offset + UInt64(TailMark.byteCount))
    let position = base + end
    if mark.frameEnd == position, mark.chain == point.chain, mark.lastSequence == point.sequence,
      offset == UInt64(TailMark.offset(forEnd: Int(end)))
    {
      markIsRight = true
      isClosed = mark.frameStart == mark.frameEnd
    } else if mark.frameStart > position || mark.frameEnd > position && mark.frameStart < position {
      found(evidence: "the mark at offset \(offset) tells of sequence \(mark.lastSequence)")
    } else if mark.frameStart == position {
      unfinished = mark.lastSequence
    }
    // Else the mark is one batch behind: the sector it is in was not written with the last.
  }
}

/// The search through the unused end of a segment.
private struct TailSearch<D: Disk> {
  let disk: D
  let file: DiskFile
  let reader: FrameReader
  let base: UInt64
  let end: UInt64
  var point = LogPoint(sequence: 0, position: 0, chain: 0)
  /// Up to here bytes have been judged.
  private var judged: UInt64 = 0

  init(disk: D, file: DiskFile, reader: FrameReader, base: UInt64, end: UInt64) {
    self.disk = disk
    self.file = file
    self.reader = reader
    self.base = base
    self.end = end
  }

  mutating func run(_ fileByteCount: UInt64, _ tail: inout LogTail) throws(LogError) {
    let buffer = StreamBuffer()
    var offset = end
    while offset < fileByteCount {
      let count = Int(min(UInt64(Limits.streamByteCount), fileByteCount - offset))
      try buffer.load(disk, file, at: offset, count: count, of: fileByteCount)
      try words(buffer.part(offset, count), at: offset, &tail)
      offset += UInt64(count)
    }
  }

  /// Goes through bytes eight at a time; nearly all of them are zeros.
  private mutating func words(
    _ bytes: UnsafeRawBufferPointer, at start: UInt64, _ tail: inout LogTail
  ) throws(LogError) {
    var index = 0
    let words = UnsafeRawBufferPointer(rebasing: bytes[0..<bytes.count / 8 * 8])
      .assumingMemoryBound(to: UInt64.self)
    while index < words.count {
      index = Self.skipZeros(words, from: index)
      if index == words.count { break }
      try judge(UInt64(littleEndian: words[index]), at: start + UInt64(index * 8), &tail)
      index += 1
    }
    index *= 8
    for last in index..<bytes.count where bytes[last] != 0 {
      tail.add(start + UInt64(last)..<start + UInt64(last) + 1)
    }
  }

  /// The index of the next word that is not zero, eight words a step where all are.
  private static func skipZeros(
    _ words: UnsafeBufferPointer<UInt64>, from start: Int
  ) -> Int {
    guard let base = words.baseAddress else { return 0 }
    var index = start
    let count = words.count
    while index &+ 8 <= count {
      let next = base + index
      let low = next[0] | next[1] | next[2] | next[3]
      let high = next[4] | next[5] | next[6] | next[7]
      if low | high != 0 { break }
      index &+= 8
    }
    while index < count, base[index] == 0 { index &+= 1 }
    return index
  }

  private mutating func judge(
    _ word: UInt64, at offset: UInt64, _ tail: inout LogTail
  ) throws(LogError) {
    guard offset >= judged else { return }
    let magic = UInt32(truncatingIfNeeded: word)
    if magic == TailMark.magic, offset % UInt64(Limits.sectorByteCount) == 0 {
      let bytes = try look(at: offset, TailMark.byteCount)
      let mark = bytes.withUnsafeBytes { TailMark($0, seed: reader.seed, reader.checksum) }
      if let mark {
        tail.judge(mark, at: offset, base: base, end: end, point)
        judged = offset + UInt64(TailMark.byteCount)
        return
      }
    } else if magic == FrameHeader.magic, offset > end {
      let bytes = try look(at: offset, FrameHeader.byteCount)
      let header = bytes.withUnsafeBytes { FrameHeader($0, seed: reader.seed, reader.checksum) }
      if let header {
        tail.found(
          evidence: "sequence \(header.firstSequence) follows at offset \(offset)")
      }
    }
    tail.add(
      offset + UInt64(word.trailingZeroBitCount / 8)..<offset + 8
        - UInt64(word.leadingZeroBitCount / 8))
  }

  private func look(at offset: UInt64, _ count: Int) throws(LogError) -> [UInt8] {
    try reading { () throws(DiskError) in try disk.read(file, at: offset, count: count) }
  }
}
