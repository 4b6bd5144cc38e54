/// The text of a configuration file in systemd's form: sections, `key = value`, comments that
/// begin with `#` or `;`, lines continued by a backslash at their end. What the sections and
/// keys mean is not known here.
struct ConfigurationFile: Equatable, Sendable {
  struct Entry: Equatable, Sendable {
    var key: String
    var value: String
    /// The line of the key, counted from 1.
    var line: Int
  }

  struct Section: Equatable, Sendable {
    /// The first word between the brackets.
    var name: String
    /// What follows it; empty for most.
    var argument: String
    var line: Int
    var entries: [Entry] = []
  }

  let path: String
  private(set) var sections: [Section] = []

  init(path: String, bytes: [UInt8]) throws(ConfigurationError) {
    self.path = path
    guard String(validating: bytes, as: UTF8.self) != nil, !bytes.contains(0) else {
      throw ConfigurationError("\(path): not a text in UTF-8")
    }
    var pending: (text: String, line: Int)?
    // By bytes: as characters, a carriage return and the newline after it are one.
    let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    for (index, raw) in lines.enumerated() {
      let line = Self.trimmed(String(decoding: raw, as: UTF8.self))
      if line.hasPrefix("#") || line.hasPrefix(";") { continue }
      let whole = (pending.map { $0.text + " " } ?? "") + line
      let number = pending?.line ?? index + 1
      if line.hasSuffix("\\") {
        pending = (Self.trimmed(whole.dropLast()), number)
      } else {
        pending = nil
        if !whole.isEmpty { try add(whole, line: number) }
      }
    }
    if let pending { try add(pending.text, line: pending.line) }
  }

  private mutating func add(_ text: String, line: Int) throws(ConfigurationError) {
    if text.hasPrefix("[") {
      guard text.hasSuffix("]") else { throw wrong(line, "a section ends with ]") }
      let words = text.dropFirst().dropLast().split(whereSeparator: Self.isBlank)
      guard let name = words.first else { throw wrong(line, "a section has a name") }
      let argument = words.dropFirst().joined(separator: " ")
      sections.append(Section(name: String(name), argument: argument, line: line))
      return
    }
    let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2 else {
      throw wrong(line, "neither [section] nor key = value: \(text)")
    }
    let key = Self.trimmed(parts[0])
    guard !key.isEmpty else { throw wrong(line, "there is no key before the =") }
    guard !sections.isEmpty else { throw wrong(line, "\(key) stands before any [section]") }
    sections[sections.count - 1].entries.append(
      Entry(key: key, value: Self.trimmed(parts[1]), line: line))
  }

  private func wrong(_ line: Int, _ message: String) -> ConfigurationError {
    ConfigurationError("\(path):\(line): \(message)")
  }

  private static func isBlank(_ character: Character) -> Bool {
    character == " " || character == "\t" || character == "\r"
  }

  private static func trimmed(_ text: some StringProtocol) -> String {
    var rest = text[...]
    while let first = rest.first, isBlank(first) { rest.removeFirst() }
    while let last = rest.last, isBlank(last) { rest.removeLast() }
    return String(rest)
  }
}
