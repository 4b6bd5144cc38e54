import AppStore
import CCrypto

/// SHA-256 of bytes that come in pieces. A copy goes on from where the original stands, so a prefix
/// that many messages share is hashed once.
public final class SHA256: @unchecked Sendable {
  // Written by `update` and `finish` only, whose caller owns it; copies read it.
  private let context: OpaquePointer

  /// Begins an empty message.
  public init() throws(CryptoError) {
    guard let context = EVP_MD_CTX_new() else { throw .failure("making a digest") }
    guard EVP_DigestInit_ex2(context, Self.algorithm, nil) == 1 else {
      EVP_MD_CTX_free(context)
      throw .failure("beginning a digest")
    }
    self.context = context
  }

  private init(context: OpaquePointer) {
    self.context = context
  }

  deinit { EVP_MD_CTX_free(context) }

  // Fetched once: a look-up of the algorithm for each digest costs more than a short digest. It
  // lives as long as the process.
  nonisolated(unsafe) private static let algorithm: OpaquePointer? = {
    libcrypto
    return EVP_MD_fetch(nil, "SHA2-256", nil)
  }()

  /// Another digest that has seen the same bytes.
  public func copy() throws(CryptoError) -> SHA256 {
    guard let other = EVP_MD_CTX_new() else { throw .failure("making a digest") }
    guard EVP_MD_CTX_copy_ex(other, context) == 1 else {
      EVP_MD_CTX_free(other)
      throw .failure("copying a digest")
    }
    return SHA256(context: other)
  }

  /// Adds bytes to the message.
  public func update(_ bytes: ArraySlice<UInt8>) throws(CryptoError) {
    let done = bytes.withUnsafeBytes { EVP_DigestUpdate(context, $0.baseAddress, $0.count) == 1 }
    guard done else { throw .failure("a digest") }
  }

  /// The digest of all bytes added; nothing may follow.
  public func finish() throws(CryptoError) -> [UInt8] {
    var isDone = false
    let digest = [UInt8](unsafeUninitializedCapacity: CryptoLimits.digestBytes) { buffer, count in
      isDone = EVP_DigestFinal_ex(context, buffer.baseAddress, nil) == 1
      count = isDone ? CryptoLimits.digestBytes : 0
    }
    guard isDone else { throw .failure("a digest") }
    return digest
  }

  /// The digest of one message.
  public static func digest(of bytes: [UInt8]) throws(CryptoError) -> [UInt8] {
    let hash = try SHA256()
    try hash.update(bytes[...])
    return try hash.finish()
  }
}

/// SHA-256 for those who know digests by their protocol alone.
public struct SHA256Digester: PayloadDigester {
  public init() {}

  public func sha256(of bytes: [UInt8]) -> [UInt8]? {
    do throws(CryptoError) {
      return try SHA256.digest(of: bytes)
    } catch {
      return nil
    }
  }
}
