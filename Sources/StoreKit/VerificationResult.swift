import Foundation

/// Something signed by the store, with the outcome of the check that was made of it here.
@frozen public enum VerificationResult<SignedType> {
  /// The check failed: what it says may not be true.
  case unverified(SignedType, VerificationError)
  case verified(SignedType)

  /// What was signed; throws the `VerificationError` where the check failed.
  public var payloadValue: SignedType {
    get throws {
      switch self {
      case .unverified(_, let error): throw error
      case .verified(let value): value
      }
    }
  }

  /// What was signed, whatever the check said.
  public var unsafePayloadValue: SignedType {
    switch self {
    case .unverified(let value, _), .verified(let value): value
    }
  }

  /// Why the check failed.
  public enum VerificationError: Error, CaseIterable, Hashable, Sendable {
    case revokedCertificate
    case invalidCertificateChain
    case invalidDeviceVerification
    case invalidEncoding
    case invalidSignature
    case missingRequiredProperties
  }
}

extension VerificationResult: Sendable where SignedType: Sendable {}
extension VerificationResult: Equatable where SignedType: Equatable {}
extension VerificationResult: Hashable where SignedType: Hashable {}

extension VerificationResult.VerificationError: LocalizedError {
  /// One sentence for a person.
  public var errorDescription: String? {
    switch self {
    case .revokedCertificate: "A certificate was revoked."
    case .invalidCertificateChain: "The certificate chain is not valid."
    case .invalidDeviceVerification: "The device verification does not fit this device."
    case .invalidEncoding: "The signed form is not well made."
    case .invalidSignature: "The signature does not fit."
    case .missingRequiredProperties: "A required property is missing."
    }
  }
}
