import Foundation

/// That this account got this app, as the store signed it.
public struct AppTransaction: Sendable {
  public let appID: UInt64?
  public let appVersion: String
  public let appVersionID: UInt64?
  public let bundleID: String
  public let environment: AppStore.Environment
  public let originalAppVersion: String
  public let originalPurchaseDate: Date
  public let preorderDate: Date?
  public let deviceVerification: Data
  public let deviceVerificationNonce: UUID
  public let signedDate: Date
  public let appTransactionID: String
  public let originalPlatform: AppStore.Platform
  /// When the app itself was taken back.
  public let revocationDate: Date?

  let signed: SignedForm

  /// The payload that was signed: JSON with Apple's names.
  public var jsonRepresentation: Data { signed.payload.data }

  /// The app's transaction. Throws `StoreKitError`.
  public static var shared: VerificationResult<AppTransaction> {
    get async throws { try await StoreSession.shared.appTransaction() }
  }

  /// The app's transaction, signed anew. Throws `StoreKitError`.
  public static func refresh() async throws -> VerificationResult<AppTransaction> {
    try await StoreSession.shared.appTransaction()
  }
}

extension AppTransaction: Hashable {
  public static func == (left: AppTransaction, right: AppTransaction) -> Bool {
    left.jsonRepresentation == right.jsonRepresentation
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(jsonRepresentation)
  }
}

extension AppTransaction: SignedValue {
  static let requiredFields = [
    "bundleId", "receiptType", "applicationVersion", "originalApplicationVersion",
    "originalPurchaseDate", "receiptCreationDate",
  ]

  /// Reads a signed app transaction; what is missing is empty.
  init(_ signed: SignedForm) {
    let payload = signed.payload
    self.signed = signed
    appID = payload.integer("appAppleId").flatMap(UInt64.init(exactly:))
    appVersion = payload.text("applicationVersion") ?? ""
    appVersionID = payload.integer("versionExternalIdentifier").flatMap(UInt64.init(exactly:))
    bundleID = payload.text("bundleId") ?? ""
    environment = AppStore.Environment(rawValue: payload.text("receiptType") ?? "")
    originalAppVersion = payload.text("originalApplicationVersion") ?? ""
    originalPurchaseDate = payload.date("originalPurchaseDate") ?? .distantPast
    preorderDate = payload.date("preorderDate")
    deviceVerification = payload.bytes("deviceVerification") ?? Data()
    deviceVerificationNonce = payload.token("deviceVerificationNonce") ?? .zero
    signedDate = payload.date("receiptCreationDate") ?? .distantPast
    appTransactionID = payload.text("appTransactionId") ?? ""
    revocationDate = payload.date("revocationDate")
    originalPlatform = AppStore.Platform(rawValue: payload.text("originalPlatform") ?? "")
  }
}

// Older names of the same.
extension AppTransaction {
  @available(*, deprecated, message: "Use the originalPlatform property instead")
  public var originalPlatformStringRepresentation: String { originalPlatform.rawValue }
}
