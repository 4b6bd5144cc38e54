import Foundation

/// The limits of this target.
enum StoreKitLimits {
  /// How many transactions wait for a first listener: more than an app leaves unfinished. The
  /// oldest go first; those that were never finished stay in `Transaction.unfinished`.
  static let waitingTransactionsMax = 10_000

  /// How long the watch rests after the daemon refused it, before it asks again: short beside a
  /// person's patience, long beside the work of a refusal.
  static let watchPause: Duration = .seconds(1)

  /// How long the first look at the payment queue's storefront waits for the daemon: far longer
  /// than an answer takes, and short enough for a thread that draws.
  static let storefrontWaitSeconds: Double = 1

  /// How far the store's clock may be from this process's, in seconds, before it is said: more than
  /// a test clock that was set to the present falls behind in a sitting, less than any period.
  static let clockDifferenceMax: TimeInterval = 3600

  /// How deep the payload of a signed form may nest; Apple's nest two deep.
  static let payloadDepthMax = 16

  /// The exit status of an app that found its receipt not valid: the number that macOS takes as
  /// the wish for another one.
  static let invalidReceiptStatus: Int32 = 173
}
