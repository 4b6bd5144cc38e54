/// How the bytes of a signature are written.
public enum OfferSignatureForm: Sendable {
  /// SEQUENCE { INTEGER r, INTEGER s }, as version 1 of promotional offers has it.
  case der
  /// r and s, 32 bytes each, as a JWS has it.
  case raw
}

/// Checks what the keys of a catalogue sign. The store does not know how: the daemon brings
/// cryptography, a test a pretended one.
public protocol OfferKeyring: Sendable {
  /// The public key (SubjectPublicKeyInfo in DER) of a private one (PKCS #8 in DER) of the curve
  /// P-256; nil where the bytes are none.
  func publicKey(of privateKey: [UInt8]) -> [UInt8]?
  /// Whether the owner of a public key signed a message: ECDSA over SHA-256.
  func isValid(
    _ signature: [UInt8], _ form: OfferSignatureForm, of message: [UInt8], by publicKey: [UInt8]
  ) -> Bool
}
