/// The oddities of one file. The same oddity of many entries is one notice that counts them.
struct ConfigurationNotices {
  private struct Notice {
    var path: String
    var text: String
    var repeats: Int
  }

  private var notices: [Notice] = []
  private var positions: [String: Int] = [:]
  private var dropped = 0

  mutating func add(_ path: ConfigurationPath, _ text: String) {
    let kind = "\(path.pattern)\n\(text)"
    if let position = positions[kind] {
      notices[position].repeats += 1
    } else if notices.count < AppStoreLimits.noticesMax {
      positions[kind] = notices.count
      notices.append(Notice(path: path.text, text: text, repeats: 0))
    } else {
      dropped += 1
    }
  }

  /// In the order of the file, as far as it was read in its order.
  var texts: [String] {
    var texts = notices.map { notice in
      let places =
        notice.repeats == 0
        ? "" : " (and in \(notice.repeats) other place\(notice.repeats == 1 ? "" : "s"))"
      return "\(notice.path): \(notice.text)\(places)"
    }
    if dropped > 0 { texts.append("$: \(dropped) more notices are not shown") }
    return texts
  }
}
