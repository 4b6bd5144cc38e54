/// The daemon's own authority and the leaf that signs for it: a chain of the shape that Apple's
/// libraries demand (Domain.md 4.4). The authorities' keys are kept for answers about revocation,
/// which each certificate's issuer signs.
public struct LocalAuthority: Sendable {
  /// Marks the certificate of Apple's that issues leaves for the store.
  public static let intermediateMarker = "1.2.840.113635.100.6.2.1"
  /// Marks the certificate that signs receipts and transactions.
  public static let leafMarker = "1.2.840.113635.100.6.11.1"

  /// One certificate and the key that belongs to it.
  public struct Identity: Sendable {
    public let certificate: Certificate
    public let key: PrivateKey

    public init(certificate: Certificate, key: PrivateKey) {
      self.certificate = certificate
      self.key = key
    }
  }

  public let leaf: Identity
  public let intermediate: Identity
  public let root: Identity

  /// Makes new keys and certificates.
  public init() throws(CryptoError) {
    root = try Identity.make(CertificateTemplate(role: .root, name: "renewd test root"), by: nil)
    intermediate = try Identity.make(
      CertificateTemplate(
        role: .intermediate, name: "renewd test intermediate",
        markers: [Self.intermediateMarker]),
      by: root)
    leaf = try Identity.make(
      CertificateTemplate(role: .leaf, name: "renewd test store", markers: [Self.leafMarker]),
      by: intermediate)
  }

  /// An authority made before.
  public init(leaf: Identity, intermediate: Identity, root: Identity) {
    self.leaf = leaf
    self.intermediate = intermediate
    self.root = root
  }

  /// Leaf, intermediate, root: what a JWS carries.
  public var chain: [Certificate] {
    [leaf.certificate, intermediate.certificate, root.certificate]
  }
}

extension LocalAuthority.Identity {
  /// A new key with its certificate; without an issuer it signs itself.
  public static func make(
    _ template: CertificateTemplate, by issuer: LocalAuthority.Identity?
  ) throws(CryptoError) -> LocalAuthority.Identity {
    let key = try PrivateKey()
    let certificate = try Certificate.issue(
      template, for: key.publicKey, by: (issuer?.certificate, issuer?.key ?? key))
    return LocalAuthority.Identity(certificate: certificate, key: key)
  }
}
