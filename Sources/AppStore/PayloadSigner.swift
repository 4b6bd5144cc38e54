/// Signs payloads. The store does not know how: the daemon brings keys of its own, a test a
/// pretended signature.
public protocol PayloadSigner: Sendable {
  /// Appends `header.payload.signature` to `out`.
  func append(_ payload: [UInt8], to out: inout [UInt8]) throws(SigningFailure)
}

/// A signature could not be made: memory or chance ran out.
public struct SigningFailure: Error, Equatable, Sendable {
  public let detail: String

  public init(detail: String) {
    self.detail = detail
  }
}

extension PayloadSigner {
  /// The payload as a compact JWS.
  public func sign(_ payload: [UInt8]) throws(SigningFailure) -> [UInt8] {
    var out: [UInt8] = []
    try append(payload, to: &out)
    return out
  }
}

/// Checks signed texts against roots that it trusts.
public protocol SignatureVerifier: Sendable {
  /// Returns if header, certificates and signature are right. The certificates must be valid at
  /// `milliseconds` since 1970 UTC: the payload's signed date, as Apple's libraries have it where
  /// they do not ask online (domain.md 4.2).
  func verify(_ signed: CompactJWS, at milliseconds: Int64) throws(VerificationFailure)
}

extension Array where Element == UInt8 {
  /// Appends a part of a compact JWS in base64url.
  public mutating func appendBase64URL(_ bytes: [UInt8]) {
    Base64.url.append(bytes, to: &self)
  }
}
