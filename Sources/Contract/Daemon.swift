import Varlink

/// `org.renewd.Daemon`.
public enum DaemonInterface: Interface {
  public static let name = "org.renewd.Daemon"
  public static let about = """
    The daemon. For admins.
    """
  public static let role = PeerRole.admin
}

/// A method of `org.renewd.Daemon`.
public protocol DaemonMethod: Method where Home == DaemonInterface {}

extension DaemonInterface {
  public struct Reload: DaemonMethod {
    public typealias Answer = ReloadAnswer
    public static let name = "Reload"
    public static let about = """
      Reads the configuration again. A wrong one is refused and the old one stays.
      """

    public init() {}

    public mutating func code<C: FieldCoder>(with coder: inout C) throws(C.Failure) {}
  }

  public struct Describe: DaemonMethod, Reading {
    public typealias Answer = DaemonDescription
    public static let name = "Describe"
    public static let about = ""

    public init() {}

    public mutating func code<C: FieldCoder>(with coder: inout C) throws(C.Failure) {}
  }
}

/// An option of the daemon, its value, and where it came from.
public struct DaemonOption: NamedFields, Hashable {
  public static let typeName = "Option"
  public static let about = """
    An option, its value, and where it came from.
    """
  public var name = ""
  public var value = ""
  /// `default`, `command line`, or a file with its line.
  public var origin = ""

  public init() {}

  public mutating func code<C: FieldCoder>(with coder: inout C) throws(C.Failure) {
    try coder.text("name", &name)
    try coder.text("value", &value)
    try coder.text("origin", &origin)
  }
}

/// What `Daemon.Reload` answers: the options as they are now.
public struct ReloadAnswer: Fields, Hashable {
  public var options: [DaemonOption] = []

  public init() {}

  public mutating func code<C: FieldCoder>(with coder: inout C) throws(C.Failure) {
    try coder.values("options", &options)
  }
}

extension Call where Result == ReloadAnswer {
  /// Reads the configuration again; a wrong one is refused and the old one stays. Role: admin.
  public static func reload() -> Call { Call(DaemonInterface.Reload()) }
}

/// What `Daemon.Describe` answers.
public struct DaemonDescription: Fields, Hashable {
  public var version = ""
  public var role = DaemonRole(rawValue: "")
  /// The environment on the wire, such as `Sandbox`.
  public var environment = ""
  public var bundleID = ""
  /// The status line that systemd shows.
  public var status = ""
  public var sequence: Int64 = 0
  public var options: [DaemonOption] = []

  public init() {}

  public mutating func code<C: FieldCoder>(with coder: inout C) throws(C.Failure) {
    try coder.text("version", &version)
    try coder.word("role", &role)
    try coder.text("environment", &environment)
    try coder.text("bundleId", &bundleID)
    try coder.text("status", &status)
    try coder.integer("sequence", &sequence)
    try coder.values("options", &options)
  }
}

extension Call where Result == DaemonDescription {
  /// Version, role, environment and options. Role: admin.
  public static func describeDaemon() -> Call { Call(DaemonInterface.Describe()) }
}

/// What `org.varlink.service.GetInfo` answers, without any role.
public struct ServiceInfo: Fields, Hashable {
  public var vendor = ""
  public var product = ""
  public var version = ""
  public var url = ""
  public var interfaces: [String] = []

  public init() {}

  public mutating func code<C: FieldCoder>(with coder: inout C) throws(C.Failure) {
    try coder.text("vendor", &vendor)
    try coder.text("product", &product)
    try coder.text("version", &version)
    try coder.text("url", &url)
    try coder.texts("interfaces", &interfaces)
  }
}

extension Call where Result == ServiceInfo {
  /// Who answers at the socket; any caller may ask.
  public static func serviceInfo() -> Call {
    Call(method: "org.varlink.service.GetInfo", isRead: true)
  }
}
