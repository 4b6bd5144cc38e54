/// What the program's exit status says (the table of the manual; sysexits.h from 64 on).
struct ExitCode: Equatable {
  let rawValue: Int32

  /// Done; entitled; valid.
  static let done = ExitCode(rawValue: 0)
  /// Not entitled, or not valid.
  static let negative = ExitCode(rawValue: 1)
  static let usage = ExitCode(rawValue: 2)
  static let notFound = ExitCode(rawValue: 3)
  /// Refused by a rule.
  static let refused = ExitCode(rawValue: 4)
  /// The daemon cannot be reached.
  static let unavailable = ExitCode(rawValue: 69)
  /// Our own fault.
  static let software = ExitCode(rawValue: 70)
  /// The log is damaged.
  static let damaged = ExitCode(rawValue: 74)
  static let tryAgain = ExitCode(rawValue: 75)
  static let permission = ExitCode(rawValue: 77)
  static let configuration = ExitCode(rawValue: 78)
}
