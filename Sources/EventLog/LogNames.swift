/// The names of the files of a log directory.
enum LogNames {
  /// Held while a log is open for writing.
  static let lock = "lock"
  static let spareTemporary = "spare.tmp"
  static let snapshotTemporary = "snapshot.tmp"

  static func segment(_ firstSequence: UInt64) -> String { "\(digits(firstSequence)).log" }
  static func snapshot(_ sequence: UInt64) -> String { "snapshot-\(digits(sequence))" }
  static func spare(_ number: Int) -> String { "spare-\(number)" }

  /// The name for what is cut off a segment; later ones carry a number.
  static func torn(_ segment: String, _ number: Int) -> String {
    number == 1 ? "\(segment).torn" : "\(segment).\(number).torn"
  }

  /// The name of a snapshot that says more than the log holds, after that loss was accepted.
  static func aside(_ snapshot: UInt64) -> String { "\(Self.snapshot(snapshot))\(asideSuffix)" }

  private static let asideSuffix = ".aside"

  /// What a name in the directory means.
  enum Kind: Equatable {
    case segment(firstSequence: UInt64)
    case snapshot(sequence: UInt64)
    case aside(sequence: UInt64)
    case spare(Int)
    case temporary, torn, lock, unknown
  }

  static func kind(of name: String) -> Kind {
    if name == lock { return .lock }
    if name == spareTemporary || name == snapshotTemporary { return .temporary }
    if name.hasSuffix(".torn") { return .torn }
    if name.hasSuffix(".log"), let sequence = number(name.dropLast(4)) {
      return .segment(firstSequence: sequence)
    }
    if name.hasPrefix("snapshot-"), name.hasSuffix(asideSuffix),
      let sequence = number(name.dropFirst(9).dropLast(asideSuffix.count))
    {
      return .aside(sequence: sequence)
    }
    if name.hasPrefix("snapshot-"), let sequence = number(name.dropFirst(9)) {
      return .snapshot(sequence: sequence)
    }
    if name.hasPrefix("spare-"), let number = Int(name.dropFirst(6)), spare(number) == name {
      return .spare(number)
    }
    return .unknown
  }

  private static let digitCount = 20

  private static func digits(_ number: UInt64) -> String {
    let text = String(number)
    return String(repeating: "0", count: digitCount - text.count) + text
  }

  /// Exactly twenty digits.
  private static func number(_ text: Substring) -> UInt64? {
    guard text.utf8.count == digitCount, text.utf8.allSatisfy({ (48...57).contains($0) }) else {
      return nil
    }
    return UInt64(text)
  }
}
