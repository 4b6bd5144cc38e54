/// One file of a `MemoryDisk`: what programs see, and what would be left after a loss of power.
final class MemoryFile {
  /// What disks write as a whole or not at all.
  static let sectorByteCount = 512

  /// What reads return.
  private(set) var bytes: [UInt8] = []
  /// What has surely reached the disk.
  private(set) var durable: [UInt8] = []
  /// Sectors written since the last sync.
  private var dirty: Set<Int> = []
  /// Sectors whose sync has failed: the system takes them for written, though they may not be.
  private var doubtful: Set<Int> = []
  /// The file was shortened since the last sync.
  private var isShortened = false

  init(durable bytes: [UInt8] = []) {
    self.bytes = bytes
    durable = bytes
  }

  /// A file of its own with the same contents and the same fate before it.
  func copy() -> MemoryFile {
    let other = MemoryFile()
    other.bytes = bytes
    other.durable = durable
    other.dirty = dirty
    other.doubtful = doubtful
    other.isShortened = isShortened
    return other
  }

  func write(_ source: UnsafeRawBufferPointer, at offset: Int) {
    if source.isEmpty { return }
    let end = offset + source.count
    extend(to: end)
    bytes.withUnsafeMutableBytes { target in
      UnsafeMutableRawBufferPointer(rebasing: target[offset..<end]).copyMemory(from: source)
    }
    for sector in offset / Self.sectorByteCount...(end - 1) / Self.sectorByteCount {
      dirty.insert(sector)
      doubtful.remove(sector)
    }
  }

  func extend(to byteCount: Int) {
    if byteCount > bytes.count { bytes.appendZeros(byteCount - bytes.count) }
  }

  func shorten(to byteCount: Int) {
    guard byteCount < bytes.count else { return }
    bytes.removeLast(bytes.count - byteCount)
    isShortened = true
  }

  func sync() {
    if isShortened {
      let kept = doubtful.map { ($0, Self.sector($0, of: durable)) }
      durable = bytes
      for (sector, old) in kept { Self.store(old, sector, in: &durable) }
    } else {
      durable.appendZeros(bytes.count - durable.count)
      for sector in dirty { Self.store(Self.sector(sector, of: bytes), sector, in: &durable) }
    }
    dirty.removeAll()
    isShortened = false
  }

  /// A sync that failed: some sectors made it, and from now on the system forgets that any of
  /// the others was ever written.
  func failSync(_ random: inout SeededGenerator) {
    if isShortened { return }
    durable.appendZeros(bytes.count - durable.count)
    for sector in dirty.sorted() {
      if Bool.random(using: &random) {
        Self.store(Self.sector(sector, of: bytes), sector, in: &durable)
      } else {
        doubtful.insert(sector)
      }
    }
    dirty.removeAll()
  }

  /// Power is lost: each sector not surely on the disk is there or not.
  func losePower(_ random: inout SeededGenerator) {
    let atRisk = dirty.union(doubtful).sorted()
    if isShortened || bytes.count > durable.count, Bool.random(using: &random) {
      if bytes.count < durable.count { durable.removeLast(durable.count - bytes.count) }
      durable.appendZeros(bytes.count - durable.count)
    }
    // Writes reach disks in order, in any order, wholly, or not at all; try each way.
    let way = Int.random(in: 0..<4, using: &random)
    let first = Int.random(in: 0...atRisk.count, using: &random)
    for (number, sector) in atRisk.enumerated() {
      let isKept =
        switch way {
        case 0: false
        case 1: true
        case 2: number < first
        default: Bool.random(using: &random)
        }
      if isKept { Self.store(Self.sector(sector, of: bytes), sector, in: &durable) }
    }
    bytes = durable
    dirty.removeAll()
    doubtful.removeAll()
    isShortened = false
  }

  private static func sector(_ sector: Int, of bytes: [UInt8]) -> [UInt8] {
    let start = min(sector * sectorByteCount, bytes.count)
    return Array(bytes[start..<min(start + sectorByteCount, bytes.count)])
  }

  /// Stores as much of a sector as the file is long.
  private static func store(_ source: [UInt8], _ sector: Int, in bytes: inout [UInt8]) {
    let start = sector * sectorByteCount
    let count = min(source.count, bytes.count - start)
    guard count > 0 else { return }
    bytes.withUnsafeMutableBytes { target in
      source.withUnsafeBytes {
        UnsafeMutableRawBufferPointer(rebasing: target[start..<start + count])
          .copyMemory(from: $0.part(0, count))
      }
    }
  }
}
