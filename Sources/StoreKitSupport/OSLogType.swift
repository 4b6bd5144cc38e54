/// How much a message matters.
public struct OSLogType: RawRepresentable, Hashable, Sendable {
  public let rawValue: UInt8

  public init(_ rawValue: UInt8) { self.rawValue = rawValue }

  public init(rawValue: UInt8) { self.rawValue = rawValue }

  public static let `default` = OSLogType(0x00)
  public static let info = OSLogType(0x01)
  public static let debug = OSLogType(0x02)
  public static let error = OSLogType(0x10)
  public static let fault = OSLogType(0x11)

  /// All, the least first.
  static let all: [OSLogType] = [.debug, .info, .default, .error, .fault]

  /// The word for it, in what is written and in the environment.
  var name: String {
    switch self {
    case .debug: "debug"
    case .info: "info"
    case .default: "default"
    case .error: "error"
    case .fault: "fault"
    default: "level \(rawValue)"
    }
  }

  /// Its place among all; an unknown number stands with `default`.
  var order: Int { Self.all.firstIndex(of: self) ?? Self.all.firstIndex(of: .default) ?? 0 }
}
