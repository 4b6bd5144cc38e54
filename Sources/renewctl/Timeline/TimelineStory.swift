import Client

/// What a timeline tells: an account's events and what will come.
struct TimelineStory {
  let status: MembershipStatus
  let outlook: Outlook
  private(set) var events: [Event] = []
  /// Transactions that will come if nothing else happens.
  private(set) var forecast: [Transaction] = []
  /// What was given back, and charged again, by the number of the event that did it. An upgrade
  /// may leave less of a price than was paid, so no transaction tells it.
  private(set) var givenBack: [Int64: LedgerEntry] = [:]
  /// The account at the end of the forecast, if nothing else happens.
  private(set) var ahead: MembershipStatus?
  /// The same as they came.
  private(set) var rawEvents: [JSONValue] = []
  private(set) var rawForecast: [JSONValue] = []

  /// Asks the daemon. `until` is how far the forecast goes; without it, to the next renewal.
  init(of account: String, until: Timestamp?, session: Session) throws(Failure) {
    status = try session.answer(.status(account: account))
    outlook = try Outlook(after: status, session)
    let told = try session.answer(.explain(account: account)).lines.compactMap(\.sequence)
    if let first = told.min(), let last = told.max() {
      let last = max(last, try Self.lastSequence(account, session))
      try readEvents(from: first, to: last, session)
    }
    try readLedger(session)
    for horizon in until.map({ [$0] }) ?? Self.nextRenewals(status, outlook)
    where horizon > status.asOf {
      do throws(Failure) {
        try readForecast(until: horizon, session)
        ahead = try session.answer(.status(account: account, at: horizon))
        break
      } catch {
        // Nobody asked for so much: a nearer one will do.
        guard until == nil, error.reason == .forecastTooFar else { throw error }
      }
    }
  }

  /// The account's last event, as the present state of its subscriptions tells it; 0 without any.
  /// An explanation sums up events that repeat, so its numbers may end before.
  private static func lastSequence(
    _ account: String, _ session: Session
  ) throws(Failure) -> Int64 {
    var stream = try session.stream(.watch(account: account))
    var last: Int64 = 0
    while let reply = try Failure.wrapping({ () throws(ClientError) in try stream.next() }),
      reply.subscription != nil
    {
      last = max(last, reply.sequence)
    }
    return last
  }

  /// Reads by a watch, which anyone who may read may do, up to the last event that is known: a
  /// watch itself has no end.
  private mutating func readEvents(
    from first: Int64, to last: Int64, _ session: Session
  ) throws(Failure) {
    var stream = try session.stream(.watch(account: status.account, since: first - 1))
    while let reply = try Failure.wrapping({ () throws(ClientError) in try stream.nextReply() }) {
      let (answer, parameters) = try Failure.wrapping { () throws(TransportError) in
        (try reply.answer(as: WatchReply.self), try reply.parameters())
      }
      // A heartbeat may stand beyond the last event.
      guard answer.event == nil || answer.sequence <= last else { return }
      if let event = answer.event, let raw = parameters["event"] {
        events.append(event)
        rawEvents.append(raw)
      }
      if answer.sequence >= last { return }
    }
  }

  private mutating func readLedger(_ session: Session) throws(Failure) {
    var from: Int64?
    repeat {
      let page = try session.answer(.ledger(account: status.account, from: from))
      for entry in page.entries where entry.kind != .charge {
        if let sequence = entry.sequence { givenBack[sequence] = entry }
      }
      from = page.next
    } while from != nil
  }

  private mutating func readForecast(
    until horizon: Timestamp, _ session: Session
  ) throws(Failure) {
    var from: String?
    repeat {
      let (reply, page) = try session.ask(
        .history(account: status.account, from: from, until: horizon))
      let raw = try Failure.wrapping { () throws(TransportError) in try reply.parameters() }
      for (transaction, value) in zip(
        page.transactions, raw["transactions"]?.arrayValue ?? [])
      where transaction.isForecast {
        forecast.append(transaction)
        rawForecast.append(value)
      }
      from = page.next
    } while from != nil
  }

  /// When each of the account's subscriptions renews next, the last of them first.
  private static func nextRenewals(
    _ status: MembershipStatus, _ outlook: Outlook
  ) -> [Timestamp] {
    status.subscriptions
      .filter {
        $0.willAutoRenew == true
          && ($0.isEntitled || $0.isPending || outlook.retry(of: $0) != nil)
      }
      .compactMap(\.renewalMoment).sorted(by: >)
  }
}
