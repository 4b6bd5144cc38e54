import CCrypto

/// An X.509 certificate. It never changes and may be used from several threads.
public final class Certificate: @unchecked Sendable {
  let pointer: OpaquePointer
  /// The certificate as it was read or issued.
  public let der: [UInt8]
  /// The first and the last moment of its validity, milliseconds since 1970 UTC.
  public let notBefore: Int64
  public let notAfter: Int64

  /// Reads one certificate in DER, and nothing after it.
  public init(der: [UInt8]) throws(CryptoError) {
    guard der.count <= CryptoLimits.certificateBytesMax else {
      throw .malformed("a certificate in DER")
    }
    let pointer = decoded(der, X509_free) { d2i_X509(nil, $0, $1) }
    guard let pointer else { throw .malformed("a certificate in DER") }
    guard let notBefore = Self.milliseconds(X509_get0_notBefore(pointer)),
      let notAfter = Self.milliseconds(X509_get0_notAfter(pointer))
    else {
      X509_free(pointer)
      throw .malformed("a certificate in DER")
    }
    self.pointer = pointer
    self.der = der
    self.notBefore = notBefore
    self.notAfter = notAfter
    // Reads the extensions now: libcrypto does it at the first use, which threads might share.
    _ = X509_check_purpose(pointer, -1, 0)
    ERR_clear_error()
  }

  deinit { X509_free(pointer) }

  static func milliseconds(_ time: UnsafePointer<ASN1_TIME>?) -> Int64? {
    var parts = tm()
    guard let time, ASN1_TIME_to_tm(time, &parts) == 1 else { return nil }
    return Int64(timegm(&parts)) * 1000
  }

  /// The key that it speaks of; throws `wrongKey` for one that is not of P-256.
  public var publicKey: PublicKey {
    get throws(CryptoError) {
      guard let key = X509_get_pubkey(pointer) else {
        ERR_clear_error()
        throw .wrongKey
      }
      return try PublicKey(adopting: key)
    }
  }

  /// Whether it may sign certificates: basicConstraints says CA, and keyUsage does not forbid it.
  public var isAuthority: Bool {
    X509_get_extension_flags(pointer) & UInt32(EXFLAG_CA) != 0
      && X509_get_key_usage(pointer) & UInt32(KU_KEY_CERT_SIGN) != 0
  }

  /// Whether it has an extension of this object identifier, written with dots.
  public func hasExtension(_ identifier: String) -> Bool {
    guard let object = OBJ_txt2obj(identifier, 1) else { return false }
    defer { ASN1_OBJECT_free(object) }
    return X509_get_ext_by_OBJ(pointer, object, -1) >= 0
  }

  /// The subject, for people: `CN = …, O = …`.
  public var subject: String {
    guard let memory = BIO_new(BIO_s_mem()) else { return "" }
    defer { BIO_free(memory) }
    guard ccrypto_print_subject(memory, pointer) >= 0 else { return "" }
    var start: UnsafeMutablePointer<CChar>?
    let count = ccrypto_memory(memory, &start)
    guard let start, count > 0 else { return "" }
    let bytes = UnsafeRawBufferPointer(start: start, count: count)
    return String(decoding: bytes, as: UTF8.self)
  }
}
