import JSON

/// Follows one watch of the whole log or of one account, through reconnections and restarts, and
/// holds it to its laws: ordered, each event once, none left out, exact at the seam.
struct WatchAuditor {
  /// The account that is watched; nil for all.
  let account: String?
  /// The last event seen, where the next connection goes on; nil before the first seam.
  private(set) var cursor: UInt64?
  /// Every event seen, by its sequence: a hash of its text.
  private(set) var seen: [UInt64: String] = [:]
  /// Where the watch began: nothing up to there is to come.
  private(set) var start: UInt64?
  private var isReplaying = false

  init(account: String?) {
    self.account = account
  }

  /// The parameters of the call that begins or resumes the watch.
  var parameters: JSONValue {
    var members: [(String, JSONValue)] = []
    if let account { members.append(("account", .string(account))) }
    if let cursor { members.append(("since", .int(Int64(cursor)))) }
    return .members(members)
  }

  /// A connection begins.
  mutating func begin() {
    isReplaying = cursor == nil
  }

  mutating func take(_ reply: Reply) throws(Violation) {
    if let error = reply.error { throw Violation("a watch was refused: \(error)") }
    guard let sequence = reply.int("sequence").map({ UInt64($0) }) else {
      throw Violation("a watch's reply has no sequence")
    }
    guard let event = reply["event"] else {
      if reply["subscription"] != nil {
        try Violation.unless(isReplaying, "the present state came after the seam")
        return
      }
      try takeCursor(sequence)
      return
    }
    try Violation.unless(!isReplaying, "event \(sequence) came before the seam")
    try Violation.unless(
      event["sequence"]?.int64Value == Int64(sequence), "a reply's sequence is not its event's")
    let last = cursor ?? 0
    try Violation.unless(
      sequence > last, "a watch saw event \(sequence) after \(last): not once and in order")
    if account == nil {
      try Violation.unless(
        sequence == last + 1, "a watch saw event \(sequence) after \(last): a gap")
    } else {
      try Violation.unless(
        event["account"]?.stringValue == account, "an account's watch saw another's event")
    }
    seen[sequence] = event.compactText
    cursor = sequence
  }

  /// A seam, a heartbeat or an end: only a sequence.
  private mutating func takeCursor(_ sequence: UInt64) throws(Violation) {
    let last = cursor ?? 0
    try Violation.unless(sequence >= last, "a watch's cursor went back from \(last) to \(sequence)")
    if isReplaying {
      isReplaying = false
      if start == nil { start = sequence }
    } else if account == nil {
      try Violation.unless(
        sequence == last, "a heartbeat at \(sequence) skipped events after \(last)")
    }
    cursor = sequence
  }

  /// Compares what was seen with the log: everything between the start and the cursor, as it is.
  func audit(against log: [LogEntry]) throws(Violation) {
    guard let start, let cursor else { return }
    for entry in log where entry.sequence > start && entry.sequence <= cursor {
      guard account == nil || entry.account == account else { continue }
      guard let text = seen[entry.sequence] else {
        throw Violation("a watch missed event \(entry.sequence), \(entry.kind)")
      }
      try Violation.unless(
        text == entry.text, "event \(entry.sequence) was \(text) and is \(entry.text)")
    }
  }
}

/// One event as `Log.Read` gives it.
struct LogEntry: Sendable {
  var sequence: UInt64
  var at: Int64
  var kind: String
  var clock: String
  var account: String?
  var originalID: String?
  var requestID: String?
  /// With whom an account shares, or shares no more.
  var member: String?
  var pendingID: String?
  /// The product of an event about one, its new price, and how many lines it reached and could
  /// not.
  var product: String?
  var price: Int64?
  var needsConsent: Bool?
  var reachedCount: Int64?
  var failedCount: Int64?
  var transaction: JSONValue?
  var renewal: JSONValue?
  var statusAfter: Int64?
  var notification: String?
  var subtype: String?
  var text: String

  init?(_ event: JSONValue) {
    guard let sequence = event["sequence"]?.int64Value, let at = event["at"]?.int64Value,
      let kind = event["kind"]?.stringValue, let clock = event["clock"]?.stringValue
    else { return nil }
    self.sequence = UInt64(sequence)
    self.at = at
    self.kind = kind
    self.clock = clock
    account = event["account"]?.stringValue
    originalID = event["originalTransactionId"]?.stringValue
    requestID = event["requestId"]?.stringValue
    member = event["member"]?.stringValue
    pendingID = event["pendingId"]?.stringValue
    product = event["productId"]?.stringValue
    price = event["price"]?.int64Value
    needsConsent = event["consent"]?.boolValue
    reachedCount = event["succeeded"]?.int64Value
    failedCount = event["failed"]?.int64Value
    transaction = event["transaction"]
    renewal = event["renewalInfo"]
    statusAfter = event["statusAfter"]?.int64Value
    notification = event["notificationType"]?.stringValue
    subtype = event["subtype"]?.stringValue
    text = event.compactText
  }
}
