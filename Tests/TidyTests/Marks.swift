/// Words that say of themselves that something is unfinished.
enum Marks {
  /// Put together from pieces: written out, this file would find itself.
  static let words = [
    "TO" + "DO", "FIX" + "ME", "HA" + "CK", "not " + "implemented", "un" + "implemented",
  ]

  static func findings(in file: SourceFile) -> [Finding] {
    file.lines.enumerated().flatMap { index, line in
      words.filter { contains(line, $0) }.map {
        Finding(path: file.path, line: index + 1, text: "says \($0)")
      }
    }
  }

  /// Whether `word` stands in `line` by itself: not as part of a longer word.
  private static func contains(_ line: String, _ word: String) -> Bool {
    line.ranges(of: word).contains { range in
      let before = line[..<range.lowerBound].last
      let after = line[range.upperBound...].first
      return ![before, after].contains { $0?.isLetter == true || $0?.isNumber == true }
    }
  }
}
