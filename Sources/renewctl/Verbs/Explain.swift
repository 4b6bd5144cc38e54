import Client

/// `explain`: the account's story in sentences.
enum Explain: Verb {
  static let description = VerbDescription(
    name: "explain", summary: "Tell in sentences which events led to an account's state",
    operands: "ACCOUNT", operandCount: 1...1, example: "renewctl explain u1")

  static func run(_ invocation: Invocation) throws(Failure) -> ExitCode {
    let explanation = try invocation.fetch(.explain(account: invocation.operand(0)))
    guard invocation.isForPeople else { return .done }
    let console = invocation.console
    if explanation.lines.isEmpty {
      console.line("nothing is known of \(invocation.operand(0))")
    }
    for line in explanation.lines {
      // A sentence that sums several events up names them itself.
      let place = line.sequence.map { "#\($0)" }.flatMap { line.text.contains($0) ? nil : $0 }
      console.line(line.text + (place.map { console.styled("  \($0)", .dim) } ?? ""))
    }
    return .done
  }
}
