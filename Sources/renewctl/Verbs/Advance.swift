import Client

/// `advance`: time travel.
enum Advance: Verb {
  static let description = VerbDescription(
    name: "advance", summary: "Move a test clock forward and do all that falls due",
    operands: "SPAN|TIME", operandCount: 0...8,
    options: [
      Option("to", "TIME", "to a moment"),
      Option("clock", "NAME", "which clock (default)"),
      Option("events", nil, "print each event as it happens"),
    ],
    example: "renewctl advance 1y   # a year of renewals",
    notes: [
      "A span is written as 1y, 1month 3d, 36h, P1Y or PT36H; it is counted on the calendar.",
      "A clock never goes back: a time before its own is refused, and at its own nothing happens.",
      "With --events or --jsonl each event comes in a reply of its own, the last has the totals.",
    ])

  static func run(_ invocation: Invocation) throws(Failure) -> ExitCode {
    let call = try call(invocation)
    let console = invocation.console
    let streams = invocation.arguments.has("events") || invocation.format == .jsonLines
    let answer = streams ? try stream(call, invocation) : try wait(call, invocation)
    guard invocation.isForPeople else { return .done }
    let next = answer.clock.nextDue.map { "next due \($0)" } ?? "nothing else is due"
    let clock = "the clock \(answer.clock.name) is at \(answer.clock.now); \(next)"
    guard answer.events > 0 else {
      console.line("nothing fell due; \(clock)")
      return .done
    }
    let range = Words.range(answer.firstSequence, answer.lastSequence)
    console.line("\(Words.count(answer.events, "event")), \(range); \(clock)")
    return .done
  }

  private static func call(_ invocation: Invocation) throws(Failure) -> Call<AdvanceAnswer> {
    let arguments = invocation.arguments
    let clock = arguments.value("clock")
    // Spans have spaces that nobody likes to quote.
    let text = arguments.operands.joined(separator: " ")
    var target = try arguments.time("to")
    guard (target == nil) != text.isEmpty else {
      throw .usage("advance takes a span or a time, one of them", "example: renewctl advance 1y")
    }
    // No span has a hyphen in it.
    if text.hasPrefix("@") || text.contains("-") {
      target = try Arguments.time(text, of: "TIME")
    }
    if let target { return .advance(clock: clock, to: target, requestID: invocation.requestID) }
    return .advance(
      clock: clock, by: try Arguments.span(text), requestID: invocation.requestID)
  }

  /// Waits for the totals and draws meanwhile how far the clock is.
  private static func wait(
    _ call: Call<AdvanceAnswer>, _ invocation: Invocation
  ) throws(Failure) -> AdvanceAnswer {
    let console = invocation.console
    guard console.drawsProgress else { return try invocation.fetch(call) }
    defer { console.progress("") }
    let (reply, answer) = try invocation.session.ask(call, each: ControlLimits.progressPause) {
      () throws(Failure) in
      let clocks = try invocation.session.answer(.clocks()).clocks
      let name = invocation.arguments.value("clock") ?? "default"
      guard let clock = clocks.first(where: { $0.name == name }) else { return }
      let target = clock.target.map { " on the way to \($0)" } ?? ""
      console.progress("the clock \(name) is at \(clock.now)\(target)")
    }
    invocation.show(reply)
    return answer
  }

  private static func stream(
    _ call: Call<AdvanceAnswer>, _ invocation: Invocation
  ) throws(Failure) -> AdvanceAnswer {
    let console = invocation.console
    var stream = try invocation.session.stream(call)
    var last: AdvanceAnswer?
    while let reply = try Failure.wrapping({ () throws(ClientError) in try stream.nextReply() }) {
      invocation.show(reply)
      let answer: AdvanceAnswer = try Failure.wrapping { () throws(TransportError) in
        try reply.answer()
      }
      last = answer
      guard invocation.isForPeople, let event = answer.event else { continue }
      console.line(EventLine.text(event))
      console.flush()
    }
    guard let last else { throw .own("Protocol", .software, "the daemon gave no totals") }
    return last
  }
}
