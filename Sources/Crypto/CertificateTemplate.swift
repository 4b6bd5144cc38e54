/// What a certificate shall say.
public struct CertificateTemplate: Equatable, Sendable {
  /// What its owner may do.
  public enum Role: Equatable, Sendable {
    /// Trusted for its own sake; signs itself.
    case root
    /// Signs leaves and no other authorities (pathlen 0).
    case intermediate
    /// Signs messages.
    case leaf
  }

  public var role: Role
  /// The subject's common name.
  public var name: String
  /// Object identifiers of extensions whose value is ASN.1 NULL: marks that say what it is for.
  public var markers: [String]
  /// The first and the last second of its validity, `YYYYMMDDHHMMSSZ`.
  public var notBefore: String
  public var notAfter: String

  /// Valid over every moment that a clock of the daemon may show (Domain.md 4.4). The end is one
  /// second after the last such moment: some verifiers take the end itself as past.
  public init(
    role: Role, name: String, markers: [String] = [],
    notBefore: String = "20000101000000Z", notAfter: String = "21000101000000Z"
  ) {
    self.role = role
    self.name = name
    self.markers = markers
    self.notBefore = notBefore
    self.notAfter = notAfter
  }

  var basicConstraints: String {
    switch role {
    case .root: "critical,CA:TRUE"
    case .intermediate: "critical,CA:TRUE,pathlen:0"
    case .leaf: "critical,CA:FALSE"
    }
  }

  var keyUsage: String {
    switch role {
    case .root, .intermediate: "critical,keyCertSign,cRLSign"
    case .leaf: "critical,digitalSignature"
    }
  }
}
