/// A bug that is put in on purpose, to see that the audit of lives finds it.
public enum LifePlant: String, CaseIterable, Sendable {
  /// A renewal as another product than before ends a day early.
  case shortChange = "short-change"
  /// A renewal that fails while an older refund stands gives no grace.
  case lostGrace = "lost-grace"
  /// Members are not told of the end of a grace period.
  case deafMembers = "deaf-members"
  /// A price increase that is not asked about is told and not charged.
  case idleIncrease = "idle-increase"
  /// What an extended subscription is renewed to is counted from before its extension.
  case forgottenExtension = "forgotten-extension"
  /// A refused change of a subscription lets its clock go on a little.
  case leakyRefusal = "leaky-refusal"
}
