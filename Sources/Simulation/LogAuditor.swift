import JSON

/// Walks over the whole log and holds it to the rules that must be true of every log, whatever was
/// asked: written from the list of invariants, not from the code.
struct LogAuditor {
  private let rules: ModelRules
  private var lines: [String: AuditedLine] = [:]
  private var requestIDs: [String: UInt64] = [:]
  private var transactionIDs: Set<UInt64> = []
  private var introductions: Set<String> = []
  private var last: UInt64 = 0
  private var clockTimes: [String: Int64] = [:]
  private var families = AuditedFamilies()
  private var sweeps = AuditedSweeps()
  private var withdrawn: Set<String> = []
  private var waiting: Set<String> = []

  private init(rules: ModelRules) {
    self.rules = rules
  }

  /// The kinds of event that signed facts bring.
  private static let told: Set = [
    "ingested", "linked", "unlinked", "statusPassed", "namesReported",
  ]

  /// The ends of what takes long.
  private static let ends: Set = [
    "advanced", "priceIncreaseCompleted", "massExtensionCompleted",
  ]

  static func audit(_ log: [LogEntry], rules: ModelRules) throws(Violation) {
    var auditor = LogAuditor(rules: rules)
    for entry in log { try auditor.take(entry) }
  }

  private mutating func take(_ entry: LogEntry) throws(Violation) {
    try Violation.unless(
      entry.sequence == last + 1, "the log goes from \(last) to \(entry.sequence)")
    last = entry.sequence
    if let requestID = entry.requestID {
      // What a request began and takes long is told again at its end.
      if let first = requestIDs[requestID], !Self.ends.contains(entry.kind) {
        throw Violation("request \(requestID) has effects at \(first) and \(entry.sequence)")
      }
      requestIDs[requestID] = entry.sequence
    }
    if entry.kind == "reset" {
      lines.removeAll()
      introductions.removeAll()
      families = AuditedFamilies()
      waiting = []
    }
    try takeWaiting(entry)
    try families.take(entry)
    try sweeps.take(entry, lines: lines)
    if entry.kind == "removedFromSale" { withdrawn.insert(entry.product ?? "") }
    if entry.kind == "catalogueImported" { withdrawn = [] }
    if ["advanced", "advanceStarted"].contains(entry.kind) {
      let before = clockTimes[entry.clock] ?? .min
      try Violation.unless(
        entry.at >= before, "clock \(entry.clock) went back to \(entry.at) at \(entry.sequence)")
      clockTimes[entry.clock] = entry.at
    }
    // What another store signed follows its rules, not this one's.
    guard !Self.told.contains(entry.kind) else { return }
    try takeTransaction(entry)
    guard let id = entry.originalID, entry.kind != "finished" else { return }
    guard entry.transaction?["expiresDate"] != nil || lines[id] != nil else { return }
    var line = lines[id] ?? AuditedLine(id: id)
    try sweeps.take(entry, of: line)
    try line.take(entry, rules: rules, withdrawn: withdrawn)
    if line.isShared {
      let sources = lines.values.filter {
        $0.account == families.purchasers[line.account] && $0.group == line.group && !$0.isShared
      }
      try line.auditSources(sources, entry, rules: rules)
    }
    lines[id] = line
    try auditGroup(of: line, entry)
  }

  /// A purchase that waits comes to one end.
  private mutating func takeWaiting(_ entry: LogEntry) throws(Violation) {
    guard let id = entry.pendingID else { return }
    let isNew = entry.kind == "purchasePending"
    try Violation.unless(
      waiting.contains(id) != isNew,
      "purchase \(id) waits \(isNew ? "twice" : "no more"), at \(entry.sequence)")
    if isNew { waiting.insert(id) } else { waiting.remove(id) }
  }

  private mutating func takeTransaction(_ entry: LogEntry) throws(Violation) {
    guard let transaction = entry.transaction,
      let id = transaction["transactionId"]?.stringValue.flatMap({ UInt64($0) })
    else { return }
    if ["purchased", "renewed", "recovered", "shared", "restored"].contains(entry.kind)
      || entry.kind == "upgraded" && transaction["isUpgraded"]?.boolValue == false
    {
      try Violation.unless(
        !transactionIDs.contains(id),
        "transaction \(id) was given out twice")
      transactionIDs.insert(id)
    } else {
      try Violation.unless(
        transactionIDs.contains(id), "\(entry.kind) is about a transaction never sold: \(id)")
    }
    if transaction["offerType"]?.int64Value == 1, entry.kind == "purchased" {
      let group = transaction["subscriptionGroupIdentifier"]?.stringValue ?? ""
      let key = "\(entry.account ?? "")/\(group)"
      try Violation.unless(
        introductions.insert(key).inserted, "a second introductory offer for \(key)")
    }
  }

  /// At most one subscription of a group is active in an account; a second one begins only where
  /// the first is in billing retry, and may live on beside it.
  private mutating func auditGroup(
    of line: AuditedLine, _ entry: LogEntry
  ) throws(Violation) {
    guard entry.kind == "purchased", line.isNew else { return }
    for (other, known) in lines
    where other != line.id && known.account == line.account && known.group == line.group
      && !known.isShared
    {
      guard known.status != 3, !known.wasBesideAnother else { continue }
      throw Violation(
        "\(line.account) has two lines in group \(line.group): \(line.id) and \(other), "
          + "of status \(known.status ?? 0), at \(entry.sequence)")
    }
    for (other, known) in lines where known.account == line.account && known.group == line.group {
      lines[other]?.wasBesideAnother = true
    }
  }
}
