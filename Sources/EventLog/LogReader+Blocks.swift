/// A piece of the log in memory.
final class LogWindow {
  let position: UInt64
  let bytes: UnsafeMutableRawBufferPointer
  /// When it was last of use, counted in uses.
  var used: UInt64 = 0
  /// Positions of blocks in it that have been checked.
  var checked: Set<UInt64> = []

  init(position: UInt64, byteCount: Int) {
    self.position = position
    bytes = .allocate(byteCount: byteCount, alignment: 16)
  }

  deinit {
    bytes.deallocate()
  }

  /// The bytes from `start` to the end of the window; nil where it lies outside.
  func bytes(from start: UInt64) -> UnsafeRawBufferPointer? {
    guard start >= position, start - position < UInt64(bytes.count) else { return nil }
    return UnsafeRawBufferPointer(rebasing: bytes[Int(start - position)...])
  }
}

/// A checked block. Its bytes stay where they are until the next block is asked for.
struct LogBlock {
  var position: UInt64
  var header: BlockHeader
  var bytes: UnsafeRawBufferPointer
}

extension LogReader {
  /// The block that holds a record, which must be durable.
  func find(sequence: UInt64) throws(LogError) -> LogBlock {
    var (position, first) = start(before: sequence)
    while true {
      let block = try block(at: position, first)
      if block.header.lastSequence >= sequence { return block }
      first = block.header.lastSequence + 1
      position = try positionAfter(block)
    }
  }

  /// The nearest place at or before a record where a block is known to begin.
  private func start(before sequence: UInt64) -> (position: UInt64, firstSequence: UInt64) {
    let number = index.segments.partitioningIndex { $0.firstSequence > sequence }
    let segment = index.segments[max(0, number - 1)]
    if let entry = index.find(sequence: sequence), entry.position > segment.base {
      return (entry.position, entry.firstSequence)
    }
    return (firstBlock(of: segment), segment.firstSequence)
  }

  private func firstBlock(of segment: SegmentEntry) -> UInt64 {
    segment.base + UInt64(SegmentHeader.byteCount + FrameHeader.byteCount)
  }

  /// Where the next block begins; there must be one.
  func positionAfter(_ block: LogBlock) throws(LogError) -> UInt64 {
    let end = block.position + UInt64(block.header.blockByteCount)
    if block.header.blocksAfter > 0 { return end }
    if let number = index.segment(at: end), index.segments[number].base == end {
      return firstBlock(of: index.segments[number])
    }
    return end + UInt64(FrameHeader.byteCount)
  }

  /// The block at a position, checked, from memory where it is there.
  func block(at position: UInt64, _ firstSequence: UInt64) throws(LogError) -> LogBlock {
    uses += 1
    for window in windows {
      guard let bytes = window.bytes(from: position), bytes.count >= BlockHeader.byteCount
      else { continue }
      let byteCount = Int(BlockHeader(bytes).blockByteCount)
      guard byteCount <= bytes.count else { continue }
      window.used = uses
      return try check(bytes.part(0, byteCount), in: window, position, firstSequence)
    }
    let window = try load(position, firstSequence)
    guard let bytes = window.bytes(from: position) else {
      throw damage(position, firstSequence, "there is no block here")
    }
    let byteCount = Int(BlockHeader(bytes).blockByteCount)
    return try check(bytes.part(0, byteCount), in: window, position, firstSequence)
  }

  private func check(
    _ bytes: UnsafeRawBufferPointer, in window: LogWindow, _ position: UInt64,
    _ firstSequence: UInt64
  ) throws(LogError) -> LogBlock {
    guard bytes.count >= BlockHeader.byteCount else {
      throw damage(position, firstSequence, "there is no block here")
    }
    let header = BlockHeader(bytes)
    if !window.checked.contains(position) {
      let computed = BlockHeader.checksum(
        bytes, seed: frameReader.seed, frameReader.checksum)
      guard computed == header.checksum else {
        throw damage(position, firstSequence, "the block's checksum is wrong")
      }
      window.checked.insert(position)
    }
    guard header.firstSequence == firstSequence, header.recordCount > 0 else {
      throw damage(position, firstSequence, "the block holds other records")
    }
    return LogBlock(position: position, header: header, bytes: bytes)
  }

  /// Reads a window that begins with a block, and as much more as is durable in its segment.
  private func load(
    _ position: UInt64, _ firstSequence: UInt64
  ) throws(LogError) -> LogWindow {
    guard let number = index.segment(at: position), position < index.end.position else {
      throw .noRecord(sequence: firstSequence)
    }
    let segment = index.segments[number]
    let isLast = number == index.segments.count - 1
    let end = isLast ? index.end.position : index.segments[number + 1].base
    let left = Int(end - position)
    guard left >= BlockHeader.byteCount else {
      throw damage(position, firstSequence, "there is no block here")
    }
    let file = try file(of: segment)
    var window = try read(file, segment, position, min(left, Limits.windowByteCount))
    let byteCount = Int(BlockHeader(UnsafeRawBufferPointer(window.bytes)).blockByteCount)
    guard (BlockHeader.byteCount...left).contains(byteCount) else {
      throw damage(position, firstSequence, "the block's length is wrong")
    }
    if byteCount > window.bytes.count {
      window = try read(file, segment, position, byteCount)
    }
    if windows.count >= Limits.windowCountMax,
      let oldest = windows.indices.min(by: { windows[$0].used < windows[$1].used })
    {
      windows.remove(at: oldest)
    }
    window.used = uses
    windows.append(window)
    return window
  }

  private func read(
    _ file: DiskFile, _ segment: SegmentEntry, _ position: UInt64, _ byteCount: Int
  ) throws(LogError) -> LogWindow {
    let window = LogWindow(position: position, byteCount: byteCount)
    let got = try reading { () throws(DiskError) in
      try disk.read(file, at: position - segment.base, into: window.bytes)
    }
    guard got == byteCount else {
      throw damage(position + UInt64(got), index.lastSequence, "the file is cut short")
    }
    return window
  }

  private func file(of segment: SegmentEntry) throws(LogError) -> DiskFile {
    if let open, open.base == segment.base { return open.file }
    closeFile()
    let file = try reading { () throws(DiskError) in
      try disk.open(segment.fileName, for: .read)
    }
    open = (segment.base, file)
    return file
  }

  func damage(_ position: UInt64, _ sequence: UInt64, _ what: String) -> LogError {
    let number = index.segment(at: position)
    let segment = number.map { index.segments[$0] }
    return .damaged(
      LogDamage(
        file: segment?.fileName ?? "", offset: position - (segment?.base ?? 0),
        sequence: sequence, what: what))
  }
}
