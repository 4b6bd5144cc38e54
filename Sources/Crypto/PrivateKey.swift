import CCrypto

/// A private key of the curve P-256. It never changes and may be used from several threads. Its
/// bytes leave it through `pkcs8` only.
public final class PrivateKey: @unchecked Sendable {
  let pointer: OpaquePointer
  // As in `PublicKey`.
  private let prepared: OpaquePointer

  private init(adopting pointer: OpaquePointer) throws(CryptoError) {
    guard ccrypto_is_p256(pointer) == 1 else {
      EVP_PKEY_free(pointer)
      throw .wrongKey
    }
    guard let context = EVP_PKEY_CTX_new_from_pkey(nil, pointer, nil),
      EVP_PKEY_sign_init(context) == 1
    else {
      EVP_PKEY_free(pointer)
      throw .failure("preparing a private key")
    }
    self.pointer = pointer
    prepared = context
  }

  /// Makes a new key.
  public convenience init() throws(CryptoError) {
    libcrypto
    guard let key = ccrypto_generate_p256() else { throw .failure("making a key") }
    try self.init(adopting: key)
  }

  /// Reads PrivateKeyInfo (PKCS #8) in DER, without a password.
  public convenience init(pkcs8: [UInt8]) throws(CryptoError) {
    let info = decoded(pkcs8, PKCS8_PRIV_KEY_INFO_free) { d2i_PKCS8_PRIV_KEY_INFO(nil, $0, $1) }
    guard let info else { throw .malformed("a private key in PKCS #8") }
    defer { PKCS8_PRIV_KEY_INFO_free(info) }
    guard let key = EVP_PKCS82PKEY(info) else {
      ERR_clear_error()
      throw .malformed("a private key in PKCS #8")
    }
    try self.init(adopting: key)
  }

  deinit {
    EVP_PKEY_CTX_free(prepared)
    EVP_PKEY_free(pointer)
  }

  /// PrivateKeyInfo (PKCS #8) in DER, without a password.
  public var pkcs8: [UInt8] {
    get throws(CryptoError) {
      let info = try Owned(
        EVP_PKEY2PKCS8(pointer), PKCS8_PRIV_KEY_INFO_free, "writing a private key")
      return try derBytes("writing a private key") { i2d_PKCS8_PRIV_KEY_INFO(info.pointer, $0) }
    }
  }

  /// The key that checks what this one signs.
  public var publicKey: PublicKey {
    get throws(CryptoError) {
      let spki = try derBytes("writing a public key") { i2d_PUBKEY(pointer, $0) }
      return try PublicKey(spki: spki)
    }
  }

  /// Signs the message of this SHA-256 digest.
  public func signature(digest: [UInt8]) throws(CryptoError) -> Signature {
    guard let context = EVP_PKEY_CTX_dup(prepared) else { throw .failure("signing") }
    defer { EVP_PKEY_CTX_free(context) }
    var isDone = false
    let der = [UInt8](
      unsafeUninitializedCapacity: CryptoLimits.signatureDERBytesMax
    ) { buffer, count in
      count = buffer.count
      isDone =
        EVP_PKEY_sign(context, buffer.baseAddress, &count, digest, digest.count) == 1
      if !isDone { count = 0 }
    }
    guard isDone, let signature = Signature(der: der) else { throw .failure("signing") }
    return signature
  }

  /// Signs the message.
  public func signature(message: [UInt8]) throws(CryptoError) -> Signature {
    try signature(digest: SHA256.digest(of: message))
  }
}
