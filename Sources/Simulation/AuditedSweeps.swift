import JSON

/// What reaches every line that has a product, while the log's events go by: each of those lines
/// is told once, whatever crash comes in between, and no other is.
struct AuditedSweeps {
  private struct Sweep {
    var entry: LogEntry
    /// The lines that it has to reach.
    var meant: Set<String>
    var reached: Set<String> = []
    var failedCount: Int64 = 0
  }

  private var running: [Sweep] = []
  private static let kinds: Set = ["priceIncreased", "renewalExtended", "extensionFailed"]

  /// Takes an event that is about a product.
  mutating func take(_ entry: LogEntry, lines: [String: AuditedLine]) throws(Violation) {
    switch entry.kind {
    case "priceIncreaseAnnounced", "massExtensionStarted":
      let meant = lines.values.filter {
        entry.kind == "massExtensionStarted" ? $0.isExtended(entry) : $0.isDearer(entry)
      }
      running.append(Sweep(entry: entry, meant: Set(meant.map(\.id))))
    case "priceIncreaseCompleted", "massExtensionCompleted":
      guard let sweep = running.first else {
        throw Violation("a sweep ended that had not begun, at \(entry.sequence)")
      }
      running.removeFirst()
      try Violation.unless(
        sweep.reached == sweep.meant,
        "the sweep that ended at \(entry.sequence) reached \(sweep.reached.count) lines, and"
          + " \(sweep.meant.count) were meant")
      try Violation.unless(
        entry.failedCount == sweep.failedCount
          && entry.reachedCount == Int64(sweep.reached.count) - sweep.failedCount,
        "the sweep that ended at \(entry.sequence) counts \(entry.reachedCount ?? -1) lines")
    default: break
    }
  }

  /// Takes an event of a line, before the line does.
  mutating func take(_ entry: LogEntry, of line: AuditedLine) throws(Violation) {
    guard Self.kinds.contains(entry.kind), entry.requestID == nil, !line.isShared else {
      try Violation.unless(
        running.isEmpty || line.isShared,
        "\(line.id) changed while a sweep was under way, at \(entry.sequence)")
      return
    }
    guard !running.isEmpty else {
      throw Violation("\(line.id) was reached by no sweep, at \(entry.sequence)")
    }
    try Violation.unless(
      running[0].reached.insert(line.id).inserted,
      "\(line.id) was reached twice by one sweep, at \(entry.sequence)")
    if entry.kind == "extensionFailed" { running[0].failedCount += 1 }
  }
}
