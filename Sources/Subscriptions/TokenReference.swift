/// Which appAccountToken a transaction carries. It is a fact of the transaction: what the account
/// buys later changes nothing of it. The tokens themselves stand in the state's table, so that a
/// person's data is in few records.
public struct TokenReference: Hashable, Sendable {
  /// A number of the state's token table, or that of one of the two below.
  public var rawValue: UInt32

  public init(rawValue: UInt32) {
    self.rawValue = rawValue
  }

  /// The app gave none.
  public static let absent = TokenReference(rawValue: noNumber)

  /// The one that came with the opening of the account, or none where none did: what most
  /// transactions carry, and all of logs in which tokens belonged to accounts. It takes no bytes.
  public static let opening = TokenReference(rawValue: noNumber - 1)

  /// The number in the token table; nil for the two that are not in it by themselves.
  public var number: UInt32? { rawValue < Self.opening.rawValue ? rawValue : nil }
}

/// A token that came for an account after its opening.
struct LaterToken: Hashable, Sendable {
  /// That of the event which brought it.
  var sequence: UInt64
  /// In the token table; `noNumber` for none.
  var number: UInt32
  /// Whether the account was opened once more by it, as older programs wrote it: what follows of
  /// the account carries it, where it does not say otherwise.
  var isOpening: Bool
}
