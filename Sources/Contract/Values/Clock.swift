import Varlink

/// A clock that accounts live by.
public struct Clock: NamedFields, Hashable {
  public static let typeName = "Clock"
  public static let about = """
    A clock that accounts live by. now: its time; nextDue: when the daemon must act next.
    held: the machine's clock jumped forward, and due work waits for Accept.
    target: where a running advance is going.
    """
  public var name = ""
  public var now = Timestamp.zero
  public var kind = ClockKind(rawValue: "")
  /// How many accounts live by it.
  public var accounts: Int64 = 0
  /// When the daemon must act next.
  public var nextDue: Timestamp?
  /// The machine's clock jumped forward; due work waits for `Clocks.Accept`.
  public var isHeld = false
  /// Where a running advance is going.
  public var target: Timestamp?

  public init() {}

  public mutating func code<C: FieldCoder>(with coder: inout C) throws(C.Failure) {
    try coder.text("name", &name)
    try coder.time("now", &now)
    try coder.word("kind", &kind)
    try coder.integer("accounts", &accounts)
    try coder.time("nextDue", &nextDue)
    try coder.flag("held", &isHeld)
    try coder.time("target", &target)
  }
}
