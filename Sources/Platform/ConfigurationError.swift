/// What keeps the daemon from starting as it was told, or a new configuration from being used:
/// one sentence that names the option, or the file and line, and what to write instead.
public struct ConfigurationError: Error, Equatable, CustomStringConvertible {
  public var message: String

  public init(_ message: String) {
    self.message = message
  }

  /// The sentence with the place it is about: `--socket-mode: …` or `renewd.conf:3: …`.
  init(_ origin: Origin, _ option: String, _ message: String) {
    switch origin {
    case .commandLine: self.message = "--\(option): \(message)"
    case .environment(let name): self.message = "\(name): \(message)"
    case .file(let path, let line): self.message = "\(path):\(line): \(option): \(message)"
    case .default: self.message = "\(option): \(message)"
    case .catalogue(let path): self.message = "the settings of \(path): \(option): \(message)"
    }
  }

  public var description: String { message }
}

/// Where an option's value came from.
enum Origin: Equatable, Sendable, CustomStringConvertible {
  case `default`
  case commandLine
  case environment(String)
  case file(path: String, line: Int)
  /// The settings of a `.storekit` file.
  case catalogue(String)

  var description: String {
    switch self {
    case .default: "default"
    case .commandLine: "command line"
    case .environment(let name): "environment variable \(name)"
    case .file(let path, let line): "\(path):\(line)"
    case .catalogue(let path): "settings of \(path)"
    }
  }
}

/// A value as written, and where.
struct Setting: Equatable, Sendable {
  var value: String
  var origin: Origin
}
