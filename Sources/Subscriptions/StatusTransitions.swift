/// Which status follows which, by which event: the table that the diagram in `States.md` is drawn
/// from. A status is the one that the line's newest event left behind; a line that is not there
/// yet has none.
public enum StatusTransitions {
  public struct Transition: Hashable, Sendable {
    public var from: Status?
    public var kind: LineKind
    public var to: Status

    public init(_ from: Status?, _ kind: LineKind, _ to: Status) {
      self.from = from
      self.kind = kind
      self.to = to
    }
  }

  /// Every one that a store's events make, where renewals are not dealt with late (`renewalLag`).
  /// Refunds and reversals that stay where they are concern an older transaction than the line's
  /// newest.
  public static let all: [Transition] = [
    Transition(nil, .purchased, .active),
    Transition(nil, .shared, .active),
    Transition(.active, .renewed, .active),
    Transition(.active, .chargeFailed, .active),
    Transition(.active, .recovered, .active),
    Transition(.active, .autoRenewChanged, .active),
    Transition(.active, .planChangeScheduled, .active),
    Transition(.active, .offerRedeemed, .active),
    Transition(.active, .upgraded, .active),
    Transition(.active, .refunded, .active),
    Transition(.active, .refundReversed, .active),
    Transition(.active, .priceIncreased, .active),
    Transition(.active, .priceIncreaseAccepted, .active),
    Transition(.active, .renewalExtended, .active),
    Transition(.active, .extensionFailed, .active),
    Transition(.active, .refundRequested, .active),
    Transition(.active, .refundDeclined, .active),
    Transition(.active, .restored, .active),
    Transition(.active, .renewalFailed, .gracePeriod),
    Transition(.active, .renewalFailed, .billingRetry),
    Transition(.active, .expired, .expired),
    Transition(.active, .refunded, .revoked),
    Transition(.active, .revoked, .revoked),
    Transition(.gracePeriod, .autoRenewChanged, .gracePeriod),
    Transition(.gracePeriod, .planChangeScheduled, .gracePeriod),
    Transition(.gracePeriod, .refunded, .gracePeriod),
    Transition(.gracePeriod, .refundReversed, .gracePeriod),
    Transition(.gracePeriod, .extensionFailed, .gracePeriod),
    Transition(.gracePeriod, .refundRequested, .gracePeriod),
    Transition(.gracePeriod, .refundDeclined, .gracePeriod),
    Transition(.gracePeriod, .restored, .gracePeriod),
    Transition(.gracePeriod, .recovered, .active),
    Transition(.gracePeriod, .renewed, .active),
    Transition(.gracePeriod, .upgraded, .active),
    Transition(.gracePeriod, .graceEnded, .billingRetry),
    Transition(.gracePeriod, .expired, .expired),
    Transition(.gracePeriod, .refunded, .revoked),
    Transition(.gracePeriod, .revoked, .revoked),
    Transition(.billingRetry, .autoRenewChanged, .billingRetry),
    Transition(.billingRetry, .refunded, .billingRetry),
    Transition(.billingRetry, .refundReversed, .billingRetry),
    Transition(.billingRetry, .extensionFailed, .billingRetry),
    Transition(.billingRetry, .refundRequested, .billingRetry),
    Transition(.billingRetry, .refundDeclined, .billingRetry),
    Transition(.billingRetry, .restored, .billingRetry),
    Transition(.billingRetry, .recovered, .active),
    Transition(.billingRetry, .renewed, .active),
    Transition(.billingRetry, .expired, .expired),
    Transition(.billingRetry, .refunded, .revoked),
    Transition(.billingRetry, .revoked, .revoked),
    Transition(.expired, .refunded, .expired),
    Transition(.expired, .refundReversed, .expired),
    Transition(.expired, .refundRequested, .expired),
    Transition(.expired, .refundDeclined, .expired),
    Transition(.expired, .purchased, .active),
    Transition(.expired, .shared, .active),
    Transition(.expired, .refunded, .revoked),
    Transition(.revoked, .refunded, .revoked),
    Transition(.revoked, .refundReversed, .revoked),
    Transition(.revoked, .refundRequested, .revoked),
    Transition(.revoked, .refundDeclined, .revoked),
    Transition(.revoked, .refundReversed, .active),
    Transition(.revoked, .refundReversed, .expired),
    Transition(.revoked, .purchased, .active),
    Transition(.revoked, .shared, .active),
  ]

  /// The table as a Mermaid state diagram: an arrow for each two statuses, with all its events.
  public static var diagram: String {
    var arrows: [(name: String, kinds: [String])] = []
    for transition in all {
      let from = transition.from.map { "\($0)" } ?? "[*]"
      let name = "\(from) --> \(transition.to)"
      if let known = arrows.firstIndex(where: { $0.name == name }) {
        arrows[known].kinds.append("\(transition.kind)")
      } else {
        arrows.append((name, ["\(transition.kind)"]))
      }
    }
    let lines = arrows.map { "  \($0.name): \($0.kinds.joined(separator: ", "))\n" }
    return "stateDiagram-v2\n" + lines.joined()
  }
}
