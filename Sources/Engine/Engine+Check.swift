import EventLog
import Subscriptions

/// The slow check of all segments that runs once after the start. It is done in slices by the
/// reader, between the questions of others.
struct BackgroundCheck {
  /// When the next slice is due, milliseconds since the boot; nil before the first turn and after
  /// the last slice.
  var dueAt: Int64?
  var hasBegun = false
  /// The number of the slice under way.
  var question: ReadID?
  /// The last event found sound, once the check is at its end.
  var through: UInt64?
}

extension Engine {
  /// Asks for the next slice when it is time.
  func checkIfDue() {
    if !check.hasBegun {
      check.hasBegun = true
      // There is nothing to check in a log that begins now.
      if durable > 0 { check.dueAt = reading.boottime }
    }
    guard !isStopping, let dueAt = check.dueAt, dueAt <= reading.boottime else { return }
    check.dueAt = nil
    check.question = nextReadID
    outputs.append(.read(nextReadID, .check))
    nextReadID += 1
  }

  /// When the next slice is due, on the machine's clock.
  var nextCheck: Int64? {
    guard !isStopping, let dueAt = check.dueAt else { return nil }
    return reading.realtime + max(0, dueAt - reading.boottime)
  }

  /// A slice is done.
  func checkFinished(_ result: ReadResult) {
    check.question = nil
    switch result {
    case .checked(nil):
      check.dueAt = reading.boottime + Limits.checkPauseMilliseconds
    case .checked(let report?):
      check.through = report.events
      damage = report.firstDamage
      tell(report)
    case .failed(let error):
      damage = error.ofReading
      note(result)
    case .events, .verified, .snapshot:
      preconditionFailure("a check was asked for")
    }
  }

  private func tell(_ report: VerifyReport) {
    guard let damage = report.firstDamage else {
      outputs.append(
        .notice(
          Notice(
            .logChecked, .info,
            "the log was checked and is sound: events to \(report.events), segments:"
              + " \(report.segments)")))
      return
    }
    outputs.append(
      .notice(
        Notice(
          .logChecked, .error,
          "\(damage); the last good sequence before it is \(report.events). What is served from"
            + " memory goes on; put the file back from a copy of the folder")))
  }

  /// What an answer of the reader says of the log's health.
  func note(_ result: ReadResult) {
    switch result {
    case .verified(let report):
      damage = report.firstDamage
    case .failed(let error):
      if case .damaged(let found) = error { damage = found.description }
      outputs.append(.notice(Notice(.logUnreadable, .error, error.ofReading)))
    case .events, .snapshot, .checked: break
    }
  }
}

extension LogError {
  /// The error as one of the reader's, whose only writing is that of snapshots.
  var ofReading: String {
    guard case .disk(let error) = self else { return "the log cannot be read: \(self)" }
    switch error.operation {
    case .list, .open, .size, .read: return "the log cannot be read: \(error)"
    case .create, .write, .preallocate, .truncate, .sync, .syncDirectory, .rename, .remove, .lock:
      return "no snapshot can be written: \(error)"
    }
  }
}
