/// What will happen to an account if nothing else does.
public struct Forecast: Sendable {
  public var events: [Event]
  /// The lines as they will stand, with their numbers, newest first. A line that begins in the
  /// forecast has a number that no line has yet.
  public var lines: [(number: LineNumber, line: Line)]
}

extension State {
  /// Follows an account's lines to `until`, and those of its family's purchaser with them,
  /// changing nothing.
  public func forecast(
    account: AccountNumber, until: Instant, policies: Policies
  ) throws(Rejection) -> Forecast {
    var course = ForecastCourse(self, account)
    while let index = course.earliest(until: until, policies.terms) {
      guard course.steps < Limits.forecastStepsMax else { throw .forecastTooFar }
      course.steps += 1
      let (number, line) = course.sources[index]
      guard let deadline = line.deadline(policies.terms) else { break }
      let event = due(
        deadline, line: line, number: number, id: course.nextID, policies: policies)
      course.take(event, at: index)
    }
    return course.forecast
  }
}

/// A forecast while it is made. Lines with deadlines are the account's own, or its purchaser's.
private struct ForecastCourse {
  private let state: State
  private let account: AccountNumber
  private(set) var forecast = Forecast(events: [], lines: [])
  /// The lines at which something falls due.
  private(set) var sources: [(number: LineNumber, line: Line)] = []
  /// What each of the account's lines that follows last came of, by its number.
  private var cameOf: [LineNumber: UInt64] = [:]
  private(set) var nextID: UInt64
  private var nextLine: LineNumber
  var steps = 0

  init(_ state: State, _ account: AccountNumber) {
    self.state = state
    self.account = account
    nextID = state.nextTransactionID
    nextLine = LineNumber(state.lines.count)
    state.forEachLine(of: account) { number, line in
      forecast.lines.append((number, copy line))
      sources.append((number, copy line))
    }
    guard let purchaser = state.families.purchaser(of: account) else { return }
    state.forEachLine(of: purchaser) { number, line in
      if line.origin == .store { sources.append((number, copy line)) }
    }
  }

  /// The line that is due first in the total order (time, kind, line).
  func earliest(until: Instant, _ terms: RenewalTerms) -> Int? {
    var best: (entry: DeadlineQueue.Entry, index: Int)?
    for index in sources.indices {
      guard let deadline = sources[index].line.deadline(terms),
        deadline.time <= until
      else { continue }
      let entry = DeadlineQueue.Entry(deadline, line: sources[index].number)
      if best == nil || entry < best!.entry { best = (entry, index) }
    }
    return best?.index
  }

  mutating func take(_ event: LineEvent, at index: Int) {
    sources[index].line.apply(event.kind, event.fact, at: event.at)
    if let id = event.fact.transaction?.id { nextID = max(nextID, id + 1) }
    guard event.fact.account != account else {
      forecast.events.append(Event(event))
      for own in forecast.lines.indices where forecast.lines[own].number == event.fact.line {
        forecast.lines[own].line = sources[index].line
      }
      return
    }
    follow(event, sources[index].line)
  }

  /// The account's line follows the purchaser's, or begins to.
  private mutating func follow(_ event: LineEvent, _ source: Line) {
    let number = event.fact.line
    var held = state.follower(of: number, for: account)
    if let known = held?.number ?? begun[number],
      let own = forecast.lines.first(where: { $0.number == known })
    {
      held = Follower(
        number: known, line: own.line,
        soldID: cameOf[known] ?? held?.soldID ?? 0)
    }
    guard
      let next = state.counterpart(
        source, number, event.kind, event.fact.notification, member: account, held: held,
        at: event.at, id: nextID, newLine: nextLine)
    else { return }
    let fact = next.fact
    if let own = forecast.lines.firstIndex(where: { $0.number == fact.line }) {
      forecast.lines[own].line.apply(next.kind, fact, at: event.at)
    } else if let transaction = fact.transaction, let renewal = fact.renewal {
      forecast.lines.insert(
        (
          fact.line,
          Line(
            account: account, group: fact.group, nextOfAccount: noNumber,
            transaction: transaction, renewal: renewal)
        ), at: 0)
      begun[number] = fact.line
      nextLine += 1
    }
    if let id = fact.transaction?.id {
      cameOf[fact.line] = source.transaction.soldID
      nextID = max(nextID, id + 1)
    }
    forecast.events.append(
      Event(at: event.at, clock: event.clock, fact: .line(next.kind, fact)))
  }

  /// The account's lines that began in the forecast, by the purchaser's that they follow.
  private var begun: [LineNumber: LineNumber] = [:]
}
