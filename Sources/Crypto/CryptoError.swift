import CCrypto

/// Why libcrypto did not do something. That a signature or a chain is wrong is no error of this
/// kind.
public enum CryptoError: Error, Equatable, Sendable {
  /// The bytes are not the named thing in DER, or something follows it.
  case malformed(StaticText)
  /// The key is not one of the curve P-256.
  case wrongKey
  /// A call that fails for want of memory or chance only; with libcrypto's own words.
  case failed(StaticText, detail: String)

  /// A text known when compiling: what was being done.
  public struct StaticText: Equatable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible
  {
    public let description: String

    public init(stringLiteral value: StaticString) {
      description = value.description
    }
  }

  /// Takes the newest error from libcrypto's queue and empties it.
  static func failure(_ action: StaticText) -> CryptoError {
    let code = ERR_get_error()
    ERR_clear_error()
    guard code != 0, let text = ERR_reason_error_string(code) else {
      return .failed(action, detail: "no reason given")
    }
    return .failed(action, detail: String(cString: text))
  }
}

extension CryptoError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .malformed(let what): "this is not \(what)"
    case .wrongKey: "the key is not one of the curve P-256"
    case .failed(let action, let detail): "\(action) failed: \(detail)"
    }
  }
}
