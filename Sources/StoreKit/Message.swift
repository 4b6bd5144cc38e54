import Foundation

/// Something the store would show the customer over the app. There is no screen here to show it
/// on: an app may say it in its own words.
public struct Message: Hashable, Sendable {
  /// What it is about.
  public struct Reason: RawRepresentable, Hashable, Sendable {
    public let rawValue: Int

    public init(rawValue: Int) { self.rawValue = rawValue }

    public static let generic = Reason(rawValue: 0)
    public static let priceIncreaseConsent = Reason(rawValue: 1)
    public static let billingIssue = Reason(rawValue: 2)
    public static let winBackOffer = Reason(rawValue: 3)
  }

  public let reason: Reason

  /// Messages as their reasons arise: a price increase that waits for consent, a renewal that
  /// could not be charged. It never ends.
  public static var messages: Messages { Messages() }

  /// Messages for the customer.
  public struct Messages: AsyncSequence, Sendable {
    public typealias Element = Message
    public typealias Failure = Never

    public func makeAsyncIterator() -> AsyncIterator {
      AsyncIterator(listener: StoreSession.shared.listenToStatuses())
    }

    public struct AsyncIterator: AsyncIteratorProtocol {
      private var listener: AsyncStream<Product.SubscriptionInfo.Status>.Iterator
      /// The reason last told of each subscription.
      private var told: [UInt64: Reason] = [:]

      init(listener: AsyncStream<Product.SubscriptionInfo.Status>) {
        self.listener = listener.makeAsyncIterator()
      }

      /// Awaits the next message; nil once the task is cancelled.
      public mutating func next() async -> Message? {
        while let status = await listener.next() {
          let info = status.renewalInfo.unsafePayloadValue
          let reason = Reason(info)
          let before = told.updateValue(reason ?? .generic, forKey: info.originalTransactionID)
          if let reason, reason != before { return Message(reason: reason) }
        }
        return nil
      }
    }
  }
}

extension Message.Reason {
  /// Nil where there is nothing to say.
  fileprivate init?(_ info: Product.SubscriptionInfo.RenewalInfo) {
    if info.isInBillingRetry {
      self = .billingIssue
    } else if info.priceIncreaseStatus == .pending {
      self = .priceIncreaseConsent
    } else {
      return nil
    }
  }
}
