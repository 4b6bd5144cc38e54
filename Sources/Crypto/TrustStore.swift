import AppStore
import CCrypto

/// The roots that are trusted, and the check of a chain against them under the rules of RFC 5280.
final class TrustStore: @unchecked Sendable {
  // libcrypto counts its references and locks it.
  private let store: Owned
  private let isStrict: Bool

  init(roots: [Certificate], isStrict: Bool) throws(CryptoError) {
    store = try Owned(X509_STORE_new(), X509_STORE_free, "making a trust store")
    self.isStrict = isStrict
    for root in roots {
      guard X509_STORE_add_cert(store.pointer, root.pointer) == 1 else {
        throw .failure("adding a root")
      }
    }
  }

  /// The moments at which a chain is valid, milliseconds since 1970 UTC, if it is at this one.
  func window(
    leaf: Certificate, intermediate: Certificate, at milliseconds: Int64
  ) throws(VerificationFailure) -> ClosedRange<Int64> {
    guard let context = X509_STORE_CTX_new() else { throw .unavailable("no memory") }
    defer { X509_STORE_CTX_free(context) }
    guard let others = ccrypto_list(intermediate.pointer) else {
      throw .unavailable("no memory")
    }
    defer { ccrypto_list_free(others) }
    guard X509_STORE_CTX_init(context, store.pointer, leaf.pointer, others) == 1 else {
      throw .unavailable("no memory")
    }
    let parameters = X509_STORE_CTX_get0_param(context)
    // The dates are compared below: versions of libcrypto differ about the last second.
    var flags = UInt(X509_V_FLAG_NO_CHECK_TIME)
    if isStrict { flags |= UInt(X509_V_FLAG_X509_STRICT) }
    X509_VERIFY_PARAM_set_flags(parameters, flags)
    guard X509_verify_cert(context) == 1 else {
      defer { ERR_clear_error() }
      throw refusal(context)
    }
    let count = ccrypto_path_length(context)
    guard count == 3 else {
      throw .untrustedChain(detail: "the path to a root has \(count) certificates, not 3")
    }
    guard let root = ccrypto_path_certificate(context, 2),
      let notBefore = Certificate.milliseconds(X509_get0_notBefore(root)),
      let notAfter = Certificate.milliseconds(X509_get0_notAfter(root))
    else { throw .unavailable("the root has no dates") }
    return try Self.window(
      [
        (.leaf, leaf.notBefore, leaf.notAfter),
        (.intermediate, intermediate.notBefore, intermediate.notAfter),
        (.root, notBefore, notAfter),
      ], at: milliseconds)
  }

  /// The moments at which all are valid. A certificate is valid through its last second (RFC 5280,
  /// 4.1.2.5).
  private static func window(
    _ members: [(VerificationFailure.ChainMember, notBefore: Int64, notAfter: Int64)],
    at milliseconds: Int64
  ) throws(VerificationFailure) -> ClosedRange<Int64> {
    var first = Int64.min
    var last = Int64.max
    for (member, notBefore, notAfter) in members {
      guard milliseconds >= notBefore, milliseconds <= notAfter + 999 else {
        throw .expired(member, at: milliseconds)
      }
      first = max(first, notBefore)
      last = min(last, notAfter + 999)
    }
    return first...last
  }

  private func refusal(_ context: OpaquePointer) -> VerificationFailure {
    let members: [VerificationFailure.ChainMember] = [.leaf, .intermediate, .root]
    let depth = Int(X509_STORE_CTX_get_error_depth(context))
    let member = members[min(max(depth, 0), members.count - 1)]
    let code = X509_STORE_CTX_get_error(context)
    switch code {
    case X509_V_ERR_INVALID_CA, X509_V_ERR_INVALID_NON_CA, X509_V_ERR_PATH_LENGTH_EXCEEDED,
      X509_V_ERR_KEYUSAGE_NO_CERTSIGN:
      return .notAuthority(member)
    default:
      return .untrustedChain(detail: String(cString: X509_verify_cert_error_string(Int(code))))
    }
  }
}
