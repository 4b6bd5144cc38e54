import AppStore
import Subscriptions

/// Turns a signed text into a fact: verifies it, each signed part inside it, and that it says what
/// no fact can do without.
struct FactReader {
  let signing: Signing
  let bundleID: String
  let appAppleID: Int64?
  /// When certificates must be valid for a text that has no date of its own.
  let now: Instant

  /// - Parameter account: the account given with it.
  func command(
    _ text: String, account: [UInt8]?
  ) throws(VerificationFailure) -> IngestCommand {
    let signed = try CompactJWS(text)
    let wanted: [SignedKind] = [.transaction, .renewalInfo, .notification]
    guard let kind = try signed.kind() else { throw .malformed(.noKnownKind(wanted: wanted)) }
    switch kind {
    case .notification:
      return try command(
        notification: NotificationPayload(json: signed.payload), signed, account: account)
    case .transaction:
      return try command(
        transaction: TransactionPayload(json: signed.payload), signed, account: account)
    case .renewalInfo:
      return try command(
        renewal: RenewalInfoPayload(json: signed.payload), signed, account: account)
    case .appTransaction, .messageRequest, .serverToken:
      throw .wrongKind(kind, wanted: wanted, in: nil)
    }
  }

  private func command(
    transaction: TransactionPayload, _ signed: CompactJWS, account: [UInt8]?
  ) throws(VerificationFailure) -> IngestCommand {
    let verifier = try verifier(of: transaction.environment)
    _ = try verifier.transaction(signed, now: now)
    var command = IngestCommand(
      account: account, environment: try environment(transaction.environment),
      kind: .transaction, identity: try digest(signed.text).prefix, signed: signed.text)
    command.transaction = try reported(
      transaction, in: Envelope(), digest: try digest(signed.payload))
    return command
  }

  private func command(
    renewal: RenewalInfoPayload, _ signed: CompactJWS, account: [UInt8]?
  ) throws(VerificationFailure) -> IngestCommand {
    let verifier = try verifier(of: renewal.environment)
    _ = try verifier.renewalInfo(signed, now: now)
    var command = IngestCommand(
      account: account, environment: try environment(renewal.environment), kind: .renewalInfo,
      identity: try digest(signed.text).prefix, signed: signed.text)
    command.renewal = try reported(renewal, in: Envelope(), digest: try digest(signed.payload))
    return command
  }

  /// What a notification says in place of a part of it that does not: its date, and the line that
  /// its other part names.
  struct Envelope {
    var signedDate: Instant?
    var originalID: UInt64?
  }

  private func command(
    notification: NotificationPayload, _ signed: CompactJWS, account: [UInt8]?
  ) throws(VerificationFailure) -> IngestCommand {
    let verifier = try verifier(of: notification.environment)
    _ = try verifier.notification(signed, now: now)
    let named = notification.notificationUUID.flatMap { UUIDBits(text: $0) }
    let signature = try digest(signed.text)
    var command = IngestCommand(
      account: account, environment: try environment(notification.environment),
      kind: .notification, identity: named ?? signature.prefix,
      notification: reported(notification), signed: signed.text)
    let transaction = try part(notification.data?.signedTransactionInfo) {
      (text) throws(VerificationFailure) in
      try verifier.transaction(text, now: now, in: "signedTransactionInfo")
    }
    let renewal = try part(notification.data?.signedRenewalInfo) {
      (text) throws(VerificationFailure) in
      try verifier.renewalInfo(text, now: now, in: "signedRenewalInfo")
    }
    if let text = notification.appData?.signedAppTransactionInfo {
      _ = try verifier.appTransaction(
        CompactJWS(text), now: now, in: "signedAppTransactionInfo")
    }
    let ids = [
      try number("originalTransactionId", transaction?.payload.originalTransactionID),
      try number("originalTransactionId", renewal?.payload.originalTransactionID),
    ].compactMap { $0 }
    // A renewal info names no app: it is this app's only beside a transaction of its line.
    guard Set(ids).count <= 1 else { throw .malformed(.wrongField("signedRenewalInfo")) }
    command.namedOriginalID = ids.first
    let envelope = Envelope(signedDate: notification.signedDate, originalID: ids.first)
    if let transaction {
      command.partIdentities.append(try digest(transaction.text.text).prefix)
      let digest = try digest(transaction.text.payload)
      command.transaction = try whole("signedTransactionInfo", &command.missing) {
        () throws(VerificationFailure) in
        try reported(transaction.payload, in: envelope, digest: digest)
      }
    }
    if let renewal {
      command.partIdentities.append(try digest(renewal.text.text).prefix)
      let digest = try digest(renewal.text.payload)
      command.renewal = try whole("signedRenewalInfo", &command.missing) {
        () throws(VerificationFailure) in
        try reported(renewal.payload, in: envelope, digest: digest)
      }
    }
    return command
  }

  private func part<Payload>(
    _ text: String?, _ read: (CompactJWS) throws(VerificationFailure) -> Payload
  ) throws(VerificationFailure) -> (text: CompactJWS, payload: Payload)? {
    guard let text else { return nil }
    let signed = try CompactJWS(text)
    return (signed, try read(signed))
  }

  /// A part of a notification; nil where it lacks what it says nothing without. The notification is
  /// a fact all the same.
  private func whole<Fact>(
    _ name: String, _ missing: inout [String],
    _ read: () throws(VerificationFailure) -> Fact
  ) throws(VerificationFailure) -> Fact? {
    do throws(VerificationFailure) {
      return try read()
    } catch {
      guard case .malformed(.missingField(let field)) = error else { throw error }
      missing.append("\(name).\(field)")
      return nil
    }
  }

  /// Believes texts of the environment that they name; which one decides where they are kept.
  private func verifier(
    of environment: Open<Wire.Environment>?
  ) throws(VerificationFailure) -> PayloadVerifier {
    guard let environment, environment.known != nil else {
      throw .wrongEnvironment(environment?.raw)
    }
    // Never without a signature, whatever the environment (Domain.md 8, case 84).
    return PayloadVerifier(
      trust: .roots(signing.verifier), bundleID: bundleID, appAppleID: appAppleID,
      environment: environment)
  }

  private func environment(
    _ found: Open<Wire.Environment>?
  ) throws(VerificationFailure) -> StoreEnvironment {
    guard let name = found?.raw, let environment = StoreEnvironment(wireName: name) else {
      throw .wrongEnvironment(found?.raw)
    }
    return environment
  }

  private func digest(_ bytes: [UInt8]) throws(VerificationFailure) -> PayloadDigest {
    guard let hash = signing.digests.sha256(of: bytes), let digest = PayloadDigest(bytes: hash)
    else { throw .unavailable("no SHA-256 could be made") }
    return digest
  }
}
