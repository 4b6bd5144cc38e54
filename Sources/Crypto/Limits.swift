/// The limits of this target, each with its reason.
public enum CryptoLimits {
  /// The longest certificate read, in bytes: Apple's are about 1 KB, and a key of 16,384 bits with
  /// its signature makes 5 KB.
  public static let certificateBytesMax = 64 * 1024

  /// The bytes of a SHA-256 digest.
  public static let digestBytes = 32

  /// The bytes of an ES256 signature: r and s (RFC 7518, 3.4).
  public static let signatureBytes = 64

  /// The longest ECDSA signature of P-256 in DER: two integers of 33 bytes and their heads.
  static let signatureDERBytesMax = 72

  /// The bytes of a serial number: RFC 5280, 4.1.2.2 allows 20; 16 have 126 bits of chance.
  static let serialBytes = 16

  /// The letters of a line of PEM: RFC 7468, 2.
  static let pemLineBytes = 64

  /// Chains that stay verified at once: as many as Apple's library keeps (Domain.md 4.2).
  static let chainsCachedMax = 32
}
