import Foundation

/// A national App Store.
public struct Storefront: Identifiable, Hashable, Sendable {
  /// Three letters (ISO 3166-1).
  public let countryCode: String
  public let id: String
  public let currency: Locale.Currency?

  /// The storefront of the account's newest transaction; nil while it has none.
  public static var current: Storefront? {
    get async { await StoreSession.shared.storefront() }
  }

  /// Storefronts as the account's transactions come from another one. It never ends.
  public static var updates: Storefronts { Storefronts() }

  /// Changes of the storefront, as they happen.
  public struct Storefronts: AsyncSequence, Sendable {
    public typealias Element = Storefront
    public typealias Failure = Never

    public func makeAsyncIterator() -> AsyncIterator {
      AsyncIterator(listener: StoreSession.shared.listenToStorefronts())
    }

    public struct AsyncIterator: AsyncIteratorProtocol {
      private var listener: AsyncStream<Storefront>.Iterator

      init(listener: AsyncStream<Storefront>) {
        self.listener = listener.makeAsyncIterator()
      }

      /// Awaits the next change; nil once the task is cancelled.
      public mutating func next() async -> Storefront? { await listener.next() }
    }
  }
}
