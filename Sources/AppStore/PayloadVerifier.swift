import Subscriptions

/// Believes signed payloads of one app in one environment, in the order of checks of Apple's
/// libraries (domain.md 4.2): signature, then app, then environment.
public struct PayloadVerifier: Sendable {
  /// Which signatures count.
  public enum Trust: Sendable {
    /// Those that lead to a root which this trusts.
    case roots(any SignatureVerifier)
    /// None is looked at: Xcode signs with a key of its own, and one certificate. What a daemon is
    /// sent by others must never be believed so (domain.md 8, case 84).
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

  /// A transaction that is right in every way.
  public func transaction(
    _ signed: CompactJWS, now: Instant
  ) throws(VerificationFailure) -> TransactionPayload {
    let payload = try TransactionPayload(json: signed.payload)
    try check(signed, at: payload.signedDate ?? now)
    try check(bundleID: payload.bundleID)
    try check(environment: payload.environment)
    return payload
  }

  /// A renewal info that is right in every way. It names no app: it is this app's only if its line
  /// is that of a transaction verified here (domain.md 8, case 88).
  public func renewalInfo(
    _ signed: CompactJWS, now: Instant
  ) throws(VerificationFailure) -> RenewalInfoPayload {
    let payload = try RenewalInfoPayload(json: signed.payload)
    try check(signed, at: payload.signedDate ?? now)
    try check(environment: payload.environment)
    return payload
  }

  /// A notification that is right in every way. The signed texts inside it are not looked at.
  public func notification(
    _ signed: CompactJWS, now: Instant
  ) throws(VerificationFailure) -> NotificationPayload {
    let payload = try NotificationPayload(json: signed.payload)
    try check(signed, at: payload.signedDate ?? now)
    try check(bundleID: payload.bundleID)
    try check(appAppleID: payload.appAppleID)
    try check(environment: payload.environment)
    return payload
  }

  /// An app transaction that is right in every way.
  public func appTransaction(
    _ signed: CompactJWS, now: Instant
  ) throws(VerificationFailure) -> AppTransactionPayload {
    let payload = try AppTransactionPayload(json: signed.payload)
    try check(signed, at: payload.receiptCreationDate ?? now)
    try check(bundleID: payload.bundleID)
    try check(appAppleID: payload.appAppleID)
    try check(environment: payload.receiptType)
    return payload
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
