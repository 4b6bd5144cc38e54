import AppStore
import Engine

/// Pretended signatures: the same text has the same one in every run. The number of a root stands
/// for its key; whoever trusts the number believes the text.
public struct SimulatedSigner: PayloadSigner {
  public let root: UInt64

  public init(root: UInt64) {
    self.root = root
  }

  /// Signs with a root and believes it, and others besides.
  public static func signing(root: UInt64, trusting others: [UInt64] = []) -> Signing {
    let roots = [root] + others
    return Signing(
      signer: SimulatedSigner(root: root), verifier: SimulatedVerifier(roots: roots),
      rootCertificates: roots.map(Self.certificate), offerKeyring: SimulatedOfferKeys(),
      digests: SimulatedDigester())
  }

  /// What stands for a root's certificate.
  static func certificate(_ root: UInt64) -> [UInt8] {
    Array("root \(root)".utf8)
  }

  public func append(_ payload: [UInt8], to out: inout [UInt8]) {
    let start = out.count
    out += JWSHeader.text(
      certificates: [Array("leaf".utf8), Array("middle".utf8), Self.certificate(root)])
    out.append(UInt8(ascii: "."))
    Base64.url.append(payload, to: &out)
    let signature = Self.signature(of: out[start...], root: root)
    out.append(UInt8(ascii: "."))
    Base64.url.append(signature, to: &out)
  }

  /// 64 bytes that depend on every byte of the text and on the root.
  static func signature(of text: ArraySlice<UInt8>, root: UInt64) -> [UInt8] {
    var hash = RunningHash()
    hash.add(root)
    text.withUnsafeBytes { hash.add($0) }
    return (0..<8).flatMap { index in
      withUnsafeBytes(of: (hash.value &+ UInt64(index)).littleEndian) { Array($0) }
    }
  }
}

/// Believes the pretended signatures of the roots that it trusts.
public struct SimulatedVerifier: SignatureVerifier {
  public let roots: [UInt64]

  public init(roots: [UInt64]) {
    self.roots = roots
  }

  public func verify(_ signed: CompactJWS, at milliseconds: Int64) throws(VerificationFailure) {
    guard let certificates = try signed.header().certificates else { throw .missingX5C }
    guard certificates.count == 3 else { throw .wrongChainLength(certificates.count) }
    let root = roots.first { SimulatedSigner.certificate($0) == certificates[2] }
    guard let root else { throw .untrustedChain(detail: "no such root") }
    guard signed.signature == SimulatedSigner.signature(of: signed.signedText, root: root) else {
      throw .badSignature
    }
  }
}

/// Pretended digests: 32 bytes that depend on every byte.
public struct SimulatedDigester: PayloadDigester {
  public init() {}

  public func sha256(of bytes: [UInt8]) -> [UInt8]? {
    Array(SimulatedSigner.signature(of: bytes[...], root: 0).prefix(32))
  }
}
