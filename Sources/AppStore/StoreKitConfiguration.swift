import JSON
import Subscriptions

/// A file's `subscriptionOffersKeyPair`.
public struct StoreKitOffersKeyPair: Equatable, Sendable {
  /// The `keyIdentifier` that signatures name.
  public var id: String
  /// PKCS #8 in DER, if the text is Base64 of anything; whether it is a key is seen when it is
  /// used.
  public var privateKey: [UInt8]
}

/// What a `.storekit` file says, read once and checked (Domain.md 5).
///
/// The reader takes formats 1 to 5 and tries any later one. It passes over keys it does not
/// know, missing keys and `null`s; what it passes over that could matter is a notice, in order,
/// one for each kind of oddity. What it cannot give a meaning is refused with its JSON path.
public struct StoreKitConfiguration: Equatable, Sendable {
  /// The file's format: Xcode's `version.major`.
  public var formatVersion: Int64
  /// Xcode's identifier of the file.
  public var identifier: String?
  public var catalogue: Catalogue
  public var settings: StoreKitSettings
  /// The key pair that signs promotional offers, if the file has one.
  public var offersKeyPair: StoreKitOffersKeyPair?
  /// Sentences for a person, each beginning with a JSON path.
  public var notices: [String]

  /// Reads the bytes of a file: UTF-8 JSON, with or without a byte order mark.
  public static func read(
    _ bytes: [UInt8]
  ) throws(StoreKitConfigurationError) -> StoreKitConfiguration {
    guard bytes.count <= AppStoreLimits.configurationBytesMax else {
      throw .tooLarge(bytes: bytes.count)
    }
    var reader = ConfigurationReader()
    return try reader.configuration(root(of: bytes))
  }

  private static func root(
    of bytes: [UInt8]
  ) throws(StoreKitConfigurationError) -> ConfigurationNode {
    let mark: [UInt8] = [0xef, 0xbb, 0xbf]
    let text = bytes.starts(with: mark) ? Array(bytes.dropFirst(mark.count)) : bytes
    do {
      let value = try JSONValue.parse(text, depthMax: AppStoreLimits.configurationDepthMax)
      return ConfigurationNode(value: value, path: .root)
    } catch {
      let before = text.prefix(error.offset)
      let lineEnd = UInt8(ascii: "\n")
      let line = before.count { $0 == lineEnd } + 1
      let column = before.count - (before.lastIndex(of: lineEnd).map { $0 + 1 } ?? 0) + 1
      throw .notJSON(line: line, column: column, reason: error)
    }
  }
}
