/// What will happen to an account if nothing else does.
public struct Forecast: Sendable {
  public var events: [Event]
  /// The lines as they will stand, with their numbers, newest first.
  public var lines: [(number: LineNumber, line: Line)]
}

extension State {
  /// Follows an account's lines to `until`, changing nothing.
  public func forecast(
    account: AccountNumber, until: Instant, policies: Policies
  ) throws(Rejection) -> Forecast {
    var forecast = Forecast(events: [], lines: [])
    forEachLine(of: account) { number, line in forecast.lines.append((number, line)) }
    var id = nextTransactionID
    while let index = earliest(in: forecast.lines, until: until) {
      guard forecast.events.count < Limits.forecastStepsMax else { throw .forecastTooFar }
      let (number, line) = forecast.lines[index]
      guard let deadline = line.deadline else { break }
      let event = due(deadline, line: line, number: number, id: id, policies: policies)
      forecast.lines[index].line.apply(event.kind, event.fact, at: event.at)
      // An event may carry the current transaction too; a new one has the next id.
      if let transaction = event.fact.transaction { id = max(id, transaction.id + 1) }
      forecast.events.append(Event(event))
    }
    return forecast
  }

  private func earliest(
    in lines: [(number: LineNumber, line: Line)], until: Instant
  ) -> Int? {
    var best: Int?
    for index in lines.indices {
      guard let deadline = lines[index].line.deadline, deadline.time <= until else { continue }
      guard let known = best, let other = lines[known].line.deadline else {
        best = index
        continue
      }
      let isEarlier =
        (deadline.time, deadline.kind.rawValue, lines[index].number)
        < (other.time, other.kind.rawValue, lines[known].number)
      if isEarlier { best = index }
    }
    return best
  }
}
