import Glibc

/// What both commands are told: where to begin, how much to do, which bug to put in.
struct Options<Plant: RawRepresentable> where Plant.RawValue == String {
  private(set) var seed: UInt64 = 0
  private(set) var count: UInt64 = 1
  private(set) var steps: Int
  private(set) var plant: Plant?
  /// Whether the command's own switch is there.
  private(set) var hasFlag = false

  /// Nil where an option is unknown, has no value that it can have, or no seed is given.
  init?(_ arguments: ArraySlice<String>, steps: Int, flag: String) {
    self.steps = steps
    var seed: UInt64?
    var rest = arguments
    while let name = rest.popFirst() {
      if name == flag {
        hasFlag = true
        continue
      }
      guard let value = rest.popFirst() else { return nil }
      switch name {
      case "--seed":
        guard let number = UInt64(value) else { return nil }
        seed = number
      case "--count":
        guard let number = UInt64(value), number > 0 else { return nil }
        count = number
      case "--steps":
        guard let number = Int(value), number > 0 else { return nil }
        self.steps = number
      case "--plant":
        guard let named = Plant(rawValue: value) else { return nil }
        plant = named
      default:
        return nil
      }
    }
    guard let seed else { return nil }
    self.seed = seed
  }

  /// Says how the command is used, and ends with exit status 2.
  static func refuse(_ usage: String) -> Never {
    let text = Array((usage + "\n").utf8)
    _ = write(STDERR_FILENO, text, text.count)
    exit(2)
  }
}
