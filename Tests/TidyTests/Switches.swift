/// How the code decides by kind: each switch over an enum of ours names its cases, so that a new
/// case is met everywhere; and few switch over all that an event can say.
enum Switches {
  /// Modules whose switches are over enums of this tree; clients' words are open, and have a rest.
  static let closedTargets: Set = [
    "JSON", "EventLog", "Varlink", "Subscriptions", "AppStore", "Crypto", "Engine", "Platform",
    "Simulation", "bench", "simulate",
  ]

  /// How many switches over all families of facts there may be.
  static let factSwitchesMax = 8

  struct Switch {
    /// Its line, and its own cases' patterns.
    let line: Int
    var cases: [String] = []
    var hasDefault = false
    let indentation: Int
    var last: Int
  }

  /// A switch's cases stand as deep as its own line, and so does its closing brace.
  static func all(in file: SourceFile) -> [Switch] {
    var open: [Switch] = []
    var found: [Switch] = []
    for (index, line) in file.code.enumerated() {
      let text = line.drop { $0 == " " }
      let depth = line.count - text.count
      if text.hasPrefix("case ") || text.hasPrefix("default:"),
        let place = open.lastIndex(where: { $0.indentation == depth })
      {
        if text.hasPrefix("case ") {
          open[place].cases.append(String(text.dropFirst(5)))
        } else {
          open[place].hasDefault = true
        }
      } else if text.hasPrefix("}"),
        let place = open.lastIndex(where: { $0.indentation == depth })
      {
        open[place].last = index + 1
        found.append(open.remove(at: place))
      } else if let place = open.indices.last, text.hasPrefix("."),
        let last = open[place].cases.indices.last,
        open[place].cases[last].hasSuffix(",")
      {
        open[place].cases[last] += " " + text
      }
      if text.hasSuffix("{"), text.split(separator: " ").contains("switch") {
        open.append(Switch(line: index + 1, indentation: depth, last: index + 1))
      }
    }
    return found
  }

  static func defaultFindings(in file: SourceFile) -> [Finding] {
    guard let target = file.target, closedTargets.contains(target) else { return [] }
    return all(in: file).filter { found in
      found.hasDefault && found.cases.contains { $0.hasPrefix(".") || $0.hasPrefix("let .") }
    }.map {
      Finding(
        path: file.path, line: $0.line,
        text: "a default over an enum: name its cases, or ask for one by `if case`")
    }
  }

  /// Switches that know of every family of facts.
  static func factSwitches(in file: SourceFile) -> [Finding] {
    all(in: file).filter { found in
      ["log", "clock", "catalogue", "tester", "appStore"].allSatisfy { family in
        found.cases.contains { $0.contains(".\(family)") }
      }
    }.map { Finding(path: file.path, line: $0.line, text: "a switch over all facts") }
  }

  /// Whether a function is one switch with a few lines around it.
  static func isOneSwitch(_ file: SourceFile, _ first: Int, _ last: Int) -> Bool {
    all(in: file).contains { found in
      found.line > first && found.last < last
        && (last - first) - (found.last - found.line) <= linesAroundMax
    }
  }

  /// What may stand around the one switch of a long function.
  static let linesAroundMax = 10
}
