internal import Client
import Foundation

/// A national App Store.
public struct Storefront: Identifiable, Hashable, Sendable {
  /// Three letters (ISO 3166-1).
  public let countryCode: String
  public let id: String
  public let currency: Locale.Currency?

  /// The storefront that the account bought in last; before its first purchase the catalogue's.
  /// Nil where the daemon does not answer.
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

extension Storefront {
  /// A storefront as the daemon names it.
  init(_ wire: Client.Storefront) {
    self.init(
      countryCode: wire.countryCode, id: wire.id, currency: Locale.Currency(wire.currency))
  }
}

extension Notification.Name {
  /// The storefront's country is another one. It is posted on the main queue, while the process
  /// listens to anything of the store's: `Transaction.updates`, say, or as an observer of the
  /// payment queue.
  public static let SKStorefrontCountryCodeDidChange = Notification.Name(
    "SKStorefrontCountryCodeDidChangeNotification")
}

extension Notification {
  static func postStorefrontChange() {
    DispatchQueue.main.async {
      NotificationCenter.default.post(name: .SKStorefrontCountryCodeDidChange, object: nil)
    }
  }
}
