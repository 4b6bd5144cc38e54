/// The options given on the command line, in the form in which they were given: nothing about
/// their values is checked here.
struct CommandLineOptions: Equatable, Sendable {
  private(set) var settings: [OptionName: [Setting]] = [:]

  /// Reads the words after the program's name.
  init(_ words: [String]) throws(ConfigurationError) {
    var index = 0
    while index < words.count {
      let word = words[index]
      index += 1
      guard word.hasPrefix("--"), word.utf8.count > 2 else {
        throw ConfigurationError("\(word): not an option; see renewd --help")
      }
      let parts = word.dropFirst(2).split(
        separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard let option = OptionName(rawValue: String(parts[0])) else {
        throw ConfigurationError(
          "--\(parts[0]): no such option\(Self.suggestion(for: String(parts[0])))")
      }
      let row = option.row
      if parts.count == 2 {
        guard row.arity != .flag else {
          throw ConfigurationError("--\(option.rawValue): takes no value")
        }
        add(option, String(parts[1]))
        continue
      }
      if row.arity == .flag {
        add(option, "yes")
        continue
      }
      guard index < words.count, !words[index].hasPrefix("--") else {
        throw ConfigurationError("--\(option.rawValue): needs a value: \(row.argument)")
      }
      repeat {
        add(option, words[index])
        index += 1
      } while row.arity == .list && index < words.count && !words[index].hasPrefix("-")
    }
  }

  func has(_ option: OptionName) -> Bool { settings[option] != nil }

  private mutating func add(_ option: OptionName, _ value: String) {
    settings[option, default: []].append(Setting(value: value, origin: .commandLine))
  }

  private static func suggestion(for word: String) -> String {
    let names = OptionName.allCases.map(\.rawValue)
    guard let near = Spelling.nearest(to: word, in: names) else { return "; see renewd --help" }
    return "; did you mean --\(near)?"
  }
}
