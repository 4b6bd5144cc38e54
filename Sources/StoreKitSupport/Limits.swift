/// The limits of this target.
enum SupportLimits {
  /// How many observable objects are remembered before the first look for those that are gone:
  /// more than most programs have at one time, and little memory.
  static let firstSweepCount = 64
}
