/// Sizes a reader can hold: of lines, functions and files.
enum Sizes {
  static let columnsMax = 100
  static let functionLinesMax = 60
  static let fileLinesMax = 500

  static func lineFindings(in file: SourceFile) -> [Finding] {
    file.lines.enumerated().filter { $0.element.count > columnsMax }.map {
      Finding(
        path: file.path, line: $0.offset + 1,
        text: "\($0.element.count) columns, at most \(columnsMax)")
    }
  }

  static func fileFindings(in file: SourceFile) -> [Finding] {
    let count = file.lines.last == "" ? file.lines.count - 1 : file.lines.count
    guard count > fileLinesMax else { return [] }
    return [
      Finding(path: file.path, line: count, text: "\(count) lines, at most \(fileLinesMax)")
    ]
  }

  /// A function that is one `switch` may be as long as its cases: cut in two, neither half would
  /// know that it is whole.
  static func functionFindings(in file: SourceFile) -> [Finding] {
    bodies(in: file).filter {
      $0.last - $0.first + 1 > functionLinesMax && !Switches.isOneSwitch(file, $0.first, $0.last)
    }.map {
      let count = $0.last - $0.first + 1
      return Finding(
        path: file.path, line: $0.first, text: "\(count) lines, at most \(functionLinesMax)")
    }
  }

  /// First and last line of each function, initializer, subscript and computed property, from the
  /// word that declares it to the brace that closes it.
  static func bodies(in file: SourceFile) -> [(first: Int, last: Int)] {
    let text = Array(file.code.joined(separator: "\n").utf8)
    var found: [(first: Int, last: Int)] = []
    var line = 1
    var index = 0
    while index < text.count {
      if text[index] == UInt8(ascii: "\n") { line += 1 }
      guard isWordStart(text, index) else {
        index += 1
        continue
      }
      let end = text[index...].firstIndex { !isWordCharacter($0) } ?? text.count
      let word = String(decoding: text[index..<end], as: UTF8.self)
      if declaring.contains(word),
        let close = bodyEnd(in: text, from: end, isVariable: word == "var")
      {
        let newlines = text[index..<close].count { $0 == UInt8(ascii: "\n") }
        found.append((line, line + newlines))
      }
      index = end
    }
    return found
  }

  private static let declaring: Set = ["func", "init", "deinit", "subscript", "var"]
  private static let starting: Set = [
    "func", "init", "deinit", "subscript", "var", "let", "case", "static", "mutating", "public",
    "private", "fileprivate", "internal", "package", "struct", "enum", "class", "extension",
    "protocol", "typealias", "associatedtype", "import", "return", "if", "for", "guard", "switch",
  ]

  /// The end of the body of a declaration whose word ended at `start`; nil where it has none.
  private static func bodyEnd(in text: [UInt8], from start: Int, isVariable: Bool) -> Int? {
    var index = start
    var depth = 0
    while index < text.count {
      switch text[index] {
      case UInt8(ascii: "("), UInt8(ascii: "["): depth += 1
      case UInt8(ascii: ")"), UInt8(ascii: "]"): depth -= 1
      case UInt8(ascii: "{") where depth == 0: return braceEnd(in: text, from: index)
      case UInt8(ascii: "}") where depth == 0: return nil
      // A stored variable with a value; `func ==` and `where T == U` are no variables.
      case UInt8(ascii: "=") where depth == 0 && isVariable: return nil
      default: break
      }
      if depth < 0 { return nil }
      if depth == 0 && isWordStart(text, index) {
        let end = text[index...].firstIndex { !isWordCharacter($0) } ?? text.count
        if starting.contains(String(decoding: text[index..<end], as: UTF8.self)) { return nil }
        index = end
      } else {
        index += 1
      }
    }
    return nil
  }

  private static func braceEnd(in text: [UInt8], from open: Int) -> Int? {
    var depth = 0
    for index in open..<text.count {
      if text[index] == UInt8(ascii: "{") { depth += 1 }
      if text[index] == UInt8(ascii: "}") { depth -= 1 }
      if depth == 0 { return index }
    }
    return nil
  }

  private static func isWordCharacter(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), 128...:
      true
    default: false
    }
  }

  private static func isWordStart(_ text: [UInt8], _ index: Int) -> Bool {
    isWordCharacter(text[index])
      && (index == 0 || !isWordCharacter(text[index - 1]) && text[index - 1] != UInt8(ascii: "."))
  }
}
