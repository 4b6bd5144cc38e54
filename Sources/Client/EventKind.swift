/// What an event in the log says. The list grows; a kind this client does not know is kept.
public struct EventKind: OpenWord {
  public let rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }

  public static let logCreated = EventKind(rawValue: "logCreated")
  public static let accountOpened = EventKind(rawValue: "accountOpened")
  public static let clockCreated = EventKind(rawValue: "clockCreated")
  public static let advanceStarted = EventKind(rawValue: "advanceStarted")
  public static let advanced = EventKind(rawValue: "advanced")
  public static let clockAttached = EventKind(rawValue: "clockAttached")
  public static let catalogueImported = EventKind(rawValue: "catalogueImported")
  public static let clockHeld = EventKind(rawValue: "clockHeld")
  public static let clockAccepted = EventKind(rawValue: "clockAccepted")
  public static let bootObserved = EventKind(rawValue: "bootObserved")
  public static let reset = EventKind(rawValue: "reset")
  public static let purchased = EventKind(rawValue: "purchased")
  public static let renewed = EventKind(rawValue: "renewed")
  public static let renewalFailed = EventKind(rawValue: "renewalFailed")
  public static let graceEnded = EventKind(rawValue: "graceEnded")
  public static let recovered = EventKind(rawValue: "recovered")
  public static let expired = EventKind(rawValue: "expired")
  public static let refunded = EventKind(rawValue: "refunded")
  public static let refundReversed = EventKind(rawValue: "refundReversed")
  public static let refundRequested = EventKind(rawValue: "refundRequested")
  public static let refundDeclined = EventKind(rawValue: "refundDeclined")
  public static let revoked = EventKind(rawValue: "revoked")
  public static let autoRenewChanged = EventKind(rawValue: "autoRenewChanged")
  public static let planChangeScheduled = EventKind(rawValue: "planChangeScheduled")
  public static let upgraded = EventKind(rawValue: "upgraded")
  public static let billingChanged = EventKind(rawValue: "billingChanged")
  public static let finished = EventKind(rawValue: "finished")
  public static let statusPassed = EventKind(rawValue: "statusPassed")
}
