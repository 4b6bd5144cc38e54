import JSON

/// Why a `.storekit` file is refused. Every case but the first three says where, as a JSON path
/// (`$.subscriptionGroups[0].subscriptions[1].recurringSubscriptionPeriod`).
public enum StoreKitConfigurationError: Error, Equatable, Sendable {
  /// More bytes than `AppStoreLimits.configurationBytesMax`.
  case tooLarge(bytes: Int)
  /// Not JSON; line and column count from 1, the column in bytes.
  case notJSON(line: Int, column: Int, reason: JSONError)
  /// JSON, but with none of the keys that every `.storekit` file has.
  case notAConfiguration
  /// A value of another kind than the key has.
  case wrongKind(path: String, expected: JSONKind, found: JSONKind)
  /// A key without which the entry means nothing; `remedy` says what to write.
  case missing(path: String, remedy: String)
  /// A value that the key cannot have; `remedy` says which it can.
  case invalid(path: String, value: String, remedy: String)
  /// An identifier that stands at `first` already.
  case duplicate(path: String, value: String, first: String)
  /// More products than `AppStoreLimits.configurationProductsMax`.
  case tooManyProducts(path: String)

  /// Where the fault is: a JSON path, `$` for the file as a whole.
  public var path: String {
    switch self {
    case .tooLarge, .notJSON, .notAConfiguration: "$"
    case .wrongKind(let path, _, _), .missing(let path, _), .invalid(let path, _, _),
      .duplicate(let path, _, _), .tooManyProducts(let path):
      path
    }
  }

  /// What the fault is and how to mend it, without the path.
  public var reason: String {
    switch self {
    case .tooLarge(let bytes):
      "the file has \(bytes) bytes, more than the \(AppStoreLimits.configurationBytesMax) read"
    case .notJSON(let line, let column, let reason):
      "not JSON, line \(line), column \(column): \(reason)"
    case .notAConfiguration:
      "not a StoreKit configuration: it has none of version, products, "
        + "nonRenewingSubscriptions and subscriptionGroups"
    case .wrongKind(_, let expected, let found):
      "expected \(expected.phrase), found \(found.phrase)"
    case .missing(_, let remedy):
      "missing; \(remedy)"
    case .invalid(_, let value, let remedy):
      "\(value) cannot stand here; \(remedy)"
    case .duplicate(_, let value, let first):
      "\(value) stands at \(first) already; give one of the two another identifier"
    case .tooManyProducts:
      "more than \(AppStoreLimits.configurationProductsMax) products; split the file"
    }
  }
}

extension StoreKitConfigurationError: CustomStringConvertible {
  public var description: String { "\(path): \(reason)" }
}
