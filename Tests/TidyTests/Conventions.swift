/// Where things are: limits in `Limits.swift`, one call in `main.swift`, names at the top.
enum Conventions {
  /// Every limit has a reason above it, and none is hidden outside `Limits.swift`.
  static func limitFindings(in file: SourceFile) -> [Finding] {
    guard let target = file.target, ImportTable.allowed[target] != nil else { return [] }
    let constant = /\blet\s+(\w+)\b[^=]*=\s*(.*)$/
    var found: [Finding] = []
    for (index, line) in file.code.enumerated() {
      guard let match = line.firstMatch(of: constant) else { continue }
      if file.name.hasSuffix("Limits.swift") {
        if line.contains("static "), !hasReason(file, above: index) {
          found.append(
            Finding(path: file.path, line: index + 1, text: "\(match.1) has no reason above it"))
        }
      } else if isLimit(match.1), match.2.first?.isNumber == true {
        found.append(
          Finding(path: file.path, line: index + 1, text: "\(match.1) belongs in Limits.swift"))
      }
    }
    return found
  }

  private static func isLimit(_ name: Substring) -> Bool {
    name.hasSuffix("Max") || name.hasSuffix("Limit") || name.hasPrefix("max") && name.count > 3
  }

  /// A comment above the line; limits that stand together may share one.
  private static func hasReason(_ file: SourceFile, above index: Int) -> Bool {
    var line = index - 1
    while line >= 0 {
      let text = file.lines[line].drop { $0 == " " }
      if text.hasPrefix("//") { return true }
      if text.isEmpty || !text.contains("let ") { return false }
      line -= 1
    }
    return false
  }

  /// `main.swift` is one call: what a program does is in types that tests reach.
  static func mainFindings(in file: SourceFile) -> [Finding] {
    guard file.name == "main.swift", file.target != nil else { return [] }
    let statements = file.code.filter { line in
      guard let first = line.first else { return false }
      return !first.isWhitespace && !")}]".contains(first) && !line.hasPrefix("import ")
    }
    guard statements.count != 1 else { return [] }
    return [Finding(path: file.path, line: 1, text: "\(statements.count) statements, one is meant")]
  }

  static let topLevelNames: Set = [
    "Package.swift", "Sources", "Tests", "systemd", "Scripts", "README.md", "LICENSE", ".ci",
    ".swift-format", ".gitignore", ".editorconfig", ".git", ".build",
  ]

  static func topLevelFindings(_ names: [String]) -> [Finding] {
    names.filter { !topLevelNames.contains($0) }.map {
      Finding(path: $0, line: 1, text: "has no place at the top of the tree")
    }
  }
}
