import JSON

/// Walks over the whole log and holds it to the rules that must be true of every log, whatever was
/// asked: written from the list of invariants, not from the code.
struct LogAuditor {
  /// What is known of one subscription while its events go by.
  private struct Line {
    var group = ""
    var account = ""
    var product = ""
    var end: Int64 = 0
    var isCancelled = false
    var isRevoked = false
    var isOver = false
    var transactionID: UInt64 = 0
    var renewedPeriods: Set<Int64> = []
  }

  private var lines: [String: Line] = [:]
  private var requestIDs: [String: UInt64] = [:]
  private var transactionIDs: Set<UInt64> = []
  private var introductions: Set<String> = []
  private var last: UInt64 = 0
  private var clockTimes: [String: Int64] = [:]

  static func audit(_ log: [LogEntry]) throws(Violation) {
    var auditor = LogAuditor()
    for entry in log { try auditor.take(entry) }
  }

  private mutating func take(_ entry: LogEntry) throws(Violation) {
    try Violation.unless(
      entry.sequence == last + 1, "the log goes from \(last) to \(entry.sequence)")
    last = entry.sequence
    if let requestID = entry.requestID {
      // An advance that a request began is told again at its end.
      if let first = requestIDs[requestID], entry.kind != "advanced" {
        throw Violation("request \(requestID) has effects at \(first) and \(entry.sequence)")
      }
      requestIDs[requestID] = entry.sequence
    }
    if entry.kind == "reset" {
      lines.removeAll()
      introductions.removeAll()
    }
    if ["advanced", "advanceStarted"].contains(entry.kind) {
      let before = clockTimes[entry.clock] ?? .min
      try Violation.unless(
        entry.at >= before, "clock \(entry.clock) went back to \(entry.at) at \(entry.sequence)")
      clockTimes[entry.clock] = entry.at
    }
    try takeTransaction(entry)
    guard let id = entry.originalID, entry.kind != "finished" else { return }
    if entry.transaction?["expiresDate"] != nil || lines[id] != nil { try takeLine(id, entry) }
  }

  private mutating func takeTransaction(_ entry: LogEntry) throws(Violation) {
    guard let transaction = entry.transaction,
      let id = transaction["transactionId"]?.stringValue.flatMap({ UInt64($0) })
    else { return }
    if entry.kind == "purchased" || entry.kind == "renewed" {
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

  private mutating func takeLine(_ id: String, _ entry: LogEntry) throws(Violation) {
    var line = lines[id] ?? Line()
    let transaction = entry.transaction
    let start = transaction?["purchaseDate"]?.int64Value ?? 0
    switch entry.kind {
    case "purchased":
      try Violation.unless(
        lines[id] == nil || line.isOver || line.isRevoked || line.end <= start,
        "\(id) was sold again while it was active, at \(entry.sequence)")
      line = Line()
    case "renewed":
      let isForced = entry.requestID != nil
      try Violation.unless(
        !line.isRevoked && !line.isOver, "\(id) was renewed after its end, at \(entry.sequence)")
      if !isForced {
        try Violation.unless(
          !line.isCancelled, "\(id) was renewed after a cancel, at \(entry.sequence)")
        try Violation.unless(
          start == line.end, "\(id)'s periods do not tile at \(entry.sequence)")
        try Violation.unless(
          line.renewedPeriods.insert(start).inserted,
          "\(id) was renewed twice for \(start), at \(entry.sequence)")
      }
      try Violation.unless(
        start == entry.at, "a renewal's time is not its deadline, at \(entry.sequence)")
    case "expired":
      try Violation.unless(!line.isRevoked && !line.isOver, "\(id) expired twice")
      line.isOver = true
    default: break
    }
    follow(&line, entry)
    lines[id] = line
    try auditGroup(of: line, id, entry)
  }

  private func follow(_ line: inout Line, _ entry: LogEntry) {
    if let account = entry.account { line.account = account }
    if let transaction = entry.transaction,
      let id = transaction["transactionId"]?.stringValue.flatMap({ UInt64($0) }),
      id >= line.transactionID
    {
      line.transactionID = id
      line.end = transaction["expiresDate"]?.int64Value ?? 0
      line.product = transaction["productId"]?.stringValue ?? ""
      line.group = transaction["subscriptionGroupIdentifier"]?.stringValue ?? ""
      line.isRevoked = transaction["revocationDate"] != nil
    }
    if let renewal = entry.renewal {
      line.isCancelled = renewal["autoRenewStatus"]?.int64Value == 0
      line.isOver = renewal["expirationIntent"] != nil
    }
  }

  /// At most one line of a group is active in an account.
  private func auditGroup(
    of line: Line, _ id: String, _ entry: LogEntry
  ) throws(Violation) {
    for (other, known) in lines
    where other != id && known.account == line.account && known.group == line.group {
      throw Violation("\(line.account) has two lines in group \(line.group): \(id) and \(other)")
    }
  }
}
