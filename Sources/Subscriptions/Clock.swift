/// A clock that accounts live by: the system's, or a test's that stands still until advanced.
public struct Clock: Sendable {
  public var name: String
  public var isTest: Bool
  /// The clock's effective time: it never goes back, and never passes a deadline that has not
  /// been dealt with.
  public var now: Instant
  /// Where a running advance is going; nil where none is.
  public var target: Instant?
  /// The sequence of the event that began the running advance.
  public var advanceSequence: UInt64
  /// How many events fell due in it so far.
  public var advanceEvents: UInt64
  /// Who asked for the running advance.
  public var advanceCaller: Caller?
  public var accounts: Int
  /// The sequence of the newest event of the clock itself.
  public var lastSequence: UInt64

  public init(name: String, isTest: Bool, now: Instant) {
    self.name = name
    self.isTest = isTest
    self.now = now
    self.target = nil
    self.advanceSequence = 0
    self.advanceEvents = 0
    self.advanceCaller = nil
    self.accounts = 0
    self.lastSequence = 0
  }

  /// The number of the system's clock, which every log has.
  public static let system: ClockNumber = 0
  public static let systemName = "system"
  /// The test clock on which accounts are opened that name none, where it exists.
  public static let defaultName = "default"
}
