import Client

/// `log read`: the events.
enum LogRead: Verb {
  static let description = VerbDescription(
    name: "log read", summary: "Print the events of the log, one a line",
    options: [
      Option("from", "SEQUENCE", "from this one on (1)"),
      Option("count", "NUMBER", "at most so many; all if absent"),
      SignedLines.option,
    ],
    example: "renewctl log read --from 5 --count 12",
    notes: ["--jsonl prints one event a line; --json all of them as one reply."])

  static func run(_ invocation: Invocation) throws(Failure) -> ExitCode {
    let arguments = invocation.arguments
    var from = try arguments.integer("from") ?? 1
    var left = try arguments.integer("count", least: 1)
    var pages = Pages(member: "events", invocation)
    while true {
      let (reply, page) = try invocation.session.ask(
        .readLog(
          from: from, count: left.map { Int($0) }, signed: arguments.has("signed") ? true : nil))
      try pages.add(reply)
      if invocation.isForPeople {
        for event in page.events {
          invocation.console.line(EventLine.text(event))
          invocation.console.lines(SignedLines.of(event))
        }
      }
      left = left.map { $0 - Int64(page.events.count) }
      guard let next = page.next, left ?? 1 > 0 else { break }
      from = next
    }
    pages.finish()
    return .done
  }
}

/// `log describe`: how much there is.
enum LogDescribe: Verb {
  static let description = VerbDescription(
    name: "log describe", summary: "Say how long the log is and what it holds",
    example: "renewctl log describe")

  static func run(_ invocation: Invocation) throws(Failure) -> ExitCode {
    let log = try invocation.fetch(.describeLog())
    guard invocation.isForPeople else { return .done }
    invocation.console.lines([
      "role           \(log.role)", "sequence       #\(log.sequence)",
      "on disk        #\(log.durable)", "size           \(Words.bytes(log.bytes))",
      "segments       \(log.segments)", "accounts       \(log.accounts)",
      "subscriptions  \(log.subscriptions)",
    ])
    if let checked = log.checked { invocation.console.line("checked        to #\(checked)") }
    if let damage = log.damage { invocation.console.line("damaged        \(damage)") }
    guard let facts = log.facts else { return .done }
    invocation.console.lines([
      "signed facts   \(facts)", "duplicates     \(log.duplicates ?? 0) since the start",
      "unknown types  \(log.unknownNotifications ?? 0)", "nobody's       \(log.unlinked ?? 0)",
    ])
    return .done
  }
}

/// `log verify`: is it sound?
enum LogVerify: Verb {
  static let description = VerbDescription(
    name: "log verify", summary: "Check every byte of the log",
    example: "renewctl log verify", notes: ["Exit status 0: sound, 74: damaged."])

  static func run(_ invocation: Invocation) throws(Failure) -> ExitCode {
    let found = try invocation.fetch(.verifyLog())
    if invocation.isForPeople {
      let size =
        "\(Words.count(found.events, "event")) in \(Words.count(found.batches, "batch", "batches"))"
        + ", \(Words.count(found.segments, "segment")), \(Words.bytes(found.bytes))"
      invocation.console.line(found.damage.map { "damaged: \($0) (\(size))" } ?? "sound: \(size)")
    }
    return found.damage == nil ? .done : .damaged
  }
}
