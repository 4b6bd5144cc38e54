import AppStore
import Crypto
import Testing

@Suite("Certificates and chains")
struct ChainTests {
  @Test("the daemon's chain has the shape that Domain.md 4.4 derives")
  func shape() throws {
    let authority = try LocalAuthority()
    #expect(authority.chain.count == 3)
    for certificate in authority.chain {
      #expect(certificate.notBefore == 946_684_800_000)
      #expect(certificate.notAfter == 4_102_444_800_000)
      // Subject and, but for none here, authority key identifiers.
      #expect(certificate.hasExtension("2.5.29.14"))
      #expect(certificate.hasExtension("2.5.29.35"))
      #expect(try Certificate(der: certificate.der).subject == certificate.subject)
    }
    #expect(authority.chain.map(\.isAuthority) == [false, true, true])
    #expect(
      authority.chain.map { $0.hasExtension("1.2.840.113635.100.6.11.1") }
        == [true, false, false])
    #expect(
      authority.chain.map { $0.hasExtension("1.2.840.113635.100.6.2.1") }
        == [false, true, false])
    #expect(authority.root.certificate.subject.contains("renewd test root"))
  }

  @Test("a text signed with the whole chain is believed from 2000 to 2099 and no longer")
  func valid() throws {
    let authority = try LocalAuthority()
    #expect(try failure(authority) == nil)
    #expect(try failure(authority, at: 946_684_800_000) == nil)
    #expect(try failure(authority, at: 4_102_444_799_999) == nil)
    for moment in [946_684_799_999, 4_102_444_801_000] as [Int64] {
      guard case .expired = try failure(authority, at: moment) else {
        Issue.record("believed at \(moment)")
        continue
      }
    }
  }

  @Test("chains of 0, 1, 2 and 4 certificates have the wrong length", arguments: [0, 1, 2, 4])
  func length(count: Int) throws {
    let authority = try LocalAuthority()
    let all = authority.chain.map(\.der) + [authority.root.certificate.der]
    #expect(
      try failure(authority, certificates: Array(all.prefix(count))) == .wrongChainLength(count))
  }

  @Test("a certificate that is none is named; the third of the chain is not looked at")
  func badCertificates() throws {
    let authority = try LocalAuthority()
    let good = authority.chain.map(\.der)
    let cut = Array(good[0].dropLast())
    #expect(
      try failure(authority, certificates: [cut, good[1], good[2]]) == .badCertificate(.leaf))
    #expect(
      try failure(authority, certificates: [good[0], [], good[2]])
        == .badCertificate(.intermediate))
    #expect(try failure(authority, certificates: [good[0], good[1], [1, 2, 3]]) == nil)
  }

  @Test("case 87: an attacker's own root in x5c is not trusted")
  func foreignRoot() throws {
    let ours = try LocalAuthority()
    let theirs = try LocalAuthority()
    let finding = try failure(theirs, roots: [ours.root.certificate.der])
    guard case .untrustedChain = finding else {
      Issue.record("\(String(describing: finding))")
      return
    }
    // The same chain under its own root is right: nothing else was wrong with it.
    #expect(try failure(theirs) == nil)
    #expect(try failure(theirs, roots: []) != nil)
  }

  @Test("case B61: a certificate under the right root without the markers signs nothing")
  func markers() throws {
    var chain = Chain()
    chain.leaf.markers = []
    #expect(try failure(chain.authority()) == .missingOID(.leaf))
    chain = Chain()
    chain.intermediate.markers = []
    #expect(try failure(chain.authority()) == .missingOID(.intermediate))
    chain = Chain()
    chain.leaf.markers = [LocalAuthority.intermediateMarker]
    #expect(try failure(chain.authority()) == .missingOID(.leaf))
  }

  @Test("a leaf's issuer that may not issue is named")
  func authorityRefused() throws {
    var chain = Chain()
    chain.intermediate.role = .leaf
    #expect(try failure(chain.authority()) == .notAuthority(.intermediate))
  }

  @Test("case 86: a leaf that expired since is valid when it signed and not now")
  func expired() throws {
    var chain = Chain()
    chain.leaf.notBefore = "20200101000000Z"
    chain.leaf.notAfter = "20240101000000Z"
    let authority = try chain.authority()
    #expect(try failure(authority, at: 1_640_995_200_000) == nil)
    #expect(
      try failure(authority, at: 1_735_689_600_000)
        == .expired(.leaf, at: 1_735_689_600_000))
    chain = Chain()
    chain.intermediate.notAfter = "20240101000000Z"
    #expect(
      try failure(chain.authority(), at: 1_735_689_600_000)
        == .expired(.intermediate, at: 1_735_689_600_000))
  }

  @Test("a chain that was verified before is checked again outside its validity")
  func window() throws {
    var chain = Chain()
    chain.leaf.notAfter = "20240101000000Z"
    let authority = try chain.authority()
    let verifier = try JWSVerifier(roots: [authority.root.certificate.der])
    let text = try JWSSigner(authority).sign(Array("{}".utf8))
    #expect(failure(text, verifier, at: 1_640_995_200_000) == nil)
    #expect(
      failure(text, verifier, at: 1_735_689_600_000) == .expired(.leaf, at: 1_735_689_600_000))
    #expect(failure(text, verifier, at: 1_640_995_200_000) == nil)
  }

  @Test("more chains than are kept are all verified right")
  func manyChains() throws {
    let root = try LocalAuthority()
    let verifier = try JWSVerifier(roots: [root.root.certificate.der])
    var texts: [[UInt8]] = []
    for _ in 0..<40 {
      let leaf = try LocalAuthority.Identity.make(Chain().leaf, by: root.intermediate)
      let authority = LocalAuthority(
        leaf: leaf, intermediate: root.intermediate, root: root.root)
      texts.append(try JWSSigner(authority).sign(Array("{}".utf8)))
    }
    for text in texts + texts.reversed() { #expect(failure(text, verifier) == nil) }
  }
}
