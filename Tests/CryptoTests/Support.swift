import AppStore
import Crypto
import Foundation

func hex(_ bytes: [UInt8]) -> String {
  bytes.map { String(format: "%02x", $0) }.joined()
}

func bytes(_ hex: String) -> [UInt8] {
  let digits = Array(hex)
  return stride(from: 0, to: digits.count, by: 2).map {
    UInt8(String(digits[$0...($0 + 1)]), radix: 16)!
  }
}

/// A chain as it should be, with one thing changed.
struct Chain {
  var root = CertificateTemplate(role: .root, name: "test root")
  var intermediate = CertificateTemplate(
    role: .intermediate, name: "test intermediate",
    markers: [LocalAuthority.intermediateMarker])
  var leaf = CertificateTemplate(
    role: .leaf, name: "test leaf", markers: [LocalAuthority.leafMarker])

  func authority() throws -> LocalAuthority {
    let root = try LocalAuthority.Identity.make(root, by: nil)
    let intermediate = try LocalAuthority.Identity.make(intermediate, by: root)
    let leaf = try LocalAuthority.Identity.make(leaf, by: intermediate)
    return LocalAuthority(leaf: leaf, intermediate: intermediate, root: root)
  }
}

/// Signs `payload` in the name of `certificates` and says why it is not believed; nil if it is.
func failure(
  _ authority: LocalAuthority, certificates: [[UInt8]]? = nil, roots: [[UInt8]]? = nil,
  at milliseconds: Int64 = 1_700_000_000_000, isStrict: Bool = true
) throws -> VerificationFailure? {
  let signer = try JWSSigner(
    key: authority.leaf.key, certificates: certificates ?? authority.chain.map(\.der))
  let verifier = try JWSVerifier(
    roots: roots ?? [authority.root.certificate.der], isStrict: isStrict)
  return failure(signer.sign(Array("{}".utf8)), verifier, at: milliseconds)
}

func failure(
  _ text: [UInt8], _ verifier: JWSVerifier, at milliseconds: Int64 = 1_700_000_000_000
) -> VerificationFailure? {
  do throws(VerificationFailure) {
    try verifier.verify(CompactJWS(text), at: milliseconds)
    return nil
  } catch {
    return error
  }
}
