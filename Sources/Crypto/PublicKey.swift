import CCrypto

/// A public key of the curve P-256. It never changes and may be used from several threads.
public final class PublicKey: @unchecked Sendable {
  let pointer: OpaquePointer
  // Made ready once; each check works on a copy, so that threads do not meet in it.
  private let prepared: OpaquePointer

  /// Takes over a reference to a key; frees it where it cannot be used.
  init(adopting pointer: OpaquePointer) throws(CryptoError) {
    guard ccrypto_is_p256(pointer) == 1 else {
      EVP_PKEY_free(pointer)
      throw .wrongKey
    }
    guard let context = EVP_PKEY_CTX_new_from_pkey(nil, pointer, nil),
      EVP_PKEY_verify_init(context) == 1
    else {
      EVP_PKEY_free(pointer)
      throw .failure("preparing a public key")
    }
    self.pointer = pointer
    prepared = context
  }

  /// Reads SubjectPublicKeyInfo in DER.
  public convenience init(spki: [UInt8]) throws(CryptoError) {
    let key = decoded(spki, EVP_PKEY_free) { d2i_PUBKEY(nil, $0, $1) }
    guard let key else { throw .malformed("a public key in DER") }
    try self.init(adopting: key)
  }

  deinit {
    EVP_PKEY_CTX_free(prepared)
    EVP_PKEY_free(pointer)
  }

  /// SubjectPublicKeyInfo in DER.
  public var spki: [UInt8] {
    get throws(CryptoError) { try derBytes("writing a public key") { i2d_PUBKEY(pointer, $0) } }
  }

  /// Whether the key's owner signed the message of this SHA-256 digest.
  public func isValid(_ signature: Signature, digest: [UInt8]) throws(CryptoError) -> Bool {
    guard let context = EVP_PKEY_CTX_dup(prepared) else { throw .failure("a check") }
    defer { EVP_PKEY_CTX_free(context) }
    let der = signature.der
    let isValid = EVP_PKEY_verify(context, der, der.count, digest, digest.count) == 1
    if !isValid { ERR_clear_error() }
    return isValid
  }

  /// Whether the key's owner signed the message.
  public func isValid(_ signature: Signature, message: [UInt8]) throws(CryptoError) -> Bool {
    try isValid(signature, digest: SHA256.digest(of: message))
  }
}
