/// The files of a log directory, sorted by what their names say.
struct LogDirectory {
  /// First sequences of the segments, ascending.
  private(set) var segments: [UInt64] = []
  /// Sequences of the snapshots, newest first.
  private(set) var snapshots: [UInt64] = []
  /// The highest sequence of the snapshots that were set aside; 0 where none was.
  private(set) var asideMax: UInt64 = 0
  /// Names of what was once set aside.
  private(set) var torn: Set<String> = []
  /// Names that mean nothing to the log, ascending.
  private(set) var unknown: [String] = []
  private var spares: [Int] = []
  private var temporaries: [String] = []

  init<D: Disk>(_ disk: D) throws(LogError) {
    let names = try reading { () throws(DiskError) in try disk.list() }
    for name in names.sorted() {
      switch LogNames.kind(of: name) {
      case .segment(let sequence): segments.append(sequence)
      case .snapshot(let sequence): snapshots.append(sequence)
      case .aside(let sequence): asideMax = max(asideMax, sequence)
      case .spare(let number): spares.append(number)
      case .temporary: temporaries.append(name)
      case .torn: torn.insert(name)
      case .lock: break
      case .unknown: unknown.append(name)
      }
    }
    snapshots.reverse()
  }

  /// Removes one spare segment, for what needs its space more; false where there is none.
  mutating func giveUpSpare<D: Disk>(_ disk: D) throws(DiskError) -> Bool {
    guard let number = spares.popLast() else { return false }
    try disk.remove(LogNames.spare(number))
    return true
  }

  /// Keeps the spare segments that can be used and removes the others, and what a crash left
  /// half made.
  func keepSpares<D: Disk>(_ disk: D, _ settings: LogSettings) throws(LogError) -> [Int] {
    try reading { () throws(DiskError) in
      for name in temporaries { try disk.remove(name) }
      var kept: [Int] = []
      for number in spares {
        let file = try disk.open(LogNames.spare(number), for: .read)
        let size = try disk.size(of: file)
        disk.close(file)
        let isWanted =
          (1...max(1, settings.spareCount)).contains(number) && settings.spareCount > 0
        if isWanted, size == UInt64(settings.segmentByteCount) {
          kept.append(number)
        } else {
          try disk.remove(LogNames.spare(number))
        }
      }
      return kept
    }
  }
}
