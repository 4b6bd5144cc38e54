internal import Client
import Foundation

extension StoreSession {
  /// Watches the account, unless that is done already. Without an account it waits for one.
  func beginWatching() {
    state.withLock { state in
      guard state.watch == nil else { return }
      let generation = state.generation
      state.watch = Task.detached { await self.follow(generation) }
    }
  }

  private func isCurrent(_ generation: Int) -> Bool {
    state.withLock { $0.generation == generation }
  }

  /// Follows the daemon until the settings change. The watch itself comes through restarts of the
  /// daemon; here are refusals, after which it is asked again, from where it stood if it can be.
  private func follow(_ generation: Int) async {
    var cursor: Int64?
    while !Task.isCancelled, isCurrent(generation) {
      do {
        let connected = try connected()
        try await follow(connected, cursor: &cursor)
        return
      } catch RenewdConnectionError.noAccount {
        note(RenewdConnectionError.noAccount)
        return
      } catch {
        note(error)
        if case .refused(let refusal) = error as? ClientError, case .cursorAhead = refusal.reason {
          // Another log, and so another authority.
          cursor = nil
          state.withLock { $0.trust = nil }
        }
      }
      // Cancelled meanwhile: the loop's condition says so.
      try? await Task.sleep(for: StoreKitLimits.watchPause)
    }
  }

  private func follow(_ connected: Connected, cursor: inout Int64?) async throws {
    let account = try connected.account
    for try await item in connected.client.watch(account: account, since: cursor, signed: true) {
      guard isCurrent(connected.generation) else { return }
      switch item {
      case .subscription(let subscription):
        let delivery = try await delivery(subscription.transaction, connected)
        state.withLock { if $0.generation == connected.generation { $0.feed.know(delivery) } }
      case .seam(let sequence):
        try await launch(connected)
        cursor = sequence
      case .event(let event):
        try await take(event, connected)
        cursor = event.sequence
      case .heartbeat(let sequence):
        cursor = sequence
      }
      state.withLock { $0.failure = nil }
    }
  }

  private func delivery(
    _ told: Client.Transaction, _ connected: Connected
  ) async throws -> Delivery {
    Delivery(told: told, result: try await trust(connected).result(of: told))
  }

  /// Tells what the app has not finished, once.
  private func launch(_ connected: Connected) async throws {
    guard !state.withLock({ $0.feed.hasLaunched }) else { return }
    let list = try await connected.client.call(
      .unfinished(account: try connected.account, signed: true))
    let trust = try await trust(connected)
    let deliveries = list.transactions.map {
      Delivery(told: $0.transaction, result: trust.transaction($0.signedTransactionInfo))
    }
    state.withLock { if $0.generation == connected.generation { $0.feed.launch(deliveries) } }
  }

  private func take(_ event: Event, _ connected: Connected) async throws {
    let told: Delivery? =
      if let transaction = event.transaction { try await delivery(transaction, connected) } else {
        nil
      }
    if let told { try await takeUpgraded(by: told, in: event, connected) }
    let status = try await status(of: event, told, connected)
    state.withLock { state in
      guard state.generation == connected.generation else { return }
      state.feed.take(event, told)
      if let status { state.feed.statuses.tell(status) }
    }
  }

  /// An upgrade changes the transaction it ends, too, which its event does not carry.
  private func takeUpgraded(
    by told: Delivery, in event: Event, _ connected: Connected
  ) async throws {
    guard event.kind == .upgraded, let originalID = event.originalID else { return }
    let (before, isOwn) = state.withLock {
      ($0.feed.newestTransaction(originalID: originalID), $0.feed.isOwn(event))
    }
    guard let before, !isOwn, before.told.id != told.told.id else { return }
    let all = try await history(connected, trust: try await trust(connected))
    guard let changed = all.first(where: { $0.told.id == before.told.id }) else { return }
    state.withLock { state in
      if state.generation == connected.generation { state.feed.take(changed: changed) }
    }
  }

  /// The subscription after an event; nil where the event is about none.
  private func status(
    of event: Event, _ told: Delivery?, _ connected: Connected
  ) async throws -> Product.SubscriptionInfo.Status? {
    guard let originalID = event.originalID, let state = event.statusAfter,
      let renewalInfo = event.renewalInfo
    else { return nil }
    let known = self.state.withLock { $0.feed.newestTransaction(originalID: originalID) }
    guard let transaction = told ?? known else { return nil }
    return Product.SubscriptionInfo.Status(
      state: Product.SubscriptionInfo.RenewalState(rawValue: Int(state.rawValue)),
      transaction: transaction.result,
      renewalInfo: try await trust(connected).result(of: renewalInfo))
  }
}
