import Subscriptions

/// The table of transitions as places of an array, which is looked at for each event of a life.
enum LifeTransitions {
  private static let statusCount = Status.allCases.count + 1
  private static let kindCount = Int(UInt8.max) + 1
  static let count = statusCount * kindCount * statusCount

  static func place(_ from: Status?, _ kind: LineKind, _ to: Status) -> Int {
    (Int(from?.rawValue ?? 0) * kindCount + Int(kind.rawValue)) * statusCount + Int(to.rawValue)
  }

  static let isListed: [Bool] = {
    var table = [Bool](repeating: false, count: count)
    for row in StatusTransitions.all { table[place(row.from, row.kind, row.to)] = true }
    return table
  }()
}
