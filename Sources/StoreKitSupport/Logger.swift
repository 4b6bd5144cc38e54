/// Writes messages of one part of a program, to standard error.
///
/// From `notice` on they are written; `RENEWD_LOG_LEVEL=debug` in the environment, or `info`, has
/// the others written too.
public struct Logger: Sendable {
  private let log: OSLog

  public init() { log = .default }

  public init(_ log: OSLog) { self.log = log }

  public init(subsystem: String, category: String) {
    log = OSLog(subsystem: subsystem, category: category)
  }

  public func log(_ message: OSLogMessage) { log.write(message, .default) }

  public func log(level: OSLogType, _ message: OSLogMessage) { log.write(message, level) }

  public func trace(_ message: OSLogMessage) { log.write(message, .debug) }

  public func debug(_ message: OSLogMessage) { log.write(message, .debug) }

  public func info(_ message: OSLogMessage) { log.write(message, .info) }

  public func notice(_ message: OSLogMessage) { log.write(message, .default) }

  public func warning(_ message: OSLogMessage) { log.write(message, .error) }

  public func error(_ message: OSLogMessage) { log.write(message, .error) }

  public func critical(_ message: OSLogMessage) { log.write(message, .fault) }

  public func fault(_ message: OSLogMessage) { log.write(message, .fault) }
}
