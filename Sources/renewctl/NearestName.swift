/// Finds what a mistyped name may have meant.
enum NearestName {
  /// The name that differs by the fewest letters, if that is few enough.
  static func of(_ typed: String, among names: some Sequence<String>) -> String? {
    var best: (name: String, distance: Int)?
    for name in names {
      let distance = distance(Array(typed.utf8), Array(name.utf8))
      if distance < best?.distance ?? .max { best = (name, distance) }
    }
    guard let best, best.distance <= ControlLimits.nearestDistanceMax,
      best.distance < typed.utf8.count
    else { return nil }
    return best.name
  }

  /// Letters to insert, drop, change, or swap with their neighbour.
  private static func distance(_ left: [UInt8], _ right: [UInt8]) -> Int {
    var beforeLast: [Int] = []
    var last = Array(0...right.count)
    for row in left.indices {
      var current = [row + 1]
      for column in right.indices {
        var cost = min(
          current[column] + 1, last[column + 1] + 1,
          last[column] + (left[row] == right[column] ? 0 : 1))
        if row > 0, column > 0, left[row] == right[column - 1], left[row - 1] == right[column] {
          cost = min(cost, beforeLast[column - 1] + 1)
        }
        current.append(cost)
      }
      beforeLast = last
      last = current
    }
    return last[right.count]
  }
}
