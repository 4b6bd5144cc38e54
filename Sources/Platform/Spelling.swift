/// Finds what a person may have meant by a word with a slip in it.
enum Spelling {
  /// The name fewest single changes (a letter more, less, other or swapped with its neighbour)
  /// away; nil where that is more than a third of the word.
  static func nearest(to word: String, in names: [String]) -> String? {
    let wanted = Array(word.utf8)
    var best: (name: String, distance: Int)?
    for name in names {
      let distance = distance(wanted, Array(name.utf8))
      if distance <= max(1, wanted.count / 3), distance < best?.distance ?? .max {
        best = (name, distance)
      }
    }
    return best?.name
  }

  private static func distance(_ left: [UInt8], _ right: [UInt8]) -> Int {
    var beforeLast = [Int](repeating: 0, count: right.count + 1)
    var last = Array(0...right.count)
    for row in 0..<left.count {
      var current = [row + 1]
      for column in 0..<right.count {
        let change = last[column] + (left[row] == right[column] ? 0 : 1)
        var cost = min(change, last[column + 1] + 1, current[column] + 1)
        if row > 0, column > 0, left[row] == right[column - 1], left[row - 1] == right[column] {
          cost = min(cost, beforeLast[column - 1] + 1)
        }
        current.append(cost)
      }
      (beforeLast, last) = (last, current)
    }
    return last[right.count]
  }
}
