import Client

/// `clock list`: the clocks there are.
enum ClockListVerb: Verb {
  static let description = VerbDescription(
    name: "clock list", summary: "List the clocks that accounts live by",
    example: "renewctl clock list")

  static func run(_ invocation: Invocation) throws(Failure) -> ExitCode {
    let list = try invocation.fetch(.clocks())
    guard invocation.isForPeople else { return .done }
    var table = Table(["CLOCK", "KIND", "NOW", "ACCOUNTS", "NEXT", "STATE"], right: ["ACCOUNTS"])
    for clock in list.clocks {
      table.add([
        clock.name, clock.kind.rawValue, clock.now.description, String(clock.accounts),
        clock.nextDue?.description,
        clock.isHeld
          ? "held: it jumped; see clock accept" : clock.target.map { "advancing to \($0)" },
      ])
    }
    invocation.console.table(table)
    return .done
  }
}

/// `clock create`: a test clock.
enum ClockCreate: Verb {
  static let description = VerbDescription(
    name: "clock create", summary: "Make a test clock that stands still until advanced",
    operands: "NAME TIME", operandCount: 2...2,
    example: "renewctl clock create leap 2024-01-31T10:00:00Z")

  static func run(_ invocation: Invocation) throws(Failure) -> ExitCode {
    let answer = try invocation.fetch(
      .createClock(
        name: invocation.operand(0), at: try Arguments.time(invocation.operand(1), of: "TIME"),
        requestID: invocation.requestID))
    if invocation.isForPeople {
      invocation.console.line("the clock \(answer.clock.name) stands at \(answer.clock.now)")
    }
    return .done
  }
}

/// `clock attach`: an account onto a clock.
enum ClockAttach: Verb {
  static let description = VerbDescription(
    name: "clock attach", summary: "Let an account live by another clock",
    operands: "ACCOUNT CLOCK", operandCount: 2...2, example: "renewctl clock attach u1 leap",
    notes: ["A family lives by one clock: with a member, or its purchaser, go all the others."])

  static func run(_ invocation: Invocation) throws(Failure) -> ExitCode {
    let (account, clock) = (invocation.operand(0), invocation.operand(1))
    let answer = try invocation.fetch(
      .attach(account: account, clock: clock, requestID: invocation.requestID))
    if invocation.isForPeople {
      invocation.console.line("\(account) lives by the clock \(clock), #\(answer.sequence)")
    }
    return .done
  }
}

/// `clock accept`: a held system clock goes on.
enum ClockAccept: Verb {
  static let description = VerbDescription(
    name: "clock accept", summary: "Believe the machine's clock after it jumped, and go on",
    operands: "[CLOCK]", operandCount: 0...1, example: "renewctl clock accept")

  static func run(_ invocation: Invocation) throws(Failure) -> ExitCode {
    let answer = try invocation.fetch(
      .acceptClock(name: invocation.arguments.operand(0) ?? "system"))
    if invocation.isForPeople {
      invocation.console.line("the clock \(answer.clock.name) goes on from \(answer.clock.now)")
    }
    return .done
  }
}
