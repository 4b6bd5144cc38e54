import Varlink

/// `org.renewd.Log`.
public enum LogInterface: Interface {
  public static let name = "org.renewd.Log"
  public static let about = """
    The log itself. For admins.
    """
  public static let role = PeerRole.admin
}

/// A method of `org.renewd.Log`.
public protocol LogMethod: Method where Home == LogInterface {}

extension LogInterface {
  public struct Describe: LogMethod, Reading {
    public typealias Answer = LogDescription
    public static let name = "Describe"
    public static let about = """
      role: what the log was made for. sequence: its last event. durable: the last one on disk.
      facts: signed facts taken in; unknownNotifications: those of them of a type that this version
      does not know; duplicates: facts since the start that were here before; unlinked: lines and
      purchases that signed facts told of and that are nobody's. checked: the last event that the
      check of all segments after the start found sound, once it is through; damage: what is known
      to be wrong in the log, and where.
      """

    public init() {}

    public mutating func code<C: FieldCoder>(with coder: inout C) throws(C.Failure) {}
  }

  public struct Read: LogMethod, Reading {
    public typealias Answer = EventPage
    public static let name = "Read"
    public static let about = """
      Events in their order, at most count of them; next is where to go on, absent at the end.
      signed adds signed forms, dated as each event; of the App Store's facts the texts as they
      came.
      """
    public var from: Int64 = 0
    public var count: Int64?
    public var signed: Bool?

    public init() {}

    public mutating func code<C: FieldCoder>(with coder: inout C) throws(C.Failure) {
      try coder.integer("from", &from)
      try coder.integer("count", &count)
      try coder.flag("signed", &signed)
    }
  }

  public struct Verify: LogMethod, Reading {
    public typealias Answer = LogVerification
    public static let name = "Verify"
    public static let about = """
      Walks over the whole log and checks it.
      """

    public init() {}

    public mutating func code<C: FieldCoder>(with coder: inout C) throws(C.Failure) {}
  }

  public struct Snapshot: LogMethod {
    public typealias Answer = SnapshotAnswer
    public static let name = "Snapshot"
    public static let about = """
      Writes a snapshot, so that the next start need not read the whole log.
      """

    public init() {}

    public mutating func code<C: FieldCoder>(with coder: inout C) throws(C.Failure) {}
  }
}

/// What `Log.Describe` answers.
public struct LogDescription: Fields, Hashable {
  public var role = DaemonRole(rawValue: "")
  /// The log's last event.
  public var sequence: Int64 = 0
  /// The last event that is on disk.
  public var durable: Int64 = 0
  public var bytes: Int64 = 0
  public var segments: Int64 = 0
  public var accounts: Int64 = 0
  public var subscriptions: Int64 = 0
  /// Signed facts taken in; nil in a store log without any, as the three that follow.
  public var facts: Int64?
  /// Notifications among them of a type that the daemon does not know.
  public var unknownNotifications: Int64?
  /// Signed facts since the daemon's start that were there before.
  public var duplicates: Int64?
  /// Subscriptions and purchases that signed facts told of and that are nobody's.
  public var unlinked: Int64?
  /// The last event that the check after the start found sound; nil before that is at its end.
  public var checked: Int64?
  /// What is known to be wrong in the log, and where; nil for nothing.
  public var damage: String?

  public init() {}

  public mutating func code<C: FieldCoder>(with coder: inout C) throws(C.Failure) {
    try coder.word("role", &role)
    try coder.integer("sequence", &sequence)
    try coder.integer("durable", &durable)
    try coder.integer("bytes", &bytes)
    try coder.integer("segments", &segments)
    try coder.integer("accounts", &accounts)
    try coder.integer("subscriptions", &subscriptions)
    try coder.integer("facts", &facts)
    try coder.integer("unknownNotifications", &unknownNotifications)
    try coder.integer("duplicates", &duplicates)
    try coder.integer("unlinked", &unlinked)
    try coder.integer("checked", &checked)
    try coder.text("damage", &damage)
  }
}

/// A page of `Log.Read`.
public struct EventPage: Fields, Hashable {
  public var events: [Event] = []
  /// Where to go on; nil at the end of the log.
  public var next: Int64?

  public init() {}

  public mutating func code<C: FieldCoder>(with coder: inout C) throws(C.Failure) {
    try coder.values("events", &events)
    try coder.integer("next", &next)
  }
}

/// What `Log.Verify` found.
public struct LogVerification: Fields, Hashable {
  public var segments: Int64 = 0
  public var batches: Int64 = 0
  public var events: Int64 = 0
  public var bytes: Int64 = 0
  /// What is wrong and where; nil for a sound log.
  public var damage: String?

  public init() {}

  public mutating func code<C: FieldCoder>(with coder: inout C) throws(C.Failure) {
    try coder.integer("segments", &segments)
    try coder.integer("batches", &batches)
    try coder.integer("events", &events)
    try coder.integer("bytes", &bytes)
    try coder.text("damage", &damage)
  }
}

/// The snapshot that `Log.Snapshot` wrote.
public struct SnapshotAnswer: Fields, Hashable {
  /// The last event it contains.
  public var sequence: Int64 = 0
  public var bytes: Int64 = 0

  public init() {}

  public mutating func code<C: FieldCoder>(with coder: inout C) throws(C.Failure) {
    try coder.integer("sequence", &sequence)
    try coder.integer("bytes", &bytes)
  }
}

extension Call where Result == LogDescription {
  /// The log's role, size and counts. Role: admin.
  public static func describeLog() -> Call { Call(LogInterface.Describe()) }
}

extension Call where Result == EventPage {
  /// Events in their order, from one on, at most `count`. `signed` adds signed forms, of the App
  /// Store's facts the texts as they came. Role: admin.
  public static func readLog(from: Int64, count: Int? = nil, signed: Bool? = nil) -> Call {
    Call(LogInterface.Read()) {
      $0.from = from
      $0.count = count.map(Int64.init)
      $0.signed = signed
    }
  }
}

extension Call where Result == LogVerification {
  /// Walks over the whole log and checks it. Role: admin.
  public static func verifyLog() -> Call { Call(LogInterface.Verify()) }
}

extension Call where Result == SnapshotAnswer {
  /// Writes a snapshot, so that the next start need not read the whole log. Role: admin.
  public static func snapshotLog() -> Call { Call(LogInterface.Snapshot()) }
}
