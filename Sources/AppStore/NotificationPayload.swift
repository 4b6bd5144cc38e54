import Subscriptions

/// ResponseBodyV2DecodedPayload: what a store tells an app's server (Domain.md 3.3). One of `data`,
/// `summary`, `externalPurchaseToken` and `appData` is there.
public struct NotificationPayload: PayloadModel {
  public var notificationType: Open<Wire.NotificationType>?
  public var subtype: Open<Wire.NotificationSubtype>?
  /// The same value is the same notification.
  public var notificationUUID: String?
  public var version: String?
  public var signedDate: Instant?
  public var data: NotificationData?
  public var summary: NotificationSummary?
  public var externalPurchaseToken: ExternalPurchaseToken?
  public var appData: NotificationAppData?

  public init() {}

  public mutating func code<Coder: PayloadCoder>(
    with coder: inout Coder
  ) throws(Coder.Failure) {
    try coder.open("notificationType", &notificationType)
    try coder.open("subtype", &subtype)
    try coder.text("notificationUUID", &notificationUUID)
    try coder.text("version", &version)
    try coder.date("signedDate", &signedDate)
    try coder.model("data", &data)
    try coder.model("summary", &summary)
    try coder.model("externalPurchaseToken", &externalPurchaseToken)
    try coder.model("appData", &appData)
  }
}

extension NotificationPayload {
  /// The app that it is for, from whichever part it has.
  public var bundleID: String? {
    if let data { return data.bundleID }
    if let summary { return summary.bundleID }
    if let externalPurchaseToken { return externalPurchaseToken.bundleID }
    return appData?.bundleID
  }

  /// The app's number in the store.
  public var appAppleID: Int64? {
    if let data { return data.appAppleID }
    if let summary { return summary.appAppleID }
    if let externalPurchaseToken { return externalPurchaseToken.appAppleID }
    return appData?.appAppleID
  }

  /// The environment; that of an external purchase is in its identifier (Domain.md 4.2).
  public var environment: Open<Wire.Environment>? {
    if let data { return data.environment }
    if let summary { return summary.environment }
    if let externalPurchaseToken {
      let isSandbox = externalPurchaseToken.externalPurchaseID?.hasPrefix("SANDBOX") ?? false
      return Open(isSandbox ? .sandbox : .production)
    }
    return appData?.environment
  }
}

/// A notification about one transaction or line.
public struct NotificationData: PayloadModel {
  public var environment: Open<Wire.Environment>?
  public var appAppleID: Int64?
  public var bundleID: String?
  public var bundleVersion: String?
  /// Compact JWS of a transaction, to be verified by itself.
  public var signedTransactionInfo: String?
  /// Compact JWS of a renewal info, to be verified by itself.
  public var signedRenewalInfo: String?
  /// Where the line stood when this was signed.
  public var status: Open<Wire.Status>?
  public var consumptionRequestReason: Open<Wire.ConsumptionRequestReason>?

  public init() {}

  public mutating func code<Coder: PayloadCoder>(
    with coder: inout Coder
  ) throws(Coder.Failure) {
    try coder.open("environment", &environment)
    try coder.integer("appAppleId", &appAppleID)
    try coder.text("bundleId", &bundleID)
    try coder.text("bundleVersion", &bundleVersion)
    try coder.text("signedTransactionInfo", &signedTransactionInfo)
    try coder.text("signedRenewalInfo", &signedRenewalInfo)
    try coder.open("status", &status)
    try coder.open("consumptionRequestReason", &consumptionRequestReason)
  }
}

/// How an extension of many subscriptions went.
public struct NotificationSummary: PayloadModel {
  public var environment: Open<Wire.Environment>?
  public var appAppleID: Int64?
  public var bundleID: String?
  public var productID: String?
  public var requestIdentifier: String?
  public var storefrontCountryCodes: [String]?
  public var succeededCount: Int64?
  public var failedCount: Int64?

  public init() {}

  public mutating func code<Coder: PayloadCoder>(
    with coder: inout Coder
  ) throws(Coder.Failure) {
    try coder.open("environment", &environment)
    try coder.integer("appAppleId", &appAppleID)
    try coder.text("bundleId", &bundleID)
    try coder.text("productId", &productID)
    try coder.text("requestIdentifier", &requestIdentifier)
    try coder.texts("storefrontCountryCodes", &storefrontCountryCodes)
    try coder.integer("succeededCount", &succeededCount)
    try coder.integer("failedCount", &failedCount)
  }
}

/// A purchase outside the store that was not reported.
public struct ExternalPurchaseToken: PayloadModel {
  public var externalPurchaseID: String?
  public var tokenCreationDate: Instant?
  public var appAppleID: Int64?
  public var bundleID: String?

  public init() {}

  public mutating func code<Coder: PayloadCoder>(
    with coder: inout Coder
  ) throws(Coder.Failure) {
    try coder.text("externalPurchaseId", &externalPurchaseID)
    try coder.date("tokenCreationDate", &tokenCreationDate)
    try coder.integer("appAppleId", &appAppleID)
    try coder.text("bundleId", &bundleID)
  }
}

/// A notification about the app as a customer has it.
public struct NotificationAppData: PayloadModel {
  public var environment: Open<Wire.Environment>?
  public var appAppleID: Int64?
  public var bundleID: String?
  /// Compact JWS of an app transaction, to be verified by itself.
  public var signedAppTransactionInfo: String?

  public init() {}

  public mutating func code<Coder: PayloadCoder>(
    with coder: inout Coder
  ) throws(Coder.Failure) {
    try coder.open("environment", &environment)
    try coder.integer("appAppleId", &appAppleID)
    try coder.text("bundleId", &bundleID)
    try coder.text("signedAppTransactionInfo", &signedAppTransactionInfo)
  }
}
