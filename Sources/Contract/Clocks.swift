import Varlink

/// `org.renewd.Clocks`.
public enum ClocksInterface: Interface {
  public static let name = "org.renewd.Clocks"
  public static let about = """
    The clocks that accounts live by: the machine's, and test clocks that stand still until
    advanced. For admins.
    """
  public static let role = PeerRole.admin
}

/// A method of `org.renewd.Clocks`.
public protocol ClocksMethod: Method where Home == ClocksInterface {}

extension ClocksInterface {
  public struct List: ClocksMethod, Reading {
    public typealias Answer = ClockList
    public static let name = "List"
    public static let about = ""

    public init() {}

    public mutating func code<C: FieldCoder>(with coder: inout C) throws(C.Failure) {}
  }

  public struct Create: ClocksMethod {
    public typealias Answer = ClockAnswer
    public static let name = "Create"
    public static let about = ""
    public var name = ""
    public var at = Timestamp.zero
    public var requestID: String?

    public init() {}

    public mutating func code<C: FieldCoder>(with coder: inout C) throws(C.Failure) {
      try coder.text("name", &name)
      try coder.time("at", &at)
      try coder.text("requestId", &requestID)
    }
  }

  public struct Advance: ClocksMethod {
    public typealias Answer = AdvanceAnswer
    public static let name = "Advance"
    public static let about = """
      Moves a test clock forward, to a moment or by an ISO 8601 duration (P1M, PT36H), and does
      everything that falls due up to and including it. Answers when all is durable; nextDue of
      the clock is what is due next. At the clock's own time nothing happens, and a time before it
      is InvalidTime. With more, each event comes in a reply of its own, the last has the totals.
      """
    public var clock: String?
    public var to: Timestamp?
    public var by: String?
    public var requestID: String?

    public init() {}

    public mutating func code<C: FieldCoder>(with coder: inout C) throws(C.Failure) {
      try coder.text("clock", &clock)
      try coder.time("to", &to)
      try coder.text("by", &by)
      try coder.text("requestId", &requestID)
    }
  }

  public struct Attach: ClocksMethod {
    public typealias Answer = SequenceAnswer
    public static let name = "Attach"
    public static let about = """
      Moves an account, and its family with it, to a clock.
      """
    public var account = ""
    public var clock = ""
    public var requestID: String?

    public init() {}

    public mutating func code<C: FieldCoder>(with coder: inout C) throws(C.Failure) {
      try coder.text("account", &account)
      try coder.text("clock", &clock)
      try coder.text("requestId", &requestID)
    }
  }

  public struct Accept: ClocksMethod {
    public typealias Answer = ClockAnswer
    public static let name = "Accept"
    public static let about = """
      Lets a held system clock go on: one that leapt more than 48 hours beyond where it was.
      """
    public var clock = ""

    public init() {}

    public mutating func code<C: FieldCoder>(with coder: inout C) throws(C.Failure) {
      try coder.text("clock", &clock)
    }
  }
}

/// What `Clocks.List` answers.
public struct ClockList: Fields, Hashable {
  public var clocks: [Clock] = []

  public init() {}

  public mutating func code<C: FieldCoder>(with coder: inout C) throws(C.Failure) {
    try coder.values("clocks", &clocks)
  }
}

/// A clock after a change.
public struct ClockAnswer: Fields, Hashable {
  public var clock = Clock()

  public init() {}

  public mutating func code<C: FieldCoder>(with coder: inout C) throws(C.Failure) {
    try coder.value("clock", &clock)
  }
}

/// What `Clocks.Advance` answers. As a stream each event comes in a reply of its own, and the last
/// reply, without an event, has the totals.
public struct AdvanceAnswer: Fields, Hashable {
  public var clock = Clock()
  public var firstSequence: Int64 = 0
  public var lastSequence: Int64 = 0
  public var events: Int64 = 0
  public var event: Event?

  public init() {}

  public mutating func code<C: FieldCoder>(with coder: inout C) throws(C.Failure) {
    try coder.value("clock", &clock)
    try coder.integer("firstSequence", &firstSequence)
    try coder.integer("lastSequence", &lastSequence)
    try coder.integer("events", &events)
    try coder.value("event", &event)
  }
}

extension Call where Result == ClockList {
  /// All clocks. Role: admin.
  public static func clocks() -> Call { Call(ClocksInterface.List()) }
}

extension Call where Result == ClockAnswer {
  /// Makes a test clock that stands at `time` until advanced. Role: admin.
  public static func createClock(
    name: String, at time: Timestamp, requestID: String? = nil
  ) -> Call {
    Call(ClocksInterface.Create()) {
      $0.name = name
      $0.at = time
      $0.requestID = requestID
    }
  }

  /// Lets a held system clock go on. Role: admin.
  public static func acceptClock(name: String) -> Call {
    Call(ClocksInterface.Accept()) {
      $0.clock = name
    }
  }
}

extension Call where Result == AdvanceAnswer {
  /// Moves a test clock to a moment and does everything that falls due up to and including it.
  /// The moment at which the clock stands changes nothing; one before it is refused with
  /// `InvalidTime`. Role: admin.
  public static func advance(
    clock: String? = nil, to time: Timestamp, requestID: String? = nil
  ) -> Call {
    Call(ClocksInterface.Advance()) {
      $0.clock = clock
      $0.to = time
      $0.requestID = requestID
    }
  }

  /// Moves a test clock by a span of the calendar in UTC. Role: admin.
  public static func advance(
    clock: String? = nil, by span: CalendarSpan, requestID: String? = nil
  ) -> Call {
    Call(ClocksInterface.Advance()) {
      $0.clock = clock
      $0.by = span.iso8601
      $0.requestID = requestID
    }
  }
}
