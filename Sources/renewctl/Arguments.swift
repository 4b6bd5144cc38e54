import Client

/// What a person typed behind a verb: operands in order, and options by name.
struct Arguments {
  private(set) var operands: [String] = []
  private var values: [String: [String]] = [:]

  /// Whether an option stands there.
  func has(_ name: String) -> Bool { values[name] != nil }

  /// The value of an option.
  func value(_ name: String) -> String? { values[name]?.last }

  /// The values of an option that may stand more than once.
  func all(_ name: String) -> [String] { values[name] ?? [] }

  /// The operand at a place, if there is one.
  func operand(_ index: Int) -> String? {
    operands.indices.contains(index) ? operands[index] : nil
  }

  /// A whole number not below `least`.
  func integer(_ name: String, least: Int64 = 0) throws(Failure) -> Int64? {
    guard let text = value(name) else { return nil }
    guard let number = Int64(text), number >= least else {
      throw .usage("--\(name) takes a whole number from \(least) on, not \"\(text)\"")
    }
    return number
  }

  /// A moment.
  func time(_ name: String) throws(Failure) -> Timestamp? {
    guard let text = value(name) else { return nil }
    return try Self.time(text, of: "--\(name)")
  }

  /// `name` is what was typed before the text, for the words of a refusal.
  static func time(_ text: String, of name: String) throws(Failure) -> Timestamp {
    do throws(TimeTextError) {
      return try Timestamp(text)
    } catch {
      throw .usage("\(name): \(error.description)")
    }
  }

  static func span(_ text: String) throws(Failure) -> CalendarSpan {
    do throws(TimeTextError) {
      return try CalendarSpan(text)
    } catch {
      throw .usage(error.description)
    }
  }

  /// Reads words by the options of a verb. Options may stand anywhere before `--`, as
  /// `--name value` or `--name=value`.
  init(_ words: some Sequence<String>, _ verb: VerbDescription) throws(Failure) {
    let known = Option.global + verb.options
    var rest = Array(words)[...]
    while let word = rest.popFirst() {
      if word == "--" {
        operands += rest
        return
      }
      if word == "-h" {
        values["help"] = [""]
      } else if word.hasPrefix("--") {
        try readOption(word.dropFirst(2), known, &rest, verb)
      } else if word.hasPrefix("-"), word.utf8.count > 1, !Self.isNumber(word) {
        throw .usage("unknown option \(word)", "renewctl \(verb.name) --help lists the options.")
      } else {
        operands.append(word)
        if verb.takesCommand {
          operands += rest
          return
        }
      }
    }
  }

  private mutating func readOption(
    _ text: Substring, _ known: [Option], _ rest: inout ArraySlice<String>,
    _ verb: VerbDescription
  ) throws(Failure) {
    let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    let name = String(parts[0])
    guard let option = known.first(where: { $0.name == name }) else {
      if verb.laterOptions.contains(name) {
        throw .usage("this version of renewctl does not have --\(name)")
      }
      let nearest = NearestName.of(name, among: known.map(\.name))
      throw .usage(
        "unknown option --\(name)" + (nearest.map { "; did you mean --\($0)?" } ?? ""),
        "renewctl \(verb.name) --help lists the options.")
    }
    var value = parts.count > 1 ? String(parts[1]) : nil
    if option.value == nil {
      guard value == nil else { throw .usage("--\(name) takes no value") }
    } else if value == nil {
      value = rest.popFirst()
      guard value != nil else { throw .usage("--\(name) needs its \(option.value ?? "value")") }
    }
    if !option.isRepeated, values[name] != nil { throw .usage("--\(name) stands twice") }
    values[name, default: []].append(value ?? "")
  }

  private static func isNumber(_ word: String) -> Bool {
    word.utf8.dropFirst().allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
  }
}
