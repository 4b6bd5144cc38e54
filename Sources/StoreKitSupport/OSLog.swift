/// Of which part of a program messages are.
public final class OSLog: Sendable {
  let subsystem: String
  let category: String
  private let isDisabled: Bool

  public init(subsystem: String, category: String) {
    self.subsystem = subsystem
    self.category = category
    isDisabled = false
  }

  private init(disabled: Bool) {
    subsystem = ""
    category = ""
    isDisabled = disabled
  }

  /// Messages of no part in particular.
  public static let `default` = OSLog(disabled: false)

  /// Messages that nobody reads.
  public static let disabled = OSLog(disabled: true)

  /// Whether messages of the kind are written.
  public func isEnabled(type: OSLogType) -> Bool {
    !isDisabled && type.order >= LogSettings.shared.least.order
  }

  func write(_ message: @autoclosure () -> OSLogMessage, _ type: OSLogType) {
    guard isEnabled(type: type) else { return }
    LogSettings.shared.write(line(message(), type, showsPrivate: LogSettings.shared.showsPrivate))
  }

  /// A message as it is written: `[subsystem:category] error: text`.
  func line(_ message: OSLogMessage, _ type: OSLogType, showsPrivate: Bool) -> String {
    let place = subsystem.isEmpty && category.isEmpty ? "" : "[\(subsystem):\(category)] "
    return "\(place)\(type.name): \(message.text(showsPrivate: showsPrivate))"
  }
}
