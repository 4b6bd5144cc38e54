extension Notification {
  /// What a notification's payload holds beside its type (Domain.md 3.3).
  public enum Payload: Sendable, CaseIterable {
    /// `data`: the app, a signed transaction and, for a subscription, renewal info and status.
    case data
    /// `summary`: how many subscriptions a mass extension reached, and no transaction.
    case summary
  }

  /// The kind of payload; nil where nothing is sent.
  public var payload: Payload? {
    guard type != nil else { return nil }
    return self == .extensionSummary ? .summary : .data
  }
}

extension ProductKind {
  /// What an event about a whole product tells a server by itself: the end of a mass extension, in
  /// numbers (Domain.md 1.3, E22b). What it did to each subscription has an event of its own.
  public var productNotification: Notification {
    self == .massExtensionCompleted ? .extensionSummary : .none
  }
}
