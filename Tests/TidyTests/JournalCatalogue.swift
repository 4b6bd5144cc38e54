/// Message ids of the journal: those in the code and those with an entry for readers.
enum JournalCatalogue {
  /// Ids are the only literals of 32 hexadecimal digits in the code.
  static func identifiers(in file: SourceFile) -> Set<String> {
    let literal = /"([0-9a-f]{32})"/
    return Set(file.lines.flatMap { $0.matches(of: literal).map { String($0.output.1) } })
  }

  static func entries(in catalogue: SourceFile) -> Set<String> {
    Set(catalogue.lines.filter { $0.hasPrefix("-- ") }.map { String($0.dropFirst(3)) })
  }

  static func findings(code: [SourceFile], catalogue: SourceFile) -> [Finding] {
    let used = code.reduce(into: Set()) { $0.formUnion(identifiers(in: $1)) }
    let known = entries(in: catalogue)
    func finding(_ text: String) -> Finding { Finding(path: catalogue.path, line: 1, text: text) }
    return used.subtracting(known).sorted().map { finding("no entry for \($0)") }
      + known.subtracting(used).sorted().map { finding("no message has \($0)") }
  }
}
