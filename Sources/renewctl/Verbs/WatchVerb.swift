import Client

/// `watch`: what happens, as it happens.
enum WatchVerb: Verb {
  static let description = VerbDescription(
    name: "watch", summary: "Print what happens, as it happens",
    operands: "[ACCOUNT]", operandCount: 0...1,
    options: [
      Option("since", "SEQUENCE", "events after this one; 0: from the first; else: from now on"),
      Option("count", "NUMBER", "end after so many events"),
      SignedLines.option,
    ],
    example: "renewctl watch u1 --since 0",
    notes: [
      "After a restart of the daemon it goes on where it was, if that is back within --wait.",
      "--json and --jsonl print every reply, heartbeats included, one a line.",
    ])

  static func run(_ invocation: Invocation) throws(Failure) -> ExitCode {
    let arguments = invocation.arguments
    let watch = WatchSession(
      address: invocation.session.address, account: arguments.operand(0),
      since: try arguments.integer("since"), signed: arguments.has("signed"),
      patience: invocation.session.wait)
    var left = try arguments.integer("count", least: 1) ?? .max
    while left > 0 {
      let item = try Failure.wrapping { () throws(ClientError) in try watch.next() }
      if case .event = item { left -= 1 }
      if invocation.isForPeople {
        if let text = line(item) { invocation.console.line(text) }
        invocation.console.lines(signed(item))
      } else if let reply = watch.lastReply {
        invocation.show(reply)
      }
      invocation.console.flush()
    }
    return .done
  }

  private static func signed(_ item: WatchItem) -> [String] {
    switch item {
    case .subscription(let line): SignedLines.of(line)
    case .event(let event): SignedLines.of(event)
    case .seam, .heartbeat: []
    }
  }

  private static func line(_ item: WatchItem) -> String? {
    switch item {
    case .subscription(let line):
      let account = line.account.map { "\($0) " } ?? ""
      let end = line.accessEnd.map { ", until \($0)" } ?? ""
      return "\(account)has \(line.transaction.productID), \(line.status.words)\(end)"
    case .seam(let sequence): return "that is the state at #\(sequence); from here on events"
    case .event(let event): return EventLine.text(event)
    case .heartbeat: return nil
    }
  }
}

/// An event as one line.
enum EventLine {
  static func text(_ event: Event) -> String {
    let account = event.account.map { "\($0)  " } ?? ""
    return "\(event.time)  #\(event.sequence)  \(account)\(event.sentence)"
  }
}
