import Crypto
import Testing

@Suite("Keys, digests and signatures")
struct KeyTests {
  @Test("a key written as PKCS #8 and read again signs what its public key accepts")
  func roundTrip() throws {
    let key = try PrivateKey()
    let again = try PrivateKey(pkcs8: key.pkcs8)
    let message = Array("a message".utf8)
    let signature = try again.signature(message: message)
    let publicKey = try PublicKey(spki: key.publicKey.spki)
    #expect(try publicKey.isValid(signature, message: message))
    #expect(try !publicKey.isValid(signature, message: message + [0]))
    #expect(try !PrivateKey().publicKey.isValid(signature, message: message))
    #expect(try again.pkcs8 == key.pkcs8)
  }

  @Test("SHA-256 gives the digests of FIPS 180-2, in one piece and in two")
  func digests() throws {
    #expect(
      try hex(SHA256.digest(of: Array("abc".utf8)))
        == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
    #expect(
      try hex(SHA256.digest(of: []))
        == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")
    let begun = try SHA256()
    try begun.update(Array("a".utf8)[...])
    let copy = try begun.copy()
    try begun.update(Array("xx".utf8)[...])
    try copy.update(Array("bc".utf8)[...])
    #expect(try copy.finish() == SHA256.digest(of: Array("abc".utf8)))
  }

  @Test("a signature in DER and raw is the same, also with short and with high numbers")
  func signatureForms() throws {
    var cases: [[UInt8]] = [
      [UInt8](repeating: 0, count: 31) + [1] + [UInt8](repeating: 0xff, count: 32),
      [0x80] + [UInt8](repeating: 0, count: 31) + [UInt8](repeating: 0, count: 32),
      [0x7f] + [UInt8](repeating: 3, count: 63),
    ]
    let key = try PrivateKey()
    for number in 0..<100 { cases.append(try key.signature(message: [UInt8(number)]).raw) }
    for raw in cases {
      let signature = try #require(Signature(raw: raw))
      #expect(Signature(der: signature.der) == signature)
    }
  }

  @Test(
    "DER that is not the one form of a signature is refused",
    arguments: [
      [], [0x30], [0x30, 0x00], [0x31, 0x06, 2, 1, 1, 2, 1, 1], [0x30, 0x07, 2, 1, 1, 2, 1, 1],
      [0x30, 0x07, 2, 1, 1, 2, 1, 1, 0], [0x30, 0x07, 2, 2, 0, 1, 2, 1, 1],
      [0x30, 0x06, 2, 1, 0x80, 2, 1, 1], [0x30, 0x05, 2, 0, 2, 1, 1], [0x30, 0x03, 2, 1, 1],
      [0x30, 0x06, 3, 1, 1, 2, 1, 1], [0x30, 0x06, 2, 9, 1, 2, 1, 1],
    ] as [[UInt8]])
  func badDER(der: [UInt8]) {
    #expect(Signature(der: der) == nil)
  }

  @Test("what is no key, has something behind it, or is of another kind is refused by name")
  func badKeys() throws {
    let key = try PrivateKey()
    #expect(throws: CryptoError.malformed("a private key in PKCS #8")) {
      try PrivateKey(pkcs8: key.pkcs8 + [0])
    }
    #expect(throws: CryptoError.malformed("a private key in PKCS #8")) {
      try PrivateKey(pkcs8: [])
    }
    #expect(throws: CryptoError.malformed("a public key in DER")) {
      try PublicKey(spki: Array(key.publicKey.spki.dropLast()))
    }
    // An Ed25519 public key: RFC 8410, 10.1.
    let edwards =
      "302a300506032b657003210019bf44096984cdfe8541bac167dc3b96c85086aa30b6b6cb0c5c38ad703166e1"
    #expect(throws: CryptoError.wrongKey) { try PublicKey(spki: bytes(edwards)) }
    #expect(Signature(raw: [UInt8](repeating: 0, count: 63)) == nil)
  }
}

@Suite("The authority's file")
struct AuthorityFileTests {
  @Test("an authority that was kept signs on in the same name")
  func roundTrip() throws {
    let authority = try LocalAuthority()
    let file = try authority.file
    let again = try LocalAuthority(file: file)
    #expect(again.chain.map(\.der) == authority.chain.map(\.der))
    #expect(try again.file == file)
    #expect(try failure(again, roots: [authority.root.certificate.der]) == nil)
  }

  @Test("a file cut at any line, with a line too many, or with a foreign key is refused")
  func damaged() throws {
    let file = try LocalAuthority().file
    let lines = String(decoding: file, as: UTF8.self).split(
      separator: "\n", omittingEmptySubsequences: false)
    for count in 0..<(lines.count - 1) {
      let cut = lines.prefix(count).map { $0 + "\n" }.joined()
      #expect(throws: CryptoError.self, "\(count) lines") {
        try LocalAuthority(file: Array(cut.utf8))
      }
    }
    #expect(throws: CryptoError.self) { try LocalAuthority(file: file + Array("x\n".utf8)) }
    let other = String(decoding: try LocalAuthority().file, as: UTF8.self).split(
      separator: "\n", omittingEmptySubsequences: false)
    let end = lines.firstIndex(of: "-----END PRIVATE KEY-----")!
    let mixed = (other[...end] + lines[(end + 1)...]).joined(separator: "\n")
    #expect(
      throws: CryptoError.malformed("an authority's file: a key belongs to another certificate")
    ) { try LocalAuthority(file: Array(mixed.utf8)) }
  }
}
