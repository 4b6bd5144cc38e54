/// The part a daemon plays, fixed when its log is made.
public enum Role: UInt8, Sendable, CaseIterable {
  case store = 0
  case record = 1
}

/// Who asked for an event: the peer's uid and, where it gave one, its request id with a
/// fingerprint of the call, so that a repeated request is known across restarts.
public struct Caller: Hashable, Sendable {
  public var uid: UInt32
  public var requestID: String?
  public var fingerprint: UInt64

  public init(uid: UInt32, requestID: String? = nil, fingerprint: UInt64 = 0) {
    self.uid = uid
    self.requestID = requestID
    self.fingerprint = fingerprint
  }
}

/// A UUID's 128 bits, in two halves.
public struct UUIDBits: Hashable, Sendable {
  public var high: UInt64
  public var low: UInt64

  public init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }
}

/// One fact in the log, with its time on its clock. Its sequence and the time it was recorded are
/// the log's to give.
public struct Event: Hashable, Sendable {
  public var at: Instant
  public var clock: ClockNumber
  public var caller: Caller?
  public var fact: Fact

  public init(at: Instant, clock: ClockNumber, caller: Caller? = nil, fact: Fact) {
    self.at = at
    self.clock = clock
    self.caller = caller
    self.fact = fact
  }
}

/// An event of a subscription line that nobody asked for, without text: what falls due, and most
/// of a log. It is the fast way through the fold.
public struct LineEvent: Hashable, Sendable {
  public var at: Instant
  public var clock: ClockNumber
  public var kind: LineKind
  public var fact: LineFact

  public init(at: Instant, clock: ClockNumber, kind: LineKind, fact: LineFact) {
    self.at = at
    self.clock = clock
    self.kind = kind
    self.fact = fact
  }
}

extension Event {
  public init(_ event: LineEvent) {
    self.init(at: event.at, clock: event.clock, fact: .line(event.kind, event.fact))
  }
}
