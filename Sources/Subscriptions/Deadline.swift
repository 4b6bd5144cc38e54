/// What is due on a line at its deadline. The raw values order what is due at one instant
/// (domain.md 9.2.2).
public enum DueKind: UInt8, Sendable {
  case renew = 0
  case expire = 1
}

/// The moment at which the daemon must act on a line by itself.
public struct Deadline: Hashable, Sendable {
  public var time: Instant
  public var kind: DueKind

  public init(time: Instant, kind: DueKind) {
    self.time = time
    self.kind = kind
  }
}

extension Line {
  /// The line's one deadline, a pure function of its facts; nil where nothing will happen.
  public var deadline: Deadline? {
    guard origin == .store, transaction.revocation == nil else { return nil }
    guard renewal.expirationIntent == nil else { return nil }
    return Deadline(
      time: transaction.expiresDate, kind: renewal.autoRenews ? .renew : .expire)
  }
}
