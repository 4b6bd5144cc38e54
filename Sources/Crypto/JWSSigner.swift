import AppStore

/// Signs payloads with ES256 and the chain of an authority.
public final class JWSSigner: PayloadSigner {
  private let key: PrivateKey
  /// The header and its dot, the same for every text.
  private let prefix: [UInt8]
  /// The digest as it stands behind the prefix.
  private let begun: SHA256

  public convenience init(_ authority: LocalAuthority) throws(CryptoError) {
    try self.init(key: authority.leaf.key, certificates: authority.chain.map(\.der))
  }

  /// Signs with any key in the name of any certificates, leaf first.
  public init(key: PrivateKey, certificates: [[UInt8]]) throws(CryptoError) {
    self.key = key
    prefix = JWSHeader.text(certificates: certificates) + [UInt8(ascii: ".")]
    begun = try SHA256()
    try begun.update(prefix[...])
  }

  public func append(_ payload: [UInt8], to out: inout [UInt8]) {
    out += prefix
    let start = out.count
    Base64.url.append(payload, to: &out)
    do throws(CryptoError) {
      let digest = try begun.copy()
      try digest.update(out[start...])
      let signature = try key.signature(digest: digest.finish())
      out.append(UInt8(ascii: "."))
      Base64.url.append(signature.raw, to: &out)
    } catch {
      preconditionFailure("a payload could not be signed: \(error)")
    }
  }
}
