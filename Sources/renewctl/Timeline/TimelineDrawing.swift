import Client

/// Lays a story out: time, what happened, price, a bar on a common axis, and the event's number.
struct TimelineDrawing {
  private let story: TimelineStory
  private let console: Console
  private let rows: [TimelineRow]

  init(_ story: TimelineStory, _ console: Console, linesMax: Int) {
    self.story = story
    self.console = console
    rows = TimelineStory.folded(story.rows, linesMax: linesMax)
  }

  var lines: [String] {
    let account = story.status.account
    guard !rows.isEmpty else { return ["nothing is known of \(account)"] }
    let heading = console.styled(StatusSentence(story.status, outlook: story.outlook).text, .bold)
    let layout = Layout(rows, columns: console.columns)
    var lines = [heading, ""]
    if let axis = layout.axis { lines.append(console.styled(axis, .dim)) }
    lines += rows.map { line($0, layout) }
    let legend = legend
    return legend.isEmpty ? lines : lines + ["", legend]
  }

  private func line(_ row: TimelineRow, _ layout: Layout) -> String {
    let price = row.price ?? ""
    let isForecast = row.place == nil && row.time != nil
    var cells = [
      (row.time?.description ?? "").padded(to: layout.time),
      isForecast
        ? console.styled(row.text.padded(to: layout.text), .dim)
        : row.text.padded(to: layout.text),
    ]
    if layout.price > 0 {
      cells.append(String(repeating: " ", count: layout.price - price.count) + price)
    }
    if layout.scale != nil { cells.append(bar(row.bar, layout)) }
    cells.append(console.styled(row.place ?? "", .dim))
    return cells.joined(separator: "  ").trimmedAtEnd
  }

  private func bar(_ bar: TimelineBar?, _ layout: Layout) -> String {
    let width = layout.bar
    guard let bar, let columns = layout.columns(of: bar) else {
      return String(repeating: " ", count: width)
    }
    let mark = bar.isUpgrade ? upgradeMark : symbol(bar.kind)
    let stretch = mark + String(repeating: symbol(bar.kind), count: columns.count - 1)
    return String(repeating: " ", count: columns.lowerBound)
      + console.styled(stretch, style(bar.kind))
      + String(repeating: " ", count: width - columns.upperBound)
  }

  private var legend: String {
    let used = TimelineBar.Kind.allCases.filter { kind in rows.contains { $0.bar?.kind == kind } }
    var names = used.map { kind in
      let name =
        switch kind {
        case .paid: "paid"
        case .grace: "grace"
        case .retry: "retry"
        case .refunded: "refunded"
        case .forecast: "if nothing else happens"
        }
      return "\(console.styled(symbol(kind), style(kind))) \(name)"
    }
    if rows.contains(where: { $0.bar?.isUpgrade == true }) {
      names.append("\(console.styled(upgradeMark, style(.paid))) upgrade")
    }
    return names.joined(separator: "   ")
  }

  /// Where a bar begins with an upgrade.
  private var upgradeMark: String { console.hasBlocks ? "▲" : "^" }

  private func symbol(_ kind: TimelineBar.Kind) -> String {
    switch kind {
    case .paid: console.hasBlocks ? "█" : "="
    case .grace: console.hasBlocks ? "▒" : "~"
    case .retry: console.hasBlocks ? "░" : "-"
    case .refunded: console.hasBlocks ? "×" : "x"
    case .forecast: console.hasBlocks ? "·" : "."
    }
  }

  private func style(_ kind: TimelineBar.Kind) -> Console.Style {
    switch kind {
    case .paid: .green
    case .grace, .retry: .yellow
    case .refunded: .red
    case .forecast: .dim
    }
  }
}

/// The widths of a timeline's columns and the scale of its bars.
private struct Layout {
  let time: Int
  let text: Int
  let price: Int
  let bar: Int
  /// From the first bar's start to the last one's end; nil where there are no bars.
  let scale: (start: Int64, length: Int64)?

  init(_ rows: [TimelineRow], columns: Int) {
    time = rows.compactMap { $0.time?.description.count }.max() ?? 0
    text = rows.map(\.text.count).max() ?? 0
    price = rows.compactMap { $0.price?.count }.max() ?? 0
    let place = rows.compactMap { $0.place?.count }.max() ?? 0
    let gaps = 2 * (price > 0 ? 4 : 3)
    let free = columns - time - text - price - place - gaps
    bar = max(ControlLimits.timelineBarMin, min(ControlLimits.timelineBarMax, free))
    let bars = rows.compactMap(\.bar)
    if let start = bars.map(\.start.milliseconds).min(),
      let end = bars.map(\.end.milliseconds).max()
    {
      scale = (start, max(1, end - start))
    } else {
      scale = nil
    }
  }

  /// The columns of a bar, at least one. One bar ends where the next begins.
  func columns(of bar: TimelineBar) -> Range<Int>? {
    guard let scale else { return nil }
    func column(_ time: Timestamp) -> Int {
      let share = Double(time.milliseconds - scale.start) / Double(scale.length)
      return Int((share * Double(self.bar)).rounded())
    }
    let start = min(column(bar.start), self.bar - 1)
    return start..<max(start + 1, min(column(bar.end), self.bar))
  }

  /// The first and the last day above the bars, where they fit.
  var axis: String? {
    guard let scale else { return nil }
    let first = Timestamp(milliseconds: scale.start).date
    let last = Timestamp(milliseconds: scale.start + scale.length).date
    let gap = bar - first.count - last.count
    guard gap > 0 else { return nil }
    let indent = time + 2 + text + 2 + (price > 0 ? price + 2 : 0)
    return String(repeating: " ", count: indent) + first
      + String(repeating: " ", count: gap) + last
  }
}
