/// Signs payloads. The store does not know how: the daemon brings keys of its own, a test a
/// pretended signature.
///
/// Signing does not fail: what could be wrong with keys is found when a signer is made, and one
/// that has run out of memory or chance ends the process, as Swift does where memory ends.
public protocol PayloadSigner: Sendable {
  /// Appends `header.payload.signature` to `out`.
  func append(_ payload: [UInt8], to out: inout [UInt8])
}

extension PayloadSigner {
  /// The payload as a compact JWS.
  public func sign(_ payload: [UInt8]) -> [UInt8] {
    var out: [UInt8] = []
    append(payload, to: &out)
    return out
  }
}

/// Checks signed texts against roots that it trusts.
public protocol SignatureVerifier: Sendable {
  /// Returns if header, certificates and signature are right. The certificates must be valid at
  /// `milliseconds` since 1970 UTC: the payload's signed date, as Apple's libraries have it where
  /// they do not ask online (Domain.md 4.2).
  func verify(_ signed: CompactJWS, at milliseconds: Int64) throws(VerificationFailure)
}
