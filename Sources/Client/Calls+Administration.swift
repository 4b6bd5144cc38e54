/// What `Log.Describe` answers.
public struct LogDescription: Answer, Hashable {
  public var role: DaemonRole
  /// The log's last event.
  public var sequence: Int64
  /// The last event that is on disk.
  public var durable: Int64
  public var bytes: Int64
  public var segments: Int64
  public var accounts: Int64
  public var subscriptions: Int64
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

  public init(from reader: AnswerReader) throws(TransportError) {
    role = try reader.word("role")
    sequence = try reader.integer("sequence")
    durable = try reader.integer("durable")
    bytes = try reader.integer("bytes")
    segments = try reader.integer("segments")
    accounts = try reader.integer("accounts")
    subscriptions = try reader.integer("subscriptions")
    facts = try reader.integerIfPresent("facts")
    unknownNotifications = try reader.integerIfPresent("unknownNotifications")
    duplicates = try reader.integerIfPresent("duplicates")
    unlinked = try reader.integerIfPresent("unlinked")
    checked = try reader.integerIfPresent("checked")
    damage = try reader.stringIfPresent("damage")
  }
}

/// A page of `Log.Read`.
public struct EventPage: Answer, Hashable {
  public var events: [Event]
  /// Where to go on; nil at the end of the log.
  public var next: Int64?

  public init(from reader: AnswerReader) throws(TransportError) {
    events = try reader.values("events")
    next = try reader.integerIfPresent("next")
  }
}

/// What `Log.Verify` found.
public struct LogVerification: Answer, Hashable {
  public var segments: Int64
  public var batches: Int64
  public var events: Int64
  public var bytes: Int64
  /// What is wrong and where; nil for a sound log.
  public var damage: String?

  public init(from reader: AnswerReader) throws(TransportError) {
    segments = try reader.integer("segments")
    batches = try reader.integer("batches")
    events = try reader.integer("events")
    bytes = try reader.integer("bytes")
    damage = try reader.stringIfPresent("damage")
  }
}

/// The snapshot that `Log.Snapshot` wrote.
public struct SnapshotAnswer: Answer, Hashable {
  /// The last event it contains.
  public var sequence: Int64
  public var bytes: Int64

  public init(from reader: AnswerReader) throws(TransportError) {
    sequence = try reader.integer("sequence")
    bytes = try reader.integer("bytes")
  }
}

/// What `Catalog.Import` made of a file.
public struct ImportAnswer: Answer, Hashable {
  public var products: Int64
  /// What the file says that was passed over, a sentence each.
  public var notices: [String]
  /// The log has this very text already.
  public var isUnchanged: Bool
  public var sequence: Int64

  public init(from reader: AnswerReader) throws(TransportError) {
    products = try reader.integer("products")
    notices = try reader.strings("notices")
    isUnchanged = try reader.bool("unchanged")
    sequence = try reader.integer("sequence")
  }
}

/// What `Catalog.Describe` answers: all that is sold.
public struct CatalogueDescription: Answer, Hashable {
  public var products: [Product]
  public var groups: [SubscriptionGroup]

  public init(from reader: AnswerReader) throws(TransportError) {
    products = try reader.values("products")
    groups = try reader.values("groups")
  }
}

/// An option of the daemon, its value, and where it came from.
public struct DaemonOption: Answer, Hashable {
  public var name: String
  public var value: String
  /// `default`, `command line`, or a file with its line.
  public var origin: String

  public init(from reader: AnswerReader) throws(TransportError) {
    name = try reader.string("name")
    value = try reader.string("value")
    origin = try reader.string("origin")
  }
}

/// What `Daemon.Reload` answers: the options as they are now.
public struct ReloadAnswer: Answer, Hashable {
  public var options: [DaemonOption]

  public init(from reader: AnswerReader) throws(TransportError) {
    options = try reader.values("options")
  }
}

/// What `Daemon.Describe` answers.
public struct DaemonDescription: Answer, Hashable {
  public var version: String
  public var role: DaemonRole
  /// The environment on the wire, such as `Sandbox`.
  public var environment: String
  public var bundleID: String
  /// The status line that systemd shows.
  public var status: String
  public var sequence: Int64
  public var options: [DaemonOption]

  public init(from reader: AnswerReader) throws(TransportError) {
    version = try reader.string("version")
    role = try reader.word("role")
    environment = try reader.string("environment")
    bundleID = try reader.string("bundleId")
    status = try reader.string("status")
    sequence = try reader.integer("sequence")
    options = try reader.values("options")
  }
}

/// What `org.varlink.service.GetInfo` answers, without any role.
public struct ServiceInfo: Answer, Hashable {
  public var vendor: String
  public var product: String
  public var version: String
  public var url: String
  public var interfaces: [String]

  public init(from reader: AnswerReader) throws(TransportError) {
    vendor = try reader.string("vendor")
    product = try reader.string("product")
    version = try reader.string("version")
    url = try reader.string("url")
    interfaces = try reader.strings("interfaces")
  }
}

extension Call where Result == LogDescription {
  /// The log's role, size and counts. Role: admin.
  public static func describeLog() -> Call { Call("Log.Describe", isRead: true, [:]) }
}

extension Call where Result == EventPage {
  /// Events in their order, from one on, at most `count`. `signed` adds signed forms, of the App
  /// Store's facts the texts as they came. Role: admin.
  public static func readLog(from: Int64, count: Int? = nil, signed: Bool? = nil) -> Call {
    Call(
      "Log.Read", isRead: true,
      ["from": .integer(from), "count": .integer(count), "signed": .truth(signed)])
  }
}

extension Call where Result == LogVerification {
  /// Walks over the whole log and checks it. Role: admin.
  public static func verifyLog() -> Call { Call("Log.Verify", isRead: true, [:]) }
}

extension Call where Result == SnapshotAnswer {
  /// Writes a snapshot, so that the next start need not read the whole log. Role: admin.
  public static func snapshotLog() -> Call { Call("Log.Snapshot", [:]) }
}

extension Call where Result == ImportAnswer {
  /// Takes in the text of an Xcode `.storekit` file. `source` names it, so that a newer text of
  /// the same source takes its place. Role: admin.
  public static func importCatalogue(
    text: String, source: String? = nil, requestID: String? = nil
  ) -> Call {
    Call(
      "Catalog.Import",
      ["text": .string(text), "source": .text(source), "requestId": .text(requestID)])
  }
}

extension Call where Result == CatalogueDescription {
  /// All that is sold. Role: admin.
  public static func describeCatalogue() -> Call { Call("Catalog.Describe", isRead: true, [:]) }
}

extension Call where Result == ReloadAnswer {
  /// Reads the configuration again; a wrong one is refused and the old one stays. Role: admin.
  public static func reload() -> Call { Call("Daemon.Reload", [:]) }
}

extension Call where Result == DaemonDescription {
  /// Version, role, environment and options. Role: admin.
  public static func describeDaemon() -> Call { Call("Daemon.Describe", isRead: true, [:]) }
}

extension Call where Result == ServiceInfo {
  /// Who answers at the socket; any caller may ask.
  public static func serviceInfo() -> Call {
    Call(method: "org.varlink.service.GetInfo", isRead: true)
  }
}
