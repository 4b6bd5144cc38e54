/// `renewd log …`: reads a log that no daemon needs to run for. Nothing is changed.
enum LogCommand {
  static func run(_ words: [String]) -> ExitStatus {
    .usage
  }
}
