import CLinux
import Client
import Glibc

/// The program: finds the verb, runs it, and turns a failure into a sentence and an exit status.
struct Program {
  /// What `version` says.
  static let version = RenewdVersion.current

  let console: Console
  let environment: Environment

  /// Runs the process's own command line and ends the process.
  static func main() -> Never {
    let hasReturned = clinux_return_to_machine_time(CommandLine.unsafeArgv) == 0
    let reason = String(cString: strerror(errno))
    let environment = Environment.ofProcess()
    let console = Console.standard(environment)
    guard hasReturned else {
      console.error("renewctl: cannot leave the time of the run around it: \(reason)")
      exit(ExitCode.software.rawValue)
    }
    let program = Program(console: console, environment: environment)
    exit(program.run(Array(CommandLine.arguments.dropFirst())))
  }

  /// Runs a command line without the program's name; the exit status.
  func run(_ words: [String]) -> Int32 {
    defer { console.flush() }
    do throws(Failure) {
      return try perform(words).rawValue
    } catch {
      report(error, asJSON: Self.wantsJSON(words))
      return error.code.rawValue
    }
  }

  private func perform(_ words: [String]) throws(Failure) -> ExitCode {
    if words.first == "--version" {
      console.line("renewctl \(Self.version)")
      return .done
    }
    guard let (verb, rest) = try VerbTable.find(words) else {
      console.lines(VerbTable.overview)
      return words.contains { ["help", "--help", "-h"].contains($0) } ? .done : .usage
    }
    let arguments = try Arguments(rest, verb.description)
    if arguments.has("help") {
      console.lines(verb.description.help)
      return .done
    }
    guard
      verb.description.operandCount.contains(arguments.operands.count)
        || verb.description.takesCommand
    else { throw Self.wrongCount(arguments.operands, verb.description) }
    let invocation = Invocation(
      arguments: arguments, session: try Session(arguments, environment), console: console,
      environment: environment)
    do throws(Failure) {
      return try verb.run(invocation)
    } catch {
      guard ["ACCOUNT", "TRANSACTION"].contains(where: verb.description.operands.contains) else {
        throw error
      }
      throw Self.advised(error, account: Self.account(arguments.operands, verb.description))
    }
  }

  /// The operand that names an account, where it is surely one.
  private static func account(_ operands: [String], _ verb: VerbDescription) -> String? {
    let isFirst = verb.operands.hasPrefix("ACCOUNT") || verb.operands.hasPrefix("[ACCOUNT")
    let place = isFirst ? 0 : 1
    // Operands that come after it, as the days of extend.
    let words = verb.operands.split(separator: " ")
    let after = words.drop { !$0.contains("ACCOUNT") }.dropFirst().count { !$0.hasPrefix("[") }
    guard verb.operands.contains("ACCOUNT"), operands.count > place + after,
      !TransactionIDs.isOne(operands[place])
    else { return nil }
    return operands[place]
  }

  /// A refusal by what an account has says where that can be read.
  private static func advised(_ failure: Failure, account: String?) -> Failure {
    guard let reason = failure.reason, reason.isByAccount, failure.details.isEmpty else {
      return failure
    }
    var failure = failure
    let verb = reason.exitCode == .notFound ? "status" : "explain"
    let what =
      verb == "status" ? "shows what the account has" : "tells how the account came to that"
    failure.details = ["renewctl \(verb) \(account ?? "ACCOUNT") \(what)."]
    return failure
  }

  private static func wrongCount(_ operands: [String], _ verb: VerbDescription) -> Failure {
    let tooFew = operands.count < verb.operandCount.lowerBound
    let what =
      tooFew
      ? "\(verb.name) needs \(verb.operands)"
      : "\(verb.name) does not know what \"\(operands[verb.operandCount.upperBound])\" means"
    return .usage(what, "example: \(verb.example)")
  }

  private func report(_ failure: Failure, asJSON: Bool) {
    guard !asJSON else { return console.error(failure.json.compactText) }
    console.error("renewctl: \(failure.sentence.printable)")
    for detail in failure.details { console.error(detail.printable) }
  }

  /// Asked before the words are parsed, since that may be what fails.
  private static func wantsJSON(_ words: [String]) -> Bool {
    words.prefix { $0 != "--" }.contains { $0 == "--json" || $0 == "--jsonl" }
  }
}
