import AppStore

/// What the engine signs with, and whose signatures it believes. Its shell brings it: keys are
/// made and kept outside the core.
public struct Signing: Sendable {
  /// Signs what the store sells.
  public var signer: any PayloadSigner
  /// Believes what leads to a root that is trusted.
  public var verifier: any SignatureVerifier
  /// The roots that are trusted, in DER: for clients that verify by themselves.
  public var rootCertificates: [[UInt8]]
  /// Checks what the keys of a catalogue sign: promotional offers.
  public var offerKeyring: any OfferKeyring
  /// Makes the digests by which signed facts are known and ordered.
  public var digests: any PayloadDigester

  public init(
    signer: any PayloadSigner, verifier: any SignatureVerifier, rootCertificates: [[UInt8]],
    offerKeyring: any OfferKeyring, digests: any PayloadDigester
  ) {
    self.signer = signer
    self.verifier = verifier
    self.rootCertificates = rootCertificates
    self.offerKeyring = offerKeyring
    self.digests = digests
  }
}
