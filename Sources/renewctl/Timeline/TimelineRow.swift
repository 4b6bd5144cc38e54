import Client

/// One line of a timeline.
struct TimelineRow {
  /// Nil where the line stands for several.
  var time: Timestamp?
  var text: String
  var price: String?
  var bar: TimelineBar?
  var place: String?
  var isRenewal = false
  /// It begins or ends a period of its subscription.
  var isBoundary = false
  /// The subscription it is about.
  var originalID: String?
}

/// A stretch of time and what it was.
struct TimelineBar: Equatable {
  enum Kind: CaseIterable { case paid, grace, retry, refunded, forecast }

  var kind: Kind
  var start: Timestamp
  var end: Timestamp
}

extension TimelineStory {
  /// The lines in order: what happened, then what will.
  var rows: [TimelineRow] {
    var rows = events.map(row)
    closeRetries(&rows)
    cutPeriods(&rows)
    return rows + comingRows
  }

  private func row(_ event: Event) -> TimelineRow {
    let isPeriod = event.kind == .purchased || event.kind == .renewed
    var row = TimelineRow(
      time: event.time, text: event.phrase + (event.isLate ? " (late)" : ""),
      place: "#\(event.sequence)", isRenewal: event.kind == .renewed,
      isBoundary: isPeriod || event.kind == .expired,
      originalID: event.originalID)
    if isPeriod || event.kind == .refunded { row.price = event.transaction?.money?.description }
    if isPeriod, let transaction = event.transaction {
      row.bar = period(transaction, .paid)
    } else if event.kind == .refunded, let transaction = event.transaction {
      row.price = row.price.map { "-\($0)" }
      if Words.part(transaction) != nil { row.price = nil }
      row.bar = period(transaction, .refunded)
    } else if event.kind == .renewalFailed {
      row.bar = failure(event)
    }
    return row
  }

  /// The time a transaction is for: its period, or all time up to now for a lasting purchase.
  private func period(_ transaction: Transaction, _ kind: TimelineBar.Kind) -> TimelineBar? {
    let isLasting = transaction.productType == .nonConsumable
    let end = transaction.expirationDate ?? (isLasting ? status.asOf : nil)
    return end.map { TimelineBar(kind: kind, start: transaction.purchaseDate, end: $0) }
  }

  /// Grace up to its end, retry open-ended until `closeRetries`.
  private func failure(_ event: Event) -> TimelineBar {
    if event.statusAfter == .inGracePeriod,
      let end = event.renewalInfo?.gracePeriodExpirationDate
    {
      return TimelineBar(kind: .grace, start: event.time, end: end)
    }
    return TimelineBar(kind: .retry, start: event.time, end: event.time)
  }

  /// Retry lasts until the line's next event, or until now.
  private func closeRetries(_ rows: inout [TimelineRow]) {
    for index in rows.indices where rows[index].bar?.kind == .retry {
      let next = rows[(index + 1)...].first { $0.originalID == rows[index].originalID }
      rows[index].bar?.end = next?.time ?? status.asOf
    }
  }

  /// A period that was ended early shows up to there.
  private func cutPeriods(_ rows: inout [TimelineRow]) {
    var ends: [String: Timestamp] = [:]
    for index in rows.indices.reversed() where rows[index].isBoundary {
      guard let line = rows[index].originalID, let time = rows[index].time else { continue }
      if let bar = rows[index].bar, let end = ends[line], end < bar.end {
        rows[index].bar?.end = max(bar.start, end)
      }
      ends[line] = rows[index].bar?.start ?? time
    }
  }

  private var comingRows: [TimelineRow] {
    var rows = forecast.map { transaction in
      TimelineRow(
        time: transaction.purchaseDate, text: "will renew \(transaction.productID)",
        price: transaction.money?.description, bar: period(transaction, .forecast))
    }
    for line in status.subscriptions
    where line.isEntitled && !line.renewalInfo.willAutoRenew {
      guard let end = line.accessEnd else { continue }
      rows.append(TimelineRow(time: end, text: "will end: \(line.transaction.productID)"))
    }
    return rows.sorted { ($0.time?.milliseconds ?? 0) < ($1.time?.milliseconds ?? 0) }
  }

  /// At most so many lines: the middle of runs of renewals becomes one, then the oldest go.
  static func folded(_ rows: [TimelineRow], linesMax: Int) -> [TimelineRow] {
    guard rows.count > linesMax else { return rows }
    var folded: [TimelineRow] = []
    var index = 0
    while index < rows.count {
      let run = rows[index...].prefix {
        $0.isRenewal && $0.originalID == rows[index].originalID
      }
      // First and last stay; one line for the rest gains only from two on.
      guard run.count > 3 else {
        folded.append(rows[index])
        index += 1
        continue
      }
      folded += [run.first!, oneRow(for: run.dropFirst().dropLast()), run.last!]
      index = run.endIndex
    }
    let excess = folded.count - linesMax
    guard excess > 0 else { return folded }
    let earlier = TimelineRow(text: "… \(Words.count(Int64(excess + 1), "earlier line"))")
    return [earlier] + folded.dropFirst(excess + 1)
  }

  private static func oneRow(for run: ArraySlice<TimelineRow>) -> TimelineRow {
    var row = TimelineRow(text: "… \(run.count) renewals", originalID: run.first?.originalID)
    if let first = run.first?.bar, let last = run.last?.bar {
      row.bar = TimelineBar(kind: .paid, start: first.start, end: last.end)
    }
    if let first = run.first?.place, let last = run.last?.place {
      row.place = "\(first) to \(last)"
    }
    return row
  }
}
