/// What `Clocks.List` answers.
public struct ClockList: Answer, Hashable {
  public var clocks: [Clock]

  public init(from reader: AnswerReader) throws(TransportError) {
    clocks = try reader.values("clocks")
  }
}

/// A clock after a change.
public struct ClockAnswer: Answer, Hashable {
  public var clock: Clock

  public init(from reader: AnswerReader) throws(TransportError) {
    clock = try reader.value("clock")
  }
}

/// What `Clocks.Advance` answers. As a stream each event comes in a reply of its own, and the last
/// reply, without an event, has the totals.
public struct AdvanceAnswer: Answer, Hashable {
  public var clock: Clock
  public var firstSequence: Int64
  public var lastSequence: Int64
  public var events: Int64
  public var event: Event?

  public init(from reader: AnswerReader) throws(TransportError) {
    clock = try reader.value("clock")
    firstSequence = try reader.integer("firstSequence")
    lastSequence = try reader.integer("lastSequence")
    events = try reader.integer("events")
    event = try reader.valueIfPresent("event")
  }
}

extension Call where Result == ClockList {
  /// All clocks. Role: admin.
  public static func clocks() -> Call { Call("Clocks.List", isRead: true, [:]) }
}

extension Call where Result == ClockAnswer {
  /// Makes a test clock that stands at `time` until advanced. Role: admin.
  public static func createClock(
    name: String, at time: Timestamp, requestID: String? = nil
  ) -> Call {
    Call(
      "Clocks.Create",
      ["name": .string(name), "at": .time(time), "requestId": .text(requestID)])
  }

  /// Lets a held system clock go on. Role: admin.
  public static func acceptClock(name: String) -> Call {
    Call("Clocks.Accept", ["clock": .string(name)])
  }
}

extension Call where Result == AdvanceAnswer {
  /// Moves a test clock to a moment and does everything that falls due up to and including it.
  /// The moment at which the clock stands changes nothing; one before it is refused with
  /// `InvalidTime`. Role: admin.
  public static func advance(
    clock: String? = nil, to time: Timestamp, requestID: String? = nil
  ) -> Call {
    Call(
      "Clocks.Advance",
      ["clock": .text(clock), "to": .time(time), "requestId": .text(requestID)])
  }

  /// Moves a test clock by a span of the calendar in UTC. Role: admin.
  public static func advance(
    clock: String? = nil, by span: CalendarSpan, requestID: String? = nil
  ) -> Call {
    Call(
      "Clocks.Advance",
      ["clock": .text(clock), "by": .string(span.iso8601), "requestId": .text(requestID)])
  }
}
