import Subscriptions

/// Events on their way to the journal. They are told once they are durable, and no faster than
/// people can read them; the rest are counted, and are in the log.
struct JournalQueue {
  /// Events that are not durable yet, in their order.
  var waiting: [(sequence: UInt64, notice: Notice)] = []
  /// When the present second began, on the machine's clock, and the events it has had.
  var secondBegan: Int64 = 0
  var toldInSecond = 0
  /// Events that were only counted since the last that were told, and the newest of them.
  var counted = 0
  var countedLast: UInt64 = 0
}

extension Engine {
  /// An account's event is for the journal, as far as this second has room for it.
  func noteForJournal(
    _ kind: EventKind, of account: AccountNumber, at: Instant, clock: ClockNumber,
    sequence: UInt64, assumedGraceEnd: Instant? = nil
  ) {
    guard account != noNumber else { return }
    guard journal.toldInSecond < Limits.journalEventsPerSecond else {
      journal.counted += 1
      journal.countedLast = sequence
      return
    }
    journal.toldInSecond += 1
    let name = state.accounts.withKey(account) { String(decoding: $0, as: UTF8.self) }
    journal.waiting.append(
      (
        sequence,
        notice(
          "\(kind)", of: name, at: at, clock: clock, sequence: sequence,
          assumedGraceEnd: assumedGraceEnd)
      ))
  }

  private func notice(
    _ kind: String, of account: String, at: Instant, clock: ClockNumber, sequence: UInt64,
    assumedGraceEnd: Instant?
  ) -> Notice {
    let clock = state.clocks[Int(clock)].name
    var text = "\(account): \(kind), at \(at.rfc3339) on clock \(clock), #\(sequence)"
    var fields: [(name: String, value: String)] = [
      ("EVENT", kind), ("SEQUENCE", "\(sequence)"), ("ACCOUNT", account), ("CLOCK", clock),
    ]
    if let end = assumedGraceEnd {
      text += "; no end of its grace was told, so it is assumed to last until \(end.rfc3339)"
      fields.append(("ASSUMED_GRACE_END", end.rfc3339))
    }
    return Notice(.event, .info, text, fields: fields)
  }

  /// Tells what has become durable, and once a second how much was only counted.
  func tellJournal() {
    if let first = journal.waiting.first, first.sequence <= durable {
      let told = journal.waiting.prefix { $0.sequence <= durable }
      outputs.append(contentsOf: told.map { .notice($0.notice) })
      journal.waiting.removeFirst(told.count)
    }
    guard reading.realtime - journal.secondBegan >= 1_000 || reading.realtime < journal.secondBegan
    else { return }
    journal.secondBegan = reading.realtime
    journal.toldInSecond = 0
    guard journal.counted > 0, journal.countedLast <= durable else { return }
    let more = "\(journal.counted) more events, up to #\(journal.countedLast)"
    outputs.append(
      .notice(
        Notice(
          .eventsOmitted, .info, "\(more); renewctl log shows them",
          fields: [("SEQUENCE", "\(journal.countedLast)")])))
    journal.counted = 0
  }
}
