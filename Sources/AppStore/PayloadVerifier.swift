import Subscriptions

/// Believes signed payloads of one app in one environment, in the order of checks of Apple's
/// libraries (Domain.md 4.2): signature, then app, then environment.
public struct PayloadVerifier: Sendable {
  /// Which signatures count.
  public enum Trust: Sendable {
    /// Those that lead to a root which this trusts.
    case roots(any SignatureVerifier)
    /// None is looked at: Xcode signs with a key of its own, and one certificate. What a daemon is
    /// sent by others must never be believed so (Domain.md 8, case 84).
    case unsigned
  }

  public var trust: Trust
  public var bundleID: String
  /// The app's number in the store; only production data is compared with it.
  public var appAppleID: Int64?
  public var environment: Open<Wire.Environment>

  public init(
    trust: Trust, bundleID: String, appAppleID: Int64? = nil,
    environment: Open<Wire.Environment>
  ) {
    self.trust = trust
    self.bundleID = bundleID
    self.appAppleID = appAppleID
    self.environment = environment
  }

  // `now` is when the certificates must be valid where the payload has no date of its own.
  // `field` is the one that the text stood in, where it is a part of another. What a part of a
  // notification does not say of app and environment is the notification's; what it says must be
  // right all the same.

  /// A transaction that is right in every way.
  public func transaction(
    _ signed: CompactJWS, now: Instant, in field: String? = nil
  ) throws(VerificationFailure) -> TransactionPayload {
    let payload = try read(TransactionPayload.self, .transaction, signed, in: field)
    try payload.checkTimes()
    try check(signed, at: payload.signedDate ?? now)
    if field == nil || payload.bundleID != nil { try check(bundleID: payload.bundleID) }
    if field == nil || payload.environment != nil { try check(environment: payload.environment) }
    return payload
  }

  /// A renewal info that is right in every way. It names no app: it is this app's only if its line
  /// is that of a transaction verified here (Domain.md 8, case 88).
  public func renewalInfo(
    _ signed: CompactJWS, now: Instant, in field: String? = nil
  ) throws(VerificationFailure) -> RenewalInfoPayload {
    let payload = try read(RenewalInfoPayload.self, .renewalInfo, signed, in: field)
    try payload.checkTimes()
    try check(signed, at: payload.signedDate ?? now)
    if field == nil || payload.environment != nil { try check(environment: payload.environment) }
    return payload
  }

  /// A notification that is right in every way. The signed texts inside it are not looked at.
  public func notification(
    _ signed: CompactJWS, now: Instant
  ) throws(VerificationFailure) -> NotificationPayload {
    let payload = try read(NotificationPayload.self, .notification, signed)
    try payload.checkTimes()
    try check(signed, at: payload.signedDate ?? now)
    try check(bundleID: payload.bundleID)
    try check(appAppleID: payload.appAppleID)
    try check(environment: payload.environment)
    return payload
  }

  /// An app transaction that is right in every way.
  public func appTransaction(
    _ signed: CompactJWS, now: Instant, in field: String? = nil
  ) throws(VerificationFailure) -> AppTransactionPayload {
    let payload = try read(AppTransactionPayload.self, .appTransaction, signed, in: field)
    var dated = payload
    if payload.originalPurchaseDate == AppTransactionPayload.unknownPurchaseDate {
      dated.originalPurchaseDate = nil
    }
    try dated.checkTimes()
    try check(signed, at: payload.receiptCreationDate ?? now)
    try check(bundleID: payload.bundleID)
    try check(appAppleID: payload.appAppleID)
    try check(environment: payload.receiptType)
    return payload
  }

  /// Reads a payload that is of the kind wanted, or of none that is known by its fields.
  private func read<Payload: PayloadModel>(
    _ type: Payload.Type, _ wanted: SignedKind, _ signed: CompactJWS, in field: String? = nil
  ) throws(VerificationFailure) -> Payload {
    let object = try signed.payloadObject()
    if let found = SignedKind(payload: object), found != wanted {
      throw .wrongKind(found, wanted: [wanted], in: field)
    }
    return try Payload(object)
  }

  private func check(_ signed: CompactJWS, at moment: Instant) throws(VerificationFailure) {
    switch trust {
    case .roots(let verifier): try verifier.verify(signed, at: moment.milliseconds)
    case .unsigned: _ = try signed.header()
    }
  }

  private func check(bundleID found: String?) throws(VerificationFailure) {
    guard found == bundleID else { throw .wrongBundle(found) }
  }

  private func check(appAppleID found: Int64?) throws(VerificationFailure) {
    guard environment.known != .production || found == appAppleID else { throw .wrongAppID(found) }
  }

  private func check(environment found: Open<Wire.Environment>?) throws(VerificationFailure) {
    guard found == environment else { throw .wrongEnvironment(found?.raw) }
  }
}
