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
  /// It ends a grace period or a retry of its subscription.
  var endsTrouble = false
  /// The subscription it is about.
  var originalID: String?
}

/// A stretch of time and what it was.
struct TimelineBar: Equatable {
  enum Kind: CaseIterable { case paid, grace, retry, refunded, forecast }

  var kind: Kind
  var start: Timestamp
  var end: Timestamp
  /// It begins with a change to another product, at once.
  var isUpgrade = false
}

extension TimelineStory {
  /// The lines in order: what happened, then what will.
  var rows: [TimelineRow] {
    var lines: [String: TimelineLine] = [:]
    var rows = events.map { event in
      var row = row(event)
      if let id = event.originalID, let text = lines[id, default: TimelineLine()].pass(event) {
        row.text = text + (event.isLate ? " (late)" : "")
        row.isRenewal = false
      }
      return row
    }
    closeTrouble(&rows)
    cutPeriods(&rows)
    return rows + comingRows
  }

  private func row(_ event: Event) -> TimelineRow {
    let isPeriod = event.beginsPeriod
    var row = TimelineRow(
      time: event.time, text: event.phrase + (event.isLate ? " (late)" : ""),
      place: "#\(event.sequence)", isRenewal: event.kind == .renewed,
      isBoundary: isPeriod || event.kind == .expired || event.kind == .revoked,
      endsTrouble: isPeriod || [.expired, .graceEnded, .revoked].contains(event.kind),
      originalID: event.originalID)
    if isPeriod { row.price = event.transaction?.paid?.description }
    let money = givenBack[event.sequence]
    if let money, money.kind == .proration {
      let amount = Money(
        milliunits: -(money.amount?.milliunits ?? 0), currency: money.amount?.currency ?? "")
      if amount.milliunits > 0 { row.text += ", \(amount) of \(money.productID) given back" }
    } else if let amount = money?.amount {
      row.price = amount.description
    }
    if isPeriod, let transaction = event.transaction {
      row.bar = period(transaction, .paid)
      row.bar?.isUpgrade = event.kind == .upgraded
    } else if event.kind == .refunded, let transaction = event.transaction {
      row.bar = period(transaction, .refunded)
    } else if event.kind == .refundReversed, let transaction = event.transaction {
      row.bar = period(transaction, .paid)
    } else if event.kind == .renewalExtended, let end = event.transaction?.expirationDate {
      row.bar = TimelineBar(kind: .paid, start: event.time, end: end)
    } else if event.kind == .renewalFailed || event.kind == .graceEnded {
      row.bar = trouble(event)
    }
    return row
  }

  /// The time a transaction is for: its period, or all time up to now for a lasting purchase.
  private func period(_ transaction: Transaction, _ kind: TimelineBar.Kind) -> TimelineBar? {
    let isLasting = transaction.productType == .nonConsumable
    let end = transaction.expirationDate ?? (isLasting ? status.asOf : nil)
    return end.map { TimelineBar(kind: kind, start: transaction.purchaseDate, end: $0) }
  }

  /// Grace up to its end, retry open-ended until `closeTrouble`.
  private func trouble(_ event: Event) -> TimelineBar {
    if event.statusAfter == .inGracePeriod,
      let end = event.renewalInfo?.gracePeriodExpirationDate
    {
      return TimelineBar(kind: .grace, start: event.time, end: end)
    }
    return TimelineBar(kind: .retry, start: event.time, end: event.time)
  }

  /// Grace and retry last until an event of the line ends them; else retry until now.
  private func closeTrouble(_ rows: inout [TimelineRow]) {
    for index in rows.indices {
      guard let bar = rows[index].bar, bar.kind == .grace || bar.kind == .retry else { continue }
      let next = rows[(index + 1)...].first {
        $0.endsTrouble && $0.originalID == rows[index].originalID
      }
      if let end = next?.time {
        rows[index].bar?.end = end
      } else if bar.kind == .retry {
        rows[index].bar?.end = status.asOf
      }
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
    var told: Set<String> = []
    var rows = forecast.map { transaction in
      // What is owed is charged at its own time, whenever the period that it pays for begins.
      let line = status.subscriptions.first { $0.originalID == transaction.originalID }
      let again = line.flatMap { outlook.retry(of: $0) }
      let isFirst = told.insert(transaction.originalID).inserted
      return TimelineRow(
        time: isFirst ? again ?? transaction.purchaseDate : transaction.purchaseDate,
        text: isFirst && again != nil
          ? "will be charged again: \(transaction.productID)" : coming(transaction),
        price: transaction.paid?.description, bar: period(transaction, .forecast))
    }
    for line in status.subscriptions {
      guard let text = ending(line), let end = line.nextDue ?? line.accessEnd else { continue }
      rows.append(TimelineRow(time: end, text: "\(text): \(line.transaction.productID)"))
    }
    rows += (ahead?.subscriptions ?? []).compactMap(endAhead)
    return rows.sorted { ($0.time?.milliseconds ?? 0) < ($1.time?.milliseconds ?? 0) }
  }

  /// A renewal to come; of another product where the plan changes.
  private func coming(_ transaction: Transaction) -> String {
    let line = status.subscriptions.first { $0.originalID == transaction.originalID }
    let isChange =
      line.map {
        $0.transaction.productID != transaction.productID
          && $0.transaction.expirationDate == transaction.purchaseDate
      } ?? false
    return "will \(isChange ? "change to" : "renew") \(transaction.productID)"
  }

  /// How a subscription that is to renew will not, at the end of the forecast's last period.
  private func endAhead(_ line: Subscription) -> TimelineRow? {
    guard let now = status.subscriptions.first(where: { $0.originalID == line.originalID }),
      now.isEntitled || now.isPending, ending(now) == nil,
      let end = line.transaction.expirationDate
    else { return nil }
    let time = end.later(now.renewalDelay)
    let product = line.transaction.productID
    let reason = line.expirationReason
    if line.status == .inGracePeriod || line.status == .inBillingRetryPeriod || reason == 2 {
      let grace = line.graceEnd.map { ", in grace until \($0)" }
      return TimelineRow(time: time, text: "payment will fail: \(product)\(grace ?? "")")
    }
    guard line.status == .expired, let reason else { return nil }
    // Where it renewed as often as it may, nobody cancelled it.
    let cause = reason == 1 ? "" : ", \(Words.expirationReason(reason))"
    return TimelineRow(time: time, text: "will end: \(product)\(cause)")
  }

  /// What will end a subscription by itself, or its grace period; nil where it will renew.
  private func ending(_ line: Subscription) -> String? {
    if outlook.retry(of: line) != nil { return nil }
    return switch line.status {
    case .inGracePeriod:
      "grace\(line.assumedGraceEnd == nil ? "" : ", of an assumed length,") will end unless paid"
    case .inBillingRetryPeriod: "will expire unless paid"
    case _ where line.isEntitled && line.renewalInfo?.priceIncreaseStatus == 0:
      endsAnyway(line) ? nil : "will end unless the price is agreed to"
    default: line.isEntitled ? ending(whetherOn: line.willAutoRenew) : nil
    }
  }

  private func ending(whetherOn renews: Bool?) -> String? {
    switch renews {
    case true: nil
    case false: "will end"
    default: "will end or renew, \(Words.renewalUnknown)"
    }
  }

  /// It will end at the end of its period though its higher price is agreed to.
  private func endsAnyway(_ line: Subscription) -> Bool {
    let later = ahead?.subscriptions.first { $0.originalID == line.originalID }
    guard let later, later.status == .expired, later.transaction.id == line.transaction.id
    else { return false }
    return later.expirationReason != 3
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
