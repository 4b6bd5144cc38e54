/// One file: its text, and the same text with comments and literals blanked out, line for line, so
/// that a rule about code does not stumble over prose.
struct SourceFile {
  let path: String
  let lines: [String]
  let code: [String]

  init(path: String, text: String) {
    self.path = path
    lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    code = CodeView.blanked(text)
      .split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  }

  /// The target of a file below `Sources`: the folder it is in.
  var target: String? {
    let parts = path.split(separator: "/")
    return parts.count > 2 && parts[0] == "Sources" ? String(parts[1]) : nil
  }

  var name: Substring { path.split(separator: "/").last ?? "" }

  /// The modules a file imports, with the line of each, whatever stands before or after the word.
  var imports: [(module: String, line: Int)] {
    var found: [(module: String, line: Int)] = []
    let kinds: Set<Substring> = ["struct", "class", "enum", "protocol", "typealias", "func", "let"]
    for (index, line) in code.enumerated() {
      for statement in line.split(separator: ";") {
        let words = statement.split(whereSeparator: \.isWhitespace)
        guard let position = words.firstIndex(of: "import"),
          words[..<position].allSatisfy({ $0.hasPrefix("@") || Self.accessLevels.contains($0) }),
          let module = words[(position + 1)...].first(where: { !kinds.contains($0) })
        else { continue }
        found.append((String(module.prefix { $0 != "." }), index + 1))
      }
    }
    return found
  }

  private static let accessLevels: Set<Substring> = [
    "public", "package", "internal", "fileprivate", "private",
  ]
}

/// What a rule has to say about a place.
struct Finding: CustomStringConvertible, Equatable {
  let path: String
  let line: Int
  let text: String

  var description: String { "\(path):\(line): \(text)" }
}
