/// Swift text with everything that is not code replaced by spaces. Newlines stay where they are,
/// and so does the code inside string interpolations.
enum CodeView {
  static func blanked(_ text: String) -> String {
    var scanner = Scanner(characters: Array(text.utf8))
    scanner.scanCode(until: nil)
    return String(decoding: scanner.output, as: UTF8.self)
  }

  private struct Scanner {
    let characters: [UInt8]
    var position = 0
    var output: [UInt8] = []

    /// Bytes at which something other than plain code may begin or end: `/ " # ( )`.
    static let telling: Set<UInt8> = [0x2F, 0x22, 0x23, 0x28, 0x29]

    init(characters: [UInt8]) {
      self.characters = characters
      output.reserveCapacity(characters.count)
    }

    func looksAt(_ text: StaticString, from offset: Int = 0) -> Bool {
      let count = text.utf8CodeUnitCount
      guard position + offset + count <= characters.count else { return false }
      return (0..<count).allSatisfy { characters[position + offset + $0] == text.utf8Start[$0] }
    }

    mutating func keep() {
      output.append(characters[position])
      position += 1
    }

    mutating func blank(_ count: Int = 1) {
      for _ in 0..<count where position < characters.count {
        output.append(characters[position] == UInt8(ascii: "\n") ? UInt8(ascii: "\n") : 32)
        position += 1
      }
    }

    /// Scans code up to the end, or past the parenthesis that closes an interpolation.
    mutating func scanCode(until close: UInt8?) {
      var depth = 0
      while position < characters.count {
        if !Self.telling.contains(characters[position]) {
          keep()
        } else if looksAt("//") {
          while position < characters.count && !looksAt("\n") { blank() }
        } else if looksAt("/*") {
          scanBlockComment()
        } else if let pounds = poundsBeforeQuote() {
          scanString(pounds: pounds)
        } else {
          if close != nil && looksAt("(") { depth += 1 }
          if close != nil && looksAt(")") {
            if depth == 0 { return keep() }
            depth -= 1
          }
          keep()
        }
      }
    }

    mutating func scanBlockComment() {
      var depth = 0
      repeat {
        if looksAt("/*") {
          depth += 1
          blank(2)
        } else if looksAt("*/") {
          depth -= 1
          blank(2)
        } else {
          blank()
        }
      } while depth > 0 && position < characters.count
    }

    /// The number of `#` before the quote that starts here, or nil where no string starts.
    func poundsBeforeQuote() -> Int? {
      var pounds = 0
      while looksAt("#", from: pounds) { pounds += 1 }
      return looksAt("\"", from: pounds) ? pounds : nil
    }

    mutating func scanString(pounds: Int) {
      blank(pounds)
      let isLong = looksAt("\"\"\"")
      let quotes = isLong ? 3 : 1
      blank(quotes)
      while position < characters.count {
        if looksAt("\\") && hasPounds(pounds, from: 1) {
          if looksAt("(", from: 1 + pounds) {
            blank(1 + pounds)
            keep()
            scanCode(until: UInt8(ascii: ")"))
          } else {
            blank(2 + pounds)
          }
        } else if isLong ? looksAt("\"\"\"") : looksAt("\"") {
          let ends = hasPounds(pounds, from: quotes)
          blank(ends ? quotes + pounds : 1)
          if ends { return }
        } else if !isLong && looksAt("\n") {
          return
        } else {
          blank()
        }
      }
    }

    func hasPounds(_ count: Int, from offset: Int) -> Bool {
      (0..<count).allSatisfy { looksAt("#", from: offset + $0) }
    }
  }
}
