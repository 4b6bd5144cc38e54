import EventLog
import Subscriptions

/// A connection as the shell numbers it. A number is not used again while the daemon runs.
public typealias ConnectionID = UInt64

/// Who is at the other end of a connection, read once when it was accepted.
public struct Peer: Sendable, Equatable {
  public var uid: UInt32
  public var gid: UInt32
  public var groups: [UInt32]
  public var pid: Int32

  public init(uid: UInt32, gid: UInt32, groups: [UInt32] = [], pid: Int32 = 0) {
    self.uid = uid
    self.gid = gid
    self.groups = groups
    self.pid = pid
  }
}

/// One reading of the machine's clocks, taken once a turn. Milliseconds.
public struct ClockReading: Sendable, Equatable {
  /// CLOCK_REALTIME since 1970 UTC.
  public var realtime: Int64
  /// CLOCK_BOOTTIME: goes on through suspend, never steps.
  public var boottime: Int64

  public init(realtime: Int64, boottime: Int64) {
    self.realtime = realtime
    self.boottime = boottime
  }
}

/// How loud a notice is; the raw values are syslog's priorities.
public enum NoticePriority: Int32, Sendable {
  case error = 3
  case warning = 4
  case notice = 5
  case info = 6
}

/// Something for the journal: a sentence and its fields. Never a token, key or raw JWS.
public struct Notice: Sendable, Equatable {
  public var priority: NoticePriority
  public var message: String
  /// The kind of notice, which has a `MESSAGE_ID` and an entry in the journal's catalogue.
  public var kind: NoticeKind
  /// `RENEWD_…` fields, names without the prefix.
  public var fields: [(name: String, value: String)]

  public init(
    _ kind: NoticeKind, _ priority: NoticePriority, _ message: String,
    fields: [(name: String, value: String)] = []
  ) {
    self.kind = kind
    self.priority = priority
    self.message = message
    self.fields = fields
  }

  public static func == (left: Notice, right: Notice) -> Bool {
    left.kind == right.kind && left.priority == right.priority && left.message == right.message
      && left.fields.elementsEqual(right.fields) { $0 == $1 }
  }
}

/// The kinds of notice.
public enum NoticeKind: String, Sendable, CaseIterable {
  case event
  case eventsOmitted
  case clockStepped
  case clockHeld
  case clockWrong
  case diskFull
  case diskFreed
  case logFailed
  case logUnreadable
  case logChecked
  case catalogue
  case reloaded
  case reloadRefused
  case connectionRefused
  case recovery
  case snapshot
  case configuration
  case stopping
}

/// What the engine wants done by its shell. Outputs of one turn are carried out in their order.
public enum Output: Sendable {
  /// Hand a batch to the writer; at most one is under way.
  case write(SealedBatch)
  /// Hand a question to the reader; the answer comes back with its number.
  case read(ReadID, ReadRequest)
  /// Wake the engine when the machine's realtime clock reaches this; nil for never.
  case wake(Instant?)
  /// The status line for the service manager and `renewctl doctor`.
  case status(String)
  case notice(Notice)
  /// Close the connection, after what was sent to it has gone out.
  case close(ConnectionID)
  /// Read the configuration again and call `reloaded`.
  case reload
  /// Leave, with this exit status.
  case exit(Int32)
}

/// The number of a question to the reader.
public typealias ReadID = UInt64
