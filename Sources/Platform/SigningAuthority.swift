import Engine

/// What the engine signs with; named here for the program that brings the keys.
public typealias StoreSigning = Signing

/// Makes keys and signs with them. The program brings it: nothing else here knows how.
public protocol SigningAuthority: Sendable {
  /// New keys and their certificates, as a file to keep.
  func makeFile() throws(SigningError) -> [UInt8]
  /// What an engine signs with, from such a file, and what it believes: `roots`, certificates in
  /// DER, or its own root where that is nil.
  func signing(file: [UInt8], trusting roots: [[UInt8]]?) throws(SigningError) -> StoreSigning
  /// The certificates of a file in PEM or DER, each in DER.
  func certificates(file: [UInt8]) throws(SigningError) -> [[UInt8]]
}

/// Why there are no keys to sign with.
public struct SigningError: Error, Equatable, Sendable {
  /// A sentence without its full stop.
  public let message: String

  public init(_ message: String) {
    self.message = message
  }
}
