import AppStore

extension LocalAuthority {
  private static let keyLabel = "PRIVATE KEY"
  private static let certificateLabel = "CERTIFICATE"

  /// The authority as a text to keep: key and certificate of leaf, intermediate and root, in PEM,
  /// which other tools read too. Whoever has it can sign as this store.
  public var file: [UInt8] {
    get throws(CryptoError) {
      var text: [UInt8] = []
      for identity in [leaf, intermediate, root] {
        text += PEMBlock(label: Self.keyLabel, bytes: try identity.key.pkcs8).text
        text += PEMBlock(label: Self.certificateLabel, bytes: identity.certificate.der).text
      }
      return text
    }
  }

  /// Reads what `file` wrote.
  public init(file: [UInt8]) throws(CryptoError) {
    let labels = (0..<3).flatMap { _ in [Self.keyLabel, Self.certificateLabel] }
    guard let blocks = PEMBlock.blocks(of: file), blocks.map(\.label) == labels else {
      throw .malformed("an authority's file: three keys, each with its certificate")
    }
    var identities: [Identity] = []
    for index in stride(from: 0, to: blocks.count, by: 2) {
      let key = try PrivateKey(pkcs8: blocks[index].bytes)
      let certificate = try Certificate(der: blocks[index + 1].bytes)
      guard try key.publicKey.spki == certificate.publicKey.spki else {
        throw .malformed("an authority's file: a key belongs to another certificate")
      }
      identities.append(Identity(certificate: certificate, key: key))
    }
    self.init(leaf: identities[0], intermediate: identities[1], root: identities[2])
  }
}
