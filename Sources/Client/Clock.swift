/// A clock that accounts live by.
public struct Clock: Answer, Hashable {
  public var name: String
  public var now: Timestamp
  public var kind: ClockKind
  /// How many accounts live by it.
  public var accounts: Int64
  /// When the daemon must act next.
  public var nextDue: Timestamp?
  /// The machine's clock jumped forward; due work waits for `Clocks.Accept`.
  public var isHeld: Bool
  /// Where a running advance is going.
  public var target: Timestamp?

  public init(from reader: AnswerReader) throws(TransportError) {
    name = try reader.string("name")
    now = try reader.time("now")
    kind = try reader.word("kind")
    accounts = try reader.integer("accounts")
    nextDue = try reader.timeIfPresent("nextDue")
    isHeld = try reader.bool("held")
    target = try reader.timeIfPresent("target")
  }
}
