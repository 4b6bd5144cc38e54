import Foundation

/// What concerns the store as a whole.
public enum AppStore: Sendable {
  /// Whether the account may buy at all; always true here.
  public static var canMakePayments: Bool { true }

  /// The device's part in a signature. A Linux machine has none.
  public static var deviceVerificationID: UUID? { nil }

  /// Asks the daemon anew what the account has. What was heard before stays heard, so this is
  /// needed only where a person asks to restore purchases. Transactions keep their ids:
  /// `SKPaymentQueue.restoreCompletedTransactions()` gives new ones. Throws `StoreKitError`.
  public static func sync() async throws {
    try await StoreSession.shared.sync()
  }

  /// Where a transaction was made.
  public struct Environment: RawRepresentable, Hashable, Sendable {
    public let rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }

    public static let production = Environment(rawValue: "Production")
    public static let sandbox = Environment(rawValue: "Sandbox")
    public static let xcode = Environment(rawValue: "Xcode")
  }

  /// On what an app was first bought.
  public struct Platform: RawRepresentable, Hashable, Sendable {
    public let rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }

    public static let iOS = Platform(rawValue: "iOS")
    public static let macOS = Platform(rawValue: "macOS")
    public static let tvOS = Platform(rawValue: "tvOS")
    public static let visionOS = Platform(rawValue: "visionOS")
  }
}
