import AppStore
import CCrypto

/// Checks signed texts as Apple's libraries do (Domain.md 4.2): three certificates of which two are
/// looked at, a path to a root that is trusted, the two markers, ES256 with the leaf's key. Asks
/// nobody about revocation.
///
/// A chain is checked once and kept with the moments at which it is valid. May be used from several
/// threads.
public final class JWSVerifier: SignatureVerifier, @unchecked Sendable {
  private let trust: TrustStore
  private let lock: UnsafeMutableRawPointer
  // Newest first; `lock` guards it.
  private var chains: [VerifiedChain] = []

  private struct VerifiedChain {
    let header: [UInt8]
    let key: PublicKey
    let window: ClosedRange<Int64>
    /// The digest as it stands behind the header and its dot.
    let begun: SHA256
  }

  /// Trusts `roots`, certificates in DER. `isStrict` wants what RFC 5280 says of key identifiers
  /// and the like; Apple's Python library does by default.
  public init(roots: [[UInt8]], isStrict: Bool = true) throws(CryptoError) {
    var certificates: [Certificate] = []
    for root in roots { certificates.append(try Certificate(der: root)) }
    trust = try TrustStore(roots: certificates, isStrict: isStrict)
    guard let lock = CRYPTO_THREAD_lock_new() else { throw .failure("making a lock") }
    self.lock = lock
  }

  deinit { CRYPTO_THREAD_lock_free(lock) }

  public func verify(
    _ signed: CompactJWS, at milliseconds: Int64
  ) throws(VerificationFailure) {
    let chain: VerifiedChain
    if let known = kept(signed.headerText), known.window.contains(milliseconds) {
      chain = known
    } else {
      chain = try verifiedChain(of: signed, at: milliseconds)
      keep(chain)
    }
    guard let signature = Signature(raw: signed.signature) else {
      throw .malformed(.wrongSignatureLength(signed.signature.count))
    }
    let isValid: Bool
    do throws(CryptoError) {
      let digest = try chain.begun.copy()
      try digest.update(signed.payloadText)
      isValid = try chain.key.isValid(signature, digest: digest.finish())
    } catch {
      throw .unavailable(error.description)
    }
    guard isValid else { throw .badSignature }
  }

  // MARK: Chains

  private func verifiedChain(
    of signed: CompactJWS, at milliseconds: Int64
  ) throws(VerificationFailure) -> VerifiedChain {
    let header = try signed.header()
    guard let entries = header.certificates else { throw .missingX5C }
    guard header.algorithm == "ES256" else { throw .unsupportedAlgorithm(header.algorithm) }
    guard entries.count == 3 else { throw .wrongChainLength(entries.count) }
    let leaf = try certificate(entries[0], .leaf)
    let intermediate = try certificate(entries[1], .intermediate)
    let window = try trust.window(leaf: leaf, intermediate: intermediate, at: milliseconds)
    guard intermediate.hasExtension(LocalAuthority.intermediateMarker) else {
      throw .missingOID(.intermediate)
    }
    guard leaf.hasExtension(LocalAuthority.leafMarker) else { throw .missingOID(.leaf) }
    do throws(CryptoError) {
      let begun = try SHA256()
      try begun.update(signed.headerText)
      try begun.update([UInt8(ascii: ".")])
      return VerifiedChain(
        header: Array(signed.headerText), key: try leaf.publicKey, window: window, begun: begun)
    } catch {
      guard error != .wrongKey else { throw .unsupportedKey }
      throw .unavailable(error.description)
    }
  }

  private func certificate(
    _ der: [UInt8]?, _ member: VerificationFailure.ChainMember
  ) throws(VerificationFailure) -> Certificate {
    guard let der else { throw .badCertificate(member) }
    do throws(CryptoError) {
      return try Certificate(der: der)
    } catch {
      throw .badCertificate(member)
    }
  }

  private func kept(_ header: ArraySlice<UInt8>) -> VerifiedChain? {
    locked {
      guard let index = chains.firstIndex(where: { $0.header[...] == header }) else { return nil }
      if index > 0 { chains.swapAt(0, index) }
      return chains[0]
    }
  }

  private func keep(_ chain: VerifiedChain) {
    locked {
      chains.removeAll { $0.header == chain.header }
      if chains.count == CryptoLimits.chainsCachedMax { chains.removeLast() }
      chains.insert(chain, at: 0)
    }
  }

  private func locked<Result>(_ body: () -> Result) -> Result {
    precondition(CRYPTO_THREAD_write_lock(lock) == 1, "a lock that exists can be taken")
    defer { CRYPTO_THREAD_unlock(lock) }
    return body()
  }
}
