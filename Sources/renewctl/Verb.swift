import Client

/// A verb that has a file of its own; plain ones are rows of `PlainVerbs`.
protocol Verb: Sendable {
  static var description: VerbDescription { get }

  /// Does it. Answers for people or programs go to the invocation's console.
  static func run(_ invocation: Invocation) throws(Failure) -> ExitCode
}

/// One verb of the command line.
struct VerbEntry: Sendable {
  let description: VerbDescription
  let run: @Sendable (Invocation) throws(Failure) -> ExitCode

  init(
    _ description: VerbDescription,
    _ run: @escaping @Sendable (Invocation) throws(Failure) -> ExitCode
  ) {
    self.description = description
    self.run = run
  }
}

extension Verb {
  static var entry: VerbEntry {
    VerbEntry(description) { invocation throws(Failure) in try run(invocation) }
  }
}

/// How a verb is called and explained.
struct VerbDescription {
  /// One or two words: `buy`, `clock create`.
  let name: String
  /// What it does, one line, as a sentence without a full stop.
  let summary: String
  /// The operands in the usage line, optional ones in brackets.
  var operands = ""
  /// How many operands it takes.
  var operandCount = 0...0
  var options: [Option] = []
  /// A command line that works, and what it does.
  let example: String
  /// Paragraphs between usage and options.
  var notes: [String] = []
  /// Options of a later version, which this one refuses by name.
  var laterOptions: Set<String> = []
  /// The first operand begins another program's command line.
  var takesCommand = false

  /// The lines of `--help`.
  var help: [String] {
    var lines = [
      "\(summary).", "", "usage: renewctl \(name)\(operands.isEmpty ? "" : " ")\(operands)",
    ]
    if !options.isEmpty { lines[2] += " [OPTION…]" }
    for note in notes { lines += [""] + Self.wrapped(note) }
    if !options.isEmpty { lines += ["", "options:"] + Self.list(options) }
    lines += ["", "of every verb:"] + Self.list(Option.global)
    return lines + ["", "example:", "  \(example)"]
  }

  /// A paragraph in lines of the usual width of a terminal.
  private static func wrapped(_ text: String) -> [String] {
    var lines = [""]
    for word in text.split(separator: " ") {
      let last = lines[lines.count - 1]
      if last.isEmpty {
        lines[lines.count - 1] = String(word)
      } else if last.count + 1 + word.count <= ControlLimits.helpColumns {
        lines[lines.count - 1] = "\(last) \(word)"
      } else {
        lines.append(String(word))
      }
    }
    return lines
  }

  private static func list(_ options: [Option]) -> [String] {
    let names = options.map { "--\($0.name)" + ($0.value.map { " \($0)" } ?? "") }
    let width = (names.map(\.count).max() ?? 0) + 2
    return zip(names, options).map { name, option in
      "  " + name + String(repeating: " ", count: width - name.count) + option.help
    }
  }
}

/// A verb as it was called.
struct Invocation {
  let arguments: Arguments
  let session: Session
  let console: Console
  let environment: Environment

  /// How answers are printed.
  var format: OutputFormat { session.format }

  /// Answers are printed for people.
  var isForPeople: Bool { format == .people }

  /// The operand at a place, which the parser has seen to be there.
  func operand(_ index: Int) -> String { arguments.operands[index] }

  var requestID: String? { arguments.value("request-id") }

  /// Sends a call and, for programs, prints its reply as it came.
  func fetch<Result>(_ call: Call<Result>) throws(Failure) -> Result {
    let (reply, answer) = try session.ask(call)
    show(reply)
    return answer
  }

  /// Prints a reply as it came, unless it is for people.
  func show(_ reply: Reply) {
    if !isForPeople { console.line(reply.parametersText) }
  }
}

/// How answers are printed.
enum OutputFormat {
  /// Sentences and tables.
  case people
  /// The reply's parameters.
  case json
  /// One reply a line.
  case jsonLines
}
