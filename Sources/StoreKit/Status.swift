import Foundation

extension Product.SubscriptionInfo {
  /// One subscription of the account.
  public struct Status: Hashable, Sendable {
    public let state: RenewalState
    /// Its newest transaction.
    public let transaction: VerificationResult<Transaction>
    public let renewalInfo: VerificationResult<RenewalInfo>

    /// The group it belongs to.
    var groupID: String { transaction.unsafePayloadValue.subscriptionGroupID ?? "" }

    /// Subscriptions whose state or renewal info changed: by renewal, cancellation, a change of
    /// plan, billing trouble. It never ends.
    public static var updates: Statuses { Statuses() }

    /// The present subscriptions of all groups, a group at a time.
    public static var all: AsyncStream<(groupID: String, statuses: [Status])> {
      let (stream, continuation) = AsyncStream<(groupID: String, statuses: [Status])>.makeStream()
      let task = Task {
        for group in await StoreSession.shared.groupedStatuses() { continuation.yield(group) }
        continuation.finish()
      }
      continuation.onTermination = { _ in task.cancel() }
      return stream
    }

    /// Changes of subscriptions, as they happen.
    public struct Statuses: AsyncSequence, Sendable {
      public typealias Element = Status
      public typealias Failure = Never

      public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(listener: StoreSession.shared.listenToStatuses())
      }

      public struct AsyncIterator: AsyncIteratorProtocol {
        var listener: AsyncStream<Status>.Iterator

        init(listener: AsyncStream<Status>) {
          self.listener = listener.makeAsyncIterator()
        }

        /// Awaits the next change; nil once the task is cancelled.
        public mutating func next() async -> Status? { await listener.next() }
      }
    }
  }
}
