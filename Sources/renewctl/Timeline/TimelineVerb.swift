import Client

/// `timeline`: an account's life on one screen.
enum TimelineVerb: Verb {
  static let description = VerbDescription(
    name: "timeline", summary: "Draw an account's life: events, prices, paid and refunded time",
    operands: "ACCOUNT", operandCount: 1...1,
    options: [
      Option("until", "TIME", "with what will happen by then (up to the next renewal)"),
      Option("all", nil, "every line, however many"),
    ],
    example: "renewctl timeline u1 --until 2027-01-01",
    notes: [
      "What has not happened yet is dotted.",
      "--json prints the events and the forecast transactions, --jsonl one of them a line.",
    ])

  static func run(_ invocation: Invocation) throws(Failure) -> ExitCode {
    let story = try TimelineStory(
      of: invocation.operand(0), until: try invocation.arguments.time("until"),
      session: invocation.session)
    let console = invocation.console
    switch invocation.format {
    case .people:
      let linesMax =
        invocation.arguments.has("all") ? Int.max : ControlLimits.timelineLinesMax
      console.lines(TimelineDrawing(story, console, linesMax: linesMax).lines)
    case .json:
      console.line(
        JSONValue.members([
          ("account", .string(story.status.account)), ("events", .array(story.rawEvents)),
          ("forecast", .array(story.rawForecast)),
        ]).compactText)
    case .jsonLines:
      for value in story.rawEvents + story.rawForecast { console.line(value.compactText) }
    }
    return .done
  }
}
