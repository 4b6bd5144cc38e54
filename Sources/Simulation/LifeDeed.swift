import Subscriptions

/// What came of a step: the words of `renewctl` that do the same, and whether they are refused.
public struct LifeDeed: Equatable, Sendable {
  public var words: String
  public var rejection: Rejection?
  /// Whether anything happened: a command may find things as it wants them.
  public var hasChanged = false
  /// Something that must never happen has happened in it.
  public var isSuspect = false
}

/// What a refused command must leave alone, by a look that costs next to nothing.
struct LifeLook: Equatable {
  private var sequence: UInt64
  private var nextTransactionID: UInt64
  private var members: Int
  private var lines: [Line]
  private var purchases: [LastingPurchase]
  private var times: [Instant]
  private var switches: StoreSwitches
  private var sweeps: [Sweep]

  init(_ state: State) {
    sequence = state.sequence
    nextTransactionID = state.nextTransactionID
    members = state.members
    lines = state.lines
    purchases = state.purchases
    times = state.clocks.map(\.now)
    switches = state.switches
    sweeps = state.sweeps
  }
}
