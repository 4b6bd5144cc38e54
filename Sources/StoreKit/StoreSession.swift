internal import Client
import Foundation
import Synchronization

/// What this process has with its daemon: one connection for calls, one watch of the account, and
/// all who listen. Begins to watch when somebody listens for the first time: that is the launch.
final class StoreSession: Sendable {
  static let shared = StoreSession()

  struct State {
    var settings = ConnectionSettings.fromEnvironment
    /// Counts changes of the settings: what was begun before one has no say after it.
    var generation = 0
    var client: RenewdClient?
    var trust: StoreTrust?
    var watch: Task<Void, Never>?
    var failure: (any Error)?
    /// Whether it was seen how far the store's clock is from this process's.
    var hasLookedAtClock = false
    var feed = StoreFeed()
  }

  let state = Mutex(State())

  /// A daemon and an account, as they were when somebody began to ask.
  struct Connected {
    let client: RenewdClient
    let generation: Int
    private let accountIfAny: String?

    init(client: RenewdClient, generation: Int, account: String?) {
      self.client = client
      self.generation = generation
      accountIfAny = account
    }

    var account: String {
      get throws(RenewdConnectionError) {
        guard let accountIfAny, !accountIfAny.isEmpty else { throw .noAccount }
        return accountIfAny
      }
    }
  }

  // MARK: Settings

  func use(_ settings: ConnectionSettings) {
    let watch = state.withLock { state in
      state.settings = settings
      state.generation += 1
      state.client = nil
      state.trust = nil
      state.failure = nil
      state.feed.forget()
      defer { state.watch = nil }
      return state.watch
    }
    // Who listened goes on listening, to the new account.
    guard let watch else { return }
    watch.cancel()
    beginWatching()
  }

  var failure: (any Error)? { state.withLock { $0.failure } }

  /// Names the present settings: they are another launch's once it is another.
  var generation: Int { state.withLock { $0.generation } }

  /// Remembers why the daemon could not be asked where nobody can be told.
  func note(_ error: any Error) {
    state.withLock { $0.failure = error }
  }

  // MARK: Calls

  func connected() throws(RenewdConnectionError) -> Connected {
    let (client, settings, generation) = state.withLock {
      ($0.client, $0.settings, $0.generation)
    }
    if let client {
      return Connected(client: client, generation: generation, account: settings.account)
    }
    let made = RenewdClient(address: try settings.address())
    state.withLock { if $0.generation == generation { $0.client = made } }
    return Connected(client: made, generation: generation, account: settings.account)
  }

  /// Makes a change, once more if the connection ended before the answer came: a daemon that was
  /// restarted knows by the request's id whether it was made already.
  func change<Result>(
    _ connected: Connected, _ call: (_ requestID: String) throws -> Call<Result>,
    requestID: String = UUID().uuidString
  ) async throws -> Result {
    let call = try call(requestID)
    do {
      return try await connected.client.call(call)
    } catch ClientError.transport(.closed) {
      return try await connected.client.call(call)
    }
  }

  /// What everything signed is checked against; asked of the daemon once.
  func trust(_ connected: Connected) async throws -> StoreTrust {
    if let trust = state.withLock({ $0.generation == connected.generation ? $0.trust : nil }) {
      return trust
    }
    let made = try StoreTrust(try await connected.client.call(.trust()))
    await lookAtClock(connected)
    state.withLock { if $0.generation == connected.generation { $0.trust = made } }
    return made
  }

  /// Calls `body`, whose errors become StoreKit's.
  func asking<Value>(
    _ body: (Connected, StoreTrust) async throws -> Value
  ) async throws -> Value {
    do {
      let connected = try connected()
      return try await body(connected, try await trust(connected))
    } catch {
      throw StoreFailure.storeKitError(error)
    }
  }

  /// The same where Apple's interface has no place for an error: `RenewdConnection.failure` tells
  /// it.
  func asking<Value>(
    otherwise: Value, _ body: (Connected, StoreTrust) async throws -> Value
  ) async -> Value {
    do {
      return try await asking(body)
    } catch {
      note(error)
      return otherwise
    }
  }

  // MARK: Listeners

  func listenToTransactions() -> AsyncStream<VerificationResult<Transaction>> {
    listen(to: \.updates)
  }

  func listenToStorefronts() -> AsyncStream<Storefront> {
    listen(to: \.storefronts)
  }

  func listenToStatuses() -> AsyncStream<Product.SubscriptionInfo.Status> {
    listen(to: \.statuses)
  }

  func listenForQueue() -> AsyncStream<QueueNews> {
    listen(to: \.queue)
  }

  private func listen<Element>(
    to path: WritableKeyPath<StoreFeed, Broadcast<Element>> & Sendable
  ) -> AsyncStream<Element> {
    let (stream, continuation) = AsyncStream<Element>.makeStream()
    let number = state.withLock { $0.feed[keyPath: path].add(continuation) }
    continuation.onTermination = { [self] _ in
      state.withLock { $0.feed[keyPath: path].remove(number) }
    }
    beginWatching()
    return stream
  }
}
