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
