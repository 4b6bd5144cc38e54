import CCrypto

extension Certificate {
  /// Issues a certificate for `key`, signed by `issuer` with ECDSA and SHA-256; without an issuer
  /// it signs itself. Its serial number comes from chance.
  public static func issue(
    _ template: CertificateTemplate, for key: PublicKey,
    by issuer: (certificate: Certificate?, key: PrivateKey)
  ) throws(CryptoError) -> Certificate {
    let owned = try Owned(X509_new(), X509_free, "making a certificate")
    let certificate = owned.pointer
    let subject = try name(template.name)
    let issuerName = issuer.certificate.map { X509_get_subject_name($0.pointer) }
    try check(X509_set_version(certificate, Int(X509_VERSION_3)))
    try setSerial(of: certificate)
    try check(X509_set_subject_name(certificate, subject.pointer))
    try check(X509_set_issuer_name(certificate, issuerName ?? subject.pointer))
    try setTime(X509_getm_notBefore(certificate), template.notBefore)
    try setTime(X509_getm_notAfter(certificate), template.notAfter)
    try check(X509_set_pubkey(certificate, key.pointer))

    var context = X509V3_CTX()
    let authority = issuer.certificate?.pointer ?? certificate
    X509V3_set_ctx(&context, authority, certificate, nil, nil, 0)
    // The identifier of the subject's key comes first: a root's own is its issuer's, too.
    try add(NID_subject_key_identifier, "hash", to: certificate, &context)
    try add(NID_authority_key_identifier, "keyid:always", to: certificate, &context)
    try add(NID_basic_constraints, template.basicConstraints, to: certificate, &context)
    try add(NID_key_usage, template.keyUsage, to: certificate, &context)
    for marker in template.markers { try addMarker(marker, to: certificate) }

    guard X509_sign(certificate, issuer.key.pointer, EVP_sha256()) > 0 else {
      throw .failure("signing a certificate")
    }
    return try Certificate(
      der: derBytes("writing a certificate") { i2d_X509(certificate, $0) })
  }

  private static func check(_ result: Int32) throws(CryptoError) {
    guard result == 1 else { throw .failure("making a certificate") }
  }

  private static func name(_ commonName: String) throws(CryptoError) -> Owned {
    let name = try Owned(X509_NAME_new(), X509_NAME_free, "making a name")
    let parts = [(NID_commonName, commonName), (NID_organizationName, "renewd")]
    for (kind, text) in parts {
      let bytes = Array(text.utf8)
      try check(
        X509_NAME_add_entry_by_NID(
          name.pointer, kind, MBSTRING_UTF8, bytes, Int32(bytes.count), -1, 0))
    }
    return name
  }

  private static func setTime(
    _ field: UnsafeMutablePointer<ASN1_TIME>?, _ text: String
  ) throws(CryptoError) {
    guard ASN1_TIME_set_string_X509(field, text) == 1 else { throw .failure("setting a date") }
  }

  private static func setSerial(of certificate: OpaquePointer) throws(CryptoError) {
    var bytes = [UInt8](repeating: 0, count: CryptoLimits.serialBytes)
    guard RAND_bytes(&bytes, Int32(bytes.count)) == 1 else { throw .failure("a serial number") }
    // Positive, and of the same length always.
    bytes[0] = bytes[0] & 0x3f | 0x40
    let number = try Owned(
      BN_bin2bn(bytes, Int32(bytes.count), nil), BN_free, "a serial number")
    guard BN_to_ASN1_INTEGER(number.pointer, X509_get_serialNumber(certificate)) != nil else {
      throw .failure("a serial number")
    }
  }

  private static func add(
    _ kind: Int32, _ value: String, to certificate: OpaquePointer, _ context: inout X509V3_CTX
  ) throws(CryptoError) {
    let part = try Owned(
      X509V3_EXT_conf_nid(nil, &context, kind, value), X509_EXTENSION_free, "an extension")
    try check(X509_add_ext(certificate, part.pointer, -1))
  }

  private static func addMarker(
    _ identifier: String, to certificate: OpaquePointer
  ) throws(CryptoError) {
    let object = try Owned(OBJ_txt2obj(identifier, 1), ASN1_OBJECT_free, "a marker")
    guard let value = ASN1_OCTET_STRING_new() else { throw .failure("a marker") }
    defer { ASN1_OCTET_STRING_free(value) }
    // ASN.1 NULL.
    try check(ASN1_OCTET_STRING_set(value, [0x05, 0x00], 2))
    let part = try Owned(
      X509_EXTENSION_create_by_OBJ(nil, object.pointer, 0, value), X509_EXTENSION_free, "a marker")
    try check(X509_add_ext(certificate, part.pointer, -1))
  }
}
