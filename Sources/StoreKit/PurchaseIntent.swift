import Foundation

/// A wish to buy that began outside the app, on its page in the App Store.
public struct PurchaseIntent: Identifiable, Hashable, Sendable {
  public let product: Product
  /// The product's.
  public var id: Product.ID { product.id }
  /// The offer that was shown there.
  public let offer: Product.SubscriptionOffer?

  /// Wishes as they come. The daemon has no page that a customer could see, so none come; the
  /// sequence ends with its task.
  public static var intents: PurchaseIntents { PurchaseIntents() }

  /// Wishes to buy.
  public struct PurchaseIntents: AsyncSequence, Sendable {
    public typealias Element = PurchaseIntent
    public typealias Failure = Never

    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator() }

    public struct AsyncIterator: AsyncIteratorProtocol {
      private let never = AsyncStream<PurchaseIntent>.makeStream()

      /// Waits until the task is cancelled.
      public mutating func next() async -> PurchaseIntent? {
        var iterator = never.stream.makeAsyncIterator()
        return await iterator.next()
      }
    }
  }
}
