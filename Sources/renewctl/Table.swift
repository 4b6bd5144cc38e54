/// Rows under headings, aligned with spaces. The last column is not padded.
struct Table {
  enum Alignment { case left, right }

  private let headings: [String]
  private let alignments: [Alignment]
  private var rows: [[String]] = []

  /// Columns by heading; those in `right` are aligned to the right.
  init(_ headings: [String], right: Set<String> = []) {
    self.headings = headings
    alignments = headings.map { right.contains($0) ? .right : .left }
  }

  var isEmpty: Bool { rows.isEmpty }

  /// Adds a row; an empty cell shows as a dash.
  mutating func add(_ cells: [String?]) {
    precondition(cells.count == headings.count)
    rows.append(cells.map { $0?.isEmpty == false ? $0!.printable : "-" })
  }

  /// The lines, headings first. Columns that say nothing in any row are left out.
  var lines: [String] {
    let shown = headings.indices.filter { column in rows.contains { $0[column] != "-" } }
    let widths = shown.map { column in
      max(headings[column].count, rows.map { $0[column].count }.max() ?? 0)
    }
    return ([headings] + rows).map { cells in
      zip(shown, widths).map { column, width in
        let cell = cells[column]
        let padding = String(repeating: " ", count: width - cell.count)
        return alignments[column] == .right ? padding + cell : cell + padding
      }.joined(separator: "  ").trimmedAtEnd
    }
  }
}

extension String {
  /// With a question mark for each control character: a product's name must not steer a terminal.
  var printable: String {
    guard unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) else {
      return self
    }
    var text = String.UnicodeScalarView()
    for scalar in unicodeScalars {
      text.append(scalar.properties.generalCategory == .control ? "?" : scalar)
    }
    return String(text)
  }

  /// Without spaces at the end.
  var trimmedAtEnd: String {
    var text = self[...]
    while text.last == " " { text.removeLast() }
    return String(text)
  }

  /// Filled with spaces up to a width.
  func padded(to width: Int) -> String {
    self + String(repeating: " ", count: max(0, width - count))
  }
}

extension Console {
  /// Prints a table, its headings bold on a terminal.
  func table(_ table: Table) {
    guard !table.isEmpty else { return }
    let all = table.lines
    line(styled(all[0], .bold))
    lines(Array(all.dropFirst()))
  }
}
