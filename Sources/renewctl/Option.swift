/// An option of a verb.
struct Option {
  /// The name without its dashes.
  let name: String
  /// The word for its value in the help; nil for an option that is only there or not.
  let value: String?
  /// What it does, one line.
  let help: String
  /// It may stand more than once.
  let isRepeated: Bool

  init(_ name: String, _ value: String? = nil, _ help: String, isRepeated: Bool = false) {
    self.name = name
    self.value = value
    self.help = help
    self.isRepeated = isRepeated
  }

  /// The options that every verb takes.
  static let global = [
    Option("socket", "PATH", "the daemon's socket ($RENEWD_SOCKET, /run/renewd/renewd.sock)"),
    Option("wait", "SECONDS", "wait so long for a starting daemon (5)"),
    Option("json", nil, "print the reply as it came"),
    Option("jsonl", nil, "print one reply a line"),
    Option("request-id", "ID", "a repeated request with this id is done once"),
    Option("help", nil, "explain the verb"),
  ]
}
