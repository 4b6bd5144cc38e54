import Foundation

/// What the environment says of messages, read once; and where they go: standard error, which
/// systemd keeps in the journal.
struct LogSettings: Sendable {
  /// The least kind that is written; Apple's too keeps what is less in memory only.
  var least = OSLogType.default
  /// Whether values that are private are written.
  var showsPrivate = false
  /// What is wrong in the environment: a sentence for a person.
  var complaints: [String] = []

  static let levelVariable = "RENEWD_LOG_LEVEL"
  static let privateVariable = "RENEWD_LOG_PRIVATE"

  static let shared = {
    let settings = LogSettings(environment: ProcessInfo.processInfo.environment)
    for complaint in settings.complaints { settings.write(complaint) }
    return settings
  }()

  init(environment: [String: String]) {
    if let word = environment[Self.levelVariable] {
      if let type = OSLogType.all.first(where: { $0.name == word }) {
        least = type
      } else {
        let words = OSLogType.all.map(\.name).joined(separator: ", ")
        complaints.append(
          "\(Self.levelVariable)=\(word) is no kind of message; there are \(words)")
      }
    }
    switch environment[Self.privateVariable] {
    case nil, "hide": showsPrivate = false
    case "show": showsPrivate = true
    case let word?:
      complaints.append("\(Self.privateVariable)=\(word) is neither show nor hide")
    }
  }

  /// One write for a line, so that lines of several threads do not mix.
  func write(_ line: String) {
    FileHandle.standardError.write(Data((line + "\n").utf8))
  }
}
