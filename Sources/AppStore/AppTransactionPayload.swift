import Subscriptions

/// The app itself as a customer has it: one for each account (Domain.md 3.4).
public struct AppTransactionPayload: PayloadModel {
  /// The environment.
  public var receiptType: Open<Wire.Environment>?
  public var appAppleID: Int64?
  public var bundleID: String?
  public var applicationVersion: String?
  public var versionExternalIdentifier: Int64?
  /// When it was signed.
  public var receiptCreationDate: Instant?
  public var originalPurchaseDate: Instant?
  public var originalApplicationVersion: String?
  public var deviceVerification: String?
  public var deviceVerificationNonce: String?
  public var preorderDate: Instant?
  public var appTransactionID: String?
  public var originalPlatform: Open<Wire.Platform>?
  /// Xcode's own.
  public var requestDate: Instant?

  /// What Xcode signs where it knows no `originalPurchaseDate`: milliseconds since 1970 UTC.
  public static let unknownPurchaseDate = Instant(milliseconds: -62_135_769_600_000)

  public init() {}

  public mutating func code<Coder: PayloadCoder>(
    with coder: inout Coder
  ) throws(Coder.Failure) {
    try coder.open("receiptType", &receiptType)
    try coder.integer("appAppleId", &appAppleID)
    try coder.text("bundleId", &bundleID)
    try coder.text("applicationVersion", &applicationVersion)
    try coder.integer("versionExternalIdentifier", &versionExternalIdentifier)
    try coder.date("receiptCreationDate", &receiptCreationDate)
    try coder.date("originalPurchaseDate", &originalPurchaseDate)
    try coder.text("originalApplicationVersion", &originalApplicationVersion)
    try coder.text("deviceVerification", &deviceVerification)
    try coder.text("deviceVerificationNonce", &deviceVerificationNonce)
    try coder.date("preorderDate", &preorderDate)
    try coder.text("appTransactionId", &appTransactionID)
    try coder.open("originalPlatform", &originalPlatform)
    try coder.date("requestDate", &requestDate)
  }
}
