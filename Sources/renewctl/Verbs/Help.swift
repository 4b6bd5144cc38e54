/// `help`: the overview, or one verb.
enum Help: Verb {
  static let description = VerbDescription(
    name: "help", summary: "List the verbs, or explain one", operands: "[VERB]",
    operandCount: 0...2, example: "renewctl help clock create")

  static func run(_ invocation: Invocation) throws(Failure) -> ExitCode {
    let words = invocation.arguments.operands
    guard !words.isEmpty else {
      invocation.console.lines(VerbTable.overview)
      return .done
    }
    guard let (verb, rest) = try VerbTable.find(words), rest.isEmpty else {
      throw .usage("unknown verb \(words.joined(separator: " "))", "renewctl help lists the verbs.")
    }
    invocation.console.lines(verb.description.help)
    return .done
  }
}
