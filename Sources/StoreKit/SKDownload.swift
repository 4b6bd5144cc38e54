import Foundation

// Content that Apple hosted, which it stopped in 2022. The names are there so that old code
// compiles; there are no downloads, so nothing is started and no observer hears of one.

/// How long an unknown rest takes.
public let SKDownloadTimeRemainingUnknown: TimeInterval = -1

/// Where a download stands. Raw values are those of Apple's header.
public enum SKDownloadState: Int, Sendable {
  case waiting = 0
  case active
  case paused
  case finished
  case failed
  case cancelled
}

/// Hosted content; there is none.
@available(*, deprecated, message: "Hosted content is no longer supported")
open class SKDownload: NSObject, @unchecked Sendable {
  /// A download without any property, for a test's own subclass.
  public override init() {}

  open var state: SKDownloadState { .waiting }
  open var contentIdentifier: String { "" }
  open var contentVersion: String { "" }
  open var contentURL: URL? { nil }
  /// Bytes.
  open var expectedContentLength: Int64 { 0 }
  open var error: (any Error)? { nil }
  /// 0 to 1.
  open var progress: Float { 0 }
  /// Seconds.
  open var timeRemaining: TimeInterval { SKDownloadTimeRemainingUnknown }
  open var transaction: SKPaymentTransaction { SKPaymentTransaction() }
}

extension SKPaymentQueue {
  /// Does nothing: there are no downloads.
  @available(*, deprecated, message: "Hosted content is no longer supported")
  public func start(_ downloads: [SKDownload]) {}

  /// Does nothing: there are no downloads.
  @available(*, deprecated, message: "Hosted content is no longer supported")
  public func pause(_ downloads: [SKDownload]) {}

  /// Does nothing: there are no downloads.
  @available(*, deprecated, message: "Hosted content is no longer supported")
  public func resume(_ downloads: [SKDownload]) {}

  /// Does nothing: there are no downloads.
  @available(*, deprecated, message: "Hosted content is no longer supported")
  public func cancel(_ downloads: [SKDownload]) {}
}

extension SKPaymentTransaction {
  /// None.
  @available(*, deprecated, message: "Hosted content is no longer supported")
  public var downloads: [SKDownload] { [] }
}
