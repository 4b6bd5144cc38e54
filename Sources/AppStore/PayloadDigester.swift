/// Makes the SHA-256 of texts and payloads. The rules and the engine do not know how; the daemon
/// brings a real one.
public protocol PayloadDigester: Sendable {
  /// The 32 bytes of the SHA-256; nil where it cannot be made: memory ran out.
  func sha256(of bytes: [UInt8]) -> [UInt8]?
}
