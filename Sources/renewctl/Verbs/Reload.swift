import Client

/// `reload`: the configuration again.
enum Reload: Verb {
  static let description = VerbDescription(
    name: "reload", summary: "Have the daemon read its configuration again",
    example: "renewctl reload",
    notes: ["Returns when it is in force. A wrong one is refused, and the old one stays."])

  static func run(_ invocation: Invocation) throws(Failure) -> ExitCode {
    let answer: ReloadAnswer
    do throws(Failure) {
      answer = try invocation.fetch(.reload())
    } catch {
      throw configuration(error)
    }
    guard invocation.isForPeople else { return .done }
    let changed = answer.options.filter { $0.origin != "default" }
    var table = Table(["OPTION", "VALUE", "FROM"])
    for option in changed { table.add([option.name, option.value, option.origin]) }
    invocation.console.line("reloaded")
    invocation.console.table(table)
    return .done
  }

  /// A parameter that is wrong here stands in the configuration, not on the command line.
  private static func configuration(_ failure: Failure) -> Failure {
    guard case .invalidParameter = failure.reason else { return failure }
    var failure = failure
    failure.code = .configuration
    return failure
  }
}
